"""Many tables at once play what each would play alone, however many processes there are."""

import os
import signal
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from service.errors import IllegalAction, Unavailable, UsageError
from service.research.env import Env
from service.research.vector import Tables, VectorEnv

COUNT = 5


def choices(tables: Tables, rng: Random) -> list[int]:
    return [rng.choice(np.flatnonzero(mask).tolist()) for mask in tables.masks]


def run(processes: int, steps: int) -> list[Tables]:
    rng = Random(1)
    with VectorEnv("coloretto", COUNT, seats=3, processes=processes) as tables:
        seen = [tables.reset(seed=40)]
        for _ in range(steps):
            seen.append(tables.step(choices(seen[-1], rng)))
    return seen


def test_the_number_of_processes_changes_nothing() -> None:
    for here, there in zip(run(1, 250), run(2, 250), strict=True):
        for name in Tables._fields:
            one, other = getattr(here, name), getattr(there, name)
            assert one.dtype == other.dtype
            assert np.array_equal(one, other), name


def test_each_table_plays_its_own_seeds_one_after_the_other() -> None:
    seen, rng = run(1, 250), Random(1)
    alone = [Env("coloretto", 3) for _ in range(COUNT)]
    seeds = list(range(40, 40 + COUNT))
    for env, seed in zip(alone, seeds, strict=True):
        env.reset(seed)
    ended = 0
    for before, after in pairwise(seen):
        for place, number in enumerate(choices(before, rng)):
            env = alone[place]
            assert before.seats[place] == env.seat
            assert np.array_equal(before.observations[place], env.observe())
            env.step(number)
            assert after.ended[place] == env.is_over
            if env.is_over:
                assert after.returns[place].tolist() == pytest.approx(env.returns())
                seeds[place] += COUNT
                env.reset(seeds[place])
                ended += 1
            else:
                assert not after.returns[place].any()
    assert ended >= COUNT


@pytest.mark.parametrize("processes", [0, 3])
def test_a_process_without_a_table_is_refused(processes: int) -> None:
    with pytest.raises(UsageError, match=f"{processes} processes for 2 tables; choose 1–2"):
        VectorEnv("azul", 2, processes=processes)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_action_for_every_table_and_every_one_legal(processes: int) -> None:
    with VectorEnv("azul", 2, processes=processes) as tables:
        now = tables.reset()
        with pytest.raises(UsageError, match="1 actions for 2 tables"):
            tables.step([0])
        with pytest.raises(IllegalAction):
            tables.step([int(np.flatnonzero(~mask)[0]) for mask in now.masks])


def test_a_process_that_was_killed_is_told_of() -> None:
    with VectorEnv("azul", 2, processes=2) as tables:
        now = tables.reset()
        os.kill(next(iter(tables._pools[1]._processes)), signal.SIGKILL)
        with pytest.raises(Unavailable, match="One of the processes"):
            tables.step(now.masks.argmax(axis=1))
