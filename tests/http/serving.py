"""The service as its users meet it: a process of its own, on a port of its own, stopped by whoever started it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

STARTING = 60
"""Seconds a service may take to be ready on a busy machine."""


class Service(NamedTuple):
    """A service that runs."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    database: str

    @property
    def api(self) -> str:
        """Where its routes begin."""
        return f"{self.url}/api/v1"

    def stop(self) -> int:
        """Tell it to stop, and give its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STARTING)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def serving(
    database: str,
    folder: Path,
    *options: str,
    port: int = 0,
    environment: Mapping[str, str] | None = None,
    program: Sequence[str] = (sys.executable, "-m", "cli"),
) -> Iterator[Service]:
    """`matchledger serve` on a database; `folder` is for its log. Limits are off unless options say otherwise."""
    port = port or free_port()
    log = folder / f"serve-{port}.log"
    words = ["--rate", "0", "--streams", "5000", "--heartbeat", "0.5", *options]
    command = [*program, "--database", database, "serve", "--port", str(port), *words]
    with log.open("ab") as err:
        process = subprocess.Popen(
            command,
            cwd=Path(__file__).parents[2],
            stderr=err,
            stdout=err,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
    service = Service(f"http://127.0.0.1:{port}", process, log, database)
    try:
        _wait_until_ready(service)
        yield service
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STARTING)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise


def _wait_until_ready(service: Service) -> None:
    transport = httpx.HTTPTransport(retries=0)
    with httpx.Client(transport=transport, timeout=5) as client:
        for _ in range(STARTING * 10):
            if service.process.poll() is not None:
                raise AssertionError(f"the service ended: {service.log.read_text()}")
            try:
                if client.get(f"{service.url}/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            try:
                service.process.wait(0.1)  # its end is the only thing to wait for
            except subprocess.TimeoutExpired:
                continue
    raise AssertionError(f"the service is not ready: {service.log.read_text()}")
