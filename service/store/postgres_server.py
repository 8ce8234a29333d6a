"""The PostgreSQL server a ledger lives on: how it is reached, and what its errors mean."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.abc import Buffer
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.datetime import TimestamptzBinaryLoader, TimestamptzLoader

from service.errors import LedgerError, Unavailable, UsageError
from service.store.refusals import constraint, full, locked, not_writable, unstorable

Answer = TypeVar("Answer")
Connection = psycopg.Connection[tuple[Any, ...]]


class _Moment(TimestamptzLoader):
    """A moment, or the words for one that no calendar of ours knows, such as infinity: that cell is bad, no other."""

    def load(self, data: Buffer) -> Any:
        """The moment."""
        try:
            return super().load(data)
        except psycopg.DataError:
            return bytes(data).decode()


class _BinaryMoment(TimestamptzBinaryLoader):
    """The same where the server answers in its own format."""

    def load(self, data: Buffer) -> Any:
        """The moment."""
        try:
            return super().load(data)
        except psycopg.DataError:
            return f"a moment out of reach: {bytes(data).hex()}"


class PostgresServer:
    """One database on a server; nothing is asked of it before somebody connects."""

    def __init__(self, address: str, *, timeout: float, is_read_only: bool = False) -> None:
        self._settings: dict[str, Any] = {"connect_timeout": max(2, round(timeout)), **_settings(address)}
        host, port, name = (self._settings.get(key, "") for key in ("host", "port", "dbname"))
        self.where = f"'postgresql://{host}{port and ':'}{port}/{name}'"
        self.outages = 0
        """How often it could not be reached."""
        if is_read_only:
            given = self._settings.get("options", "")
            self._settings["options"] = f"{given} -c default_transaction_read_only=on".strip()

    def connect(self, *, autocommit: bool = True, **settings: Any) -> Connection:
        """A new connection with our settings, and these; the caller closes it."""
        connection = psycopg.connect(autocommit=autocommit, **(self._settings | settings))
        connection.adapters.register_loader("timestamptz", _Moment)
        connection.adapters.register_loader("timestamptz", _BinaryMoment)
        return connection

    def translated(self, work: Callable[[], Answer]) -> Answer:
        """Do it, with the driver's errors told as refusals."""
        try:
            return work()
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise self.refusal(error) from error

    def refusal(self, error: Exception) -> LedgerError:
        """What an error of the driver means to a person."""
        why = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        match error:
            case UnicodeEncodeError() | psycopg.DataError():
                return unstorable(why)
            case errors.UndefinedTable():
                return Unavailable(
                    "store/unmigrated", f"{self.where} lacks a table: {why}. Run `matchledger db upgrade`."
                )
            case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
                return not_writable(self.where)
            case errors.LockNotAvailable() | errors.DeadlockDetected() | errors.QueryCanceled():
                return locked(self.where)
            case errors.DiskFull():
                return full(self.where)
            case psycopg.IntegrityError():
                return constraint(self.where, why)
            case psycopg.OperationalError() | psycopg.InterfaceError():
                self.outages += 1
                return Unavailable("store/unreachable", f"{self.where} cannot be reached: {why}.")
        return Unavailable("store/failed", f"{self.where} cannot be used: {why}.")


def _settings(address: str) -> dict[str, Any]:
    """What libpq reads in the address. One that it would cut up wrongly might print half a password: refused."""
    rest = address.partition("://")[2]
    credentials = rest.rpartition("@")[0]
    if not any(mark in credentials for mark in "/?#@"):
        with suppress(psycopg.Error, UnicodeEncodeError):
            return conninfo_to_dict(f"postgresql://{rest}")
    raise UsageError(
        "store/unsupported",
        "That PostgreSQL address cannot be read; expected postgresql://USER:PASSWORD@HOST:PORT/NAME"
        " with / ? # @ and % in the password written as %2F %3F %23 %40 and %25.",
    )
