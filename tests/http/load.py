"""`make load`: many matches of all games at once through the service, with a live stream for every seat and spectator.

`python -m tests.http.load --matches 200` says how long it took, and fails if a stream missed or doubled a step, a match
does not audit clean, or the service failed once.
"""

import argparse
import asyncio
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.http.playing import LOST, Progress, check, plans, play_all, wired
from tests.http.serving import Service, serving
from tests.postgres import running_server

WORKERS = 2


class Load(NamedTuple):
    """What a load came to."""

    matches: int
    streams: int
    steps: int
    """In the ledgers, the bots' and chance's among them."""
    requests: int
    seconds: float


def put_load_on(service: Service, database: str, matches: int) -> Load:
    """Play so many matches at once, and check that everybody saw everything."""

    async def play() -> Load:
        async with wired(service.api) as wire:
            started = time.perf_counter()
            played = await play_all(wire, plans(matches), Progress())
            seconds = time.perf_counter() - started
        assert not wire.failures, wire.answers
        assert not wire.answers[LOST], "nobody did any harm, and requests got no answer"
        assert not any(watch.resumed for match in played for watch in match.watches)
        streams = sum(len(match.watches) for match in played)
        return Load(matches, streams, check(database, played), wire.answers.total(), seconds)

    return asyncio.run(play())


def workers_for(database: str) -> list[str]:
    """The options that give a database as many workers as it can have, up to two."""
    return ["--workers", str(WORKERS)] if database.startswith("postgresql") else []


CALM = ["--quiet", "--heartbeat", "5"]
"""Signs of life twice a second on hundreds of streams would be most of the load."""


def main() -> None:
    """Both databases, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200)
    matches = parser.parse_args().matches
    with TemporaryDirectory(prefix="matchledger-load-") as name, running_server() as postgres:
        folder = Path(name)
        (folder / "keys").mkdir(mode=0o700)
        os.environ["MATCHLEDGER_KEYS"] = str(folder / "keys")
        for database in (str(folder / "ledger.db"), postgres.migrated_database()):
            with serving(database, folder, *CALM, *workers_for(database)) as service:
                load = put_load_on(service, database, matches)
            where = "PostgreSQL, 2 workers" if database.startswith("postgresql") else "SQLite"
            print(
                f"{where}: {load.matches} matches, {load.streams} streams, {load.steps:,} steps,"
                f" {load.requests:,} requests in {load.seconds:.0f} s; all seen, all clean, no failure",
                flush=True,
            )


if __name__ == "__main__":
    main()
