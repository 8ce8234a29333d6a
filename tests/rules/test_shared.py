"""What games share in their rules and notations: refusals of turn and end, and actions told by their events."""

import pytest

from events.core import CHANCE, Event
from service.errors import IllegalAction
from service.games.core import Action, Outcome
from service.games.notation import recall_by
from service.games.refusals import Refusals
from tests.pebbles import PEBBLES
from tests.pebbles.events import DiceChosen, HandSpilled, PebblesKept
from tests.pebbles.rules import KeepPebbles, ThrowDice
from tests.shelf import Shape

REFUSALS = Refusals("game", "an action of it", over="XX-1", seat="XX-2", action="XX-3", turn="XX-4", chance="XX-5")
TABLE = Shape(PEBBLES, 3, {}).initial


@pytest.mark.parametrize(
    "to_act, code, message",
    [
        ((2,), "game/turn", "It is seat 2's turn, not seat 1's."),
        ((2, 3), "game/turn", "Seats 2 and 3 are to act now, not seat 1."),
        ((), "game/chance-first", "Seat 1 has to wait for what chance draws."),
    ],
)
def test_who_is_to_act_instead(to_act: tuple[int, ...], code: str, message: str) -> None:
    refusal = REFUSALS.not_on_turn(1, to_act)
    assert (refusal.code, refusal.message) == (code, message)
    assert refusal.rule == ("XX-4" if to_act else "XX-5")
    assert not to_act or REFUSALS.not_on_turn(1, to_act, "XX-9").rule == "XX-9"


@pytest.mark.parametrize(
    "actor, action, rule", [(0, Action(), "XX-2"), (4, Action(), "XX-2"), (1, Outcome(()), "XX-5")]
)
def test_who_cannot_act(actor: int, action: Action, rule: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        REFUSALS.acting_seat(TABLE, actor, action)
    assert (refusal.value.code, refusal.value.rule) == ("game/actor", rule)
    assert REFUSALS.acting_seat(TABLE, CHANCE, Outcome(())) == 0
    assert REFUSALS.acting_seat(TABLE, 3, Action()) == 3


def test_an_event_tells_its_action_by_the_fields_they_share() -> None:
    recall = recall_by("an action of Pebbles", {DiceChosen: ThrowDice, PebblesKept: KeepPebbles})
    events: list[Event] = [DiceChosen(seat=2, dice=3)]
    assert recall(TABLE, events) == ThrowDice(3)
    assert recall(TABLE, [PebblesKept(seat=2, pebbles=3, next=1, scores=())]) == KeepPebbles()
    with pytest.raises(TypeError, match=r"HandSpilled.* does not follow from an action of Pebbles"):
        recall(TABLE, [HandSpilled(seat=1, pebbles=0, next=2)])
    with pytest.raises(TypeError, match=r"HandSpilled does not tell \['dice'\] of ThrowDice"):
        recall_by("an action of Pebbles", {HandSpilled: ThrowDice})
