"""Disputes in order: opened, then ruled or withdrawn, then appealed, then decided, and nothing after the final word."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final, get_args

from events.codec import tag
from events.core import Envelope, Event
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    ResultFinalised,
)
from events.match import MatchClosed
from service.audit.report import Findings
from service.evidence import Evidence

_DISPUTE_TYPES: Final = frozenset(get_args(DisputeEvent))
_FOLLOWS: Final[dict[type[Event], tuple[type[Event], ...]]] = {
    DisputeRuled: (DisputeOpened,),
    DisputeWithdrawn: (DisputeOpened,),
    DisputeAppealed: (DisputeRuled,),
    AppealDecided: (DisputeAppealed,),
}
"""What must have happened last in a dispute."""


def check_disputes(
    evidence: Evidence, envelopes: Sequence[Envelope], arbiters: Sequence[str], findings: Findings
) -> None:
    """Hold the disputes of a match to their procedure; where that is not installed, to the order they can come in."""
    opened = sum(isinstance(envelope.event, DisputeOpened) for envelope in envelopes)
    findings.passed("disputes", f"{opened} disputes" if opened else "none")
    if not any(type(envelope.event) in _DISPUTE_TYPES for envelope in envelopes):
        return
    if find_spec("service.procedure") is None:
        _check_order(envelopes, findings)
        return
    rows = evidence.rows[: len(envelopes)]
    for fault in import_module("service.procedure").faults(evidence.match, rows, envelopes, arbiters):
        findings.fail("disputes", fault.seq, fault.why)


def _check_order(envelopes: Sequence[Envelope], findings: Findings) -> None:
    latest: dict[int, Event] = {}
    openers: dict[int, int] = {}
    closed = final = False
    for position, envelope in enumerate(envelopes, start=1):
        event = envelope.event
        closed = closed or isinstance(event, MatchClosed)
        if type(event) not in _DISPUTE_TYPES:
            continue
        if final:
            findings.fail("disputes", position, "It comes after the result was made final.")
        if isinstance(event, ResultFinalised):
            pending = [n for n, last in latest.items() if isinstance(last, DisputeOpened | DisputeAppealed)]
            if pending or not closed:
                what = f"dispute {pending[0]} waits for an arbiter" if pending else "the match is still open"
                findings.fail("disputes", position, f"The result was made final while {what}.")
            final = True
            continue
        number: int = event.number  # type: ignore[attr-defined]
        if isinstance(event, DisputeOpened):
            if number != len(latest) + 1:
                findings.fail("disputes", position, f"It is numbered {number}, after {len(latest)} disputes.")
            openers[number] = event.seat
        elif not isinstance(latest.get(number), _FOLLOWS[type(event)]):
            before = tag(latest[number]) if number in latest else "nothing"
            findings.fail("disputes", position, f"{tag(event)!r} in dispute {number} comes after {before!r}.")
        if isinstance(event, DisputeWithdrawn) and openers.get(number) != event.seat:
            findings.fail("disputes", position, f"Seat {event.seat} withdrew a dispute it had not opened.")
        latest[number] = event
