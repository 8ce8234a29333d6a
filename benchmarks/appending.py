"""Durable appends of one step, against raw sqlite3 inserting the same rows in the same transactions."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.clock import seconds
from events.chain import Row
from service.games.azul import AZUL
from service.play.simulate import as_append, make_plan, playout
from service.store.connect import open_store
from service.store.shapes import Append, CommandKey

STEPS = 250


def _steps(number: int) -> tuple[Append, list[list[Row]]]:
    """A simulated match cut into its opening and single steps of one event."""
    plan = make_plan("azul", 4, {}, ["random"], 0)
    whole = as_append(AZUL, plan, number, playout(AZUL, plan, number), datetime.now(UTC))
    return whole, [[row] for row in whole.rows]


def _ours(path: Path, whole: Append, steps: list[list[Row]]) -> float:
    appends = [
        Append(
            match=whole.match,
            expected=rows[0].seq - 1,
            rows=rows,
            head=type(whole.head)(seq=rows[-1].seq, step=rows[-1].seq, hash=rows[-1].hash),
            status="playing",
            at=whole.at,
            new=whole.new if rows[0].seq == 1 else None,
            command=CommandKey(id=f"c{rows[0].seq}", fingerprint=b"f" * 32),
        )
        for rows in steps
    ]
    with open_store(str(path)) as store:
        store.append(appends[0])
        return seconds(lambda: [store.append(append) for append in appends[1:]])


def _raw(path: Path, whole: Append, steps: list[list[Row]]) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(
        "CREATE TABLE event (match_id TEXT, seq INTEGER, data BLOB, hash BLOB, "
        "PRIMARY KEY (match_id, seq)) WITHOUT ROWID"
    )

    def insert() -> None:
        for rows in steps[1:]:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", [(whole.match, *row) for row in rows])
            connection.execute("COMMIT")

    elapsed = seconds(insert)
    connection.close()
    return elapsed


def measure(folder: Path) -> dict[str, float]:
    """Both ways in turns on fresh files, the best of each."""
    ours, raw = [], []
    for number in range(5):
        whole, steps = _steps(number)
        steps = steps[:STEPS]
        raw.append(_raw(folder / f"raw-{number}.db", whole, steps) / (len(steps) - 1))
        ours.append(_ours(folder / f"ours-{number}.db", whole, steps) / (len(steps) - 1))
    return {"append_vs_raw": min(raw) / min(ours), "append_per_s": 1 / min(ours)}
