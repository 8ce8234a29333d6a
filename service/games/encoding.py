"""Encodings for programs that learn: every action as a number, and a table as a row of numbers.

Both are promises: what a number means is pinned by a test and told in docs/research.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from struct import Struct as Packer
from typing import Final, NamedTuple

from msgspec import Struct

from events.core import Seat
from projections.core import State
from service.games.core import Action


class ActionIndex:
    """Every action there can be at one kind of table, numbered from 0."""

    def __init__(self, actions: Iterable[Action]) -> None:
        self._actions = tuple(actions)
        self._numbers = {action: number for number, action in enumerate(self._actions)}

    def __len__(self) -> int:
        return len(self._actions)

    def numbers(self, state: State, actions: Sequence[Action]) -> tuple[int, ...]:
        """The number of each of these actions, which are legal in the state."""
        if len(actions) < 2:
            return tuple(self._numbers[action] for action in actions)
        # Many look-ups in one call: half the time of one call for each.
        found: tuple[int, ...] = itemgetter(*actions)(self._numbers)
        return found

    def action(self, state: State, number: int) -> Action:
        """What a number below the length stands for in the state; whether it is legal there is for the rules to say."""
        return self._actions[number]


class Field(NamedTuple):
    """Numbers of an observation that belong together."""

    name: str
    size: int
    most: int = 1
    least: int = 0


class Encoding(Struct, frozen=True):
    """How one game is told in numbers. What depends on the table depends on its seats and its options alone."""

    actions: Callable[[int, Mapping[str, str]], ActionIndex]
    layout: Callable[[int, Mapping[str, str]], tuple[Field, ...]]
    """What stands in an observation, from its first number on."""
    observe: Callable[[State, Seat], bytes]
    """Everything public as one seat sees it: whatever is told seat by seat begins with its own.

    As `numbers` writes them, because most of it is put together from what was written before: that takes a third of
    the time of a list that becomes an array.
    """


# -------------------------------------------------------------------------------------------------------- observations

NUMBER: Final = "f"
"""How a number of an observation is written, in the words of `struct` and NumPy: a float of 32 bits, as it is read."""


def numbers(*values: int) -> bytes:
    """Numbers as they stand in an observation."""
    return _packing(len(values))(*values)


@cache
def _packing(size: int) -> Callable[..., bytes]:
    """What writes so many numbers; made once, it takes a third less time than one that is looked up by its format."""
    return Packer(f"{size}{NUMBER}").pack


@cache
def one_of(size: int, place: int) -> bytes:
    """So many numbers, 1 at a place from 0 on and else 0; a place that is not there marks none."""
    return numbers(*[number == place for number in range(size)])


@cache
def counted(size: int, kinds: tuple[int, ...]) -> bytes:
    """How often each kind from 0 up to the size is there."""
    return numbers(*map(kinds.count, range(size)))


@cache
def around(seats: int, seat: Seat) -> tuple[Seat, ...]:
    """Every seat in the order of play, this one first."""
    return tuple((seat - 1 + step) % seats + 1 for step in range(seats))


@cache
def marked(seats: int, seat: Seat, who: Sequence[Seat]) -> bytes:
    """A number for every seat, this one first: 1 for those who are meant."""
    return numbers(*[other in who for other in around(seats, seat)])


def of_each_seat(seats: int, fields: Sequence[Field]) -> tuple[Field, ...]:
    """The same fields for every seat, the one who looks first, then in the order of play."""
    names = ("own", *(f"next {step}" for step in range(1, seats)))
    return tuple(field._replace(name=f"{name} {field.name}") for name in names for field in fields)
