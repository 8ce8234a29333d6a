"""The encoding of Summer Pavilion: actions and observations as numbers."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from events.core import Seat
from projections.summer_pavilion.stars import CENTRE, FEATURES_AT, ROUNDS, SLOTS, STARS
from projections.summer_pavilion.state import COLOURS, DISPLAYS, TILES_PER_COLOUR, State, to_act
from projections.tiles import counts
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
from service.games.first_player import ChooseStart
from service.games.summer_pavilion.actions import (
    ACQUISITIONS,
    COLOURLESS,
    CORNERS,
    MOST_TILES,
    PASSES,
    PRINTED,
    bonus,
    choices,
    payments_at,
)

PHASES: Final = ("start", "acquire", "place", "bonus")
"""When somebody has a choice."""
MOST_OWED: Final = max(sum(feature.reward for feature in features) for features in FEATURES_AT)
"""Bonus tiles that one placement may bring."""

# ------------------------------------------------------------------------------------------------------------- actions


def _every_action(seats: int, side: str) -> Iterator[Action]:
    yield from (ChooseStart(seat) for seat in range(1, seats + 1))
    for acquisitions in ACQUISITIONS[: DISPLAYS[seats] + 1]:
        yield from acquisitions
    yield from PASSES
    for owed in range(1, MOST_OWED + 1):
        yield from map(bonus, choices((owed,) * COLOURS, owed))
    for star in range(len(STARS)):
        takes_all = side == COLOURLESS or star == CENTRE
        for colour in range(COLOURS):
            if takes_all or PRINTED[star] >> colour & 1:
                for payments in payments_at(side)[star][colour][MOST_TILES][MOST_TILES]:
                    yield from payments


@cache
def _index(seats: int, side: str) -> ActionIndex:
    return ActionIndex(_every_action(seats, side))


def actions(seats: int, options: Mapping[str, str]) -> ActionIndex:
    """Who starts, acquisitions, passes, bonus tiles, and placements with every way to pay for them."""
    return _index(seats, options["boardSide"])


# -------------------------------------------------------------------------------------------------------- observations


def layout(seats: int, options: Mapping[str, str]) -> tuple[Field, ...]:
    """What everybody shares, then what lies in front of each seat."""
    outer = CENTRE * SLOTS
    board = (
        Field("score", 1, 999),
        Field("hand", COLOURS, TILES_PER_COLOUR),
        Field("corners", COLOURS, CORNERS),
        Field("passed", 1),
        Field("stars", outer * COLOURS if options["boardSide"] == COLOURLESS else outer),
        Field("centre star", SLOTS * COLOURS),
    )
    return (
        Field("phase", len(PHASES)),
        Field("to act", seats),
        Field("started", seats),
        Field("marker", seats),
        Field("wild", COLOURS),
        Field("round", 1, ROUNDS),
        Field("owed", 1, MOST_OWED),
        Field("centre", COLOURS, TILES_PER_COLOUR),
        Field("displays", COLOURS * DISPLAYS[seats], 4),
        Field("supply", COLOURS, 10),
        Field("bag", COLOURS, TILES_PER_COLOUR),
        Field("tower", COLOURS, TILES_PER_COLOUR),
        *of_each_seat(seats, board),
    )


_PHASES: Final = {phase: one_of(len(PHASES), place) for place, phase in enumerate((*PHASES, "supply", "deal", "over"))}
_STARS: Final = tuple(
    counted(SLOTS, tuple(slot for slot in range(SLOTS) if occupied >> slot & 1)) for occupied in range(1 << SLOTS)
)
"""For every set of occupied spaces of a star, a number for each space."""


def observe(state: State, seat: Seat) -> bytes:
    """Everything that lies on the table, and what is left in bag and tower."""
    seats = state.seats
    offer = [state.round, state.owed]
    for tiles in (*state.sources, state.supply, state.bag, state.tower):
        offer += counts(tiles)
    parts = [
        _PHASES[state.phase],
        marked(seats, seat, to_act(state)),
        marked(seats, seat, (state.starter,)),
        marked(seats, seat, (state.marker,)),
        one_of(COLOURS, state.wild),
        numbers(*offer),
    ]
    is_colourless = state.options.side == COLOURLESS
    for other in around(seats, seat):
        board = state.boards[other - 1]
        shown = board.spaces
        parts.append(numbers(board.score, *counts(board.hand), *counts(board.corners), board.passed))
        if not is_colourless:  # an outer star shows one colour, so whether a tile lies there says it all
            parts += [_STARS[board.occupied >> star * SLOTS & 0b111111] for star in range(CENTRE)]
            shown = shown[CENTRE * SLOTS :]
        parts += [one_of(COLOURS, tile) for tile in shown]  # none, where there is no tile
    return b"".join(parts)


ENCODING: Final = Encoding(actions, layout, observe)
