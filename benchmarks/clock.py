"""Timing two ways of doing the same work side by side, so that a busy neighbour slows both alike."""

import gc
import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes once, with the garbage of earlier work out of the way."""
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def best_of(rounds: int, *works: Callable[[], object]) -> list[float]:
    """The shortest time of each work, all of them taken in turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for index, work in enumerate(works):
            best[index] = min(best[index], seconds(work))
    return best


def yardstick() -> float:
    """Steps per second of a fixed loop of ordinary Python: calls, lists, dicts and small numbers."""
    steps = 300_000

    def loop() -> None:
        table: dict[int, int] = {}
        cells = [0] * 64
        for number in range(steps):
            cell = (number * 31 + 7) & 63
            cells[cell] += _odd(number)
            table[cell] = cells[cell]

    return steps / best_of(3, loop)[0]


def _odd(number: int) -> int:
    return number & 1
