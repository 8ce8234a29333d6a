"""What a table may agree on before the match: a game's options, the values they take, and how a value is read."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from projections.words import count, joined
from service.errors import UsageError, unknown
from service.limits import quoted


class Number(NamedTuple):
    """A choice that is a whole number from 1 up, with a word in front of it where there is one: `12`, `seat:2`."""

    most: int
    prefix: str = ""

    def __str__(self) -> str:
        return f"{self.prefix}<n>"

    @property
    def in_full(self) -> str:
        """Every value there is, in words."""
        return f"{self.prefix}1 to {self.prefix}{self.most}"

    def read(self, value: str) -> str | None:
        """The value as it is kept; None when it is no such number."""
        number = value.removeprefix(self.prefix)
        is_number = number.isascii() and number.isdigit() and number[0] != "0" and len(number) <= len(str(self.most))
        return value if value.startswith(self.prefix) and is_number and int(number) <= self.most else None


class Several(NamedTuple):
    """A choice that names so many different ones of these words, commas between: `green,white`."""

    number: int
    words: tuple[str, ...]
    noun: str
    """What one of the words is, such as `colour`."""

    def __str__(self) -> str:
        return f"<{count(self.number, self.noun)}>"

    @property
    def in_full(self) -> str:
        """Every value there is, in words."""
        words = "/".join(self.words)
        return f"one of {words}" if self.number == 1 else f"{self.number} different of {words}, separated by commas"

    def read(self, value: str) -> str | None:
        """The value as it is kept, the words in their own order whatever the order given; None when it is none."""
        given = [word.strip().lower() for word in value.split(",")]
        chosen = [word for word in self.words if word in given]
        return ",".join(chosen) if len(chosen) == len(given) == self.number else None


Choice = str | Number | Several
"""A word, or one of many values of a kind."""
Choices = tuple[Choice, ...]


class Option(NamedTuple):
    """Something a table may agree on before the match."""

    name: str
    default: str
    """A value it has at every table."""
    choices: Choices | Callable[[int], Choices]
    """What it may be; where that depends on the number of seats, a function of it."""
    help: str

    def at(self, seats: int) -> Choices:
        """What it may be at a table of so many seats."""
        return self.choices(seats) if callable(self.choices) else self.choices


class Agreeable(Protocol):
    """What a table agrees about: the seats and options of a game's rules."""

    @property
    def seats(self) -> range: ...
    @property
    def options(self) -> tuple[Option, ...]: ...


def read_options(rules: Agreeable, given: Mapping[str, str], seats: int) -> dict[str, str]:
    """Every option with its value, the given ones checked. Raises UsageError quoting the value and the choices."""
    if seats not in rules.seats:
        raise UsageError(
            "match/seats",
            f"{count(seats, 'seat')} is not possible here; choose from: {', '.join(map(str, rules.seats))}.",
        )
    names = [option.name for option in rules.options]
    for name in given:
        if not names:
            raise UsageError("match/option", f"{quoted(name)} is not an option of this game; it has none.")
        if name not in names:
            raise unknown("match/option", "an option of this game", name, names)
    return {
        option.name: _read_value(option, str(given.get(option.name, option.default)), seats) for option in rules.options
    }


def _read_value(option: Option, value: str, seats: int) -> str:
    choices = option.at(seats)
    for choice in choices:
        kept = choice.read(value) if not isinstance(choice, str) else value if value == choice else None
        if kept is not None:
            return kept
    where = f" at {seats} seats" if callable(option.choices) else ""
    listed = ", ".join(choice if isinstance(choice, str) else choice.in_full for choice in choices)
    raise UsageError(
        "match/option-value", f"{quoted(value)} is not a value of {option.name}{where}; choose from: {listed}."
    )


class Offered(NamedTuple):
    """A choice as people are shown it."""

    text: str
    tables: str
    """At which tables it is one, such as `4–5 seats`; empty when it is at all of them."""


def offered(option: Option, seats: range) -> list[Offered]:
    """Everything an option may be in a game for so many seats, whatever the table."""
    at: dict[str, list[int]] = {}
    for number in seats:
        for choice in option.at(number):
            at.setdefault(str(choice), []).append(number)
    return [Offered(text, "" if len(numbers) == len(seats) else _tables(numbers)) for text, numbers in at.items()]


def _tables(numbers: list[int]) -> str:
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 1 and numbers == list(range(first, last + 1)):
        return f"{first}–{last} seats"
    return f"{joined([str(number) for number in numbers])} {'seat' if last == 1 else 'seats'}"
