"""The journal in both databases: only ever extended, dense however many write, stored with its step or not at all."""

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from msgspec.structs import replace

from service.errors import Conflict, NotFound, Refused
from service.store import CommandKey, Store
from service.store.shapes import Entries, Hearsay, JournalEnd, JournalRow
from tests.store.steps import START, opened, step_after


def saying(match: str, *words: bytes) -> Entries:
    """Entries that follow whatever is there; the store looks into none."""

    def follow(end: JournalEnd) -> list[JournalRow]:
        place = end.last.place if end.last is not None else 0
        return [JournalRow(place + n, match, word, b"s" * 64, b"h" * 32) for n, word in enumerate(words, start=1)]

    return follow


def told(store: Store) -> list[tuple[int, str, bytes]]:
    return [(row.place, row.match, row.data) for row in store.journal()]


def test_entries_go_in_with_their_step(store: Store) -> None:
    store.append(replace(step_after("m1", None), entries=saying("m1", b"opened")))
    store.append(replace(step_after("m2", None), entries=saying("m2", b"opened", b"and more")))
    store.append(step_after("m1", store.find("m1").head))
    assert told(store) == [(1, "m1", b"opened"), (2, "m2", b"opened"), (3, "m2", b"and more")]
    assert [row.place for row in store.entries("m2")] == [2, 3]
    assert [row.place for row in store.journal(after=2)] == [3]
    assert store.entries("m3") == []


def test_a_step_that_is_not_stored_leaves_no_entry(store: Store) -> None:
    head = opened(store, "m1")
    stale = replace(step_after("m1", replace(head, seq=1)), entries=saying("m1", b"never"))
    with pytest.raises(Conflict):
        store.append(stale)
    once = replace(step_after("m1", head), command=CommandKey("c", b"f"), entries=saying("m1", b"once"))
    store.append(once)
    assert store.append(once).repeated
    assert told(store) == [(1, "m1", b"once")]


def test_a_refusal_to_sign_refuses_the_step(store: Store) -> None:
    def refuse(end: JournalEnd) -> list[JournalRow]:
        raise Refused("trust/other-key", "not with this key")

    head = opened(store, "m1")
    with pytest.raises(Refused, match="not with this key"):
        store.append(replace(step_after("m1", head), entries=refuse))
    assert store.find("m1").head == head
    with pytest.raises(Refused, match="not with this key"):
        store.append_all([step_after("m2", None), replace(step_after("m3", None), entries=refuse)])
    assert store.count() == 1
    store.append(step_after("m1", head))


def test_an_entry_about_a_match_holds_its_head(store: Store) -> None:
    head = opened(store, "m1")
    with pytest.raises(Conflict):
        store.enter(saying("m1", b"exported"), "m1", head.seq - 1)
    with pytest.raises(NotFound):
        store.enter(saying("m9", b"exported"), "m9", 3)
    assert [row.data for row in store.enter(saying("m1", b"exported"), "m1", head.seq)] == [b"exported"]
    assert [row.data for row in store.enter(saying("", b"a key"))] == [b"a key"]
    assert told(store) == [(1, "m1", b"exported"), (2, "", b"a key")]


def test_the_first_to_write_hears_how_many_matches_there_are(store: Store) -> None:
    seen: list[JournalEnd] = []

    def listen(end: JournalEnd) -> Sequence[JournalRow]:
        seen.append(end)
        return saying("m1", b"entry")(end)

    store.append(replace(step_after("m1", None), entries=listen))
    store.append(replace(step_after("m2", None), entries=listen))
    assert [(end.last and end.last.place, end.matches) for end in seen] == [(None, 0), (1, 0)]


def test_matches_that_were_there_before_the_journal_are_counted(store: Store) -> None:
    opened(store, "m1")
    opened(store, "m2")
    seen: list[int] = []

    def listen(end: JournalEnd) -> list[JournalRow]:
        seen.append(end.matches)
        return []

    store.append(replace(step_after("m3", None), entries=listen))
    store.enter(listen, "m1", 3)
    store.enter(listen)
    assert seen == [2, 2, 3]


def test_writers_at_once_leave_it_dense(store: Store) -> None:
    def write(number: int) -> None:
        match = f"m{number}"
        store.append(replace(step_after(match, None), entries=saying(match, b"opened")))
        appends = [replace(step_after(f"{match}-{n}", None), entries=saying(match, b"opened")) for n in range(3)]
        store.append_all(appends)
        store.enter(saying(match, b"said"), match, store.find(match).head.seq)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(12)))
    assert [row.place for row in store.journal()] == list(range(1, 12 * 5 + 1))
    assert all(len(store.entries(f"m{number}")) == 5 for number in range(12))


def test_what_is_gone_is_told_with_its_first_entry(store: Store, execute: Callable[[str], None]) -> None:
    for match in ("m1", "m2"):
        store.append(replace(step_after(match, None), entries=saying(match, b"opened", b"closed")))
    store.enter(saying("", b"a key"))
    assert store.gone() == []
    store.enter(saying("m0", b"never was"))
    assert store.gone() == [("m0", 6)]


def test_statements_of_others_are_kept_once(store: Store) -> None:
    opened(store, "m1")
    said = [Hearsay("m1", b"one", b"1" * 64), Hearsay("m1", b"two", b"2" * 64)]
    store.sign([], START, said)
    store.sign([], START, said[:1])
    assert store.hearsay("m1") == said
    assert store.hearsay("m2") == []


CHANGES = [
    ("sqlite", "UPDATE journal SET data = data"),
    ("sqlite", "DELETE FROM journal"),
    ("sqlite", "REPLACE INTO journal SELECT * FROM journal"),
    ("sqlite", "INSERT OR IGNORE INTO journal SELECT * FROM journal"),
    ("sqlite", "INSERT INTO journal SELECT 4, match_id, data, signature, hash FROM journal WHERE place = 1"),
    ("sqlite", "UPDATE statement SET data = data"),
    ("sqlite", "DELETE FROM statement"),
    ("sqlite", "REPLACE INTO statement SELECT * FROM statement"),
    ("postgres", "UPDATE journal SET data = data"),
    ("postgres", "DELETE FROM journal"),
    ("postgres", "TRUNCATE journal"),
    ("postgres", "INSERT INTO journal SELECT 4, match_id, data, signature, hash FROM journal WHERE place = 1"),
    ("postgres", "UPDATE statement SET data = data"),
    ("postgres", "DELETE FROM statement"),
    ("postgres", "TRUNCATE statement"),
]


@pytest.mark.parametrize("address, statement", CHANGES, indirect=["address"])
def test_no_statement_changes_what_was_stated(store: Store, execute: Callable[[str], None], statement: str) -> None:
    store.append(replace(step_after("m1", None), entries=saying("m1", b"opened", b"closed")))
    store.sign([], START, [Hearsay("m1", b"one", b"1" * 64)])
    before = told(store), store.hearsay("m1")
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match=r"statement|journal"):
        execute(statement)
    assert (told(store), store.hearsay("m1")) == before
