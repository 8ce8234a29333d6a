"""Promises under attack: processes killed and databases restarted in the middle of a load.

No acknowledged step is lost and none is done twice, streams miss and double nothing, every match comes to its end. What
the service may say meanwhile is 503; nothing else of its kind.
"""

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests.http.load import workers_for
from tests.http.playing import LOST, Played, Progress, Watch, Wire, bearer, check, plans, play_all, wired
from tests.http.serving import STARTING, Service, serving
from tests.postgres import PostgresServer, running_server

MATCHES = 12
_STARTED = re.compile(r"Started server process \[(\d+)\]")

Harm = Callable[[], Awaitable[None]]


@pytest.fixture
def fragile() -> Iterator[PostgresServer]:
    """A server of this test's own, that keeps what it has acknowledged when its processes are killed."""
    with running_server() as server:
        with psycopg.connect(server.address("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM RESET synchronous_commit")
            connection.execute("SELECT pg_reload_conf()")
        yield server


def played_through(service: Service, harms: list[Harm], every: int) -> tuple[Wire, list[Played]]:
    """What became of a load in which something is done after every so many steps."""

    async def do_harm(progress: Progress) -> None:
        for number, harm in enumerate(harms, start=1):
            await progress.reaches(number * every)
            await harm()

    async def play() -> tuple[Wire, list[Played]]:
        progress = Progress()
        async with wired(service.api) as wire, asyncio.TaskGroup() as group:
            harm = group.create_task(do_harm(progress))
            played = await play_all(wire, plans(MATCHES), progress)
            assert harm.done(), f"all was over after {progress.steps} steps, before all harm was done"
        return wire, played

    return asyncio.run(play())


def workers_of(service: Service) -> list[int]:
    """Every worker process the service has had, the newest last."""
    return [int(pid) for pid in _STARTED.findall(service.log.read_text())]


def assert_survived(database: str, wire: Wire, played: list[Played]) -> None:
    assert not wire.failures, wire.answers
    assert wire.answers[LOST], "nobody noticed anything"
    assert any(watch.resumed for match in played for watch in match.watches)
    check(database, played)


def test_workers_killed_and_the_server_restarted_in_the_middle_lose_and_double_nothing(
    fragile: PostgresServer, tmp_path: Path
) -> None:
    database = fragile.migrated_database()
    with serving(database, tmp_path, *workers_for(database)) as service:
        killed: list[int] = []

        async def kill_a_worker() -> None:
            killed.append(next(pid for pid in workers_of(service) if pid not in killed))
            os.kill(killed[-1], signal.SIGKILL)

        async def restart() -> None:
            await asyncio.to_thread(fragile.restart, "fast")

        async def crash() -> None:
            await asyncio.to_thread(fragile.restart, "immediate")

        wire, played = played_through(service, [kill_a_worker, restart, kill_a_worker, crash], every=60)
        assert len(workers_of(service)) == 4, "nobody took the place of a worker that was killed"
    assert_survived(database, wire, played)


def test_a_service_on_a_file_killed_in_the_middle_and_started_again_loses_and_doubles_nothing(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    with ExitStack() as services:
        running = [services.enter_context(serving(database, tmp_path, "--quiet"))]
        port = int(running[0].url.rpartition(":")[2])

        def start_again() -> None:
            running.append(services.enter_context(serving(database, tmp_path, "--quiet", port=port)))

        async def kill() -> None:
            running[-1].process.kill()
            running[-1].process.wait()
            await asyncio.to_thread(start_again)

        wire, played = played_through(running[0], [kill, kill], every=80)
    assert_survived(database, wire, played)


def test_bots_whose_process_was_killed_go_on_in_another(fragile: PostgresServer, tmp_path: Path) -> None:
    database = fragile.migrated_database()

    async def play(killed: Service, other: Service) -> None:
        async with wired(killed.api) as host, wired(other.api) as spectator, asyncio.timeout(STARTING):
            opened = await host.asked("POST", "/matches", {"game": "azul", "players": ["bot:random"], "seats": 2})
            match = opened["match"]["match"]
            watch = Watch(spectator, match)
            async with asyncio.TaskGroup() as group:
                group.create_task(watch.follow())
                await watch.reaches(1)
                token = bearer(opened["tokens"]["host"])
                await host.asked("POST", f"/matches/{match}/join", {"name": "bot:greedy"}, **token)
                await watch.reaches(10)
                killed.process.kill()
            assert watch.resumed == 0, "whoever comes back wakes the bots"

    with serving(database, tmp_path) as killed, serving(database, tmp_path) as other:
        asyncio.run(play(killed, other))
