"""Processes that began as copies of this one: each has a pipe, and no thread stands between it and us."""

import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pickle import HIGHEST_PROTOCOL, dumps, loads
from selectors import EVENT_READ, DefaultSelector
from traceback import format_exc, print_exc
from typing import Any, Final, NamedTuple, NoReturn, ParamSpec, TypeVar

Answer = TypeVar("Answer")
Parameters = ParamSpec("Parameters")

AT_ONCE: Final = 2
"""Calls a copy has at a time: one it works on, and one in its pipe, which lasts until somebody asks again."""
_SMALL: Final = 16_384
"""Bytes of a call that may wait in a pipe, which so many of them never fill: whoever wrote on and on to a copy that is
writing itself would wait for ever."""


class Copies(Executor):
    """An executor for one thread. It hears of answers when somebody asks for them, and whoever asks can work himself.

    The threads of a pool, which hand over every call and every answer, would wait for him to let them.
    """

    def __init__(self, number: int) -> None:
        self._copies: list[_Copy] = []
        for _ in range(number):
            self._copies.append(_Copy([copy.pipe for copy in self._copies]))
        self._selector = DefaultSelector()
        for copy in self._copies:
            self._selector.register(copy.pipe, EVENT_READ, copy)
        self._waiting: deque[_Call] = deque()

    def submit(
        self, fn: Callable[Parameters, Answer], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Answer]:
        """Have it called by the copy that has least to do."""
        answer: _Answer[Answer] = _Answer(self)
        self._waiting.append(_Call(answer, fn, dumps((args, kwargs), HIGHEST_PROTOCOL)))
        self._hand_over()
        return answer

    def hear(self, timeout: float | None) -> None:
        """Take in what was answered, waiting so long for any, and hand over what can be done next."""
        for key, _ in self._selector.select(timeout):
            key.data.hear()
        self._hand_over()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End them all, whatever they are working on; nobody waits for it any more."""
        self._waiting.clear()
        for copy in self._copies:
            copy.end()
        for copy in self._copies:
            copy.wait()
        self._selector.close()

    def _hand_over(self) -> None:
        while self._waiting and min(self._copies, key=_Copy.under_way).take(self._waiting[0]):
            self._waiting.popleft()


class _Answer(Future[Answer]):
    """An answer that is listened for whenever somebody asks."""

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._copies = copies

    def done(self) -> bool:
        """Whether it has come."""
        if not super().done():
            self._copies.hear(0)
        return super().done()

    def result(self, timeout: float | None = None) -> Answer:
        """Wait for it, however long it takes, and listen to all others meanwhile."""
        while not super().done():
            self._copies.hear(None)
        return super().result()


class _Call(NamedTuple):
    answer: _Answer[Any]
    function: Callable[..., Any]
    arguments: bytes


class _Copy:
    """One of the processes, as the one it is a copy of knows it."""

    def __init__(self, others: Sequence[Connection]) -> None:
        """`others` are our ends of the pipes of those before, which this one must not hold open."""
        self.pipe, theirs = Pipe()
        self._process = os.fork()
        if self._process == 0:
            _work(theirs, [*others, self.pipe])
        theirs.close()
        self._answers: deque[_Answer[Any]] = deque()
        self._function: Callable[..., Any] | None = None

    def under_way(self) -> int:
        """How many calls it has not answered yet."""
        return len(self._answers)

    def take(self, call: _Call) -> bool:
        """Hand it a call, unless it has enough to do. What is to be done travels once, for all calls that follow."""
        answer, function, arguments = call
        is_same = function is self._function
        if self._answers and not (is_same and len(arguments) <= _SMALL and len(self._answers) < AT_ONCE):
            return False
        try:
            if not is_same:
                self.pipe.send(function)
                self._function = function
            self.pipe.send_bytes(arguments)
        except OSError as error:
            raise BrokenExecutor("A copy was gone before it was handed a call.") from error
        self._answers.append(answer)
        return True

    def hear(self) -> None:
        """Take in its next answer."""
        try:
            said = self.pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise BrokenExecutor("A copy was gone before it had answered.") from error
        value, raised, where = loads(said)
        answer = self._answers.popleft()
        if raised is None:
            answer.set_result(value)
        else:
            raised.__cause__ = _Elsewhere(where)
            answer.set_exception(raised)

    def end(self) -> None:
        """Let it go, in the middle of a call if need be."""
        self.pipe.close()
        if self._answers:
            os.kill(self._process, signal.SIGKILL)

    def wait(self) -> None:
        """Wait until nothing is left of it."""
        with suppress(ChildProcessError):  # where a parent wants to hear of none, the system forgets them by itself
            os.waitpid(self._process, 0)


class _Elsewhere(Exception):
    """Where in a copy an error was raised, as a traceback would say it here."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


# ------------------------------------------------------------------------------------------------- in one of the copies


def _work(pipe: Connection, others: Sequence[Connection]) -> NoReturn:
    """Answer call after call, until the one whose copy this is lets go of the pipe."""
    try:
        for other in others:
            other.close()
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word
        while True:
            said = loads(pipe.recv_bytes())
            if callable(said):
                function = said
            else:
                pipe.send_bytes(_answered(function, *said))
    except (EOFError, OSError):
        pass
    except BaseException:
        print_exc()  # an error that cannot be sent, for one; whose copy this is can only say that it is gone
    finally:
        os._exit(0)  # and nothing that was to be done at the end of this program is done twice


def _answered(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> bytes:
    try:
        return dumps((function(*arguments, **named), None, ""), HIGHEST_PROTOCOL)
    except Exception as error:
        return dumps((None, error, format_exc()), HIGHEST_PROTOCOL)
