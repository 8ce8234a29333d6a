"""The procedure of disputes: what may follow what, when and by whom. Pure, so that the audit judges by the same rules.

opened ──▶ ruled ──▶ appealed ──▶ upheld | overturned
   └────▶ withdrawn
and once nothing is pending and every time limit has passed: the result is final, and nothing follows.
"""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from events.chain import Link
from events.core import ARBITER, Actor, Envelope, Event, ScoreLine
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    ResultFinalised,
    SignedEvent,
)
from events.match import MatchOpened
from projections.disputes import RULING, Dispute, Docket, Status, note
from projections.words import count
from service.errors import NotFound, Refused
from service.play.appending import check_seat
from service.trust.arbiters import is_signed

MAX_WORDS: Final = 500
RULE_ID: Final = re.compile(r"[A-Z]{1,4}-[A-Z]?\d{1,4}")

Arbiters = Collection[str] | None
"""Public keys that may rule; None when that cannot be known, and is not asked."""


class Fault(NamedTuple):
    """A dispute event that should not be there as it is."""

    seq: int
    code: str
    why: str


def judge(docket: Docket, event: DisputeEvent, at: datetime, arbiters: Arbiters) -> None:
    """Refuse an event that may not follow now; signatures are for `faults`, which knows the hashes."""
    if docket.seated < docket.opened.seats:
        raise Refused("dispute/not-started", "The match has not begun; there is nothing to dispute yet.")
    if docket.final is not None:
        raise Refused(
            "dispute/final", f"{docket.final.arbiter} has declared the result final; nothing more can be disputed."
        )
    if docket.closed is not None and not docket.closed.standings:
        raise Refused("dispute/no-result", "The match was abandoned: there is no result to dispute.")
    JUDGES[type(event)](docket, event, at, arbiters)


def actor_of(event: DisputeEvent) -> Actor:
    """Whose event it is."""
    return ARBITER if isinstance(event, SignedEvent) else event.seat


def arbiters_of(opened: MatchOpened, registered: Collection[str]) -> Collection[str]:
    """Who may rule in a match: the keys pinned when it was opened, or else those registered with the ledger."""
    return opened.arbiters or registered


def faults(match: str, links: Sequence[Link], trusted: Collection[str]) -> list[Fault]:
    """Every dispute event of a match that breaks the procedure or bears no valid signature, in order.

    The links are those that read, from the opening on. Where the match pins no arbiters, `trusted` says whose rulings
    count; where that is empty too, who ruled is not judged, only that the ruling is signed by the key it names.
    """
    docket: Docket | None = None
    head = b""
    arbiters: Arbiters = None
    found: list[Fault] = []
    for link in links:
        envelope = link.envelope
        assert envelope is not None
        event = envelope.event
        if docket is None:
            assert isinstance(event, MatchOpened)
            docket = Docket(event)
            arbiters = arbiters_of(event, trusted) or None
        if isinstance(event, DisputeEvent):
            try:
                _check_recorded(docket, match, head, envelope, event, arbiters)
            except Refused as refusal:
                found.append(Fault(envelope.seq, refusal.code, refusal.message))
        note(docket, envelope)
        head = link.hash
    return found


def _check_recorded(
    docket: Docket, match: str, head: bytes, envelope: Envelope, event: DisputeEvent, arbiters: Arbiters
) -> None:
    if envelope.actor != actor_of(event):
        raise Refused("dispute/actor", f"The event is recorded as {envelope.actor!r}'s, not {actor_of(event)!r}'s.")
    if isinstance(event, SignedEvent) and not is_signed(match, envelope.seq - 1, head, event):
        raise Refused(
            "dispute/signature", f"The signature of {event.arbiter} (key {event.key[:12]}…) does not fit what is here."
        )
    judge(docket, event, envelope.at, arbiters)


# --------------------------------------------------------------------------------------------------- one per event


def _judge_opening(docket: Docket, event: DisputeOpened, at: datetime, arbiters: Arbiters) -> None:
    check_seat(docket.opened, event.seat)
    check_seat(docket.opened, event.of)
    _check_words("words", event.words)
    if event.number != len(docket.disputes) + 1:
        raise Refused("dispute/number", f"Dispute {event.number} is out of order; {len(docket.disputes) + 1} is next.")
    if event.about and not 1 <= event.about <= docket.events:
        raise NotFound("dispute/event", f"There is no event {event.about}; choose 1–{docket.events}.")
    limit = docket.opened.dispute_within
    if docket.closed_at is not None and limit and at > docket.closed_at + timedelta(minutes=limit):
        raise Refused(
            "dispute/too-late",
            f"Disputes could be opened within {count(limit, 'minute')} of the closing at {_clock(docket.closed_at)}.",
        )
    for other in docket.disputes.values():
        same = (other.opened.seat, other.opened.about, other.opened.of) == (event.seat, event.about, event.of)
        if same and other.status != "withdrawn":
            raise Refused(
                "dispute/again",
                f"Seat {event.seat} has disputed this already: it is dispute {other.number}, {other.status}.",
            )


def _judge_ruling(docket: Docket, event: DisputeRuled, at: datetime, arbiters: Arbiters) -> None:
    _check_closed(docket)
    _check_status(docket, event.number, "opened", "ruled")
    _check_arbiter(event, arbiters)
    _check_decision(docket, event.number, event.rules, event.reason, event.scores)


def _judge_appeal(docket: Docket, event: DisputeAppealed, at: datetime, arbiters: Arbiters) -> None:
    _check_closed(docket)
    check_seat(docket.opened, event.seat)
    dispute = _check_status(docket, event.number, "ruled", "appealed")
    _check_words("words", event.words)
    limit = docket.opened.appeal_within
    assert dispute.ruled_at is not None
    if limit and at > dispute.ruled_at + timedelta(minutes=limit):
        raise Refused(
            "dispute/appeal-too-late",
            f"The ruling could be appealed within {count(limit, 'minute')} of {_clock(dispute.ruled_at)}.",
        )


def _judge_decision(docket: Docket, event: AppealDecided, at: datetime, arbiters: Arbiters) -> None:
    _check_closed(docket)
    dispute = _check_status(docket, event.number, "appealed", "decided")
    _check_arbiter(event, arbiters)
    if dispute.ruling is not None and event.key == dispute.ruling.key and len(arbiters or ()) > 1:
        raise Refused(
            "dispute/same-arbiter",
            f"{event.arbiter} gave the ruling that is appealed; another arbiter of the match decides.",
        )
    if event.upheld and event.scores:
        raise Refused("dispute/adjustment", "A ruling that is upheld keeps its adjustments; no others can be given.")
    _check_decision(docket, event.number, event.rules, event.reason, event.scores)


def _judge_withdrawal(docket: Docket, event: DisputeWithdrawn, at: datetime, arbiters: Arbiters) -> None:
    dispute = _check_status(docket, event.number, "opened", "withdrawn")
    if event.seat != dispute.opened.seat:
        raise Refused(
            "dispute/not-yours",
            f"Seat {dispute.opened.seat} opened dispute {event.number}; seat {event.seat} cannot withdraw it.",
        )


def _judge_final(docket: Docket, event: ResultFinalised, at: datetime, arbiters: Arbiters) -> None:
    _check_closed(docket)
    _check_arbiter(event, arbiters)
    if docket.pending:
        listed = ", ".join(f"{dispute.number} ({dispute.status})" for dispute in docket.pending)
        raise Refused("dispute/pending", f"The result is not final while disputes are pending: {listed}.")
    limit = docket.opened.dispute_within
    assert docket.closed_at is not None
    if limit and at <= (until := docket.closed_at + timedelta(minutes=limit)):
        raise Refused("dispute/still-open", f"Disputes may be opened until {_clock(until)}; wait for that.")
    limit = docket.opened.appeal_within
    for dispute in docket.disputes.values():
        if limit and dispute.status == "ruled" and dispute.ruled_at is not None:
            until = dispute.ruled_at + timedelta(minutes=limit)
            if at <= until:
                raise Refused(
                    "dispute/still-open",
                    f"The ruling in dispute {dispute.number} may be appealed until {_clock(until)}; wait for that.",
                )
    if event.standings != docket.ruled:
        raise Refused("dispute/standings", "The standings declared final are not those that play and rulings lead to.")


JUDGES: Final[dict[type[Event], Callable[[Docket, Any, datetime, Arbiters], None]]] = {
    DisputeOpened: _judge_opening,
    DisputeRuled: _judge_ruling,
    DisputeAppealed: _judge_appeal,
    AppealDecided: _judge_decision,
    DisputeWithdrawn: _judge_withdrawal,
    ResultFinalised: _judge_final,
}


# ------------------------------------------------------------------------------------------------- what they share


def _check_closed(docket: Docket) -> None:
    # Adjustments belong to a result that stands: what play or an undo may still change is not ruled upon.
    if docket.closed is None:
        raise Refused("dispute/still-playing", "The match is still on; arbiters rule once it is closed.")


def _check_status(docket: Docket, number: int, wanted: Status, verb: str) -> Dispute:
    dispute = find_dispute(docket, number)
    if dispute.status != wanted:
        raise Refused(
            "dispute/state", f"Dispute {number} is {dispute.status}; only one that is {wanted} can be {verb}."
        )
    return dispute


def find_dispute(docket: Docket, number: int) -> Dispute:
    """The dispute of that number, or a refusal naming those there are."""
    if number not in docket.disputes:
        listed = ", ".join(map(str, docket.disputes)) or "none"
        raise NotFound("dispute/unknown", f"There is no dispute {number} in this match; there are: {listed}.")
    return docket.disputes[number]


def _check_arbiter(event: SignedEvent, arbiters: Arbiters) -> None:
    if arbiters is not None and event.key not in arbiters:
        allowed = ", ".join(f"{key[:12]}…" for key in arbiters) or "nobody"
        raise Refused(
            "dispute/not-arbiter",
            f"{event.arbiter!r} (key {event.key[:12]}…) is not an arbiter of this match; its arbiters: {allowed}.",
        )
    _check_words("name of the arbiter", event.arbiter)


def _check_decision(
    docket: Docket, number: int, rules: Sequence[str], reason: str, scores: Sequence[ScoreLine]
) -> None:
    _check_words("reason", reason)
    if not rules:
        raise Refused("dispute/rules", "A ruling cites at least one rule.")
    for rule in rules:
        if not RULE_ID.fullmatch(rule):
            raise Refused("dispute/rules", f"{rule!r} is not the id of a rule, such as AZ-46.")
    for line in scores:
        check_seat(docket.opened, line.seat)
        if (line.reason, line.operands) != (RULING, {"dispute": number}) or line.rule not in rules:
            raise Refused("dispute/adjustment", f"An adjustment in dispute {number} is labelled as something else.")
        if line.applied != line.requested or not line.applied:
            raise Refused(
                "dispute/adjustment", f"Seat {line.seat} cannot be given {line.applied} of {line.requested} by ruling."
            )


def _check_words(what: str, words: str) -> None:
    if not words.strip() or len(words) > MAX_WORDS or not words.isprintable():
        shown = words if len(words) <= 40 else f"{words[:40]}…"
        raise Refused(
            "dispute/words", f"The {what} must be one line of 1–{MAX_WORDS} characters, not {len(words)}: {shown!r}."
        )


def _clock(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")
