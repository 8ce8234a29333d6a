"""Replay: store → states, against a ceiling that only reads and decodes, and against another library's aggregates."""

import os
import sqlite3
import tracemalloc
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.clock import best_of
from events.codec import AnyEvent, Fact
from service.games.game import Game
from service.play.replay import replay_all
from service.play.simulate import make_plan, simulate
from service.store.connect import open_store


def fill(path: Path, game: Game, matches: int) -> None:
    """A ledger file with so many simulated matches of as few as it takes."""
    plan = make_plan(game.key, None, {}, ["random"], 0)
    for _ in simulate(plan, matches, os.cpu_count() or 1, str(path)):
        pass


def ceiling(path: Path) -> int:
    """The same rows by raw sqlite3, decoded as typed events match by match, and nothing else."""
    decoder = msgspec.json.Decoder(list[Fact[AnyEvent]])
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT match_id, data FROM event ORDER BY match_id, seq")
    events = 0
    for _, group in groupby(rows, key=itemgetter(0)):
        events += len(decoder.decode(b"[" + b",".join([data for _, data in group]) + b"]"))
    connection.close()
    return events


def ours(path: Path) -> int:
    """Every match read, decoded and folded to its final state."""
    matches = 0
    with open_store(str(path)) as store:
        for _ in replay_all(store):
            matches += 1
    return matches


class Draft(Aggregate):
    """An aggregate with events the size of a draft, in the `eventsourcing` package."""

    @event("Opened")
    def __init__(self) -> None:
        self.taken = 0

    @event("Drafted")
    def drafted(self, seat: int, source: int, colour: int, taken: int, line: int) -> None:
        self.taken += taken


def peer(folder: Path, aggregates: int, length: int) -> tuple[int, float]:
    """How many events, and how long the `eventsourcing` package takes to rebuild aggregates of this length."""
    env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / f"peer-{uuid4().hex}.db")}
    application: Application[UUID] = Application(env)
    ids = []
    for _ in range(aggregates):
        draft = Draft()
        for number in range(length - 1):
            draft.drafted(seat=1 + number % 2, source=number % 6, colour=number % 5, taken=2, line=number % 6)
        application.save(draft)
        ids.append(draft.id)
    [elapsed] = best_of(2, lambda: [application.repository.get(id_) for id_ in ids])
    application.close()
    return aggregates * length, elapsed


def peak_memory(path: Path) -> int:
    """The most memory a fold over the whole file holds at once, in bytes."""
    tracemalloc.start()
    ours(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def measure(folder: Path, game: Game, matches: int, with_peer: bool) -> dict[str, float]:
    """The replay figures of one game."""
    path = folder / f"{game.key}.db"
    fill(path, game, matches)
    events = ceiling(path)
    limit, replay = best_of(3, lambda: ceiling(path), lambda: ours(path))
    results = {
        f"{game.key}.replay_vs_ceiling": limit / replay,
        f"{game.key}.replay_events_per_s": events / replay,
        f"{game.key}.events_per_match": events / matches,
    }
    if with_peer:
        peer_events, peer_time = peer(folder, 100, round(events / matches))
        results[f"{game.key}.replay_vs_eventsourcing"] = (events / replay) / (peer_events / peer_time)
        few = folder / f"{game.key}-few.db"
        fill(few, game, matches // 10)
        results[f"{game.key}.replay_peak_growth"] = peak_memory(path) / peak_memory(few)
    return results
