"""A match as evidence: the stored bytes and whatever vouches for them, wherever they come from."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from events.core import Seat
from service.ledger import Ledger
from service.store.shapes import PERSON, RemarkRow, Row


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


class Evidence(Struct, frozen=True):
    """Everything an audit may look at. Nothing in it has been checked."""

    source: str
    """What people call it: a match id in a ledger, or a file."""
    match: str
    rows: Sequence[Row]
    """The envelopes in the order they are claimed to have; a hash is empty where the source carries none."""
    count: int
    """How many events the source says there are."""
    head: str
    """The last chain hash the source says there is, in hexadecimal; empty where it says nothing."""
    names: Mapping[Seat, str] = field(default_factory=dict)
    signatures: Sequence[Signature] = ()
    lines: Mapping[int, int] = field(default_factory=dict)
    """For a file: the line that each event (by its position, from 1) stands on."""
    remarks: Sequence[str] = ()
    """What a reader of the source noticed that the bytes cannot show, such as a written total that is off."""
    is_whole: bool = True
    """Whether the source could be read to its end; the last remark says what stood in the way."""
    kinds: Mapping[Seat, str] = field(default_factory=dict)
    """Seats that are not a person: `bot:` and the name of the bot."""
    annotations: Sequence[RemarkRow] = ()
    """Tags and comments that people wrote around the match."""


def from_ledger(ledger: Ledger, text: str) -> Evidence:
    """A stored match as evidence."""
    row = ledger.store.find(text)
    seats = ledger.store.seats(row.id)
    return Evidence(
        source=row.id,
        match=row.id,
        rows=ledger.store.rows(row.id),
        count=row.head.seq,
        head=row.head.hash.hex(),
        names={seat.seat: seat.name for seat in seats},
        kinds={seat.seat: seat.kind for seat in seats if seat.kind != PERSON},
        annotations=ledger.store.remarks(row.id),
    )
