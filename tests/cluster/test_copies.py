"""Work handed to copies of a process, each time by a program of its own: one with threads is never copied."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every process is a fresh interpreter")

ROOT = Path(__file__).parents[2]

BEGINNING = """
import os, signal, sys
from multiprocessing import get_context
from service.errors import Damaged, LedgerError
from service.play.workers import AHEAD, UNDER_WAY, answers, working

def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False

taken = 0
def tasks(number):
    global taken
    for taken in range(1, number + 1):
        yield -taken
"""


def said_by(program: str) -> list[str]:
    """What the program printed, line by line; nothing may be left of it, and nothing may be said beside it."""
    words = [sys.executable, "-c", BEGINNING + program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_answers_come_in_the_order_of_the_tasks_a_few_under_way_at_a_time() -> None:
    program = """
found = answers(abs, tasks(40), jobs=2)
first = next(found)
print(taken == UNDER_WAY * 2, [first, *found] == list(range(1, 41)))
"""
    assert said_by(program) == ["True True"]


def test_several_copies_work_and_this_process_takes_its_share() -> None:
    """However many times they are asked, each time for something else."""
    program = """
reading, writing = os.pipe()
def there(task):
    os.read(reading, 1)  # nobody goes on before this process has done something, too
    return os.getpid()
def here(task):
    os.write(writing, b"." * 300)
    return os.getpid()

with working(3, is_sharing=True) as crew:
    ids = list(crew.answers(there, range(100), here))
    print(len(ids), len(set(ids)), os.getpid() in ids)
    print(list(crew.answers(abs, [-1, 2, -3], abs)), list(crew.answers(abs, [], abs)))
print(all(map(is_gone, set(ids) - {os.getpid()})))
"""
    assert said_by(program) == ["100 3 True", "[1, 2, 3] []", "True"]


def test_answers_that_nobody_has_used_yet_are_few() -> None:
    program = """
most = 0
for used, _ in enumerate(answers(abs, tasks(400), jobs=2), start=1):
    most = max(most, taken - used)
print(used, most <= AHEAD * 2)
with working(2, is_sharing=True) as crew:
    most = 0
    for used, _ in enumerate(crew.answers(abs, tasks(400), abs), start=1):
        most = max(most, taken - used)
print(used, most <= AHEAD * 1)
"""
    assert said_by(program) == ["400 True", "400 True"]


def test_calls_and_answers_may_be_larger_than_a_pipe() -> None:
    """Though both sides would write at the same time."""
    program = """
large = [bytes([number]) * 3_000_000 for number in range(12)]
print(list(answers(bytes.upper, large, jobs=2)) == [task.upper() for task in large])
with working(2, is_sharing=True) as crew:
    print(list(crew.answers(bytes.upper, large, bytes.upper)) == [task.upper() for task in large])
"""
    assert said_by(program) == ["True", "True"]


def test_an_error_comes_back_as_it_was_raised_in_its_turn_and_says_where() -> None:
    program = """
def refuses(task):
    if task == 3:
        refusal = Damaged("store/cell", "It does not read.", "kx60", 7)
        refusal.hint = "Restore a copy."
        raise refusal
    return task

seen = []
try:
    seen.extend(answers(refuses, range(9), jobs=2))
except Damaged as error:
    print(error, error.code, error.hint, "in refuses" in str(error.__cause__))
print(seen)
"""
    assert said_by(program) == ["It does not read. store/cell Restore a copy. True", "[0, 1, 2]"]


def test_a_copy_that_is_killed_is_told_and_no_other_is_left() -> None:
    """In the middle of a call, and while nothing was asked of it."""
    program = """
try:
    list(answers(os._exit, [1, 1], jobs=2))
except LedgerError as error:
    print(error.code)
meeting = get_context("fork").Barrier(2)
def own_id(task):
    meeting.wait()  # neither answers before both were asked
    return os.getpid()
try:
    with working(2) as crew:
        ids = set(crew.answers(own_id, range(2)))
        os.kill(min(ids), signal.SIGKILL)
        while True:
            list(crew.answers(abs, range(50)))
except LedgerError as error:
    print(error.code, len(ids), all(map(is_gone, ids)))
"""
    assert said_by(program) == ["jobs/killed", "jobs/killed 2 True"]


def test_copies_end_with_whoever_asks_no_more() -> None:
    """Though they are in the middle of something that never ends."""
    program = """
import threading
def first_or_never(task):
    if task:
        threading.Event().wait()
    return os.getpid()

found = answers(first_or_never, range(100), jobs=2)
one = next(found)
print(is_gone(one))
found.close()
print(is_gone(one), list(found))
"""
    assert said_by(program) == ["False", "True []"]


def test_a_program_ends_though_somebody_might_have_asked_on() -> None:
    assert said_by("found = answers(abs, range(100), jobs=2)\nprint(next(found))") == ["0"]


BUSY = """
import threading
def never(task):
    os.write(1, b"here\\n")
    threading.Event().wait()

list(answers(never, range(4), jobs=2))
"""
IDLE = """
with working(2) as crew:
    print(*["here"] * len(list(crew.answers(abs, range(2)))), sep="\\n", flush=True)
    signal.pause()
"""


@pytest.mark.parametrize("program", [BUSY, IDLE], ids=["busy", "idle"])
def test_ctrl_c_ends_all_at_once_and_only_one_says_so(program: str) -> None:
    with _running(program) as running:
        os.killpg(running.pid, signal.SIGINT)
        rest, said = running.communicate()  # to the end of its output, which is when nobody is left who could write
    assert rest == ""
    assert (said.count("Traceback"), said.splitlines()[-1]) == (1, "KeyboardInterrupt")


def test_copies_end_with_a_program_that_is_killed() -> None:
    with _running(IDLE) as running:
        running.kill()
        assert running.communicate() == ("", "")


def _running(program: str) -> subprocess.Popen[str]:
    """A program as a terminal would start it, once its copies are there."""
    running = subprocess.Popen(
        [sys.executable, "-c", BEGINNING + program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_heed_signals,
    )
    assert running.stdout is not None
    assert [running.stdout.readline() for _ in range(2)] == ["here\n"] * 2
    return running


def _heed_signals() -> None:
    """Whatever runs behind `&` hands on that Ctrl-C is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


COUNTING = """
from service.audit.bulk import FEW as FEW_AUDITED, AuditTerms, audit_all
from service.play.simulate import FEW as FEW_PLAYED, make_plan, simulate

begun = 0
def hear(event, arguments):
    global begun
    begun += event == "os.fork"

sys.addaudithook(hear)
"""


@pytest.mark.parametrize(
    "bots, matches, copies", [(["random"], "FEW_PLAYED - 1", 0), (["random"], "FEW_PLAYED", 1), (["search:1p"], "2", 1)]
)
def test_matches_are_shared_only_where_it_pays(bots: list[str], matches: str, copies: int) -> None:
    """And whoever thinks takes long over a single match."""
    program = f"""
played = list(simulate(make_plan("coloretto", 2, {{}}, {bots!r}, 40), {matches}, jobs=2))
print([result.seed for result in played] == list(range(40, 40 + {matches})), begun)
"""
    assert said_by(COUNTING + program) == [f"True {copies}"]


@pytest.mark.parametrize("matches, copies", [("FEW_AUDITED - 1", 0), ("FEW_AUDITED", 1)])
def test_audits_are_shared_only_where_it_pays(tmp_path: Path, matches: str, copies: int) -> None:
    program = f"""
database = {str(tmp_path / "ledger.db")!r}
assert len(list(simulate(make_plan("coloretto", 2, {{}}, [], 1), {matches}, database=database))) == {matches}
print(sum(batch.matches for batch in audit_all(database, AuditTerms(), jobs=2)) == {matches}, begun)
"""
    assert said_by(COUNTING + program) == [f"True {copies}"]
