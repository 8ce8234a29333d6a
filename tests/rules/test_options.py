"""What tables may agree on: words, numbers and lists, the same at every table or by the number of seats."""

from typing import NamedTuple

import pytest

from service.errors import UsageError
from service.games.options import Choices, Number, Offered, Option, Several, offered, read_options

FRUIT = ("apple", "cherry", "plum")


def baskets(seats: int) -> Choices:
    """More seats have more to choose from."""
    return ("none", "small", "large")[: seats - 1]


def fruits(seats: int) -> Choices:
    """An odd table leaves out one kind of fruit, or two."""
    return ("all", Several(1, FRUIT, "fruit"), Several(2, FRUIT, "fruit")) if seats % 2 else ("all",)


class Rules(NamedTuple):
    """As much of a game as a table agrees about."""

    seats: range
    options: tuple[Option, ...]


RULES = Rules(
    range(2, 6),
    (
        Option("basket", "none", baskets, "what it is carried in"),
        Option("fruit", "all", fruits, "what is left out"),
        Option("days", "none", ("none", Number(30)), "the last day"),
        Option("guest", "seat:1", lambda seats: (Number(seats, "seat:"),), "who is the guest"),
    ),
)


def test_what_nobody_gave_has_its_default_at_every_table() -> None:
    for seats in RULES.seats:
        assert read_options(RULES, {}, seats) == {"basket": "none", "fruit": "all", "days": "none", "guest": "seat:1"}


@pytest.mark.parametrize(
    "seats, name, value, kept",
    [
        (2, "basket", "none", "none"),
        (3, "basket", "small", "small"),
        (4, "basket", "large", "large"),
        (3, "fruit", " Plum ", "plum"),
        (5, "fruit", "plum,apple", "apple,plum"),
        (2, "days", "30", "30"),
        (3, "guest", "seat:3", "seat:3"),
    ],
)
def test_values_are_read(seats: int, name: str, value: str, kept: str) -> None:
    assert read_options(RULES, {name: value}, seats)[name] == kept


@pytest.mark.parametrize(
    "seats, name, value, message",
    [
        (2, "basket", "small", "'small' is not a value of basket at 2 seats; choose from: none."),
        (3, "basket", "large", "'large' is not a value of basket at 3 seats; choose from: none, small."),
        (4, "fruit", "plum", "'plum' is not a value of fruit at 4 seats; choose from: all."),
        (
            3,
            "fruit",
            "plum,plum",
            "'plum,plum' is not a value of fruit at 3 seats; choose from: all, one of apple/cherry/plum, "
            "2 different of apple/cherry/plum, separated by commas.",
        ),
        (2, "days", "31", "'31' is not a value of days; choose from: none, 1 to 30."),
        (2, "days", "0", "'0' is not a value of days; choose from: none, 1 to 30."),
        (2, "days", "07", "'07' is not a value of days; choose from: none, 1 to 30."),
        (2, "days", "٣", "'٣' is not a value of days; choose from: none, 1 to 30."),
        (2, "days", "9" * 5000, "days; choose from: none, 1 to 30."),
        (2, "guest", "seat:3", "'seat:3' is not a value of guest at 2 seats; choose from: seat:1 to seat:2."),
        (2, "guest", "2", "'2' is not a value of guest at 2 seats; choose from: seat:1 to seat:2."),
        (2, "guest", "seat:", "'seat:' is not a value of guest at 2 seats; choose from: seat:1 to seat:2."),
    ],
)
def test_other_values_are_refused_with_the_choices_of_that_table(
    seats: int, name: str, value: str, message: str
) -> None:
    with pytest.raises(UsageError) as refusal:
        read_options(RULES, {name: value}, seats)
    assert refusal.value.code == "match/option-value"
    assert refusal.value.message.endswith(message)


def test_an_option_is_shown_with_the_tables_it_has_each_choice_at() -> None:
    basket, fruit, days, guest = (offered(option, RULES.seats) for option in RULES.options)
    assert basket == [Offered("none", ""), Offered("small", "3–5 seats"), Offered("large", "4–5 seats")]
    assert fruit == [Offered("all", ""), Offered("<1 fruit>", "3 and 5 seats"), Offered("<2 fruits>", "3 and 5 seats")]
    assert days == [Offered("none", ""), Offered("<n>", "")]
    assert guest == [Offered("seat:<n>", "")]
