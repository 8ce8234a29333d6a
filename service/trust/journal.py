"""The journal: the ledger's own chain of statements, walked from its first entry to its last."""

from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from service.store.shapes import Hearsay, JournalRow
from service.trust.keys import fingerprint, verify
from service.trust.statements import NOBODY, NOTHING, OF_KEYS, Statement, read_statement

OPEN_END: Final = 10**9
"""The last place of the key that signs now: larger than any journal."""
_ABOUT_KEYS: Final = tuple(f"kind {kind}".encode() for kind in OF_KEYS)
_ABOUT_AN_AUDIT: Final = b"kind audited"
_LINES_OF_AN_ENTRY: Final = 13
"""Twelve lines, and nothing after the last."""


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
    audited: Statement | None = None
    """The last clean audit that was stated."""

    @property
    def key(self) -> str:
        """The key that signs now; empty while nothing is signed."""
        return self.periods[-1].key if self.periods else ""

    def answers(self, key: str, place: int) -> bool:
        """Whether this key was the one to sign the entry at that place."""
        return any(period.key == key and period.first <= place <= period.last for period in self.periods)


def read_entry(row: JournalRow | Hearsay) -> Statement | None:
    """The statement an entry of a journal holds, ours or another ledger's; None where it holds none."""
    return read_statement(row.data, row.signature.hex())


def walk(rows: Iterable[JournalRow], wanted: Collection[int] = (), since: Statement | None = None) -> Journal:
    """Hold every entry to the one before it and to the key that had to sign it; from one about a match on, if given.

    Every entry names the hash of the one before, so the signature of the last covers them all; beside it only those
    by which a key takes over, and those about audits, are verified here. Those about a match are verified by its audit.
    """
    count, head = (0, NOBODY) if since is None else (since.place - 1, since.previous)
    periods = [] if since is None else [Period(since.key, since.place, OPEN_END)]
    hashes: dict[int, str] = {}
    last: JournalRow | None = None
    audited: JournalRow | None = None
    for row in rows:
        flaw = _flaw(row, count + 1, head, periods)
        if flaw:
            break
        count, head, last = count + 1, row.hash.hex(), row
        if count in wanted:
            hashes[count] = head
        if not row.match and _ABOUT_AN_AUDIT in row.data:
            audited = row
    else:
        flaw = ""
    end = None if last is None else read_entry(last)
    wrong = (count + 1, flaw) if flaw else None
    if wrong is None and last is not None and (end is None or not verify(end.key, last.data, end.signature)):
        wrong = (count, "its signature is not genuine")
    stated = None if audited is None else read_entry(audited)
    return Journal(count, head, end.at if end is not None else "", wrong, tuple(periods), hashes=hashes, audited=stated)


def _flaw(row: JournalRow, place: int, head: str, periods: list[Period]) -> str:
    """What is wrong with an entry. It looks at bytes where it can: a journal may be as long as a ledger is old."""
    if row.place != place:
        return "it is missing" if row.place > place else f"entry {row.place} is there instead"
    lines = row.data.split(b"\n")
    if len(lines) != _LINES_OF_AN_ENTRY:
        return "it holds no readable statement"
    if lines[-3] != b"place %d" % place or lines[-2] != b"previous " + head.encode():
        return "it does not follow from the entry before it"
    if row.hash != sha256(row.data).digest():
        return "its hash is not that of what it says"
    if lines[1] in _ABOUT_KEYS:
        return _take_over(row, periods)
    is_about_an_audit = lines[1] == _ABOUT_AN_AUDIT
    if is_about_an_audit and row.match:
        return f"it is about an audit of the ledger, and listed under match {row.match!r}"
    about = NOTHING if is_about_an_audit else row.match
    if lines[2] != b"match " + about.encode("utf-8", "surrogatepass"):
        return f"it is not about the match it is listed under, {row.match!r}"
    if not periods or lines[-4] != b"key " + periods[-1].key.encode():
        return "it is signed by a key that was not the ledger's then"
    return _flaw_of_audit(row) if is_about_an_audit else ""


def _flaw_of_audit(row: JournalRow) -> str:
    statement = read_entry(row)
    if statement is None:
        return "it holds no readable statement"
    return "" if verify(statement.key, statement.text, statement.signature) else "its signature is not genuine"


def _take_over(row: JournalRow, periods: list[Period]) -> str:
    """What is wrong with an entry by which a key takes over; where nothing is, its time begins."""
    statement = read_entry(row)
    if statement is None:
        return "it holds no readable statement"
    if row.match:
        return f"it is about keys, and listed under match {row.match!r}"
    if not verify(statement.key, statement.text, statement.signature):
        return "its signature is not genuine"
    if statement.head != (periods[-1].key if periods else NOBODY) or (statement.kind == "adopted") > bool(periods):
        return "the key it names as the one before is not the one before"
    if periods:
        periods[-1] = replace(periods[-1], last=row.place - 1)
    periods.append(Period(statement.key, row.place, OPEN_END, statement.kind == "adopted"))
    return ""
