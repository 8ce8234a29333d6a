"""A match as evidence: the stored bytes and whatever vouches for them, wherever they come from."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr

from events.chain import Chain, Row
from events.core import Seat
from service.errors import Damaged
from service.limits import quoted
from service.play.chance import secret_flaw as secret_flaw_of
from service.store.columns import each, flawed_rows
from service.store.shapes import PERSON, JournalRow, RemarkRow
from service.store.side_tables import SideTables
from service.store.store import Store
from service.trust.journal import read_entry
from service.trust.statements import Signed, Statement

_UNREADABLE_HEARSAY: Final = "a statement of another ledger that is kept with it cannot be read."

Value = TypeVar("Value")


class StoredColumns(Struct, frozen=True):
    """What a database keeps of a match beside its events. Never the secret: only what is wrong with it."""

    cells: Mapping[str, object]
    """Its line in the listing, column by column, as it lies there."""
    seats: frozenset[Seat] = frozenset()
    """The seats somebody's name is kept for."""
    flaws: Sequence[tuple[int, str]] = ()
    """Cells that cannot be read: the event each belongs to, 0 for none, and what is wrong with it."""
    secret_flaw: str = ""
    """What is wrong with the secret kept for the draws; empty where it is the committed one, and where none is kept."""
    parent: Sequence[Row] | None = None
    """The events of the match it was forked from, if that one is here as well."""


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
    stored: StoredColumns | None = None
    """For a match of a ledger: what is kept of it beside its events."""
    chain: Chain = None  # type: ignore[assignment]
    """The rows walked. A reader that walked them on its way hands the walk over; otherwise it is made here."""
    stated: Sequence[Statement] = ()
    """What the ledger itself stated about it, as far as that reads; always made here, of the entries."""

    def __post_init__(self) -> None:
        if self.chain is None or self.chain.match != self.match or self.chain.rows != self.rows:
            force_setattr(self, "chain", Chain(self.match, self.rows))
        force_setattr(self, "stated", [said for entry in self.entries if (said := read_entry(entry)) is not None])

    @property
    def broken_row(self) -> tuple[int, str] | None:
        """The first event that is not what its hash or its place says, and what is wrong with it."""
        if self.chain.opened is None:
            trouble = self.chain.links[0].trouble if self.rows else None
            return 1, "event 1 does not open a match" + (f" ({trouble.why})" if trouble is not None else "")
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
        """Whether its events do not follow from each other to the head it names, or one of its cells cannot be read."""
        return (self.broken_row or self.broken_end) is not None or bool(self.stored and self.stored.flaws)


def from_store(store: Store, text: str, asked: Mapping[str, SideTables] | None = None) -> Evidence:
    """What a store holds of a match, all of it of one moment even while somebody plays on.

    Cells that cannot be read are left out and named among the flaws, so that everything else can still be looked at.
    What was asked for many matches at once is handed over, inside the snapshot in which it was asked.
    """
    flaws: list[Damaged] = []
    with store.snapshot():
        beside = asked[text] if asked is not None and text in asked else store.side_tables(text)
        match, cells = beside.match, beside.cells
        chain = _walked(store, match, cells["head_hash"], flaws)
        opened = chain.opened
        parent = each(store.rows, opened.parent.match) if opened is not None and opened.parent is not None else []
    seats = _sound(beside.seats, flaws)
    signatures = _sound(beside.signatures, flaws)
    remarks = _sound(beside.remarks, flaws)
    hearsay = _sound(beside.hearsay, flaws)
    _sound(beside.grants, flaws)
    secret, secret_flaw = beside.secret, ""
    if isinstance(secret, Damaged):
        flaws.append(secret)
    elif opened is not None and secret is not None:
        secret_flaw = secret_flaw_of(opened.chance, opened.commitment, *secret)
    foreign = [statement for heard in hearsay if (statement := read_entry(heard)) is not None]
    count, head = cells["head_seq"], cells["head_hash"]
    return Evidence(
        source=match,
        match=match,
        rows=chain.rows,
        count=count if isinstance(count, int) else -1,
        head=head.hex() if isinstance(head, bytes) else quoted(head),
        names={seat.seat: seat.name for seat in seats},
        signatures=[*signatures, *foreign],
        entries=beside.entries,
        remarks=[_UNREADABLE_HEARSAY] * (len(foreign) < len(hearsay)),
        kinds={seat.seat: seat.kind for seat in seats if seat.kind != PERSON},
        annotations=remarks,
        stored=StoredColumns(
            cells,
            frozenset(seat.seat for seat in seats),
            [(flaw.seq, flaw.message) for flaw in [*beside.flaws, *flaws]],
            secret_flaw,
            None if isinstance(parent, Damaged) else parent or None,
        ),
        chain=chain,
    )


def _walked(store: Store, match: str, head: object, flaws: list[Damaged]) -> Chain:
    """The events of a match; none where they lie under a seal that cannot be read, which goes to the flaws."""
    chain = each(store.chain, match, head)
    if isinstance(chain, Damaged):
        flaws.append(chain)
        return Chain(match)
    if found := flawed_rows(chain):
        flaws += found
        return Chain(match, [row if isinstance(row.seq, int) else row._replace(seq=0) for row in chain.rows])
    return chain


def _sound(found: Sequence[Value | Damaged], flaws: list[Damaged]) -> list[Value]:
    """The values that read; the others go to the flaws."""
    flaws += [value for value in found if isinstance(value, Damaged)]
    return [value for value in found if not isinstance(value, Damaged)]
