"""Running the service: one process on a file, several on a database server."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final

import uvicorn

from service.errors import UsageError
from service.shell.http.edge import JsonLines
from service.shell.http.metrics import FOLDER_VARIABLE
from service.shell.http.settings import Settings
from service.store.connect import open_store

FACTORY: Final = "service.shell.http.app:from_worker"
GRACE: Final = 10
"""Seconds for requests that are under way when the service is told to stop."""
KEEP_ALIVE: Final = 75
"""Seconds a connection may be idle: longer than clients and proxies keep one, or it is closed under a request."""


def serve(settings: Settings, host: str, port: int, workers: int = 1, *, is_quiet: bool = False) -> None:
    """Serve until told to stop. A ledger in a file has one writer, and so one process."""
    with open_store(settings.database, timeout=settings.timeout) as store:
        if store.is_local and workers > 1:
            raise UsageError(
                "serve/workers",
                f"{workers} workers need a PostgreSQL database; {store.where} is a file, and a file has one writer.",
            )
    settings.put_into_environment()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stopped)  # uvicorn puts its own in their place, and raises the signal again at its end
    with _shared_metrics(workers):
        uvicorn.run(
            FACTORY,
            factory=True,
            host=host,
            port=port,
            workers=workers,
            loop="auto",
            http="httptools",
            lifespan="on",
            access_log=False,
            log_config=log_config(is_quiet),
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=GRACE,
        )


def _stopped(number: int, frame: object) -> None:
    """To be told to stop is no failure."""


def log_config(is_quiet: bool) -> dict[str, Any]:
    """One JSON object a line on the standard error; quiet leaves out what is no trouble."""
    level = "WARNING" if is_quiet else "INFO"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines", "stream": "ext://sys.stderr"}},
        "loggers": {
            name: {"handlers": ["stderr"], "level": level, "propagate": False} for name in ("matchledger", "uvicorn")
        },
    }


@contextmanager
def _shared_metrics(workers: int) -> Iterator[None]:
    """A folder in which several workers add up what they measure."""
    if workers == 1 or os.environ.get(FOLDER_VARIABLE):
        yield
        return
    with TemporaryDirectory(prefix="matchledger-metrics-") as folder:
        os.environ[FOLDER_VARIABLE] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER_VARIABLE]
