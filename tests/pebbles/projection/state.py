"""Pebbles at the table: what is where, and what each fact does to it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from events.core import Event, ScoreLine, Seat, Standing
from tests.pebbles.events import DiceChosen, DiceThrown, GameEnded, HandSpilled, PebblesKept


class State(Struct):
    """One table."""

    seats: int
    most_dice: int
    """How many dice a seat may throw at once."""
    bowl: int
    piles: list[int]
    """The pebbles each seat has kept, seat 1 first, like everything else by seat."""
    scores: list[int]
    keeps: list[int]
    """How often each seat has kept pebbles."""
    hauls: list[int]
    """The most each seat has kept at once."""
    turn: Seat = 1
    """0 once the game is over."""
    dice: int = 0
    """The dice in the air; 0 when none is."""
    hand: tuple[int, ...] = ()
    """What the seat on turn took with each throw of this turn."""
    standings: tuple[Standing, ...] = ()


def initial(seats: int, options: Mapping[str, str]) -> State:
    """All pebbles in the bowl, and seat 1 to throw (PE-2, PE-3)."""
    return State(
        seats=seats,
        most_dice=int(options["dice"]),
        bowl=int(options["bowl"]),
        piles=[0] * seats,
        scores=[0] * seats,
        keeps=[0] * seats,
        hauls=[0] * seats,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat on turn, unless its dice are in the air."""
    return (state.turn,) if state.turn and not state.dice else ()


def invariants(state: State) -> dict[str, int]:
    """All pebbles, wherever they lie (PE-1)."""
    return {"pebbles": state.bowl + sum(state.hand) + sum(state.piles)}


def _dice_chosen(state: State, event: DiceChosen) -> None:
    state.dice = event.dice


def _dice_thrown(state: State, event: DiceThrown) -> None:
    state.dice = 0
    state.bowl -= event.taken
    state.hand = (*state.hand, event.taken)


def _hand_spilled(state: State, event: HandSpilled) -> None:
    state.bowl += event.pebbles
    _pass_on(state, event.next, event.scores)


def _pebbles_kept(state: State, event: PebblesKept) -> None:
    index = event.seat - 1
    state.piles[index] += event.pebbles
    state.keeps[index] += 1
    state.hauls[index] = max(state.hauls[index], event.pebbles)
    _pass_on(state, event.next, event.scores)


def _game_ended(state: State, event: GameEnded) -> None:
    state.standings = event.standings
    _pass_on(state, 0, event.scores)


def _pass_on(state: State, seat: Seat, lines: tuple[ScoreLine, ...]) -> None:
    state.hand = ()
    state.turn = seat
    for line in lines:
        state.scores[line.seat - 1] += line.applied


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    DiceChosen: _dice_chosen,
    DiceThrown: _dice_thrown,
    HandSpilled: _hand_spilled,
    PebblesKept: _pebbles_kept,
    GameEnded: _game_ended,
}
