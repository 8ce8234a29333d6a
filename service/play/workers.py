"""Those who work beside this process: processes of this machine, or the workers of a Dask cluster."""

import asyncio
import pickle
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from service.errors import Unavailable, UsageError
from service.store.connect import without_password

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Parameters = ParamSpec("Parameters")

UNDER_WAY: Final = 3
"""Tasks handed out for each place: all are busy while answers are waited for in order, and memory stays small."""
PATIENCE: Final = 5.0
"""Seconds in which a cluster has to answer, and in which it has to have a worker."""


class Crew(NamedTuple):
    """An executor, and how many tasks it can work on at once, which may change while it works."""

    executor: Executor
    places: Callable[[], int]


def chosen_jobs(jobs: int | None, cluster: str | None, otherwise: int) -> int:
    """How many processes are meant by what was said; refused where a cluster was named as well."""
    if cluster is not None and jobs is not None:
        raise UsageError(
            "cluster/jobs",
            f"{jobs} jobs and cluster {without_password(cluster)!r} exclude each other; a cluster has its own workers.",
        )
    return 1 if cluster is not None else otherwise if jobs is None else jobs


def answers(
    work: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int = 1, cluster: str | None = None
) -> Generator[Answer, None, None]:
    """What becomes of each task, in the order of the tasks, however many there are: a few are under way at a time.

    One job is done right here. Work for others must change nothing but answer: a cluster does the tasks of a worker
    that died once more, and only what is done with an answer is done once.
    """
    if jobs == 1 and cluster is None:
        yield from map(work, tasks)
        return
    with _processes(jobs) if cluster is None else _cluster(cluster) as (executor, places):
        waiting = iter(tasks)
        flying: deque[Future[Answer]] = deque()
        try:
            while True:
                free = max(0, UNDER_WAY * places() - len(flying))
                flying.extend(executor.submit(work, task) for task in islice(waiting, free))
                if not flying:
                    return
                yield flying.popleft().result()
        finally:
            executor.shutdown(cancel_futures=True)


def _our_name() -> str:
    """What a fresh interpreter has to import before it is handed anything of ours.

    Installed, our rooms are importable only after `import matchledger`.
    """
    return "matchledger" if "matchledger" in sys.modules else "service"


def fresh_processes(jobs: int) -> ProcessPoolExecutor:
    """So many processes, each a fresh interpreter that knows us; whoever takes them shuts them down."""
    return ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=import_module, initargs=(_our_name(),)
    )


@contextmanager
def told_if_killed(jobs: int) -> Iterator[None]:
    """Say in a sentence that one of so many processes is gone."""
    try:
        yield
    except BrokenExecutor as error:
        raise Unavailable(
            "jobs/killed", f"One of the {jobs} processes that worked on this was killed, or could not start."
        ) from error


@contextmanager
def _processes(jobs: int) -> Iterator[Crew]:
    with told_if_killed(jobs):
        yield Crew(fresh_processes(jobs), lambda: jobs)


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
            f"Cluster {shown} needs Dask, which is not installed here: pip install matchledger[cluster]",
        ) from error
    _reach(address, shown)
    try:
        with Client(address, timeout=PATIENCE, set_as_default=False) as client:
            _wait_for_a_worker(client, shown)
            yield Crew(_ClusterExecutor(client), lambda: max(1, sum(client.nthreads().values())))
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
    except Exception as error:  # an address that does not read fails in as many ways as there are protocols
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
