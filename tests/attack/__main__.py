"""`make attack`: attack a ledger in every way there is, on SQLite and on PostgreSQL, and say what was noticed."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from service.store.connect import open_store
from service.trust.folder import key_folder_at
from tests.attack.doors import tampered
from tests.attack.exports import changed_exports, changed_receipts
from tests.attack.files import flipped
from tests.attack.processes import killed, raced, snapshots
from tests.attack.readers import fuzzed
from tests.attack.verdicts import Outcome, Tally
from tests.attack.victim import Victim, victim_at
from tests.postgres import PostgresServer, running_server

OnVictim = Callable[[Victim, Random], Iterator[Outcome]]
Campaign = Callable[["Arena", Random], Iterator[Outcome]]


class Arena:
    """Where attacks take place: a folder and a server, both gone afterwards."""

    def __init__(self, folder: Path, server: PostgresServer) -> None:
        self.folder = folder
        self._server = server
        self._numbers = count()

    def new_folder(self) -> Path:
        """An empty folder."""
        path = self.folder / str(next(self._numbers))
        path.mkdir()
        return path

    def new_sqlite(self) -> str:
        """An empty ledger in a file."""
        path = str(self.new_folder() / "ledger.db")
        open_store(path).close()
        return path

    def new_postgres(self) -> str:
        """An empty ledger on the server."""
        return self._server.migrated_database()


def _on_victim(attack: OnVictim, arena: Arena, rng: Random, *, is_server: bool = False) -> Iterator[Outcome]:
    database = arena.new_postgres() if is_server else arena.new_sqlite()
    with victim_at(database, arena.new_folder(), rng.randrange(1000)) as victim:
        yield from attack(victim, rng)


def _with_keys(attack: Campaign, arena: Arena, rng: Random) -> Iterator[Outcome]:
    with key_folder_at(arena.new_folder() / "keys"):
        yield from attack(arena, rng)


class Kind(NamedTuple):
    """One kind of attack, and its share of the time."""

    attack: Campaign
    share: int


KINDS: Final[dict[str, Kind]] = {
    "tables-sqlite": Kind(partial(_on_victim, tampered), 15),
    "tables-postgres": Kind(partial(_on_victim, tampered, is_server=True), 15),
    "exports": Kind(partial(_on_victim, changed_exports), 8),
    "receipts": Kind(partial(_on_victim, changed_receipts), 4),
    "bytes": Kind(partial(_on_victim, flipped), 10),
    "readers": Kind(partial(_on_victim, partial(fuzzed, watches=True)), 13),
    "kills-sqlite": Kind(partial(_with_keys, lambda arena, rng: killed(arena.new_sqlite, rng)), 5),
    "kills-postgres": Kind(partial(_with_keys, lambda arena, rng: killed(arena.new_postgres, rng)), 5),
    "snapshots": Kind(partial(_with_keys, lambda arena, rng: snapshots(arena.new_sqlite, arena.new_folder(), rng)), 5),
    "races-sqlite": Kind(partial(_with_keys, lambda arena, rng: raced(arena.new_sqlite, rng)), 10),
    "races-postgres": Kind(partial(_with_keys, lambda arena, rng: raced(arena.new_postgres, rng)), 10),
}


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make attack", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=list(KINDS), default=list(KINDS), help="kinds of attacks")
    parser.add_argument("--count", type=int, default=0, help="attacks of each kind; 0 is as many as there is time for")
    parser.add_argument("--seconds", type=float, default=900, help="time for all kinds together")
    parser.add_argument("--seed", type=int, default=0, help="the lot")
    return parser.parse_args(words)


def run(arguments: argparse.Namespace) -> Tally:
    """Every kind in turn, each for its share of the time; what must not be is told at once."""
    tally = Tally()
    chosen = {name: KINDS[name] for name in arguments.only}
    per_share = arguments.seconds / sum(kind.share for kind in chosen.values())
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="matchledger-attack-")))
        arena = Arena(folder, stack.enter_context(running_server()))
        for name, kind in chosen.items():
            tell(f"{name} …")
            deadline = time.monotonic() + kind.share * per_share
            attack = kind.attack(arena, Random(f"{name} {arguments.seed}"))
            with closing(attack) as outcomes:  # type: ignore[type-var]  # generators all
                for number, outcome in enumerate(outcomes, start=1):
                    tally.add(outcome)
                    if outcome.is_wrong:
                        tell(str(outcome))
                    if number == arguments.count or time.monotonic() > deadline:
                        break
    return tally


def tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def main() -> None:
    tally = run(read_arguments())
    print(tally)
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
