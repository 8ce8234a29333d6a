"""What the service answers requests with, beside the matches and the questions themselves."""

from typing import Any

from msgspec import Struct

from events.core import Actor, Seat
from service.shell.answers.listing import DamagedMatch, ListedMatch
from service.shell.answers.match import MatchAnswer
from service.shell.answers.refusals import Problem
from service.store.shapes import Grant
from service.trust.receipts import Receipt
from service.trust.tokens import hashed


class Tokens(Struct, frozen=True):
    """Tokens of a match. They are shown once: the ledger keeps only their hashes."""

    host: str
    """Gives, renews and revokes the others, renames, seats bots, abandons."""
    seats: dict[Seat, str]
    """For every seat that no bot has; the token of a free one takes it."""
    arbiter: str
    spectator: str | None
    """For those who may look at a private match."""

    @property
    def grants(self) -> list[Grant]:
        """What the ledger keeps of them."""
        found = [Grant("host", 0, hashed(self.host)), Grant("arbiter", 0, hashed(self.arbiter))]
        found += [Grant("seat", seat, hashed(token)) for seat, token in self.seats.items()]
        return [*found, Grant("spectator", 0, hashed(self.spectator))] if self.spectator is not None else found


class Opened(Struct, frozen=True):
    """A match that was opened, and what its host needs."""

    match: MatchAnswer
    tokens: Tokens
    receipt: Receipt | None
    """What whoever sits there can hold the ledger to."""


class GivenToken(Struct, frozen=True, omit_defaults=True):
    """A token of a match; the text only where it was made just now."""

    role: str
    seat: int
    is_active: bool
    token: str = ""


class MatchPage(Struct, frozen=True):
    """Matches, the one moved last first."""

    matches: list[ListedMatch]
    damaged: list[DamagedMatch]
    """Those among them that do not read."""
    next: str | None
    """The cursor of the next page; null on the last one."""
    total: int | None = None
    """On the first page: how many matches fit the filters; null where there are too many to count."""


class EventPage(Struct, frozen=True):
    """Events of a match in order, each in its envelope as the ledger keeps it, with the chain's hash after each."""

    match: str
    head: int
    """The last event of the match."""
    events: list[Any]
    hashes: list[str]
    names: dict[Seat, str]
    kinds: dict[Seat, str]
    """Who sits where: `person`, or `bot:` and the name of the bot."""


class Done(Struct, frozen=True, omit_defaults=True):
    """What a request did, and where the match stands now."""

    match: str
    head: int
    first: int
    """The first event it added."""
    last: int
    """The last event it added; bots may have gone on since."""
    repeated: bool
    """Whether it was carried out before, under the same Idempotency-Key."""
    told: list[str]
    """A sentence for each event it added."""
    status: str
    turn: list[Seat]
    scores: list[int]
    seat: Seat = 0
    """For whoever sat down: the seat."""
    token: str = ""
    """For whoever sat down: the token of the seat. It is shown once."""
    receipt: Receipt | None = None
    """For whoever sat down: what the ledger can be held to."""


class Imported(Struct, frozen=True, omit_defaults=True):
    """What became of one match of a record."""

    outcome: str
    """`imported`, `present` when the ledger had it already, or `refused`."""
    match: str = ""
    events: int = 0
    remarks: list[str] = []
    token: str = ""
    """The host's token of a match that was imported; shown once."""
    problem: Problem | None = None


class StepMessage(Struct, frozen=True):
    """One step as a stream tells it."""

    match: str
    step: int
    first: int
    """Its first event."""
    last: int
    """Its last event; also the `id` of the message."""
    actor: Actor
    told: list[str]
    """A sentence for each event."""
    events: list[Any]
    """Each event as the ledger keeps it."""
    undone: list[int]
    """Steps it took back."""
    redone: list[int]
    """Steps it played again."""
