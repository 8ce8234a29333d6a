"""Adds golden logs: `python -m tests.golden RULESET NAME SEATS SEED [option=value …] [bots=…]`. Never changes one.

With `forks=N` the match is a fair one between people, repeated N times from its fifth step on with the same draws;
0 is the match itself.
"""

import hashlib
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from projections.core import State
from service.bots.kinds import find_bot
from service.games.game import Game
from service.games.shelf import by_ruleset, on_the_shelf
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match
from service.play.players import NewPlayer
from service.play.simulate import as_append, make_plan, playout
from service.store.connect import open_store
from tests.shelf import EXAMPLES

LOGS = Path(__file__).parent / "logs"
STARTED = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def golden(game: Game, seats: int, seed: int, options: dict[str, str], bots: list[str]) -> bytes:
    """A whole simulated match as a log."""
    plan = make_plan(game.key, seats, options, bots, 0)
    played = playout(game, plan, seed)
    append = as_append(game, plan, seed, played, STARTED)
    return _log(game, played.state, [row.data for row in append.rows])


def golden_fair(game: Game, seats: int, seed: int, options: dict[str, str], bots: list[str], forks: int) -> bytes:
    """A whole fair match as a log, every seat with a nonce; or the last of the forks that repeat its draws."""
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "ledger.db")) as store:
        ledger = _repeatable(LocalLedger(store), game.key, seed)
        players = [NewPlayer(f"Player {seat}") for seat in range(1, seats + 1)]
        live = _to_the_end(ledger, open_match(ledger, game.key, options=options, players=players), bots, seed)
        for number in range(1, forks + 1):
            again = fork(ledger, live, live.timeline.done[1], chance_mode="same-draws")
            live = _to_the_end(ledger, again, bots, seed + number)
        return _log(game, live.table.state, [row.data for row in store.rows(live.id)])


def _repeatable(ledger: LocalLedger, name: str, seed: int) -> LocalLedger:
    """The ledger with a clock that ticks, and secrets, nonces and ids that follow from the seed."""
    ticks, numbers = count(), count()

    def drawn(what: str) -> str:
        return hashlib.sha256(f"{what} {next(numbers)} of {name} {seed}".encode()).hexdigest()

    return LocalLedger(
        ledger.store,
        clock=lambda: STARTED + timedelta(seconds=next(ticks)),
        new_secret=lambda: bytes.fromhex(drawn("secret")),
        new_id=lambda: drawn("match")[:10],
        new_nonce=lambda: drawn("nonce")[:32],
    )


def _to_the_end(ledger: LocalLedger, live: Live, bots: Sequence[str], seed: int) -> Live:
    rng = Random(seed)
    while live.table.closed is None:
        seat = live.game.projection.to_act(live.table.state)[0]
        bot = find_bot(bots[(seat - 1) % len(bots)])
        act(ledger, live, seat, bot(live.game, live.table.state, seat, rng))
    return live


def _log(game: Game, state: State, datas: Sequence[bytes]) -> bytes:
    """What a match must fold to on the first line, then one envelope a line."""
    view = json.dumps(game.projection.view(state)).encode()
    expected = {"scores": list(game.projection.scores(state)), "view": hashlib.sha256(view).hexdigest()}
    return b"\n".join([json.dumps(expected).encode(), *datas]) + b"\n"


def add(words: Sequence[str], folder: Path = LOGS) -> Path:
    """Write the log that these words ask for into the folder of its game; refused where there is one of that name."""
    ruleset, name, seats, seed, *rest = words
    options = dict(word.split("=") for word in rest)
    bots = options.pop("bots", "greedy,random").split(",")
    forks = options.pop("forks", "")
    with on_the_shelf(*EXAMPLES):  # the examples of docs/adding-a-game.md have logs as well
        game = by_ruleset(ruleset)
        path = folder / game.key / f"{name}.jsonl"
        if path.exists():
            sys.exit(f"{path} exists; golden logs are only ever added")
        path.parent.mkdir(parents=True, exist_ok=True)
        if forks:
            log = golden_fair(game, int(seats), int(seed), options, bots, int(forks))
        else:
            log = golden(game, int(seats), int(seed), options, bots)
        path.write_bytes(log)
    return path


if __name__ == "__main__":
    print(f"wrote {add(sys.argv[1:])}")
