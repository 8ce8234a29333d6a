"""The files people name: read or written whole, or refused with their name and the operating system's reason."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from service.errors import FileTrouble

_ENDINGS: Final = (".mlr", ".jsonl", ".json", ".csv", ".txt", ".pub", ".pem")


def is_path(word: str) -> bool:
    """Whether a word that may also be something else names a file: it is there, or is written as only files are."""
    return os.path.exists(word) or os.sep in word or word.endswith(_ENDINGS)


def read_file(path: Path, what: str, code: str, missing: str = "") -> bytes:
    """The content. `what` is what people call such a file; `missing` is the code where there is none."""
    try:
        with naming(path, what, code, "read"):
            return path.read_bytes()
    except FileTrouble as trouble:
        if isinstance(trouble.__cause__, FileNotFoundError):
            raise FileTrouble(missing or code, f"There is no {what} {str(path)!r}.") from trouble
        raise


def read_text(path: Path, what: str, code: str, missing: str = "") -> str:
    """The content of a file that holds UTF-8 text."""
    try:
        return read_file(path, what, code, missing).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileTrouble(code, f"The {what} {str(path)!r} cannot be read: it is not UTF-8 text.") from error


def write_file(path: Path, data: bytes, what: str, code: str) -> None:
    """Put the data into the file, whatever was there before."""
    with naming(path, what, code, "written"):
        path.write_bytes(data)


def check_writable(path: Path, what: str, code: str) -> None:
    """Refuse now what could not be written later, when something has been done that it was to tell of."""
    with naming(path, what, code, "written"):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists():
            path.open("ab").close()
        else:
            TemporaryFile(dir=path.parent).close()


@contextmanager
def naming(path: Path, what: str, code: str, verb: str) -> Iterator[None]:
    """Refuse with the name of the file whatever the operating system refuses meanwhile."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise FileTrouble(code, f"The {what} {str(path)!r} cannot be {verb}: {why}.") from error
