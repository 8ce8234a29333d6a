"""How people get the points of a pad wrong, and the rules to read about each of its events: Azul's."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from events.azul import FloorCleared, GameEnded, LineTiled
from events.azul_pad import FloorCounted, GameStopped, TileLaid
from events.core import Event, ScoreLine
from projections.azul import sums as azul
from projections.azul_pad.state import State
from projections.core import Slip


def _floor_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    # A pad knows how many spaces were occupied, not by what.
    return azul.floor_slips(line, "one occupied floor space, such as the starting-player marker's,")


SLIPS: Final[Mapping[str, Callable[[ScoreLine, Any], Iterable[Slip]]]] = {**azul.SLIPS, "floor": _floor_slips}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    TileLaid: azul.CITES[LineTiled],
    FloorCounted: azul.CITES[FloorCleared],
    GameEnded: azul.CITES[GameEnded],
    GameStopped: azul.CITES[GameEnded],
}
