"""A match as evidence: the stored bytes and whatever vouches for them, wherever they come from."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from events.core import Seat
from service.play.ledger import Ledger
from service.store.shapes import PERSON, RemarkRow, Row, Signature
from service.store.store import Store

__all__ = ["Evidence", "Signature", "from_ledger", "settled"]

_TRIES = 5
"""How often a match is read again because it moved between two questions."""


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
    return settled(ledger.store, ledger.store.find(text).id)


def settled(store: Store, match: str) -> Evidence:
    """What a store holds of a match, its head and its events of one moment even while somebody plays on."""
    row, rows = store.find(match), store.rows(match)
    for _ in range(_TRIES):
        if len(rows) <= row.head.seq:
            break
        row, rows = store.find(match), store.rows(match)
    head, seats = row.head.hash, store.seats(match)
    return Evidence(
        source=match,
        match=match,
        rows=rows,
        count=row.head.seq,
        # SQLite keeps whatever a hand put there; evidence says what it found.
        head=head.hex() if isinstance(head, bytes) else str(head),
        names={seat.seat: seat.name for seat in seats},
        signatures=store.signatures(match),
        kinds={seat.seat: seat.kind for seat in seats if seat.kind != PERSON},
        annotations=store.remarks(match),
    )
