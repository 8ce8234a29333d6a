"""Matches kept in memory are never trusted against the store, and never read again without need."""

import asyncio
import logging

from service.audit.judge import own_notary
from service.play.appending import Call
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import join, open_match
from service.play.players import NewPlayer
from service.play.replay import load
from service.shell.http.feeds import RETRY
from service.shell.http.served_ledger import ServedLedger
from service.shell.http.settings import Settings
from service.store.connect import open_store
from service.store.shapes import Appended
from tests.postgres import running_server


def test_whoever_repeats_what_another_process_did_a_moment_ago_is_shown_it(database: str) -> None:
    with open_store(database) as store:
        match = open_match(LocalLedger(store, notary=own_notary()), "azul", 3).id

    def work(ledger: LocalLedger, live: Live) -> Appended:
        call = Call(None, "one key for both")
        join(ledger, load(ledger, match), NewPlayer("Ann"), call=call)  # another process, behind the back of this one
        return join(ledger, live, NewPlayer("Ann"), call=call)

    async def run() -> None:
        async with ServedLedger(Settings(database=database)) as cache:
            cached, appended = await cache.change(match, work)
            assert appended.repeated
            assert cached.live.head.seq == appended.last_seq

    asyncio.run(run())


def test_a_match_in_doubt_is_read_again_only_where_a_name_changed(database: str) -> None:
    with open_store(database) as store:
        match = open_match(LocalLedger(store, notary=own_notary()), "azul", 2, players=[NewPlayer("Ann")]).id

    async def run() -> None:
        async with ServedLedger(Settings(database=database)) as cache:
            cached = await cache.look(match)
            cached.is_doubtful = True
            for _ in range(2):  # the first news may come meanwhile, and is a doubt of its own
                if cached.is_doubtful:
                    assert await cache.look(match) is cached
            assert not cached.is_doubtful
            with open_store(database) as other:
                other.rename(match, 1, "Eve")
            cached.is_doubtful = True
            assert (await cache.look(match)).live.names[1] == "Eve"

    asyncio.run(run())


def test_streams_tell_what_was_answered_before_they_end(database: str) -> None:
    with open_store(database) as store:
        match = open_match(LocalLedger(store, notary=own_notary()), "azul", 3).id

    async def run() -> None:
        async with ServedLedger(Settings(database=database)) as cache:
            cached = await cache.look(match)
            stream = cache.feeds.stream(cached, cached.live.head.seq, heartbeat=60)
            assert await anext(stream) == RETRY
            moved, _ = await cache.change(match, lambda ledger, live: join(ledger, live, NewPlayer("Ann")))
            cache.feeds.end()
            told = [message async for message in stream]
            assert [message.split(b"\n")[0] for message in told] == [f"id: {moved.live.head.seq}".encode()]

    asyncio.run(run())


def test_a_process_that_starts_while_the_database_is_away_waits_for_it() -> None:
    with running_server() as server:
        database = server.migrated_database()

        async def run() -> None:
            cache, has_tried, log = (
                ServedLedger(Settings(database=database)),
                asyncio.Event(),
                logging.getLogger("matchledger"),
            )
            handler = logging.Handler()
            handler.emit = lambda record: has_tried.set()  # type: ignore[method-assign]
            log.addHandler(handler)
            async with asyncio.timeout(60):
                with server.stopped():
                    starting = asyncio.create_task(cache.__aenter__())
                    await has_tried.wait()
                    log.removeHandler(handler)
                    assert not starting.done(), "it gave up"
                await starting
            assert cache.store.count() == 0
            await cache.__aexit__()

        asyncio.run(run())
