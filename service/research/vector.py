"""The vector environment: many tables over several processes, stepped together."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import Any, NamedTuple, Self

from service.errors import UsageError
from service.play import workers

from .env import Env
from .numbers import np, npt


class Tables(NamedTuple):
    """How all tables stand, a row for each. At one whose episode just ended, the next has begun."""

    seats: npt.NDArray[np.int8]
    """Whose turn it is."""
    masks: npt.NDArray[np.bool_]
    """What that seat may do, as `Env.legal_mask` has it."""
    observations: npt.NDArray[np.float32]
    """What it sees."""
    ended: npt.NDArray[np.bool_]
    """Whether the last step ended an episode."""
    returns: npt.NDArray[np.float32]
    """What each seat made of the episode that ended; 0 where none did."""


class TableBatch:
    """Some of the tables, all in one process: table i plays with the seeds first + i, first + i + count and so on."""

    def __init__(
        self, game: str, seats: int | None, options: Mapping[str, str] | None, places: Sequence[int], count: int
    ) -> None:
        self._envs = [Env(game, seats, options) for _ in places]
        self._places, self._count = places, count
        self._seeds: list[int] = []

    def reset(self, first: int) -> Tables:
        """Begin everywhere."""
        self._seeds = [first + place for place in self._places]
        for env, seed in zip(self._envs, self._seeds, strict=True):
            env.reset(seed)
        return self._stand({})

    def step(self, numbers: Sequence[int]) -> Tables:
        """One action at every table."""
        ended: dict[int, tuple[float, ...]] = {}
        for place, (env, number) in enumerate(zip(self._envs, numbers, strict=True)):
            env.step(number)
            if env.is_over:
                ended[place] = env.returns()
                self._seeds[place] += self._count
                env.reset(self._seeds[place])
        return self._stand(ended)

    def _stand(self, ended: Mapping[int, tuple[float, ...]]) -> Tables:
        nothing = (0.0,) * self._envs[0].seats
        return Tables(
            np.array([env.seat for env in self._envs], np.int8),
            np.array([env.legal_mask() for env in self._envs]),
            np.array([env.observe() for env in self._envs]),
            np.array([place in ended for place in range(len(self._envs))]),
            np.array([ended.get(place, nothing) for place in range(len(self._envs))], np.float32),
        )


class VectorEnv:
    """So many tables of one game over so many processes. Whatever is played depends on the seed, not on the processes.

    >>> with matchledger.VectorEnv("coloretto", 8, seats=3) as tables:
    ...     now = tables.reset(seed=1)
    ...     now = tables.step(now.masks.argmax(axis=1))
    >>> now.masks.shape == (8, tables.size)
    True
    """

    def __init__(
        self,
        game: str,
        count: int,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        processes: int = 1,
    ) -> None:
        if not 1 <= processes <= count:
            raise UsageError("research/processes", f"{processes} processes for {count} tables; choose 1–{count}.")
        env = Env(game, seats, options)
        self.count, self.size, self.seats, self.layout = count, env.size, env.seats, env.layout
        self._shares = [range(first, count, processes) for first in range(processes)]
        tables = [(game, seats, options, share, count) for share in self._shares]
        self._batch = TableBatch(*tables[0]) if processes == 1 else None
        self._pools: list[ProcessPoolExecutor] = []
        if processes > 1:
            self._pools = [workers.processes(1) for _ in tables]
            self._everywhere(_lay, tables)

    def reset(self, seed: int = 0) -> Tables:
        """Begin everywhere."""
        if self._batch is not None:
            return self._batch.reset(seed)
        return self._together(self._everywhere(_reset, [(seed,)] * len(self._pools)))

    def step(self, numbers: Sequence[int] | npt.NDArray[Any]) -> Tables:
        """One action at every table, by the seat whose turn it is there; an illegal one is refused and ends the run."""
        chosen = np.asarray(numbers)
        if chosen.shape != (self.count,):
            raise UsageError("research/actions", f"{chosen.size} actions for {self.count} tables; give one for each.")
        if self._batch is not None:
            return self._batch.step(chosen.tolist())
        shares = [(chosen[share.start :: share.step].tolist(),) for share in self._shares]
        return self._together(self._everywhere(_step, shares))

    def _everywhere(self, work: Any, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """What every process answers; all of them work at once."""
        with workers.told_if_killed():
            flying = [pool.submit(work, *words) for pool, words in zip(self._pools, arguments, strict=True)]
            return [future.result() for future in flying]

    def _together(self, answers: Sequence[Tables]) -> Tables:
        whole = [np.empty((self.count, *part.shape[1:]), part.dtype) for part in answers[0]]
        for share, answer in zip(self._shares, answers, strict=True):
            for rows, part in zip(whole, answer, strict=True):
                rows[share.start :: share.step] = part
        return Tables(*whole)

    def close(self) -> None:
        """End the processes."""
        for pool in self._pools:
            pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


# ---------------------------------------------------------------------------------------------- in one of the processes

_laid: list[TableBatch] = []
"""The tables of this process, which works for one VectorEnv and for nobody else."""


def _lay(*table: Any) -> None:
    _laid[:] = [TableBatch(*table)]


def _reset(first: int) -> Tables:
    return _laid[0].reset(first)


def _step(numbers: list[int]) -> Tables:
    return _laid[0].step(numbers)
