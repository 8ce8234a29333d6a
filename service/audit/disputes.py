"""Disputes in order: opened, then ruled or withdrawn, then appealed, then decided, and nothing after the final word."""

from collections.abc import Sequence
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

_DISPUTE_TYPES: Final = frozenset(get_args(DisputeEvent))
_FOLLOWS: Final[dict[type[Event], tuple[type[Event], ...]]] = {
    DisputeRuled: (DisputeOpened,),
    DisputeWithdrawn: (DisputeOpened,),
    DisputeAppealed: (DisputeRuled,),
    AppealDecided: (DisputeAppealed,),
}
"""What must have happened last in a dispute."""


def check_disputes(envelopes: Sequence[Envelope], findings: Findings) -> None:
    """Hold the disputes of a match to the order they can come in."""
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
    findings.passed("disputes", f"{len(latest)} disputes" if latest else "none")
