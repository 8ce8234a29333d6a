"""Ed25519 keys: the ledger signs the heads of its matches, arbiters sign their rulings, and anybody can verify."""

import json
import os
import re
import stat
from binascii import unhexlify
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from msgspec import Struct
from platformdirs import user_data_path

from service.errors import Refused, Unavailable, UsageError
from service.files import is_path, naming, read_file, read_text
from service.store.shapes import Signature

KEYS_VARIABLE: Final = "MATCHLEDGER_KEYS"
SERVER_FILE: Final = "server.pem"
RETIRED_FOLDER: Final = "retired"
ARBITERS_FOLDER: Final = "arbiters"
_ROTATING_FILE: Final = "rotating"
_HEAD: Final = "matchledger head 1"
_SINCE: Final = re.compile(rb"^since: (\S+)$", re.MULTILINE)
_PUBLIC: Final = re.compile("[0-9a-f]{64}")
_NAME: Final = re.compile(r"[^\W_][\w.-]{0,63}")
_OTHERS_MAY: Final = stat.S_IRWXG | stat.S_IRWXO


Signer = Callable[[str, int, str], Signature]
"""Signs a head: the match, how many events it has, and the chain hash after them in hexadecimal."""


class PublicKey(Struct, frozen=True):
    """What everybody may know of a key."""

    public: str
    """The 32 bytes in hexadecimal."""
    since: datetime
    until: datetime | None = None
    """When another key took its place; what it signed before stays valid."""

    @property
    def fingerprint(self) -> str:
        """Short enough to read out over a telephone."""
        return fingerprint(self.public)


class Key:
    """A key one can sign with. Its private half is never shown, not even by `repr`."""

    def __init__(self, private: Ed25519PrivateKey, since: datetime) -> None:
        self._private = private
        self.since = since
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def __repr__(self) -> str:
        return f"Key({self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        """Short enough to read out over a telephone."""
        return fingerprint(self.public)

    def sign(self, message: bytes) -> str:
        """The signature over a message, in hexadecimal. The message should say what it is for in its first line."""
        return self._private.sign(message).hex()


def fingerprint(public: str) -> str:
    """The first eight bytes of SHA-256 over the raw public key, in groups of four digits."""
    digits = sha256(_raw(public)).hexdigest()[:16]
    return "-".join(digits[start : start + 4] for start in range(0, 16, 4))


def verify(public: str, message: bytes, signature: str) -> bool:
    """Whether the signature over this message was made with the private half of this key. Never raises."""
    try:
        Ed25519PublicKey.from_public_bytes(unhexlify(public)).verify(unhexlify(signature), message)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def public_key(text: str, code: str = "keys/public") -> str:
    """A public key as the ledger writes it: 64 hexadecimal digits in small letters."""
    found = text.strip().lower()
    if _PUBLIC.fullmatch(found) is None:
        raise UsageError(code, f"{text!r} is not a public key; it has 64 hexadecimal digits.")
    return found


def read_public(text: str) -> str:
    """A public key as somebody at a terminal gives it: hexadecimal, or a file that holds it."""
    if _PUBLIC.fullmatch(text.strip().lower()) is None and is_path(text):
        text = read_text(Path(text).expanduser(), "key file", "keys/unreadable", missing="keys/missing")
    return public_key(text)


def _raw(public: str) -> bytes:
    try:
        return unhexlify(public)
    except ValueError:
        return public.encode()


# ---------------------------------------------------------------------------------------------------------------- heads


def head_message(match: str, count: int, head: str) -> bytes:
    """What is signed: this match had so many events, and the last one left this chain hash (docs/integrity.md)."""
    return f"{_HEAD}\n{match}\n{count}\n{head}\n".encode("utf-8", "surrogatepass")


def sign_head(key: Key, match: str, count: int, head: str) -> Signature:
    """The key's signature over a head."""
    return Signature(match, count, head, key.public, key.sign(head_message(match, count, head)))


def verify_head(signature: Signature) -> bool:
    """Whether the key named in the signature signed the head named in it. Never raises."""
    return verify(signature.key, head_message(signature.match, signature.count, signature.head), signature.signature)


# ------------------------------------------------------------------------------------------------------- the key folder


def key_folder(folder: Path | None = None) -> Path:
    """Where the keys are: the folder given, the one the environment names, or `keys` in the user's data folder."""
    if folder is not None:
        return folder
    named = os.environ.get(KEYS_VARIABLE)
    return Path(named).expanduser() if named else user_data_path("matchledger", appauthor=False) / "keys"


@contextmanager
def key_folder_at(folder: Path) -> Iterator[None]:
    """Use another folder for a while: a demonstration must not make keys among those of the user."""
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
    place = key_folder(folder)
    _make_private_folder(place)
    path = place / SERVER_FILE
    if not path.exists():
        _create(path, _new_key())
    return _load_own(path)


def server_signer(folder: Path | None = None) -> Signer:
    """Signs with the key of this ledger, which is loaded, and made if there is none, when it is first needed."""

    def sign(match: str, count: int, head: str) -> Signature:
        return sign_head(load_server_key(folder), match, count, head)

    return sign


def own_public_keys(folder: Path | None = None) -> list[str]:
    """The public keys this ledger has signed with, present and retired; none where it never signed."""
    return [key.public for key in known_keys(folder)] if key_folder(folder).is_dir() else []


def known_keys(folder: Path | None = None) -> list[PublicKey]:
    """Every public key this ledger has ever signed with, the present one first. Makes nothing."""
    place = key_folder(folder)
    path = place / SERVER_FILE
    keys = []
    if path.exists():
        key = _load_own(path)
        keys = [PublicKey(key.public, key.since)]
    retired = [_read_retired(file) for file in sorted((place / RETIRED_FOLDER).glob("*.json"))]
    retired.sort(key=lambda old: old.until or old.since, reverse=True)
    return keys + [old for old in retired if old.public not in {key.public for key in keys}]


def rotate(folder: Path | None = None) -> tuple[PublicKey, Key]:
    """Put a new key in the place of the present one, whose public half stays listed; gives the old and the new."""
    place = key_folder(folder)
    load_server_key(folder)
    with naming(place, "key folder", "keys/folder", "written"), _alone(place):
        old, new = _load_own(place / SERVER_FILE), _new_key()
        gone = PublicKey(old.public, old.since, until=new.since)
        # Listed first: killed in between, the old key is listed twice and not lost.
        _write_retired(place, gone)
        os.replace(_draft(place, _text_of(new)), place / SERVER_FILE)
    return gone, new


# ------------------------------------------------------------------------------------------------------------- arbiters


def create_arbiter_key(name: str, folder: Path | None = None) -> tuple[Path, Key]:
    """A new key for an arbiter in a file of its own, to be carried away. `keys/exists` if there is one already."""
    if _NAME.fullmatch(name) is None:
        raise UsageError("keys/name", f"{name!r} is no name for a key; use letters, digits, '.', '-' and '_'.")
    place = key_folder(folder)
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


def _text_of(key: Key) -> bytes:
    # Text before the first dashes is no part of a PEM, and every tool skips it.
    words = f"matchledger private key {key.fingerprint}: keep it to yourself\nsince: {key.since.isoformat()}\n"
    return words.encode() + key._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _load_own(path: Path) -> Key:
    """A key in the ledger's own folder, which is nobody else's either."""
    with naming(path.parent, "key folder", "keys/unreadable", "read"):
        _refuse_readable(path.parent)
    return _load(path)


def _load(path: Path) -> Key:
    text = read_file(path, "key file", "keys/unreadable", missing="keys/missing")
    try:
        private = load_pem_private_key(text, None)
        found = _SINCE.search(text)
        since = datetime.fromisoformat(found[1].decode()) if found else datetime.fromtimestamp(_mtime(path), UTC)
    except (ValueError, TypeError) as error:
        raise Unavailable("keys/damaged", f"Key file {str(path)!r} holds no key that reads.") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise Unavailable("keys/damaged", f"Key file {str(path)!r} holds another kind of key; Ed25519 is needed.")
    _refuse_readable(path)
    return Key(private, since)


def _mtime(path: Path) -> int:
    return int(path.stat().st_mtime)


def _make_private_folder(place: Path) -> None:
    with naming(place, "key folder", "keys/folder", "used"):
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            place.mkdir(mode=stat.S_IRWXU)
        _refuse_readable(place)


def _refuse_readable(path: Path) -> None:
    """A private key others can read is not private: refuse it rather than sign with it."""
    mode = path.stat().st_mode
    if os.name == "posix" and mode & _OTHERS_MAY:
        wanted = "700" if stat.S_ISDIR(mode) else "600"
        raise Unavailable(
            "keys/readable",
            f"{str(path)!r} has mode {stat.S_IMODE(mode):03o}, so others can get at the private key;"
            f" say chmod {wanted} to it, and rotate the key if it may have been read.",
        )


def _draft(place: Path, text: bytes) -> Path:
    """A file of its own with this text, readable by nobody else, not yet under its name."""
    handle, name = mkstemp(dir=place, prefix=".draft-")
    with os.fdopen(handle, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def _create(path: Path, key: Key) -> bool:
    """Whether this process put the key there; the first of several wins, and nobody ever sees half a file."""
    with naming(path, "key file", "keys/folder", "written"):
        draft = _draft(path.parent, _text_of(key))
        try:
            os.link(draft, path)
        except FileExistsError:
            return False
        finally:
            draft.unlink()
    return True


def _write_retired(place: Path, key: PublicKey) -> None:
    folder = place / RETIRED_FOLDER
    folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
    assert key.until is not None
    value = {"public": key.public, "since": key.since.isoformat(), "until": key.until.isoformat()}
    text = json.dumps(value, indent=2).encode() + b"\n"
    os.replace(_draft(folder, text), folder / f"{key.fingerprint}.json")


def _read_retired(path: Path) -> PublicKey:
    text = read_file(path, "retired key", "keys/unreadable")
    try:
        value = json.loads(text)
        since, until = datetime.fromisoformat(value["since"]), datetime.fromisoformat(value["until"])
        return PublicKey(public_key(value["public"]), since, until)
    except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
        raise Unavailable("keys/damaged", f"{str(path)!r} does not hold a retired public key.") from error


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """One rotation at a time: of two new keys at once one would be lost, with whatever it had signed by then."""
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
