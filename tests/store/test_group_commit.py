"""Group commit: steps that wait together are durable together, and a refused one spoils nobody else's."""

import asyncio
import random
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from queue import SimpleQueue
from threading import Event

import msgspec
import pytest

from service.errors import Conflict, LedgerError, Refused, Unavailable
from service.store import Append, Appended, CommandKey, Head, SeatRow, Store, open_store
from service.store.group_commit import LARGEST_BATCH, GroupCommit
from service.store.shapes import JournalEnd, JournalRow
from service.store.sqlite import SqliteDatabase
from tests.store.steps import assert_whole, opened, step_after
from tests.store.test_processes import go, racer, start, wait_until_ready

replace = msgspec.structs.replace
LONG = 60.0
"""Seconds that no test waits, unless it fails."""


@contextmanager
def held(group: GroupCommit) -> Iterator[None]:
    """What is submitted inside waits together: the writer is kept busy until the end with a match called `door`."""
    is_writing, is_over = Event(), Event()

    def hold(end: JournalEnd) -> Sequence[JournalRow]:
        is_writing.set()
        is_over.wait(LONG)
        return ()

    door = group.submit(replace(step_after("door", None), entries=hold))
    assert is_writing.wait(LONG)
    try:
        yield
    finally:
        is_over.set()
    door.result()


def outcome(future: Future[Appended]) -> Appended | str:
    """What was stored, or the code of the refusal, or what else went wrong."""
    error = future.exception(LONG)
    if error is None:
        return future.result()
    return error.code if isinstance(error, LedgerError) else repr(error)


def raising(error: Exception) -> Callable[[JournalEnd], Sequence[JournalRow]]:
    """Entries of the journal that cannot be made."""

    def entries(end: JournalEnd) -> Sequence[JournalRow]:
        raise error

    return entries


def test_each_step_of_a_batch_has_its_own_outcome(store: Store) -> None:
    head = opened(store, "old")
    sent = step_after("old", head, command=CommandKey("c1", b"draft blue"))
    store.append(sent)
    again = step_after("old", sent.head, command=CommandKey("c2", b"draft red"))
    short = [step_after("x", None).rows[0]._replace(hash=b"too short")]
    new = step_after("new", None)
    table: list[tuple[Append, Appended | str]] = [
        (new, Appended("new", 1, 3)),
        (step_after("new", new.head), Appended("new", 4, 6)),
        (step_after("new", None), "store/stale-head"),
        (step_after("new", new.head), "store/stale-head"),
        (step_after("nobody", Head(3, 1, bytes(32))), "match/unknown"),
        (replace(step_after("x", None, size=1), rows=short), "store/constraint"),
        (replace(step_after("x", None), status="paused"), "store/constraint"),
        (replace(step_after("x", None), seats=(SeatRow(1, "half \ud800"),)), "store/unstorable"),
        (replace(step_after("x", None), entries=raising(Refused("notary/no", "Not this one."))), "notary/no"),
        (replace(step_after("x", None), entries=raising(ValueError("a mistake"))), "ValueError('a mistake')"),
        (step_after("x", None, said="after all that"), Appended("x", 1, 3)),
        (sent, Appended("old", 4, 6, repeated=True)),
        (replace(sent, command=CommandKey("c1", b"draft red")), "store/command-reused"),
        (again, Appended("old", 7, 9)),
        (again, Appended("old", 7, 9, repeated=True)),
        (step_after("last", None), Appended("last", 1, 3)),
    ]  # fmt: skip
    sizes: list[int] = []
    with store.grouped(on_batch=sizes.append) as group:
        with held(group):
            futures = [group.submit(append) for append, _ in table]
            assert not any(future.done() for future in futures)
        assert [outcome(future) for future in futures] == [expected for _, expected in table]
    assert sizes == [1, len(table)]
    assert {match: len(store.rows(match)) for match in ("door", "old", "new", "x", "last", "nobody")} == {
        "door": 3, "old": 9, "new": 6, "x": 3, "last": 3, "nobody": 0,
    }  # fmt: skip
    for match in ("old", "new", "x", "last"):
        assert_whole(match, store.rows(match))
        head_now = store.head(match)
        assert head_now is not None
        assert (head_now.seq, head_now.hash) == (store.rows(match)[-1].seq, store.rows(match)[-1].hash)


@pytest.mark.parametrize("wrong", range(7))
def test_wherever_a_refused_step_stands_among_many_the_others_are_stored(store: Store, wrong: int) -> None:
    names = [f"m{number}" for number in range(7)]
    steps = [step_after(name, opened(store, name)) for name in names]
    steps[wrong] = step_after(names[wrong], steps[wrong].head)  # after one that nobody stored
    with store.grouped() as group, held(group):
        futures = [group.submit(step) for step in steps]
    stored = [Appended(name, 4, 6) for name in names]
    assert [outcome(future) for future in futures] == [*stored[:wrong], "store/stale-head", *stored[wrong + 1 :]]
    assert [len(store.rows(name)) for name in names] == [3 if number == wrong else 6 for number in range(7)]


def test_refusals_are_what_a_single_append_is_told(store: Store) -> None:
    opened(store, "m1")
    late = step_after("m1", Head(1, 1, bytes(32)))
    with pytest.raises(Conflict) as alone:
        store.append(late)
    with store.grouped() as group, pytest.raises(Conflict) as together:
        group.submit(late).result()
    assert (together.value.code, together.value.message) == (alone.value.code, alone.value.message)


def test_entries_of_the_journal_follow_each_other_within_a_batch(store: Store) -> None:
    ends = []

    def entry(end: JournalEnd) -> Sequence[JournalRow]:
        place = 1 if end.last is None else end.last.place + 1
        ends.append(place)
        return [JournalRow(place, "", b"", bytes(64), bytes([place]) * 32)]

    with store.grouped() as group:
        with held(group):
            good = [group.submit(replace(step_after(f"m{n}", None), entries=entry)) for n in range(3)]
            bad = group.submit(replace(step_after("m1", None), entries=entry))
        assert [future.result().entries[0].place for future in good] == [1, 2, 3]
        assert outcome(bad) == "store/stale-head"
    assert [row.place for row in store.journal()] == [1, 2, 3]


def test_nothing_is_answered_before_it_is_durable(store: Store, address: str) -> None:
    with open_store(address) as other, store.grouped() as group:
        seen = []
        for number in range(20):
            future = group.submit(step_after(f"m{number}", None))
            future.add_done_callback(lambda done: seen.append(other.head(done.result().match) is not None))
        group.close()
        assert seen == [True] * 20


def test_a_batch_is_begun_and_answered_by_whoever_leads(store: Store) -> None:
    led: SimpleQueue[Callable[[], None]] = SimpleQueue()
    with store.grouped(lead=led.put) as group:
        futures = [group.submit(step_after(f"m{number}", None)) for number in range(30)]
        assert led.qsize() == 1, "one call for all who wait"
        led.get()()  # writes
        answer = led.get(timeout=LONG)
        assert not any(future.done() for future in futures)
        late = group.submit(step_after("late", None))
        answer()  # and writes what came meanwhile
        assert all(future.done() for future in futures)
        assert not late.done()
        led.get(timeout=LONG)()
        assert late.result(0) == Appended("late", 1, 3)
    assert led.empty()
    assert all(store.head(f"m{number}") for number in range(30))


def test_an_answer_may_be_a_future_of_an_event_loop(store: Store) -> None:
    async def run() -> list[Appended | BaseException]:
        loop = asyncio.get_running_loop()
        with store.grouped(lead=loop.call_soon_threadsafe) as group:
            answers: list[asyncio.Future[Appended]] = [loop.create_future() for _ in range(4)]
            for match, answer in zip(("m1", "m2", "m1", "m3"), answers, strict=True):
                group.submit_for(step_after(match, None), answer)
            answers[3].cancel()
            outcomes = await asyncio.gather(*answers, return_exceptions=True)
            await loop.run_in_executor(None, group.close)
            return outcomes

    first, second, third, fourth = asyncio.run(run())
    assert (first, second) == (Appended("m1", 1, 3), Appended("m2", 1, 3))
    assert isinstance(third, Conflict)
    assert isinstance(fourth, asyncio.CancelledError)
    assert store.head("m3") is None


def test_whoever_leads_does_not_wait_for_somebody_else_who_writes(sqlite_address: str) -> None:
    led: SimpleQueue[Callable[[], None]] = SimpleQueue()
    with open_store(sqlite_address) as store, store.grouped(lead=led.put) as group:
        other = sqlite3.connect(sqlite_address, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        future = group.submit(step_after("m1", None))
        led.get()()
        other.execute("COMMIT")  # only the writer's thread has been waiting for it
        other.close()
        led.get(timeout=LONG)()
        assert future.result(0) == Appended("m1", 1, 3)


def test_a_batch_is_no_larger_than_allowed(sqlite_address: str) -> None:
    sizes: list[int] = []
    with open_store(sqlite_address) as store, store.grouped(on_batch=sizes.append) as group:
        with held(group):
            futures = [group.submit(step_after(f"m{number}", None, size=1)) for number in range(LARGEST_BATCH + 44)]
        assert [future.result().last_seq for future in futures] == [1] * len(futures)
    assert sizes == [1, LARGEST_BATCH, 44]


def test_closing_finishes_what_was_submitted_and_then_refuses(store: Store) -> None:
    group, more = store.grouped(), LARGEST_BATCH + 10
    with ThreadPoolExecutor(1) as other, held(group):
        futures = [group.submit(step_after(f"m{number}", None)) for number in range(more)]
        closing = other.submit(group.close)
        while not group._is_closed:
            pass  # until the other thread has come so far
        with pytest.raises(Unavailable, match="'late'") as refused:
            group.submit(step_after("late", None))
        assert not closing.done()
    assert refused.value.code == "store/closed"
    assert [future.result(0) for future in futures] == [Appended(f"m{number}", 1, 3) for number in range(more)]
    assert store.count() == more + 1
    group.close()


def test_what_was_cancelled_in_time_is_not_written(store: Store) -> None:
    with store.grouped() as group:
        with held(group):
            kept, given_up = group.submit(step_after("m1", None)), group.submit(step_after("m2", None))
            assert given_up.cancel()
        assert kept.result() == Appended("m1", 1, 3)
        assert not kept.cancel()
    assert (store.head("m1") is None, store.head("m2")) == (False, None)


def test_rows_that_are_not_dense_are_a_mistake_of_whoever_submits(store: Store) -> None:
    with store.grouped() as group, pytest.raises(ValueError, match="do not lead from 0"):
        group.submit(replace(step_after("m1", None), rows=[]))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # that it is told is part of it
@pytest.mark.parametrize("hook", ["on_batch", "lead"])
def test_a_hook_that_fails_leaves_nobody_waiting(sqlite_address: str, hook: str) -> None:
    def fail(given: object) -> None:
        if given == group._begin:  # what is begun has to be finished, and that goes wrong
            threading.Thread(target=group._begin).start()
        else:
            raise RuntimeError(f"{hook} is broken")

    with open_store(sqlite_address) as store, store.grouped(**{hook: fail}) as group:
        is_writing, is_over = Event(), Event()

        def hold(end: JournalEnd) -> Sequence[JournalRow]:
            is_writing.set()
            is_over.wait(LONG)
            return ()

        first = group.submit(replace(step_after("m1", None), entries=hold))
        assert is_writing.wait(LONG)
        second = group.submit(step_after("m2", None))
        is_over.set()
        assert outcome(first) == Appended("m1", 1, 3)
        assert outcome(second) == "store/closed"
        with pytest.raises(Unavailable):
            group.submit(step_after("m3", None))
        assert store.head("m2") is None


def test_a_file_that_is_locked_is_told_to_everybody_waiting(sqlite_address: str) -> None:
    sizes: list[int] = []
    is_written, is_over = Event(), Event()

    def hold_between_batches(size: int) -> None:
        sizes.append(size)
        is_written.set()
        is_over.wait(LONG)

    with open_store(sqlite_address, timeout=0.01) as store, store.grouped(on_batch=hold_between_batches) as group:
        group.submit(step_after("m1", None))
        assert is_written.wait(LONG)
        other = sqlite3.connect(sqlite_address, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        appends = [step_after(f"m{number}", None) for number in range(2, 5)]
        futures = [group.submit(append) for append in appends]
        is_over.set()
        assert [outcome(future) for future in futures] == ["store/locked"] * 3
        assert sizes == [1, 3]
        other.execute("ROLLBACK")
        other.close()
        assert [outcome(group.submit(append)) for append in appends] == [Appended(f"m{n}", 1, 3) for n in range(2, 5)]


def test_a_file_that_is_locked_before_the_first_step_is_told_too(sqlite_address: str) -> None:
    """Not even a connection can be had: whoever ends alone with a file locks it for the time of its checkpoint."""
    with open_store(sqlite_address, timeout=0.01) as store, store.grouped() as group:
        other = sqlite3.connect(sqlite_address, isolation_level=None)
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        assert outcome(group.submit(step_after("m1", None))) == "store/locked"
        other.close()
        assert outcome(group.submit(step_after("m1", None))) == Appended("m1", 1, 3)


def test_a_commit_that_fails_is_told_to_everybody_and_stores_nothing(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store, store.grouped() as group:
        taken = step_after("m1", None, command=CommandKey("c1", b"f"))

        def break_the_commit(end: JournalEnd) -> Sequence[JournalRow]:
            database = store._database
            assert isinstance(database, SqliteDatabase)
            assert database._grouped is not None
            database._grouped.execute("PRAGMA defer_foreign_keys = ON")
            database._grouped.execute("INSERT INTO seat VALUES ('no such match', 1, 'Ann', 'person')")
            return ()

        with held(group):
            futures = [
                group.submit(taken),
                group.submit(replace(step_after("m2", None), entries=break_the_commit)),
                group.submit(taken),
                group.submit(step_after("m1", None)),
                group.submit(step_after("m3", None)),
            ]
        errors = [future.exception() for future in futures]
        assert [outcome(future) for future in futures] == ["store/constraint"] * 5
        assert len({id(error) for error in errors}) == 5, "threads that raise one exception share its traceback"
        assert [store.head(match) for match in ("m1", "m2", "m3")] == [None] * 3
        assert outcome(group.submit(taken)) == Appended("m1", 1, 3)


def test_a_step_that_takes_the_transaction_with_it_is_told_to_everybody(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store, store.grouped() as group:
        store._database.change(
            "CREATE TRIGGER t BEFORE INSERT ON event WHEN new.match_id = 'm2'"
            " BEGIN SELECT RAISE(ROLLBACK, 'no more'); END"
        )
        with held(group):
            futures = [group.submit(step_after(f"m{number}", None)) for number in range(1, 4)]
        assert [outcome(future) for future in futures] == ["store/constraint"] * 3
        assert [store.head(f"m{number}") for number in range(1, 4)] == [None] * 3
        assert outcome(group.submit(step_after("m1", None))) == Appended("m1", 1, 3)


def test_a_group_races_with_another_process(store: Store, address: str) -> None:
    opened(store, "m1")
    wins, numbers = 25, count()
    process = racer(address, "ann", wins)
    wait_until_ready(process)
    ours: list[int] = []
    asides: list[Future[Appended]] = []
    with store.grouped() as group:
        go(process)
        while len(ours) < wins:
            asides += [group.submit(step_after(f"aside-{next(numbers)}", None)) for _ in range(3)]
            racing = group.submit(step_after("m1", store.find("m1").head))
            if not isinstance(racing.exception(), Conflict):
                ours.append(racing.result().last_seq)
    output, errors = process.communicate(timeout=60)
    assert errors == ""
    theirs = [int(line) for line in output.split()]
    assert sorted(ours + theirs) == list(range(6, 6 + 6 * wins, 3)), "a head was won twice or by nobody"
    assert [aside.result().last_seq for aside in asides] == [3] * len(asides), "a lost race spoiled another match"
    assert_whole("m1", store.rows("m1"))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_killed_in_a_crowd_every_acknowledged_step_is_whole(sqlite_address: str) -> None:
    callers, moments = 12, random.Random(20250301)
    acknowledged = {f"m{number}": 0 for number in range(callers)}
    for _ in range(6):
        process = start("-m", "tests.store.crowding", sqlite_address, str(callers))
        wait_until_ready(process)
        go(process)
        lines = _lines_until_killed(process, moments.randrange(20, 300))
        acknowledged |= {match: int(seq) for match, seq in map(str.split, lines)}
        with open_store(sqlite_address) as survivor:
            for match, least in acknowledged.items():
                rows, head = survivor.rows(match), survivor.head(match)
                assert len(rows) >= least, "an acknowledged step is gone"
                assert_whole(match, rows)
                assert (head.seq, head.hash) == (rows[-1].seq, rows[-1].hash) if head else rows == []
    assert min(acknowledged.values()) > 0


def _lines_until_killed(process: subprocess.Popen[str], count: int) -> list[str]:
    """What the process printed, whole lines only, until it was killed some moment after so many of them."""
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(count)]
    process.send_signal(signal.SIGKILL)
    output, errors = process.communicate()
    assert (process.returncode, errors) == (-signal.SIGKILL, "")
    return [*lines, *(line for line in output.splitlines(keepends=True) if line.endswith("\n"))]
