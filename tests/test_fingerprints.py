"""What a command is recognised by when it is sent again, as it was before commands became values.

A client that lost its answer sends the same request after the service was upgraded: it has to be the same command then.
"""

from collections.abc import Callable
from hashlib import sha256

from service import handle
from service.games.core import Action
from service.play import commands as c
from service.play.appending import Call
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.store import CommandKey, Store
from service.trust.tokens import hashed
from tests.disputes.people import CLEO

OPENING = c.OpenMatch(
    game="azul",
    players=["Ann"],
    seats=2,
    options={"firstPlayer": "seat:1"},
    undo="consent",
    seed=7,
    arbiters=[CLEO.key.public],
)
DRAFT = '{"type":"azul.draft_tiles","source":0,"colour":1,"line":1}'
COURSE: list[tuple[Callable[[Live], c.Command], Call, str]] = [
    (lambda live: c.Join(name="Ben", seat=2, nonce="mine"), Call(), '["join",2,["Ben","person","mine"]]'),
    (lambda live: c.Act(move="2R2"), Call(seat=1), '["move",1,"2R2"]'),
    (lambda live: c.Act(action=first_action(live)), Call(seat=2), f'["act",2,{DRAFT}]'),
    (lambda live: c.Undo(), Call(seat=2), '["take back",2,null]'),
    (lambda live: c.AnswerUndo(accepts=True), Call(seat=1), '["answer undo",1,true]'),
    (lambda live: c.Redo(steps=1), Call(seat=2), '["play again",2,1]'),
    (lambda live: c.OpenDispute(words="Too few", claim=5), Call(seat=1), '["dispute-open",1,"Too few",0,null,5]'),
    (
        lambda live: c.OpenDispute(words="Me too", event=5, of=1),
        Call(seat=2),
        '["dispute-open",2,"Me too",5,1,null]',
    ),
    (lambda live: c.Withdraw(number=2), Call(seat=2), '["dispute-withdraw",2,2]'),
    (lambda live: c.Resign(), Call(seat=2), '["resign",2]'),
    (
        lambda live: c.RuleDispute(
            number=1, rules=["AZ-46"], reason="Counted", adjustments=[c.Adjustment(seat=1, points=3)]
        ),
        Call(arbiter=CLEO),
        '["dispute-rule",1,["AZ-46"],"Counted",[[1,3,"AZ-46"]]]',
    ),
    (lambda live: c.Appeal(number=1, words="Not so"), Call(seat=2), '["dispute-appeal",1,2,"Not so"]'),
    (
        lambda live: c.DecideAppeal(number=1, upheld=False, rules=["AZ-46"], reason="Again"),
        Call(arbiter=CLEO),
        '["dispute-decide",1,false,["AZ-46"],"Again",[]]',
    ),
    (lambda live: c.Finalise(), Call(arbiter=CLEO), '["dispute-final"]'),
]


def first_action(live: Live) -> Action:
    return next(iter(live.game.rules.legal(live.table.state, 2)))


def recognised(store: Store, match: str, command: str, shape: str) -> bool:
    """Whether a command id was stored with the fingerprint of this request."""
    earlier = store.earlier(match, CommandKey(command, sha256(shape.encode()).digest()))
    return earlier is not None and earlier.repeated


def test_a_command_in_a_match(ledger: LocalLedger) -> None:
    live = handle.open_match(ledger, OPENING)
    for number, (command, call, shape) in enumerate(COURSE):
        handle.handle(ledger, live, command(live), Call(command=f"c{number}", seat=call.seat, arbiter=call.arbiter))
        assert recognised(ledger.store, live.id, f"c{number}", shape), shape


def test_draws_and_an_end_without_result(ledger: LocalLedger) -> None:
    opening = c.OpenMatch(game="azul", players=["Ann", "Ben"], chance="recorded", options={"firstPlayer": "seat:1"})
    live = handle.open_match(ledger, opening)
    deal = "BBBB YYYY RRRR KKKK WWWW"
    handle.handle(ledger, live, c.Deal(outcome=deal), Call(command="deal"))
    handle.handle(ledger, live, c.Abandon(), Call(command="end"))
    assert recognised(ledger.store, live.id, "deal", f'["deal","{deal}"]')
    assert recognised(ledger.store, live.id, "end", '["abandon"]')


def test_new_matches(ledger: LocalLedger) -> None:
    opening = c.OpenMatch(
        game="azul",
        players=["Ann", "Ben"],
        options={"firstPlayer": "seat:1"},
        seed=7,
        private=True,
        arbiters=["house"],
    )
    grants = [("host", 0, hashed("token"))]
    live = handle.open_match(ledger, opening, Call(command="new", grants=grants))  # type: ignore[arg-type]
    shape = (
        '["open",{"game":"azul","players":["Ann","Ben"],"options":{"firstPlayer":"seat:1"},"seed":7,"private":true,'
        '"arbiters":["house"]}]'
    )
    assert recognised(ledger.store, live.id, "new", shape)
    fork = handle.fork(ledger, live, c.Fork(step=4), Call(command="fork"))
    assert recognised(ledger.store, fork.id, "fork", f'["fork","{live.id}",{{"step":4}}]')
