"""The key folder: the key this ledger signs with, those it signed with before, and keys made for arbiters."""

import json
import os
import re
import shlex
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from service.errors import FileTrouble, LedgerError, Refused, Unavailable, UsageError
from service.files import data_folder, flush, make_private_folder, naming, private_draft, read_file, refuse_readable
from service.trust.keys import Key, PublicKey, public_key, verify

KEYS_VARIABLE: Final = "MATCHLEDGER_KEYS"
SERVER_FILE: Final = "server.pem"
RETIRED_FOLDER: Final = "retired"
ARBITERS_FOLDER: Final = "arbiters"
_ROTATING_FILE: Final = "rotating"
_TAKEOVER: Final = "matchledger takeover 1"
_SINCE: Final = re.compile(rb"^since: (\S+)$", re.MULTILINE)
_NAME: Final = re.compile(r"[^\W_][\w.-]{0,63}")


def key_folder(folder: Path | None = None) -> Path:
    """Where the keys are: the folder given, the one the environment names, or `keys` in the user's data folder."""
    if folder is not None:
        return folder
    named = os.environ.get(KEYS_VARIABLE)
    return Path(named).expanduser() if named else data_folder() / "keys"


def present_key_folder(folder: Path | None = None) -> Path:
    """The same; refused where the environment names one that is not there, since its name may be mistyped."""
    place = key_folder(folder)
    if folder is None and os.environ.get(KEYS_VARIABLE) and not place.exists():
        refusal = FileTrouble("keys/no-folder", f"There is no key folder {str(place)!r}, which {KEYS_VARIABLE} names.")
        refusal.hint = f"If it is not mistyped, make it, for yourself alone: mkdir -m 700 {shlex.quote(str(place))}"
        raise refusal
    return place


@contextmanager
def key_folder_at(folder: Path) -> Iterator[None]:
    """Make and use another folder for a while: a demonstration must not make keys among those of the user."""
    make_private_folder(folder)
    before = os.environ.get(KEYS_VARIABLE)
    os.environ[KEYS_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[KEYS_VARIABLE]
        else:
            os.environ[KEYS_VARIABLE] = before


def load_server_key(folder: Path | None = None) -> Key:
    """The key this ledger signs with, made on first use. `keys/readable` when others could read it."""
    place = present_key_folder(folder)
    _make_private_folder(place)
    path = place / SERVER_FILE
    if not path.exists():
        _create(path, _new_key())
    return _load_own(path)


def own_public_key(folder: Path | None = None) -> str:
    """The public key this ledger signs with; empty where it never signed. Makes nothing."""
    path = key_folder(folder) / SERVER_FILE
    return _load_own(path).public if path.exists() else ""


def known_keys(folder: Path | None = None) -> list[PublicKey]:
    """Every public key this ledger has ever signed with, the present one first. Makes nothing.

    A retired key is listed only if the key that followed it says so with its signature: any other
    file in the folder of retired keys is ignored.
    """
    place = present_key_folder(folder)
    path = place / SERVER_FILE
    if not path.exists():
        return []
    key = _load_own(path)
    keys = [PublicKey(key.public, key.since)]
    before = {gone.by: gone for gone in _retired(place)}
    while (older := before.pop(keys[-1].public, None)) is not None:
        keys.append(PublicKey(older.public, older.since, older.until))
    return keys


def former_keys(folder: Path | None = None) -> list[str]:
    """The public keys that the present one followed."""
    return [key.public for key in known_keys(folder)[1:]]


def disowned(folder: Path | None = None) -> list[Path]:
    """The files among the retired keys that no key of this ledger vouches for."""
    place = key_folder(folder)
    known = {key.fingerprint for key in known_keys(folder)}
    return [path for path in sorted((place / RETIRED_FOLDER).glob("*")) if path.stem not in known]


def rotate(folder: Path | None = None) -> tuple[PublicKey, Key]:
    """Put a new key in the place of the present one, whose public half stays listed; gives the old and the new."""
    place = key_folder(folder)
    load_server_key(folder)
    with naming(place, "key folder", "keys/folder", "written"), _alone(place):
        old, new = _load_own(place / SERVER_FILE), _new_key()
        gone = PublicKey(old.public, old.since, until=new.since)
        # Listed first: killed in between, the old key still signs, and what its file says is vouched for by nobody.
        _write_retired(place, gone, new)
        os.replace(private_draft(place, new.private_text), place / SERVER_FILE)
        flush(place)
    return gone, new


# ------------------------------------------------------------------------------------------------------------- arbiters


def create_arbiter_key(name: str, folder: Path | None = None) -> tuple[Path, Key]:
    """A new key for an arbiter in a file of its own, to be carried away. `keys/exists` if there is one already."""
    if _NAME.fullmatch(name) is None:
        raise UsageError("keys/name", f"{name!r} is not a name for a key; use letters, digits, '.', '-' and '_'.")
    place = present_key_folder(folder)
    _make_private_folder(place)
    _make_private_folder(place / ARBITERS_FOLDER)
    path = place / ARBITERS_FOLDER / f"{name}.pem"
    if not _create(path, key := _new_key()):
        raise Refused("keys/exists", f"Arbiter {name!r} has a key already: {str(path)!r}.")
    return path, key


def load_arbiter_key(path: Path) -> Key:
    """The key in an arbiter's file, wherever it was carried. `keys/readable` when others could read it."""
    return _load(path)


# ---------------------------------------------------------------------------------------------------------------- files


def _new_key() -> Key:
    return Key(Ed25519PrivateKey.generate(), datetime.now(UTC).replace(microsecond=0))


def _load_own(path: Path) -> Key:
    """A key in the ledger's own folder, which only its owner may read."""
    with naming(path.parent, "key folder", "keys/unreadable", "read"):
        _refuse_readable(path.parent)
    return _load(path)


def _load(path: Path) -> Key:
    text = read_file(path, "key file", "keys/unreadable", missing="keys/missing")
    try:
        private = load_pem_private_key(text, None)
        found = _SINCE.search(text)
        since = datetime.fromisoformat(found[1].decode()) if found else datetime.fromtimestamp(_mtime(path), UTC)
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:
        raise Unavailable("keys/damaged", f"Key file {str(path)!r} holds no readable key.") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise Unavailable("keys/damaged", f"Key file {str(path)!r} holds another kind of key; Ed25519 is needed.")
    _refuse_readable(path)
    return Key(private, since)


def _mtime(path: Path) -> int:
    return int(path.stat().st_mtime)


def _make_private_folder(place: Path) -> None:
    with naming(place, "key folder", "keys/folder", "used"):
        make_private_folder(place)
        _refuse_readable(place)


def _refuse_readable(path: Path) -> None:
    refuse_readable(path, "private key", "keys/readable")


def _create(path: Path, key: Key) -> bool:
    """Whether this process put the key there; the first of several wins, and nobody ever sees half a file."""
    with naming(path, "key file", "keys/folder", "written"):
        draft = private_draft(path.parent, key.private_text)
        try:
            os.link(draft, path)
            flush(path.parent)  # before the journal names the key
        except FileExistsError:
            return False
        finally:
            draft.unlink()
    return True


class _Retired(PublicKey, frozen=True, kw_only=True):
    """A key that signed before, with the word of the one that followed it."""

    by: str


def _takeover(old: PublicKey, by: str) -> bytes:
    assert old.until is not None
    return "\n".join((_TAKEOVER, old.public, old.since.isoformat(), old.until.isoformat(), by, "")).encode()


def _write_retired(place: Path, old: PublicKey, new: Key) -> None:
    folder = place / RETIRED_FOLDER
    folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
    assert old.until is not None
    value = {
        "public": old.public,
        "since": old.since.isoformat(),
        "until": old.until.isoformat(),
        "by": new.public,
        "signature": new.sign(_takeover(old, new.public)),
    }
    text = json.dumps(value, indent=2).encode() + b"\n"
    os.replace(private_draft(folder, text), folder / f"{old.fingerprint}.json")
    flush(folder)


def _retired(place: Path) -> Iterator[_Retired]:
    """The retired keys that bear the signature of the key they name as the next one."""
    for path in sorted((place / RETIRED_FOLDER).glob("*.json")):
        with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError, LedgerError):
            value = json.loads(read_file(path, "retired key", "keys/unreadable"))
            since, until = datetime.fromisoformat(value["since"]), datetime.fromisoformat(value["until"])
            gone = _Retired(public_key(value["public"]), since, until, by=public_key(value["by"]))
            if verify(gone.by, _takeover(gone, gone.by), value["signature"]):
                yield gone


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """One rotation at a time: of two new keys, one would be lost with everything it had signed."""
    mark = place / _ROTATING_FILE
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, stat.S_IRUSR | stat.S_IWUSR))
    except FileExistsError as error:
        raise Unavailable(
            "keys/rotating", f"Another rotation is under way; if it was killed, remove {str(mark)!r}."
        ) from error
    try:
        yield
    finally:
        mark.unlink()
