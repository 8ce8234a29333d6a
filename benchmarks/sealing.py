"""Sealing: how small a match becomes, and how fast it is replayed and loaded from its seal, against rows."""

import os
import shutil
import sqlite3
import time
from pathlib import Path

import msgspec

from benchmarks.clock import best_of
from benchmarks.loading import LOADED, load_each
from benchmarks.replaying import ours
from events.codec import AnyEvent
from service.games.game import Game
from service.play.ledger import LocalLedger
from service.store.columns import SEAL
from service.store.connect import open_store
from service.store.seals import Seals


class Told(msgspec.Struct, array_like=True, gc=False):
    """A block (events/block.py) with the events alone."""

    moments: msgspec.Raw
    actors: msgspec.Raw
    events: list[AnyEvent]


def ceiling(path: Path) -> int:
    """The same seals by raw sqlite3, unpacked and decoded as typed events match by match, and nothing else."""
    decoder = msgspec.msgpack.Decoder(Told)
    connection = sqlite3.connect(path)
    seals = Seals(lambda sql, parameters: connection.execute(sql, parameters).fetchall())
    events = 0
    for match, *record in connection.execute(f"SELECT match_id, {SEAL.columns} FROM seal ORDER BY match_id"):
        events += len(decoder.decode(seals.block(match, record)).events)
    connection.close()
    return events


def measure(folder: Path, game: Game) -> dict[str, float]:
    """The figures of the ledger that replaying has filled: all of its file, journal and listing included."""
    rows, sealed = folder / f"{game.key}.db", folder / f"{game.key}-sealed.db"
    with open_store(str(rows)) as store:
        store.sealing().compact()
    shutil.copy(rows, sealed)
    started = time.process_time()
    with open_store(str(sealed)) as store:
        matches = sum(1 for _ in store.sealing().seal())
        spent = time.process_time() - started
        store.sealing().compact()
    from_rows, from_seals, limit = best_of(3, lambda: ours(rows), lambda: ours(sealed), lambda: ceiling(sealed))
    with open_store(str(rows)) as unsealed, open_store(str(sealed)) as store:
        ids = next(store.ids(LOADED))
        open_ones, sealed_ones = best_of(
            5, lambda: load_each(LocalLedger(unsealed), ids), lambda: load_each(LocalLedger(store), ids)
        )
    return {
        f"{game.key}.bytes_per_match": os.path.getsize(rows) / matches,
        f"{game.key}.sealed_bytes_per_match": os.path.getsize(sealed) / matches,
        f"{game.key}.sealed_replay_vs_rows": from_rows / from_seals,
        f"{game.key}.sealed_replay_vs_ceiling": limit / from_seals,
        f"{game.key}.sealed_load_vs_rows": open_ones / sealed_ones,
        f"{game.key}.seal_ms_per_match": 1000 * spent / matches,
    }
