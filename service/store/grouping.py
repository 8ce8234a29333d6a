"""Group commit: whatever steps wait at the same time are written together and share one wait for the disk."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import Final, NamedTuple, Self

from service.errors import Unavailable
from service.store.refusals import check_dense
from service.store.shapes import Append, Appended

LARGEST_BATCH: Final = 256
"""How many steps share a transaction at most: the first of them waits for the last."""

Deliver = Callable[[Callable[[], None]], object]
"""Sees to it that a function is called which answers everybody of one batch."""


def at_once(answer: Callable[[], None]) -> None:
    """Answer in the thread of the writer."""
    answer()


class _Waiting(NamedTuple):
    append: Append
    future: Future[Appended]


class GroupCommit:
    """One thread that writes for everybody. Nobody waits for company: a batch is what came while the last was written.

    A future has its outcome only after the commit that makes it durable, a refusal too, since it may rest on a step of
    the same batch. Cancelled before it is taken up, a step is not written. `on_batch` is told the size of each batch,
    and `deliver` is given one function per batch that answers all its futures: with `loop.call_soon_threadsafe` they
    are answered in the loop's thread, for one wake-up a batch. Neither may raise: that ends the writer.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Append]], list[Appended | Exception]],
        *,
        on_batch: Callable[[int], object] = lambda size: None,
        deliver: Deliver = at_once,
    ) -> None:
        """`write` stores many steps durably, and gives the outcome of each."""
        self._write = write
        self._on_batch = on_batch
        self._deliver = deliver
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()  # None is the last in it
        self._door = Lock()
        self._is_closed = False
        # Whoever forgets to close can still end the program; nothing unanswered was promised to anybody.
        self._thread = Thread(target=self._run, name="group commit", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Future[Appended]:
        """Hand over one step; its outcome comes when it is durable or refused. Refuses at once when closed."""
        check_dense(append)
        future: Future[Appended] = Future()
        with self._door:
            if self._is_closed:
                raise _closed(append)
            self._queue.put(_Waiting(append, future))
        return future

    def close(self) -> None:
        """Finish what was submitted, and take no more."""
        self._shut()
        self._thread.join()

    def _shut(self) -> None:
        with self._door:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)

    def _run(self) -> None:
        try:
            for batch in self._batches():
                self._carry_out(batch)
        finally:  # reached by closing, or by a mistake in a hook: then nobody may be left waiting for ever
            self._shut()
            for batch in self._batches():
                _answer(batch, [_closed(append) for append, _ in batch])

    def _batches(self) -> Iterator[list[_Waiting]]:
        """What waits, as much as is there each time, until the last."""
        is_last = self._is_closed and self._queue.empty()
        while not is_last:
            found, batch = self._queue.get(), []
            while found is not None:
                if found.future.set_running_or_notify_cancel():
                    batch.append(found)
                if len(batch) == LARGEST_BATCH:
                    break
                try:
                    found = self._queue.get_nowait()
                except Empty:
                    break
            is_last = found is None
            if batch:
                yield batch

    def _carry_out(self, batch: list[_Waiting]) -> None:
        outcomes: list[Appended | Exception]
        try:
            outcomes = self._write([append for append, _ in batch])
        except Exception as error:
            outcomes = [error] * len(batch)
        try:
            self._on_batch(len(batch))
            self._deliver(lambda: _answer(batch, outcomes))
        except BaseException:
            _answer(batch, outcomes)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _answer(batch: Sequence[_Waiting], outcomes: Sequence[Appended | Exception]) -> None:
    for (_, future), outcome in zip(batch, outcomes, strict=True):
        if future.done():  # answered before a hook failed
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def _closed(append: Append) -> Unavailable:
    return Unavailable("store/closed", f"Match {append.match!r}: the ledger is being closed and takes no more steps.")
