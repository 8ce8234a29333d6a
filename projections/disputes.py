"""The disputes of a match, folded: how far each has come, which adjustments are in force, and the ruled result."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, Literal

from msgspec import Struct, field

from events.core import Envelope, Event, ScoreLine, Seat, Standing
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    ResultFinalised,
)
from events.match import MatchClosed, MatchOpened, SeatTaken

Status = Literal["opened", "ruled", "appealed", "upheld", "overturned", "withdrawn"]

RULING: Final = "ruling"
"""The reason of every adjustment; it belongs to no game."""


class Dispute(Struct):
    """One dispute and how far it has come."""

    opened: DisputeOpened
    seq: int
    """The event that opened it."""
    at: datetime
    status: Status = "opened"
    ruling: DisputeRuled | None = None
    ruled_at: datetime | None = None
    appeal: DisputeAppealed | None = None
    decision: AppealDecided | None = None

    @property
    def number(self) -> int:
        """Which dispute of the match it is."""
        return self.opened.number

    @property
    def is_pending(self) -> bool:
        """Whether an arbiter still has to say something."""
        return self.status in ("opened", "appealed")

    @property
    def adjustments(self) -> tuple[ScoreLine, ...]:
        """The score lines in force: the ruling's until it is overturned, then the decision's."""
        if self.status == "overturned" and self.decision is not None:
            return self.decision.scores
        return self.ruling.scores if self.ruling is not None else ()


class Docket(Struct):
    """Everything about the disputes of one match, as far as its events go."""

    opened: MatchOpened
    events: int = 0
    """How many events the match has."""
    seated: int = 0
    disputes: dict[int, Dispute] = field(default_factory=dict)
    """By number."""
    closed: MatchClosed | None = None
    closed_at: datetime | None = None
    final: ResultFinalised | None = None

    @property
    def pending(self) -> list[Dispute]:
        """Disputes that wait for an arbiter."""
        return [dispute for dispute in self.disputes.values() if dispute.is_pending]

    @property
    def adjustments(self) -> list[ScoreLine]:
        """Every adjustment in force, in order of the disputes."""
        return [line for dispute in self.disputes.values() for line in dispute.adjustments]

    @property
    def computed(self) -> tuple[Standing, ...]:
        """The result of play alone; empty while the match is on and when it was abandoned."""
        return self.closed.standings if self.closed is not None else ()

    @property
    def ruled(self) -> tuple[Standing, ...]:
        """The computed result with the adjustments in force, ranked anew with the game's tie-breaks."""
        return adjusted(self.closed, self.adjustments) if self.closed is not None else ()


def docket_of(envelopes: Sequence[Envelope]) -> Docket:
    """The disputes of a match. Judges nothing: a fact about a dispute that is not there changes nothing."""
    opened = envelopes[0].event
    assert isinstance(opened, MatchOpened)
    docket = Docket(opened)
    for envelope in envelopes:
        note(docket, envelope)
    return docket


def note(docket: Docket, envelope: Envelope) -> None:
    """Write one more event down."""
    docket.events = envelope.seq
    handler = APPLY.get(type(envelope.event))
    if handler is not None:
        handler(docket, envelope, envelope.event)


def adjusted(closed: MatchClosed, lines: Sequence[ScoreLine]) -> tuple[Standing, ...]:
    """A result with adjustments: scores moved, tie-breaks as they were, whoever resigned still last."""
    if not lines:
        return closed.standings
    given = Counter[Seat]()
    for line in lines:
        given[line.seat] += line.applied
    resigned = closed.standings[-1].seat if closed.reason == "resigned" and closed.standings else 0
    keys = {
        place.seat: (place.seat != resigned, place.score + given[place.seat], place.tiebreak)
        for place in closed.standings
    }
    order = sorted(keys, key=lambda seat: (*(-part for part in keys[seat]), seat))
    return tuple(
        Standing(
            seat=seat,
            rank=1 + sum(other > keys[seat] for other in keys.values()),
            score=keys[seat][1],
            tiebreak=keys[seat][2],
        )
        for seat in order
    )


def _seat_taken(docket: Docket, envelope: Envelope, event: SeatTaken) -> None:
    docket.seated += 1


def _closed(docket: Docket, envelope: Envelope, event: MatchClosed) -> None:
    docket.closed, docket.closed_at = event, envelope.at


def _opened(docket: Docket, envelope: Envelope, event: DisputeOpened) -> None:
    docket.disputes[event.number] = Dispute(event, envelope.seq, envelope.at)


def _ruled(docket: Docket, envelope: Envelope, event: DisputeRuled) -> None:
    if dispute := docket.disputes.get(event.number):
        dispute.status, dispute.ruling, dispute.ruled_at = "ruled", event, envelope.at


def _appealed(docket: Docket, envelope: Envelope, event: DisputeAppealed) -> None:
    if dispute := docket.disputes.get(event.number):
        dispute.status, dispute.appeal = "appealed", event


def _decided(docket: Docket, envelope: Envelope, event: AppealDecided) -> None:
    if dispute := docket.disputes.get(event.number):
        dispute.status, dispute.decision = "upheld" if event.upheld else "overturned", event


def _withdrawn(docket: Docket, envelope: Envelope, event: DisputeWithdrawn) -> None:
    if dispute := docket.disputes.get(event.number):
        dispute.status = "withdrawn"


def _finalised(docket: Docket, envelope: Envelope, event: ResultFinalised) -> None:
    docket.final = event


APPLY: Final[dict[type[Event], Callable[[Docket, Envelope, Any], None]]] = {
    SeatTaken: _seat_taken,
    MatchClosed: _closed,
    DisputeOpened: _opened,
    DisputeRuled: _ruled,
    DisputeAppealed: _appealed,
    AppealDecided: _decided,
    DisputeWithdrawn: _withdrawn,
    ResultFinalised: _finalised,
}
