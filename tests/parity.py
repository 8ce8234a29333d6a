"""What is sent through every door: each command after what comes before it, and one like it that is refused."""

from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from service.play import commands as c
from service.play.appending import Call
from tests.disputes.people import CLEO
from tests.doors import Door, Refusal, Sent

OPENING: Final = c.OpenMatch(
    game="azul",
    players=["Ann", "Ben"],
    options={"firstPlayer": "seat:1"},
    undo="free",
    seed=7,
    arbiters=[CLEO.key.public],
)


class Case(NamedTuple):
    """What is done before a command, the command, and one like it that is refused at the same point."""

    do: Sent
    refused: Sent | None = None
    before: tuple[Sent, ...] = ()
    opening: c.OpenMatch = OPENING


_OVER = Sent(c.Resign(), 2)
_MOVE, _DISPUTE = Sent(c.Act(move="2R2"), 1), Sent(c.OpenDispute(words="Too few", claim=5), 1)
_RULING: Final[dict[str, Any]] = {"rules": ["AZ-46"], "reason": "Counted again"}
_RULED = Sent(c.RuleDispute(number=1, adjustments=[c.Adjustment(seat=1, points=3)], **_RULING))
_APPEALED = Sent(c.Appeal(number=1, words="Not so"), 2)
_DECIDED = Sent(c.DecideAppeal(number=1, upheld=True, **_RULING))

CASES: Final = (
    Case(Sent(c.Fork(step=4)), Sent(c.Fork(step=99)), (_MOVE,)),
    Case(
        Sent(c.Join(name="Ben", nonce="mine")),
        Sent(c.Join(name="Ben", seat=1)),
        opening=replace(OPENING, players=["Ann"], seats=2),
    ),
    Case(Sent(c.Rename(seat=2, name="Benjamin")), Sent(c.Rename(seat=9, name="Eve"))),
    Case(_MOVE, Sent(c.Act(move="CB1"), 1)),
    Case(
        Sent(c.Deal(outcome="BBBB YYYY RRRR KKKK WWWW")),
        Sent(c.Deal(outcome="BBBB YYYY")),
        opening=replace(OPENING, chance="recorded", seed=None),
    ),
    Case(Sent(c.Undo(steps=1), 1), Sent(c.Undo(steps=50), 1), (_MOVE,)),
    Case(Sent(c.Redo(steps=1), 1), Sent(c.Redo(steps=50), 1), (_MOVE, Sent(c.Undo(steps=1), 1))),
    Case(
        Sent(c.AnswerUndo(accepts=True), 2),
        Sent(c.AnswerUndo(accepts=True), 1),
        (_MOVE, Sent(c.Undo(steps=1), 1)),
        replace(OPENING, undo="consent"),
    ),
    Case(
        Sent(c.AnswerUndo(accepts=False), 2),
        Sent(c.AnswerUndo(accepts=False), 1),
        (_MOVE, Sent(c.Undo(steps=1), 1)),
        replace(OPENING, undo="consent"),
    ),
    Case(_OVER),
    Case(Sent(c.Abandon())),
    Case(_DISPUTE, Sent(c.OpenDispute(words="Too few", event=999), 1)),
    Case(Sent(c.Withdraw(number=1), 1), Sent(c.Withdraw(number=1), 2), (_DISPUTE,)),
    Case(_RULED, Sent(c.RuleDispute(number=9, **_RULING)), (_OVER, _DISPUTE)),
    Case(_APPEALED, Sent(c.Appeal(number=9, words="Not so"), 2), (_OVER, _DISPUTE, _RULED)),
    Case(_DECIDED, Sent(c.DecideAppeal(number=9, upheld=True, **_RULING)), (_OVER, _DISPUTE, _RULED, _APPEALED)),
    Case(Sent(c.Finalise()), None, (_OVER, _DISPUTE, _RULED)),
)


def prepared(door: Door, case: Case) -> str:
    """A match in which everything was done that comes before the command."""
    match = door.open(case.opening)
    for sent in case.before:
        door.send(match, sent)
    return match


def facts(door: Door, match: str, after: int, without: tuple[str, ...] = ()) -> list[Any]:
    """What was added to a match and who sits there, without what is different in every match, or through this door."""
    live = door.read(match)
    said = [(entry.actor, msgspec.to_builtins(entry.event)) for entry in live.envelopes[after:]]
    for _, event in said:
        for own in ("signature", "parent", "commitment", "secret", *without):
            event.pop(own, None)
    return [said, {seat: row.name for seat, row in live.seats.items()}]


def refusal_of(door: Door, match: str, sent: Sent, call: Call = Call()) -> str:  # noqa: B008
    """The code with which a command is refused."""
    with pytest.raises(Refusal) as refused:
        door.send(match, sent, call)
    return str(refused.value)
