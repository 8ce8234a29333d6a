"""Backup of a ledger to a file, made while others write: all of it is of one moment."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from service.errors import LedgerError
from service.store.connect import TIMEOUT, open_database
from service.store.copying import Notice, copy_ledger, unheard
from service.store.sqlite import SqliteDatabase
from service.store.sqlite_file import SqliteFile

_PAGES_PER_STEP: Final = 512
"""Two megabytes: small enough for a progress bar that moves and a Ctrl-C that works."""


def back_up(
    database: str, file: Path, *, timeout: float = TIMEOUT, begin: Notice = unheard, notice: Notice = unheard
) -> str:
    """Write all of a ledger into an empty file, which needs no companions to be read; says where the ledger is.

    A file is copied page by page as it is, damage included. A server's database becomes a file row by row.
    """
    ledger = open_database(database, read_only=True, timeout=timeout)
    with closing(ledger):
        if isinstance(ledger, SqliteDatabase):
            ledger.translated(lambda: _copy_pages(ledger, file, begin, notice))
        else:
            copy_ledger(database, str(file), timeout=timeout, begin=begin, notice=notice)
        copy = SqliteFile(file, mode="rw", timeout=timeout)
        copy.translated(lambda: _settle(copy))
        return ledger.where.strip("'")


def _copy_pages(ledger: SqliteDatabase, file: Path, begin: Notice, notice: Notice) -> None:
    with closing(ledger.connect()) as source, closing(sqlite3.connect(file)) as target:
        # Inside a transaction the copy is of one moment and never begins again, however busy others are.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM alembic_version").fetchone()
        source.backup(target, pages=_PAGES_PER_STEP, progress=_progress(begin, notice))


def _progress(begin: Notice, notice: Notice) -> Callable[[int, int, int], None]:
    before: list[int] = []

    def tell(status: int, remaining: int, total: int) -> None:
        if not before:
            begin(total)
            before.append(total)
        notice(before.pop() - remaining)
        before.append(remaining)

    return tell


def _settle(copy: SqliteFile) -> None:
    """One file that is complete by itself, without the companions SQLite keeps for a log."""
    with closing(copy.connect()) as file:
        file.execute("PRAGMA journal_mode = DELETE")


def integrity(database: str, *, timeout: float = TIMEOUT) -> list[str]:
    """What the database itself finds wrong with its file; a server looks after its own."""
    ledger = open_database(database, read_only=True, timeout=timeout)
    with closing(ledger):
        if not isinstance(ledger, SqliteDatabase):
            return []
        try:
            found = [str(words) for (words,) in ledger.fetch("PRAGMA integrity_check(10)") if words != "ok"]
            strays = ledger.fetch("PRAGMA foreign_key_check")
        except LedgerError as refusal:
            return [refusal.message]
    return found + [f"a row of {table} belongs to no row of {parent}" for table, _, parent, _ in strays[:10]]
