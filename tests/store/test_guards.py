"""A stored event stays as it is, even for somebody with the plain driver in hand."""

import sqlite3
from collections.abc import Callable

import psycopg
import pytest

from service.errors import Refused
from service.store import Signature, Store, differences
from tests.store.steps import START, opened, step_after

ON_BOTH = [
    "UPDATE event SET data = data WHERE seq = 2",
    "UPDATE event SET seq = 9 WHERE seq = 2",
    "DELETE FROM event WHERE seq = 3",
    "DELETE FROM event",
]
ON_SQLITE = [
    "INSERT OR REPLACE INTO event SELECT match_id, 2, data, hash FROM event WHERE seq = 1",
    "REPLACE INTO event SELECT match_id, 2, data, hash FROM event WHERE seq = 1",
    "INSERT OR IGNORE INTO event SELECT match_id, 2, data, hash FROM event WHERE seq = 1",
    "UPDATE OR REPLACE event SET seq = 1 WHERE seq = 2",
    "INSERT INTO event SELECT match_id, 2, data, hash FROM event WHERE seq = 1"
    " ON CONFLICT DO UPDATE SET data = excluded.data",
]
ON_POSTGRES = [
    "TRUNCATE event",
    "TRUNCATE match CASCADE",
    "INSERT INTO event SELECT match_id, 2, data, hash FROM event WHERE seq = 1"
    " ON CONFLICT (match_id, seq) DO UPDATE SET data = excluded.data",
    "MERGE INTO event USING (SELECT 2 AS seq) AS new ON event.seq = new.seq WHEN MATCHED THEN UPDATE SET data = hash",
]


@pytest.mark.parametrize(
    "address, statement",
    [("sqlite", statement) for statement in ON_BOTH + ON_SQLITE]
    + [("postgres", statement) for statement in ON_BOTH + ON_POSTGRES],
    indirect=["address"],
)
def test_no_statement_changes_a_stored_event(store: Store, execute: Callable[[str], None], statement: str) -> None:
    opened(store, "m1")
    before = store.rows("m1")
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match="a stored event"):
        execute(statement)
    assert store.rows("m1") == before


SIGNED = Signature("m1", 3, "ab" * 32, "cd" * 32, "ef" * 64)
CHANGES_OF_SIGNATURES = [
    ("sqlite", "UPDATE signature SET signed_at = signed_at"),
    ("sqlite", "DELETE FROM signature"),
    ("sqlite", "REPLACE INTO signature SELECT * FROM signature"),
    ("sqlite", "INSERT OR IGNORE INTO signature SELECT * FROM signature"),
    ("postgres", "UPDATE signature SET signed_at = signed_at"),
    ("postgres", "DELETE FROM signature"),
    ("postgres", "TRUNCATE signature"),
    ("postgres", "INSERT INTO signature SELECT * FROM signature"
                 " ON CONFLICT (match_id, event_count, public_key) DO UPDATE SET head_hash = excluded.head_hash"),
]  # fmt: skip


@pytest.mark.parametrize("address, statement", CHANGES_OF_SIGNATURES, indirect=["address"])
def test_no_statement_changes_a_stored_signature(store: Store, execute: Callable[[str], None], statement: str) -> None:
    opened(store, "m1")
    store.sign([SIGNED], START)
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match="a stored signature"):
        execute(statement)
    assert store.signatures("m1") == [SIGNED]


def test_the_next_event_is_still_welcome(store: Store, execute: Callable[[str], None]) -> None:
    opened(store, "m1")
    execute("INSERT INTO event SELECT match_id, 4, data, hash FROM event WHERE seq = 1")
    assert len(store.rows("m1")) == 4


def test_the_store_itself_cannot_append_over_a_stored_event(store: Store, execute: Callable[[str], None]) -> None:
    head = opened(store, "m1")
    store.append(step_after("m1", head))
    execute("UPDATE match SET head_seq = 3")  # a head set back by hand
    before = store.rows("m1")
    with pytest.raises(Refused) as refused:
        store.append(step_after("m1", head, said="another past"))
    assert refused.value.code == "store/constraint"
    assert store.rows("m1") == before
    assert store.find("m1").head.seq == 3


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_triggers_that_are_no_text_are_missing(address: str, store: Store) -> None:
    """A hand may put anything into the schema of a file; SQLite itself still runs it."""
    opened(store, "m1")
    with sqlite3.connect(address) as file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE type = 'trigger'")
    file.close()
    assert "trigger event_never_deleted on event is missing" in differences(address)
