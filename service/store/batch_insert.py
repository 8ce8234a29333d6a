"""Many plain steps of a group in a handful of statements on SQLite.

Every statement hands the interpreter's lock over and has to wait for it again. While others compute, a group that takes
six statements for each of its steps waits longer for that lock than for the disk.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any, Final

from service.store.shapes import Append, Appended

_MOVE_HEADS: Final = """
UPDATE match SET head_seq = step.column3, head_step = step.column4, head_hash = step.column5, status = step.column6,
                 moved_at = step.column7
FROM (VALUES {}) AS step WHERE match.id = step.column1 AND match.head_seq = step.column2"""
_INSERT_EVENTS: Final = "INSERT INTO event (match_id, seq, data, hash) VALUES {}"
_RECORD_COMMANDS: Final = "INSERT INTO command (match_id, command_id, fingerprint, first_seq, last_seq) VALUES {}"


def plain_ones(appends: Sequence[Append]) -> list[int]:
    """Which of them only add events, each to a match that no other of them is about."""
    times = Counter(append.match for append in appends)
    return [number for number, append in enumerate(appends) if times[append.match] == 1 and _is_plain(append)]


def _is_plain(append: Append) -> bool:
    others = (append.new, append.entries, append.seats, append.signatures, append.hearsay, append.grants)
    return not any(others)


def write_together(
    connection: sqlite3.Connection, appends: Sequence[Append], stamp: Callable[[datetime], str]
) -> list[Appended] | None:
    """Store plain steps, or nothing of them: None when any of them is not as it should be, for whatever reason."""
    connection.execute("SAVEPOINT together")
    try:
        heads = [
            (step.match, step.expected, step.head.seq, step.head.step, step.head.hash, step.status, stamp(step.at))
            for step in appends
        ]
        rows = [(step.match, *row) for step in appends for row in step.rows]
        commands = [
            (step.match, step.command.id, step.command.fingerprint, step.expected + 1, step.head.seq)
            for step in appends
            if step.command is not None
        ]
        is_done = _insert(connection, _MOVE_HEADS, heads) == len(appends)
        if is_done:
            _insert(connection, _INSERT_EVENTS, rows)
            _insert(connection, _RECORD_COMMANDS, commands)
    except (sqlite3.Error, UnicodeEncodeError):
        if not connection.in_transaction:  # a full disk, for one, has taken the whole transaction
            raise
        is_done = False
    if not is_done:
        connection.execute("ROLLBACK TO together")
    connection.execute("RELEASE together")
    return [Appended(step.match, step.expected + 1, step.head.seq) for step in appends] if is_done else None


def _insert(connection: sqlite3.Connection, statement: str, records: Sequence[tuple[Any, ...]]) -> int:
    """Carry out a statement for all records, and say how many rows it touched.

    The parts are powers of two: a text for every number there is would have to be read by SQLite nearly every time,
    which takes nearly as long as to carry it out.
    """
    touched = start = 0
    while left := len(records) - start:
        part = records[start : start + (1 << left.bit_length() - 1)]
        text = _text(statement, len(part), len(part[0]))
        touched += connection.execute(text, list(chain.from_iterable(part))).rowcount
        start += len(part)
    return touched


@cache
def _text(statement: str, records: int, cells: int) -> str:
    return statement.format(", ".join([f"({', '.join('?' * cells)})"] * records))
