"""The lines of a record: whatever is written reads back as it was."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core import ScoreLine
from service.limits import DIGITS
from service.records.grammar import (
    Part,
    StepLine,
    read_fields,
    read_sheets,
    read_time,
    split_comment,
    unquote,
    write_comment,
    write_fields,
    write_step,
    write_tag,
    write_time,
)
from service.records.points import Scored, check_points, write_points
from service.records.seats import label, readings, who

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
NAMES = {1: "Ann", 2: "Ben", 3: "Cleo 3"}


@given(TEXT, TEXT)
def test_tags_hold_any_text(value: str, other: str) -> None:
    sheet = next(read_sheets(f"{write_tag('Event', value)}\n{write_tag('Seat', other, 2)} {write_comment('x]')}\n"))
    assert [(tag.name, tag.number, tag.value) for tag in sheet.tags] == [("Event", 0, value), ("Seat", 2, other)]


@given(TEXT)
def test_quoted_texts_hide_semicolons(value: str) -> None:
    quoted = write_tag("x", value)[3:-1]
    assert split_comment(f"a {quoted} ; b ; c") == (f"a {quoted}", "b ; c")
    assert unquote(quoted) == value


NUMBERS = st.integers(1 - 10**DIGITS, 10**DIGITS - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=5
)


@given(st.dictionaries(st.sampled_from(["a", "b_c", "words"]), VALUES))
def test_fields_hold_any_value(values: dict[str, object]) -> None:
    assert read_fields(write_fields(values)) == values


@given(MOMENTS, st.none() | MOMENTS)
def test_times_are_exact_to_the_microsecond(at: datetime, before: datetime | None) -> None:
    written = write_time(at, before)
    assert (read_time(written, before) if written else before) == at


@pytest.mark.parametrize("text", ["2026-13-01", "+99999999999999", "-99999999999999", "2026-01-01T25:00"])
def test_times_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_time(text, datetime(2026, 1, 1, tzinfo=UTC))


@given(TEXT)
def test_a_label_is_one_plain_word(name: str) -> None:
    assert not set(label(name)) & set(' \t\n;&{}#@"[]=,')
    step = StepLine(1, (Part(f"{who(1, {1: name})} joins"),), 7, True, "+1.5", "abcd")
    (line,) = next(read_sheets(write_step(step, 9))).lines
    assert isinstance(line, StepLine)
    assert (line.number, line.is_undone, line.time, line.hash) == (7, True, "+1.5", "abcd")
    assert (1, "joins") in list(readings(line.parts[0].text, {1: name}))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2:Ben 2B3", (2, "2B3")),
        ("2:2B3", (2, "2B3")),
        ("seat 2: 2B3", (2, "2B3")),
        ("2 : 2B3", (2, "2B3")),
        ("ben 2B3", (2, "2B3")),
        ("BEN: 2B3", (2, "2B3")),
        ("cleo 3 2B3", (3, "2B3")),
        ("2B3", (None, "2B3")),
        ("2 B 3", (None, "2 B 3")),
    ],
)
def test_who_acts(text: str, expected: tuple[int | None, str]) -> None:
    assert next(iter(readings(text, NAMES))) == expected


LINES = [
    Scored(ScoreLine(1, "AZ-45", "tile-placed", 1, 1), 5),
    Scored(ScoreLine(1, "AZ-50", "floor", -4, -2), 3),
    Scored(ScoreLine(2, "AZ-46", "tile-placed", 3, 3), 9),
]


def test_points_as_they_are_written() -> None:
    assert write_points(LINES, NAMES) == "1:Ann +1 AZ-45 -2 of -4 AZ-50 =3, 2:Ben +3 AZ-46 =9"


@pytest.mark.parametrize(
    "text",
    [
        "1:Ann +1 AZ-45 -2 of -4 AZ-50 =3, 2:Ben +3 AZ-46 =9",
        "Ann +1 -2 =3", "Ann -1", "ann = 3", "Ben =9, Ann =3", "2: +3", "+1 −2", "=3", "Ann +1 az-45 =5, Ann −2 =3",
    ],
)  # fmt: skip
def test_points_that_are_right_as_far_as_they_go(text: str) -> None:
    assert check_points(text, LINES, (), NAMES, actor=1) == ""


@pytest.mark.parametrize(
    "text",
    ["Ann +1 =4", "Ann +2 -2", "Ann +1 AZ-46", "Ann =4", "Ben +3 =8", "Cleo 3 +1", "Ann +1 of +2", "Ann -2 of -5", "x"],
)
def test_points_that_are_wrong(text: str) -> None:
    assert check_points(text, LINES, (), NAMES, actor=None)
