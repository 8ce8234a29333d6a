"""The encoding of Master Chocolatier: Azul's numbers, then those of the gold displays."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from events.azul import Slot
from events.core import Seat
from events.master_chocolatier import Sent
from projections.azul.state import DISPLAYS
from projections.azul.tiles import COLOURS
from projections.master_chocolatier.state import SIDE_NAMES, SPREAD, State
from service.games.azul import encoding as azul
from service.games.azul.encoding import LINES
from service.games.core import Action
from service.games.encoding import ActionIndex, Encoding, Field, marked, one_of
from service.games.master_chocolatier.rules import SpreadTiles, neighbours, splits

# ------------------------------------------------------------------------------------------------------------- actions


class SpreadingIndex(ActionIndex):
    """Azul's actions, and behind them the drafts from the display that spreads, of which a round has one at most.

    They are numbered by what is drafted (colour, line, tiles floored by choice) and by the way in which each of the
    other four colours goes, as bits from the lowest slot up: 1 for a colour that is sent to the right. So the display
    itself and its neighbours need no numbers; a state says which they are.
    """

    _WAYS: Final = 1 << COLOURS - 1

    def __init__(self, seats: int, may_floor_part: bool) -> None:
        super().__init__(azul.every_action(seats, may_floor_part))
        self._drafts = [
            (colour, line, floor)
            for colour in range(COLOURS)
            for line in range(LINES + 1)
            for floor in range(max(1, line) if may_floor_part else 1)
        ]
        self._places = {draft: place for place, draft in enumerate(self._drafts)}

    def __len__(self) -> int:
        return super().__len__() + len(self._drafts) * self._WAYS

    def numbers(self, state: State, actions: Sequence[Action]) -> tuple[int, ...]:
        """The number of each of these actions, which are legal in the state."""
        if SPREAD not in state.sides:
            return super().numbers(state, actions)
        return tuple(
            [
                self._number(state, action) if type(action) is SpreadTiles else self._numbers[action]
                for action in actions
            ]
        )

    def _number(self, state: State, action: SpreadTiles) -> int:
        _, right = neighbours(state, action.source)
        way = sum(1 << _bit(sent.colour, action.colour) for sent in action.spread if sent.display == right)
        place = self._places[action.colour, action.line, action.floor]
        return super().__len__() + place * self._WAYS + way

    def action(self, state: State, number: int) -> Action:
        """What a number below the length stands for in the state; whether it is legal there is for the rules to say."""
        beyond = number - super().__len__()
        if beyond < 0:
            return super().action(state, number)
        place, way = divmod(beyond, self._WAYS)
        colour, line, floor = self._drafts[place]
        source = state.sides.index(SPREAD) + 1 if SPREAD in state.sides else 0
        if not source:
            return SpreadTiles(source, colour, line, floor)  # which nobody may spread
        left, right = neighbours(state, source)
        due = [sent.colour for sent in splits(state, source, colour)[0]]
        bits = {other: way >> _bit(other, colour) & 1 for other in range(COLOURS) if other != colour}
        if any(bits[other] for other in bits if other not in due):
            due = list(bits)  # a colour is sent that is not left there: refused by its name
        spread = tuple(Sent(other, right if bits[other] else left) for other in due)
        return SpreadTiles(source, colour, line, floor, spread)


def _bit(sent: Slot, drafted: Slot) -> int:
    """The place of a colour among the other four."""
    return sent - (sent > drafted)


@cache
def _index(seats: int, may_floor_part: bool) -> SpreadingIndex:
    return SpreadingIndex(seats, may_floor_part)


def actions(seats: int, options: Mapping[str, str]) -> ActionIndex:
    """Azul's, and behind them what a gold display may spread."""
    if options["specialFactories"] != "on":
        return azul.actions(seats, options)
    return _index(seats, options["partialFloor"] == "true")


# -------------------------------------------------------------------------------------------------------- observations


def layout(seats: int, options: Mapping[str, str]) -> tuple[Field, ...]:
    """Azul's, and behind it the gold sides and the disc."""
    gold = (
        Field("gold sides", len(SIDE_NAMES) * DISPLAYS[seats]),
        Field("disc holder", seats),
        Field("disc", COLOURS + 1),
    )
    return (*azul.layout(seats, options), *(gold if options["specialFactories"] == "on" else ()))


def observe(state: State, seat: Seat) -> bytes:
    """Everything that lies on the table, and what is left in bag and lid."""
    seen = azul.observe(state, seat)
    if not state.options.has_specials:
        return seen
    gold = [one_of(len(SIDE_NAMES), side) for side in state.sides]  # none, on a display that shows its normal side
    holder, disc = marked(state.seats, seat, (state.holder,)), one_of(COLOURS + 1, state.disc)
    return b"".join([seen, *gold, holder, disc])


ENCODING: Final = Encoding(actions, layout, observe)
