"""Facts about disputes: what somebody claims, what an arbiter rules, and what stands in the end."""

from events.core import Event, Number, Points, ScoreLine, Seat, Standing


class DisputeOpened(Event, frozen=True, gc=False, tag="dispute.opened"):
    """A seat disputes an event or a total."""

    number: Number
    """Counts the disputes of the match from 1."""
    seat: Seat
    """Who disputes."""
    of: Seat
    """Whose points are disputed."""
    words: str
    about: Number = 0
    """The event disputed; 0 when it is the total."""
    claim: Points | None = None
    """The points of the event, or the total, that the seat says are right."""


class DisputeRuled(Event, frozen=True, gc=False, tag="dispute.ruled"):
    """The arbiter ruled: adjustments, or none."""

    number: Number
    arbiter: str
    """What the arbiter signs as: an office or a name of the arbiter's choosing."""
    key: str
    """The arbiter's public key (Ed25519) in hexadecimal."""
    signature: str
    """The arbiter's signature over match, place and content, in hexadecimal (docs/arbiters.md)."""
    rules: tuple[str, ...]
    reason: str
    scores: tuple[ScoreLine, ...] = ()
    """Adjustments; they change the ruled result and never the computed one."""


class DisputeAppealed(Event, frozen=True, gc=False, tag="dispute.appealed"):
    """A seat appealed against a ruling, which stays in force until it is overturned."""

    number: Number
    seat: Seat
    words: str


class AppealDecided(Event, frozen=True, gc=False, tag="dispute.appeal_decided"):
    """An arbiter upheld or overturned the ruling; overturned, its adjustments are replaced by these."""

    number: Number
    arbiter: str
    key: str
    signature: str
    upheld: bool
    rules: tuple[str, ...]
    reason: str
    scores: tuple[ScoreLine, ...] = ()


class DisputeWithdrawn(Event, frozen=True, gc=False, tag="dispute.withdrawn"):
    """The seat that opened a dispute took it back before it was ruled."""

    number: Number
    seat: Seat


class ResultFinalised(Event, frozen=True, gc=False, tag="dispute.result_finalised"):
    """Nothing is pending and nothing can be disputed any more: the ruled result stands."""

    arbiter: str
    key: str
    signature: str
    standings: tuple[Standing, ...]


DisputeEvent = DisputeOpened | DisputeRuled | DisputeAppealed | AppealDecided | DisputeWithdrawn | ResultFinalised
SignedEvent = DisputeRuled | AppealDecided | ResultFinalised
