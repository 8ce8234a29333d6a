"""The table that `make arena` writes into docs/bots.md."""

import pytest

from benchmarks.arena import BEGIN, END, PAGE, rewritten, table
from service.research.arena import Meeting

MET = Meeting(("search:3", "greedy"), 400, 330, 4, 66, 0.83, 0.79, 0.864, -2.25)


def test_a_row_has_the_share_of_victories_and_between_what_it_lies() -> None:
    lines = table(["Azul", "Coloretto"], [("search:3", [MET, MET])]).splitlines()
    assert lines[0] == "| against `greedy`, 400 matches each | Azul | Coloretto |"
    assert lines[2].startswith("| `search:3` | 83% (79%–86%), −2.2 points | 83% ")


def test_it_stands_between_its_marks_and_nothing_else_changes() -> None:
    page = f"before\n{BEGIN}\nold\n\n{END}\nafter\n"
    assert rewritten(page, "new\n") == f"before\n{BEGIN}\nnew\n\n{END}\nafter\n"
    assert rewritten(rewritten(page, "new\n"), "new\n") == rewritten(page, "new\n")


def test_a_page_without_marks_is_left_alone() -> None:
    with pytest.raises(ValueError, match="has no place"):
        rewritten("nothing", "new\n")


def test_the_page_has_its_marks() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "\n| against `greedy`" in text[text.index(BEGIN) : text.index(END)]
