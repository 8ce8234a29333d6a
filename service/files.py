"""Files that people name: read or written whole, or refused with their name and the operating system's reason."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from service.errors import FileTrouble, Unavailable
from service.limits import NESTING, SMALL_FILE_BYTES, is_too_deep

FULL: Final = (errno.ENOSPC, errno.EDQUOT)
"""What the operating system says when there is no room."""
_OTHERS_MAY: Final = stat.S_IRWXG | stat.S_IRWXO
_ENDINGS: Final = (".mlr", ".jsonl", ".json", ".csv", ".txt", ".pub", ".pem")


def data_folder() -> Path:
    """The user's data folder: where everything lies that nobody gave another place."""
    from platformdirs import user_data_path  # only those who ask for it pay

    return user_data_path("matchledger", appauthor=False)


def is_path(word: str) -> bool:
    """Whether a word that may also be something else names a file: it is there, or is written as only files are."""
    return os.path.exists(word) or os.sep in word or word.endswith(_ENDINGS)


def read_file(path: Path, what: str, code: str, missing: str = "") -> bytes:
    """The content of a small file. `what` is what people call such a file; `missing` is the code where there is none.

    Size and depth of nesting are limited here, so that parsing it is safe.
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
    """Put the data into the file, whatever was there before: all of it, or nothing and what was there stays.

    A device, a pipe and whatever else is no file of its own is written to as it is.
    """
    with naming(path, what, code, "written"):
        if not _is_replaceable(path):
            with path.open("ab") as stream:  # what lies behind a device, such as `>> file`, is added to
                stream.write(data)
            return
        place = Path(os.path.realpath(path))  # a link stays a link, and what it leads to is replaced
        beside = place.with_name(f".matchledger-{os.urandom(8).hex()}")
        try:
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except PermissionError:
            if not place.exists():
                raise
            place.write_bytes(data)  # the file may be written to, but its folder holds no other
            return
        try:
            _fill(file, data, place)
            os.replace(beside, place)
            flush(place.parent)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _is_replaceable(path: Path) -> bool:
    """Whether another file may take the place of this one, or it is not there yet."""
    top = path.absolute().parts[1:3]
    if top[:1] in (("dev",), ("proc",)) and top != ("dev", "shm"):  # /dev/stdout may lead to a file others write to
        return False
    return path.is_file() or not path.exists()


def _fill(file: int, data: bytes, place: Path) -> None:
    """Write and close a file that is to take the place of another, with its mode and its owner where there is one."""
    with os.fdopen(file, "wb") as stream:
        with suppress(FileNotFoundError):
            before = place.stat()
            os.fchmod(file, stat.S_IMODE(before.st_mode))
            with suppress(PermissionError):
                os.fchown(file, before.st_uid, before.st_gid)
        stream.write(data)
        stream.flush()
        os.fsync(file)


def check_writable(path: Path, what: str, code: str) -> None:
    """Refuse now what could not be written later, when something has been done that it was to tell of."""
    with naming(path, what, code, "written"):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists():
            path.open("ab").close()
        else:
            from tempfile import TemporaryFile

            TemporaryFile(dir=path.parent).close()


@contextmanager
def naming(path: Path, what: str, code: str, verb: str) -> Iterator[None]:
    """Refuse with the name of the file whatever the operating system refuses meanwhile."""
    try:
        yield
    except OSError as error:
        why = "the disk is full" if error.errno in FULL else error.strerror or str(error)
        raise FileTrouble(code, f"The {what} {str(path)!r} cannot be {verb}: {why}.") from error


# ------------------------------------------------------------------------------------------ what nobody else may read


def make_private_folder(place: Path) -> None:
    """A folder for its owner alone; one that is there already stays as it is. What it lies in must be there."""
    make_data_folder(place.parent)
    with suppress(FileExistsError):
        place.mkdir(mode=stat.S_IRWXU)


def make_data_folder(place: Path) -> None:
    """Make this folder if it is the user's data folder or lies in it. No other is made: its name may be mistyped."""
    home = data_folder()
    place = place.absolute()
    if place != home and home not in place.parents:
        return
    for folder in reversed([folder for folder in (place, *place.parents) if not folder.exists()]):
        folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)


def refuse_readable(path: Path, secret: str, code: str) -> None:
    """Refuse a secret that other users can read."""
    mode = path.stat().st_mode
    if os.name == "posix" and mode & _OTHERS_MAY:
        wanted = "700" if stat.S_ISDIR(mode) else "600"
        raise Unavailable(
            code,
            f"{str(path)!r} has mode {stat.S_IMODE(mode):03o}, so other users can read the {secret};"
            f" run chmod {wanted} on it, and replace the {secret} if somebody may have read it.",
        )


def private_draft(place: Path, text: bytes) -> Path:
    """A file of its own in this folder with this text, readable by nobody else, not yet under its name."""
    from tempfile import mkstemp

    handle, name = mkstemp(dir=place, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:  # the disk is full, as a rule
        os.unlink(name)
        raise
    return Path(name)


@contextmanager
def private_beside(path: Path, what: str, code: str, *, replaces: bool = False) -> Iterator[Path]:
    """A private file beside this one, to be filled; put in its place at the end, or gone with whatever came with it.

    What is there already is left alone unless it is to be replaced, even if it came there only meanwhile.
    """
    from tempfile import mkstemp

    place = Path(os.path.realpath(path))
    with naming(path, what, code, "written"):
        handle, name = mkstemp(dir=place.parent, prefix=".matchledger-")
        os.close(handle)
    draft = Path(name)
    try:
        yield draft
        with naming(path, what, code, "written"):
            flush(draft)
            if replaces:
                os.replace(draft, place)
            else:
                os.link(draft, place)  # which refuses, as no renaming does, where something is
            flush(place.parent)
    finally:
        for left in place.parent.glob(f"{draft.name}*"):
            left.unlink(missing_ok=True)


def flush(place: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
