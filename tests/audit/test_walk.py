"""Where a record leaves the rules: which check says so, about which event, and in which words."""

from collections.abc import Callable

import msgspec
import pytest

from events.azul import DisplaysFilled
from events.core import CHANCE, LEDGER, Actor, Envelope, Event, Standing
from events.dispute import DisputeOpened
from events.match import MatchClosed, MoveForfeited, SeatResigned, SeatTaken, StepRedone, StepUndone
from service.audit import audit
from service.limits import MAX_SAID
from service.play.evidence import from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import MAX_NONCE, open_match
from tests.audit.matches import envelopes_of, rehashed, renumbered
from tests.audit.test_verdicts import AZUL, with_more
from tests.conftest import THREE, move

PLAYED = envelopes_of(AZUL)
"""A match of two: opened, two seats, a start and a deal drawn in one step, actions from event 6, a new round at 21."""
OPENED, START, MOVE, FLOOR = (PLAYED[seq - 1].event for seq in (1, 4, 6, 20))
COUNT = len(PLAYED)
OVER = MatchClosed("resigned", (Standing(2, 1, 0), Standing(1, 2, 0)))
"""How the match ends when seat 1 resigns before anybody has scored."""


def then(before: list[Envelope], *steps: list[tuple[Actor, Event]]) -> list[Envelope]:
    """What was played, and these steps after it."""
    last = before[-1]
    return [
        *before,
        *(
            Envelope(last.match, 0, last.step + number, last.at, actor, event)
            for number, step in enumerate(steps, start=1)
            for actor, event in step
        ),
    ]


def joined(before: list[Envelope], actor: Actor, event: Event) -> list[Envelope]:
    """What was played, and this event in the last step of it."""
    last = before[-1]
    return [*before, Envelope(last.match, 0, last.step, last.at, actor, event)]


def by(actor: Actor, envelope: Envelope) -> Envelope:
    """The same, done by somebody else."""
    return Envelope(envelope.match, 0, envelope.step, envelope.at, actor, envelope.event)


def stored(event: Event) -> str:
    """An event as an audit quotes it."""
    return msgspec.json.encode(event).decode()


SEATS = {
    "opened-twice": (then(PLAYED[:3], [(LEDGER, OPENED)]), 4, "A match is opened once."),
    "opened-with-a-guest": (
        joined(PLAYED[:1], 1, SeatTaken(1)),
        2,
        "Step 1 has 2 events, not 1: it does not belong there.",
    ),
    "not-free": (then(PLAYED[:3], [(2, SeatTaken(2))]), 4, "Seat 2 was not free."),
    "below-the-first": (then(PLAYED[:1], [(0, SeatTaken(0))]), 2, "Seat 0 was not free."),
    "above-the-last": (then(PLAYED[:1], [(3, SeatTaken(3))]), 2, "Seat 3 was not free."),
    "two-at-once": (joined(PLAYED[:2], 2, SeatTaken(2)), 3, "Step 2 has 2 events, not 1: it does not belong there."),
    "a-long-nonce": (
        then(PLAYED[:1], [(1, SeatTaken(1, "x" * (MAX_NONCE + 1)))]),
        2,
        "Its nonce has more than 64 characters.",
    ),
    "played-too-early": (then(PLAYED[:2], [(1, MOVE)]), 3, "It was played before every seat was taken."),
}
"""What `actions` says about the opening and the seats."""

PLAY = {
    "a-draw-nobody-waits-for": (
        then(PLAYED[:5], [(CHANCE, START)]),
        "actions",
        6,
        f"Nothing was to be drawn: {stored(START)}.",
    ),
    "a-draw-that-is-none": (
        joined(PLAYED[:4], CHANCE, MOVE),
        "actions",
        5,
        f"It is no answer that chance could give: {stored(MOVE)}.",
    ),
    "an-impossible-draw": (
        joined(PLAYED[:4], CHANCE, DisplaysFilled(1, 1, ((0,) * 4,) * 6)),
        "draws",
        5,
        "The deal has 20 pieces, not 24. (AZ-56)",
    ),
    "no-action": (
        then(PLAYED[:5], [(1, FLOOR)]),
        "actions",
        6,
        f"No possible action leads to it: {stored(FLOOR)}.",
    ),
    "half-a-step": (PLAYED[:19], "facts", 20, f"It is missing: the rules say {stored(FLOOR)}."),
    "by-another-seat": (
        [*PLAYED[:16], by(2, PLAYED[16]), *PLAYED[17:21]],
        "facts",
        17,
        "It was 1 who did this, not 2.",
    ),
    "one-event-of-its-own-too-many": (
        joined(PLAYED[:8], 1, FLOOR),
        "actions",
        9,
        "It does not belong in step 7, which ended before.",
    ),
    "one-event-too-many": (
        joined(PLAYED, 1, FLOOR),
        "actions",
        COUNT + 1,
        "It does not belong in step 67, which ended before.",
    ),
    "not-closed": (PLAYED[:-1], "result", COUNT, "The game was over here, and the match was not closed."),
    "closed-too-early": (
        joined(PLAYED[:8], LEDGER, MatchClosed("finished", OVER.standings)),
        "result",
        9,
        "The match was closed as finished, but the game was not over.",
    ),
    "abandoned-with-a-move": (
        then(PLAYED[:8], [(LEDGER, MatchClosed("abandoned")), (1, MOVE)]),
        "actions",
        10,
        "Step 8 has 2 events, not 1: it does not belong there.",
    ),
    "after-the-closing": (
        then(PLAYED, [(1, MOVE)]),
        "result",
        COUNT + 1,
        "It comes after the closing, which only disputes may.",
    ),
    "no-part-of-a-dispute": (
        then(PLAYED, [(1, DisputeOpened(number=1, seat=1, of=1, words="Mine")), (1, FLOOR)]),
        "actions",
        COUNT + 2,
        "'azul.floor_cleared' is not an event of a dispute.",
    ),
}
"""What is said about play, and which check says it."""

NEXT_UNDONE = f"Undo is free here, and that leads to {stored(StepUndone(6))} by seat 1."
UNDOING = {
    "with-something-else": (
        then(PLAYED[:8], [(1, StepUndone(7)), (1, FLOOR)]),
        10,
        "'azul.floor_cleared' does not belong in a step that undoes or redoes.",
    ),
    "before-play": (then(PLAYED[:2], [(1, StepUndone(1))]), 3, f"It makes no sense here: {stored(StepUndone(1))}."),
    "by-chance": (then(PLAYED[:8], [(CHANCE, StepUndone(7))]), 9, f"It makes no sense here: {stored(StepUndone(7))}."),
    "another-step": (then(PLAYED[:8], [(1, StepUndone(7)), (1, StepUndone(5))]), 10, NEXT_UNDONE),
    "by-two-seats": (then(PLAYED[:8], [(1, StepUndone(7)), (2, StepUndone(6))]), 10, NEXT_UNDONE),
    "and-redone-at-once": (then(PLAYED[:8], [(1, StepUndone(7)), (1, StepRedone(7))]), 10, NEXT_UNDONE),
    "too-many": (then(PLAYED[:6], [(1, StepUndone(5)), (1, StepUndone(4))]), 8, "Only 1 step can be undone, not 2."),
    "nothing-to-redo": (then(PLAYED[:8], [(1, StepRedone(7))]), 9, "There is nothing to redo."),
    "too-many-redone": (
        then(PLAYED[:8], [(1, StepUndone(7))], [(1, StepRedone(7)), (1, StepRedone(6))]),
        11,
        "Only 1 step can be redone, not 2.",
    ),
}
"""What `undo` says where anybody may undo."""

RESIGNING = {
    "too-early": (
        then(PLAYED[:2], [(1, SeatResigned(1)), (LEDGER, OVER)]),
        "actions",
        3,
        "A seat cannot resign before every seat is taken.",
    ),
    "not-closed": (
        then(PLAYED[:8], [(1, SeatResigned(1))]),
        "actions",
        10,
        "A resignation closes the match in the same step.",
    ),
    "both-seats": (
        then(PLAYED[:8], [(1, SeatResigned(1)), (2, SeatResigned(2))]),
        "actions",
        10,
        "A resignation closes the match in the same step.",
    ),
    "with-a-move": (
        then(PLAYED[:8], [(1, SeatResigned(1)), (LEDGER, OVER), (2, MOVE)]),
        "actions",
        11,
        "Step 8 has 3 events, not 2: it does not belong there.",
    ),
    "another-reason": (
        then(PLAYED[:8], [(1, SeatResigned(1)), (LEDGER, MatchClosed("finished", OVER.standings))]),
        "result",
        10,
        "The match was closed as finished, but a seat resigned.",
    ),
    "another-result": (
        then(PLAYED[:8], [(2, SeatResigned(2)), (LEDGER, OVER)]),
        "result",
        10,
        "The rules say 1: seat: 1, the record says 2.",
    ),
}
"""What is said about somebody who gives up, and which check says it."""


FORFEIT = MoveForfeited(PLAYED[8].event.seat, "late", "greedy")  # type: ignore[attr-defined]
"""Whoever acts in event 9 does not; greedy might have done the same in its place."""
RESIGNS = MoveForfeited(FORFEIT.seat, "late", "resignation")
NEXT = PLAYED[8].event

FORFEITING = {
    "another's-move": (
        then(PLAYED[:8], [(LEDGER, MoveForfeited(3 - FORFEIT.seat, "late", "greedy"))]),
        9,
        f"Seat {3 - FORFEIT.seat} had no move to forfeit.",
    ),
    "before-all-sit": (then(PLAYED[:2], [(LEDGER, FORFEIT)]), 3, f"Seat {FORFEIT.seat} had no move to forfeit."),
    "before-the-deal": (then(PLAYED[:3], [(LEDGER, FORFEIT)]), 4, f"Seat {FORFEIT.seat} had no move to forfeit."),
    "with-the-move": (
        then(PLAYED[:8], [(LEDGER, FORFEIT), (FORFEIT.seat, NEXT)]),
        10,
        "Step 8 has 2 events, not 1: it does not belong there.",
    ),
    "twice": (
        then(PLAYED[:8], [(LEDGER, FORFEIT)], [(LEDGER, FORFEIT)]),
        10,
        f"Seat {FORFEIT.seat} forfeited its move; next, greedy moves for the seat, before anything else.",
    ),
    "resigned-instead": (
        then(PLAYED[:8], [(LEDGER, FORFEIT)], [(FORFEIT.seat, SeatResigned(FORFEIT.seat)), (LEDGER, OVER)]),
        10,
        f"Seat {FORFEIT.seat} forfeited its move; next, greedy moves for the seat, before anything else.",
    ),
    "moved-instead": (
        then(PLAYED[:8], [(LEDGER, RESIGNS)], [(FORFEIT.seat, NEXT)]),
        10,
        f"Seat {FORFEIT.seat} forfeited its move; next, the seat resigns, before anything else.",
    ),
    "somebody-else-resigned": (
        then(PLAYED[:8], [(LEDGER, RESIGNS)], [(3 - FORFEIT.seat, SeatResigned(3 - FORFEIT.seat)), (LEDGER, OVER)]),
        10,
        f"Seat {FORFEIT.seat} forfeited its move; next, the seat resigns, before anything else.",
    ),
    "a-long-story": (
        then(PLAYED[:8], [(LEDGER, MoveForfeited(FORFEIT.seat, "died", "greedy", "x" * (MAX_SAID + 1)))]),
        9,
        "What it said has more than 200 characters.",
    ),
}
"""What `actions` says about a move that was forfeited."""


def said(envelopes: list[Envelope], check: str) -> tuple[str, int, str]:
    """The outcome of one check, with the event it names and its words."""
    verdict = audit(rehashed(AZUL, renumbered(envelopes), signatures=()))[check]
    return verdict.outcome, verdict.seq, verdict.why


@pytest.mark.parametrize("envelopes, seq, why", SEATS.values(), ids=SEATS)
def test_seats(envelopes: list[Envelope], seq: int, why: str) -> None:
    assert said(envelopes, "actions") == ("failed", seq, why)


def test_a_nonce_may_be_as_long_as_that() -> None:
    assert said(then(PLAYED[:1], [(1, SeatTaken(1, "x" * MAX_NONCE))]), "actions")[0] == "passed"


@pytest.mark.parametrize("envelopes, check, seq, why", PLAY.values(), ids=PLAY)
def test_play(envelopes: list[Envelope], check: str, seq: int, why: str) -> None:
    assert said(envelopes, check) == ("failed", seq, why)


def test_an_action_while_a_deal_is_waited_for(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = azul(confirm_reveals=True)
    while live.game.rules.request(live.table.state) is None:
        move(ledger, live)
    verdict = audit(with_more(from_store(ledger.store, live.id), (1, MOVE)))["actions"]
    assert (verdict.seq, verdict.why) == (live.head.seq + 1, "The deal was due before anybody could act.")


def test_a_draw_may_wait_after_an_action_of_one_event(ledger: LocalLedger) -> None:
    live = open_match(ledger, "coloretto", 3, players=THREE, confirm_reveals=True)
    while live.game.rules.request(live.table.state) is None:
        move(ledger, live)
    assert len(live.step_entries(live.head.step)) == 1
    assert audit(from_store(ledger.store, live.id)).is_clean


@pytest.mark.parametrize("envelopes, seq, why", UNDOING.values(), ids=UNDOING)
def test_undoing(envelopes: list[Envelope], seq: int, why: str) -> None:
    assert said(envelopes, "undo") == ("failed", seq, why)


@pytest.mark.parametrize("envelopes, check, seq, why", RESIGNING.values(), ids=RESIGNING)
def test_resigning(envelopes: list[Envelope], check: str, seq: int, why: str) -> None:
    assert said(envelopes, check) == ("failed", seq, why)


@pytest.mark.parametrize("envelopes, seq, why", FORFEITING.values(), ids=FORFEITING)
def test_forfeiting(envelopes: list[Envelope], seq: int, why: str) -> None:
    assert said(envelopes, "actions") == ("failed", seq, why)


def test_only_the_ledger_says_that_a_move_was_forfeited() -> None:
    verdict = said(then(PLAYED[:8], [(FORFEIT.seat, FORFEIT)]), "format")
    assert verdict == ("failed", 9, f"{FORFEIT.seat} cannot be the one who did this.")


def test_a_forfeited_move_that_greedy_makes_is_in_order() -> None:
    assert said(then(PLAYED[:8], [(LEDGER, FORFEIT)], [(FORFEIT.seat, NEXT)]), "actions")[0] == "passed"
