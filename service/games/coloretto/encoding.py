"""The encoding of Coloretto: actions and observations as numbers."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Final

from events.core import Seat
from projections.coloretto.state import (
    CARDS_PER_COLOUR,
    COLOURS,
    JOKERS,
    KINDS,
    PLUS_TWOS,
    ROW_SIZE,
    State,
    to_act,
)
from projections.coloretto.worth import PLUS_COLOURS
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.rules import DRAWS, PLACES, ChooseStartCard
from service.games.core import Action
from service.games.encoding import (
    ActionIndex,
    Encoding,
    Field,
    around,
    counted,
    marked,
    numbers,
    of_each_seat,
    one_of,
)

PHASES: Final = ("cards", "turn", "place", "final")
"""When somebody has a choice."""
_MOST: Final = max(CARDS_PER_COLOUR, PLUS_TWOS)
_ROWS: Final = {2: 3, 3: 3, 4: 4, 5: 5}
"""How many row cards a table of so many seats has (CO-9, CO-58)."""

# ------------------------------------------------------------------------------------------------------------- actions


def _every_action(rows: int) -> Iterator[Action]:
    yield from DRAWS[(1 << rows) - 1]
    yield from PLACES[(1 << rows) - 1]
    yield from map(ChooseStartCard, range(COLOURS))
    yield from map(AssignJoker, range(COLOURS))
    yield from map(NameColours, combinations(range(COLOURS), PLUS_COLOURS))


@cache
def _index(rows: int) -> ActionIndex:
    return ActionIndex(_every_action(rows))


def actions(seats: int, options: Mapping[str, str]) -> ActionIndex:
    """Draw, take a row, place a card; then what is chosen before the first turn and after the last."""
    return _index(_ROWS[seats])


# -------------------------------------------------------------------------------------------------------- observations


def layout(seats: int, options: Mapping[str, str]) -> tuple[Field, ...]:
    """What everybody shares, then what lies in front of each seat."""
    rows, kinds = _ROWS[seats], len(KINDS)
    tableau = (
        Field("score", 1, 999, -999),
        Field("cards", kinds, _MOST),
        Field("jokers given", COLOURS, JOKERS),
        Field("plus colours", COLOURS),
    )
    return (
        Field("phase", len(PHASES)),
        Field("to act", seats),
        Field("started", seats),
        Field("card in hand", kinds),
        Field("colours in play", COLOURS),
        Field("round", 1, 2000),
        Field("last round", 1),
        Field("above last round", 1, 99),
        Field("below last round", 1, 99),
        Field("deck", kinds, _MOST),
        Field("out", seats),
        Field("rows", kinds * rows, ROW_SIZE),
        Field("row holders", seats * rows),
        *of_each_seat(seats, tableau),
    )


_OTHERS: Final = ("remove", "start", "draw", "bonus", "between", "over")
_PHASES: Final = {phase: one_of(len(PHASES), place) for place, phase in enumerate((*PHASES, *_OTHERS))}


@cache
def _out(seats: int, seat: Seat, out: int) -> bytes:
    """Who is out, of the bits that say so."""
    return marked(seats, seat, tuple(other for other in range(1, seats + 1) if out >> other & 1))


@cache
def _holding(seats: int, seat: Seat, holders: tuple[Seat, ...]) -> bytes:
    """Who has taken each row, the rows one after the other."""
    return b"".join(marked(seats, seat, (holder,)) for holder in holders)


def observe(state: State, seat: Seat) -> bytes:
    """Every card that is seen, and what is left in the deck."""
    seats = state.seats
    parts = [
        _PHASES[state.phase],
        marked(seats, seat, to_act(state)),
        marked(seats, seat, (state.starter,)),
        one_of(len(KINDS), state.drawn),  # none, while nobody has a card in hand
        counted(COLOURS, state.colours),
        numbers(state.round, state.is_last_round, state.above, state.below, *state.deck),
        _out(seats, seat, state.out),
        *[counted(len(KINDS), tuple(row)) for row in state.rows],
        _holding(seats, seat, tuple(state.holders)),
    ]
    for other in around(seats, seat):
        tableau = state.tableaus[other - 1]
        parts += numbers(tableau.score, *tableau.cards, *tableau.assigned), counted(COLOURS, tableau.plus)
    return b"".join(parts)


ENCODING: Final = Encoding(actions, layout, observe)
