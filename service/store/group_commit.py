"""Group commit: whatever steps wait at the same time are written together and share one wait for the disk."""

from collections import deque
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self

from service.errors import Unavailable
from service.store.refusals import check_dense
from service.store.shapes import Append, Appended

if TYPE_CHECKING:  # loaded by those who write in groups; everybody else only knows that there are any
    from concurrent.futures import Future

LARGEST_BATCH: Final = 256
"""How many steps share a transaction at most: the first of them waits for the last."""

Outcomes = Sequence[Appended | Exception]
Lead = Callable[[Callable[[], None]], object]
"""Sees to it that a function is called soon, one after the other and never inside another."""


class Writing(Protocol):
    """What a database does with the steps of a group."""

    def begin_each(self, appends: Sequence[Append]) -> Outcomes | None:
        """Carry out each step for itself, at once, and leave the commit open; None where that would mean waiting."""
        ...

    def commit_begun(self, outcomes: Outcomes) -> Outcomes:
        """Make what was begun durable: the outcomes as they were, or refusals where nothing of it is."""
        ...

    def append_each(self, appends: Sequence[Append]) -> Outcomes:
        """Store each step for itself, however long it takes, all that are not refused durable in the end."""
        ...


class AppendFuture(Protocol):
    """A future, of threads or of an event loop."""

    def done(self) -> bool: ...

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: Any, /) -> None: ...


class _Waiting(NamedTuple):
    append: Append
    answer: AppendFuture


class GroupCommit:
    """One writer for everybody. It never waits to fill a batch: a batch is what came while the last one was committed.

    An answer is given only after the commit that makes it durable, a refusal too, since it may rest on a step of the
    same batch. Cancelled before it is taken up, a step is not written.

    A thread of its own waits for the disk. The statements before that, and the answers after it, come about where
    `lead` sees to it: with `loop.call_soon_threadsafe` in the thread of an event loop, whose interpreter lock a second
    thread would have to wait for at every statement while the loop computes; by default in the writer's thread as well.
    Neither `lead` nor `on_batch`, which is told the size of each batch, may raise: that ends the writer.
    """

    def __init__(
        self, database: Writing, *, on_batch: Callable[[int], object] = lambda size: None, lead: Lead | None = None
    ) -> None:
        from queue import SimpleQueue

        self._database = database
        self._on_batch = on_batch
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()  # None is the last in it
        self._lead: Lead = self._jobs.put if lead is None else lead
        self._door = Lock()
        self._waiting: deque[_Waiting] = deque()
        self._is_closed = False
        self._is_idle = Event()
        self._is_idle.set()
        # Whoever forgets to close can still end the program; nothing unanswered was promised to anybody.
        self._thread = Thread(target=self._run, name="group commit", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> "Future[Appended]":
        """Hand over one step; its outcome comes when it is durable or refused. Refuses at once when closed."""
        from concurrent.futures import Future

        future: Future[Appended] = Future()
        self.submit_for(append, future)
        return future

    def submit_for(self, append: Append, answer: AppendFuture) -> None:
        """The same for an answer that somebody has made already."""
        check_dense(append)
        with self._door:
            if self._is_closed:
                raise _closed(append)
            self._waiting.append(_Waiting(append, answer))
            if was_idle := self._is_idle.is_set():
                self._is_idle.clear()
        if was_idle:
            self._lead(self._begin)

    def close(self) -> None:
        """Finish what was submitted, and take no more."""
        with self._door:
            self._is_closed = True
        self._is_idle.wait()
        self._jobs.put(None)
        self._thread.join()

    def _begin(self) -> None:
        """Take up what waits; led."""
        with self._door:
            batch: list[_Waiting] = []
            while self._waiting and len(batch) < LARGEST_BATCH:
                if not (found := self._waiting.popleft()).answer.done():
                    batch.append(found)
            if not batch:
                self._is_idle.set()
                return
        outcomes: Outcomes | None
        try:
            outcomes = self._database.begin_each([append for append, _ in batch])
            is_begun = outcomes is not None
        except Exception as error:
            outcomes, is_begun = [error] * len(batch), False
        self._jobs.put(lambda: self._finish(batch, outcomes, is_begun))

    def _finish(self, batch: Sequence[_Waiting], outcomes: Outcomes | None, is_begun: bool) -> None:
        """Wait for the disk, in the writer's thread."""
        try:
            if outcomes is None:
                outcomes = self._database.append_each([append for append, _ in batch])
            elif is_begun:
                outcomes = self._database.commit_begun(outcomes)
        except Exception as error:
            outcomes = [error] * len(batch)
        written = outcomes

        def answer_and_go_on() -> None:
            _answer(batch, written)
            self._begin()

        try:
            self._on_batch(len(batch))
            self._lead(answer_and_go_on)
        except BaseException:
            _answer(batch, written)
            raise

    def _run(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                job()
        finally:  # reached by closing, or by a mistake in a hook: then nobody may be left waiting for ever
            with self._door:
                self._is_closed = True
            left = list(self._waiting)
            _answer(left, [_closed(append) for append, _ in left])
            self._is_idle.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _answer(batch: Sequence[_Waiting], outcomes: Outcomes) -> None:
    from concurrent.futures import InvalidStateError

    for (_, answer), outcome in zip(batch, outcomes, strict=True):
        if answer.done():  # given up meanwhile, or answered before a hook failed
            continue
        try:
            if isinstance(outcome, Exception):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
        except InvalidStateError:  # given up at this very moment
            continue


def _closed(append: Append) -> Unavailable:
    return Unavailable("store/closed", f"Match {append.match!r}: the ledger is being closed and takes no more steps.")
