"""Attacks by circumstance: processes killed at work, copies made under their hands, and audits while they write."""

import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count, islice
from pathlib import Path
from queue import SimpleQueue
from random import Random
from subprocess import Popen
from threading import Thread

from service.audit.bulk import AuditTerms, audit_stored
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.store.connect import open_store
from service.store.shapes import MatchRow
from service.store.store import Store
from tests.attack.doors import found_everywhere
from tests.attack.files import LOG, judged_copy, shown
from tests.attack.verdicts import Outcome, traceback
from tests.play.test_crashes import assert_whole_steps, start
from tests.store.test_processes import wait_for_the_orphaned_statement

WORKER = "import sys; from tests.attack.worker import work; work(sys.argv[1:])"
AUDITS_A_LEDGER = 400
"""Audits while others write, before a new ledger is begun: every audit walks the whole journal."""

_MORE_THAN_ANYBODY_WAITS_FOR = 100

NewDatabase = Callable[[], str]
"""Makes an empty, migrated database."""


class Worker:
    """A process at work, and what it was promised so far."""

    def __init__(self, database: str, seed: int) -> None:
        self._process: Popen[str] = start(WORKER, database, str(seed))
        self.promises: list[list[str]] = []
        self._heard: SimpleQueue[None] = SimpleQueue()
        # Listened to all the time: a process whose pipe is full would wait instead of working.
        self._listener = Thread(target=self._listen, daemon=True)

    def begin(self) -> None:
        """Let it work, once it is ready."""
        process = self._process
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        self._listener.start()
        process.stdin.write("go\n")
        process.stdin.flush()

    def hear(self, lines: int) -> None:
        """Wait until so many more things were promised than were heard of before; it never ends by itself."""
        for _ in range(lines):
            self._heard.get()
        assert self._process.poll() is None

    def kill(self) -> None:
        """End it in the middle of whatever it does; what it was told until then counts."""
        process = self._process
        process.send_signal(signal.SIGKILL)
        process.wait()
        if self._listener.is_alive():
            self._listener.join()
        assert process.stdout is not None
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith("\n"):
                self.promises.append(line.split())
                self._heard.put(None)
        for _ in range(_MORE_THAN_ANYBODY_WAITS_FOR):
            self._heard.put(None)


@contextmanager
def at_work(database: str, seeds: range) -> Iterator[list[Worker]]:
    """Some processes that write until the end of the block, and are killed then."""
    workers = [Worker(database, seed) for seed in seeds]
    try:
        for worker in workers:
            worker.begin()
        yield workers
    finally:
        for worker in workers:
            worker.kill()


# --------------------------------------------------------------------------------------------------------------- kills


def killed(new_database: NewDatabase, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """One life after the other on one ledger: everything promised is there, whole, and audits clean."""
    database = new_database()
    kind = f"kills, {_where(database)}"
    for number in islice(count(1), most):
        with at_work(database, range(number, number + 1)) as (worker,):
            worker.hear(rng.randint(1, 30))
            for _ in range(rng.randrange(100_000)):
                pass  # a moment of no fixed length, so that not every kill follows a promise
        if database.startswith("postgresql"):
            wait_for_the_orphaned_statement(database)
        what = f"after {len(worker.promises)} promises"
        try:
            broken = _broken_promise(database, worker.promises)
        except Exception as error:  # whatever it is, nobody should have seen it
            yield traceback(kind, what, error)
        else:
            yield Outcome(kind, what, "missed" if broken else "harmless", broken)


def _broken_promise(database: str, promises: list[list[str]]) -> str:
    """What was acknowledged and is not there, or is there by halves, or is not believed; empty when all is well."""
    if found := found_everywhere(database):
        return f"{found[0].match}: {found[0].first}"
    with open_store(database, read_only=True) as store:
        entries = {entry.place: entry.hash.hex() for entry in store.journal()}
        for word, *said in promises:
            if word == "entry" and entries.get(int(said[0])) != said[1]:
                return f"entry {said[0]} of the journal was acknowledged and is gone"
            if word == "step":
                rows = store.rows(said[0])
                if len(rows) < int(said[1]) or rows[int(said[1]) - 1].hash.hex() != said[2]:
                    return f"event {said[1]} of match {said[0]} was acknowledged and is gone"
        for match in {said[1] for said in promises if said[0] == "step"}:
            assert_whole_steps(load(LocalLedger(store), match))
    return ""


# ----------------------------------------------------------------------------------------------------------- snapshots


def snapshots(new_database: NewDatabase, folder: Path, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """Copies of an SQLite file and its log while somebody writes, in either order, and what is made of them."""
    database = new_database()
    wanted = 8 if most is None else min(8, most)
    for _ in islice(count(), most if most is None else -(-most // wanted)):
        copies: list[tuple[str, str, list[list[str]], bool]] = []
        with at_work(database, range(rng.randrange(10**6), 10**9)[:1]) as (worker,):
            for number in range(wanted):
                worker.hear(rng.randint(1, 25))
                copies.append(_copied(database, folder / f"copy{number}", list(worker.promises), rng))
        with open_store(database, read_only=True) as store:
            ids = _newest(store, 100)
        whole = shown(database, ids)
        for what, copy, promises, is_sound in copies:
            # Asked first: some of the commands that are asked next add to the copy.
            broken = _broken_promise(copy, promises)
            outcome = judged_copy("snapshots", what, copy, rng, whole)
            if outcome.verdict != "traceback" and (is_sound or not broken):
                outcome = Outcome("snapshots", what, "missed" if broken else "harmless", broken)
            yield outcome


def _copied(
    database: str, folder: Path, promises: list[list[str]], rng: Random
) -> tuple[str, str, list[list[str]], bool]:
    """A copy, what had been promised when it was begun, and whether SQLite answers for it.

    It does when the file itself did not change meanwhile and its log only grew: then file and log belong together.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copy = folder / "ledger.db"
    before = Path(database).read_bytes(), _generation(database)
    endings = rng.choice((("", LOG), (LOG, "")))
    for ending in endings:
        with suppress(FileNotFoundError):
            shutil.copy(f"{database}{ending}", f"{copy}{ending}")
    is_sound = (Path(database).read_bytes(), _generation(database)) == before
    first = "the log" if endings[0] else "the file"
    return f"{first} first, after {len(promises)} promises", str(copy), promises, is_sound


def _generation(database: str) -> bytes:
    """What changes in a log when it is begun anew: its number and its salts."""
    try:
        with Path(f"{database}{LOG}").open("rb") as file:
            return file.read(24)
    except FileNotFoundError:
        return b""


# --------------------------------------------------------------------------------------------------------------- races


def raced(new_database: NewDatabase, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """Audits of honest matches while two processes write; whatever they find is a false alarm."""
    left = most
    while left is None or left > 0:
        database = new_database()
        with at_work(database, range(rng.randrange(10**6), 10**9)[:2]) as workers:
            for worker in workers:
                worker.hear(3)
            audits = AUDITS_A_LEDGER if left is None else min(left, AUDITS_A_LEDGER)
            with closing(_audited(database, workers, rng)) as outcomes:
                yield from islice(outcomes, audits)
        left = None if left is None else left - audits


def _audited(database: str, workers: list[Worker], rng: Random) -> Generator[Outcome]:
    kind = f"audits while others write, {_where(database)}"
    with open_store(database, read_only=True) as store:
        for number in count():
            for worker in workers:
                worker.hear(1)  # nobody looks twice at the same ledger
            try:
                if number % 50 == 49:
                    what = "--all"
                    found = found_everywhere(database)
                else:
                    what = rng.choice(_newest(store, rng.choice((2, 2, 6))))
                    _, report = audit_stored(store, what, AuditTerms())
                    found = [] if report.is_clean else [report]
            except Exception as error:  # whatever it is, nobody should have seen it
                yield traceback(kind, what, error)
            else:
                yield (
                    Outcome(kind, what, "false alarm", str(found[0].first))
                    if found
                    else Outcome(kind, what, "harmless")
                )


def _newest(store: Store, most: int) -> list[str]:
    return [row.id for row in store.matches(limit=most) if isinstance(row, MatchRow)]


def _where(database: str) -> str:
    return "PostgreSQL" if database.startswith("postgresql") else "SQLite"
