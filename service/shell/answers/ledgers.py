"""A ledger in numbers, as programs are told."""

from datetime import datetime

from msgspec import Struct, field

from service.store.figures import Figures, Group
from service.trust.folder import own_public_key
from service.trust.journal import read_entry


class LedgerAnswer(Struct, frozen=True):
    """What `db info` says."""

    database: str
    kind: str
    revision: str
    bytes: int
    matches: int
    events: int
    groups: list[Group]
    """By game and status."""
    entries: int
    """How long the journal is."""
    head: str
    """The hash of its last entry; empty where it has none."""
    journal_key: str
    """The public key that signed the last entry; empty where there is none, or where it does not read."""
    key: str
    """The public key in the key folder; empty where nothing was signed from here."""
    moved_at: datetime | None


def ledger_answer(figures: Figures) -> LedgerAnswer:
    """The figures with the keys they are kept by."""
    last = figures.last
    said = None if last is None else read_entry(last)
    return LedgerAnswer(
        database=figures.where,
        kind=figures.kind,
        revision=figures.revision,
        bytes=figures.bytes,
        matches=sum(group.matches for group in figures.groups),
        events=sum(group.events for group in figures.groups),
        groups=figures.groups,
        entries=0 if last is None else last.place,
        head="" if last is None else last.hash.hex(),
        journal_key="" if said is None else said.key,
        key=own_public_key(),
        moved_at=figures.moved_at,
    )


class SealedAnswer(Struct):
    """What `db seal` did."""

    matches: int = 0
    events: int = 0
    before: int = 0
    """Bytes of the events and their hashes as rows."""
    after: int = 0
    """Bytes of the seals."""
    left: list[str] = field(default_factory=list)
    """What is wrong with matches that were left as they are, one sentence each."""
    not_compacted: str = ""
    """Why the room they took was not given back to the disk; empty where it was."""
