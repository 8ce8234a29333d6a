"""The values that go into the store and come out of it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import Struct

from events.chain import Row
from service.errors import UsageError

LAST: Final = "last"
"""The word for the match that moved most recently; no match has it for an id."""


class Head(Struct, frozen=True):
    """Where a match stands: its last event, its last step and the chain hash after them."""

    seq: int
    step: int
    hash: bytes


class CommandKey(Struct, frozen=True):
    """A request that may be sent twice and must be carried out once."""

    id: str
    fingerprint: bytes
    """Tells a repeated request from another one that took the same id."""


PERSON: Final = "person"


class SeatRow(Struct, frozen=True):
    """Who sits where. Names live outside the chain, so they can be changed and forgotten."""

    seat: int
    name: str
    kind: str = PERSON
    """`person`, or `bot:` and the name of the bot."""


class RemarkRow(Struct, frozen=True):
    """Something people wrote around a match: a tag of their own, or a comment. Outside the chain, like names."""

    step: int
    """The step it follows; 0 stands before the first."""
    kind: str
    """`tag`, `line` for a comment on a line of its own, or `end` for one at the end of the step's line."""
    name: str
    """The name of a tag; empty for a comment."""
    text: str


class NewMatchRow(Struct, frozen=True):
    """What is known about a match when it is opened and never changes afterwards."""

    game: str
    ruleset: str
    seats: int
    undo: str
    chance: str
    parent: str | None = None
    """The match this one was forked from; it need not be in the same store."""
    secret: bytes | None = None
    seed: str = ""
    opened_at: datetime | None = None
    """When a match that comes from elsewhere was opened; now, for one that is opened here."""
    remarks: Sequence[RemarkRow] = ()


class MatchRow(Struct, frozen=True):
    """One match as a listing shows it."""

    id: str
    game: str
    ruleset: str
    seats: int
    status: str
    undo: str
    chance: str
    parent: str | None
    opened_at: datetime
    moved_at: datetime
    head: Head


class Signature(Struct, frozen=True):
    """Somebody's Ed25519 signature over a head: this match had so many events and ended with this hash."""

    match: str
    count: int
    head: str
    """The chain hash after event `count`, in hexadecimal."""
    key: str
    """The public key, 32 bytes in hexadecimal."""
    signature: str
    """64 bytes in hexadecimal."""


class Grant(NamedTuple):
    """What the bearer of a token may do in one match; the token itself is never stored."""

    role: str
    """`host`, `seat`, `arbiter`, or `spectator` in a private match."""
    seat: int
    """Which seat; 0 for every other role."""
    hash: bytes
    """SHA-256 of the token; empty once it was revoked."""


class JournalRow(NamedTuple):
    """One entry of the ledger's journal: a signed statement in its canonical bytes (service.trust.statements)."""

    place: int
    """Dense from 1."""
    match: str
    """The match it is about; empty for one about the ledger itself."""
    data: bytes
    signature: bytes
    hash: bytes
    """SHA-256 over `data`, which names the hash of the entry before."""


class Hearsay(NamedTuple):
    """A statement of another ledger that came with a match: its canonical bytes and the signature over them."""

    match: str
    data: bytes
    signature: bytes


class JournalEnd(NamedTuple):
    """Where the journal stands at the moment it is added to."""

    last: JournalRow | None
    matches: int
    """How many other matches there are while nothing is in the journal; not counted once there is."""


Entries = Callable[[JournalEnd], Sequence[JournalRow]]
"""Makes the entries that follow the journal's end; asked while nobody else can add to it."""


class Append(Struct, frozen=True):
    """Everything one step writes; all of it is stored, or none."""

    match: str
    expected: int
    """The head the caller saw; 0 for a new match."""
    rows: Sequence[Row]
    """Dense from `expected + 1`."""
    head: Head
    """The head afterwards."""
    status: str
    """`open`, `playing` or `closed`."""
    at: datetime
    new: NewMatchRow | None = None
    seats: Sequence[SeatRow] = ()
    command: CommandKey | None = None
    signatures: Sequence[Signature] = ()
    """Signatures over heads of this match, stored with the step or not at all."""
    hearsay: Sequence[Hearsay] = ()
    """What other ledgers stated about this match, stored with the step or not at all."""
    entries: Entries | None = None
    """What the journal says about this step, stored with it or not at all."""
    grants: Sequence[Grant] = ()
    """Tokens given with this step; one for the same role and seat replaces the one before."""


class Appended(Struct, frozen=True):
    """Which events an append stored; `repeated` when an earlier append with the same command had stored them."""

    match: str
    first_seq: int
    last_seq: int
    repeated: bool = False
    entries: Sequence[JournalRow] = ()
    """What the journal said about it."""


def signature_record(signature: Signature) -> tuple[int, bytes, bytes, bytes]:
    """Count, public key, head hash and signature as the database keeps them."""
    texts = (signature.key, signature.head, signature.signature)
    try:
        key, head, signed = map(bytes.fromhex, texts)
    except ValueError as error:
        raise UsageError(
            "store/signature", f"That signature of match {signature.match!r} is not hexadecimal: {' '.join(texts)!r}."
        ) from error
    return signature.count, key, head, signed
