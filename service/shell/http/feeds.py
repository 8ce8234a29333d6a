"""Live streams: every step of a match once and in order, to everybody who watches, from wherever it came."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct, field

from events.core import Envelope
from events.match import StepRedone, StepUndone
from service.errors import Damaged, LedgerError
from service.play.history import History
from service.shell.answers.match import told
from service.shell.answers.service import StepMessage
from service.shell.http.metrics import STREAMS
from service.store.shapes import Head
from service.visible import visible_json

if TYPE_CHECKING:
    from service.shell.http.match_cache import CachedMatch

_KEPT: Final = 64
"""Steps whose messages are kept ready for those who watch."""
_AGAIN: Final = 1.0
"""Seconds after which a match that could not be read is tried again."""
RETRY: Final = b"retry: 1000\n\n"
HEARTBEAT: Final = b": still here\n\n"


class _Feed(Struct):
    cached: "CachedMatch | None" = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    streams: int = 0
    messages: dict[int, bytes] = field(default_factory=dict)
    """By the number of the step."""
    task: "asyncio.Task[None] | None" = None
    is_stale: bool = False
    """Whether there was news while the match was being read."""
    is_over: bool = False
    """Whether what has been read is the last there is to tell."""


class Feeds:
    """Who watches what. A match is read once for all who watch it."""

    def __init__(
        self,
        look: Callable[[str], "Awaitable[CachedMatch]"],
        heads_of: Callable[[list[str]], Awaitable[Mapping[str, Head | Damaged]]],
        wake_bots: Callable[["CachedMatch"], None],
    ) -> None:
        """How a match is read, where many of them stand, and how bots are told to go on."""
        self._look = look
        self._heads_of = heads_of
        self._wake_bots = wake_bots
        self._feeds: dict[str, _Feed] = {}
        self._has_ended = False

    def tell(self, match: str) -> None:
        """There may be news of a match."""
        feed = self._feeds.get(match)
        if feed is None or feed.is_over:
            return
        feed.is_stale = True
        if feed.task is None:
            feed.task = asyncio.create_task(self._refresh(match, feed))

    async def tell_all(self) -> None:
        """There may be news of any match. A file says so after every commit, so that only what moved is read."""
        seen = {match: feed.cached.live.head for match, feed in self._feeds.items() if feed.cached is not None}
        try:
            heads: Mapping[str, object] = await self._heads_of(list(seen))
        except LedgerError:  # the database is away; each match is asked for until it is back
            heads = dict.fromkeys(seen)
        for match, head in heads.items():
            if head != seen[match]:
                self.tell(match)

    def end(self) -> None:
        """Let every stream end after what has happened so far: whoever was answered has been told of."""
        if self._has_ended:
            return
        self._has_ended = True
        for match in self._feeds:
            self.tell(match)

    async def _refresh(self, match: str, feed: _Feed) -> None:
        try:
            while feed.is_stale and feed.streams:
                feed.is_stale, is_last = False, self._has_ended
                try:
                    cached = await self._look(match)
                except LedgerError:  # the database is away for a while
                    if is_last:
                        return
                    feed.is_stale = True
                    await asyncio.sleep(_AGAIN)
                else:
                    has_moved = feed.cached is None or feed.cached.live.head != cached.live.head
                    feed.cached = cached
                    if has_moved:
                        feed.news.set()
                        feed.news = asyncio.Event()
                    if is_last:  # bots may play on until they are stopped
                        return
        finally:
            feed.task = None
            if self._has_ended:
                feed.is_over = True
                feed.news.set()

    async def stream(self, cached: "CachedMatch", after: int, heartbeat: float) -> AsyncIterator[bytes]:
        """What happened behind an event, as far as it has, and whatever happens from now on."""
        with self._watching(cached) as feed:
            self.tell(cached.live.id)  # something may have happened before anybody listened
            yield RETRY
            while True:
                news, is_over = feed.news, feed.is_over
                assert feed.cached is not None
                for last, message in _messages(feed, feed.cached.live, after):
                    yield message
                    after = last
                if is_over:
                    return
                if news is not feed.news or feed.is_over:
                    continue
                try:
                    await asyncio.wait_for(news.wait(), heartbeat)
                except TimeoutError:
                    yield HEARTBEAT
                    # Whatever was missed is found out now, and bots go on whose process died or lost its database.
                    self.tell(cached.live.id)
                    self._wake_bots(feed.cached)

    @contextmanager
    def _watching(self, cached: "CachedMatch") -> Iterator[_Feed]:
        match = cached.live.id
        feed = self._feeds.setdefault(match, _Feed())
        if feed.cached is None or feed.cached.live.head.seq < cached.live.head.seq:
            feed.cached = cached
        feed.streams += 1
        STREAMS.inc()
        try:
            yield feed
        finally:
            STREAMS.dec()
            feed.streams -= 1
            if not feed.streams and self._feeds.get(match) is feed:
                del self._feeds[match]


def _messages(feed: _Feed, live: History, after: int) -> Iterator[tuple[int, bytes]]:
    """Each step behind an event with the number of its last event; one that was seen in part is told whole."""
    for step, entries in groupby(live.envelopes[after:], key=lambda envelope: envelope.step):
        taken = list(entries)
        last = taken[-1].seq
        if (message := feed.messages.get(step)) is None:
            is_whole = taken[0].seq == 1 or live.envelopes[taken[0].seq - 2].step != step
            message = feed.messages[step] = write_message(live, taken if is_whole else live.step_entries(step))
            while len(feed.messages) > _KEPT:
                del feed.messages[next(iter(feed.messages))]
        yield last, message


def write_message(live: History, entries: Sequence[Envelope]) -> bytes:
    """A step as server-sent events write it: `step`, or `past` where what had happened was changed."""
    undone = [entry.event.step for entry in entries if isinstance(entry.event, StepUndone)]
    redone = [entry.event.step for entry in entries if isinstance(entry.event, StepRedone)]
    message = StepMessage(
        match=live.id,
        step=entries[0].step,
        first=entries[0].seq,
        last=entries[-1].seq,
        actor=entries[0].actor,
        told=[told(live, entry) for entry in entries],
        events=[entry.event for entry in entries],
        undone=undone,
        redone=redone,
    )
    kind = "past" if undone or redone else "step"
    data = visible_json(msgspec.json.encode(message).decode())
    return f"id: {message.last}\nevent: {kind}\ndata: {data}\n\n".encode()
