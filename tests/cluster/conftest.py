"""A real cluster of two worker processes, and databases to work on."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import running_server


@contextmanager
def two_workers() -> Iterator[Any]:
    """A cluster of two workers, each a process that is started again when it is killed."""
    from distributed import LocalCluster

    # Any free port for its pages: with none named, two test processes would want the same one.
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as running:
        yield running


@pytest.fixture(scope="package")
def cluster() -> Iterator[Any]:
    """A cluster for all who do it no harm."""
    with two_workers() as running:
        yield running


@pytest.fixture
def fragile() -> Iterator[Any]:
    """A cluster of one's own: now and then a worker that was killed does not come back."""
    with two_workers() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a ledger can be kept: a file, then a PostgreSQL database."""
    if request.param == "sqlite":
        yield str(tmp_path / "ledger.db")
        return
    with running_server() as server:
        yield server.migrated_database()


def kill_a_busy_worker(cluster: Any) -> bool:
    """Kill a worker that has work in hand, if one has; whether one had."""
    busy = {address for address, worker in cluster.scheduler.workers.items() if worker.processing}
    for nanny in cluster.workers.values():
        if nanny.worker_address in busy:
            os.kill(nanny.pid, signal.SIGKILL)
            return True
    return False
