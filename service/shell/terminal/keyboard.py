"""A person at the keyboard while others play elsewhere: what comes first, a line or the news."""

import os
import select
import sys

from service.shell.house.house import News


class Keyboard:
    """Standard input beside the news of a match. What is being typed when news comes is not lost."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._typed = b""

    def ask(self, prompt: str, seen: int) -> str | None:
        """The next line; None as soon as something happens behind event `seen`. Raises EOFError at the end."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        keys = sys.stdin.fileno()
        while b"\n" not in self._typed:
            if self._news.reaches_beyond(seen):
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
