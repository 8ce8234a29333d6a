"""Coloretto's points added up by hand, how people get them wrong, and the rules to read about each event."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from events.coloretto import CardRevealed, ColoursNamed, GameEnded, JokerAssigned, RowTaken
from events.core import Event, ScoreLine
from projections.coloretto.state import COLOUR_NAMES, State
from projections.coloretto.worth import points
from projections.core import Slip
from projections.words import count


def _colour_sum(line: ScoreLine) -> str:
    cards, jokers = line.operands["cards"], line.operands["jokers"]
    with_jokers = f", {count(jokers, 'joker')} among them" if jokers else ""
    colour = COLOUR_NAMES[line.operands["colour"]]
    return f"{count(cards, f'{colour} card')}{with_jokers}: {abs(line.requested)}"


SUMS: Final[Mapping[str, Callable[[ScoreLine], str]]] = {"colour-plus": _colour_sum, "colour-minus": _colour_sum}


def _colour_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    sign = 1 if line.reason == "colour-plus" else -1
    cards, jokers = line.operands["cards"], line.operands["jokers"]
    yield Slip(-line.applied, f"the colour was counted {'minus' if sign > 0 else 'plus'}")
    if jokers:
        yield Slip(sign * points(state.options, cards - jokers), "its jokers were not counted")
    yield Slip(sign * points(state.options, cards - 1), "one card was not counted")
    if cards < 6:  # more are worth no more (CO-49)
        yield Slip(sign * points(state.options, cards + 1), "one card too many was counted")
    yield Slip(sign * cards, "every card was counted as 1")


SLIPS: Final[Mapping[str, Callable[[ScoreLine, State], Iterable[Slip]]]] = {
    "colour-plus": _colour_slips,
    "colour-minus": _colour_slips,
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    CardRevealed: ("CO-44", "CO-45"),
    RowTaken: ("CO-27", "CO-30"),
    JokerAssigned: ("CO-69",),
    ColoursNamed: ("CO-50", "CO-51"),
    GameEnded: ("CO-49", "CO-52", "CO-73"),
}
