"""The trial of a mutant: the tests that reach it, in a process of their own, with the change made in memory only."""

import ast
import builtins
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import accumulate
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory, gettempdir
from types import CodeType, ModuleType
from typing import Any, Final, Literal, NamedTuple, NoReturn, TypeVar, cast

import pytest

from tests.mutants.changes import Mutant, block_of

SLOW: Final = (
    "tests/disputes/test_arbiters_doc.py",
    "tests/web",
    "tests/play/test_crashes.py",
    "tests/shell/test_play.py",
    "tests/store/test_processes.py",
    "tests/test_mutants.py",
    "tests/test_packaging.py",
    "tests/test_readme.py",
)
"""Tests of processes, terminals and browsers: they run the program as it lies on the disk, so they see no mutant."""
_SEEN: Final = "__blocks_seen__"
_MEMORY: Final = 4 << 30
_GRACE: Final = 20
_AT_FIRST: Final = 1.5
"""Seconds of the tests that are tried before all others; most mutants are killed by them."""
ON_IMPORT: Final = ""
"""In the place of a test: what runs when modules are imported and tests collected."""
Result = TypeVar("Result")
Verdict = Literal["killed", "survived", "unreached", "untried"]


class Reach(NamedTuple):
    """What one test did when nothing was wrong."""

    test: str
    seconds: float
    blocks: frozenset[str]
    passes: bool = True

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]


class _Changed(SourceFileLoader):
    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec", dont_inherit=True)


class Importing(MetaPathFinder):
    """Imports files of ours as `change` makes them; it gives nothing where a file stays as it is."""

    def __init__(self, change: Callable[[Path], ast.Module | None]) -> None:
        self._change = change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        tree = self._change(Path(spec.origin))
        if tree is None:
            return None
        spec.loader = _Changed(fullname, spec.origin, tree)
        return spec


# ------------------------------------------------------------------------------------------------------- which tests


def reaches(root: Path, paths: Sequence[str], tests: Sequence[str]) -> list[Reach]:
    """Run the tests once with nothing wrong, and write down which blocks of these files each of them enters."""
    wanted = {root / path: path for path in paths}
    recorder = _Recorder()
    setattr(builtins, _SEEN, recorder.seen)

    def marked(path: Path) -> ast.Module | None:
        return _marked(wanted[path], path.read_bytes()) if path in wanted else None

    def run() -> list[Reach]:
        code = _pytest(root, tests, Importing(marked), [recorder])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise RuntimeError(f"the tests cannot be run: exit code {code}")
        return recorder.found

    return _in_process(run)


def _marked(path: str, source: bytes) -> ast.Module:
    """The file with a mark at the beginning of every block inside a function."""
    tree = ast.parse(source)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in ast.walk(function):
            for name in ("body", "orelse", "finalbody"):
                statements = getattr(node, name, None)
                if isinstance(statements, list) and statements and isinstance(statements[0], ast.stmt):
                    _mark(path, statements, has_docstring=node is function)
    return ast.fix_missing_locations(tree)


def _mark(path: str, statements: list[ast.stmt], *, has_docstring: bool) -> None:
    first = statements[0]
    at = int(has_docstring and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))
    if statements[at:] and not ast.unparse(statements[at]).startswith(_SEEN):
        mark = ast.parse(f"{_SEEN}.add({block_of(path, statements[at:])!r})").body[0]
        statements.insert(at, ast.copy_location(mark, statements[at]))


class _Recorder:
    """A pytest plugin that keeps what every test entered, and how long it took."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.found: list[Reach] = []
        self.has_failed = False

    def pytest_collection_finish(self) -> None:
        self.found.append(Reach(ON_IMPORT, 0, frozenset(self.seen), passes=False))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self.seen.clear()
        self.has_failed = False
        started = time.perf_counter()
        result = yield
        seconds = time.perf_counter() - started
        self.found.append(Reach(item.nodeid, seconds, frozenset(self.seen), not self.has_failed))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.has_failed |= report.failed


def judges(mutant: Mutant, known: Sequence[Reach], seconds: float) -> list[Reach]:
    """The tests that reach a mutant, as many of the quickest as run in so many seconds, the cheapest files first.

    What runs only on import may be noticed by any test; those that do most in the same file are asked first.
    """
    quickest = sorted((reach for reach in known if reach.passes), key=lambda reach: reach.seconds)
    found = [reach for reach in quickest if mutant.block in reach.blocks]
    on_import = {"", *(block for reach in known if reach.test == ON_IMPORT for block in reach.blocks)}
    if not found and mutant.block in on_import:
        here = f"{mutant.path}:"
        found = sorted(quickest, key=lambda reach: -sum(block.startswith(here) for block in reach.blocks))
    kept = [reach for reach, total in zip(found, accumulate(r.seconds for r in found), strict=True) if total <= seconds]
    kept = kept or found[:1]
    spent: dict[str, float] = {}
    for reach in kept:
        spent[reach.file] = spent.get(reach.file, 0) + reach.seconds
    # Most of what PostgreSQL would notice SQLite has noticed before, without a server.
    return sorted(kept, key=lambda reach: ("[postgres" in reach.test, spent[reach.file], reach.file, reach.seconds))


# ------------------------------------------------------------------------------------------------------- the verdict


def judge(root: Path, mutant: Mutant, known: Sequence[Reach], seconds: float) -> Verdict:
    """Whether any test that reaches the mutant fails; a test that hangs has noticed as well."""
    tests = judges(mutant, known, seconds)
    if not tests:
        return "unreached"
    first: list[Reach] = []
    total = 0.0
    for reach in tests:
        total += reach.seconds
        if total > _AT_FIRST and first:
            break
        first.append(reach)
    every = {reach.test for reach in known}
    batches = [batch for batch in (first, tests[len(first) :]) if batch]
    return "killed" if any(_notices(root, mutant, batch, every) for batch in batches) else "survived"


def _notices(root: Path, mutant: Mutant, tests: Sequence[Reach], known: set[str]) -> bool:
    chosen = _Chosen([reach.test for reach in tests], known)
    target = root / mutant.path

    def mutated(path: Path) -> ast.Module | None:
        return ast.parse(mutant.applied(path.read_bytes())) if path == target else None

    files = list(dict.fromkeys(reach.file for reach in tests))
    limit = 15 + 10 * sum(reach.seconds for reach in tests)
    try:
        code = _in_process(lambda: _pytest(root, ["-x", *files], Importing(mutated), [chosen]), limit)
    except Died:
        return True
    # Whatever else pytest says, it did not say so before the change: a conftest.py may not even import any more.
    return code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class _Chosen:
    """A pytest plugin that runs these tests in this order, and those that nobody knew before the change."""

    def __init__(self, tests: Sequence[str], known: set[str]) -> None:
        self._order: Mapping[str, int] = {test: position for position, test in enumerate(tests)}
        self._known = known

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._order or item.nodeid not in self._known]
        items.sort(key=lambda item: self._order.get(item.nodeid, len(self._order)))


def _pytest(root: Path, arguments: Sequence[str], importing: Importing, plugins: Sequence[object]) -> int:
    sys.meta_path.insert(0, importing)
    os.chdir(root)
    quiet = ("-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0")
    return int(pytest.main([*quiet, f"--basetemp={gettempdir()}/tests", *arguments], plugins=list(plugins)))


class Died(Exception):
    """A process ended without an answer, or had to be ended."""


def _in_process(work: Callable[[], Result], limit: float = 3600) -> Result:
    """What the work comes to in a process of its own, which is asked to stop after so many seconds and then made to."""
    with TemporaryDirectory(prefix="matchledger-mutants-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o711)  # a test may become somebody else, who has to get through
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer(work, writer, Path(folder), limit)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            is_ready, _, _ = select([pipe], [], [], limit + _GRACE)
            if not is_ready:
                os.killpg(child, signal.SIGKILL)
            answer = pipe.read()
        os.waitpid(child, 0)
        if not answer:
            raise Died((Path(folder) / "output").read_text(errors="replace")[-2000:])
    is_done, result = pickle.loads(answer)
    if not is_done:
        raise RuntimeError(result)
    return cast(Result, result)


def _answer(work: Callable[[], Result], writer: int, folder: Path, limit: float) -> NoReturn:
    """Do the work with its own folder for everything temporary, say what it came to, and end whatever happens.

    Nothing may get past the end of this function: the process is a copy of its parent and would go on as one.
    """
    try:
        _work(work, writer, folder, limit)
    finally:
        os._exit(0)


def _work(work: Callable[[], Result], writer: int, folder: Path, limit: float) -> None:
    os.setsid()
    output = os.open(folder / "output", os.O_CREAT | os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(output, stream)
    os.environ |= {"TMPDIR": str(folder), "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis")}
    tempfile.tempdir = None
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        answer = pickle.dumps((True, work()))
    except Exception:
        answer = pickle.dumps((False, traceback.format_exc()))
    signal.setitimer(signal.ITIMER_REAL, 0)
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(answer)
