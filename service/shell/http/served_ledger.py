"""A ledger as one process of the service has it: its store, cache, writer, tokens, bots, streams and news."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Self, TypeVar

from service.play.history import Live
from service.play.ledger import LocalLedger
from service.shell.http.bot_turns import BotTurns
from service.shell.http.feeds import Feeds
from service.shell.http.match_cache import CachedMatch, MatchCache
from service.shell.http.match_writer import MatchWriter
from service.shell.http.settings import Settings
from service.shell.http.store_access import StoreAccess
from service.shell.http.token_cache import TokenCache
from service.store.news import EVERYTHING, RENAMED, Moved
from service.store.store import Store

Answer = TypeVar("Answer")

_NEWS: Final = 0.5
"""Seconds between two looks at what other processes wrote."""


class ServedLedger:
    """Every match of one ledger, for one event loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.access = access = StoreAccess(settings.database, settings.timeout)
        self.cache = MatchCache(access, settings.cached_matches)
        self.tokens = TokenCache(access, settings.cached_matches)
        self.feeds = Feeds(self.cache.look, self.cache.heads_of, self.wake_bots)
        self.writer = MatchWriter(access, self.cache, self.tokens, self.feeds.tell)
        self.bots = BotTurns(self.cache, self.writer)
        self.in_thread, self.ask, self.look, self.etag = access.in_thread, access.ask, self.cache.look, self.cache.etag
        self._telling: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self.access.open()
        loop = asyncio.get_running_loop()
        self._news = news = self.store.news()

        def listen() -> None:
            while (moved := news.wait(_NEWS)) is not None:
                if moved:
                    loop.call_soon_threadsafe(self._heard, moved)

        self._listening = loop.run_in_executor(self.access.threads, listen)
        return self

    async def __aexit__(self, *raised: object) -> None:
        self.feeds.end()
        self._news.close()
        await self.bots.close()
        await self._listening
        await self.access.close()

    @property
    def store(self) -> Store:
        """The store, for questions that go through `ask` or `in_thread`."""
        return self.access.store

    @property
    def ledger(self) -> LocalLedger:
        """The ledger, for use cases that run in a thread."""
        return self.access.ledger

    def _heard(self, moved: Sequence[Moved]) -> None:
        """Somebody has written, perhaps another process: what is in memory may be old, and streams have news."""
        if EVERYTHING in moved:
            self.tokens.forget_all()
            self.cache.doubt_all()
            telling = asyncio.create_task(self.feeds.tell_all())
            self._telling.add(telling)  # a task nobody holds may be gone before it is done
            telling.add_done_callback(self._telling.discard)
            return
        for match, seq in moved:
            if seq == RENAMED:
                self.cache.doubt(match)
            self.feeds.tell(match)

    def forget(self, match: str) -> None:
        """Something beside the events was changed: read the match anew."""
        self.cache.drop(match)
        self.tokens.forget(match)
        self.feeds.tell(match)

    def wake_bots(self, cached: CachedMatch) -> None:
        """Let the bots of a match go on, if it is their turn."""
        self.bots.wake(cached)

    async def change(self, match: str, work: Callable[[LocalLedger, Live], Answer]) -> tuple[CachedMatch, Answer]:
        """Let a use case add to a match, and give the match as it left it; bots reply by themselves."""
        cached, answer = await self.writer.change(match, work)
        self.bots.wake(cached)
        return cached, answer

    async def open_match(self, open_one: Callable[[LocalLedger], Live]) -> CachedMatch:
        """A new match; bots begin by themselves."""
        cached = await self.writer.open(open_one)
        self.bots.wake(cached)
        return cached
