"""The store as an event loop uses it: short questions at once, long ones in threads, appends that share commits."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Concatenate, Final, ParamSpec, TypeVar

from msgspec.structs import replace

from service.audit.judge import own_notary
from service.errors import Unavailable
from service.play.evidence import Evidence
from service.play.ledger import LocalLedger
from service.play.notary import Finding, Notary
from service.shell.http.greenlets import Greenlets, promise, wait
from service.shell.http.metrics import BATCHES
from service.store.connect import open_store
from service.store.shapes import Append, Appended
from service.store.store import Store
from service.trust.journal import Journal

Answer = TypeVar("Answer")
P = ParamSpec("P")

THREADS: Final = 16
"""Questions to a database server, and audits, that may be under way at once in one process."""
_ATTEMPTS_TO_REACH: Final = 120
"""How often a process that starts tries to reach its database: for a minute, and not for ever."""
_BETWEEN_ATTEMPTS: Final = 0.5
_LOG: Final = logging.getLogger("matchledger")


class StoreAccess:
    """The store of a service, from `open` to `close`."""

    store: Store
    ledger: LocalLedger
    """For use cases that run in a thread."""

    def __init__(self, database: str, timeout: float) -> None:
        self._database, self._timeout = database, timeout
        self._greenlets = Greenlets()
        self._closing = ExitStack()

    async def open(self) -> None:
        """Reach the store, which may be away for a moment."""
        loop = asyncio.get_running_loop()
        self.threads = self._closing.enter_context(ThreadPoolExecutor(THREADS, "store"))
        self.store = store = self._closing.enter_context(await self._reached())
        self.ledger = self._in_greenlets = LocalLedger(store, notary=own_notary())
        if not store.is_local:
            return
        group = self._closing.enter_context(store.grouped(on_batch=BATCHES.observe, lead=loop.call_soon_threadsafe))

        def append(step: Append) -> Appended:
            answered: asyncio.Future[Appended] = loop.create_future()
            group.submit_for(step, answered)
            if step.entries is not None or step.new is not None:
                return wait(answered)
            # Only whoever asked needs to know; the writer believes it when it is durable.
            promise(answered)
            return Appended(step.match, step.expected + 1, step.head.seq)

        self._in_greenlets = replace(self.ledger, store=store.appending_by(append), notary=self._notary())

    async def close(self) -> None:
        """Let go of the store, its connections and its threads."""
        self._greenlets.close()
        await asyncio.to_thread(self._closing.close)

    async def _reached(self) -> Store:
        """The store; a worker that gave up at once would take the whole service with it."""

        def open_one() -> Store:
            return open_store(self._database, timeout=self._timeout)

        for _ in range(_ATTEMPTS_TO_REACH):
            try:
                return await self.in_thread(open_one)
            except Unavailable as trouble:
                if trouble.code != "store/unreachable":
                    raise
                _LOG.warning("the database is away", extra={"code": trouble.code})
                await asyncio.sleep(_BETWEEN_ATTEMPTS)
        return await self.in_thread(open_one)

    def _notary(self) -> Notary:
        """The notary, whose audits do not hold up the event loop."""
        notary = own_notary()

        def judge(evidence: Evidence, journal: Journal | None) -> Finding | None:
            return wait(self.in_thread(notary.judge, evidence, journal))

        return replace(notary, judge=judge)

    async def in_thread(self, work: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """What a function comes to that waits, or computes for long."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, lambda: work(*args, **kwargs))

    async def ask(self, question: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """The answer to a short question to the store: at once from a file, by way of a thread from a server."""
        if self.store.is_local:
            return question(*args, **kwargs)
        return await self.in_thread(question, *args, **kwargs)

    async def run(
        self, work: Callable[Concatenate[LocalLedger, P], Answer], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Answer, Appended | None]:
        """What a use case comes to that appends something; and what became of that, where it did not wait for it."""
        if not self.store.is_local:
            return await self.in_thread(work, self.ledger, *args, **kwargs), None
        answer, kept = await self._greenlets.spawn(work, self._in_greenlets, *args, **kwargs)
        return answer, kept[-1] if kept else None
