"""Sealed matches: the same bytes in a twentieth of the room, on both databases, and nothing lost on the way."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import msgspec
import psycopg
import pytest
import zstandard

from events.block import facts_of, pack
from events.codec import decode_facts, decode_joined
from service.audit.bulk import AuditTerms, audit_stored
from service.audit.judge import own_notary
from service.audit.storage import check_stored
from service.disputes.cases import open_dispute
from service.errors import Damaged, Refused
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.replay import load, replay_all
from service.play.simulate import make_plan, simulate
from service.store import Store, open_store
from service.store.copying import copy_ledger
from service.store.sealing import Sealed
from service.store.seals import SAMPLES
from tests.conftest import TWO, finish, make_ledger
from tests.shell.terminal import ROOT
from tests.store.sealed import keep_dictionary, old_seal, seal_all
from tests.store.steps import opened

EVENTS = "SELECT count(*) FROM event WHERE match_id = ?"
KILLED = """
import os, signal, sys
from service.store.connect import open_store
from service.store.sqlite import SqliteDatabase

database, after = sys.argv[1:]
alone = SqliteDatabase.alone
said = 0

def dying(self, work):
    def counted(execute):
        def one(sql, parameters):
            global said
            said += 1
            if said == int(after):
                os.kill(os.getpid(), signal.SIGKILL)
            return execute(sql, parameters)
        return work(one)
    return alone(self, counted)

SqliteDatabase.alone = dying
with open_store(database) as store:
    print(len(list(store.sealing().seal())))
"""


@pytest.fixture
def played(store: Store) -> LocalLedger:
    """Three closed matches of Azul, and one that is played; with the journal and keys of a real ledger."""
    plain = make_ledger(store)
    ids = iter(("a", "b", "c", "open"))
    ledger = LocalLedger(store, plain.clock, plain.new_secret, lambda: next(ids), own_notary())
    for seed in range(3):
        finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=seed)
    open_match(ledger, "azul", 2, players=TWO)
    return ledger


@pytest.mark.parametrize("has_dictionary", [False, True])
def test_whatever_reads_a_match_reads_a_sealed_one(played: LocalLedger, has_dictionary: bool) -> None:
    store = played.store
    if has_dictionary:
        keep_dictionary(store)
    rows = {match: store.rows(match) for match in ("a", "b", "c", "open")}
    tables = {match: table.state for match, table in replay_all(store)}
    assert seal_all(store) == ["a", "b", "c"]
    assert [store._database.fetch(EVENTS, (match,)) for match in "abc"] == [[(0,)]] * 3
    assert {match: store.rows(match) for match in rows} == rows
    assert {match: store.chain(match, rows[match][-1].hash).rows for match in rows} == rows
    assert store.chain("a", b"another head").rows == rows["a"]
    assert store.chain("nowhere", b"").rows == []
    assert store.rows("a", 7) == rows["a"][7:]
    assert store.rows("a", len(rows["a"])) == []
    assert store.rows("nowhere") == []
    assert {match: table.state for match, table in replay_all(store)} == tables
    for row, stream in store.streams():
        assert not isinstance(row, Damaged)
        facts = facts_of(row.id, stream.block) if stream.block else decode_joined(stream.behind)
        assert facts == decode_facts([each.data for each in rows[row.id]])
        assert bool(stream.block) == (row.id != "open")
    for match in rows:
        _, report = audit_stored(store, match, AuditTerms())
        assert report.is_clean, report
    assert seal_all(store) == []


def test_a_seal_takes_a_fraction_of_the_rows(played: LocalLedger) -> None:
    keep_dictionary(played.store)
    for one in played.store.sealing().seal():
        assert isinstance(one, Sealed)
        assert one.events == len(played.store.rows(one.match))
        assert one.after * 15 < one.before


def test_a_dispute_goes_on_behind_the_seal_and_what_is_unsealed_is_as_it_was(played: LocalLedger) -> None:
    store = played.store
    seal_all(store)
    before = store.rows("a")
    open_dispute(played, load(played, "a"), 1, "I had more.")
    after = store.rows("a")
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
    assert store.rows("a", len(before)) == after[len(before) :]
    assert load(played, "a").head.seq == len(after)
    assert audit_stored(store, "a", AuditTerms())[1].is_clean
    assert seal_all(store) == []  # a seal never changes; what came later lies behind it
    assert store.sealing().unseal("a") == len(before)
    assert store.rows("a") == after
    assert store._database.fetch(EVENTS, ("a",)) == [(len(after),)]
    with pytest.raises(Refused, match="not sealed"):
        store.sealing().unseal("a")
    assert seal_all(store) == ["a"]
    assert store.rows("a") == after


def test_only_matches_that_rest_long_enough_are_sealed(played: LocalLedger) -> None:
    store = played.store
    moved = {match: store.find(match).moved_at for match in "abc"}
    assert store.sealing().candidates(moved["a"]) == {}
    assert store.sealing().candidates(moved["b"]) == {"azul": 1}
    assert [one.match for one in store.sealing().seal(moved["c"]) if isinstance(one, Sealed)] == ["a", "b"]
    assert store.sealing().candidates(moved["c"] + timedelta(microseconds=1)) == {"azul": 1}


def test_a_dictionary_is_trained_where_it_pays_and_kept_for_later(store: Store, address: str) -> None:
    plan = make_plan("coloretto", 2, {}, ["random"], 0)
    list(simulate(plan, SAMPLES, database=address))
    first = list(store.sealing().seal())
    list(simulate(plan, SAMPLES, database=address))
    later = list(store.sealing().seal())
    assert (len(first), len(later)) == (SAMPLES, SAMPLES)
    assert store._database.fetch("SELECT number, game FROM dictionary") == [(1, "coloretto")]
    assert store._database.fetch("SELECT DISTINCT dictionary FROM seal") == [(1,)]
    assert sum(1 for _ in replay_all(store)) == 2 * SAMPLES


def test_a_dictionary_of_older_blocks_stays_and_another_is_trained_for_todays(store: Store, address: str) -> None:
    keep_dictionary(store, is_old=True)
    plan = make_plan("azul", 2, {}, ["random"], 0)
    list(simulate(plan, SAMPLES - 1, database=address))
    seal_all(store)
    assert store._database.fetch("SELECT DISTINCT dictionary FROM seal") == [(1,)]
    list(simulate(plan, SAMPLES, database=address))
    seal_all(store)
    assert store._database.fetch("SELECT number, game FROM dictionary ORDER BY number") == [(1, "azul"), (2, "azul")]
    numbers = "SELECT dictionary, count(*), avg(length(data)) FROM seal GROUP BY dictionary ORDER BY dictionary"
    (_, few, old), (_, many, new) = store._database.fetch(numbers)
    assert (few, many) == (SAMPLES - 1, SAMPLES)
    assert float(new) < 0.8 * float(old)
    assert sum(1 for _ in replay_all(store)) == 2 * SAMPLES - 1


def blob(address: str, data: bytes) -> str:
    """Bytes as a statement says them."""
    return f"'\\x{data.hex()}'" if address.startswith("postgresql") else f"X'{data.hex()}'"


@pytest.mark.parametrize("has_dictionary", [False, True])
def test_a_seal_of_an_older_version_is_read_and_undone(
    played: LocalLedger, address: str, unguarded: Callable[[str], None], has_dictionary: bool
) -> None:
    store = played.store
    keep_dictionary(store, is_old=True)
    rows = store.rows("a")
    tables = {match: table.state for match, table in replay_all(store)}
    seal_all(store)
    data = blob(address, old_seal(rows, has_dictionary=has_dictionary))
    number = "1" if has_dictionary else "NULL"
    unguarded(f"UPDATE seal SET data = {data}, dictionary = {number} WHERE match_id = 'a'")
    assert store.rows("a") == rows
    assert {match: table.state for match, table in replay_all(store)} == tables
    assert audit_stored(store, "a", AuditTerms())[1].is_clean
    assert store.sealing().unseal("a") == len(rows)
    assert store.rows("a") == rows


def test_what_was_changed_is_left_as_it_is_and_told(played: LocalLedger, unguarded: Callable[[str], None]) -> None:
    store = played.store
    unguarded("UPDATE event SET data = hash WHERE match_id = 'b' AND seq = 5")
    changed = store.rows("b")
    told = [one.match if isinstance(one, Sealed) else one.message for one in store.sealing().seal()]
    assert sorted(told) == [
        "Match b: event 5 does not match its hash; it is left as it is.",
        "a",
        "c",
    ]
    assert store.rows("b") == changed


def test_what_moves_on_while_it_is_sealed_is_left_for_another_time(
    played: LocalLedger, unguarded: Callable[[str], None]
) -> None:
    store = played.store
    unguarded("UPDATE event SET data = hash WHERE match_id = 'a' AND seq = 5")
    sealing = store.sealing().seal()
    assert isinstance(next(sealing), Damaged)  # told before anything is stored, and b and c are ready to be
    open_dispute(played, load(played, "b"), 1, "The marker was mine.")
    rows = store.rows("b")
    assert [one.match for one in sealing if isinstance(one, Sealed)] == ["c"]
    assert (store.rows("b"), store._database.fetch(EVENTS, ("b",))) == (rows, [(len(rows),)])


def test_nothing_is_let_go_that_does_not_come_out_of_its_seal(
    played: LocalLedger, unguarded: Callable[[str], None]
) -> None:
    store = played.store
    rows = {match: store.rows(match) for match in "bc"}
    unguarded("UPDATE event SET data = hash WHERE match_id = 'a' AND seq = 5")
    sealing = store.sealing().seal()
    next(sealing)
    unguarded("UPDATE event SET data = hash WHERE match_id = 'c' AND seq = 5")
    with pytest.raises(Damaged, match="Match c: what its seal gives back is not what is stored") as told:
        list(sealing)
    assert (told.value.code, told.value.seq) == ("store/seal", 0)
    assert store._database.fetch("SELECT count(*) FROM seal") == [(0,)]
    assert store.rows("b") == rows["b"]
    assert [a == b for a, b in zip(store.rows("c"), rows["c"], strict=True)].count(False) == 1


def test_what_never_was_opened_is_not_sealed(store: Store) -> None:
    opened(store, "m", status="closed")
    [told] = store.sealing().seal()
    assert isinstance(told, Damaged)
    assert (told.message, told.seq) == ("Match m: event 1 does not open a match; it is left as it is.", 1)


def test_a_seal_that_leads_elsewhere_is_not_undone(played: LocalLedger, unguarded: Callable[[str], None]) -> None:
    store = played.store
    seal_all(store)
    unguarded(
        "UPDATE seal SET (events, data) = (SELECT events, data FROM seal WHERE match_id = 'a') WHERE match_id = 'b'"
    )
    before = store._database.fetch("SELECT * FROM seal ORDER BY match_id")
    with pytest.raises(Damaged, match=r"Match b: the head names event .* it is left as it is"):
        store.sealing().unseal("b")
    assert store._database.fetch("SELECT * FROM seal ORDER BY match_id") == before
    assert store._database.fetch(EVENTS, ("b",)) == [(0,)]


@pytest.fixture
def unguarded(address: str) -> Callable[[str], None]:
    """Carries out a statement as somebody who took the triggers away."""

    def run(statement: str) -> None:
        if address.startswith("postgresql"):
            with psycopg.connect(address, autocommit=True) as server:
                server.execute("SET session_replication_role = replica")
                server.execute(statement)
            return
        with closing(sqlite3.connect(address, isolation_level=None)) as file:
            for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                file.execute(f"DROP TRIGGER {name}")
            file.execute("PRAGMA foreign_keys = OFF")
            file.execute(statement)

    return run


@pytest.mark.parametrize(
    "statement, why",
    [
        ("UPDATE seal SET data = '' WHERE match_id = 'b'", "does not"),
        ("UPDATE seal SET events = 3 WHERE match_id = 'b'", "it says 3 events, and holds "),
        ("UPDATE seal SET dictionary = 7 WHERE match_id = 'b'", "its dictionary 7 is gone"),
        ("UPDATE seal SET data = (SELECT data FROM seal WHERE match_id = 'a') WHERE match_id = 'b'", "Match b: "),
    ],
    ids=["emptied", "another count", "another dictionary", "another match"],
)
def test_a_seal_that_was_changed_is_named_and_hides_no_other(
    played: LocalLedger, address: str, unguarded: Callable[[str], None], statement: str, why: str
) -> None:
    store = played.store
    seal_all(store)
    if not address.startswith("postgresql"):
        statement = statement.replace("data = ''", "data = X''")
    unguarded(statement)
    _, report = audit_stored(store, "b", AuditTerms())
    assert not report.is_clean
    with pytest.raises(Damaged, match=why):
        load(played, "b")
    assert audit_stored(store, "a", AuditTerms())[1].is_clean
    findings = [found for found in check_stored(address).findings if "trigger" not in found]
    assert [found for found in findings if not found.startswith(("Match b: ", "a row of seal belongs"))] == []
    assert any(found.startswith("Match b: ") for found in findings)


@pytest.mark.parametrize("is_reordered", [False, True])
def test_a_seal_that_says_the_same_in_other_bytes_is_named(
    played: LocalLedger, address: str, unguarded: Callable[[str], None], is_reordered: bool
) -> None:
    store = played.store
    rows = store.rows("b")
    seal_all(store)
    moments, actors, events = msgspec.msgpack.decode(pack("b", [row.data for row in rows]))
    if is_reordered:
        events[1] = dict(reversed(events[1].items()))
    block = zstandard.ZstdCompressor().compress(msgspec.msgpack.encode([moments, actors, events]))
    unguarded(f"UPDATE seal SET data = {blob(address, block)} WHERE match_id = 'b'")
    assert audit_stored(store, "b", AuditTerms())[1].is_clean != is_reordered
    if is_reordered:
        with pytest.raises(Damaged, match="Match b: the head names event"):
            load(played, "b")
    else:
        assert load(played, "b").hashes == [row.hash for row in rows]


def test_events_under_a_seal_and_as_rows_are_found(
    played: LocalLedger, address: str, unguarded: Callable[[str], None]
) -> None:
    store = played.store
    row = store.rows("a")[0]
    seal_all(store)
    hexed = {"data": row.data.hex(), "hash": row.hash.hex()}
    mark = "'\\x{}'" if address.startswith("postgresql") else "X'{}'"
    cells = ", ".join(mark.format(value) for value in hexed.values())
    unguarded(f"INSERT INTO event (match_id, seq, data, hash) VALUES ('a', 1, {cells})")
    assert "Match a: events are stored under its seal and also as rows." in check_stored(address).findings


REFUSED = [
    ("DELETE FROM event WHERE match_id = 'open'", "a stored event is never deleted"),
    ("DELETE FROM event WHERE seq = 3", "a stored event is never deleted"),
    ("DELETE FROM seal", "a seal is never deleted, unless its events are back"),
    ("UPDATE seal SET events = events", "a seal "),
    ("UPDATE seal SET events = 999 WHERE match_id = 'a'", "a seal "),
    ("UPDATE dictionary SET game = game", "dictionary"),
    ("DELETE FROM dictionary", "dictionary"),
]


@pytest.mark.parametrize("statement, why", REFUSED)
def test_no_statement_changes_a_seal_or_lets_an_event_go_without_one(
    played: LocalLedger, execute: Callable[[str], None], statement: str, why: str
) -> None:
    store = played.store
    keep_dictionary(store)
    seal_all(store)
    before = {match: store.rows(match) for match in ("a", "b", "c", "open")}
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match=why):
        execute(statement)
    assert {match: store.rows(match) for match in before} == before


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
@pytest.mark.parametrize("table", ["seal", "dictionary"])
def test_no_row_is_replaced(played: LocalLedger, execute: Callable[[str], None], table: str) -> None:
    keep_dictionary(played.store)
    seal_all(played.store)
    with pytest.raises(sqlite3.IntegrityError, match="never replaced"):
        execute(f"REPLACE INTO {table} SELECT * FROM {table}")


@pytest.mark.parametrize("source", ["sqlite", "postgres"])
@pytest.mark.parametrize("target", ["sqlite", "postgres"])
def test_seals_go_with_a_copy(request: pytest.FixtureRequest, tmp_path: Path, source: str, target: str) -> None:
    place = {
        "sqlite": lambda: request.getfixturevalue("sqlite_address"),
        "postgres": lambda: request.getfixturevalue("own_postgres_address"),
    }
    first = place[source]()
    second = str(tmp_path / "second.db") if target == "sqlite" else request.getfixturevalue("postgres").empty_database()
    with open_store(first) as store:
        ledger = make_ledger(store)
        live = finish(ledger, open_match(ledger, "coloretto", 2, players=TWO), seed=1)
        seal_all(store)
        rows = store.rows(live.id)
    copied = copy_ledger(first, second)
    assert copied.tables["seal"].rows == 1
    assert copied.tables["event"].rows == 0
    with open_store(second) as store:
        assert store.rows(live.id) == rows
        assert store.sealing().unseal(live.id) == len(rows)


def test_killed_while_sealing_nothing_is_lost(sqlite_address: str) -> None:
    """At every statement of the transaction, the last one included: before it all rows, after it all seals."""
    with open_store(sqlite_address) as store:
        ledger = make_ledger(store)
        matches = [finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=seed).id for seed in range(2)]
        rows = {match: store.rows(match) for match in matches}
    program = [sys.executable, "-c", KILLED, sqlite_address]
    killed = 0
    for after in range(1, 100):
        done = subprocess.run([*program, str(after)], cwd=ROOT, capture_output=True, text=True, check=False)
        with open_store(sqlite_address) as store:
            assert {match: store.rows(match) for match in matches} == rows
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        killed += 1
    assert killed >= 2 * 5
    assert done.stdout == "2\n"
    assert check_stored(sqlite_address).findings == []
