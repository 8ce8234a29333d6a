"""Those who work beside this process: processes of this machine, or the workers of a Dask cluster."""

import asyncio
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from typing import Any, Final, ParamSpec, TypeVar

from service.errors import Unavailable, UsageError
from service.store.connect import is_any_open, without_password

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Ended = TypeVar("Ended", bound=Executor)
Parameters = ParamSpec("Parameters")

UNDER_WAY: Final = 3
"""Tasks handed out for each place: all are busy while answers are waited for in order, and memory stays small."""
AHEAD: Final = 12
"""Tasks for each place that may be done before their turn to be used."""
PATIENCE: Final = 5.0
"""Seconds in which a cluster has to answer, and in which it has to have a worker."""
_HANDING_OVER: Final = 0.0005
"""Seconds after which this process, while it does tasks itself, lets the threads go on that hand tasks to others. With
the interpreter's own 5 ms, others begin a tenth of a second's work late and wait again and again."""
_PIECES: Final = 3
"""How many tasks for each process the rest of the work is cut into."""


class Crew:
    """Those who work on tasks: others, by an executor, and this process itself where it takes its share."""

    def __init__(self, executor: Executor | None = None, places: Callable[[], int] = lambda: 0) -> None:
        """`places` is how many tasks the executor can work on at once, which may change."""
        self._executor = executor
        self._places = places

    def answers(
        self,
        work: Callable[[Task], Answer],
        tasks: Iterable[Task],
        here: Callable[[Task], Answer] | None = None,
    ) -> Generator[Answer, None, None]:
        """What becomes of each task, in the order of the tasks, however many there are: a few are under way at a time.

        Work for others must change nothing but answer: a cluster does the tasks of a worker that died once more, and
        only what is done with an answer is done once. With `here`, this process does tasks itself, that way, whenever
        the next answer is not there yet.
        """
        executor = self._executor
        if executor is None:
            yield from map(here or work, tasks)
            return
        with nullcontext() if here is None else _handing_over():
            yield from self._shared(executor, work, tasks, here)

    def _shared(
        self,
        executor: Executor,
        work: Callable[[Task], Answer],
        tasks: Iterable[Task],
        here: Callable[[Task], Answer] | None,
    ) -> Generator[Answer, None, None]:
        waiting = iter(tasks)
        flying: deque[Future[Answer]] = deque()
        while True:
            places = self._places()
            # Where answers are used more slowly than they are found, those that wait for their turn are bounded too.
            room = AHEAD * places - len(flying)
            free = min(room, UNDER_WAY * places - sum(not future.done() for future in flying))
            flying.extend(executor.submit(work, task) for task in islice(waiting, max(0, free)))
            if not flying:
                return
            is_idle = here is not None and not flying[0].done() and len(flying) < AHEAD * places
            if here is not None and is_idle and (own := list(islice(waiting, 1))):
                flying.append(_done(here, own[0]))
            else:
                yield flying.popleft().result()


@contextmanager
def _handing_over() -> Iterator[None]:
    """Let the other threads of this process have their turn soon."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_HANDING_OVER)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _done(work: Callable[[Task], Answer], task: Task) -> Future[Answer]:
    """The answer to a task that is done right here, to be asked for in its turn like those of others."""
    answer: Future[Answer] = Future()
    try:
        answer.set_result(work(task))
    except Exception as error:
        answer.set_exception(error)
    return answer


def chosen_jobs(jobs: int | None, cluster: str | None, otherwise: int) -> int:
    """How many processes are meant by what was said; refused where a cluster was named as well."""
    if cluster is not None and jobs is not None:
        raise UsageError(
            "cluster/jobs",
            f"{jobs} jobs and cluster {without_password(cluster)!r} exclude each other; a cluster has its own workers.",
        )
    return 1 if cluster is not None else otherwise if jobs is None else jobs


def sizes(total: int, jobs: int, most: int) -> Iterator[int]:
    """How large each task is to be made of so much work: smaller towards the end, so that nobody waits for the last.

    All are of one size where one process does them, and on a cluster, of which nobody knows how many it has.
    """
    while total > 0:
        size = max(1, min(most, total // (_PIECES * jobs))) if jobs > 1 else min(most, total)
        yield size
        total -= size


def working(jobs: int = 1, cluster: str | None = None, *, is_sharing: bool = False) -> AbstractContextManager[Crew]:
    """So many processes, or a cluster; one job is done by this process, and sharing it is one of several.

    They are there before anything is handed out. Whoever opens a database does so inside: where none is open here, and
    nothing else goes on, others begin as copies of this process, at once instead of after a while.
    """
    if cluster is not None:
        return _cluster(cluster)
    others = jobs - is_sharing if jobs > 1 else 0
    return _processes(others) if others else nullcontext(Crew())


def answers(
    work: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int = 1, cluster: str | None = None
) -> Generator[Answer, None, None]:
    """What becomes of each task, by others where there are several jobs."""
    with working(jobs, cluster) as crew:
        yield from crew.answers(work, tasks)


def _our_name() -> str:
    """What a fresh interpreter has to import before it is handed anything of ours.

    Installed, our rooms are importable only after `import matchledger`.
    """
    return "matchledger" if "matchledger" in sys.modules else "service"


def processes(number: int) -> ProcessPoolExecutor:
    """So many fresh interpreters that know us; the caller shuts them down."""
    return ProcessPoolExecutor(number, get_context("spawn"), initializer=import_module, initargs=(_our_name(),))


def _copies(number: int) -> ProcessPoolExecutor:
    """So many copies of this process; all begin with the first call."""
    return ProcessPoolExecutor(number, get_context("fork"), initializer=_begin_copy)


def _begin_copy() -> None:
    """In a copy, before its first task."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback of its own
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process with the one it is a copy of: a pool whose program is killed would wait for tasks for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


@contextmanager
def told_if_killed() -> Iterator[None]:
    """Say in a sentence that a process is gone."""
    try:
        yield
    except BrokenExecutor as error:
        raise Unavailable(
            "jobs/killed", "One of the processes that worked on this was killed, or could not start."
        ) from error


def _can_copy() -> bool:
    """Whether a process can begin as a copy of this one instead of as a fresh interpreter, which takes half a second.

    A copy of a thread in the middle of something would never come to its end, and SQLite and PostgreSQL forbid to take
    what one has open into another process.
    """
    return sys.platform == "linux" and threading.active_count() == 1 and not is_any_open()


@contextmanager
def _processes(number: int) -> Iterator[Crew]:
    """So many processes beside this one."""
    is_copying, others = _can_copy(), set(active_children())
    with _ended(_copies(number) if is_copying else processes(number)) as pool:
        pool.submit(_our_name)  # they begin with the first call, while the caller makes ready what they will be handed
        copies = set(active_children()) - others if is_copying else set()
        try:
            with told_if_killed():
                yield Crew(pool, lambda: number)
        except BaseException:
            for copy in copies:
                copy.kill()  # nobody asks any more, and a pool would wait until each has done its task
            raise


@contextmanager
def _ended(executor: Ended) -> Iterator[Ended]:
    """An executor, and nothing it has not begun once nobody asks any more."""
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


# ------------------------------------------------------------------------------------------------------------- clusters


@contextmanager
def _cluster(address: str) -> Iterator[Crew]:
    """The workers of the Dask scheduler at an address, if it answers and has any."""
    shown = repr(without_password(address))
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise Unavailable(
            "cluster/missing",
            f"Cluster {shown} needs Dask, which is not installed here; in the repository: pip install '.[cluster]'",
        ) from error
    _reach(address, shown)
    try:
        with Client(address, timeout=PATIENCE, set_as_default=False) as client:
            _wait_for_a_worker(client, shown)
            with _ended(_ClusterExecutor(client)) as executor:
                yield Crew(executor, lambda: max(1, sum(client.nthreads().values())))
    except KilledWorker as error:
        raise Unavailable(
            "cluster/killed", f"Every worker of cluster {shown} that took a certain batch was killed; given up."
        ) from error
    except ImportError as error:
        raise Unavailable(
            "cluster/import",
            f"A worker of cluster {shown} cannot import what it needs ({error}); install the same matchledger there.",
        ) from error
    except (CancelledError, OSError) as error:
        raise Unavailable(
            "cluster/lost", f"Cluster {shown} was lost on the way: {str(error) or 'no answer'}."
        ) from error


def _reach(address: str, shown: str) -> None:
    """Refuse an address where no scheduler answers. A client by itself waits for ever for the answer of a stranger."""
    from distributed import Security
    from distributed.comm import connect
    from distributed.utils import LoopRunner

    async def shake_hands() -> None:
        arguments = Security().get_connection_args("client")
        comm = await asyncio.wait_for(connect(address, timeout=PATIENCE, **arguments), PATIENCE)
        await comm.close()

    try:
        LoopRunner(asynchronous=False).run_sync(shake_hands)
    except Exception as error:  # an address that cannot be read fails in as many ways as there are protocols
        # The reason may quote a piece of the address; where a password was mistaken for one, it is kept to ourselves.
        why = f" ({error})" if str(error) and shown == repr(address) else ""
        raise Unavailable(
            "cluster/unreachable",
            f"No Dask scheduler answers at {shown}{why}; expected is an address such as tcp://HOST:8786.",
        ) from error


def _wait_for_a_worker(client: Any, shown: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise Unavailable("cluster/empty", f"Cluster {shown} has no workers.") from error


class _ClusterExecutor(Executor):
    """Hands calls to a cluster as bytes, which are read where they are carried out, once we have been imported there.

    So neither the scheduler nor a worker that has just been started needs to know us before. Dask has an executor of
    its own, which does not; and whoever waits for its answer while the scheduler goes away may wait for ever.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(
        self, fn: Callable[Parameters, Answer], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Answer]:
        """Have it called there."""

        # Defined in here, where nobody could import it: so it travels whole, and by what it is instead of by its name.
        def carry_out(name: str, call: bytes) -> Any:
            import_module(name)
            function, words, named = pickle.loads(call)
            return function(*words, **named)

        async def answer() -> Any:
            return await asked

        # Not pure, or Dask would hash every call to see whether it has met it before.
        asked = self._client.submit(carry_out, _our_name(), pickle.dumps((fn, args, kwargs)), pure=False)
        return asyncio.run_coroutine_threadsafe(answer(), self._client.loop.asyncio_loop)
