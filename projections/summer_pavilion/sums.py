"""Summer Pavilion's points added up by hand, how people get them wrong, and the rules to read about each event."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from events.core import Event, ScoreLine
from events.summer_pavilion import (
    BonusTaken,
    DisplaysFilled,
    GameEnded,
    SeatPassed,
    StartChosen,
    StartDrawn,
    SupplyFilled,
    TilePlaced,
    TilesAcquired,
)
from projections.core import Slip
from projections.summer_pavilion.stars import NUMBER_POINTS, STAR_POINTS
from projections.summer_pavilion.state import State
from projections.words import count


def _loss_sum(line: ScoreLine) -> str:
    return f"{count(line.operands['tiles'], 'tile')} × 1, taken off"


SUMS: Final[Mapping[str, Callable[[ScoreLine], str]]] = {
    "start": lambda line: f"everybody begins with {line.requested}",
    "marker-loss": _loss_sum,
    "surplus-loss": _loss_sum,
    "placement": lambda line: f"{count(line.operands['group'], 'tile')} × 1",
}


def _placement_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    size = line.operands["group"]
    yield Slip(1, "only the tile itself was counted")
    yield Slip(size - 1, "the group was counted without the tile itself")
    yield Slip(size + 1, "one tile too many was counted, across a gap or on another star")


def _loss_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    yield Slip(max(1 - line.operands["tiles"], line.applied), "one tile was not counted")


def _star_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    for colour, worth in STAR_POINTS.items():
        yield Slip(worth, f"the points of a {'multicoloured' if colour == 'multicolour' else colour} star were written")


def _number_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    for number, worth in NUMBER_POINTS.items():
        yield Slip(worth, f"the points of number {number} were written")


SLIPS: Final[Mapping[str, Callable[[ScoreLine, State], Iterable[Slip]]]] = {
    "marker-loss": _loss_slips,
    "surplus-loss": _loss_slips,
    "placement": _placement_slips,
    "star-complete": _star_slips,
    "number-complete": _number_slips,
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    StartDrawn: ("SP-R17",),
    StartChosen: ("SP-R17",),
    SupplyFilled: ("SP-11",),
    DisplaysFilled: ("SP-62", "SP-64"),
    TilesAcquired: ("SP-22", "SP-24", "SP-27"),
    TilePlaced: ("SP-47",),
    BonusTaken: ("SP-48",),
    SeatPassed: ("SP-59", "SP-60", "SP-61"),
    GameEnded: ("SP-67", "SP-68", "SP-69"),
}
