"""Changing matches, one request after the other in each of them."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from service.errors import Conflict, LedgerError, Unavailable
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.shell.http.match_cache import CachedMatch, MatchCache
from service.shell.http.metrics import CONFLICTS
from service.shell.http.store_access import StoreAccess
from service.shell.http.token_cache import TokenCache
from service.store.shapes import Appended

Answer = TypeVar("Answer")

_ATTEMPTS: Final = 5
"""How often a step is tried when somebody else was faster."""


class MatchWriter:
    """Lets one request at a time add to a match."""

    def __init__(
        self, access: StoreAccess, cache: MatchCache, tokens: TokenCache, on_step: Callable[[str], None]
    ) -> None:
        self._access, self._cache, self._tokens, self._on_step = access, cache, tokens, on_step
        self._changing: dict[str, asyncio.Event] = {}
        """Matches that a request adds to, each with what will be set when it has."""

    async def change(self, match: str, work: Callable[[LocalLedger, Live], Answer]) -> tuple[CachedMatch, Answer]:
        """Let a use case add to a match, and give the match as it left it.

        Somebody else's step in between is no reason to refuse: it is tried anew. Where the caller named a head, the
        use case itself refuses another one.
        """
        while (others := self._changing.get(match)) is not None:  # two at once would cost a conflict, and nothing else
            await others.wait()
        changed = self._changing[match] = asyncio.Event()
        try:
            return await self._change(match, work)
        finally:
            del self._changing[match]
            changed.set()

    async def _change(self, match: str, work: Callable[[LocalLedger, Live], Answer]) -> tuple[CachedMatch, Answer]:
        cache, store = self._cache, self._access.store
        known = cache.known(match)
        for attempt in range(1, _ATTEMPTS + 1):
            # What is in memory needs no look at the store before it is added to: the append itself is one.
            cached = known if known is not None and not known.is_doubtful else await cache.look(match)
            known, live = None, cached.copy()
            try:
                answer, appended = await self._access.run(work, live)
                break
            except Unavailable:
                raise
            except LedgerError as refusal:
                if isinstance(refusal, Conflict):
                    CONFLICTS.inc()
                # A refusal counts only where it rests on how things stand.
                if attempt == _ATTEMPTS or await self._access.ask(store.head, match) == live.head:
                    raise
                cache.drop(match)
        if appended is not None and isinstance(answer, Appended):
            answer = appended  # type: ignore[assignment]
        if appended is not None and appended.repeated:
            cached = await cache.look(match)  # what the match in hand was given had been added before
        elif live.envelopes is not cached.live.envelopes:  # an append makes a new list of them
            has_same_seats = live.seats == cached.live.seats
            if not has_same_seats:  # whoever sat down was given a token
                self._tokens.forget(match)
            cached = cache.keep(live, is_ours=True, like=cached if has_same_seats else None)
            self._on_step(match)
        elif isinstance(answer, Appended) and answer.last_seq > live.head.seq:
            cached = await cache.look(match)  # another process had carried the same request out a moment before
        return cached, answer

    async def open(self, open_one: Callable[[LocalLedger], Live]) -> CachedMatch:
        """A new match."""
        live, _ = await self._access.run(open_one)
        return self._cache.keep(live, is_ours=True) if live.envelopes else await self._cache.look(live.id)
