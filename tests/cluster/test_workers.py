"""Work handed to others: in order, a few tasks at a time, and every way in which it cannot be done is told."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from service.errors import Damaged, LedgerError
from service.games.shelf import find_game
from service.play import workers
from service.play.workers import AHEAD, UNDER_WAY, Crew, answers, sizes, working
from tests.play.test_matches import refused

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["processes", "cluster"])
def crew(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Who does the work, as `answers` is told; copies of a process have tests of their own."""
    if request.param == "processes":
        monkeypatch.setattr(workers, "_can_copy", lambda: False)
        return {"jobs": 2}
    return {"cluster": request.getfixturevalue("cluster").scheduler_address}


def test_answers_come_in_the_order_of_the_tasks_a_few_under_way_at_a_time(crew: dict[str, Any]) -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for taken in range(1, 41):
            yield -taken

    found = answers(abs, tasks(), **crew)
    first = next(found)
    assert taken == UNDER_WAY * 2
    assert [first, *found] == list(range(1, 41))


class _AtOnce(Executor):
    """An executor that is always quicker than whoever uses its answers."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        answer: Future[Any] = Future()
        answer.set_result(fn(*args, **kwargs))
        return answer


def test_answers_that_nobody_has_used_yet_are_few_however_fast_they_are_found() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for taken in range(1, 201):
            yield -taken

    for used, _ in enumerate(Crew(_AtOnce(), lambda: 2).answers(abs, tasks()), start=1):
        assert taken <= used + AHEAD * 2
    assert used == 200


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_this_process_takes_its_share_and_the_order_stays(jobs: int) -> None:
    mine: list[int] = []

    def here(task: int) -> int:
        mine.append(task)
        return abs(task)

    with working(jobs, is_sharing=True) as crew:
        assert list(crew.answers(abs, range(0, -200, -1), here)) == list(range(200))
        assert list(crew.answers(abs, [], here)) == []
    assert len(set(mine)) == len(mine) > 0, "nothing was done twice"


def test_what_is_refused_here_is_refused_in_its_turn() -> None:
    def here(task: str) -> int:
        raise Damaged("store/cell", f"{task} does not read.", "kx60", 7)

    with working(2, is_sharing=True) as crew:
        found = crew.answers(len, ["x" * n for n in range(40)], here)
        seen: list[int] = []
        with pytest.raises(Damaged, match="does not read"):
            seen.extend(found)
    assert seen == list(range(len(seen)))


@pytest.mark.parametrize("total", [0, 1, 7, 200, 1_003])
@pytest.mark.parametrize("jobs", [2, 5])
def test_tasks_become_smaller_towards_the_end(total: int, jobs: int) -> None:
    found = list(sizes(total, jobs, most=25))
    assert sum(found) == total
    assert sorted(found, reverse=True) == found
    assert found[-1:] == [1] * bool(total)
    assert max(found, default=1) <= 25
    alike = list(sizes(total, 1, most=25))
    assert (sum(alike), set(alike[:-1]) <= {25}) == (total, True)


BEGINNINGS = """
import sys, threading
from service.play.workers import _can_copy, working
from service.store.connect import open_store
print(_can_copy())
with open_store(sys.argv[1]):
    print(_can_copy())
print(_can_copy())
held = threading.Event()
waiting = threading.Thread(target=held.wait)
waiting.start()
print(_can_copy())
held.set()
waiting.join()
with working(2, is_sharing=True) as crew, open_store(sys.argv[1]) as store:
    print(list(crew.answers(abs, [-1, 2, -3], abs)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every process is a fresh interpreter")
def test_copies_are_made_only_where_nothing_is_open_and_nothing_else_goes_on(tmp_path: Path) -> None:
    words = [sys.executable, "-c", BEGINNINGS, str(tmp_path / "ledger.db")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == ["True", "False", "True", "False", "[1, 2, 3]"]
    assert done.stderr == ""


def test_two_processes_audit_and_play_what_one_does(tmp_path: Path) -> None:
    """Given the program as people start it, which copies itself where it can."""
    (tmp_path / "k").mkdir(mode=0o700)
    variables = {
        **os.environ,
        "MATCHLEDGER_DATABASE": str(tmp_path / "ledger.db"),
        "MATCHLEDGER_KEYS": str(tmp_path / "k"),
    }

    def run(*words: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "cli", *words, "--json"]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    alone = run("simulate", "coloretto", "-n", "70", "--jobs", "1")
    assert run("simulate", "coloretto", "-n", "70", "--jobs", "2", "--save") == alone
    one, two = (run("audit", "--all", "--jobs", jobs) for jobs in ("1", "2"))
    del one["seconds"], two["seconds"]
    assert one == two
    assert one["clean"] == 70


def test_no_tasks_have_no_answers(crew: dict[str, Any]) -> None:
    assert list(answers(abs, [], **crew)) == []


def test_what_is_left_is_called_off_when_nobody_asks_any_more(crew: dict[str, Any]) -> None:
    found = answers(abs, range(1_000), **crew)
    assert next(found) == 0
    found.close()
    assert list(found) == []


def test_a_refusal_arrives_as_it_was_raised(crew: dict[str, Any]) -> None:
    with refused("game/unknown") as caught:
        list(answers(find_game, ["chess"], **crew))
    assert caught.value.message.startswith("'chess' is not a game; choose from: azul")


def test_a_refusal_arrives_with_everything_it_says(crew: dict[str, Any]) -> None:
    damaged = Damaged("store/cell", "It does not read.", "kx60", 7, "azul.tiles_drafted")
    damaged.hint = "Restore a copy."
    [back] = answers(_itself, [damaged], **crew)
    assert (type(back), vars(back), str(back)) == (Damaged, vars(damaged), "It does not read.")


def _itself(error: LedgerError) -> LedgerError:
    return error


def test_processes_that_are_killed_are_told() -> None:
    with refused("jobs/killed"):
        list(answers(os._exit, [1, 1], jobs=2))


def test_a_batch_that_kills_every_worker_is_given_up(fragile: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragile.scheduler, "allowed_failures", 0)  # the first of them is enough to see it
    with refused("cluster/killed") as caught:
        list(answers(os._exit, [1], cluster=fragile.scheduler_address))
    assert repr(fragile.scheduler_address) in caught.value.message


def test_a_worker_that_lacks_us_is_told() -> None:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as bare:
        with Client(bare.scheduler_address, set_as_default=False) as client:
            client.run(exec, "import sys; sys.modules.update(service=None, matchledger=None)")
        with refused("cluster/import") as caught:
            list(answers(abs, [1], cluster=bare.scheduler_address))
    assert "install the same matchledger there" in caught.value.message


# ------------------------------------------------------------------------------------------------------------ addresses


@pytest.mark.parametrize(
    "address, shown",
    [
        ("", "''"),
        ("elsewhere", "'elsewhere'"),
        ("http://127.0.0.1:80", "'http://127.0.0.1:80'"),
        ("tcp://127.0.0.1:port", "'tcp://127.0.0.1:port'"),
        ("tcp://127.0.0.1:1", "'tcp://127.0.0.1:1'"),
    ],
)
def test_where_no_scheduler_is_nothing_is_waited_for_long(address: str, shown: str) -> None:
    with refused("cluster/unreachable") as caught:
        list(answers(abs, [1], cluster=address))
    assert caught.value.message.startswith(f"No Dask scheduler answers at {shown}")


def test_somebody_who_listens_and_never_answers_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with refused("cluster/unreachable") as caught:
            list(answers(abs, [1], cluster=address))
    assert repr(address) in caught.value.message


def test_a_password_in_the_wrong_place_is_not_shown() -> None:
    with refused("cluster/unreachable") as caught:
        list(answers(abs, [1], cluster="ann:swordfish@here"))
    assert "swordfish" not in caught.value.message


def test_a_cluster_without_workers_is_told() -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty:
        with refused("cluster/empty") as caught:
            list(answers(abs, [1], cluster=empty.scheduler_address))
        assert repr(empty.scheduler_address) in caught.value.message


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with refused("cluster/missing") as caught:
        list(answers(abs, [1], cluster="tcp://127.0.0.1:8786"))
    assert "pip install '.[cluster]'" in caught.value.message


def test_nothing_of_dask_is_loaded_unless_a_cluster_is_named(tmp_path: Path) -> None:
    program = """
import sys
from cli import app
app(["simulate", "azul", "-n", "60", "--jobs", "2"], standalone_mode=False)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"dask", "distributed", "tornado"}))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
