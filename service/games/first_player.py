"""Who starts: by lot, by the host's choice or as agreed before. Decided and written here for every game."""

from typing import Final

from msgspec import Struct

from events.core import Event, Seat
from events.first_player import StartChosen, StartDrawn
from projections.drawing import seat_part
from projections.first_player import HOST, HOST_CHOICE, NAMED, RANDOM
from service.errors import IllegalAction
from service.games.core import Action, Outcome, Request, Stage, check_drawn
from service.games.notation import Reader
from service.games.options import Choices, Number, Option

PURPOSE: Final = "starting seat"
"""What chance is asked for when it names the seat."""


class ChooseStart(Action, frozen=True, gc=False, tag="start.choose"):
    """The host (seat 1) names who starts the first round."""

    seat: Seat


def first_player(rule: str, *, host_may_choose: bool = True) -> Option:
    """The option `firstPlayer` of a game."""

    def choices(seats: int) -> Choices:
        named = Number(seats, NAMED)
        return (RANDOM, named, HOST_CHOICE) if host_may_choose else (RANDOM, named)

    return Option("firstPlayer", RANDOM, choices, f"who starts the first round ({rule})")


def ask_for_start(seats: int) -> Request:
    """What chance owes while the lot is to be drawn."""
    return Request(PURPOSE, (Stage((1,) * seats, 1),))


class Starting(Struct, frozen=True):
    """How one game names its first player: the area of its refusals, the rule, and the facts it writes."""

    area: str
    rule: str
    drawn: type[StartDrawn]
    chosen: type[StartChosen] | None = None
    """None where the host has no say."""

    def draw(self, seats: int, wanted: Request | None, outcome: Outcome) -> list[Event]:
        """The lot falls on a seat, if it was asked for."""
        names = [f"seat {seat}" for seat in range(1, seats + 1)]
        check_drawn(wanted, outcome, f"{self.area}/start", self.rule, names)
        return [self.drawn(seat=outcome.drawn[0] + 1)]

    def legal(self, seats: int, seat: Seat) -> list[Action]:
        """The choices of the host, while there is one to make; nobody else has any."""
        return [ChooseStart(seat=named) for named in range(1, seats + 1)] if seat == HOST else []

    def choose(self, seats: int, seat: Seat, action: ChooseStart, *, is_asked: bool) -> list[Event]:
        """The host names a seat, if it is the host and the time for it."""
        if not is_asked or self.chosen is None:
            raise self._illegal("phase", "The first player is not to be chosen now.")
        if seat != HOST:
            raise self._illegal("host", f"Seat {seat} is not the host; seat {HOST} names the first player.")
        if not 1 <= action.seat <= seats:
            raise self._illegal("seat", f"Seat {action.seat} is not at this table; choose 1–{seats}.")
        return [self.chosen(seat=action.seat)]

    def _illegal(self, reason: str, message: str) -> IllegalAction:
        return IllegalAction(f"{self.area}/{reason}", self.rule, message)


# ------------------------------------------------------------------------------------------------------- in writing


def read_choice(reader: Reader) -> ChooseStart | None:
    """`first 2`, if that stands here."""
    return ChooseStart(seat=reader.number("the number of the seat that starts")) if reader.maybe("first") else None


def write_choice(action: ChooseStart) -> str:
    """The choice as `read_choice` takes it."""
    return f"first {action.seat}"


def click_choice(action: ChooseStart) -> tuple[str]:
    """The part one touches to name a seat: what lies in front of it."""
    return (seat_part(action.seat),)


def read_lot(text: str, seats: int) -> Outcome:
    """The seat a lot fell on, by its number."""
    reader = Reader(text)
    reader.maybe("seat")
    seat = reader.number(f"the number of the seat that starts (1–{seats})")
    reader.end()
    return Outcome(drawn=(seat - 1,))


def write_lot(outcome: Outcome) -> str:
    """The lot as `read_lot` takes it."""
    return str(outcome.drawn[0] + 1)


def recall_lot(event: StartDrawn) -> Outcome:
    """What chance had drawn when it named this seat."""
    return Outcome(drawn=(event.seat - 1,))
