"""Copying a whole ledger: every row of every table, read at one moment, written in one transaction and verified."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from sqlalchemy import DateTime, Integer, LargeBinary, Table

from service.errors import Refused, Unavailable, UsageError
from service.store.columns import BYTES, MOMENT, NUMBER, SECRET, TEXT, TOKEN, Cells, ColumnKind, or_nothing
from service.store.connect import TIMEOUT, open_database, upgrade_store, wherever
from service.store.sqlite import SqliteDatabase
from service.store.tables import METADATA

if TYPE_CHECKING:
    from service.store.postgres import PostgresDatabase
    from service.store.postgres_server import Connection

TABLES: Final[Sequence[Table]] = METADATA.sorted_tables
"""Every table, those that others refer to in front."""
_ROWS_PER_FETCH: Final = 1_000
_ROWS_PER_NOTICE: Final = 500

Record = tuple[Any, ...]
Notice = Callable[[int], object]
"""Told every now and then how many more have passed."""


def unheard(number: int) -> None:
    """Tells nobody."""


class Whole(Protocol):
    """One transaction on all the tables of a ledger."""

    def count(self, table: Table) -> int: ...
    def records(self, table: Table) -> Iterator[Record]: ...
    def fill(self, table: Table, records: Iterator[Sequence[Any]]) -> None: ...


class Sum(msgspec.Struct, frozen=True):
    """What a table holds: how many rows, and the SHA-256 over all of them in the order of their keys."""

    rows: int
    hash: str


class Copied(msgspec.Struct, frozen=True):
    """A ledger that lies in two places now, told by their names; each table with its sum, which is that of both."""

    source: str
    target: str
    tables: dict[str, Sum]


def copy_ledger(
    source: str, target: str, *, timeout: float = TIMEOUT, begin: Notice = unheard, notice: Notice = unheard
) -> Copied:
    """Copy every row of one ledger into another one, which is made or migrated if need be and has to be empty.

    The source is read at one moment. The target is filled in one transaction, read back and compared before that
    transaction ends: killed or refused in the middle, it is as empty as before. `begin` is told how many rows will
    pass, those that are read back included.
    """
    if wherever(source) == wherever(target):
        raise UsageError("copy/same", "Both names lead to the same ledger; name another one to copy to.")
    with reading(source, timeout=timeout) as (where, old):
        upgrade_store(target, timeout=timeout)
        with _filling(target, timeout=timeout) as (there, new):
            _refuse_filled(there, new)
            begin(2 * sum(old.count(table) for table in TABLES))
            sums = {}
            for table in TABLES:
                passing = _Passing(table, notice)
                new.fill(table, passing.over(old.records(table)))
                sums[table.name] = passing.sum
            for table in TABLES:
                found = sum_of(new, table, notice)
                if found != sums[table.name]:
                    raise _differs(table, sums[table.name], found, there)
    return Copied(where, there, sums)


def sum_of(whole: Whole, table: Table, notice: Notice = unheard) -> Sum:
    """What a table holds, read from its first row to its last."""
    passing = _Passing(table, notice)
    for _ in passing.over(whole.records(table)):
        pass
    return passing.sum


@contextmanager
def reading(database: str, *, timeout: float = TIMEOUT) -> Iterator[tuple[str, Whole]]:
    """All of a ledger at one moment, and where it is; nothing is created, migrated or written."""
    ledger = open_database(database, read_only=True, timeout=timeout)
    with closing(ledger), _opened(ledger, "BEGIN") as whole:
        yield ledger.where.strip("'"), whole


@contextmanager
def _filling(database: str, *, timeout: float) -> Iterator[tuple[str, Whole]]:
    """All of a ledger to write to while nobody else does; kept if everything inside went well, and only then."""
    ledger = open_database(database, create=False, timeout=timeout)
    with closing(ledger), _opened(ledger, "BEGIN IMMEDIATE") as whole:
        yield ledger.where.strip("'"), whole


@contextmanager
def _opened(ledger: "SqliteDatabase | PostgresDatabase", begin: str) -> Iterator[Whole]:
    """One transaction, with the driver's errors told as refusals."""
    is_reading = begin == "BEGIN"
    if isinstance(ledger, SqliteDatabase):
        try:
            with closing(ledger.connect()) as file:
                file.execute(begin)
                file.execute("SELECT count(*) FROM alembic_version").fetchone()  # the moment is that of the first look
                yield _File(ledger, file)
                file.execute("ROLLBACK" if is_reading else "COMMIT")
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise ledger.refusal(error) from error
        return
    import psycopg

    try:
        with ledger.connect(autocommit=False) as server:
            if is_reading:
                server.read_only, server.isolation_level = True, psycopg.IsolationLevel.REPEATABLE_READ
            else:
                server.execute("LOCK TABLE match, journal IN EXCLUSIVE MODE")
            yield _Server(server)
    except (psycopg.Error, UnicodeEncodeError) as error:
        raise ledger.refusal(error) from error


class _File:
    def __init__(self, ledger: SqliteDatabase, file: sqlite3.Connection) -> None:
        self._stamp = ledger.stamp
        self._file = file

    def count(self, table: Table) -> int:
        return int(self._file.execute(_counting(table)).fetchone()[0])

    def records(self, table: Table) -> Iterator[Record]:
        order = ", ".join(column.name for column in table.primary_key)
        return self._file.execute(f"SELECT {_columns(table)} FROM {table.name} ORDER BY {order}")

    def fill(self, table: Table, records: Iterator[Sequence[Any]]) -> None:
        moments = [number for number, column in enumerate(table.columns) if isinstance(column.type, DateTime)]

        def stamped(record: Sequence[Any]) -> Sequence[Any]:
            kept = list(record)
            for number in moments:
                kept[number] = self._stamp(kept[number])
            return kept

        marks = ", ".join("?" * len(table.columns))
        self._file.executemany(
            f"INSERT INTO {table.name} ({_columns(table)}) VALUES ({marks})",
            map(stamped, records) if moments else records,
        )


class _Server:
    def __init__(self, server: "Connection") -> None:
        self._server = server

    def count(self, table: Table) -> int:
        found = self._server.execute(_counting(table)).fetchone()
        assert found is not None
        return int(found[0])

    def records(self, table: Table) -> Iterator[Record]:
        # In the order of bytes, which is that of a file, whatever language the database sorts in.
        order = ", ".join(
            column.name if isinstance(column.type, (Integer, LargeBinary)) else f'{column.name} COLLATE "C"'
            for column in table.primary_key
        )
        with self._server.cursor(f"whole_{table.name}", binary=True) as cursor:
            cursor.itersize = _ROWS_PER_FETCH
            yield from cursor.execute(f"SELECT {_columns(table)} FROM {table.name} ORDER BY {order}")

    def fill(self, table: Table, records: Iterator[Sequence[Any]]) -> None:
        with self._server.cursor() as cursor, cursor.copy(f"COPY {table.name} ({_columns(table)}) FROM STDIN") as copy:
            for record in records:
                copy.write_row(record)


class _Passing:
    """The rows of one table as they pass, each held to its kinds and added to the sum."""

    def __init__(self, table: Table, notice: Notice) -> None:
        kinds = {column.name: _kind(column.type, is_optional=bool(column.nullable)) for column in table.columns}
        self._cells = Cells(table.name, kinds, is_secret=table.name in (SECRET.table, TOKEN.table))
        self._match = next((n for n, name in enumerate(kinds) if name in ("id", "match_id")), 0)
        self._notice = notice
        self._rows = 0
        self._hash = sha256()

    def over(self, records: Iterator[Record]) -> Iterator[list[Any]]:
        """The rows as values; Damaged at the first cell that holds something else."""
        encode, untold = msgspec.msgpack.Encoder().encode, 0
        for record in records:
            values = self._cells.read(record[self._match], record)
            self._hash.update(encode(values))
            self._rows += 1
            untold += 1
            if untold == _ROWS_PER_NOTICE:
                self._notice(untold)
                untold = 0
            yield values
        self._notice(untold)

    @property
    def sum(self) -> Sum:
        """What has passed so far."""
        return Sum(self._rows, self._hash.hexdigest())


def _kind(column: object, *, is_optional: bool) -> ColumnKind:
    kind = next(
        (
            kind
            for type_, kind in ((Integer, NUMBER), (LargeBinary, BYTES), (DateTime, MOMENT))
            if isinstance(column, type_)
        ),
        TEXT,
    )
    return or_nothing(kind) if is_optional else kind


def _columns(table: Table) -> str:
    return ", ".join(column.name for column in table.columns)


def _counting(table: Table) -> str:
    return f"SELECT count(*) FROM {table.name}"


def _refuse_filled(where: str, whole: Whole) -> None:
    found = {table.name: rows for table in TABLES if (rows := whole.count(table))}
    if found:
        there = ", ".join(f"{name} {rows:,}" for name, rows in found.items())
        raise Refused(
            "copy/not-empty", f"{where!r} is not empty ({there}); a ledger can only be copied into an empty one."
        )


def _differs(table: Table, sent: Sum, found: Sum, where: str) -> Unavailable:
    return Unavailable(
        "copy/differs",
        f"Table {table.name} in {where!r} is not what was copied: {found.rows:,} rows with sum {found.hash[:16]},"
        f" sent were {sent.rows:,} with {sent.hash[:16]}. Nothing was kept.",
    )
