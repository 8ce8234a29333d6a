"""Pebbles' points added up by hand, how people get them wrong, and the rules to read about each event."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from events.core import Event, ScoreLine
from projections.core import Slip
from projections.words import count
from tests.pebbles.events import DiceThrown, GameEnded, HandSpilled, PebblesKept
from tests.pebbles.projection.state import State


def _kept_sum(line: ScoreLine) -> str:
    throws = list(line.operands.values())
    return f"{' + '.join(map(str, throws))} = {sum(throws)}" if len(throws) > 1 else count(throws[0], "pebble")


SUMS: Final[Mapping[str, Callable[[ScoreLine], str]]] = {"kept": _kept_sum}


def _kept_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    throws = list(line.operands.values())
    if len(throws) > 1:
        yield Slip(line.applied - throws[-1], "the last throw was not counted")
        yield Slip(throws[-1], "only the last throw was counted")


SLIPS: Final[Mapping[str, Callable[[ScoreLine, State], Iterable[Slip]]]] = {"kept": _kept_slips}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    DiceThrown: ("PE-5",),
    HandSpilled: ("PE-6",),
    PebblesKept: ("PE-8",),
    GameEnded: ("PE-9", "PE-10", "PE-11", "PE-12"),
}
