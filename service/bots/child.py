"""The child process of a bot: it answers line by line, within limits of time and size, and ends when we end."""

import atexit
import ctypes
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Final
from weakref import WeakSet

from service.limits import BOT_LINE_BYTES, shortened

GRACE: Final = 0.5
"""Seconds in which a program that is no longer needed may end by itself, once its input has."""
_REMEMBERED: Final = 4096
"""Bytes that are kept of what it writes to its standard error."""
_PARENT_DIED: Final = 1
"""PR_SET_PDEATHSIG, by which Linux ends a program with the one that started it, however that one ended."""

_LIBRARY: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


class Ended(Exception):
    """The program has ended; the message is its last line on standard error, or how it ended."""


class Babble(Exception):
    """The program wrote a line that is too long; the message is how it began."""


class Child:
    """A program that was started: one line to it, one line from it.

    It has a session of its own and so no terminal; whatever it writes to its standard error is kept here, in short.
    """

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._over = Event()
        self._process = self._started(command, folder, environment)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input, self._output, self._errors = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.DefaultSelector()
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream, False)
        for stream in (self._output, self._errors):
            self._selector.register(stream, selectors.EVENT_READ)
        self._unsent = b""
        self._said = b""
        self._complaints = b""
        self._is_stopped = False
        _RUNNING.add(self)

    def _started(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None
    ) -> subprocess.Popen[bytes]:
        """Start it, from a thread that lives as long as it does: Linux would end it with whichever thread did."""
        started: Future[subprocess.Popen[bytes]] = Future()

        def start() -> None:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder,
                    env=environment,
                    start_new_session=True,
                    preexec_fn=_end_with_parent if _LIBRARY is not None else None,
                )
            except Exception as error:
                started.set_exception(error)
            else:
                started.set_result(process)
                self._over.wait()

        Thread(target=start, daemon=True).start()
        return started.result()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The line it answers to this one with. Raises TimeoutError, Babble or Ended."""
        self.tell(line)
        deadline = monotonic() + seconds
        while b"\n" not in self._said:
            if not self._is_heard(self._output):
                raise Ended(self._last_words())
            if len(self._said) > BOT_LINE_BYTES:
                raise Babble(_text(self._said))
            if not self._pass_on(deadline - monotonic()):
                raise TimeoutError
        answer, _, self._said = self._said.partition(b"\n")
        return answer

    def tell(self, line: bytes) -> None:
        """Send it a line, as much of it as it takes now; the rest is sent with the next question."""
        if not self._unsent:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        self._unsent += line + b"\n"
        self._pass_on(0)

    def _pass_on(self, seconds: float) -> bool:
        """Wait until something can be read or written, and do it; whether there was time left."""
        ready = self._selector.select(max(seconds, 0))
        for key, _ in ready:
            if key.fd == self._input:
                self._write()
            elif key.fd == self._errors:
                self._complain()
            else:
                self._read()
        return seconds > 0

    def _write(self) -> None:
        try:
            written = os.write(self._input, self._unsent)
        except BrokenPipeError:
            self._unsent = b""  # how it ended is seen where it is read from
        else:
            self._unsent = self._unsent[written:]
        if not self._unsent:
            self._selector.unregister(self._input)

    def _read(self) -> None:
        heard = os.read(self._output, BOT_LINE_BYTES)
        if not heard:
            self._selector.unregister(self._output)
        self._said += heard

    def _complain(self) -> None:
        heard = os.read(self._errors, BOT_LINE_BYTES)
        if not heard:
            self._selector.unregister(self._errors)
        self._complaints = (self._complaints + heard)[-_REMEMBERED:]

    def _is_heard(self, stream: int) -> bool:
        """Whether one of its streams is still open."""
        return stream in self._selector.get_map()

    def _last_words(self) -> str:
        """The last line on its standard error, or how it ended."""
        deadline = monotonic() + GRACE
        while self._is_heard(self._errors) and self._pass_on(deadline - monotonic()):
            pass
        self.stop()
        lines = [line for line in _text(self._complaints).splitlines() if line.strip()]
        code = self._process.returncode
        return lines[-1].strip() if lines else f"killed by signal {-code}" if code < 0 else f"exit code {code}"

    def stop(self, grace: float = 0) -> None:
        """End the program and whatever it started; well-behaved ones may end by themselves within the grace."""
        if self._is_stopped:
            return
        self._is_stopped = True
        process = self._process
        assert process.stdin is not None
        if self._unsent:
            self._selector.unregister(self._input)
            self._unsent = b""
        with suppress(OSError):
            process.stdin.close()
        deadline = monotonic() + grace
        while self._is_heard(self._output) and self._pass_on(deadline - monotonic()):
            self._said = b""
        # Waited for only when its whole group has ended: until then the system gives its number to no other process.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._over.set()
        self._selector.close()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def _text(data: bytes) -> str:
    return shortened(data.decode(errors="replace"), _REMEMBERED)


def _end_with_parent() -> None:
    assert _LIBRARY is not None
    _LIBRARY.prctl(_PARENT_DIED, signal.SIGKILL)


_RUNNING: Final[WeakSet[Child]] = WeakSet()


@atexit.register
def _stop_all() -> None:
    for child in list(_RUNNING):
        child.stop()
