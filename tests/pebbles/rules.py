"""The rules of Pebbles: throw and take, or keep; the bowl decides when it is over."""

from typing import Final

from events.core import Event, ScoreLine, Seat, Standing
from projections.copying import copied
from service.games.core import Action, Outcome, Request, Rules, Stage, check_drawn, ranked
from service.games.options import Choices, Option
from service.games.refusals import Refusals, decide_by
from tests.pebbles.events import DiceChosen, DiceThrown, GameEnded, HandSpilled, PebblesKept
from tests.pebbles.projection.state import APPLY, State, to_act

FACES: Final = ("1", "2", "3", "4", "5", "6")
FINE: Final = 4
"""What nothing but ones costs (PE-7)."""
REWARD: Final = 5
"""What the largest haul brings (PE-10)."""


def _bowls(seats: int) -> Choices:
    """A larger bowl is for a larger table (PE-2)."""
    return ("30", "40", "50")[: seats - 2]


OPTIONS: Final = (
    Option("bowl", "30", _bowls, "how many pebbles there are (PE-2)"),
    Option("dice", "3", ("3", "2"), "how many dice may be thrown at once (PE-4)"),
)


REFUSALS: Final = Refusals(
    "pebbles", "an action of Pebbles", over="PE-9", seat="PE-3", action="PE-4", turn="PE-3", chance="PE-5"
)


class ThrowDice(Action, frozen=True, gc=False, tag="pebbles.throw_dice"):
    """Throw so many dice."""

    dice: int


class KeepPebbles(Action, frozen=True, gc=False, tag="pebbles.keep_pebbles"):
    """Put everything in hand on the own pile and pass the dice on."""


def legal(state: State, seat: Seat) -> list[Action]:
    """Every action open to the seat."""
    if seat not in to_act(state):
        return []
    throws: list[Action] = [ThrowDice(dice) for dice in range(1, state.most_dice + 1)]
    return [*throws, KeepPebbles()] if state.hand else throws


def request(state: State) -> Request | None:
    """What the dice in the air show."""
    return Request("throw", (Stage((1,) * len(FACES), state.dice, replaced=True),)) if state.dice else None


def _decide_choice(state: State, seat: Seat, action: ThrowDice) -> list[Event]:
    if not 1 <= action.dice <= state.most_dice:
        message = f"{action.dice} dice cannot be thrown; choose 1–{state.most_dice}."
        raise REFUSALS.illegal("dice", "PE-4", message)
    return [DiceChosen(seat=seat, dice=action.dice)]


def _decide_throw(state: State, outcome: Outcome) -> list[Event]:
    check_drawn(request(state), outcome, "pebbles/throw", "PE-5", FACES)
    seat, faces = state.turn, tuple(kind + 1 for kind in outcome.drawn)
    if 1 in faces:
        spilled = HandSpilled(seat=seat, pebbles=sum(state.hand), next=_next(state), scores=_fine(state, faces))
        return [DiceThrown(seat=seat, faces=faces), spilled]
    thrown = DiceThrown(seat=seat, faces=faces, taken=min(sum(faces), state.bowl))
    if thrown.taken < state.bowl:
        return [thrown]
    return [thrown, *_kept(_after(state, thrown))]  # PE-9: with an empty bowl there is nothing left to choose


def _fine(state: State, faces: tuple[int, ...]) -> tuple[ScoreLine, ...]:
    if len(faces) == 1 or set(faces) != {1}:
        return ()
    lost = min(FINE, state.scores[state.turn - 1])  # nobody falls below 0
    return (ScoreLine(state.turn, "PE-7", "only-ones", -FINE, -lost, {"dice": len(faces)}),)


def _decide_keep(state: State, seat: Seat, action: KeepPebbles) -> list[Event]:
    if not state.hand:
        raise REFUSALS.illegal("empty-hand", "PE-8", f"Seat {seat} has nothing in its hand to keep.")
    return _kept(state)


def _kept(state: State) -> list[Event]:
    seat, pebbles = state.turn, sum(state.hand)
    throws = {f"throw {number}": taken for number, taken in enumerate(state.hand, start=1)}
    line = ScoreLine(seat, "PE-8", "kept", pebbles, pebbles, throws)
    kept = PebblesKept(seat=seat, pebbles=pebbles, next=_next(state) if state.bowl else 0, scores=(line,))
    return [kept] if state.bowl else [kept, _ending(_after(state, kept))]


def _ending(state: State) -> GameEnded:
    most = max(state.hauls)
    hauls = enumerate(state.hauls, start=1)
    lines = tuple(
        ScoreLine(seat, "PE-10", "largest-haul", REWARD, REWARD, {"pebbles": haul})
        for seat, haul in hauls
        if haul == most
    )
    ended = GameEnded(scores=lines, standings=())
    return GameEnded(scores=lines, standings=rank(_after(state, ended)))


def _after(state: State, event: Event) -> State:
    after = copied(state)
    APPLY[type(event)](after, event)
    return after


def _next(state: State) -> Seat:
    return state.turn % state.seats + 1


def rank(state: State) -> tuple[Standing, ...]:
    """The standings if play stopped now: the score, and among equals who kept pebbles more often (PE-11, PE-12)."""
    return ranked(state.scores, state.keeps)


RULES: Final = Rules(
    ruleset="pebbles/1",
    seats=range(3, 6),
    options=OPTIONS,
    actions=(ThrowDice, KeepPebbles),
    legal=legal,
    request=request,
    decide=decide_by(REFUSALS, to_act, {ThrowDice: _decide_choice, KeepPebbles: _decide_keep}, _decide_throw),
    rank=rank,
)
