"""A server that is restarted in the middle: everything works again, and nothing is done twice or half."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial

import msgspec
import psycopg
import pytest

from service.errors import Unavailable
from service.store import Appended, CommandKey, Signature, Store, open_store
from service.store.columns import sound
from service.store.shapes import JournalRow
from tests.postgres import PostgresServer
from tests.store.steps import START, opened, step_after

FIRST = step_after("m1", None)
WAITING = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
SIGNED = Signature("m1", 3, "ab" * 32, "cd" * 32, "ef" * 64)


def in_one_moment(store: Store) -> object:
    """A question inside a snapshot."""
    with store.snapshot():
        return store.find("m1")


def in_a_group(store: Store) -> object:
    """A step through a group commit whose thread is new."""
    with store.grouped() as group:
        return group.submit(step_after("grouped", None)).result()


def entry(store: Store) -> object:
    """An entry in the journal."""
    return store.enter(lambda end: [JournalRow(1, "", b"", bytes(64), bytes(32))])


def refusal_of(work: Callable[[], object]) -> str:
    """The code of the refusal, empty if there is none."""
    try:
        work()
    except Unavailable as error:
        return error.code
    return ""


EVERY_METHOD: dict[str, Callable[[Store], object]] = {
    "append": lambda store: store.append(step_after("appended", None)),
    "append_all": lambda store: store.append_all([step_after("all", None)]),
    "grouped": in_a_group,
    "enter": entry,
    "sign": lambda store: store.sign([SIGNED], START),
    "head": lambda store: store.head("m1"),
    "rows": lambda store: store.rows("m1"),
    "rows after": lambda store: store.rows("m1", 1),
    "streams": lambda store: list(store.streams()),
    "snapshot": in_one_moment,
    "rename": lambda store: store.rename("m1", 1, "Ann"),
    "journal": lambda store: list(store.journal()),
}


def restart_and_try(postgres: PostgresServer, stores: dict[str, Store]) -> None:
    """Each method once after a restart that its connection did not survive, and then again."""
    stores["append"].append(FIRST)
    stores["append"]._database.change("INSERT INTO seat VALUES ('m1', 1, 'Bob', 'person')")
    with postgres.stopped():
        for _ in range(4):
            assert refusal_of(lambda: stores["append"].append(step_after("m1", FIRST.head))) == "store/unreachable"
    attempts = {name: refusal_of(partial(method, stores[name])) for name, method in EVERY_METHOD.items()}
    # Whoever was asked while the server was down has given its connection up, and two have one of their own.
    has_noticed = {"append", "grouped", "streams"}
    assert attempts == {name: "" if name in has_noticed else "store/unreachable" for name in EVERY_METHOD}
    for name in attempts.keys() - has_noticed:
        assert refusal_of(partial(EVERY_METHOD[name], stores[name])) == "", name


def test_after_a_restart_every_method_works_again(postgres: PostgresServer, postgres_address: str) -> None:
    with ExitStack() as opened_stores:
        stores = {name: opened_stores.enter_context(open_store(postgres_address)) for name in EVERY_METHOD}
        restart_and_try(postgres, stores)
    with open_store(postgres_address) as store:
        assert sorted(match.id for match in sound(store.matches())) == ["all", "appended", "grouped", "m1"]
        assert (store.head("m1"), store.signatures("m1")) == (FIRST.head, [SIGNED])
        assert ([seat.name for seat in store.seats("m1")], len(list(store.journal()))) == (["Ann"], 1)


def test_a_moment_that_was_lost_is_not_replaced_by_another(postgres: PostgresServer, postgres_address: str) -> None:
    with open_store(postgres_address) as store:
        head = opened(store, "m1")
        with store.snapshot():
            assert store.head("m1") == head
            with postgres.stopped():
                pass
            with open_store(postgres_address) as theirs:
                theirs.append(step_after("m1", head))
            for _ in range(3):
                with pytest.raises(Unavailable) as refused:
                    store.rows("m1")
                assert refused.value.code == "store/unreachable"
        assert len(store.rows("m1")) == 6


@pytest.mark.parametrize("is_stated", [False, True], ids=["statement", "transaction"])
@pytest.mark.parametrize("is_restarted", [False, True], ids=["dropped", "restarted"])
def test_a_write_that_was_under_way_is_refused_and_not_tried_again(
    postgres: PostgresServer, postgres_address: str, is_stated: bool, is_restarted: bool
) -> None:
    entry = JournalRow(1, "m1", b"", bytes(64), bytes(32))
    with open_store(postgres_address) as store, ThreadPoolExecutor(1) as writer:
        head = opened(store, "m1")
        append = msgspec.structs.replace(
            step_after("m1", head, command=CommandKey("c1", b"draft")),
            entries=(lambda end: [entry]) if is_stated else None,
        )
        blocker = psycopg.connect(postgres_address)
        watcher = psycopg.connect(postgres_address, autocommit=True)
        with closing(blocker), closing(watcher):
            blocker.execute("SELECT 1 FROM match WHERE id = 'm1' FOR UPDATE")
            writing = writer.submit(store.append, append)
            while watcher.execute(f"SELECT count(*) {WAITING}").fetchone() != (1,):
                pass  # until the step waits for the row that the blocker holds
            if is_restarted:
                with postgres.stopped():
                    error = writing.exception()
            else:
                watcher.execute(f"SELECT pg_terminate_backend(pid) {WAITING}")
                blocker.rollback()  # from now on a second attempt would succeed
                error = writing.exception()
        assert (type(error), getattr(error, "code", "")) == (Unavailable, "store/unreachable")
        with open_store(postgres_address) as theirs:
            assert (theirs.head("m1"), theirs.rows("m1", 3), list(theirs.journal())) == (head, [], [])
        assert writer.submit(store.append, append).result().last_seq == 6
        assert writer.submit(store.append, append).result() == Appended("m1", 4, 6, repeated=True)
