"""Where the bots of a service think: in processes of their own, so that nobody else has to wait meanwhile.

A thread would take turns with the event loop for the interpreter's lock, and every request would wait for it.
"""

import asyncio
import os
import signal
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Final

from service.errors import Unavailable
from service.games.core import Action
from service.play.bots import Question, answer

PROCESSES: Final = 2
"""How many bots may think at once beside one process of the service; each process is started when it is needed."""


class Thinkers:
    """The processes beside one process of the service, which end with it however it ends."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None

    async def ask(self, question: Question) -> Action:
        """What the bot would do. Whoever waits for it may stop waiting."""
        if self._pool is None:
            context = get_context("spawn")
            theirs, self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(PROCESSES, mp_context=context, initializer=_begin, initargs=(theirs,))
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, answer, question)
        except BrokenExecutor as error:
            if pool is self._pool:
                self.close()
            raise Unavailable("bots/killed", "The process in which a bot was thinking was killed.") from error

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
