"""The ledger in a PostgreSQL database, on the driver's own cursor."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any, Final

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus

from service.errors import Damaged
from service.store.columns import JOURNAL, MATCH, SEAL, each, journal_row, match_row
from service.store.database import Answer, Execute, Record
from service.store.group_commit import Outcomes
from service.store.news import EVERYTHING, Moved, moved, payload
from service.store.postgres_server import Connection, PostgresServer
from service.store.refusals import (
    check_revision,
    moved_on,
    repeated_append,
    stale_head,
)
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

# One statement per step: the row lock on the head is held for no round trip. Whoever comes second waits for that lock,
# sees the head the first one left, matches nothing, and so writes nothing.
_MOVE_HEAD: Final = """
WITH moved AS (
    UPDATE match SET head_seq = %(head_seq)s, head_step = %(head_step)s, head_hash = %(head_hash)b,
                     status = %(status)s, moved_at = %(at)s
    WHERE id = %(match)s AND head_seq = %(expected)s
      AND NOT EXISTS (SELECT 1 FROM command WHERE match_id = %(match)s AND command_id = %(command)s)
    RETURNING id
)"""
_OPEN: Final = """
WITH moved AS (
    INSERT INTO match (id, game, ruleset, seats, status, undo, chance, parent, opened_at, moved_at,
                       head_seq, head_step, head_hash)
    VALUES (%(match)s, %(game)s, %(ruleset)s, %(seats)s, %(status)s, %(undo)s, %(chance)s, %(parent)s,
            %(opened_at)s, %(at)s, %(head_seq)s, %(head_step)s, %(head_hash)b)
    ON CONFLICT (id) DO NOTHING RETURNING id
), kept AS (
    INSERT INTO secret (match_id, secret, seed)
    SELECT id, coalesce(%(secret)b::bytea, ''), %(seed)s FROM moved
    WHERE %(secret)b::bytea IS NOT NULL OR %(seed)s <> ''
), remarked AS (
    INSERT INTO remark (match_id, position, step, kind, name, text)
    SELECT id, remark.position, remark.step, remark.kind, remark.name, remark.text
    FROM moved, unnest(%(remark_steps)s::int[], %(remark_kinds)s::text[], %(remark_names)s::text[],
                       %(remark_texts)s::text[]) WITH ORDINALITY AS remark (step, kind, name, text, position)
)"""
_WITH_THE_REST: Final = """, recorded AS (
    INSERT INTO command (match_id, command_id, fingerprint, first_seq, last_seq)
    SELECT id, %(command)s, %(fingerprint)b, %(expected)s + 1, %(head_seq)s
    FROM moved WHERE %(command)s::text IS NOT NULL
), seated AS (
    INSERT INTO seat (match_id, seat, name, kind)
    SELECT id, taken.seat, taken.name, taken.kind
    FROM moved, unnest(%(seat_numbers)s::int[], %(seat_names)s::text[], %(seat_kinds)s::text[])
        AS taken (seat, name, kind)
    ON CONFLICT (match_id, seat) DO UPDATE SET name = excluded.name, kind = excluded.kind
), signed AS (
    INSERT INTO signature (match_id, event_count, public_key, head_hash, signature, signed_at)
    SELECT id, made.event_count, made.public_key, made.head_hash, made.signature, %(at)s
    FROM moved, unnest(%(counts)s::int[], %(keys)b::bytea[], %(heads)b::bytea[], %(signatures)b::bytea[])
        AS made (event_count, public_key, head_hash, signature)
    ON CONFLICT DO NOTHING
), heard AS (
    INSERT INTO statement (match_id, data, signature)
    SELECT id, said.data, said.signature
    FROM moved, unnest(%(heard_data)b::bytea[], %(heard_signatures)b::bytea[]) AS said (data, signature)
    ON CONFLICT DO NOTHING
), granted AS (
    INSERT INTO token (match_id, role, seat, hash)
    SELECT id, given.role, given.seat, given.hash
    FROM moved, unnest(%(roles)s::text[], %(role_seats)s::int[], %(tokens)b::bytea[]) AS given (role, seat, hash)
    ON CONFLICT (match_id, role, seat) DO UPDATE SET hash = excluded.hash
), entered AS (
    INSERT INTO journal (place, match_id, data, signature, hash)
    SELECT entry.place, entry.match_id, entry.data, entry.signature, entry.hash
    FROM moved, unnest(%(places)s::int[], %(entry_matches)s::text[], %(entry_data)b::bytea[],
                       %(entry_signatures)b::bytea[], %(entry_hashes)b::bytea[])
        AS entry (place, match_id, data, signature, hash)
    ORDER BY entry.place
), inserted AS (
    INSERT INTO event (match_id, seq, data, hash)
    SELECT id, row.seq, row.data, row.hash
    FROM moved, unnest(%(seqs)s::int[], %(data)b::bytea[], %(hashes)b::bytea[]) AS row (seq, data, hash)
)
SELECT pg_notify('matchledger', %(payload)s) FROM moved"""
_APPEND: Final = _MOVE_HEAD + _WITH_THE_REST
_APPEND_NEW: Final = _OPEN + _WITH_THE_REST

_READ_HEAD: Final = "SELECT head_seq FROM match WHERE id = %s"
_FIND_COMMAND: Final = "SELECT fingerprint, first_seq, last_seq FROM command WHERE match_id = %s AND command_id = %s"
_ROWS: Final = "SELECT seq, data, hash FROM event WHERE match_id = %s ORDER BY seq"
_ROWS_AFTER: Final = "SELECT seq, data, hash FROM event WHERE match_id = %s AND seq > %s ORDER BY seq"
_SIGN: Final = """
INSERT INTO signature (match_id, event_count, public_key, head_hash, signature, signed_at)
VALUES (%s, %s, %b, %b, %b, %s) ON CONFLICT DO NOTHING"""
_KEEP_HEARSAY: Final = "INSERT INTO statement (match_id, data, signature) VALUES (%s, %b, %b) ON CONFLICT DO NOTHING"
# Whoever adds to the journal holds this lock to the end of the transaction, and takes it before any other.
_JOURNAL_LOCK: Final = "SELECT pg_advisory_xact_lock(1835821679)"
_JOURNAL_END: Final = f"SELECT {JOURNAL.columns} FROM journal ORDER BY place DESC LIMIT 1"
_OTHER_MATCHES: Final = "SELECT count(*) FROM match WHERE id <> %s"
_ENTER: Final = "INSERT INTO journal (place, match_id, data, signature, hash) VALUES (%s, %s, %b, %b, %b)"
_STREAMS: Final = f"""
SELECT {MATCH.columns}, {SEAL.columns}, (SELECT string_agg(data, ',' ORDER BY seq) FROM event WHERE match_id = match.id)
FROM match LEFT JOIN seal ON seal.match_id = match.id WHERE %s::text IN ('', game) ORDER BY id"""
_MATCHES_PER_FETCH: Final = 8
_ONE_MOMENT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_LISTEN: Final = "LISTEN matchledger"
# Who only listens would not notice for hours that a server is gone without a word.
_LISTENING: Final[dict[str, Any]] = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


class PostgresDatabase(PostgresServer):
    """The ledger on the server, with one autocommitting connection per thread that lives as long as the store."""

    is_local = False

    def __init__(self, address: str, *, timeout: float, is_read_only: bool = False) -> None:
        super().__init__(address, timeout=timeout, is_read_only=is_read_only)
        self._own = threading.local()
        self._opened: list[Connection] = []
        self.is_closed = False

    def check_ready(self) -> None:
        """Refuse a database that is not at the newest revision; a server is never migrated as a side effect."""
        try:
            stored = self._connection().execute("SELECT version_num FROM alembic_version").fetchone()
        except errors.UndefinedTable:
            stored = None
        except psycopg.Error as error:
            raise self.refusal(error) from error
        check_revision(None if stored is None else str(stored[0]), self.where)

    def append(self, append: Append) -> Appended:
        """Store one step, or give the first outcome of its command."""
        return self.translated(lambda: _write(self._connection(), append))

    def append_all(self, appends: Sequence[Append]) -> None:
        """Store many steps in one transaction: all of them, or none."""

        def write_all() -> None:
            connection = self._connection()
            with connection.transaction():
                if any(append.entries is not None for append in appends):
                    connection.execute(_JOURNAL_LOCK)
                # In the order of their ids, so that two of these cannot wait for each other.
                for append in sorted(appends, key=lambda append: append.match):
                    _write(connection, append)

        self.translated(write_all)

    def append_each(self, appends: Sequence[Append]) -> Outcomes:
        """Store each step for itself. Together they would hold up whoever else moves any of their matches."""
        return [self._attempt(append) for append in appends]

    def begin_each(self, appends: Sequence[Append]) -> None:
        """Nothing is begun: a server is always waited for."""

    def commit_begun(self, outcomes: Outcomes) -> Outcomes:
        """Nothing was begun."""
        return outcomes

    def _attempt(self, append: Append) -> Appended | Exception:
        try:
            return self.append(append)
        except Exception as error:
            return error

    def enter(self, entries: Entries, match: str, expected: int) -> list[JournalRow]:
        """Add to the journal; about a match, only while its head is the expected one."""

        def write() -> list[JournalRow]:
            connection = self._connection()
            with connection.transaction():
                connection.execute(_JOURNAL_LOCK)
                actual = connection.execute(f"{_READ_HEAD} FOR SHARE", (match,)).fetchone()
                if match and actual != (expected,):
                    raise moved_on(match, expected, None if actual is None else actual[0])
                rows = _next_entries(connection, entries, match)
                for row in rows:
                    connection.execute(_ENTER, row)
                return rows

        return self.translated(write)

    def alone(self, work: Callable[[Execute], Answer]) -> Answer:
        """Do it all in one transaction, or nothing of it; put in statements with `?` for their parameters."""

        def write() -> Answer:
            connection = self._connection()
            with connection.transaction():
                return work(lambda sql, parameters: connection.execute(_placed(sql), parameters))

        return self.translated(write)

    def compact(self) -> None:
        """Let the space of deleted rows be used again; the server keeps it."""
        self.translated(lambda: self._connection().execute("VACUUM event"))

    def sign(self, signatures: Sequence[Signature], at: datetime, hearsay: Sequence[Hearsay] = ()) -> None:
        """Store what others signed; what is stored already is skipped."""

        def write() -> None:
            connection = self._connection()
            with connection.transaction():
                for signed in signatures:
                    connection.execute(_SIGN, (signed.match, *signature_record(signed), at))
                for heard in hearsay:
                    connection.execute(_KEEP_HEARSAY, heard)

        self.translated(write)

    def rows(self, match: str, after: int) -> list[Record]:
        """The events of one match in order, or those behind one of them."""
        question, known = (_ROWS_AFTER, (match, after)) if after else (_ROWS, (match,))

        def read() -> list[Record]:
            with self._connection().cursor(binary=True) as cursor:
                return cursor.execute(question, known, prepare=True).fetchall()

        return self.translated(read)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One read transaction on this thread's connection that sees one moment throughout."""
        connection = self.translated(self._connection)
        if connection.info.transaction_status != TransactionStatus.IDLE:  # inside a snapshot it is the same moment
            yield
            return
        self.translated(lambda: connection.execute(_ONE_MOMENT))
        self._own.moment = connection
        try:
            yield
        finally:
            self._own.moment = None
            if not connection.closed:
                self.translated(lambda: connection.execute("ROLLBACK"))

    def streams(self, game: str) -> Iterator[tuple[MatchRow | Damaged, Sequence[Any], bytes]]:
        """Every match with its seal and its other events, a few in memory at a time, all from one moment."""
        try:
            # A connection of its own: the caller may append while reading, and that must not join this transaction.
            with (
                self.connect() as connection,
                connection.transaction(),
                connection.cursor("streams", binary=True) as cursor,
            ):
                cursor.itersize = _MATCHES_PER_FETCH
                for record in cursor.execute(_STREAMS, (game,)):
                    yield each(match_row, record), record[len(MATCH.kinds) : -1], record[-1] or b""
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise self.refusal(error) from error

    def tell(self, moved: Moved) -> None:
        """Let everybody who listens know."""
        self.change("SELECT pg_notify('matchledger', ?)", (payload(*moved),))

    def changes(self, every: float) -> Iterator[list[Moved]]:
        """What was appended, as every append notifies, until the connection is lost."""
        try:
            with self.connect(**_LISTENING) as connection:
                connection.execute(_LISTEN)
                yield [EVERYTHING]
                while True:
                    notices = list(connection.notifies(timeout=every, stop_after=1))  # which hold the connection's lock
                    yield [moved(notice.payload) for notice in notices]
        except (psycopg.Error, OSError) as error:
            raise self.refusal(error) from error

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All records that answer a question with `?` for its parameters."""
        return self.translated(lambda: self._connection().execute(_placed(sql), parameters).fetchall())

    def change(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Carry out one statement by itself and say how many rows it touched."""
        return self.translated(lambda: self._connection().execute(_placed(sql), parameters).rowcount)

    def stamp(self, at: datetime) -> datetime:
        """A moment as this database keeps it."""
        return at

    def close(self) -> None:
        """Close the connections of all threads."""
        self.is_closed = True
        while self._opened:
            self._opened.pop().close()

    def _is_in_doubt(self, connection: Connection) -> bool:
        """Whether the server was lost to some thread since: what one of them has met, the others need not meet."""
        is_idle = connection.info.transaction_status == TransactionStatus.IDLE
        return is_idle and bool(self._own.outages < self.outages)

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None or connection.closed or self._is_in_doubt(connection):
            if self.is_closed:
                raise psycopg.InterfaceError("the store is closed")
            if connection is not None and connection is getattr(self._own, "moment", None):
                raise psycopg.OperationalError("the connection was lost, and with it the moment that was looked at")
            outages = self.outages
            lost, connection = connection, self.connect()  # while the server is down, this fails again and again
            self._own.connection, self._own.outages = connection, outages
            self._opened.append(connection)
            if lost is not None:
                self._opened.remove(lost)
                lost.close()
        return connection


def _write(connection: Connection, append: Append) -> Appended:
    """One statement; with an entry in the journal, a transaction around it that holds the journal."""
    if append.entries is None:
        return _write_with(connection, append, ())
    with connection.transaction():
        connection.execute(_JOURNAL_LOCK)
        return _write_with(connection, append, _next_entries(connection, append.entries, append.match))


def _next_entries(connection: Connection, entries: Entries, match: str) -> list[JournalRow]:
    found = connection.execute(_JOURNAL_END).fetchone()
    if found is not None:
        return list(entries(JournalEnd(journal_row(found), 0)))
    others = connection.execute(_OTHER_MATCHES, (match,)).fetchone()
    return list(entries(JournalEnd(None, others[0] if others else 0)))


def _write_with(connection: Connection, append: Append, entries: Sequence[JournalRow]) -> Appended:
    command, new, head, rows, seats = append.command, append.new, append.head, append.rows, append.seats
    signed = [signature_record(signature) for signature in append.signatures]
    parameters: dict[str, Any] = {
        "match": append.match,
        "expected": append.expected,
        "head_seq": head.seq,
        "head_step": head.step,
        "head_hash": head.hash,
        "status": append.status,
        "at": append.at,
        "command": None if command is None else command.id,
        "fingerprint": None if command is None else command.fingerprint,
        "seat_numbers": [seat.seat for seat in seats],
        "seat_names": [seat.name for seat in seats],
        "seat_kinds": [seat.kind for seat in seats],
        "counts": [count for count, *_ in signed],
        "keys": [key for _, key, *_ in signed],
        "heads": [hash_ for *_, hash_, _ in signed],
        "signatures": [signature for *_, signature in signed],
        "heard_data": [said.data for said in append.hearsay],
        "heard_signatures": [said.signature for said in append.hearsay],
        "roles": [grant.role for grant in append.grants],
        "role_seats": [grant.seat for grant in append.grants],
        "tokens": [grant.hash for grant in append.grants],
        "places": [entry.place for entry in entries],
        "entry_matches": [entry.match for entry in entries],
        "entry_data": [entry.data for entry in entries],
        "entry_signatures": [entry.signature for entry in entries],
        "entry_hashes": [entry.hash for entry in entries],
        "seqs": [row.seq for row in rows],
        "data": [row.data for row in rows],
        "hashes": [row.hash for row in rows],
        "payload": payload(append.match, head.seq),
    }
    statement = _APPEND
    if new is not None:
        statement = _APPEND_NEW
        parameters |= {
            "game": new.game,
            "ruleset": new.ruleset,
            "seats": new.seats,
            "undo": new.undo,
            "chance": new.chance,
            "parent": new.parent,
            "secret": new.secret,
            "seed": new.seed,
            "opened_at": new.opened_at or append.at,
            "remark_steps": [remark.step for remark in new.remarks],
            "remark_kinds": [remark.kind for remark in new.remarks],
            "remark_names": [remark.name for remark in new.remarks],
            "remark_texts": [remark.text for remark in new.remarks],
        }
    if connection.execute(statement, parameters, prepare=True).fetchone() is None:
        return _why_nothing_moved(connection, append)
    return Appended(append.match, append.expected + 1, head.seq, entries=tuple(entries))


def _why_nothing_moved(connection: Connection, append: Append) -> Appended:
    if append.command is not None:
        earlier = connection.execute(_FIND_COMMAND, (append.match, append.command.id)).fetchone()
        if earlier is not None:
            return repeated_append(append.match, append.command, *earlier)
    actual = connection.execute(_READ_HEAD, (append.match,)).fetchone()
    raise stale_head(append, None if actual is None else actual[0])


@cache
def _placed(sql: str) -> str:
    return sql.replace("?", "%s")
