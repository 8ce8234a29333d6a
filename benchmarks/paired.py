"""Two checkouts side by side: the same work in processes of both, turn by turn, in processor time.

`python -m benchmarks.paired OTHER [WORK …]` says how much longer the work takes in OTHER, another checkout (`git
worktree add`), than in this one. Turns alternate, so that a busy machine slows both alike. Processes are started anew
some times, because where a process lies in memory alone is worth some per cent; the spread is over these starts.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

GAMES = ("azul", "master-chocolatier", "summer-pavilion", "coloretto")
STARTS = 6
TURNS = 150
MATCHES = 20
"""In the ledger that work is done on: a turn is short, so that both of a pair find the machine in the same mood."""


def busy() -> float:
    """Seconds that this process and those it has waited for kept a processor busy."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


# Work is imported in the checkout that is measured, so every import stands inside.


def playouts(game: str, folder: str) -> Callable[[], object]:
    """Random matches in memory: rules, chance and fold."""
    from service.games.shelf import find_game
    from service.play.simulate import make_plan, playout

    found, plan = find_game(game), make_plan(game, None, {}, ["random"], 0)
    seeds = count()  # never the same match again, or what is cached would be found more often than it is
    return lambda: [playout(found, plan, seed) for seed in islice(seeds, MATCHES // 2)]


def replay(game: str, folder: str) -> Callable[[], object]:
    """Stored matches read, decoded and folded."""
    from service.play.replay import replay_all
    from service.store.connect import open_store

    store = open_store(_filled(game, folder)).__enter__()
    return lambda: sum(1 for _ in replay_all(store))


def load(game: str, folder: str) -> Callable[[], object]:
    """Stored matches loaded one by one as commands do, their chains checked."""
    from service.play.ledger import LocalLedger
    from service.play.replay import load
    from service.store.connect import open_store

    store = open_store(_filled(game, folder)).__enter__()
    ledger, ids = LocalLedger(store), next(store.ids(MATCHES))
    return lambda: [load(ledger, match) for match in ids]


def audit(game: str, folder: str) -> Callable[[], object]:
    """Stored matches audited by one process."""
    from service.audit.bulk import AuditTerms, audit_all

    path = _filled(game, folder)
    return lambda: sum(batch.matches for batch in audit_all(path, AuditTerms(), 1))


def start(command: str, folder: str) -> Callable[[], object]:
    """A command from its start to its end, on a small ledger."""
    path = _filled("azul", folder)
    words = [sys.executable, "-m", "cli", "--database", path, command]
    return lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def _filled(game: str, folder: str) -> str:
    from service.play.simulate import make_plan, simulate

    path = f"{folder}/{game}.db"
    for _ in simulate(make_plan(game, None, {}, ["random"], 0), MATCHES, 1, path):
        pass
    return path


WORKS = {work.__name__: work for work in (playouts, replay, load, audit, start)}
USUAL = (*(f"{work}:{game}" for work in ("playouts", "replay", "load", "audit") for game in GAMES), "start:list")


def take_turns(name: str) -> None:
    """In a process of a checkout: do the work once for every line that comes, and say how long it took."""
    work, _, what = name.partition(":")
    with TemporaryDirectory(prefix="matchledger-paired-") as folder:
        turn = WORKS[work](what, folder)
        turn()
        for _ in sys.stdin:
            before = busy()
            turn()
            print(busy() - before, flush=True)


class Process:
    """A process of a checkout."""

    def __init__(self, checkout: Path, name: str) -> None:
        program = f"import runpy; runpy.run_path({__file__!r})['take_turns']({name!r})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program], cwd=checkout, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def turn(self) -> float:
        """Seconds of the work, done once."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def end(self) -> None:
        """Let it go."""
        self._process.communicate()


def compared(here: Path, there: Path, name: str, starts: int, turns: int) -> list[float]:
    """For each start how many times as long the work took there as here: the median over pairs of turns."""
    found = []
    for _ in range(starts):
        ours, theirs = Process(here, name), Process(there, name)
        ratios = []
        for _ in range(turns // 2):
            first, second, third, fourth = ours.turn(), theirs.turn(), theirs.turn(), ours.turn()
            ratios += [second / first, third / fourth]
        for process in (ours, theirs):
            process.end()
        found.append(median(ratios))
    return found


def main() -> None:
    """Compare one work after the other and print a line for each."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("other", type=Path, help="the other checkout")
    reader.add_argument("works", nargs="*", default=USUAL, metavar="WORK", help=f"such as {', '.join(USUAL[::4])}")
    reader.add_argument("--starts", type=int, default=STARTS)
    reader.add_argument("--turns", type=int, default=TURNS)
    asked = reader.parse_args()
    for name in asked.works:
        found = compared(Path.cwd(), asked.other, name, asked.starts, asked.turns)
        print(f"{name:28} {median(found) - 1:+7.1%}   ({min(found) - 1:+.1%} to {max(found) - 1:+.1%})", flush=True)


if __name__ == "__main__":
    main()
