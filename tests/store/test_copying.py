"""A ledger as a whole: every row comes over between files and servers, or none does."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.audit.bulk import AuditTerms, audit_stored
from service.audit.judge import own_notary
from service.audit.storage import check_stored
from service.errors import Damaged, LedgerError, Refused, Unavailable, UsageError
from service.play.ledger import LocalLedger
from service.play.moves import legal_moves, move
from service.play.replay import load
from service.store import Append, Signature, Store, differences, open_store
from service.store import backup as backup_module
from service.store.backup import back_up
from service.store.copying import TABLES, copy_ledger
from service.store.shapes import Grant, Hearsay
from tests.shell.terminal import ROOT, TO_THE_END, Matchledger
from tests.store.sealed import keep_dictionary, seal_all
from tests.store.steps import START, step_after

KINDS = ("sqlite", "postgres")
EXAMPLES = ROOT / "docs" / "examples"
KILLED = """
import os, signal, sys
from service.store.copying import copy_ledger

source, target, after = sys.argv[1:]
passed = []

def notice(rows):
    passed.append(rows)
    if len(passed) == int(after):
        os.kill(os.getpid(), signal.SIGKILL)

copy_ledger(source, target, notice=notice)
"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Path:
    """A ledger with something in every table, and with one match that is still played."""
    path = Path(shutil.copy(migrated_file, tmp_path_factory.mktemp("filled") / "ledger.db"))
    program = Matchledger(path)
    program("import", str(EXAMPLES / "azul-table.mlr"), str(EXAMPLES / "azul.jsonl"))
    program("simulate", "azul", "-n", "12", "--seed", "5", "--save")
    with open_store(str(path)) as store:
        keep_dictionary(store)
        seal_all(store)
    program.play(program.new(), TO_THE_END)
    match = program("new", "coloretto", "Änn", "Ben", "--quiet").strip()
    program("act", match, program.moves(match)[0], "--command-id", "the first")
    with open_store(str(path)) as store:
        store.grant(match, Grant("host", 0, b"h" * 32))
        store.grant(match, Grant("spectator", 0, b""))
        signature = Signature(match, 1, "ab" * 32, "cd" * 32, "ef" * 64)
        store.sign([signature], START, [Hearsay(match, b"said\n\x00\xff", b"s" * 64)])
    with program.tampering() as file:
        file.execute("UPDATE match SET parent = ? WHERE id <> ?", (match, match))
        file.execute("UPDATE seat SET name = ? WHERE name = 'Ben'", ("B\\n \t\r\n'%s' \N{SNOWMAN} \\N",))
    return path


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str, str], str]:
    """Where a new ledger can be: a file that is not there yet, or a database without any table."""

    def place(kind: str, name: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / f"{name}.db")
        return str(request.getfixturevalue("postgres").empty_database())

    return place


def rows(address: str) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is stored, read with the plain drivers."""
    questions = {table.name: f"SELECT {', '.join(table.columns.keys())} FROM {table.name}" for table in TABLES}
    if address.startswith("postgresql"):
        with psycopg.connect(address) as server:
            server.execute("SET TimeZone = 'UTC'")
            found = {name: server.execute(question).fetchall() for name, question in questions.items()}
    else:
        with closing(sqlite3.connect(address)) as file:
            found = {name: file.execute(question).fetchall() for name, question in questions.items()}
    return {
        name: sorted((tuple(map(_same, record)) for record in records), key=repr) for name, records in found.items()
    }


def _same(cell: Any) -> Any:
    return cell.isoformat(" ", "microseconds") if isinstance(cell, datetime) else cell


def nothing(address: str) -> bool:
    return not any(rows(address).values())


def open_match_of(store: Store) -> str:
    (row,) = store.matches(status="playing")
    assert not isinstance(row, Damaged)
    return row.id


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("source", KINDS)
def test_every_row_comes_over_and_the_open_match_goes_on(
    filled: Path, place: Callable[[str, str], str], source: str, target: str
) -> None:
    first, second = str(filled), place(target, "second")
    if source == "postgres":
        first = place(source, "first")
        copy_ledger(str(filled), first)
    before = rows(first)
    assert [name for name, found in before.items() if not found] == []
    copied = copy_ledger(first, second)
    assert rows(first) == before == rows(second)
    assert {name: table.rows for name, table in copied.tables.items()} == {
        name: len(found) for name, found in before.items()
    }
    assert differences(second) == []
    with open_store(second) as store:
        match = open_match_of(store)
        ledger = LocalLedger(store, notary=own_notary())
        live = load(ledger, match)
        seat = live.game.projection.to_act(live.table.state)[0]
        move(ledger, live, seat, next(iter(legal_moves(live, seat))))
        _, report = audit_stored(store, match, AuditTerms())
        (draws,) = [verdict for verdict in report.verdicts if verdict.check == "draws"]
        assert draws.outcome != "failed"
        with pytest.raises(Refused, match="event"):
            store._database.change("UPDATE event SET data = ''")
    assert rows(first) == before


@pytest.mark.parametrize("target", KINDS)
def test_a_ledger_with_anything_in_it_is_left_alone(
    filled: Path, place: Callable[[str, str], str], target: str
) -> None:
    second = place(target, "second")
    copy_ledger(str(filled), second)
    before = rows(second)
    with pytest.raises(Refused, match="is not empty") as refused:
        copy_ledger(str(filled), second)
    assert refused.value.code == "copy/not-empty"
    assert rows(second) == before
    with pytest.raises(UsageError) as same:
        copy_ledger(second, second)
    assert same.value.code == "copy/same"


@pytest.mark.parametrize("after", [1, 4, 14])
@pytest.mark.parametrize("target", KINDS)
def test_killed_in_the_middle_it_leaves_nothing(
    filled: Path, place: Callable[[str, str], str], target: str, after: int
) -> None:
    second = place(target, "second")
    words = [sys.executable, "-c", KILLED, str(filled), second, str(after)]
    assert subprocess.run(words, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert nothing(second)
    copy_ledger(str(filled), second)
    assert rows(second) == rows(str(filled))


@pytest.mark.parametrize("target", KINDS)
def test_a_cell_that_does_not_read_stops_it_and_is_named(
    filled: Path, tmp_path: Path, place: Callable[[str, str], str], target: str
) -> None:
    damaged = Matchledger(Path(shutil.copy(filled, tmp_path / "damaged.db")))
    with damaged.tampering() as file:
        file.execute("UPDATE seat SET name = CAST(x'ff41' AS TEXT) WHERE name = 'Änn'")
    second = place(target, "second")
    with pytest.raises(Damaged, match=r"seat\.name") as refused:
        copy_ledger(str(damaged.database), second)
    assert refused.value.code == "store/cell"
    assert nothing(second)


def test_text_that_only_a_file_can_hold_is_refused(
    filled: Path, tmp_path: Path, place: Callable[[str, str], str]
) -> None:
    strange = Matchledger(Path(shutil.copy(filled, tmp_path / "strange.db")))
    with strange.tampering() as file:
        file.execute("UPDATE seat SET name = ? WHERE name = 'Änn'", ("A\0nn",))
    second = place("postgres", "second")
    with pytest.raises(UsageError) as refused:
        copy_ledger(str(strange.database), second)
    assert refused.value.code == "store/unstorable"
    assert nothing(second)
    copy_ledger(str(strange.database), place("sqlite", "third"))


def test_what_was_stored_otherwise_than_it_was_sent_is_not_kept(filled: Path, sqlite_address: str) -> None:
    with closing(sqlite3.connect(sqlite_address)) as file:
        file.execute(
            "CREATE TRIGGER meddling AFTER INSERT ON seat WHEN NEW.name = 'Änn' BEGIN"
            " UPDATE seat SET name = 'Zoe' WHERE match_id = NEW.match_id AND seat = NEW.seat; END"
        )
    with pytest.raises(Unavailable, match="Table seat") as refused:
        copy_ledger(str(filled), sqlite_address)
    assert refused.value.code == "copy/differs"
    assert nothing(sqlite_address)


@pytest.mark.parametrize("source", KINDS)
def test_a_target_that_refuses_a_row_is_left_empty(
    filled: Path, sqlite_address: str, place: Callable[[str, str], str], source: str
) -> None:
    first = place(source, "first")
    copy_ledger(str(filled), first)
    with closing(sqlite3.connect(sqlite_address)) as file:
        file.execute("CREATE TRIGGER no BEFORE INSERT ON event WHEN NEW.seq = 30 BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(Refused) as refused:
        copy_ledger(first, sqlite_address)
    assert refused.value.code == "store/constraint"
    assert nothing(sqlite_address)


@pytest.mark.parametrize("source", ["none.db", "notes.txt"])
def test_without_a_ledger_to_copy_nothing_is_made(tmp_path: Path, source: str) -> None:
    (tmp_path / "notes.txt").write_text("Dear diary, " * 200)
    with pytest.raises(LedgerError):
        copy_ledger(str(tmp_path / source), str(tmp_path / "second.db"))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("target", KINDS)
def test_it_takes_no_more_memory_for_more_rows(
    migrated_file: Path, tmp_path: Path, place: Callable[[str, str], str], target: str
) -> None:
    large = str(shutil.copy(migrated_file, tmp_path / "large.db"))
    with open_store(large) as store:
        store.append_all([step_after(f"m{number}", None, size=200, said="x" * 500) for number in range(100)])
    assert os.path.getsize(large) > 10_000_000
    copy_ledger(str(migrated_file), place(target, "warm"))  # what is loaded on first use is not held against it
    second = place(target, "second")
    tracemalloc.start()
    try:
        assert copy_ledger(large, second).tables["event"].rows == 20_000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


# -------------------------------------------------------------------------------------------------------------- backups


@pytest.mark.parametrize("source", KINDS)
def test_a_backup_is_of_one_moment_while_others_write(
    filled: Path, tmp_path: Path, place: Callable[[str, str], str], monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.setattr(backup_module, "_PAGES_PER_STEP", 1)
    first = place(source, "first")
    copy_ledger(str(filled), first)
    before = rows(first)
    written: list[Append] = []
    with open_store(first) as store:

        def write(_: int) -> None:
            written.append(step_after(f"later{len(written)}", None))
            store.append(written[-1])

        back_up(first, tmp_path / "backup.db", begin=write, notice=write)
    assert len(written) > 5
    assert rows(str(tmp_path / "backup.db")) == before
    assert len(rows(first)["match"]) == len(before["match"]) + len(written)
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.db"]


def test_a_check_names_what_is_wrong(filled: Path, tmp_path: Path) -> None:
    assert check_stored(str(filled)).findings == []
    for statement, words in (
        (
            "UPDATE event SET data = x'00' WHERE seq = 2 AND match_id = (SELECT min(match_id) FROM event)",
            "does not match its hash",
        ),
        (
            "DELETE FROM event WHERE seq = (SELECT head_seq FROM match WHERE id = match_id)",
            "head is not its last event",
        ),
        ("DELETE FROM journal WHERE place = 3", "broken at entry 3"),
        ("DELETE FROM token WHERE match_id IN (SELECT id FROM match)", "trigger"),
        ("UPDATE match SET head_hash = x'" + "00" * 32 + "'", "head is not its last event"),
    ):
        damaged = Matchledger(Path(shutil.copy(filled, tmp_path / "damaged.db")))
        with damaged.tampering(guards=False) as file:
            file.execute(statement)
        findings = check_stored(str(damaged.database)).findings
        assert any(words in finding for finding in findings), (statement, findings)
        assert any("trigger" in finding for finding in findings)
