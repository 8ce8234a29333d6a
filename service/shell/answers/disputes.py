"""The disputes of a match as programs see them."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict

from events.core import ScoreLine, Standing
from events.dispute import AppealDecided, DisputeAppealed, DisputeOpened, DisputeRuled
from projections.disputes import Dispute, docket_of
from service.play.history import History


class DisputeAnswer(Struct, frozen=True):
    """One dispute and its course so far."""

    number: int
    status: str
    opened: DisputeOpened
    event: int
    """The event that opened it."""
    opened_at: datetime
    ruling: DisputeRuled | None
    ruled_at: datetime | None
    appeal: DisputeAppealed | None
    decision: AppealDecided | None
    adjustments: Sequence[ScoreLine]
    """Those in force."""


class DocketAnswer(Struct, frozen=True):
    """The disputes of a match and both results: what play led to, and what holds after the rulings so far."""

    match: str
    disputes: list[DisputeAnswer]
    computed: Sequence[Standing]
    ruled: Sequence[Standing]
    is_final: bool
    pending: list[int]


def dispute_answer(dispute: Dispute) -> DisputeAnswer:
    """A dispute as a program reads it."""
    fields = asdict(dispute)
    event, opened_at = fields.pop("seq"), fields.pop("at")
    return DisputeAnswer(
        **fields, number=dispute.number, event=event, opened_at=opened_at, adjustments=dispute.adjustments
    )


def docket_answer(live: History) -> DocketAnswer:
    """The disputes of a match."""
    docket = docket_of(live.envelopes)
    return DocketAnswer(
        match=live.id,
        disputes=[dispute_answer(dispute) for dispute in docket.disputes.values()],
        computed=docket.computed,
        ruled=docket.ruled,
        is_final=docket.final is not None,
        pending=[dispute.number for dispute in docket.pending],
    )
