"""docs/python.md and docs/research.md are tests: their blocks run in order and print what they say; so do the facade's
docstrings."""

import doctest
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
FACADE = (
    "service.shell.python.ledger",
    "service.shell.python.match",
    "service.shell.python.values",
    "service.research.env",
    "service.research.vector",
)


@pytest.fixture
def matchledger() -> Any:
    """The package as it is installed, not the room it offers."""
    return import_module("matchledger")


@pytest.mark.parametrize("page", ["python.md", "research.md"])
def test_a_guide_runs_from_top_to_bottom(
    page: str, matchledger: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code, output in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL):
        exec(compile(code, page, "exec"), names)
        promised = output.splitlines() or re.findall(r"# prints (.*)", code)
        assert promised, f"nothing is promised of:\n{code}"
        assert capsys.readouterr().out.splitlines() == promised, code
    assert names["matchledger"] is matchledger


def test_the_guide_names_everything_the_package_offers(matchledger: Any) -> None:
    told = [
        "Match",
        "Position",
        "Ledger",
        "Option",
        "Points",
        "Place",
        "GameInfo",
        "Action",
        "Report",
        "Verdict",
        "Batch",
    ]
    missing = [name for name in matchledger.__all__ if name not in told and name not in GUIDE]
    assert not missing


@pytest.mark.parametrize("module", FACADE)
def test_the_examples_in_docstrings_hold(matchledger: Any, module: str) -> None:
    with matchledger.open(":memory:") as ledger:
        tests = [test for test in _examples(module, {"matchledger": matchledger, "ledger": ledger}) if test.examples]
        runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
        results = [runner.run(test, clear_globs=False) for test in tests]
    assert sum(result.attempted for result in results) >= 2
    assert not any(result.failed for result in results)


def _examples(module: str, names: dict[str, Any]) -> Iterator[doctest.DocTest]:
    found = import_module(module)
    yield from doctest.DocTestFinder().find(found, globs={**vars(found), **names})
