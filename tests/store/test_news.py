"""News: whoever waits learns of every step that anybody appends, and of a time when it could not."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import psycopg
import pytest

from service.errors import Conflict
from service.store import Store, open_store
from service.store.news import EVERYTHING, Moved, StoreNews, moved
from tests.postgres import PostgresServer
from tests.store.steps import opened, step_after

LONG = 60.0
"""Seconds that no test waits, unless it fails."""


def told(news: StoreNews, wanted: int = 1) -> list[Moved]:
    """The next so many things that are told."""
    found: list[Moved] = []
    while len(found) < wanted:
        heard = news.wait(LONG)
        assert heard, "nothing was told"
        found += heard
    return found


@pytest.fixture
def theirs(address: str, store: Store) -> Iterator[Store]:
    """The same ledger as another process has it open."""
    with open_store(address) as opened_again:
        yield opened_again


def as_told(address: str, *steps: Moved) -> list[Moved]:
    """What this database says of such steps."""
    return list(steps) if address.startswith("postgresql") else [EVERYTHING]


def test_the_first_news_is_everything_and_then_there_is_none(store: Store) -> None:
    opened(store, "m1")
    news = store.news()
    assert news.wait(LONG) == [EVERYTHING]
    assert news.wait(0) == []
    news.close()
    assert news.wait(LONG) is None
    assert news.wait(LONG) is None


def test_steps_of_others_are_news(store: Store, theirs: Store, address: str) -> None:
    news = store.news()
    assert told(news) == [EVERYTHING]
    head = opened(theirs, "m1")
    assert told(news) == as_told(address, Moved("m1", 3))
    theirs.append(step_after("m1", head, size=2))
    assert told(news) == as_told(address, Moved("m1", 5))
    with theirs.grouped() as group:
        group.submit(step_after("m2", None)).result()
    assert told(news) == as_told(address, Moved("m2", 3))
    first = step_after("m4", None)
    theirs.append_all([first, step_after("m4", first.head), step_after("m3", None)])
    wanted = as_told(address, Moved("m3", 3), Moved("m4", 3), Moved("m4", 6))
    assert told(news, len(wanted)) == wanted
    news.close()
    assert news.wait(0) is None


def test_what_our_own_group_wrote_to_a_file_is_no_news(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store, store.grouped() as group:
        news = store.news()
        group.submit(step_after("first", None)).result()
        assert told(news) == [EVERYTHING]
        for number in range(5):
            group.submit(step_after(f"m{number}", None)).result()
            assert news.wait(0) == [], "everything would be looked at again after each step"
        with open_store(sqlite_address) as theirs:
            opened(theirs, "theirs")
            group.submit(step_after("ours", None)).result()
            assert told(news) == [EVERYTHING]
        opened(store, "past the group")
        assert told(news) == [EVERYTHING]
        news.close()
        assert news.wait(0) is None


def test_what_was_not_stored_is_no_news(postgres_address: str) -> None:
    with open_store(postgres_address) as store:
        news = store.news()
        assert told(news) == [EVERYTHING]
        with pytest.raises(Conflict):
            store.append_all([step_after("m1", None), step_after("m1", None)])
        opened(store, "m2")
        with pytest.raises(Conflict):
            opened(store, "m2")
        opened(store, "m3")
        assert told(news, 2) == [Moved("m2", 3), Moved("m3", 3)]
        news.close()
        assert news.wait(0) is None


def test_closing_ends_the_waiting(store: Store) -> None:
    news, is_waiting = store.news(), Event()

    def wait() -> list[Moved] | None:
        heard = news.wait(LONG)
        assert heard == [EVERYTHING]
        is_waiting.set()
        return news.wait(10 * LONG)

    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(wait)
        is_waiting.wait()
        news.close()
        assert waiting.result(LONG) is None


@pytest.mark.parametrize(
    "payload, meaning",
    [
        ("m1 3", Moved("m1", 3)),
        ("an id of old 12", Moved("an id of old", 12)),
        ("m1", EVERYTHING),
        ("", EVERYTHING),
        (" 3", EVERYTHING),
        ("m1 x", EVERYTHING),
        ("m1 " + "9" * 5000, EVERYTHING),
    ],
)
def test_a_notification_that_does_not_read_may_mean_anything(payload: str, meaning: Moved) -> None:
    assert moved(payload) == meaning


def test_strangers_can_make_us_look_and_no_more(postgres_address: str) -> None:
    with open_store(postgres_address) as store, psycopg.connect(postgres_address, autocommit=True) as stranger:
        news = store.news()
        assert told(news) == [EVERYTHING]
        stranger.execute("NOTIFY matchledger, 'boo hoo'")
        assert told(news) == [EVERYTHING]
        news.close()
        assert news.wait(0) is None


def test_a_server_that_was_restarted_is_listened_to_again(postgres: PostgresServer, postgres_address: str) -> None:
    with open_store(postgres_address) as store:
        news = store.news()
        assert told(news) == [EVERYTHING]
        with postgres.stopped():
            assert news.wait(0) == []
            assert news.wait(0) == []
        with open_store(postgres_address) as theirs:
            opened(theirs, "m1")
            heard: list[Moved] = []
            while not heard:
                heard = news.wait(0) or []
            assert heard == [EVERYTHING], "what was appended while nobody listened is not told by itself"
            opened(theirs, "m2")
            assert told(news) == [Moved("m2", 3)]
        news.close()
        assert news.wait(0) is None


def test_waiting_ends_while_the_server_is_down(postgres: PostgresServer, postgres_address: str) -> None:
    with open_store(postgres_address) as store, ThreadPoolExecutor(1) as other:
        news = store.news()
        assert told(news) == [EVERYTHING]
        with postgres.stopped():
            waiting = other.submit(news.wait, 10 * LONG)
            news.close()
            assert waiting.result(LONG) is None


def test_a_file_that_cannot_be_read_is_tried_again(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store:
        news = store.news()
        owner = sqlite3.connect(sqlite_address, isolation_level=None)
        owner.execute("PRAGMA locking_mode = EXCLUSIVE")
        owner.execute("BEGIN EXCLUSIVE")
        assert news.wait(0) == []
        assert news.wait(0) == []
        owner.execute("ROLLBACK")
        owner.close()
        assert told(news) == [EVERYTHING]
        news.close()
        assert news.wait(0) is None
