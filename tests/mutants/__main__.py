"""`make mutants`: try a sample of small wrong changes, and report those that no test notices."""

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

import alembic
import cryptography.hazmat.primitives.asymmetric.ed25519
import hypothesis
import psycopg
import rich.progress
import sqlmodel
import typer.testing

from tests.mutants.changes import Mutant, makes_sense, mutants
from tests.mutants.trial import ON_IMPORT, SLOW, Reach, Verdict, judge, reaches

# What is imported here, every process that is forked has already.
_IMPORTED: Final = (alembic, cryptography, hypothesis, psycopg, rich, sqlmodel, typer)
ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = (
    "events",
    "projections",
    "service/games",
    "service/play/chance.py",
    "service/play/undo.py",
    "service/store",
    "service/audit",
)
RESULTS: Final = "tests/mutants/results.json"
EXPLAINED: Final = "docs/testing.md"
ALIVE: Final = ("survived", "unreached")
Trial = tuple[Mutant, Verdict]


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--only", nargs="*", default=list(ROOMS), help="files and folders to change")
    parser.add_argument("--tests", nargs="*", default=["tests"], help="files and folders of tests that judge")
    parser.add_argument("--count", type=int, default=300, help="changes to try, drawn by lot; 0 tries them all")
    parser.add_argument("--seconds", type=float, default=1800, help="begin no further change after so long")
    parser.add_argument("--patience", type=float, default=60, help="seconds of tests one change is worth")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=0, help="the lot")
    parser.add_argument("--again", action="store_true", help="only what was alive at the end of the last run")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def python_files(root: Path, places: list[str]) -> list[str]:
    """The files in these places, by their names below the root; migrations have been run and cannot change."""
    found = [
        path for place in places for path in ([root / place] if place.endswith(".py") else (root / place).rglob("*.py"))
    ]
    return sorted({path.relative_to(root).as_posix() for path in found if "migrations" not in path.parts})


def sample(root: Path, places: list[str], count: int, seed: int) -> list[Mutant]:
    """Some of all changes to these places, or all of them."""
    sources = {path: (root / path).read_bytes() for path in python_files(root, places)}
    every = [mutant for path, source in sources.items() for mutant in mutants(path, source)]
    Random(seed).shuffle(every)
    sensible = (mutant for mutant in every if makes_sense(mutant, sources[mutant.path]))
    return sorted(islice(sensible, count or None))


def still_alive(root: Path) -> list[Mutant]:
    """The changes that lived through the last run, in files that have not changed in the meantime."""
    rows = json.loads((root / RESULTS).read_text(encoding="utf-8"))
    alive = [Mutant(*[row[name] for name in Mutant._fields]) for row in rows if row["verdict"] in ALIVE]
    return [mutant for mutant in alive if mutant in mutants(mutant.path, (root / mutant.path).read_bytes())]


def try_one(root: Path, known: list[Reach], patience: float, deadline: float, mutant: Mutant) -> Trial:
    """The verdict on one change, if there is still time for it."""
    return mutant, judge(root, mutant, known, patience) if time.monotonic() < deadline else "untried"


def run(arguments: argparse.Namespace) -> list[Trial]:
    """Every change of the sample with its verdict."""
    root: Path = arguments.root
    chosen = sample(root, arguments.only, arguments.count, arguments.seed)
    if arguments.again:
        chosen = still_alive(root)
    files = [
        path for path in python_files(root, arguments.tests) if Path(path).name.startswith("test_") and path not in SLOW
    ]
    paths = sorted({mutant.path for mutant in chosen})
    tell(f"{len(chosen)} changes to {len(paths)} files; running the tests once to see what each of them reaches …")
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("fork")) as pool:
        groups = [files[start :: arguments.jobs] for start in range(arguments.jobs)]
        known = [reach for found in pool.map(partial(reaches, root, paths), groups) for reach in found]
        if failing := [reach.test for reach in known if not reach.passes and reach.test != ON_IMPORT]:
            tell(f"{len(failing)} tests fail although nothing is wrong, and judge nothing: {', '.join(failing)}")
        tell(f"{len(known)} tests; trying the changes …")
        deadline = time.monotonic() + arguments.seconds
        trials: list[Trial] = []
        for trial in pool.map(partial(try_one, root, known, arguments.patience, deadline), chosen):
            trials.append(trial)
            mutant, verdict = trial
            if verdict != "killed":
                tell(f"{len(trials)} of {len(chosen)}: {mutant.path}:{mutant.line} {verdict}")
    return trials


def tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def report(trials: list[Trial], root: Path, places: list[str]) -> str:
    """A line for each room, then every change that went unnoticed, with what docs/testing.md says about it."""
    lines = [f"{'room':32}{'tried':>8}{'killed':>8}{'alive':>8}{'killed':>9}"]
    for place in [*places, "all"]:
        verdicts = Counter(verdict for mutant, verdict in trials if place == "all" or mutant.path.startswith(place))
        tried = verdicts.total() - verdicts["untried"]
        share = f"{verdicts['killed'] / tried:.1%}" if tried else "–"
        lines.append(f"{place:32}{tried:8}{verdicts['killed']:8}{tried - verdicts['killed']:8}{share:>9}")
    document = root / EXPLAINED
    explained = document.read_text(encoding="utf-8") if document.is_file() else ""
    for mutant, verdict in trials:
        if verdict in ALIVE:
            before, after = mutant.lines((root / mutant.path).read_bytes())
            known = " (explained)" if f"`{mutant.path}`: `{before}` → `{after}`" in explained else ""
            lines += ["", f"{mutant.path}:{mutant.line} {verdict}{known}", f"  - {before}", f"  + {after}"]
    return "\n".join(lines)


def main() -> None:
    arguments = read_arguments()
    trials = run(arguments)
    print(report(trials, arguments.root, arguments.only))
    results = arguments.root / RESULTS
    results.parent.mkdir(parents=True, exist_ok=True)
    rows = [{**mutant._asdict(), "verdict": verdict} for mutant, verdict in trials]
    results.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
