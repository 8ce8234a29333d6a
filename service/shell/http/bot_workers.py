"""Where a service thinks: in processes of their own, so that nobody else has to wait meanwhile.

A thread would take turns with the event loop for the interpreter's lock, and every request would wait for it.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Final, TypeVar

from service.errors import Unavailable
from service.games.core import Action
from service.play.bots import BotQuestion, answer

Task = TypeVar("Task")
Answer = TypeVar("Answer")

PROCESSES: Final = 2
"""How many bots may think at once beside one process of the service; each process is started when it is needed."""


class BotWorkers:
    """The processes beside one process of the service, which end with it however it ends."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None

    async def ask(self, question: BotQuestion) -> Action:
        """What the bot would do. Whoever waits for it may stop waiting."""
        return await self.work(answer, question)

    async def work(self, work: Callable[[Task], Answer], task: Task) -> Answer:
        """What becomes of a task that takes long."""
        if self._pool is None:
            context = get_context("spawn")
            theirs, self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self._processes, mp_context=context, initializer=_begin, initargs=(theirs,)
            )
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, task)
        except BrokenExecutor as error:
            if pool is self._pool:
                self.close()
            raise Unavailable("bots/killed", "The process that was thinking was killed.") from error

    def close(self) -> None:
        """End all thinking at once."""
        pool, lifeline = self._pool, self._lifeline
        self._pool = self._lifeline = None
        if pool is not None and lifeline is not None:
            lifeline.close()
            pool.shutdown(cancel_futures=True)


def _begin(lifeline: Connection) -> None:
    """Leave signals to the service, and end as soon as nobody holds the other end of the line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        lifeline.poll(None)
        os._exit(0)

    Thread(target=watch, daemon=True).start()
