"""A person at the keyboard while others play elsewhere: what comes first, a line or the news."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread, main_thread
from types import FrameType

from service.shell.house.house import News


class Keyboard:
    """Standard input beside the news of a match. What is being typed when news comes is not lost."""

    def __init__(self, news: News) -> None:
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

    def __init__(self, choices: Callable[[], Sequence[str]], news: News | None = None) -> None:
        self._news = news
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
        try:
            self._is_asking = True
            if seen is None or self._news is None:
                return self._input(prompt)
            if self._news.reaches_beyond(seen):
                return None
            with _waking(self._news):
                return self._input(prompt)
        except _Interrupted:
            return None
        finally:
            self._is_asking = False

    def _input(self, prompt: str) -> str:
        if self._readline is not None and self._kept:
            kept, self._kept = self._kept, ""
            insert = self._readline.insert_text
            self._readline.set_startup_hook(lambda: insert(kept))
        try:
            return input(prompt)
        finally:
            if self._readline is not None:
                self._readline.set_startup_hook()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """While this lasts, a new size or news ends the question."""
        before = signal.signal(signal.SIGWINCH, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, before or signal.SIG_DFL)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._is_asking:
            self._is_asking = False
            self._kept = self._readline.get_line_buffer() if self._readline is not None else ""
            raise _Interrupted


@contextmanager
def _waking(news: News) -> Iterator[None]:
    """Wake the main thread, as a new size of the terminal would, as soon as there is news."""
    stop, stopping = os.pipe()

    def watch() -> None:
        ready, _, _ = select.select([news.fileno(), stop], [], [])
        if stop not in ready and (ident := main_thread().ident) is not None:
            signal.pthread_kill(ident, signal.SIGWINCH)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with suppress(OSError):
            os.write(stopping, b"!")
        watcher.join()
        os.close(stop)
        os.close(stopping)
