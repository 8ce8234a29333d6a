"""Disputes through the ledger: the way of each, every refusal, and that play never notices."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.chain import Chain
from events.core import ARBITER
from events.dispute import DisputeEvent, DisputeRuled
from projections.core import Names
from projections.disputes import docket_of
from projections.fold import fold
from projections.scoresheet import adjustments, scoresheet
from projections.story import sentence
from service.disputes import cases as disputes
from service.disputes.procedure import faults
from service.errors import LedgerError, Refused
from service.play.appending import Call
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, open_match
from service.play.replay import load
from service.play.undo import undo
from service.store.connect import open_store
from service.store.store import Store
from tests.conftest import TWO, move
from tests.disputes.people import CLEO, DORA, EVE, PINNED, Clock, closed_match, ledger_with
from tests.play.test_matches import refused


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "ledger.db")) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(store: Store, clock: Clock) -> LocalLedger:
    return ledger_with(store, clock)


def rule(ledger: LocalLedger, live: Live, number: int = 1, points: int = 3, seat: int = 2) -> None:
    disputes.rule(ledger, live, number, CLEO, rules=["AZ-46"], reason="Run missed", adjust=[(seat, points, "AZ-46")])


def assert_sound(ledger: LocalLedger, live: Live) -> None:
    """What is stored is what is in hand, it breaks no rule of procedure, and play is what it was."""
    again = load(ledger, live.id)
    assert again.envelopes == live.envelopes
    assert faults(live.id, Chain(live.id, ledger.store.rows(live.id)).links, []) == []


def test_the_whole_way_keeps_both_results(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    state, sheet = live.table.state, scoresheet(live.game.projection, live.envelopes)
    computed = docket_of(live.envelopes).computed
    points = {place.seat: place.score for place in computed}
    disputes.open_dispute(ledger, live, 2, "A column run was missed.", about=40, claim=5)
    assert docket_of(live.envelopes).ruled == computed
    rule(ledger, live)
    ruled = {place.seat: place.score for place in docket_of(live.envelopes).ruled}
    assert ruled == {1: points[1], 2: points[2] + 3}
    disputes.appeal(ledger, live, 1, 1, "There was no run.")
    assert {p.seat: p.score for p in docket_of(live.envelopes).ruled} == ruled, "in force until overturned"
    disputes.decide(
        ledger,
        live,
        1,
        DORA,
        upholds=False,
        rules=["AZ-47"],
        reason="A gap",
        adjust=[(2, 1, "AZ-47"), (1, -2, "AZ-50")],
    )
    docket = docket_of(live.envelopes)
    assert docket.disputes[1].status == "overturned"
    assert {p.seat: p.score for p in docket.ruled} == {1: points[1] - 2, 2: points[2] + 1}
    assert [(line.dispute, line.seat, line.applied) for line in adjustments(docket)] == [(1, 2, 1), (1, 1, -2)]
    disputes.finalise(ledger, live, CLEO)
    docket = docket_of(live.envelopes)
    assert docket.final is not None
    assert docket.final.standings == docket.ruled
    assert docket.computed == computed == live.table.closed.standings  # type: ignore[union-attr]
    assert live.table.state == state == fold(live.game.projection, live.envelopes).state
    assert scoresheet(live.game.projection, live.envelopes) == sheet, "adjustments stand apart from play"
    assert live.table.status == "closed"
    assert_sound(ledger, live)
    for envelope in live.envelopes[-5:]:
        text = sentence(live.game.projection, envelope.event, Names({1: "Ann", 2: "Ben"}))
        assert text.endswith(".")
    assert [envelope.actor for envelope in live.envelopes[-5:]] == [2, ARBITER, 1, ARBITER, ARBITER]


def test_upheld_keeps_the_ruling(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    disputes.open_dispute(ledger, live, 2, "Words", claim=60)
    rule(ledger, live)
    before = docket_of(live.envelopes).ruled
    disputes.appeal(ledger, live, 1, 1, "No")
    with refused("dispute/adjustment"):
        disputes.decide(ledger, live, 1, DORA, upholds=True, rules=["AZ-46"], reason="Right", adjust=[(1, 1, "AZ-46")])
    disputes.decide(ledger, live, 1, DORA, upholds=True, rules=["AZ-46"], reason="Right")
    docket = docket_of(live.envelopes)
    assert (docket.disputes[1].status, docket.ruled) == ("upheld", before)


Attempt = Callable[[LocalLedger, Live], object]
ATTEMPTS: dict[str, Attempt] = {
    "rule": lambda ledger, live: rule(ledger, live),
    "appeal": lambda ledger, live: disputes.appeal(ledger, live, 1, 1, "No"),
    "decide": lambda ledger, live: disputes.decide(
        ledger, live, 1, DORA, upholds=False, rules=["AZ-46"], reason="Because"
    ),
    "withdraw": lambda ledger, live: disputes.withdraw(ledger, live, 1, 2),
    "final": lambda ledger, live: disputes.finalise(ledger, live, CLEO),
    "open": lambda ledger, live: disputes.open_dispute(ledger, live, 2, "Words"),
}
WAYS = {
    "opened": ["open"],
    "withdrawn": ["open", "withdraw"],
    "ruled": ["open", "rule"],
    "appealed": ["open", "rule", "appeal"],
    "overturned": ["open", "rule", "appeal", "decide"],
}
ALLOWED = {
    "opened": {"rule", "withdraw"},
    "withdrawn": {"final", "open"},
    "ruled": {"appeal", "final"},
    "appealed": {"decide"},
    "overturned": {"final"},
}


@pytest.mark.parametrize("status", WAYS)
def test_what_may_follow_what(ledger: LocalLedger, status: str) -> None:
    live = closed_match(ledger)
    for word in WAYS[status]:
        ATTEMPTS[word](ledger, live)
    assert docket_of(live.envelopes).disputes[1].status == status
    for word, attempt in ATTEMPTS.items():
        before = ledger.store.rows(live.id)
        if word in ALLOWED[status]:
            continue
        with pytest.raises(Refused) as refusal:
            attempt(ledger, live)
        expected = {"final": "dispute/pending", "open": "dispute/again"}.get(word, "dispute/state")
        assert refusal.value.code == expected, word
        assert ledger.store.rows(live.id) == before
    for word in ALLOWED[status]:
        copy = load(ledger, live.id)
        ATTEMPTS[word](ledger, copy)
        assert_sound(ledger, copy)
        break


@pytest.mark.parametrize("word", ATTEMPTS)
def test_nothing_follows_the_final_result(ledger: LocalLedger, word: str) -> None:
    live = closed_match(ledger)
    for step in ("open", "rule", "final"):
        ATTEMPTS[step](ledger, live)
    with refused("dispute/final"):
        ATTEMPTS[word](ledger, live)


def test_refusals_of_what_makes_no_sense(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    with refused("dispute/unknown"):
        rule(ledger, live, 7)
    with refused("match/seat"):
        disputes.open_dispute(ledger, live, 3, "Words")
    with refused("match/seat"):
        disputes.open_dispute(ledger, live, 1, "Words", of=9)
    with refused("dispute/event"):
        disputes.open_dispute(ledger, live, 1, "Words", about=len(live.envelopes) + 1)
    for words in ("", "  ", "two\nlines", "x" * 501):
        with refused("dispute/words"):
            disputes.open_dispute(ledger, live, 1, words)
    disputes.open_dispute(ledger, live, 1, "Words")
    with refused("dispute/not-yours"):
        disputes.withdraw(ledger, live, 1, 2)
    with refused("dispute/rules"):
        disputes.rule(ledger, live, 1, CLEO, rules=["AZ-999"], reason="Because")
    with refused("dispute/rules"):
        disputes.rule(ledger, live, 1, CLEO, rules=[], reason="Because")
    with refused("dispute/adjustment"):
        rule(ledger, live, 1, points=0)
    with refused("match/seat"):
        rule(ledger, live, 1, seat=5)
    disputes.rule(ledger, live, 1, CLEO, rules=["T-4"], reason="Late to the table", adjust=[(1, -5, "T-4")])
    assert_sound(ledger, live)


def test_only_arbiters_rule(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    disputes.open_dispute(ledger, live, 1, "Words")
    with refused("dispute/not-arbiter"):
        disputes.rule(ledger, live, 1, EVE, rules=["AZ-46"], reason="Mine", registered=[EVE.key.public])
    with refused("dispute/not-arbiter"):
        disputes.finalise(ledger, closed_match(ledger, 2), EVE)
    rule(ledger, live)
    disputes.appeal(ledger, live, 1, 1, "No")
    with refused("dispute/same-arbiter"):
        disputes.decide(ledger, live, 1, CLEO, upholds=True, rules=["AZ-46"], reason="I was right")


def test_a_match_that_pins_nobody_takes_the_registered_arbiters(ledger: LocalLedger) -> None:
    live = closed_match(ledger, arbiters=())
    disputes.open_dispute(ledger, live, 1, "Words")
    with refused("dispute/no-arbiter"):
        rule(ledger, live)
    disputes.rule(ledger, live, 1, EVE, rules=["AZ-46"], reason="Because", registered=[EVE.key.public])
    disputes.appeal(ledger, live, 1, 2, "No")
    # With nobody pinned there need not be a second arbiter anywhere.
    disputes.decide(ledger, live, 1, EVE, upholds=True, rules=["AZ-46"], reason="Yes", registered=[EVE.key.public])
    rows = ledger.store.rows(live.id)
    links = Chain(live.id, rows).links
    assert faults(live.id, links, []) == []
    assert faults(live.id, links, [EVE.key.public]) == []
    assert {fault.code for fault in faults(live.id, links, [CLEO.key.public])} == {"dispute/not-arbiter"}


def test_while_play_is_on_a_dispute_can_only_be_opened_and_withdrawn(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 3, players=TWO)
    with refused("dispute/not-started"):
        disputes.open_dispute(ledger, live, 1, "Words")
    live = open_match(ledger, "azul", 2, players=TWO, undo="free", arbiters=PINNED)
    move(ledger, live, 3)
    state = live.table.state
    disputes.open_dispute(ledger, live, 1, "That was no legal move", about=live.head.seq)
    assert live.table.state == state
    for word in ("rule", "appeal", "decide", "final"):
        with refused("dispute/still-playing"):
            ATTEMPTS[word](ledger, live)
    # The dispute is no move: undo takes back the move before it, and the dispute stays.
    undo(ledger, live, 1)
    assert len(live.timeline.done) == 3
    assert docket_of(live.envelopes).disputes[1].status == "opened"
    child = fork(ledger, live, live.head.step)
    assert docket_of(child.envelopes).disputes == {}
    assert child.table.opened.arbiters == PINNED
    disputes.withdraw(ledger, live, 1, 1)
    move(ledger, live, 2)
    assert_sound(ledger, live)


def test_an_abandoned_match_has_nothing_to_dispute(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, arbiters=PINNED)
    disputes.open_dispute(ledger, live, 1, "Words")
    abandon(ledger, live)
    for word in ATTEMPTS:
        with refused("dispute/no-result"):
            ATTEMPTS[word](ledger, live)


def test_time_limits(ledger: LocalLedger, clock: Clock) -> None:
    live = closed_match(ledger, dispute_within=30, appeal_within=10)
    clock.wait(minutes=30)
    disputes.open_dispute(ledger, live, 2, "Just in time")
    clock.wait(seconds=1)
    with refused("dispute/too-late"):
        disputes.open_dispute(ledger, live, 1, "Too late")
    rule(ledger, live)
    with refused("dispute/still-open"):
        disputes.finalise(ledger, live, CLEO)
    clock.wait(minutes=10)
    with refused("dispute/still-open"):
        disputes.finalise(ledger, live, CLEO)
    copy = load(ledger, live.id)
    disputes.appeal(ledger, copy, 1, 1, "In the last second")
    assert_sound(ledger, copy)
    clock.wait(seconds=1)
    disputes.decide(ledger, copy, 1, DORA, upholds=True, rules=["AZ-46"], reason="So be it")
    disputes.finalise(ledger, copy, CLEO)
    assert_sound(ledger, copy)


def test_a_dispute_is_recorded_with_the_moment_it_was_judged_by(store: Store) -> None:
    """Time passes between judging and storing; the audit must come to the same conclusion as the ledger did."""
    clock = Clock()

    def later() -> datetime:
        clock.wait(seconds=40)
        return clock.now

    ledger = LocalLedger(store, clock=later)
    live = closed_match(ledger, dispute_within=1)
    disputes.open_dispute(ledger, live, 1, "In time")
    assert_sound(ledger, live)
    with refused("dispute/too-late"):
        disputes.open_dispute(ledger, live, 2, "Too late")


def test_an_appeal_comes_too_late(ledger: LocalLedger, clock: Clock) -> None:
    live = closed_match(ledger, appeal_within=10)
    disputes.open_dispute(ledger, live, 2, "Words")
    rule(ledger, live)
    clock.wait(minutes=10, seconds=1)
    with refused("dispute/appeal-too-late"):
        disputes.appeal(ledger, live, 1, 1, "No")
    disputes.finalise(ledger, live, CLEO)
    with refused("dispute/too-late"):
        early = closed_match(ledger, 3, dispute_within=1)
        clock.wait(minutes=2)
        disputes.open_dispute(ledger, early, 1, "Words")


def test_a_result_is_not_final_while_it_can_be_disputed(ledger: LocalLedger, clock: Clock) -> None:
    live = closed_match(ledger, dispute_within=30)
    with refused("dispute/still-open"):
        disputes.finalise(ledger, live, CLEO)
    clock.wait(minutes=31)
    disputes.finalise(ledger, live, CLEO)


@pytest.mark.parametrize(
    "options, code",
    [
        ({"arbiters": ["abc"]}, "match/arbiter"),
        ({"arbiters": ["z" * 64]}, "match/arbiter"),
        ({"dispute_within": -1}, "match/dispute-within"),
        ({"appeal_within": 10**9}, "match/appeal-within"),
    ],
)
def test_options_that_make_no_sense(ledger: LocalLedger, options: dict[str, object], code: str) -> None:
    with refused(code):
        open_match(ledger, "azul", 2, **options)  # type: ignore[arg-type]


def test_a_repeated_command_has_one_outcome(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    first = disputes.open_dispute(ledger, live, 1, "Words", call=Call(command="a"))
    again = disputes.open_dispute(ledger, load(ledger, live.id), 1, "Words", call=Call(command="a"))
    assert (again.first_seq, again.repeated) == (first.first_seq, True)
    with refused("store/stale-head"):
        disputes.withdraw(ledger, live, 1, 1, Call(expected=3))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.tuples(st.sampled_from(sorted(ATTEMPTS)), st.integers(1, 3), st.integers(0, 2)), max_size=14),
    seed=st.integers(0, 3),
)
def test_whatever_is_tried_leaves_a_sound_docket(
    ledger: LocalLedger, clock: Clock, steps: list[tuple[str, int, int]], seed: int
) -> None:
    live = closed_match(ledger, seed, dispute_within=20, appeal_within=10)
    closed, state = live.table.closed, live.table.state
    assert closed is not None
    for word, number, pause in steps:
        clock.wait(minutes=pause * 4)
        before = ledger.store.rows(live.id)
        try:
            if word == "rule":
                rule(ledger, live, number, points=number)
            elif word == "open":
                disputes.open_dispute(ledger, live, 1 + number % 2, "Words", about=number)
            elif word == "appeal":
                disputes.appeal(ledger, live, number, 1, "No")
            elif word == "decide":
                disputes.decide(ledger, live, number, DORA, upholds=pause > 0, rules=["AZ-46"], reason="So")
            elif word == "withdraw":
                disputes.withdraw(ledger, live, number, 1 + number % 2)
            else:
                disputes.finalise(ledger, live, CLEO)
        except LedgerError:
            assert ledger.store.rows(live.id) == before
    assert_sound(ledger, live)
    assert (live.table.closed, live.table.state) == (closed, state)
    docket = docket_of(live.envelopes)
    moved = sum(line.applied for line in docket.adjustments)
    assert sum(place.score for place in docket.ruled) == sum(place.score for place in closed.standings) + moved
    assert all(isinstance(e.event, DisputeEvent) for e in live.envelopes if e.seq > closed_at(live))
    assert all(e.event.signature for e in live.envelopes if isinstance(e.event, DisputeRuled))


def closed_at(live: Live) -> int:
    return next(
        envelope.seq
        for envelope in live.envelopes
        if envelope.event is live.table.closed or envelope.event == live.table.closed
    )
