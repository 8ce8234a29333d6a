"""A match as evidence: the stored bytes and whatever vouches for them, wherever they come from."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import force_setattr

from events.chain import Chain, Row
from events.core import Seat
from service.store.shapes import PERSON, Hearsay, JournalRow, RemarkRow
from service.store.store import Store
from service.trust.journal import read_entry
from service.trust.statements import Signed, Statement, read_statement

_UNREADABLE_HEARSAY: Final = "a statement of another ledger that is kept with it does not read."


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
    signatures: Sequence[Signed] = ()
    """What somebody signed about its heads and sent with it."""
    entries: Sequence[JournalRow] = ()
    """For a match of a ledger: what the ledger's journal says about it."""
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
    chain: Chain = None  # type: ignore[assignment]
    """The rows walked. A reader that walked them on its way hands the walk over; otherwise it is made here."""

    def __post_init__(self) -> None:
        if self.chain is None or self.chain.match != self.match or self.chain.rows != self.rows:
            force_setattr(self, "chain", Chain(self.match, self.rows))

    @property
    def stated(self) -> list[Statement]:
        """What the ledger itself stated about it, as far as that reads."""
        return [statement for entry in self.entries if (statement := read_entry(entry)) is not None]

    @property
    def broken_row(self) -> tuple[int, str] | None:
        """The first event that is not what its hash or its place says, and what is wrong with it."""
        if self.chain.opened is None:
            return 1, "event 1 does not open a match"
        broken = self.chain.broken
        return None if broken is None else (broken.position, broken.flaw)

    @property
    def broken_end(self) -> tuple[int, str] | None:
        """What is wrong with the count or the head of events that follow from each other."""
        last = len(self.rows)
        if self.count != last:
            return last, f"{self.count} events are promised, and {last} are there"
        is_right = self.head in ("", self.chain.head.hex())
        return None if is_right else (last, f"the head is not the hash after event {last}")

    @property
    def is_broken(self) -> bool:
        """Whether its events do not follow from each other to the head it names."""
        return (self.broken_row or self.broken_end) is not None


def from_store(store: Store, text: str) -> Evidence:
    """What a store holds of the match that a text names, all of one moment even while somebody plays on."""
    with store.snapshot():
        row = store.find(text)
        match = row.id
        rows, seats, remarks = store.rows(match), store.seats(match), store.remarks(match)
        signatures, hearsay, entries = store.signatures(match), store.hearsay(match), store.entries(match)
    foreign = [statement for heard in hearsay if (statement := read_hearsay(heard)) is not None]
    head = row.head.hash
    return Evidence(
        source=match,
        match=match,
        rows=rows,
        count=row.head.seq,
        # SQLite keeps whatever a hand put there; evidence says what it found.
        head=head.hex() if isinstance(head, bytes) else str(head),
        names={seat.seat: seat.name for seat in seats},
        signatures=[*signatures, *foreign],
        entries=entries,
        remarks=[_UNREADABLE_HEARSAY] * (len(foreign) < len(hearsay)),
        kinds={seat.seat: seat.kind for seat in seats if seat.kind != PERSON},
        annotations=remarks,
    )


def read_hearsay(heard: Hearsay) -> Statement | None:
    """What another ledger stated; None where it does not read."""
    if not isinstance(heard.data, bytes) or not isinstance(heard.signature, bytes):
        return None  # databases keep whatever type a hand put there
    return read_statement(heard.data, heard.signature.hex())
