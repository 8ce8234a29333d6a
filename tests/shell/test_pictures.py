"""Pictures within the room there is: as many beside each other as fit, straight under themselves, no piece cut."""

import pytest

from projections.core import Line, Room, Span, beside, columns, fits, looked_at, packed, shortened, side_by_side


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
    assert texts(lines) == rows


def texts(lines: list[Line]) -> list[str]:
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_pictures_of_unequal_height_and_width_stand_top_to_top() -> None:
    assert texts(beside([board("a"), [*board("b"), [Span("b")]]], [5, 8], gap=1)) == [
        "aa    bb",
        "aaaaa bbbbb",
        "      b",
    ]


@pytest.mark.parametrize(
    "text, width, shown",
    [
        ("Theodora", 8, "Theodora"),
        ("Theodora", 7, "Theodo…"),
        ("Ann of Green Gables", 8, "Ann of…"),
        ("山田太郎", 8, "山田太郎"),
        ("山田太郎", 7, "山田太…"),
        ("山田太郎", 6, "山田…"),
        ("Zoe\u0301", 3, "Zoe\u0301"),
    ],
)
def test_a_name_is_cut_where_its_columns_end(text: str, width: int, shown: str) -> None:
    assert shortened(text, width) == shown
    assert columns(shown) <= width


def test_lines_break_between_cells_and_never_inside() -> None:
    cells = [[Span("ab"), Span("c ")], [Span("def ")], [Span("gh", "marker")]]
    assert texts(packed(cells, 10)) == ["abc def gh"]
    assert texts(packed(cells, 9)) == ["abc def", "gh"]
    assert texts(packed(cells, 7)) == ["abc def", "gh"], "blanks after a cell need no room"
    assert texts(packed(cells, 6, indent=2)) == ["abc", "  def", "  gh"]
    assert texts(packed(cells, 8, gap=1)) == ["abc  def", "gh"]
    assert texts(packed([[Span("ab ")], [Span(" c ", "marker")]], 5)) == ["ab", " c"], "a coloured blank is seen"
    assert packed([], 5) == []


def test_a_picture_fits_a_room_of_its_size() -> None:
    lines = board("a")
    assert fits(lines, Room(5, 2))
    assert fits(lines, Room(5))
    assert not fits(lines, Room(4, 2))
    assert not fits(lines, Room(5, 1))


def test_whose_board_is_drawn_whole() -> None:
    assert looked_at(Room(80, 19, seat=3), (2,)) == 3
    assert looked_at(Room(80, 19), (2, 4)) == 2
    assert looked_at(Room(80, 19), ()) == 1
