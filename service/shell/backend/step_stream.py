"""What others do at a server, heard by a thread of its own while somebody thinks at the keyboard."""

import os
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

from service.errors import LedgerError
from service.shell.answers.service import StepMessage


class StepStream:
    """The steps of a live stream. Waiting for one is waiting for `fileno` to have something to read."""

    def __init__(self, steps: Iterator[StepMessage]) -> None:
        self._last = 0
        self._trouble: LedgerError | None = None
        self._is_closed = False
        self._heard, self._told = os.pipe()
        # Nobody waits for it in the end: a stream that says nothing cannot be told to stop.
        Thread(target=self._listen, args=(steps,), daemon=True).start()

    def _listen(self, steps: Iterator[StepMessage]) -> None:
        try:
            for step in steps:
                self._last = step.last
                os.write(self._told, b"!")
        except LedgerError as trouble:
            self._trouble = trouble
            os.write(self._told, b"!")
        except Exception:
            if not self._is_closed:  # whoever closes the connection pulls it from under the stream
                raise

    def fileno(self) -> int:
        """Can be read from when there may be news."""
        return self._heard

    def close(self) -> None:
        """Hear nothing any more."""
        self._is_closed = True

    def reaches_beyond(self, seq: int) -> bool:
        """Whether something happened behind that event. Raises whatever ended the stream."""
        with suppress(BlockingIOError):
            os.set_blocking(self._heard, False)
            while os.read(self._heard, 1024):
                pass
        if self._trouble is not None:
            raise self._trouble
        return self._last > seq
