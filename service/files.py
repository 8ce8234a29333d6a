"""The files people name: read or written whole, or refused with their name and the operating system's reason."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from service.errors import FileTrouble
from service.limits import NESTING, SMALL_FILE_BYTES, is_too_deep

_ENDINGS: Final = (".mlr", ".jsonl", ".json", ".csv", ".txt", ".pub", ".pem")


def is_path(word: str) -> bool:
    """Whether a word that may also be something else names a file: it is there, or is written as only files are."""
    return os.path.exists(word) or os.sep in word or word.endswith(_ENDINGS)


def read_file(path: Path, what: str, code: str, missing: str = "") -> bytes:
    """The content of a small file. `what` is what people call such a file; `missing` is the code where there is none.

    Whoever parses it need not fear its size or its depth: both are refused here.
    """
    data = read_large(path, what, code, missing, SMALL_FILE_BYTES)
    if is_too_deep(data):
        raise FileTrouble("file/too-deep", f"The {what} {str(path)!r} is nested deeper than {NESTING} levels.")
    return data


def read_large(path: Path, what: str, code: str, missing: str, most: int) -> bytes:
    """The content of a file of at most so many bytes, whatever is in it."""
    try:
        with naming(path, what, code, "read"), path.open("rb") as file:
            return read_stream(file, path, what, most)
    except FileTrouble as trouble:
        if isinstance(trouble.__cause__, FileNotFoundError):
            raise FileTrouble(missing or code, f"There is no {what} {str(path)!r}.") from trouble
        raise


def read_stream(stream: BinaryIO, path: Path, what: str, most: int) -> bytes:
    """All that comes, or a refusal once it is more than so many bytes; no more than those are ever held."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise FileTrouble(
            "file/too-large", f"The {what} {str(path)!r} is larger than {most:,} bytes, the most that is read of one."
        )
    return data


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


@contextmanager
def naming(path: Path, what: str, code: str, verb: str) -> Iterator[None]:
    """Refuse with the name of the file whatever the operating system refuses meanwhile."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise FileTrouble(code, f"The {what} {str(path)!r} cannot be {verb}: {why}.") from error
