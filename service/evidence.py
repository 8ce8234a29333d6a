"""A match as evidence: the stored bytes and whatever vouches for them, wherever they come from."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from events.core import Seat
from service.ledger import Ledger
from service.store.shapes import MatchRow, Row, SeatRow, Signature

__all__ = ["Evidence", "Signature", "from_ledger", "from_store"]


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


def from_ledger(ledger: Ledger, text: str) -> Evidence:
    """A stored match as evidence."""
    store = ledger.store
    row = store.find(text)
    return from_store(row, store.rows(row.id), store.signatures(row.id), store.seats(row.id))


def from_store(
    row: MatchRow, rows: Sequence[Row], signatures: Sequence[Signature], seats: Sequence[SeatRow] = ()
) -> Evidence:
    """What a store holds of a match, as evidence."""
    head = row.head.hash
    return Evidence(
        source=row.id,
        match=row.id,
        rows=rows,
        count=row.head.seq,
        # SQLite keeps whatever a hand put there; evidence says what it found.
        head=head.hex() if isinstance(head, bytes) else str(head),
        names={seat.seat: seat.name for seat in seats},
        signatures=signatures,
    )
