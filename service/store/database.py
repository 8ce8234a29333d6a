"""The database protocol: what the store asks of SQLite and PostgreSQL."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from service.errors import Damaged
from service.store.group_commit import Writing
from service.store.news import Moved
from service.store.shapes import (
    Append,
    Appended,
    Entries,
    Hearsay,
    JournalRow,
    MatchRow,
    Signature,
)

Answer = TypeVar("Answer")


class Cursor(Protocol):
    """What both drivers answer a statement with."""

    def fetchall(self) -> list[tuple[Any, ...]]: ...
    @property
    def rowcount(self) -> int: ...


Record = tuple[Any, ...]
"""The cells of a row as a driver gives them; of an event its number, its bytes and its hash."""
Execute = Callable[[str, Sequence[object]], Cursor]
"""Carries out one statement of a transaction, with `?` for its parameters."""


class Stream(NamedTuple):
    """The events of one match as they lie in the store: those under its seal, and those behind them."""

    block: bytes
    """See `events.block`; empty where nothing is sealed."""
    behind: bytes
    """The rows joined by commas, which a database does sooner than it hands them over one by one. A cell that holds no
    bytes is a `?` among them."""


class Database(Writing, Protocol):
    """What differs from database to database; `sqlite.py` and `postgres.py` each have one."""

    where: str
    is_local: bool

    def append(self, append: Append) -> Appended: ...
    def append_all(self, appends: Sequence[Append]) -> None: ...
    def enter(self, entries: Entries, match: str, expected: int) -> list[JournalRow]: ...
    def sign(self, signatures: Sequence[Signature], at: datetime, hearsay: Sequence[Hearsay] = ()) -> None: ...
    def rows(self, match: str, after: int) -> list[Record]: ...
    def tell(self, moved: Moved) -> None: ...
    def changes(self, every: float) -> Iterator[list[Moved]]: ...
    def streams(self, game: str) -> Iterator[tuple[MatchRow | Damaged, Sequence[Any], bytes]]: ...
    def alone(self, work: Callable[[Execute], Answer]) -> Answer: ...
    def compact(self) -> None: ...
    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]: ...
    def change(self, sql: str, parameters: Sequence[object] = ()) -> int: ...
    def stamp(self, at: datetime) -> object: ...
    def snapshot(self) -> AbstractContextManager[None]: ...
    def check_ready(self) -> None: ...
    def close(self) -> None: ...
