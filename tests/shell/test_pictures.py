"""Pictures beside each other: as many as fit, and every one straight under itself."""

import pytest

from projections.core import Line, Span, side_by_side


def board(letter: str) -> list[Line]:
    return [[Span(letter), Span(letter)], [Span(letter * 5)]]


@pytest.mark.parametrize(
    "width, rows",
    [
        pytest.param(9, ["aa", "aaaaa", "", "bb", "bbbbb", "", "cc", "ccccc"], id="one-abreast"),
        pytest.param(12, ["aa     bb", "aaaaa  bbbbb", "", "cc", "ccccc"], id="two-abreast"),
        pytest.param(99, ["aa     bb     cc", "aaaaa  bbbbb  ccccc"], id="all"),
        pytest.param(1, ["aa", "aaaaa", "", "bb", "bbbbb", "", "cc", "ccccc"], id="narrower-than-one"),
    ],
)
def test_as_many_as_fit(width: int, rows: list[str]) -> None:
    lines = side_by_side([board(letter) for letter in "abc"], 5, width, gap=2)
    assert ["".join(span.text for span in line).rstrip() for line in lines] == rows
