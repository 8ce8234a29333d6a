"""Opening a store from what a person writes: a file path or a database URL."""

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from service.errors import LedgerError, Unavailable, UsageError
from service.files import FULL, make_data_folder
from service.store.refusals import REVISIONS, check_revision, forbidden, full, not_a_ledger, not_writable
from service.store.sqlite import SqliteDatabase
from service.store.sqlite_file import missing
from service.store.store import Store

if TYPE_CHECKING:  # loading these takes longer than most commands; only those who need them pay
    from sqlalchemy import Engine

    from service.store.postgres import PostgresDatabase

TIMEOUT: Final = 10.0
"""Seconds to wait for another process, or for a server to answer."""

# Patterns as texts: most addresses are plain paths, and reading a pattern takes longer than looking at one.
_SCHEME: Final = r"(?i)([a-z][a-z0-9+.-]*)://"
_BEGINNING: Final = r"(?i)\s*(?:[a-z][a-z0-9+.-]*\s*:)?\s*/{0,3}"
"""All of an address in front of what may be a password."""
_PASSWORD: Final = r"(?i)(pass\w*\s*=\s*)(?:'[^']*'?|[^&\s]+)"
_LIKE_A_SERVER: Final = r"(?i)\s*(?:\w*(?:sql|postgres?)\w*\s*:|(?!\.{0,2}/(?!/)|~)[^\n]*:[^\n]*@|[^\n]*password\s*=)"
"""What somebody wrote who meant a server; a file of such a name is named from its folder on (`./a:b@c`)."""
_SECRET_ONLY: Final = r"(?i)\s*postgres\w*\s*:"
_PORT: Final = r"(?:[^\[\]@]*|\[[^\]]*\]):[^0-9]"
_POSTGRES_SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
_OPENED: "Final[WeakSet[SqliteDatabase | PostgresDatabase]]" = WeakSet()
_CHOICES: Final = "a file path, sqlite:///PATH, postgresql://USER:PASSWORD@HOST:PORT/NAME"


def open_store(database: str, *, create: bool = True, read_only: bool = False, timeout: float = TIMEOUT) -> Store:
    """The store in this file or database, ready for use.

    A file is created unless `create` is off, and brought up to date; a server's database never is. With `read_only`
    nothing is created, migrated or written.
    """
    return Store(open_database(database, create=create, read_only=read_only, timeout=timeout))


def open_database(
    database: str, *, create: bool = True, read_only: bool = False, timeout: float = TIMEOUT
) -> "SqliteDatabase | PostgresDatabase":
    """What is beneath the store, for those who look at all of it at once; the caller closes it."""
    opened: SqliteDatabase | PostgresDatabase
    if _is_server(database):
        opened = _open_server(_server(database, timeout, is_read_only=read_only))
    else:
        opened = _open_file(_path(database), create=create and not read_only, is_read_only=read_only, timeout=timeout)
    _OPENED.add(opened)
    return opened


def is_any_open() -> bool:
    """Whether this process has a database open that was not closed yet."""
    return any(not opened.is_closed for opened in _OPENED)


def wherever(database: str) -> str:
    """The same file or database as a process names it that was started in another folder."""
    return database if _is_server(database) else str(_path(database).absolute())


def open_engine(database: str, *, timeout: float = TIMEOUT) -> "Engine":
    """An SQLAlchemy engine on the database, for what `service.store.schema` does; the caller disposes of it."""
    if _is_server(database):
        return _engine(_server(database, timeout, is_read_only=False))
    return _engine(SqliteDatabase(_path(database), mode="rw", timeout=timeout))


def upgrade_store(database: str, *, timeout: float = TIMEOUT) -> tuple[str | None, str]:
    """Bring a file or a server's database to the newest revision; gives the revision before and after."""
    if not _is_server(database):
        ledger = SqliteDatabase(_path(database), mode="rw", timeout=timeout)
        before = None if ledger.is_missing() else ledger.probe()[1]
        open_store(database, timeout=timeout).close()
        return before, REVISIONS[-1]
    server = _server(database, timeout, is_read_only=False)
    return _migrate(server), REVISIONS[-1]


def differences(database: str, *, timeout: float = TIMEOUT) -> list[str]:
    """How the tables of a database and their guards differ from the declared ones, and who else may read the file."""
    from sqlalchemy.exc import DBAPIError

    from service.store import schema

    ledger = (
        _server(database, timeout, is_read_only=True) if _is_server(database) else _existing(_path(database), timeout)
    )
    engine = _engine(ledger)
    try:
        modes = readable_by_others(ledger.path) if isinstance(ledger, SqliteDatabase) else []
        return [*schema.compare(engine), *modes]
    except DBAPIError as error:
        raise _cause(ledger, error) from error
    finally:
        engine.dispose()


def _open_server(server: "PostgresDatabase") -> "PostgresDatabase":
    try:
        server.check_ready()
    except LedgerError:
        server.close()
        raise
    return server


def _open_file(path: Path, *, create: bool, is_read_only: bool, timeout: float) -> SqliteDatabase:
    if create:
        _make_folder(path)
        _make_file(path)
    ledger = SqliteDatabase(path, mode="ro" if is_read_only else "rwc" if create else "rw", timeout=timeout)
    tables, stored = ledger.probe()
    if not tables and not create:
        raise missing(ledger.where)
    if tables and not {"match", "event", "alembic_version"} <= tables:
        raise not_a_ledger(ledger.where, "it is a database of another application")
    is_current = stored == REVISIONS[-1]
    if tables and (is_read_only or is_current or stored not in REVISIONS):
        check_revision(stored, ledger.where)
    if not is_current:
        ledger.use_write_ahead_log()
        _migrate(ledger)
    return ledger


def _existing(path: Path, timeout: float) -> SqliteDatabase:
    ledger = SqliteDatabase(path, mode="ro", timeout=timeout)
    ledger.probe()
    return ledger


def _make_folder(path: Path) -> None:
    """Make the user's data folder where the file is to lie in it; any other folder has to be there."""
    try:
        make_data_folder(path.absolute().parent)
    except OSError as error:
        raise _unmade(path, error, f"The folder for {str(path)!r}") from error


def _make_file(path: Path) -> None:
    """Make the file for its owner alone: SQLite would let everybody read it, and gives its companions the same mode."""
    try:
        # Only a file that is new is opened and closed here: closing one in use would drop the locks of this process.
        os.close(os.open(os.path.realpath(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise _unmade(path, error, f"{str(path)!r}") from error


def _unmade(path: Path, error: OSError, what: str) -> LedgerError:
    folder = path.absolute().parent
    if folder.is_dir() and not os.access(folder, os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        return forbidden(repr(str(path)), str(error.strerror))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return not_writable(repr(str(path)))
    if error.errno in FULL:
        return full(repr(str(path)))
    if error.errno == errno.ENOENT:
        return Unavailable(
            "store/missing",
            f"There is no folder {str(folder)!r} for a ledger to lie in; create it, or correct its name.",
        )
    return Unavailable("store/missing", f"{what} cannot be created: {error.strerror}.")


def readable_by_others(path: Path) -> list[str]:
    """The file and its companions, where somebody else than their owner may read or write them, in words."""
    found = []
    for name in (path.name, *(f"{path.name}-{end}" for end in ("wal", "shm", "journal"))):
        with suppress(OSError):
            mode = stat.S_IMODE(path.with_name(name).stat().st_mode)
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                found.append(f"file {name} can be read by others (mode {mode:03o}): chmod 600 keeps it to its owner")
    return found


def _migrate(ledger: "SqliteDatabase | PostgresDatabase") -> str | None:
    """Run the migrations that are missing; gives the revision before them."""
    from sqlalchemy.exc import DBAPIError

    from service.store import schema

    engine = _engine(ledger)
    try:
        before = schema.revision(engine)
        schema.upgrade(engine)
    except DBAPIError as error:
        raise _cause(ledger, error) from error
    finally:
        engine.dispose()
    return before


def _cause(ledger: "SqliteDatabase | PostgresDatabase", error: Exception) -> LedgerError:
    original = getattr(error, "orig", None)
    return ledger.refusal(original if isinstance(original, Exception) else error)


def _engine(ledger: "SqliteDatabase | PostgresDatabase") -> "Engine":
    from sqlalchemy import Connection, create_engine, event
    from sqlalchemy.pool import NullPool

    if not isinstance(ledger, SqliteDatabase):
        server = ledger
        return create_engine(
            "postgresql+psycopg://", creator=lambda: server.connect(autocommit=False), poolclass=NullPool
        )
    engine = create_engine("sqlite://", creator=ledger.connect, poolclass=NullPool)

    # The driver opens no transaction around DDL. Ours covers a whole upgrade, and two processes queue for it.
    def begin(connection: Connection) -> None:
        is_upgrade = connection.get_execution_options().get("is_upgrade", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_upgrade else "BEGIN")

    event.listen(engine, "begin", begin)
    return engine


def _is_server(database: str) -> bool:
    scheme = re.match(_SCHEME, database) if "://" in database else None
    if scheme is None or scheme[1].lower() == "sqlite":
        return False
    if scheme[1].lower() in _POSTGRES_SCHEMES:
        return True
    raise UsageError(
        "store/unsupported", f"{scheme[0]!r} is not a database the ledger can live in; choose from: {_CHOICES}."
    )


def _server(database: str, timeout: float, *, is_read_only: bool) -> "PostgresDatabase":
    from service.store.postgres import PostgresDatabase

    # Where the part behind the @ was left out, a password stands in the place of the port.
    authority = re.split(r"[/?#]", database.partition("://")[2], maxsplit=1)[0]
    if re.match(_PORT, authority.rpartition("@")[2]):
        raise _unsupported(database, "a database the ledger can live in: its port is not a number")
    return PostgresDatabase(database, timeout=timeout, is_read_only=is_read_only)


def _path(database: str) -> Path:
    scheme = re.match(_SCHEME, database) if "://" in database else None
    text = database if scheme is None else database[scheme.end() :]
    if scheme is not None:
        if not text.startswith("/") or "?" in text:
            raise _unsupported(database, "a file the ledger can live in")
        text = text[1:]
    if _is_like_a_server(text):
        raise _unsupported(database, "a file the ledger can live in")
    if not text or "\0" in text:
        raise _unsupported(database, "the name of a file")
    return Path(text).expanduser()


def _is_like_a_server(text: str) -> bool:
    return (":" in text or "=" in text) and re.match(_LIKE_A_SERVER, text) is not None


def _unsupported(database: str, wanted: str) -> UsageError:
    shown = without_password(database)
    return UsageError("store/unsupported", f"{shown!r} is not {wanted}; choose from: {_CHOICES}.")


def without_password(address: str) -> str:
    """An address as it may be shown, however it was mistyped: nothing of what may be a password is left."""
    beginning = re.match(_BEGINNING, address)
    assert beginning is not None
    rest = address[beginning.end() :]
    if "@" in rest or (":" in rest and _is_like_a_server(address)) or re.match(_SECRET_ONLY, address):
        rest = "***" + "".join(rest.rpartition("@")[1:]) if "@" in rest else "***"
    return beginning[0] + re.sub(_PASSWORD, r"\1***", rest)
