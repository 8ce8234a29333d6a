"""A client that costs next to nothing: requests made ready as bytes, over connections that are kept."""

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


def request(method: str, path: str, body: object = None, **headers: str) -> bytes:
    """A request as it is sent; names of headers are written with `_`."""
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", f"content-length: {len(content)}"]
    lines += ["content-type: application/json"] * (body is not None)
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + _END + content


class Connection(asyncio.Protocol):
    """One connection, for one request at a time."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._answer: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way out."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name

    def data_received(self, data: bytes) -> None:
        """Wait for the whole answer."""
        self._buffer += data
        end = self._buffer.find(_END)
        if end < 0:
            return
        start = self._buffer.find(_LENGTH, 0, end) + len(_LENGTH)
        length = int(self._buffer[start : self._buffer.find(b"\r", start)])
        if len(self._buffer) < end + len(_END) + length:
            return
        assert self._answer is not None
        self._answer.set_result(bytes(self._buffer))
        self._buffer.clear()

    async def ask(self, request: bytes) -> bytes:
        """The body of the answer to a request that must succeed."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        head, _, body = (await self._answer).partition(_END)
        assert head.startswith(b"HTTP/1.1 20"), head + body
        return body

    async def watch(self, request: bytes) -> "Stream":
        """A stream in place of answers, from its first bytes on."""
        assert self._transport is not None
        stream = Stream()
        self._transport.set_protocol(stream)
        self._transport.write(request)
        await stream.reaches(0)
        return stream


class Stream(asyncio.Protocol):
    """A live stream that is counted, and not read."""

    def __init__(self) -> None:
        self.messages = -1
        """How many steps were told; -1 before anything was."""
        self.at = 0.0
        """When the last of them came."""
        self._news = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Count what came."""
        self.messages = max(self.messages, 0) + data.count(b"\nevent: step\n")
        self.at = time.perf_counter()
        self._news.set()

    async def reaches(self, messages: int) -> None:
        """Wait for so many steps."""
        while self.messages < messages:
            self._news.clear()
            await self._news.wait()


async def connect(address: tuple[str, int]) -> Connection:
    """A connection to the service."""
    _, connection = await asyncio.get_running_loop().create_connection(Connection, *address)
    return connection


class Timed(NamedTuple):
    """How long many requests took: all together, and each."""

    started: float
    seconds: float
    latencies: list[float]


async def timed(connections: Sequence[Connection], requests: Sequence[Sequence[bytes]]) -> Timed:
    """Every connection sends its own requests one after the other, all connections at once."""
    latencies: list[float] = []

    async def send_all(connection: Connection, requests: Sequence[bytes]) -> None:
        for request in requests:
            started = time.perf_counter()
            await connection.ask(request)
            latencies.append(time.perf_counter() - started)

    started = time.perf_counter()
    await asyncio.gather(*map(send_all, connections, requests))
    return Timed(started, time.perf_counter() - started, latencies)
