"""`audit --all` and `simulate` on a cluster, from the command line and from Python."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.audit.bulk import AuditTerms, audit_all
from service.play.simulate import make_plan, simulate
from service.shell import python as matchledger
from service.trust.folder import key_folder_at
from tests.bots.scripts import script
from tests.bots.test_ending import PRESENT, watched
from tests.play.test_matches import refused
from tests.shell.terminal import Matchledger, on_empty_ledger

PLAN = make_plan("coloretto", 2, {}, ["random"], 7)


@pytest.fixture
def command(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of thirty matches."""
    found = tmp_path / "kept.db"
    list(simulate(PLAN, 30, database=str(found)))
    return found


def test_simulated_and_audited_from_the_command_line(command: Matchledger, cluster: Any) -> None:
    words = ("simulate", "azul", "-n", "45", "--seed", "3")
    there = command.json(*words, "--save", "--cluster", cluster.scheduler_address)
    assert there == command.json(*words, "--jobs", "1")
    assert "45 matches: all clean." in command("audit", "--all", "--cluster", cluster.scheduler_address)


def test_an_arena_is_the_same_there(command: Matchledger, cluster: Any) -> None:
    words = ("arena", "azul", "--bots", "greedy,random", "-n", "24")
    there = command.json(*words, "--cluster", cluster.scheduler_address)
    assert there == command.json(*words, "--jobs", "1")


def test_programs_play_there_and_do_not_stay(command: Matchledger, cluster: Any, tmp_path: Path) -> None:
    """Each batch starts its own; the workers, which go on, keep none."""
    place = tmp_path / "programs"
    place.mkdir()
    with key_folder_at(tmp_path / "keys"), watched(place) as present:
        script(place, PRESENT.replace('"present"', repr(str(present))))
        bot = f"exec:{sys.executable} {place / 'mine.py'}"
        words = ("simulate", "azul", "-n", "25", "-b", bot, "-b", "random")
        results = command.json(*words, "--cluster", cluster.scheduler_address)["results"]
    assert [result["forfeits"] for result in results] == [[]] * 25


@pytest.mark.parametrize("words", [("audit", "--all"), ("simulate", "azul"), ("arena", "azul")], ids=" ".join)
def test_jobs_and_a_cluster_exclude_each_other(command: Matchledger, words: tuple[str, ...]) -> None:
    command("new", "azul", "Ann", "Ben")
    error = command.json(*words, "--jobs", "1", "--cluster", "tcp://127.0.0.1:1", code=2)["error"]
    assert error["code"] == "cluster/jobs"
    assert "1 jobs and cluster 'tcp://127.0.0.1:1'" in error["message"]


def test_one_match_is_audited_right_here(command: Matchledger) -> None:
    command("new", "azul", "Ann", "Ben")
    error = command.json("audit", "last", "--cluster", "tcp://127.0.0.1:1", code=2)["error"]
    assert (error["code"], error["message"]) == (
        "audit/cluster",
        "A cluster is for --all; 'last' is audited right here.",
    )


def test_what_to_install_is_told_in_full(command: Matchledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = command.run("simulate", "azul", "--cluster", "tcp://127.0.0.1:1", code=1).stderr
    assert "pip install '.[cluster]'" in " ".join(told.split())


def test_from_python(path: Path, cluster: Any) -> None:
    with matchledger.open(path) as ledger:
        assert ledger.audit(cluster=cluster.scheduler_address) == ledger.audit() == ledger.audit(jobs=2)
        with refused("cluster/jobs"):
            ledger.audit(jobs=2, cluster=cluster.scheduler_address)


def test_workers_find_a_file_that_was_named_from_another_folder(
    path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    batches = list(audit_all(path.name, AuditTerms(), cluster=cluster.scheduler_address))
    assert [batch.matches for batch in batches] == [0, 25, 5]
    assert all(batch.is_clean for batch in batches)


@pytest.fixture
def begun(path: Path, cluster: Any) -> Iterator[Iterator[Any]]:
    """An audit of which the journal is done: whatever happens to the file now, only the workers open it anew."""
    with closing(audit_all(str(path), AuditTerms(), cluster=cluster.scheduler_address)) as batches:  # type: ignore[type-var]
        assert next(batches).is_clean
        yield batches


def test_workers_that_cannot_reach_the_database_say_so(path: Path, begun: Iterator[Any]) -> None:
    path.unlink()
    with refused("store/missing") as caught:
        list(begun)
    assert caught.value.hint.startswith("Every worker of a cluster opens the database for itself")


@pytest.mark.parametrize("kept", [10, 40], ids=["shorter", "longer"])
def test_workers_do_not_audit_another_ledger_of_the_same_name(path: Path, begun: Iterator[Any], kept: int) -> None:
    other = path.with_name("other.db")
    list(simulate(PLAN, kept, database=str(other)))
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    os.replace(shutil.copy(other, path.with_name("copy.db")), path)
    with refused("audit/other-ledger") as caught:
        list(begun)
    assert "without entry 31 of this journal" in caught.value.message
