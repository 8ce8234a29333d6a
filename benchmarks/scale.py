"""`make bench-scale`: how a ledger grows that is made, sealed, listed, filtered, replayed and audited.

Each stage is a process of its own, so that its peak memory is its own; scale.json is written after each size.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.clock import best_of, yardstick
from service.audit.bulk import AuditTerms, audit_all
from service.audit.judge import own_notary
from service.errors import Refused
from service.games.shelf import GAMES
from service.play.ledger import LocalLedger
from service.play.listing import listing
from service.play.matches import open_match
from service.play.players import NewPlayer
from service.play.replay import load, replay_all
from service.play.simulate import make_plan, simulate
from service.store.connect import open_store
from service.trust.folder import KEYS_VARIABLE

RESULTS: Final = Path(__file__).parent / "scale.json"
SIZES: Final = (1_000, 10_000, 100_000)
JOBS: Final = 2
PLAYED: Final = tuple(game.key for game in GAMES if not game.pad_of)
FLAT: Final = 1.5
"""What is flat may take so many times as long, or as much memory, in the largest ledger as in the smallest."""
LINEAR: Final = 1.3
"""What is linear may take so many times as long for each match."""
FILTERS: Final[dict[str, dict[str, str]]] = {
    "list": {},
    "game": {"game": PLAYED[0]},
    "rare game": {"game": f"{PLAYED[0]}-pad"},
    "status": {"status": "playing"},
    "player": {"player": "random"},
    "rare player": {"player": "Zoe"},
    "nobody": {"player": "Nobody", "game": PLAYED[0], "status": "closed"},
}


def make(path: str, matches: int) -> dict[str, float]:
    """A ledger of so many matches of every game, with a few that somebody rare plays among the oldest."""
    with open_store(path) as store:
        ledger = LocalLedger(store, notary=own_notary())
        for key in (PLAYED[0], f"{PLAYED[0]}-pad"):
            open_match(ledger, key, players=[NewPlayer("Zoe"), NewPlayer("Ann")])
    started = time.perf_counter()
    for number, key in enumerate(PLAYED):
        share = matches // len(PLAYED) + (number < matches % len(PLAYED))
        for _ in simulate(make_plan(key, None, {}, ["random"], 0), share, JOBS, path):
            pass
    return {"seconds": time.perf_counter() - started, "bytes": _size(path)}


def seal(path: str, matches: int) -> dict[str, float]:
    """Every closed match sealed, and the room given back."""
    started = time.perf_counter()
    with open_store(path) as store:
        sealed = sum(1 for _ in store.sealing().seal())
        spent = time.perf_counter() - started
        store.sealing().compact()
    assert sealed == matches
    return {"seconds": spent, "compacting_seconds": time.perf_counter() - started - spent, "bytes": _size(path)}


def find(path: str, matches: int) -> dict[str, float]:
    """Milliseconds of a list of twenty by every filter, of a match by its id and its beginning, and of loading it."""
    with open_store(path) as store:
        ledger = LocalLedger(store)
        [some] = next(store.ids(1))

        def ambiguous() -> None:
            with suppress(Refused):
                store.find(some[:1])

        works: dict[str, Callable[[], object]] = {
            **{
                f"{name} ms": lambda wanted=wanted: listing(store, store.matches(limit=20, **wanted))  # type: ignore[misc]
                for name, wanted in FILTERS.items()
            },
            "find ms": lambda: store.find(some),
            "find by a beginning ms": ambiguous,
            "last ms": lambda: store.find("last"),
            "load ms": lambda: load(ledger, some),
        }
        times = best_of(50, *works.values())  # most take less than a tenth of a millisecond, which is soon disturbed
    return {name: 1000 * seconds for name, seconds in zip(works, times, strict=True)}


def replay(path: str, matches: int) -> dict[str, float]:
    """Every match read, decoded and folded."""
    started = time.perf_counter()
    with open_store(path, read_only=True) as store:
        assert sum(1 for _ in replay_all(store)) >= matches
    return {"seconds": time.perf_counter() - started}


def audit(path: str, matches: int, *, since: bool = False) -> dict[str, float]:
    """Every match audited by two processes, and the result stated."""
    audited = unchanged = 0
    started = time.perf_counter()
    for batch in audit_all(path, AuditTerms(), JOBS, notary=own_notary(), since=since):
        assert batch.is_clean, batch.findings
        audited, unchanged = audited + batch.matches, unchanged + batch.unchanged
    assert audited + unchanged >= matches
    return {"seconds": time.perf_counter() - started, "audited": audited}


def audit_since(path: str, matches: int) -> dict[str, float]:
    """The same once more, resting on it."""
    return audit(path, matches, since=True)


STAGES: Final[dict[str, Callable[[str, int], dict[str, float]]]] = {
    "make": make,
    "seal": seal,
    "find": find,
    "replay": replay,
    "audit": audit,
    "audit since": audit_since,
}


def _size(path: str) -> int:
    return sum(os.path.getsize(name) for name in (path, f"{path}-wal") if os.path.exists(name))


def _peak() -> int:
    """The most memory this process had, in kilobytes; what the system tells of it begins with its parent's."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))


def run_stage(stage: str, path: str, matches: int) -> dict[str, float]:
    """One stage in this process; with what it kept processors busy for, and its peak of memory, helpers' beside it."""
    found = STAGES[stage](path, matches)
    here, beside = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    found["busy seconds"] = here.ru_utime + here.ru_stime + beside.ru_utime + beside.ru_stime
    found["peak MB"] = _peak() / 1024
    if beside.ru_maxrss:
        found["peak MB beside"] = beside.ru_maxrss / 1024
    return found


def measure(matches: int, notice: Callable[[str], object]) -> dict[str, dict[str, float]]:
    """Every stage on a fresh ledger of so many matches, and the speed of the machine at that time."""
    found: dict[str, dict[str, float]] = {"yardstick": {"steps per s": yardstick()}}
    with TemporaryDirectory(prefix="matchledger-scale-") as folder:
        path = str(Path(folder) / "ledger.db")
        (Path(folder) / "keys").mkdir(mode=0o700)
        variables = {**os.environ, KEYS_VARIABLE: str(Path(folder) / "keys")}
        for stage in STAGES:
            notice(f"{matches:,} matches: {stage}")
            words = [sys.executable, "-m", "benchmarks.scale", "--stage", stage, "--path", path, "--size", str(matches)]
            done = subprocess.run(words, env=variables, check=True, stdout=subprocess.PIPE)
            found[stage] = json.loads(done.stdout)
    return found


def growth(found: dict[str, dict[str, dict[str, float]]]) -> list[tuple[str, float, float]]:
    """What should be flat or linear, how much it grew from the smallest to the largest ledger, and how much it may."""
    small, large = min(found, key=int), max(found, key=int)
    factor = int(large) / int(small)
    grown = []
    for stage, figures in found[small].items():
        for name, before in figures.items():
            after = found[large].get(stage, {}).get(name, 0.0)
            if name in ("busy seconds", "bytes") and not stage.startswith("find"):
                grown.append((f"{stage}, {name} a match", after / before / factor, LINEAR))
            elif name.endswith(" ms") or name.startswith("peak MB"):
                grown.append((f"{stage}, {name}", after / before, FLAT))
    return grown


def main() -> None:
    """Every size one after the other; what is there already of other sizes stays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=list(SIZES), help="how many matches, one after the other"
    )
    parser.add_argument("--stage", choices=list(STAGES), help=argparse.SUPPRESS)
    parser.add_argument("--path", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.stage:
        print(json.dumps(run_stage(asked.stage, asked.path, asked.size)))
        return
    console = Console()
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for size in asked.sizes:
        with console.status("") as status:
            found[str(size)] = measure(size, status.update)
        found = dict(sorted(found.items(), key=lambda item: int(item[0])))
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    console.print(_figures(found))
    if len(found) > 1:
        console.print(_growth(found))


def _figures(found: dict[str, dict[str, dict[str, float]]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("matches")
    for size in found:
        table.add_column(f"{int(size):,}", justify="right")
    last = found[max(found, key=int)]
    for stage, figures in last.items():
        for name in figures:
            values = [found[size].get(stage, {}).get(name) for size in found]
            table.add_row(f"{stage}, {name}", *("" if value is None else _shown(value) for value in values))
    return table


def _growth(found: dict[str, dict[str, dict[str, float]]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("growth")
    table.add_column("times", justify="right")
    table.add_column("at most", justify="right")
    table.add_column("")
    for name, times, most in growth(found):
        table.add_row(name, f"{times:.2f}", f"{most:g}", "[green]met[/]" if times <= most else "[red]missed[/]")
    return table


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
