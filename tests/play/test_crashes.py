"""Promises 8 and 9: processes killed at any moment, and processes racing for one match."""

import os
import random
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.replay import load
from service.store.columns import sound
from service.store.connect import open_store
from tests.conftest import TWO

ROOT = Path(__file__).parents[2]
ACTOR = """
import sys
from random import Random
from service.errors import Conflict, Refused
from service.play.ledger import LocalLedger
from service.play.matches import act
from service.play.replay import load
from service.store.columns import sound
from service.store.connect import open_store

database, match, seed = sys.argv[1:]
rng = Random(int(seed))
with open_store(database) as store:
    ledger = LocalLedger(store)
    print("ready", flush=True)
    sys.stdin.readline()
    while True:
        live = load(ledger, match)
        if live.table.closed is not None:
            break
        seat = live.game.projection.to_act(live.table.state)[0]
        action = rng.choice(list(live.game.rules.legal(live.table.state, seat)))
        try:
            receipt = act(ledger, live, seat, action)
        except Conflict:
            print("lost", live.head.seq, flush=True)
            continue
        print("won", receipt.first_seq, receipt.last_seq, flush=True)
"""


SIMULATION = """
import sys
from service.play.simulate import make_plan, simulate

for result in simulate(make_plan("azul", 2, {}, ["random"], 0), 100_000, jobs=2, database=sys.argv[1]):
    print(result.seed, flush=True)
"""


def start(code: str, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *words], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_acts_killed_at_random_moments_lose_nothing_acknowledged(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    rng = random.Random(1)
    with open_store(database) as store:
        ledger = LocalLedger(store)
        live = open_match(ledger, "azul", 2, players=TWO, options={"maxRounds": "999", "partialFloor": "true"})
        for attempt in range(8):
            process = start(ACTOR, database, live.id, str(attempt))
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdout.readline()
            process.stdin.write("go\n")
            process.stdin.flush()
            acknowledged = []
            for _ in range(rng.randint(1, 6)):
                line = process.stdout.readline()
                if line:
                    acknowledged.append([int(number) for number in line.split()[1:]])
            process.send_signal(signal.SIGKILL)
            acknowledged += [
                [int(number) for number in line.split()[1:]] for line in process.stdout if line.endswith("\n")
            ]
            process.wait()
            process.stdin.close()
            process.stdout.close()
            after = load(ledger, live.id)
            assert_whole_steps(after)
            for first, last in acknowledged:
                steps = {envelope.step for envelope in after.envelopes[first - 1 : last]}
                assert len(steps) == 1, "an acknowledged step is missing or mixed"
                assert len(after.step_entries(steps.pop())) == last - first + 1
            if after.table.closed is not None:
                break
        assert after.head.step > 10


def test_a_simulation_killed_at_random_moments_leaves_whole_matches_only(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    rng = random.Random(2)
    open_store(database).close()
    kept = 0
    for _ in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", SIMULATION, database],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(rng.randint(1, 60))]
        os.killpg(process.pid, signal.SIGKILL)
        told += [line for line in process.stdout if line.endswith("\n")]
        process.wait()
        process.stdout.close()
        with open_store(database) as store:
            rows = sound(store.matches())
            assert len(rows) >= kept + len(told), "a match that was told of is missing"
            for row in rng.sample(rows, 10) if len(rows) > 10 else rows:
                match = load(LocalLedger(store), row.id)
                assert match.table.closed is not None
            kept = len(rows)


def test_processes_racing_on_one_match_lose_and_double_nothing(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.db")
    with open_store(database) as store:
        ledger = LocalLedger(store)
        live = open_match(ledger, "azul", 2, players=TWO, options={"maxRounds": "3"})
        opening = len(live.envelopes)
        racers = [start(ACTOR, database, live.id, str(seed)) for seed in range(3)]
        for racer in racers:
            assert racer.stdout is not None
            racer.stdout.readline()
        outputs = []
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write("go\n")
            racer.stdin.flush()
        for racer in racers:
            outputs.append(racer.communicate(timeout=120)[0])
            assert racer.returncode == 0
        after = load(ledger, live.id)
        assert_whole_steps(after)
    won = sorted(
        tuple(map(int, line.split()[1:])) for text in outputs for line in text.splitlines() if line[:3] == "won"
    )
    lost = sum(line[:4] == "lost" for text in outputs for line in text.splitlines())
    # Every event after the opening was won exactly once, and the wins lie end to end.
    assert won[0][0] == opening + 1
    assert won[-1][1] == len(after.envelopes)
    assert all(one[1] + 1 == other[0] for one, other in pairwise(won))
    assert lost > 0, "nobody ever met anybody: this was no race"


def assert_whole_steps(live: Live) -> None:
    """No half step: chance has answered everything it owes, and every step is one run of events."""
    request = live.game.rules.request(live.table.state)
    assert request is None or live.table.closed is not None
    steps = [envelope.step for envelope in live.envelopes]
    assert steps == sorted(steps)
    assert set(steps) == set(range(1, steps[-1] + 1))
