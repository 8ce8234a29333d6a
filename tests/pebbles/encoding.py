"""Pebbles in numbers."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from events.core import Seat
from service.games.encoding import ActionIndex, Encoding, Field, around, marked, numbers, of_each_seat
from tests.pebbles.projection.state import State, to_act
from tests.pebbles.rules import KeepPebbles, ThrowDice


@cache
def _index(dice: int) -> ActionIndex:
    return ActionIndex((KeepPebbles(), *map(ThrowDice, range(1, dice + 1))))


def actions(seats: int, options: Mapping[str, str]) -> ActionIndex:
    """Keep, then throws by the number of dice."""
    return _index(int(options["dice"]))


def layout(seats: int, options: Mapping[str, str]) -> tuple[Field, ...]:
    """What everybody shares, then what lies in front of each seat."""
    pebbles = int(options["bowl"])
    seat = (Field("score", 1, 999), Field("pile", 1, pebbles), Field("keeps", 1, pebbles), Field("haul", 1, pebbles))
    return Field("to act", seats), Field("bowl", 1, pebbles), Field("hand", 1, pebbles), *of_each_seat(seats, seat)


def observe(state: State, seat: Seat) -> bytes:
    """The bowl, the hand, and every seat's pebbles."""
    parts = [marked(state.seats, seat, to_act(state)), numbers(state.bowl, sum(state.hand))]
    for other in around(state.seats, seat):
        place = other - 1
        parts.append(numbers(state.scores[place], state.piles[place], state.keeps[place], state.hauls[place]))
    return b"".join(parts)


ENCODING: Final = Encoding(actions, layout, observe)
