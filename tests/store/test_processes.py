"""Several processes on one store, and processes that die."""

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from service.errors import Conflict
from service.store import Appended, CommandKey, Store, open_store
from service.store.columns import sound
from tests.postgres import PostgresServer
from tests.store.steps import assert_whole, opened, step_after

ROOT = Path(__file__).parents[2]
Process = subprocess.Popen[str]


def start(*arguments: str) -> Process:
    """A Python process with pipes on every side."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


def go(process: Process, lines: str = "go") -> None:
    """Let a process that is ready begin. Starting up takes so long that without this none would meet another."""
    assert process.stdin is not None
    process.stdin.write(lines + "\n")
    process.stdin.close()
    process.stdin = None  # communicate() would flush what is closed


def wait_until_ready(process: Process) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def racer(address: str, name: str, wins: int) -> Process:
    return start("-m", "tests.store.racing", address, "m1", name, str(wins))


def test_processes_racing_for_a_match_win_each_head_once(store: Store, address: str) -> None:
    opened(store, "m1")
    names, wins = ["ann", "bob", "eve"], 25
    racers = {name: racer(address, name, wins) for name in names}
    for process in racers.values():
        wait_until_ready(process)
    for process in racers.values():
        go(process)
    said = {name: process.communicate(timeout=60) for name, process in racers.items()}
    assert {name: errors for name, (_, errors) in said.items()} == dict.fromkeys(names, "")

    heads = [int(line) for output, _ in said.values() for line in output.split()]
    assert sorted(heads) == list(range(6, 6 + 3 * wins * len(names), 3)), "a head was won twice or by nobody"
    rows = store.rows("m1")
    assert_whole("m1", rows)
    counted = Counter(json.loads(row.data)["said"] for row in rows)
    assert counted == {"": 3} | {f"{name}-{number}": 3 for name in names for number in range(wins)}
    assert store.find("m1").head.seq == len(rows)


def test_threads_sending_one_command_at_once_have_one_outcome(store: Store) -> None:
    head = opened(store, "m1")
    outcomes = []
    for number in range(8):
        append = step_after("m1", head, command=CommandKey(f"c{number}", b"same"))
        barrier = Barrier(4)

        def send(append=append, barrier=barrier) -> Appended:  # type: ignore[no-untyped-def]
            barrier.wait()
            return store.append(append)

        with ThreadPoolExecutor(4) as threads:
            receipts = [future.result() for future in [threads.submit(send) for _ in range(4)]]
        outcomes.append(sorted(receipt.repeated for receipt in receipts))
        assert {(receipt.first_seq, receipt.last_seq) for receipt in receipts} == {(head.seq + 1, append.head.seq)}
        head = append.head
    assert outcomes == [[False, True, True, True]] * 8
    assert_whole("m1", store.rows("m1"))


def test_threads_opening_one_id_have_one_winner(store: Store) -> None:
    def open_it(name: str) -> bool:
        try:
            store.append(step_after("m1", None, said=name))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(open_it, "abcd")) == [False, False, False, True]
    assert_whole("m1", store.rows("m1"))


def test_a_new_file_can_be_opened_by_many_processes_at_once(tmp_path: Path) -> None:
    program = """
import sys
import time
from service.store import open_store, schema  # loaded before the start, so that all begin batch_insert
from service.store.columns import sound
from tests.store.steps import opened
print("ready", flush=True)
for path in sys.stdin:
    with open_store(path.strip()) as store:
        opened(store, sys.argv[1])
"""
    paths = [str(tmp_path / f"new{number}.db") for number in range(4)]
    processes = [start("-c", program, f"m{number}") for number in range(3)]
    for process in processes:
        wait_until_ready(process)
    for process in processes:
        go(process, "\n".join(paths))
    assert [process.communicate(timeout=60)[1] for process in processes] == [""] * 3
    for path in paths:
        with open_store(path, create=False) as store:
            assert sorted(match.id for match in sound(store.matches())) == ["m0", "m1", "m2"]


def test_new_files_can_be_opened_by_many_threads_at_once(tmp_path: Path) -> None:
    barrier = Barrier(4)

    def open_it(match: str) -> None:
        barrier.wait()
        with open_store(str(tmp_path / ("odd.db" if match in "ac" else "even.db"))) as store:
            opened(store, match)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(open_it, "abcd")) == [None] * 4
    for name, matches in (("odd.db", ["a", "c"]), ("even.db", ["b", "d"])):
        with open_store(str(tmp_path / name)) as store:
            assert sorted(match.id for match in sound(store.matches())) == matches


def test_a_server_can_be_upgraded_by_several_processes_at_once(postgres: PostgresServer) -> None:
    address = postgres.empty_database()
    program = "import sys; from service.store import upgrade_store; upgrade_store(sys.argv[1])"
    processes = [start("-c", program, address) for _ in range(2)]
    assert [process.communicate(timeout=60)[1] for process in processes] == [""] * 2
    open_store(address).close()
    postgres.drop(address)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("address, kills", [("sqlite", 10), ("postgres", 4)], indirect=["address"])
def test_killed_at_any_moment_every_acknowledged_step_is_whole(store: Store, address: str, kills: int) -> None:
    opened(store, "m1")
    store.close()
    moments = random.Random(20250301)
    acknowledged = 3
    for kill in range(kills):
        process = racer(address, f"life{kill}", 1_000_000)
        wait_until_ready(process)
        go(process)
        assert process.stdout is not None
        for _ in range(moments.randrange(1, 40)):
            acknowledged = int(process.stdout.readline())
        # Waits for nothing: without it every kill would come right after an acknowledgement, when nothing is under way.
        for _ in range(moments.randrange(100_000)):
            pass  # a moment of no fixed length, without waiting for anything
        process.send_signal(signal.SIGKILL)
        output, errors = process.communicate()
        assert (process.returncode, errors) == (-signal.SIGKILL, "")
        acknowledged = max(
            [acknowledged, *(int(line) for line in output.splitlines(keepends=True) if line[-1] == "\n")]
        )
        if address.startswith("postgresql"):
            wait_for_the_orphaned_statement(address)

        with open_store(address) as survivor:
            rows, head = survivor.rows("m1"), survivor.find("m1").head
        assert len(rows) >= acknowledged, "an acknowledged step is gone"
        assert_whole("m1", rows)
        assert (head.seq, head.hash) == (rows[-1].seq, rows[-1].hash)


def wait_for_the_orphaned_statement(address: str) -> None:
    """Until the server has ended what a killed process had begun."""
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(address, autocommit=True) as connection:
        while connection.execute(others).fetchone() != (0,):
            pass  # the server finishes what it was told, then notices that nobody listens
