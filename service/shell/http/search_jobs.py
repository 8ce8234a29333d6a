"""Searches for those who ask over a network: in a process of their own, so that nobody who plays waits for them.

Everything is bounded. A client has one search under way, the process takes them in turn, and a long review is many
short searches: a hint waits for one of them, not for all. What a review found is kept, because a match that is over
does not change.
"""

import asyncio
from typing import Final

from msgspec import Struct

from service.bots.search import Judged
from service.play.hints import Weighing, weighed
from service.questions.review import Inquest, MatchReview
from service.shell.http.bot_workers import BotWorkers
from service.shell.http.problems import TooMany

UNDER_WAY: Final = 16
"""Clients whose hints and reviews may be under way at once."""
KEPT: Final = 200
"""Reviews that are kept when they are done."""
SECONDS: Final = 1.0
"""After which it is worth asking again."""


class ReviewJob(Struct):
    """A review from when it was asked for until it is forgotten."""

    decisions: int
    done: int = 0
    """Decisions that were looked at."""
    review: MatchReview | None = None
    """What came of it; None while it is under way."""
    trouble: Exception | None = None
    """Why nothing will come of it."""
    task: "asyncio.Task[None] | None" = None


class SearchJobs:
    """The searches of one event loop."""

    def __init__(self) -> None:
        self._bot_workers = BotWorkers(1)
        self._clients: set[object] = set()
        self._jobs: dict[object, ReviewJob] = {}

    async def close(self) -> None:
        """End all of them."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._bot_workers.close)

    def _admit(self, client: object) -> None:
        """Let a client have its one search under way, or refuse it."""
        if client in self._clients:
            raise TooMany("limit/searches", "You have a hint or a review under way; wait for it.", SECONDS)
        if len(self._clients) >= UNDER_WAY:
            raise TooMany("limit/searches", "Too many hints and reviews are under way; wait a moment.", SECONDS)
        self._clients.add(client)

    async def hint(self, client: object, asked: Weighing) -> list[Judged]:
        """What a search finds for one who is to move."""
        self._admit(client)
        try:
            return await self._bot_workers.work(weighed, asked)
        finally:
            self._clients.discard(client)

    def known(self, key: object) -> ReviewJob | None:
        """A review that was asked for before, done or not; what went wrong with one is raised once."""
        job = self._jobs.get(key)
        if job is not None and job.trouble is not None:
            del self._jobs[key]
            raise job.trouble
        return job

    def begin(self, client: object, key: object, inquest: Inquest) -> ReviewJob:
        """A review that is asked for now; it goes on by itself."""
        self._admit(client)
        job = self._jobs[key] = ReviewJob(len(inquest.asked))
        job.task = asyncio.create_task(self._carry_out(client, job, inquest))
        over = [known for known, other in self._jobs.items() if other.task is None]
        for known in over[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[known]
        return job

    async def _carry_out(self, client: object, job: ReviewJob, inquest: Inquest) -> None:
        found: list[list[Judged]] = []
        try:
            for asked in inquest.asked:
                found.append(await self._bot_workers.work(weighed, asked))
                job.done = len(found)
            job.review = inquest.answered(found)
        except Exception as trouble:  # whoever asks next is told
            job.trouble = trouble
        finally:
            self._clients.discard(client)
            job.task = None
