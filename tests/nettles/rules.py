"""The rules of Nettles: pay a petal or pick the nettle; the deck decides when it is over."""

from typing import Final

from events.core import Event, ScoreLine, Seat, Standing
from projections.copying import copied
from service.games.core import Action, Outcome, Request, Rules, Stage, check_drawn, ranked
from service.games.refusals import Refusals, decide_by
from tests.nettles.events import GameEnded, NettlePicked, NettleTurned, PetalPaid
from tests.nettles.projection.state import APPLY, NUMBERS, State, runs, to_act
from tests.nettles.projection.words import run_words

REFUSALS: Final = Refusals(
    "nettles", "an action of Nettles", over="NE-7", seat="NE-1", action="NE-4", turn="NE-3", chance="NE-3"
)


class PayPetal(Action, frozen=True, gc=False, tag="nettles.pay_petal"):
    """Put a petal on the nettle and leave it to the next seat."""


class PickNettle(Action, frozen=True, gc=False, tag="nettles.pick_nettle"):
    """Take the nettle and every petal on it."""


def legal(state: State, seat: Seat) -> list[Action]:
    """Every action open to the seat."""
    if seat not in to_act(state):
        return []
    return [PayPetal(), PickNettle()] if state.petals[seat - 1] else [PickNettle()]


def request(state: State) -> Request | None:
    """The next nettle, whenever none lies in the middle; the match begins with it."""
    if state.nettle or not state.deck:
        return None
    return Request("nettle", (Stage(tuple(state.unseen), 1),))


def _decide_turned(state: State, outcome: Outcome) -> list[Event]:
    check_drawn(request(state), outcome, "nettles/nettle", "NE-2", [str(number) for number in NUMBERS])
    return [NettleTurned(nettle=NUMBERS[outcome.drawn[0]])]


def _decide_pay(state: State, seat: Seat, action: PayPetal) -> list[Event]:
    if not state.petals[seat - 1]:
        raise REFUSALS.illegal("no-petal", "NE-5", f"Seat {seat} has no petal left to pay with.")
    return [PetalPaid(seat=seat, next=seat % state.seats + 1)]


def _decide_pick(state: State, seat: Seat, action: PickNettle) -> list[Event]:
    picked = NettlePicked(seat=seat, nettle=state.nettle, petals=state.paid)
    return [picked] if state.deck else [picked, _ending(_after(state, picked))]


def _ending(state: State) -> GameEnded:
    ended = GameEnded(
        scores=tuple(line for seat in range(1, state.seats + 1) for line in _points(state, seat)), standings=()
    )
    return GameEnded(scores=ended.scores, standings=rank(_after(state, ended)))


def _points(state: State, seat: Seat) -> list[ScoreLine]:
    """What a seat's nettles cost and its petals bring; a cost is below 0, because the most points win (NE-10)."""
    found = runs(state.nettles[seat - 1])
    cost, petals = sum(run[0] for run in found), state.petals[seat - 1]
    lines = (
        [ScoreLine(seat, "NE-8", "nettles", -cost, -cost, {run_words(run): run[0] for run in found})] if cost else []
    )
    return [*lines, ScoreLine(seat, "NE-9", "petals", petals, petals, {"petals": petals})] if petals else lines


def _after(state: State, event: Event) -> State:
    after = copied(state)
    APPLY[type(event)](after, event)
    return after


def rank(state: State) -> tuple[Standing, ...]:
    """The standings if play stopped now: the score, and among equals who has more petals (NE-10, NE-11)."""
    return ranked(state.scores, state.petals)


RULES: Final = Rules(
    ruleset="nettles/1",
    seats=range(3, 6),
    options=(),
    actions=(PayPetal, PickNettle),
    legal=legal,
    request=request,
    decide=decide_by(REFUSALS, to_act, {PayPetal: _decide_pay, PickNettle: _decide_pick}, _decide_turned),
    rank=rank,
)
