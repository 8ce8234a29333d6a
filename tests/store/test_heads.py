"""Where a match stands, and what came after an event: the questions that are asked most."""

import pytest

from service.errors import Damaged
from service.store import Store, open_store
from tests.store.steps import opened, step_after


def test_a_head_is_found_by_the_whole_id(store: Store) -> None:
    head = opened(store, "m1")
    opened(store, "m12")
    assert store.head("m1") == head == store.find("m1").head
    after = step_after("m1", head)
    store.append(after)
    assert store.head("m1") == after.head


@pytest.mark.parametrize("match", ["m", "M1", "last", "", "m1 ", "m%", "\0", "\ud800", "m1\n"])
def test_no_other_text_has_a_head(store: Store, match: str) -> None:
    opened(store, "m1")
    assert store.head(match) is None


def test_a_head_that_does_not_read_is_damage(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store:
        opened(store, "m1")
        store._database.change("UPDATE match SET head_seq = 'three'")
        with pytest.raises(Damaged, match=r"Match m1: the cell match.head_seq holds 'three'"):
            store.head("m1")


def test_rows_behind_an_event(store: Store) -> None:
    head = opened(store, "m1")
    store.append(step_after("m1", head, size=2))
    opened(store, "m2")
    rows = store.rows("m1")
    assert [row.seq for row in rows] == [1, 2, 3, 4, 5]
    for after in range(7):
        assert store.rows("m1", after) == rows[after:]
    assert store.rows("nobody", 1) == []


def test_an_event_that_a_hand_has_numbered_is_not_hidden(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store:
        opened(store, "m1")
        store._database.change("PRAGMA ignore_check_constraints = ON")
        store._database.change("INSERT INTO event SELECT match_id, -1, data, hash FROM event WHERE seq = 1")
        assert [row.seq for row in store.rows("m1")] == [-1, 1, 2, 3]


@pytest.mark.parametrize("address, is_local", [("sqlite", True), ("postgres", False)], indirect=["address"])
def test_only_a_file_is_local(store: Store, is_local: bool) -> None:
    assert store.is_local == is_local
