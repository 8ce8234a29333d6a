"""The last clean audit of a ledger, stated in its journal: what a later audit may skip, and how it is stated itself.

A statement of a clean audit names an entry of the journal, by its place and its hash. It covers the head that the
journal, up to there, last gave of each match. A match is skipped while its stored head is that one and nothing was
stated about it since: so no list of what was audited is kept, and none can be put in place of another.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain, islice
from typing import Final, NamedTuple

from service.errors import Damaged, UsageError
from service.play.notary import Notary
from service.store.shapes import Head, JournalRow
from service.store.store import Store
from service.trust.journal import Journal, read_entry
from service.trust.statements import NOTHING, Draft, Statement

_HEADS_AT_ONCE: Final = 500
_PASSED_AT_ONCE: Final = 5_000
"""Skipped matches after which progress is reported, so that a bar moves where nothing has changed."""


class AuditTask(NamedTuple):
    """Matches to audit, and how many before them were skipped."""

    ids: list[str]
    unchanged: int = 0


def check_asked(*, since: bool, full: bool, keys: Sequence[str], arbiters: Sequence[str]) -> None:
    """Refuse keys and arbiters given by hand: a clean audit is stated by the ledger's own key and arbiters only."""
    if since and full:
        raise UsageError("audit/since", "'since' rests on the last clean audit and 'full' ignores it; choose one.")
    others = [f"key {key!r}" for key in keys] + [f"arbiter {arbiter!r}" for arbiter in arbiters]
    if (since or full) and others:
        raise UsageError(
            "audit/since",
            f"A clean audit is stated by this ledger's own key and its registered arbiters; leave out {others[0]}, or"
            f" {'since' if since else 'full'!r}.",
        )


def program() -> str:
    """What a statement says it was audited by: another version may know other rules, or look closer."""
    return f"matchledger/{version('matchledger')}"


def last_clean(store: Store, journal: Journal) -> Statement | None:
    """The clean audit that the next may rest on; asked in the snapshot in which the journal was walked.

    None where there is none, where another version of the program made it, and where a key kept the journal then that
    the one of today did not follow by rotation.
    """
    said = journal.audited
    if said is None or journal.flaw is not None or said.ruleset != program():
        return None
    if any(period.is_adopted and period.first > said.place for period in journal.periods):
        return None
    if not said.count:
        return said
    covered = next(store.journal(after=said.count - 1), None)
    is_there = covered is not None and (covered.place, covered.hash.hex()) == (said.count, said.head)
    return said if is_there and said.count < said.place else None


def everything(store: Store, sizes: Iterable[int]) -> Iterator[AuditTask]:
    """Every match, so many at a time; those that came meanwhile are the last."""
    ids = chain.from_iterable(store.ids(_HEADS_AT_ONCE))
    for size in sizes:
        yield AuditTask(list(islice(ids, size)))
    while rest := list(islice(ids, _HEADS_AT_ONCE)):
        yield AuditTask(rest)


def changed(store: Store, clean: Statement, size: int, always: Collection[str] = ()) -> Iterator[AuditTask]:
    """Every match whose head the clean audit does not cover, and those that are asked about always."""
    ids: list[str] = []
    unchanged = 0
    for page in store.ids(_HEADS_AT_ONCE):
        said = store.last_said(page)
        for match in page:
            if match not in always and match in said and _is_covered(*said[match], clean):
                unchanged += 1
            else:
                ids.append(match)
            if len(ids) == size or unchanged == _PASSED_AT_ONCE:
                yield AuditTask(ids, unchanged)
                ids, unchanged = [], 0
    if ids or unchanged:
        yield AuditTask(ids, unchanged)


def _is_covered(head: Head | Damaged, last: JournalRow, clean: Statement) -> bool:
    """Whether the last word of the journal about a match is of this head, and was there before the clean audit began.

    It looks at bytes, which the walk along the journal has held to their hashes: reading them takes ten times as long.
    """
    if isinstance(head, Damaged) or last.place > clean.count:
        return False
    return b"\ncount %d\nhead %s\n" % (head.seq, head.hash.hex().encode()) in last.data


def state_clean(notary: Notary, store: Store, journal: Journal) -> Statement:
    """Enter into the journal that every match it knew when the audit began was clean."""
    said = Draft("audited", NOTHING, NOTHING, NOTHING, program(), journal.count, journal.head)
    statement = read_entry(store.enter(notary.entries([said], datetime.now(UTC)))[-1])
    assert statement is not None  # it was made a moment ago
    return statement
