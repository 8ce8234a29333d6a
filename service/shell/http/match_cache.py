"""Matches kept folded in memory, changed one step after the other, with bots that answer by themselves.

What is in memory is never trusted: before it is looked at, its head is held against the store's, and an append says
itself which head it follows. Nothing here knows a game, a rule or a request.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from events.core import Envelope
from events.match import StepUndone
from service.audit.judge import own_notary
from service.bots.kinds import kind_of
from service.errors import Conflict, Damaged, LedgerError, Unavailable
from service.games.core import Action
from service.play.bots import PATIENCE, BotQuestion, answer, bot_to_act, question_of
from service.play.evidence import Evidence
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act
from service.play.notary import Finding, Notary
from service.play.replay import load
from service.shell.http.bot_workers import BotWorkers
from service.shell.http.feeds import Feeds
from service.shell.http.greenlets import Greenlets, promise, wait
from service.shell.http.metrics import BATCHES, CONFLICTS
from service.shell.http.settings import Settings
from service.store.columns import sound
from service.store.connect import open_store
from service.store.news import EVERYTHING, RENAMED, Moved
from service.store.refusals import unknown_match
from service.store.shapes import PERSON, Append, Appended, Grant, Head, SeatRow
from service.store.store import Store
from service.trust.journal import Journal

Answer = TypeVar("Answer")
P = ParamSpec("P")

THREADS: Final = 16
"""Questions to a database server, and audits, that may be under way at once in one process."""
_ATTEMPTS: Final = 5
"""How often a step is tried when somebody else was faster."""
_NEWS: Final = 0.5
_ATTEMPTS_TO_REACH: Final = 120
"""How often a process that starts tries to reach its database: for a minute, and not for ever."""
_THINKING: Final = 10.0
"""Seconds after which a bot's turn that began in another process is taken up here: nobody thinks for so long."""
_LOG: Final = logging.getLogger("matchledger")


class CachedMatch(Struct):
    """A match in memory as it stood at one head, with the answers already made from it."""

    live: Live
    names: str
    """What the names are known by in the ETag."""
    etag: str
    has_bots: bool
    answers: dict[object, bytes] = field(default_factory=dict)
    is_doubtful: bool = False
    """Whether names may have changed: somebody else wrote to the database."""
    is_ours: bool = False
    """Whether its last step was appended here, so that bots who think about the next one do so here."""

    def copy(self) -> Live:
        """A match of one's own to add to."""
        live = self.live
        return Live(live.id, live.game, live.envelopes, live.hashes, dict(live.seats), folded=live.folded)


def etag_of(head: Head, names: str) -> str:
    """What a match is known by at one head, with the names that can change without a step."""
    return f'"{head.seq}-{head.hash.hex()[:16]}-{names}"'


def names_of(seats: Iterable[SeatRow]) -> str:
    """What the names of these seats, in their order, are known by."""
    return f"{crc32(msgspec.json.encode([(row.seat, row.name) for row in seats])):08x}"


class MatchCache:
    """Every match of one ledger, for one event loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.feeds = Feeds(self.look, self._heads_of, self.wake_bots)
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()
        self._grants: OrderedDict[str, list[Grant]] = OrderedDict()
        self._changing: dict[str, asyncio.Event] = {}
        """Matches that a request adds to, each with what will be set when it has."""
        self._with_bots: dict[str, asyncio.Task[None]] = {}
        self._left: dict[str, asyncio.Task[None]] = {}
        """Matches in which another process is left to think."""
        self._telling: set[asyncio.Task[None]] = set()
        self._bot_workers = BotWorkers()
        self._greenlets = Greenlets()
        self._closing = ExitStack()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        closing = self._closing
        self._threads = closing.enter_context(ThreadPoolExecutor(THREADS, "store"))
        database, timeout = self.settings.database, self.settings.timeout
        store = await self._reached(lambda: open_store(database, timeout=timeout))
        self.store: Store = closing.enter_context(store)
        self.ledger = LocalLedger(store, notary=own_notary())
        """For use cases that run in a thread."""
        self._waiting = self.ledger
        if store.is_local:
            group = closing.enter_context(store.grouped(on_batch=BATCHES.observe, lead=loop.call_soon_threadsafe))

            def append(step: Append) -> Appended:
                answered: asyncio.Future[Appended] = loop.create_future()
                group.submit_for(step, answered)
                if step.entries is not None or step.new is not None:
                    return wait(answered)
                # Only whoever asked needs to know; `change` believes it when it is durable.
                promise(answered)
                return Appended(step.match, step.expected + 1, step.head.seq)

            self._waiting = replace(self.ledger, store=store.appending_by(append), notary=self._notary())
        news = store.news()

        def listen() -> None:
            while (moved := news.wait(_NEWS)) is not None:
                if moved:
                    loop.call_soon_threadsafe(self._heard, moved)

        listening = loop.run_in_executor(self._threads, listen)
        self._news = (news, listening)
        return self

    async def __aexit__(self, *raised: object) -> None:
        self.feeds.end()
        news, listening = self._news
        news.close()
        busy = [*self._with_bots.values(), *self._left.values()]
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        await listening
        self._greenlets.close()
        await asyncio.to_thread(self._bot_workers.close)
        await asyncio.to_thread(self._closing.close)

    async def _reached(self, open_one: Callable[[], Store]) -> Store:
        """The store, which may be away for a moment: a worker that gave up would take the whole service with it."""
        for _ in range(_ATTEMPTS_TO_REACH):
            try:
                return await self.in_thread(open_one)
            except Unavailable as trouble:
                if trouble.code != "store/unreachable":
                    raise
                _LOG.warning("the database is away", extra={"code": trouble.code})
                await asyncio.sleep(_NEWS)
        return await self.in_thread(open_one)

    def _notary(self) -> Notary:
        """The notary, whose audits do not hold up the event loop."""
        notary = own_notary()

        def judge(evidence: Evidence, journal: Journal | None) -> Finding | None:
            return wait(self.in_thread(notary.judge, evidence, journal))

        return replace(notary, judge=judge)

    # ------------------------------------------------------------------------------------------------------- looking

    async def in_thread(self, work: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """What a function comes to that waits, or computes for long."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: work(*args, **kwargs))

    async def ask(self, question: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """The answer to a short question to the store: at once from a file, by way of a thread from a server."""
        if self.store.is_local:
            return question(*args, **kwargs)
        return await self.in_thread(question, *args, **kwargs)

    async def look(self, match: str) -> CachedMatch:
        """The match as it stands at this moment. Refused when there is none of exactly this id."""
        head = await self.ask(self.store.head, match)
        if head is None:
            raise unknown_match(match)
        cached = self._matches.get(match)
        if cached is None or cached.live.head != head or (cached.is_doubtful and not await self._has_its_names(cached)):
            is_ours = cached is not None and cached.is_ours and cached.live.head == head
            cached = self._keep(await self.in_thread(load, self.ledger, match), is_ours=is_ours)
        elif match in self._matches:
            self._matches.move_to_end(match)
        return cached

    async def _has_its_names(self, cached: CachedMatch) -> bool:
        """Whether a match in memory about which there is doubt has the names of the store."""
        cached.is_doubtful = False  # before they are read: what is heard meanwhile is another doubt
        try:
            seats = await self.ask(self.store.seats, cached.live.id)
        except LedgerError:
            cached.is_doubtful = True
            raise
        return {row.seat: row for row in seats} == cached.live.seats

    async def grants(self, match: str) -> list[Grant]:
        """What tokens allow in a match. On a file, where this process alone gives tokens, they are read once."""
        if (known := self._grants.get(match)) is not None:
            return known
        found = sound(await self.ask(self.store.grants, match))
        if found and self.store.is_local:  # none may mean that the match is yet to be opened
            self._grants[match] = found
            while len(self._grants) > self.settings.cached_matches:
                self._grants.popitem(last=False)
        return found

    async def grant(self, match: str, grant: Grant) -> None:
        """Give a token, or take one."""
        await self.in_thread(self.store.grant, match, grant)
        self._grants.pop(match, None)

    async def _heads_of(self, matches: list[str]) -> dict[str, Head | Damaged]:
        return await self.ask(self.store.heads_of, matches)

    async def etag(self, match: str) -> str:
        """What the match is known by at this moment, without folding anything."""
        head, cached = await self.ask(self.store.head, match), self._matches.get(match)
        if head is None:
            raise unknown_match(match)
        if cached is not None and not cached.is_doubtful and cached.live.head == head:
            return cached.etag
        return etag_of(head, names_of(await self.ask(self.store.seats, match)))

    def _keep(self, live: Live, *, is_ours: bool, like: CachedMatch | None = None) -> CachedMatch:
        """Have a match in memory; what follows from who sits there is known where it is as in another one."""
        if like is not None:
            names, has_bots = like.names, like.has_bots
        else:
            names = names_of(live.seats[seat] for seat in sorted(live.seats))
            has_bots = any(row.kind != PERSON for row in live.seats.values())
        cached = self._matches[live.id] = CachedMatch(live, names, etag_of(live.head, names), has_bots, is_ours=is_ours)
        self._matches.move_to_end(live.id)
        while len(self._matches) > self.settings.cached_matches:
            self._matches.popitem(last=False)
        return cached

    def _heard(self, moved: Sequence[Moved]) -> None:
        """Somebody has written, perhaps another process: what is in memory may be old, and streams have news."""
        if EVERYTHING in moved:
            self._grants.clear()
            for cached in self._matches.values():
                cached.is_doubtful = True
            telling = asyncio.create_task(self.feeds.tell_all())
            self._telling.add(telling)  # a task nobody holds may be gone before it is done
            telling.add_done_callback(self._telling.discard)
            return
        for match, seq in moved:
            if seq == RENAMED and (known := self._matches.get(match)) is not None:
                known.is_doubtful = True
            self.feeds.tell(match)

    def forget(self, match: str) -> None:
        """Something beside the events was changed: read the match anew."""
        self._matches.pop(match, None)
        self._grants.pop(match, None)
        self.feeds.tell(match)

    # ------------------------------------------------------------------------------------------------------ changing

    async def run(
        self, work: Callable[Concatenate[LocalLedger, P], Answer], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Answer, Appended | None]:
        """What a use case comes to that appends something; and what became of that, where it did not wait for it."""
        if not self.store.is_local:
            return await self.in_thread(work, self.ledger, *args, **kwargs), None
        answer, kept = await self._greenlets.spawn(work, self._waiting, *args, **kwargs)
        return answer, kept[-1] if kept else None

    async def change(self, match: str, work: Callable[[LocalLedger, Live], Answer]) -> tuple[CachedMatch, Answer]:
        """Let a use case add to a match, and give the match as it left it.

        Somebody else's step in between is no reason to refuse: it is tried anew. Where the caller named a head, the
        use case itself refuses another one.
        """
        while (others := self._changing.get(match)) is not None:  # two at once would cost a conflict, and nothing else
            await others.wait()
        changed = self._changing[match] = asyncio.Event()
        try:
            known = self._matches.get(match)
            for attempt in range(1, _ATTEMPTS + 1):
                # What is in memory needs no look at the store before it is added to: the append itself is one.
                cached = known if known is not None and not known.is_doubtful else await self.look(match)
                known, live = None, cached.copy()
                try:
                    answer, appended = await self.run(work, live)
                    break
                except Unavailable:
                    raise
                except LedgerError as refusal:
                    if isinstance(refusal, Conflict):
                        CONFLICTS.inc()
                    # A refusal counts only where it rests on how things stand.
                    if attempt == _ATTEMPTS or await self.ask(self.store.head, match) == live.head:
                        raise
                    self._matches.pop(match, None)
            if appended is not None and isinstance(answer, Appended):
                answer = appended  # type: ignore[assignment]
            if appended is not None and appended.repeated:
                cached = await self.look(match)  # what the match in hand was given had been added before
            elif live.envelopes is not cached.live.envelopes:  # an append makes a new list of them
                has_same_seats = live.seats == cached.live.seats
                if not has_same_seats:  # whoever sat down was given a token
                    self._grants.pop(match, None)
                cached = self._keep(live, is_ours=True, like=cached if has_same_seats else None)
                self.feeds.tell(match)
            elif isinstance(answer, Appended) and answer.last_seq > live.head.seq:
                cached = await self.look(match)  # another process had carried the same request out a moment before
        finally:
            del self._changing[match]
            changed.set()
        self.wake_bots(cached)
        return cached, answer

    async def opened(self, open_one: Callable[[LocalLedger], Live]) -> CachedMatch:
        """A new match."""
        live, _ = await self.run(open_one)
        cached = self._keep(live, is_ours=True) if live.envelopes else await self.look(live.id)
        self.wake_bots(cached)
        return cached

    # ---------------------------------------------------------------------------------------------------------- bots

    def wake_bots(self, cached: CachedMatch) -> None:
        """Let the bots go on, if it is their turn; where somebody has just gone back, nobody hurries on."""
        if not cached.has_bots:
            return
        live = cached.live
        if live.id not in self._with_bots and bot_to_act(live) is not None and not _went_back(live.envelopes):
            task = asyncio.create_task(self._let_bots_move(live.id))
            self._with_bots[live.id] = task
            task.add_done_callback(lambda _: self._with_bots.pop(live.id, None))

    async def _let_bots_move(self, match: str) -> None:
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
                cached, outcome = await self.change(match, step)
                if isinstance(outcome, BotQuestion):
                    if not cached.is_ours and not self.store.is_local:
                        self._leave_to_others(cached)
                        return
                    thought = cached.live.head, await self._bot_workers.ask(outcome)
                elif not outcome:
                    return
                await asyncio.sleep(0)
            await self.change(match, abandon)
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
                now = await self.look(match)
                if now.live.head == head:
                    now.is_ours = True
                    self.wake_bots(now)

        if match not in self._left:
            self._left[match] = task = asyncio.create_task(take_up())
            task.add_done_callback(lambda _: self._left.pop(match, None))


def _went_back(envelopes: Sequence[Envelope]) -> bool:
    return isinstance(envelopes[-1].event, StepUndone)


class AnswerKey(Struct, frozen=True):
    """The key of an answer that is made once for each head."""

    kind: str
    details: tuple[Any, ...] = ()
