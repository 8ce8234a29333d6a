"""The databases the service is tried on."""

from collections.abc import Iterator

import pytest

from tests.postgres import PostgresServer, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An SQLite file, then a PostgreSQL database, each for the tests of one module."""
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("service") / "ledger.db")
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    address = server.migrated_database()
    yield address
    server.drop(address)
