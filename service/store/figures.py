"""Figures of a ledger: how much is in it, and when it was last moved."""

from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from service.errors import Damaged
from service.limits import quoted
from service.store.columns import JOURNAL, journal_row
from service.store.connect import TIMEOUT, open_database
from service.store.refusals import REVISIONS
from service.store.shapes import JournalRow
from service.store.sqlite import SqliteDatabase
from service.store.store import Store

_BY_GAME: Final = """
SELECT game, status, count(*), sum(head_seq), count(seal.match_id) FROM match LEFT JOIN seal ON seal.match_id = match.id
GROUP BY game, status ORDER BY game, status"""
_JOURNAL_END: Final = f"SELECT {JOURNAL.columns} FROM journal ORDER BY place DESC LIMIT 1"


class Group(Struct, frozen=True):
    """The matches of one game that have come equally far."""

    game: str
    status: str
    matches: int
    events: int
    sealed: int
    """How many of the matches are sealed."""


class Figures(Struct, frozen=True):
    """A ledger in numbers, all of one moment."""

    where: str
    kind: str
    revision: str
    bytes: int
    """What it takes on the disk, with its log and its indexes."""
    groups: list[Group]
    last: JournalRow | None
    """The last entry of the journal."""
    moved_at: datetime | None
    """When a match was last moved; None where there is none, or where that cell cannot be read."""


def figures_of(database: str, *, timeout: float = TIMEOUT) -> Figures:
    """Look at a ledger that is there; nothing is created, migrated or written."""
    ledger = open_database(database, read_only=True, timeout=timeout)
    with closing(ledger), ledger.snapshot():
        newest = next(iter(Store(ledger).matches(limit=1)), None)
        last = ledger.fetch(_JOURNAL_END)
        is_file = isinstance(ledger, SqliteDatabase)
        return Figures(
            where=ledger.where.strip("'"),
            kind="SQLite" if is_file else "PostgreSQL",
            revision=REVISIONS[-1],  # any other is not opened
            bytes=_file_size(ledger.path) if isinstance(ledger, SqliteDatabase) else _size_there(ledger),
            groups=[_group(*record) for record in ledger.fetch(_BY_GAME)],
            last=journal_row(last[0]) if last else None,
            moved_at=None if newest is None or isinstance(newest, Damaged) else newest.moved_at,
        )


def _group(game: object, status: object, matches: int, events: Any, sealed: int) -> Group:
    return Group(_word(game), _word(status), matches, int(events), sealed)


def _word(cell: object) -> str:
    return cell if isinstance(cell, str) else quoted(cell)


def _file_size(path: Path) -> int:
    files = (path, *(path.with_name(f"{path.name}-{end}") for end in ("wal", "journal")))
    return sum(file.stat().st_size for file in files if file.exists())


def _size_there(ledger: Any) -> int:
    return int(ledger.fetch("SELECT pg_database_size(current_database())")[0][0])
