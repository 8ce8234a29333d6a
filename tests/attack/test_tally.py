"""The table that the tool prints, and the document that explains it."""

from pathlib import Path

from tests.attack.__main__ import KINDS, read_arguments
from tests.attack.verdicts import BY_DESIGN, WRONG, Outcome, Tally, by_design, traceback

DOCUMENT = Path(__file__).parents[2] / "docs" / "attacks.md"


def test_what_must_not_be_is_counted_and_told() -> None:
    fine = [Outcome("a", "x", "named"), Outcome("a", "y", "harmless"), by_design("b", "z", "rollback")]
    wrong = [Outcome("b", "w", "missed"), traceback("a", "v", ValueError("broke")), Outcome("c", "u", "false alarm")]
    tally = Tally([*fine, *wrong])
    assert tally.wrong == wrong
    assert {outcome.verdict for outcome in wrong} == set(WRONG)
    assert "ValueError: broke" in str(tally.wrong[1])
    lines = [line.split() for line in str(tally).splitlines()]
    assert lines[1] == ["a", "3", "1", "1", "0", "0", "1", "0"]
    assert lines[2] == ["b", "2", "0", "0", "1", "1", "0", "0"]
    assert lines[4] == ["all", "6", "1", "1", "1", "1", "1", "1"]
    assert ["1", "rollback"] in [line[:2] for line in lines]


def test_the_document_names_every_kind_and_everything_unseen() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [name for name in KINDS if f"`{name}`" not in text] == []
    assert [design for design in BY_DESIGN if f"| {design} |" not in text] == []
    arguments = read_arguments(["--only", "bytes", "--count", "3"])
    assert (arguments.only, arguments.count, arguments.seed) == (["bytes"], 3, 0)
