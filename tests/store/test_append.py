"""Appending: whole steps, one successor per head, one outcome per command."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.errors import Conflict, LedgerError, NotFound, Refused, UsageError
from service.store import Appended, CommandKey, Head, Row, SeatRow, Store
from service.store.columns import sound
from tests.store.steps import START, assert_whole, new_match, opened, step_after


def test_what_was_appended_is_read_back(store: Store) -> None:
    first = step_after("m1", None, status="open")
    assert store.append(first) == Appended("m1", 1, 3)
    second = step_after("m1", first.head, size=2)
    assert store.append(second) == Appended("m1", 4, 5)

    assert store.rows("m1") == [*first.rows, *second.rows]
    found = store.find("m1")
    assert (found.head, found.status) == (second.head, "playing")
    assert (found.opened_at, found.moved_at) == (first.at, second.at)
    assert (found.game, found.ruleset, found.seats, found.undo, found.chance) == ("azul", "azul/1", 2, "free", "fair")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents=st.lists(st.binary(max_size=300), min_size=1, max_size=6))
def test_bytes_are_kept_as_they_are(store: Store, contents: list[bytes]) -> None:
    match = f"m{len(store.matches())}"
    rows = [Row(seq, data, bytes([seq]) * 32) for seq, data in enumerate(contents, 1)]
    append = msgspec.structs.replace(step_after(match, None), rows=rows, head=Head(len(rows), 1, rows[-1].hash))
    store.append(append)
    assert store.rows(match) == rows


def test_moments_come_back_in_utc(store: Store) -> None:
    east = datetime(2025, 3, 1, 12, 0, 0, 7, tzinfo=timezone(timedelta(hours=5)))
    opened(store, "m1", at=east)
    found = store.find("m1").moved_at
    assert found == east
    assert found.tzinfo is UTC


def test_rows_of_an_unknown_match_are_none(store: Store) -> None:
    assert store.rows("m1") == []


@pytest.mark.parametrize("expected", [0, 2, 4])
def test_a_stale_head_is_a_conflict(store: Store, expected: int) -> None:
    head = opened(store, "m1")
    before = store.rows("m1")
    late = step_after("m1", Head(expected, 1, head.hash))
    with pytest.raises(Conflict, match=rf"head is 3, not {expected} as expected") as refused:
        store.append(late)
    assert refused.value.code == "store/stale-head"
    assert store.rows("m1") == before
    assert store.find("m1").head == head


def test_an_id_is_taken_once(store: Store) -> None:
    opened(store, "m1", new=new_match(seed="7"), seats=(SeatRow(1, "Ann"),))
    before = store.rows("m1")
    other = msgspec.structs.replace(
        step_after("m1", None, size=1), new=new_match(seed="8"), seats=(SeatRow(1, "Mallory"),)
    )
    with pytest.raises(Conflict, match="'m1' exists already") as refused:
        store.append(other)
    assert refused.value.code == "store/stale-head"
    assert store.rows("m1") == before
    assert store.secret("m1") == (b"", "7")
    assert store.seats("m1") == [SeatRow(1, "Ann")]


def test_an_unknown_match_cannot_be_appended_to(store: Store) -> None:
    with pytest.raises(NotFound, match="No match 'm1'") as refused:
        store.append(step_after("m1", Head(3, 1, bytes(32))))
    assert refused.value.code == "match/unknown"


@pytest.mark.parametrize("seqs, head", [([], 3), ([5, 6], 6), ([4, 6], 6), ([4, 5], 6), ([4, 6], 5)])
def test_rows_that_are_not_dense_never_reach_the_database(store: Store, seqs: list[int], head: int) -> None:
    before = opened(store, "m1")
    rows = [Row(seq, b"", bytes(32)) for seq in seqs]
    append = msgspec.structs.replace(step_after("m1", before), rows=rows, head=Head(head, 2, bytes(32)))
    with pytest.raises(ValueError, match="do not lead from 3"):
        store.append(append)
    with pytest.raises(ValueError, match="do not lead from 3"):
        store.append_all([step_after("m2", None), append])
    assert store.count() == 1


def test_a_repeated_command_has_its_first_outcome(store: Store) -> None:
    head = opened(store, "m1")
    command = CommandKey("c1", b"draft blue")
    append = step_after("m1", head, command=command)
    assert store.earlier("m1", command) is None
    first = store.append(append)
    after = step_after("m1", append.head, command=command)

    assert first == Appended("m1", 4, 6)
    assert store.append(append) == Appended("m1", 4, 6, repeated=True)  # as sent the first time
    assert store.append(after) == Appended("m1", 4, 6, repeated=True)  # decided again under the new head
    assert store.earlier("m1", command) == Appended("m1", 4, 6, repeated=True)
    assert len(store.rows("m1")) == 6
    assert store.find("m1").head == append.head


def test_a_repeated_opening_has_its_first_outcome(store: Store) -> None:
    append = step_after("m1", None, command=CommandKey("c1", b"open"))
    assert store.append(append) == Appended("m1", 1, 3)
    assert store.append(append) == Appended("m1", 1, 3, repeated=True)


def test_a_command_id_serves_one_request(store: Store) -> None:
    append = step_after("m1", opened(store, "m1"), command=CommandKey("c1", b"draft blue"))
    store.append(append)
    other = CommandKey("c1", b"draft red")
    attempts: list[Callable[[], object]] = [
        lambda: store.earlier("m1", other),
        lambda: store.append(step_after("m1", append.head, command=other)),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match=r"'c1' was used in match 'm1' .*events 4 to 6") as refused:
            attempt()
        assert refused.value.code == "store/command-reused"
    assert len(store.rows("m1")) == 6


def test_command_ids_of_different_matches_are_different(store: Store) -> None:
    for match in ("m1", "m2"):
        command = CommandKey("c1", match.encode())
        assert not store.append(step_after(match, opened(store, match), command=command)).repeated


def test_a_batch_the_database_refuses_leaves_nothing(store: Store) -> None:
    head = opened(store, "m1", seats=(SeatRow(1, "Ann"),))
    good = step_after("m1", head, command=CommandKey("c1", b"f"))
    rows = [good.rows[0], good.rows[1]._replace(hash=b"too short"), good.rows[2]]
    bad = msgspec.structs.replace(good, rows=rows, seats=(SeatRow(1, "Bob"),), status="closed")
    with pytest.raises(Refused) as refused:
        store.append(bad)
    assert refused.value.code == "store/constraint"

    assert len(store.rows("m1")) == 3
    found = store.find("m1")
    assert (found.head, found.status, found.moved_at) == (head, "open", START)
    assert store.seats("m1") == [SeatRow(1, "Ann")]
    assert store.earlier("m1", CommandKey("c1", b"f")) is None
    assert store.append(good) == Appended("m1", 4, 6)  # and the store goes on working


def test_a_new_match_the_database_refuses_leaves_nothing(store: Store) -> None:
    good = msgspec.structs.replace(step_after("m1", None), new=new_match(seed="7"))
    with pytest.raises(Refused):
        store.append(msgspec.structs.replace(good, status="paused"))
    assert store.matches() == []
    assert store.secret("m1") is None
    store.append(good)


def test_many_batches_are_stored_together(store: Store) -> None:
    first = step_after("m2", None)
    store.append_all([first, step_after("m2", first.head), step_after("m1", None)])
    for match, count in (("m1", 3), ("m2", 6)):
        assert len(store.rows(match)) == count
        assert_whole(match, store.rows(match))


def test_many_batches_are_stored_all_or_none(store: Store) -> None:
    opened(store, "m2")
    with pytest.raises(Conflict):
        store.append_all([step_after("m1", None), step_after("m2", None), step_after("m3", None)])
    assert [match.id for match in sound(store.matches())] == ["m2"]
    assert store.rows("m1") == store.rows("m3") == []
    store.append_all([step_after("m1", None)])


def test_seats_are_taken_and_changed_with_a_step(store: Store) -> None:
    head = opened(store, "m1", seats=(SeatRow(2, "Bob"), SeatRow(1, "Ann")))
    assert store.seats("m1") == [SeatRow(1, "Ann"), SeatRow(2, "Bob")]
    store.append(msgspec.structs.replace(step_after("m1", head), seats=(SeatRow(2, "Greedy", "bot:greedy"),)))
    assert store.seats("m1") == [SeatRow(1, "Ann"), SeatRow(2, "Greedy", "bot:greedy")]


def test_a_person_can_be_renamed_without_touching_the_chain(store: Store) -> None:
    opened(store, "m1", seats=(SeatRow(1, "Ann"), SeatRow(2, "Bob")))
    before = store.rows("m1")
    store.rename("m1", 2, "")
    assert store.seats("m1") == [SeatRow(1, "Ann"), SeatRow(2, "")]
    assert store.rows("m1") == before
    with pytest.raises(NotFound, match="seat 3 of match 'm1'; taken seats: 1, 2") as refused:
        store.rename("m1", 3, "Eve")
    assert refused.value.code == "match/seat-unknown"


@pytest.mark.parametrize(
    "secret, seed, kept", [(None, "", None), (b"\x00\xff", "", (b"\x00\xff", "")), (None, "7", (b"", "7"))]
)
def test_the_secret_is_kept(store: Store, secret: bytes | None, seed: str, kept: tuple[bytes, str] | None) -> None:
    opened(store, "m1", new=new_match(secret=secret, seed=seed))
    assert store.secret("m1") == kept


def test_text_that_is_no_text_is_refused(store: Store) -> None:
    opened(store, "m1", seats=(SeatRow(1, "Ann"),))
    with pytest.raises(UsageError) as refused:
        store.rename("m1", 1, "half \ud800")
    assert refused.value.code == "store/unstorable"
    with pytest.raises(UsageError):
        store.append(msgspec.structs.replace(step_after("m2", None), seats=(SeatRow(1, "\ud800"),)))
    assert [match.id for match in sound(store.matches())] == ["m1"]


def test_a_closed_store_says_so(store: Store) -> None:
    opened(store, "m1")
    store.close()
    store.close()
    for attempt in (lambda: store.rows("m1"), lambda: store.append(step_after("m2", None))):
        with pytest.raises(LedgerError, match="closed"):
            attempt()
