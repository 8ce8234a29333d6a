"""Bots at the tables of a service: each moves by itself as soon as it is its turn."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from events.core import Envelope
from events.match import StepUndone
from service.bots.kinds import kind_of
from service.errors import LedgerError, Unavailable
from service.games.core import Action
from service.play.bots import PATIENCE, BotQuestion, answer, bot_to_act, question_of
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act
from service.shell.http.bot_workers import BotWorkers
from service.shell.http.match_cache import CachedMatch, MatchCache
from service.shell.http.match_writer import MatchWriter
from service.store.shapes import Head

_THINKING: Final = 10.0
"""Seconds after which a bot's turn that began in another process is taken up here: nobody thinks for so long."""
_LOG: Final = logging.getLogger("matchledger")


class BotTurns:
    """Lets bots move, one task for each match in which it is a bot's turn."""

    def __init__(self, cache: MatchCache, writer: MatchWriter) -> None:
        self._cache, self._writer = cache, writer
        self._workers = BotWorkers()
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._left: dict[str, asyncio.Task[None]] = {}
        """Matches in which another process is left to think."""

    async def close(self) -> None:
        """Let no bot move any more."""
        busy = [*self._playing.values(), *self._left.values()]
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        await asyncio.to_thread(self._workers.close)

    def wake(self, cached: CachedMatch) -> None:
        """Let the bots go on, if it is their turn; where somebody has just gone back, nobody hurries on."""
        if not cached.has_bots:
            return
        live = cached.live
        if live.id not in self._playing and bot_to_act(live) is not None and not _went_back(live.envelopes):
            task = asyncio.create_task(self._play(live.id))
            self._playing[live.id] = task
            task.add_done_callback(lambda _: self._playing.pop(live.id, None))

    async def _play(self, match: str) -> None:
        thought: tuple[Head, Action] | None = None

        def step(ledger: LocalLedger, live: Live) -> BotQuestion | bool:
            """Whether a bot moved; or what it has to think about first."""
            seat = bot_to_act(live)
            if seat is None or _went_back(live.envelopes):
                return False
            question = question_of(live, seat)
            if thought is not None and thought[0] == live.head:
                act(ledger, live, seat, thought[1])
            elif kind_of(question.bot).thinks:
                return question
            else:
                act(ledger, live, seat, answer(question))
            return True

        try:
            for _ in range(PATIENCE):
                cached, outcome = await self._writer.change(match, step)
                if isinstance(outcome, BotQuestion):
                    if not cached.is_ours and not self._cache.is_local:
                        self._leave_to_others(cached)
                        return
                    thought = cached.live.head, await self._workers.ask(outcome)
                elif not outcome:
                    return
                await asyncio.sleep(0)
            await self._writer.change(match, abandon)
        except Unavailable as trouble:
            _LOG.warning("bots wait", extra={"match": match, "code": trouble.code})
        except LedgerError as refusal:
            _LOG.error("bots stopped", extra={"match": match, "code": refusal.code})

    def _leave_to_others(self, cached: CachedMatch) -> None:
        """Where another process appended the last step, that one thinks; unless it is gone when it should be done."""
        match, head = cached.live.id, cached.live.head

        async def take_up() -> None:
            await asyncio.sleep(_THINKING)
            with suppress(LedgerError):
                now = await self._cache.look(match)
                if now.live.head == head:
                    now.is_ours = True
                    self.wake(now)

        if match not in self._left:
            self._left[match] = task = asyncio.create_task(take_up())
            task.add_done_callback(lambda _: self._left.pop(match, None))


def _went_back(envelopes: Sequence[Envelope]) -> bool:
    return isinstance(envelopes[-1].event, StepUndone)
