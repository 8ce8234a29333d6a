"""The ledger in an SQLite file, on the driver's own cursor."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from service.errors import Damaged, LedgerError
from service.store.batch_insert import plain_ones, write_together
from service.store.columns import GRANT, JOURNAL, MATCH, SEAL, each, journal_row, match_row
from service.store.group_commit import Outcomes
from service.store.news import EVERYTHING, Moved
from service.store.refusals import moved_on, repeated_append, stale_head
from service.store.shapes import (
    Append,
    Appended,
    Entries,
    Hearsay,
    JournalEnd,
    JournalRow,
    MatchRow,
    Signature,
    signature_record,
)
from service.store.sqlite_file import SqliteFile

if TYPE_CHECKING:
    from service.store.database import Execute, Record

Answer = TypeVar("Answer")
_AT_ONCE: Final = 2000
"""Events that are written while others wait for the thread; more than any table makes, a few milliseconds' work."""

_OPEN: Final = """
INSERT INTO match (id, game, ruleset, seats, status, undo, chance, parent, opened_at, moved_at,
                   head_seq, head_step, head_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"""
_KEEP_SECRET: Final = "INSERT INTO secret (match_id, secret, seed) VALUES (?, ?, ?)"
_MOVE_HEAD: Final = """
UPDATE match SET head_seq = ?, head_step = ?, head_hash = ?, status = ?, moved_at = ? WHERE id = ? AND head_seq = ?"""
_READ_HEAD: Final = "SELECT head_seq FROM match WHERE id = ?"
_INSERT_EVENT: Final = "INSERT INTO event (match_id, seq, data, hash) VALUES (?, ?, ?, ?)"
_FIND_COMMAND: Final = "SELECT fingerprint, first_seq, last_seq FROM command WHERE match_id = ? AND command_id = ?"
_RECORD_COMMAND: Final = """
INSERT INTO command (match_id, command_id, fingerprint, first_seq, last_seq) VALUES (?, ?, ?, ?, ?)"""
_SIT_DOWN: Final = """
INSERT INTO seat (match_id, seat, name, kind) VALUES (?, ?, ?, ?)
ON CONFLICT (match_id, seat) DO UPDATE SET name = excluded.name, kind = excluded.kind"""
# An insert of a taken key is refused by a trigger even where a conflict would be ignored, so it is not attempted.
_SIGN: Final = """
INSERT INTO signature (match_id, event_count, public_key, head_hash, signature, signed_at)
SELECT ?1, ?2, ?3, ?4, ?5, ?6
WHERE NOT EXISTS (SELECT 1 FROM signature WHERE match_id = ?1 AND event_count = ?2 AND public_key = ?3)"""
_KEEP_HEARSAY: Final = """
INSERT INTO statement (match_id, data, signature) SELECT ?1, ?2, ?3
WHERE NOT EXISTS (SELECT 1 FROM statement WHERE match_id = ?1 AND signature = ?3)"""
_ENTER: Final = "INSERT INTO journal (place, match_id, data, signature, hash) VALUES (?, ?, ?, ?, ?)"
_JOURNAL_END: Final = f"SELECT {JOURNAL.columns} FROM journal ORDER BY place DESC LIMIT 1"
_OTHER_MATCHES: Final = "SELECT count(*) FROM match WHERE id <> ?"
_REMARK: Final = "INSERT INTO remark (match_id, position, step, kind, name, text) VALUES (?, ?, ?, ?, ?, ?)"
_ROWS: Final = "SELECT seq, data, hash FROM event WHERE match_id = ? ORDER BY seq"
_ROWS_AFTER: Final = "SELECT seq, data, hash FROM event WHERE match_id = ? AND seq > ? ORDER BY seq"
_JOINED: Final = """
SELECT CAST(group_concat(cell) AS BLOB) FROM (
    SELECT CASE typeof(data) WHEN 'blob' THEN data ELSE '?' END AS cell FROM event WHERE match_id = ? ORDER BY seq
)"""
_VERSION: Final = "PRAGMA data_version"
_MATCHES_IN_ORDER: Final = f"""
SELECT {MATCH.columns}, {SEAL.columns} FROM match LEFT JOIN seal ON seal.match_id = match.id
WHERE ? IN ('', game) ORDER BY id"""


class SqliteDatabase(SqliteFile):
    """The ledger in the file, with one connection per thread that lives as long as the store."""

    is_local = True

    def __init__(self, path: Path, *, mode: str, timeout: float) -> None:
        """`mode` is SQLite's own: `ro`, `rw`, or `rwc` to create the file."""
        super().__init__(path, mode=mode, timeout=timeout)
        self._own = threading.local()
        self._grouped: sqlite3.Connection | None = None
        """The connection of the group, which never waits for others who write."""
        self._grouping = threading.Lock()
        """Held by whoever uses it; a group holds it from its first statement to the commit, by another thread."""
        self._opened: list[sqlite3.Connection] = []
        self.is_closed = False

    def append(self, append: Append) -> Appended:
        """Store one step, or give the first outcome of its command."""
        return self._alone(lambda connection: _write(connection, append))

    def append_all(self, appends: Sequence[Append]) -> None:
        """Store many steps in one transaction: all of them, or none."""
        self._alone(lambda connection: [_write(connection, append) for append in appends])

    def append_each(self, appends: Sequence[Append]) -> Outcomes:
        """Store each step for itself, all that are not refused in one transaction; if that fails, all are refused."""
        try:
            self.use_write_ahead_log()
            return _transaction(self._connection(), lambda connection: self._write_each(connection, appends))
        except sqlite3.Error as error:
            return [self.refusal(error) for _ in appends]
        except LedgerError as refusal:
            return [refusal for _ in appends]

    def begin_each(self, appends: Sequence[Append]) -> Outcomes | None:
        """The same without the commit, unless somebody else is writing or it is much. Then `commit_begun` follows."""
        if sum(len(append.rows) for append in appends) > _AT_ONCE:
            return None
        self._grouping.acquire()
        try:
            self.use_write_ahead_log()
            return self._begun(self._group_connection(), appends)
        except sqlite3.Error:
            self._grouping.release()
            return None  # whoever can wait finds out what it is
        except BaseException:
            self._grouping.release()
            raise

    def _group_connection(self) -> sqlite3.Connection:
        if self._grouped is None:
            self._grouped = self.connect(timeout=0)
            self._opened.append(self._grouped)
            # What a savepoint keeps of the pages it may have to bring back goes to a file otherwise.
            self._grouped.execute("PRAGMA temp_store = MEMORY")
        return self._grouped

    def _begun(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> Outcomes:
        connection.execute("BEGIN IMMEDIATE")
        try:
            return self._write_each(connection, appends)
        except sqlite3.Error as error:
            _roll_back(connection)
            return [self.refusal(error) for _ in appends]
        except BaseException:
            _roll_back(connection)
            raise

    def commit_begun(self, outcomes: Outcomes) -> Outcomes:
        """Make what was begun durable. Where a commit fails, nothing is stored of what it was about."""
        assert self._grouped is not None
        try:
            self._grouped.commit()
        except sqlite3.Error as error:
            _roll_back(self._grouped)
            return [self.refusal(error) for _ in outcomes]
        finally:
            self._grouping.release()
        return outcomes

    def _write_each(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> list[Appended | Exception]:
        outcomes: dict[int, Appended | Exception] = {}
        plain = plain_ones(appends)
        written = write_together(connection, [appends[number] for number in plain], _stamp)
        if written is not None:
            outcomes.update(zip(plain, written, strict=True))
        for number, append in enumerate(appends):
            if number not in outcomes:
                outcomes[number] = self._append_apart(connection, append)
        return [outcomes[number] for number in range(len(appends))]

    def _append_apart(self, connection: sqlite3.Connection, append: Append) -> Appended | Exception:
        connection.execute("SAVEPOINT step")
        outcome: Appended | Exception
        try:
            outcome = _write(connection, append)
        except Exception as error:
            if not connection.in_transaction:  # a full disk, for one, has taken everybody's steps with this one
                raise
            connection.execute("ROLLBACK TO step")
            outcome = self.refusal(error) if isinstance(error, (sqlite3.Error, UnicodeEncodeError)) else error
        connection.execute("RELEASE step")
        return outcome

    def enter(self, entries: Entries, match: str, expected: int) -> list[JournalRow]:
        """Add to the journal; about a match, only while its head is the expected one."""

        def write(connection: sqlite3.Connection) -> list[JournalRow]:
            actual = connection.execute(_READ_HEAD, (match,)).fetchone()
            if match and actual != (expected,):
                raise moved_on(match, expected, None if actual is None else actual[0])
            return _enter(connection, entries, match)

        return self._alone(write)

    def alone(self, work: "Callable[[Execute], Answer]") -> Answer:
        """The same for work that is put in statements with `?` for their parameters."""
        return self._alone(lambda connection: work(connection.execute))

    def compact(self) -> None:
        """Give the space of deleted rows back to the disk."""
        self.translated(lambda: self._connection().execute("VACUUM"))
        self.translated(lambda: self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)"))

    def _alone(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Do it all in one transaction that nobody else writes beside, or nothing of it."""
        self.use_write_ahead_log()
        return self.translated(lambda: _transaction(self._connection(), work))

    def sign(self, signatures: Sequence[Signature], at: datetime, hearsay: Sequence[Hearsay] = ()) -> None:
        """Store what others signed; what is stored already is skipped."""

        def write(connection: sqlite3.Connection) -> None:
            _sign(connection, signatures, _stamp(at))
            connection.executemany(_KEEP_HEARSAY, hearsay)

        self._alone(write)

    def rows(self, match: str, after: int) -> "list[Record]":
        """The events of one match in order; all of them, whatever their numbers, unless it is for those behind one."""
        # Only a question without a number finds what a hand has numbered 0 or less.
        return self.fetch(_ROWS_AFTER, (match, after)) if after else self.fetch(_ROWS, (match,))

    def tell(self, moved: Moved) -> None:
        """Nothing to do: whoever looks at the file sees that somebody wrote to it."""

    def changes(self, every: float) -> Iterator[list[Moved]]:
        """Again and again whether anybody but our group has written to the file; SQLite does not say what."""
        try:
            # Without patience, so that whoever waits for news can be stopped while the file is locked.
            with closing(self.connect(timeout=0)) as connection:
                seen = seen_by_witness = None
                while True:
                    version, moved = connection.execute(_VERSION).fetchone(), []
                    if version != seen and self._grouping.acquire(timeout=every):
                        # A connection does not count its own commits: what the group's sees was done by others.
                        try:
                            witness = self._grouped or connection
                            by_witness = (witness, witness.execute(_VERSION).fetchone())
                        finally:
                            self._grouping.release()
                        moved = [] if by_witness == seen_by_witness else [EVERYTHING]
                        seen, seen_by_witness = version, by_witness
                    yield moved
                    time.sleep(every)
        except sqlite3.Error as error:
            raise self.refusal(error) from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One read transaction on this thread's connection."""
        connection = self.translated(self._connection)
        if connection.in_transaction:  # a snapshot inside a snapshot is the same moment
            yield
            return
        self.translated(lambda: connection.execute("BEGIN"))
        try:
            yield
        finally:
            _roll_back(connection)

    def streams(self, game: str) -> Iterator[tuple[MatchRow | Damaged, Sequence[Any], bytes]]:
        """Every match with its seal and its other events, one match in memory at a time, all from one moment."""
        try:
            connection = self.connect()
            try:
                connection.execute("BEGIN")
                # The outer cursor walks the matches in the order in which their events lie in the file.
                for record in connection.execute(_MATCHES_IN_ORDER, (game,)):
                    ((behind,),) = connection.execute(_JOINED, (record[0],))
                    yield each(match_row, record), record[len(MATCH.kinds) :], behind or b""
            finally:
                connection.close()
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self.refusal(error) from error

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All records that answer a question with `?` for its parameters."""
        return self.translated(lambda: self._connection().execute(sql, parameters).fetchall())

    def change(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Carry out one statement by itself and say how many rows it touched."""
        return self.translated(lambda: self._connection().execute(sql, parameters).rowcount)

    def stamp(self, at: datetime) -> str:
        """A moment as this database keeps it."""
        return _stamp(at)

    def close(self) -> None:
        """Close the connections of all threads."""
        self.is_closed = True
        while self._opened:
            self._opened.pop().close()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            if self.is_closed:
                raise sqlite3.ProgrammingError("the store is closed")
            connection = self._own.connection = self.connect()
            self._opened.append(connection)
        return connection


def _write(connection: sqlite3.Connection, append: Append) -> Appended:
    execute, match, head, command, new = connection.execute, append.match, append.head, append.command, append.new
    if command is not None:
        earlier = execute(_FIND_COMMAND, (match, command.id)).fetchone()
        if earlier is not None:
            return repeated_append(match, command, *earlier)
    at = _stamp(append.at)
    if new is None:
        moved = execute(_MOVE_HEAD, (head.seq, head.step, head.hash, append.status, at, match, append.expected))
    else:
        known = (match, new.game, new.ruleset, new.seats, append.status, new.undo, new.chance, new.parent)
        opened_at = at if new.opened_at is None else _stamp(new.opened_at)
        moved = execute(_OPEN, (*known, opened_at, at, head.seq, head.step, head.hash))
    if moved.rowcount == 0:
        actual = execute(_READ_HEAD, (match,)).fetchone()
        raise stale_head(append, None if actual is None else actual[0])
    connection.executemany(_INSERT_EVENT, [(match, *row) for row in append.rows])
    if command is not None:
        execute(_RECORD_COMMAND, (match, command.id, command.fingerprint, append.expected + 1, head.seq))
    if append.seats:
        connection.executemany(_SIT_DOWN, [(match, seat.seat, seat.name, seat.kind) for seat in append.seats])
    if new is not None and (new.secret is not None or new.seed):
        execute(_KEEP_SECRET, (match, new.secret or b"", new.seed))
    if append.signatures:
        _sign(connection, append.signatures, at)
    if append.hearsay:
        connection.executemany(_KEEP_HEARSAY, append.hearsay)
    if append.grants:
        connection.executemany(GRANT, [(match, *grant) for grant in append.grants])
    if new is not None and new.remarks:
        remarks = enumerate(new.remarks, start=1)
        connection.executemany(_REMARK, [(match, n, row.step, row.kind, row.name, row.text) for n, row in remarks])
    entered = [] if append.entries is None else _enter(connection, append.entries, match)
    return Appended(match, append.expected + 1, head.seq, entries=tuple(entered))


def _enter(connection: sqlite3.Connection, entries: Entries, match: str) -> list[JournalRow]:
    found = connection.execute(_JOURNAL_END).fetchone()
    if found is None:
        end = JournalEnd(None, connection.execute(_OTHER_MATCHES, (match,)).fetchone()[0])
    else:
        end = JournalEnd(journal_row(found), 0)
    rows = list(entries(end))
    connection.executemany(_ENTER, rows)
    return rows


def _sign(connection: sqlite3.Connection, signatures: Sequence[Signature], at: str) -> None:
    connection.executemany(_SIGN, [(signed.match, *signature_record(signed), at) for signed in signatures])


def _transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
    connection.execute("BEGIN IMMEDIATE")
    try:
        answer = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise
    return answer


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # some errors, such as a full disk, have rolled back already
        connection.execute("ROLLBACK")


def _stamp(at: datetime) -> str:
    # Fixed width and always UTC, so that the order of the text is the order of time.
    return at.astimezone(UTC).isoformat(" ", "microseconds")
