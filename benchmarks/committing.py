"""Group commit with many callers waiting, against the same steps committed one by one, both durable."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import uvloop

from benchmarks.clock import seconds
from events.chain import link, origin
from service.store import Append, Appended, CommandKey, Head, NewMatchRow, Row, Store, open_store

WAITING = 64
STEPS = 25


def _chains() -> list[list[Append]]:
    """A match for every caller: its opening, then steps of one event of the usual size."""
    return [_chain(f"m{number}") for number in range(WAITING)]


def _chain(match: str) -> list[Append]:
    appends = []
    hash_ = origin(match, "azul", "azul/1")
    for seq in range(1, STEPS + 2):
        data = f'{{"match":"{match}","seq":{seq},"said":"{"." * 150}"}}'.encode()
        hash_ = link(hash_, data)
        new = NewMatchRow("azul", "azul/1", 2, "free", "fair") if seq == 1 else None
        command = CommandKey(f"c{seq}", b"f" * 32)
        row, head, at = Row(seq, data, hash_), Head(seq, seq, hash_), datetime.now(UTC)
        appends.append(Append(match, seq - 1, [row], head, "playing", at, new, command=command))
    return appends


def _opened(path: Path, chains: list[list[Append]]) -> Store:
    store = open_store(str(path))
    store.append_all([chain[0] for chain in chains])
    return store


def _single(path: Path) -> float:
    """One commit after the other, as one caller does without company: nobody contends for the file."""
    chains = _chains()
    with _opened(path, chains) as store:
        return seconds(
            lambda: [store.append(append) for steps in list(zip(*chains, strict=True))[1:] for append in steps]
        )


def _grouped(path: Path, batches: list[int]) -> float:
    """Every caller sends its next step when the last one is durable, all of them in one loop as in the service."""
    chains = _chains()

    async def play_all(store: Store) -> None:
        loop = asyncio.get_running_loop()
        group = store.grouped(on_batch=batches.append, lead=loop.call_soon_threadsafe)

        async def play(chain: list[Append]) -> None:
            for append in chain[1:]:
                answer: asyncio.Future[Appended] = loop.create_future()
                group.submit_for(append, answer)
                await answer

        await asyncio.gather(*map(play, chains))
        await asyncio.to_thread(group.close)

    with _opened(path, chains) as store:
        return seconds(lambda: uvloop.run(play_all(store)))


def measure(folder: Path) -> dict[str, float]:
    """Both ways in turns on fresh files, the best of each."""
    single, grouped = [], []
    batches: list[int] = []
    for number in range(3):
        single.append(_single(folder / f"single-{number}.db"))
        grouped.append(_grouped(folder / f"grouped-{number}.db", batches))
    return {
        "group_commit_vs_single": min(single) / min(grouped),
        "group_commit_per_s": WAITING * STEPS / min(grouped),
        "group_commit_batch": sum(batches) / len(batches),
    }
