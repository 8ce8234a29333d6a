"""Azul's points added up by hand, how people get them wrong, and the rules to read about each event."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from events.azul import (
    DisplaysFilled,
    FloorCleared,
    GameEnded,
    LineDropped,
    LineTiled,
    StartChosen,
    StartDrawn,
    TilesDrafted,
)
from events.core import Event, ScoreLine
from projections.azul.state import MARKER, State
from projections.core import Slip

FLOOR: Final = (1, 1, 2, 2, 2, 3, 3)
"""What each floor space costs, from the left (AZ-7)."""


def _tile_sum(line: ScoreLine) -> str:
    runs = [("row run", line.operands["row_run"]), ("column run", line.operands["column_run"])]
    counted = [f"{name} {length}" for name, length in runs if length > 1]
    if len(counted) < 2:
        return counted[0] if counted else "no neighbour: 1"
    return f"{' + '.join(counted)} = {line.requested}"


def _floor_sum(line: ScoreLine) -> str:
    costs = FLOOR[: line.operands["spaces"]]
    total = f"{' + '.join(map(str, costs))} = {sum(costs)}" if len(costs) > 1 else f"{sum(costs)}"
    return f"{total}, taken off"


SUMS: Final[Mapping[str, Callable[[ScoreLine], str]]] = {"tile-placed": _tile_sum, "floor": _floor_sum}


def _tile_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    row, column = line.operands["row_run"], line.operands["column_run"]
    if column > 1:
        yield Slip(row, f"the column run of {column} was missed")
    if row > 1:
        yield Slip(column, f"the row run of {row} was missed")
    if row > 1 and column > 1:
        yield Slip(row + column - 1, "the tile was counted once, though it belongs to both runs")
        yield Slip(1, "only the tile itself was counted")
    elif row > 1 or column > 1:
        yield Slip(row + column, "the tile was counted again in the direction where it has no neighbour")
    yield Slip(row + column - 2, "the neighbours were counted without the tile itself")


def _floor_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    has_marker = MARKER in state.boards[line.seat - 1].floor
    return floor_slips(line, "the starting-player marker on the floor" if has_marker else "one occupied floor space")


def floor_slips(line: ScoreLine, forgotten: str) -> Iterator[Slip]:
    """The mistakes people make with a floor, given what is forgotten there most easily."""
    spaces = line.operands["spaces"]
    wrong = [
        (sum(FLOOR[: spaces - 1]), f"{forgotten} was not counted"),
        (spaces, "every floor space was counted as 1"),
        (FLOOR[spaces - 1], "only the last occupied floor space was counted"),
    ]
    # Where AZ-52 stopped the loss, a smaller wrong cost may have been stopped at the same place.
    yield from (Slip(max(-cost, line.applied), cause) for cost, cause in wrong)
    if spaces < len(FLOOR) and line.applied == line.requested:
        yield Slip(-sum(FLOOR[: spaces + 1]), "one floor space too many was counted")


def _bonus_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    for worth, kind in ((2, "row"), (7, "column"), (10, "colour")):
        yield Slip(worth, f"the bonus of a {kind} was written")


SLIPS: Final = {
    "tile-placed": _tile_slips,
    "floor": _floor_slips,
    "row-bonus": _bonus_slips,
    "column-bonus": _bonus_slips,
    "colour-bonus": _bonus_slips,
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    StartDrawn: ("AZ-15",),
    StartChosen: ("AZ-15",),
    DisplaysFilled: ("AZ-56", "AZ-57"),
    TilesDrafted: ("AZ-21", "AZ-22", "AZ-23", "AZ-27", "AZ-32"),
    LineTiled: ("AZ-39", "AZ-44", "AZ-47"),
    LineDropped: ("AZ-71",),
    FloorCleared: ("AZ-7", "AZ-51", "AZ-52"),
    GameEnded: ("AZ-64", "AZ-65"),
}
