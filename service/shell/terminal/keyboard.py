"""A person at the keyboard while others play elsewhere: what comes first, a line or the news."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # only loaded where a server is listened to
    from service.shell.backend.step_stream import StepStream


class Keyboard:
    """Standard input beside the news of a match. What is being typed when news comes is not lost."""

    def __init__(self, news: "StepStream") -> None:
        self._news = news
        self._typed = b""

    def ask(self, prompt: str, seen: int | None) -> str | None:
        """The next line; None as soon as something happens behind event `seen`. Raises EOFError at the end."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        keys = sys.stdin.fileno()
        while b"\n" not in self._typed:
            if seen is not None and self._news.reaches_beyond(seen):
                sys.stdout.write("\n")
                return None
            ready, _, _ = select.select([keys, self._news], [], [])
            if keys in ready:
                data = os.read(keys, 4096)
                if not data:
                    raise EOFError
                self._typed += data
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")


class _Interrupted(Exception):
    """The terminal has another size, or there is news."""


class Prompt:
    """A prompt with a history, arrow keys and completion, where the platform has them.

    While `interruptible`, it is left when the terminal gets another size and when news comes; what was being typed
    stands behind the next prompt.
    """

    def __init__(self, choices: Callable[[], Sequence[str]], news: "StepStream | None" = None) -> None:
        self._news = news
        self._woken: int | None = None
        """Tells of signals while the prompt can be interrupted."""
        self._is_asking = False
        self._kept = ""
        try:
            import readline
        except ImportError:
            self._readline = None
            return
        self._readline = readline

        def complete(text: str, index: int) -> str | None:
            found = [choice for choice in choices() if choice.lower().startswith(text.lower())]
            return found[index] if index < len(found) else None

        readline.set_completer_delims("")
        readline.set_completer(complete)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")

    def ask(self, prompt: str, seen: int | None) -> str | None:
        """The next line; None when it is time to look again. Without `seen`, news can wait."""
        if self._woken is None:
            return input(prompt)
        news = self._news if seen is not None else None
        if news is not None and seen is not None and news.reaches_beyond(seen):
            return None
        watcher = _Watcher(self._woken, news)
        lines: list[str] = []
        try:
            self._is_asking = True
            self._input(prompt, lines)
        except _Interrupted:
            pass
        finally:
            self._is_asking = False
            watcher.stop()
        if not lines:
            return None
        self._kept = ""  # a wake-up that came with Enter has kept what is not being typed any more
        return lines[0]

    def _input(self, prompt: str, lines: list[str]) -> None:
        if self._readline is not None:
            kept, self._kept = self._kept, ""
            insert = self._readline.insert_text
            self._readline.set_startup_hook(lambda: insert(kept))
        # In one go, not by an assignment: a wake-up is handled between two instructions, when the line is in the list.
        lines.extend(map(input, (prompt,)))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """While this lasts, a new size or news ends the question."""
        self._woken, waking = os.pipe()
        for end in (self._woken, waking):
            os.set_blocking(end, False)
        handlers = {signal.SIGWINCH: _nothing, _WAKE_UP: self._interrupt}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler or signal.SIG_DFL)
            os.close(self._woken)
            os.close(waking)
            self._woken = None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._is_asking:
            self._is_asking = False
            self._kept = self._readline.get_line_buffer() if self._readline is not None else ""
            raise _Interrupted


_WAKE_UP: Final = signal.SIGUSR1
"""What the main thread is called with while it waits for a line."""


def _nothing(number: int, frame: FrameType | None) -> None:
    """Nothing is to be done: that the signal came is written to the pipe which is watched."""


class _Watcher:
    """Calls the main thread from its prompt as soon as the terminal has another size or there is news.

    It wakes the reader until it answers: a signal that comes while a key is being read does not end the reading.
    """

    def __init__(self, woken: int, news: "StepStream | None") -> None:
        self._woken = woken
        self._news = [news.fileno()] if news is not None else []
        self._stop, self._stopping = os.pipe()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        is_called = False
        while not is_called:
            ready, _, _ = select.select([self._woken, self._stop, *self._news], [], [])
            if self._stop in ready:
                return
            is_called = bool(self._news and self._news[0] in ready)
            if self._woken in ready:
                is_called |= signal.SIGWINCH in os.read(self._woken, 64)
        main = main_thread().ident
        assert main is not None
        while True:
            signal.pthread_kill(main, _WAKE_UP)
            if select.select([self._stop], [], [], _PATIENCE)[0]:
                return

    def stop(self) -> None:
        """Watch no longer."""
        os.write(self._stopping, b"!")
        self._thread.join()
        os.close(self._stop)
        os.close(self._stopping)


_PATIENCE: Final = 0.1
"""Seconds between two wake-ups."""
