"""The journal: the ledger's own chain of statements, walked from its first entry to its last."""

from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Struct, field

from service.store.shapes import JournalRow
from service.trust.keys import fingerprint, verify
from service.trust.statements import NOBODY, OF_KEYS, Statement, read_statement

OPEN_END: Final = 10**9
"""The last place of the key that signs now: no journal gets so far."""


class Period(Struct, frozen=True):
    """The entries that one key is answerable for."""

    key: str
    first: int
    last: int
    is_adopted: bool = False
    """Whether it went on where a key stopped that it did not follow by rotation."""

    def __str__(self) -> str:
        how = "adopted" if self.is_adopted else "began"
        return f"key {fingerprint(self.key)} {how} at entry {self.first}"


class Journal(Struct, frozen=True):
    """What a walk along the journal found."""

    count: int = 0
    head: str = NOBODY
    """The hash of the last entry."""
    at: str = ""
    """When it was made."""
    flaw: tuple[int, str] | None = None
    """The first entry that is not what it should be, and what is wrong with it."""
    periods: tuple[Period, ...] = ()
    is_known: bool = False
    """Whether the key that signs now is known to be the ledger's."""
    hashes: dict[int, str] = field(default_factory=dict)
    """The hashes of the entries that were asked for."""

    @property
    def key(self) -> str:
        """The key that signs now; empty while nothing is signed."""
        return self.periods[-1].key if self.periods else ""

    def answers(self, key: str, place: int) -> bool:
        """Whether this key was the one to sign the entry at that place."""
        return any(period.key == key and period.first <= place <= period.last for period in self.periods)


def read_entry(row: JournalRow) -> Statement | None:
    """The statement an entry holds; None where it holds none."""
    return read_statement(row.data, row.signature.hex())


def walk(rows: Iterable[JournalRow], wanted: Collection[int] = ()) -> Journal:
    """Hold every entry to the one before it and to the key that had to sign it.

    Every entry names the hash of the one before, so the signature of the last covers them all; beside it only those
    by which a key takes over are verified here. Those about a match are verified by its audit.
    """
    count, head = 0, NOBODY
    last: Statement | None = None
    periods: list[Period] = []
    hashes: dict[int, str] = {}
    for row in rows:
        statement = read_entry(row)
        flaw = _flaw(row, statement, count + 1, head, periods)
        if flaw or statement is None:
            return Journal(count, head, last.at if last else "", (count + 1, flaw), tuple(periods), hashes=hashes)
        if statement.kind in OF_KEYS:
            if periods:
                periods[-1] = Period(periods[-1].key, periods[-1].first, count, periods[-1].is_adopted)
            periods.append(Period(statement.key, count + 1, OPEN_END, statement.kind == "adopted"))
        count, head, last = count + 1, statement.hash.hex(), statement
        if count in wanted:
            hashes[count] = head
    wrong = None
    if last is not None and not verify(last.key, last.text, last.signature):
        wrong = (count, "its signature is not genuine")
    return Journal(count, head, last.at if last else "", wrong, tuple(periods), hashes=hashes)


def _flaw(row: JournalRow, statement: Statement | None, place: int, head: str, periods: list[Period]) -> str:
    if not isinstance(row.place, int):
        return f"its place is {row.place!r:.40}, which is no number"
    if row.place != place:
        return "it is missing" if row.place > place else f"entry {row.place} stands there"
    if statement is None:
        return "it holds no statement that reads"
    if statement.place != place or statement.previous != head:
        return "it does not follow from the entry before it"
    if row.hash != statement.hash:
        return "its hash is not that of what it says"
    is_about_keys = statement.kind in OF_KEYS
    if row.match != ("" if is_about_keys else statement.match):
        return f"it is about match {statement.match!r}, and listed under {row.match!r}"
    if is_about_keys:
        before = periods[-1].key if periods else NOBODY
        if statement.head != before or (statement.kind == "adopted") > bool(periods):
            return "the key it names as the one before is not the one before"
        if not verify(statement.key, statement.text, statement.signature):
            return "its signature is not genuine"
    elif not periods or statement.key != periods[-1].key:
        return f"key {fingerprint(statement.key)} signed it, which was not the ledger's key then"
    return ""
