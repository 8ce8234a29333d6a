"""The service over HTTP: actions against a POST that only checks token and body, reads, and one step for many streams.

The service runs in a process of its own, on a file with durable commits; the client sends requests that were made ready
before, moves of games that were played in advance on the same seeds.
"""

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple
from uuid import uuid4

import msgspec
import uvicorn
import uvloop
from litestar import Response, get, post

from benchmarks.wire import Connection, Timed, connect, request, timed
from events.core import Seat
from service.games.azul import AZUL
from service.play.commands import Act
from service.play.simulate import make_plan, playout
from service.shell.http.app import API, leave_the_old_alone, make_app
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.routes.guards import IdempotencyKey, IfMatch
from service.shell.http.routes.responses import MatchId, access_to
from service.shell.http.serve import KEEP_ALIVE, log_config
from service.shell.http.settings import Settings

CLIENTS = 64
ROUNDS = 9
STEPS = 5
"""Requests of each client in each round; a match takes more moves than all rounds together."""
STREAMS = 1000
TOLD = 5
"""Steps told to all streams."""
Address = tuple[str, int]


# ---------------------------------------------------------------------------------------------------------- the service


@post(f"{API}/matches/{{match:str}}/null", status_code=200)
async def null_post(
    request: BoundedRequest, match: MatchId, data: Act, if_match: IfMatch = None, idempotency_key: IdempotencyKey = None
) -> Response[bytes]:
    """What an action takes before it begins: the request read, the body typed, the token looked up."""
    (await access_to(request, match)).member("seat")
    return Response(b"{}", media_type="application/json")


@get(f"{API}/matches/{{match:str}}/null")
async def null_get(request: BoundedRequest, match: MatchId) -> Response[bytes]:
    """What a look at a match takes before it begins."""
    await access_to(request, match)
    return Response(b"{}", media_type="application/json")


def serve(database: str, listening: int) -> None:
    """Serve a ledger on a socket that was opened for this process, with the two routes that do nothing."""
    settings = Settings(database=database, rate=0, streams=2 * STREAMS, heartbeat=60)
    leave_the_old_alone()
    app = make_app(settings, [null_post, null_get])
    config = uvicorn.Config(
        app,
        http="httptools",
        lifespan="on",
        access_log=False,
        log_config=log_config(True),
        timeout_keep_alive=KEEP_ALIVE,
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=listening)])


@contextmanager
def running(folder: Path) -> Iterator[Address]:
    """The service in a process of its own; whoever connects before it is ready waits."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a thousand streams are a thousand files
    with socket.create_server(("127.0.0.1", 0), backlog=2 * STREAMS) as listening:
        command = [sys.executable, "-m", "benchmarks.serving", str(folder / "served.db"), str(listening.fileno())]
        (folder / "keys").mkdir(mode=0o700)
        environment = {**os.environ, "MATCHLEDGER_KEYS": str(folder / "keys")}
        process = subprocess.Popen(command, pass_fds=[listening.fileno()], env=environment)
        try:
            yield listening.getsockname()
        finally:
            process.terminate()
            process.wait()


# ----------------------------------------------------------------------------------------------------------- the client


class Table(NamedTuple):
    """A match that was opened, and the moves that will be made in it."""

    match: str
    tokens: dict[Seat, str]
    moves: list[tuple[Seat, str]]

    def send(self, what: str, number: int) -> bytes:
        """A move as a request; `null` sends the same to the route that does nothing."""
        seat, move = self.moves[number]
        path = f"{API}/matches/{self.match}/{what}"
        headers = {"authorization": f"Bearer {self.tokens[seat]}", "idempotency_key": str(uuid4())}
        return request("POST", path, {"move": move}, **headers)

    def look(self, what: str = "") -> bytes:
        """A look at the match."""
        return request("GET", f"{API}/matches/{self.match}{what}", authorization=f"Bearer {self.tokens[1]}")


def _moves(seed: int) -> list[tuple[Seat, str]]:
    """Who moves how in a game with this seed, played by bots."""
    plan = make_plan(AZUL.key, 2, {}, ["random"], 0)
    state = AZUL.projection.initial(2, plan.options)
    found = []
    for step in playout(AZUL, plan, seed).steps:
        actor = step[0][0]
        if isinstance(actor, int):
            own = [event for who, event in step if who == actor]
            found.append((actor, AZUL.notation.write(AZUL.notation.recall(state, own))))
        for _, event in step:
            AZUL.projection.apply[type(event)](state, event)
    return found


async def _opened(connection: Connection, seed: int) -> Table:
    wish = {"game": AZUL.key, "players": ["Ann", "Ben"], "seed": seed}
    opened = msgspec.json.decode(await connection.ask(request("POST", f"{API}/matches", wish)))
    tokens = {int(seat): token for seat, token in opened["tokens"]["seats"].items()}
    return Table(opened["match"]["match"], tokens, _moves(seed))


async def _resident(connection: Connection) -> float:
    """Bytes of memory the service has."""
    text = (await connection.ask(request("GET", "/metrics"))).decode()
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("process_resident_memory"))


def _milliseconds(rounds: Sequence[Timed]) -> tuple[float, float]:
    """Half of all requests, and all but one in a hundred, were answered within this."""
    latencies = [1000 * latency for one in rounds for latency in one.latencies]
    return median(latencies), quantiles(latencies, n=100)[-1]


async def _actions(connections: Sequence[Connection], tables: Sequence[Table]) -> dict[str, float]:
    rounds: dict[str, list[Timed]] = {"null": [], "actions": []}
    for number in range(ROUNDS):
        for what, times in rounds.items():
            steps = range(number * STEPS, (number + 1) * STEPS)
            times.append(await timed(connections, [[table.send(what, step) for step in steps] for table in tables]))
    best = {what: min(one.seconds for one in times) for what, times in rounds.items()}
    (p50, p99), (null50, null99) = _milliseconds(rounds["actions"]), _milliseconds(rounds["null"])
    return {
        "http.action_vs_null_post": best["null"] / best["actions"],
        "http.actions_per_s": CLIENTS * STEPS / best["actions"],
        "http.action_p50_ms": p50,
        "http.action_p99_ms": p99,
        "http.action_p50_vs_null_post": p50 / null50,
        "http.action_p99_vs_null_post": p99 / null99,
    }


async def _looks(connections: Sequence[Connection], tables: Sequence[Table]) -> dict[str, float]:
    best = {"": float("inf"), "/null": float("inf")}
    for _ in range(ROUNDS):
        for what in best:
            times = await timed(connections, [[table.look(what)] * STEPS for table in tables])
            best[what] = min(best[what], times.seconds)
    return {"http.state_vs_null_get": best["/null"] / best[""], "http.states_per_s": CLIENTS * STEPS / best[""]}


async def _fan_out(connection: Connection, address: Address, table: Table) -> dict[str, float]:
    before = await _resident(connection)
    watch = request("GET", f"{API}/matches/{table.match}/live")
    streams = [await (await connect(address)).watch(watch) for _ in range(STREAMS)]
    after = await _resident(connection)
    slowest = []
    for number in range(TOLD):
        sent = await timed([connection], [[table.send("actions", number)]])
        for stream in streams:
            await stream.reaches(number + 1)
        slowest.append(max(stream.at for stream in streams) - sent.started)
    assert all(stream.messages == TOLD for stream in streams)
    return {
        "http.fan_out_slowest_ms": 1000 * median(slowest),
        "http.stream_kilobytes": (after - before) / STREAMS / 1024,
    }


async def _measure(address: Address) -> dict[str, float]:
    connections = [await connect(address) for _ in range(CLIENTS)]
    tables = [await _opened(connections[0], seed) for seed in range(CLIENTS + 1)]
    results = await _actions(connections, tables[:CLIENTS])
    results |= await _looks(connections, tables[:CLIENTS])
    return results | await _fan_out(connections[0], address, tables[CLIENTS])


def measure(folder: Path) -> dict[str, float]:
    """Everything with one service and one client; both kinds of a request in turns, the best round of each."""
    with running(folder) as address:
        return uvloop.run(_measure(address))


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
