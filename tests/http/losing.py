"""A wire that loses answers: requests arrive, and of the first answer to some of them nothing comes back."""

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit


@contextmanager
def losing(url: str, mark: bytes) -> Iterator[str]:
    """The address of a proxy in front of a service; it drops the first answer to a request with this in it."""
    parts = urlsplit(url)
    lost: list[bytes] = []

    def carry(near: socket.socket) -> None:
        with near, socket.create_connection((parts.hostname, parts.port)) as far, suppress(OSError):
            asked = b""
            while True:
                for ready in select.select([near, far], [], [])[0]:
                    data = ready.recv(1 << 20)
                    if not data:
                        return
                    if ready is near:
                        asked += data
                        far.sendall(data)
                    elif mark in asked and not lost:
                        lost.append(data)
                        return
                    else:
                        asked = b""
                        near.sendall(data)

    def accept() -> None:
        with suppress(OSError):  # it is closed in the end
            while True:
                Thread(target=carry, args=(door.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as door:
        Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        door.shutdown(socket.SHUT_RDWR)
    assert lost, "no answer was lost"
