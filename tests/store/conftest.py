"""The databases every test of the store runs on."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from service.store import Store, open_store
from tests.postgres import PostgresServer, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "ledger.db"
    open_store(str(path)).close()
    return path


@pytest.fixture
def sqlite_address(tmp_path: Path, migrated_file: Path) -> str:
    """A migrated file without matches; a copy, because migrating takes longer than most tests."""
    return str(shutil.copy(migrated_file, tmp_path / "ledger.db"))


@pytest.fixture
def new_address(tmp_path: Path) -> str:
    """Where there is no file yet."""
    return str(tmp_path / "new.db")


@pytest.fixture
def postgres_address(postgres: PostgresServer) -> str:
    """A migrated database without matches. Tests that change more than rows ask for their own instead."""
    return postgres.emptied_database()


@pytest.fixture
def own_postgres_address(postgres: PostgresServer) -> Iterator[str]:
    address = postgres.migrated_database()
    yield address
    postgres.drop(address)


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    """Where a store can be opened: an SQLite file, then a PostgreSQL database."""
    found: str = request.getfixturevalue(f"{request.param}_address")
    return found


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


@pytest.fixture
def execute(address: str) -> Callable[[str], None]:
    """Carries out one statement behind the store's back, with the plain driver."""

    def run(statement: str) -> None:
        if address.startswith("postgresql"):
            with psycopg.connect(address, autocommit=True) as server:
                server.execute(statement)
        else:
            file = sqlite3.connect(address, isolation_level=None)
            try:
                file.execute(statement)
            finally:
                file.close()

    return run
