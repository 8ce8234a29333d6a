"""Nettles at the table: what is where, and what each fact does to it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from events.core import Event, Seat, Standing
from tests.nettles.events import GameEnded, NettlePicked, NettleTurned, PetalPaid

NUMBERS: Final = range(3, 21)
"""The nettles there are, one of each (NE-1)."""
DECK: Final = 14
"""How many of them are in the game (NE-2)."""
PETALS: Final = 7
"""What everybody starts with (NE-1)."""


class State(Struct):
    """One table."""

    seats: int
    petals: list[int]
    """The petals of each seat, seat 1 first, like everything else by seat."""
    nettles: list[list[int]]
    """What each seat has picked, in the order in which it did."""
    scores: list[int]
    unseen: list[int]
    """1 for every nettle that nobody has seen yet, in the deck or out of the game: who knows which?"""
    deck: int = DECK
    """How many nettles are still to be turned over."""
    nettle: int = 0
    """What lies in the middle; 0 while the next nettle is to be turned over, and at the end."""
    paid: int = 0
    """The petals on it."""
    turn: Seat = 1
    standings: tuple[Standing, ...] = ()


def initial(seats: int, options: Mapping[str, str]) -> State:
    """All nettles unseen, and everybody with the same petals."""
    return State(
        seats=seats,
        petals=[PETALS] * seats,
        nettles=[[] for _ in range(seats)],
        scores=[0] * seats,
        unseen=[1] * len(NUMBERS),
    )


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat on turn, once there is a nettle to decide about."""
    return (state.turn,) if state.nettle else ()


def invariants(state: State) -> dict[str, int]:
    """All petals, every nettle, and how many of them are out of the game (NE-1, NE-2)."""
    found = [state.nettle, *(nettle for held in state.nettles for nettle in held)]
    nettles = {f"nettle {number}": state.unseen[number - NUMBERS[0]] + found.count(number) for number in NUMBERS}
    return {"petals": sum(state.petals) + state.paid, **nettles, "out of the game": sum(state.unseen) - state.deck}


def _nettle_turned(state: State, event: NettleTurned) -> None:
    state.unseen[event.nettle - NUMBERS[0]] -= 1
    state.deck -= 1
    state.nettle = event.nettle


def _petal_paid(state: State, event: PetalPaid) -> None:
    state.petals[event.seat - 1] -= 1
    state.paid += 1
    state.turn = event.next


def _nettle_picked(state: State, event: NettlePicked) -> None:
    state.nettles[event.seat - 1].append(event.nettle)
    state.petals[event.seat - 1] += event.petals
    state.nettle = state.paid = 0


def _game_ended(state: State, event: GameEnded) -> None:
    for line in event.scores:
        state.scores[line.seat - 1] += line.applied
    state.standings = event.standings


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    NettleTurned: _nettle_turned,
    PetalPaid: _petal_paid,
    NettlePicked: _nettle_picked,
    GameEnded: _game_ended,
}


def runs(nettles: list[int]) -> list[list[int]]:
    """Nettles by their number, those with consecutive numbers together (NE-8).

    >>> runs([10, 3, 9, 8])
    [[3], [8, 9, 10]]
    """
    found: list[list[int]] = []
    for nettle in sorted(nettles):
        if found and found[-1][-1] == nettle - 1:
            found[-1].append(nettle)
        else:
            found.append([nettle])
    return found
