"""The SQLite file a ledger lives in: how it is opened, and what its errors mean."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from service.errors import Damaged, LedgerError, Unavailable
from service.store.columns import IllText
from service.store.refusals import (
    check_revision,
    constraint,
    forbidden,
    full,
    locked,
    not_a_ledger,
    not_writable,
    unstorable,
)

Answer = TypeVar("Answer")

_FREEZING: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""What opening a file fails with where only its own bytes can be read."""


class SqliteFile:
    """One file that is there already or is made when it is first opened."""

    def __init__(self, path: Path, *, mode: str, timeout: float) -> None:
        """`mode` is SQLite's own: `ro`, `rw`, or `rwc` to create the file."""
        self.where = f"{str(path)!r}"
        self.path = path
        self._mode = mode
        self._timeout = timeout
        self.is_frozen = False
        """Whether the file can only be read, as a copy that nobody writes to."""
        self._is_without_room = False
        self._is_logged = False
        """Whether this process has seen to the write-ahead log."""

    def connect(self, *, timeout: float | None = None) -> sqlite3.Connection:
        """A new connection with our settings; the caller closes it."""
        address = f"{self.path.absolute().as_uri()}?mode={self._mode}"
        if self.is_frozen:
            address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
        # Threads share no connection; the check is off only so that close() may close them all.
        patience = self._timeout if timeout is None else timeout
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=patience,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.text_factory = _text
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except sqlite3.Error:
            connection.close()  # the file is only looked at here: it may be locked, or no database at all
            raise
        return connection

    def probe(self) -> tuple[set[str], str | None]:
        """The tables in the file and its schema revision, however much of that there is."""
        try:
            return self._probe()
        except sqlite3.OperationalError as error:
            # A WAL file in a folder we may not write to cannot be opened the usual way. It can be read as a frozen
            # file, which is right only while nobody has left anything in the log beside it.
            # So it is where the disk has no room for the index that readers of a log share.
            if _primary(error) not in _FREEZING or not self._is_settled():
                raise self.refusal(error) from error
            self.is_frozen = True
            self._is_without_room = _primary(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
            return self.translated(self._probe)
        except (sqlite3.Error, ValueError) as error:
            raise self.refusal(error) from error

    def _probe(self) -> tuple[set[str], str | None]:
        connection = self.connect()
        try:
            connection.execute("BEGIN")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if "alembic_version" not in tables:
                return tables, None
            stored = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            return tables, None if stored is None else str(stored[0])
        finally:
            connection.close()

    def check_ready(self) -> None:
        """Refuse a file that is gone, or not at the newest revision."""
        check_revision(self.probe()[1], self.where)

    def is_missing(self) -> bool:
        """Whether no file is there; of one in a folder that we may not enter nobody can tell."""
        try:
            self.path.stat()
        except OSError as error:
            return not isinstance(error, PermissionError)
        return False

    def _is_settled(self) -> bool:
        log = Path(f"{self.path}-wal")
        try:
            return (
                self.path.is_file() and self.path.stat().st_size > 0 and (not log.exists() or log.stat().st_size == 0)
            )
        except OSError:
            return False

    def _is_disk_full(self) -> bool:
        try:
            return os.statvfs(self.path.absolute().parent).f_bavail == 0
        except (OSError, AttributeError):
            return False

    def use_write_ahead_log(self) -> None:
        """Let readers and the writer work side by side; the file remembers it.

        Asked for before the first write, and not by those who look: a backup stays one file while it is looked at.
        """
        if not self._is_logged and not self.is_frozen:
            self.translated(self._use_write_ahead_log)
            self._is_logged = True

    def _use_write_ahead_log(self) -> None:
        deadline = time.monotonic() + self._timeout
        connection = self.connect()
        try:
            while connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                    break  # a file system without shared memory keeps its old journal, which is as safe, only slower
                except sqlite3.OperationalError as error:
                    # SQLite does not wait here by itself when two processes switch the same new file.
                    if _primary(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                        raise
                    time.sleep(0.005)
        finally:
            connection.close()

    def translated(self, work: Callable[[], Answer]) -> Answer:
        """Do it, with the driver's errors told as refusals."""
        try:
            return work()
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self.refusal(error) from error

    def refusal(self, error: Exception) -> LedgerError:
        """What an error of the driver means to a person."""
        if not isinstance(error, sqlite3.Error):
            return unstorable(str(error))
        match _primary(error):
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return locked(self.where)
            case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN if self._is_disk_full():
                return full(self.where)
            case sqlite3.SQLITE_READONLY if self._is_without_room:
                return full(self.where)
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
                return not_writable(self.where)
            case sqlite3.SQLITE_NOTADB:
                return not_a_ledger(self.where, "it is a file of another kind")
            case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR if os.path.isdir(self.path):
                return not_a_ledger(self.where, "it is a folder")
            case sqlite3.SQLITE_CANTOPEN if self.is_missing():
                return not_writable(self.where) if self._mode == "rwc" else missing(self.where)
            case sqlite3.SQLITE_CANTOPEN:
                return forbidden(self.where, str(error))
            case sqlite3.SQLITE_CORRUPT:
                return Damaged("store/damaged", f"{self.where} is damaged: {error}. Restore a copy.", match="", seq=0)
            case sqlite3.SQLITE_FULL:
                return full(self.where)
            case sqlite3.SQLITE_CONSTRAINT:
                return constraint(self.where, str(error))
        return Unavailable("store/failed", f"{self.where} cannot be used: {error}.")


def missing(where: str) -> Unavailable:
    """There is no ledger to open."""
    return Unavailable("store/missing", f"There is no ledger at {where}.")


def _text(stored: bytes) -> str | IllText:
    # The driver's own reading would refuse the whole answer, and with it every match that has nothing wrong.
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return IllText(stored)


def _primary(error: sqlite3.Error) -> int:
    # Errors of the Python module itself, such as the use of a closed connection, carry no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
