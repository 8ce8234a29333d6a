"""Nettles in numbers."""

from collections.abc import Mapping
from typing import Final

from events.core import Seat
from service.games.encoding import ActionIndex, Encoding, Field, around, marked, numbers, of_each_seat
from tests.nettles.projection.state import DECK, NUMBERS, PETALS, State, to_act
from tests.nettles.rules import PayPetal, PickNettle


def actions(seats: int, options: Mapping[str, str]) -> ActionIndex:
    """Pay, then pick."""
    return _INDEX


_INDEX: Final = ActionIndex((PayPetal(), PickNettle()))


def layout(seats: int, options: Mapping[str, str]) -> tuple[Field, ...]:
    """What everybody shares, then what lies in front of each seat."""
    petals = PETALS * seats
    middle = (Field("nettle", 1, NUMBERS[-1]), Field("paid", 1, petals), Field("deck", 1, DECK))
    seat = (Field("score", 1, petals, -sum(NUMBERS)), Field("petals", 1, petals), Field("nettles", len(NUMBERS)))
    return Field("to act", seats), *middle, *of_each_seat(seats, seat)


def observe(state: State, seat: Seat) -> bytes:
    """The middle, and every seat's petals and nettles."""
    parts = [marked(state.seats, seat, to_act(state)), numbers(state.nettle, state.paid, state.deck)]
    for other in around(state.seats, seat):
        held = state.nettles[other - 1]
        parts.append(numbers(state.scores[other - 1], state.petals[other - 1], *[number in held for number in NUMBERS]))
    return b"".join(parts)


ENCODING: Final = Encoding(actions, layout, observe)
