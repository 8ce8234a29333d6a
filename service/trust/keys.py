"""Ed25519 keys: the ledger signs what it states, arbiters sign their rulings, and anybody can verify."""

import re
from binascii import unhexlify
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from service.errors import UsageError
from service.files import is_path, read_text

if TYPE_CHECKING:  # loaded by those who sign and verify; most commands do neither
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_HEAD: Final = "matchledger head 1"
_PUBLIC: Final = re.compile("[0-9a-f]{64}")
_SHOWN: Final = 80

# The curve of Ed25519 (RFC 8032): -x² + y² = 1 + d x² y² over the integers modulo p.
_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P


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

    def __init__(self, private: "Ed25519PrivateKey", since: datetime) -> None:
        self._private = private
        self.since = since
        self.public = private.public_key().public_bytes_raw().hex()

    def __repr__(self) -> str:
        return f"Key({self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        """Short enough to read out over a telephone."""
        return fingerprint(self.public)

    @property
    def private_text(self) -> bytes:
        """The key as its file holds it. Text before the first dashes is no part of a PEM, and every tool skips it."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        words = f"matchledger private key {self.fingerprint}: keep it to yourself\nsince: {self.since.isoformat()}\n"
        return words.encode() + self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, message: bytes) -> str:
        """The signature over a message, in hexadecimal. The message should say what it is for in its first line."""
        return self._private.sign(message).hex()


@lru_cache(maxsize=1024)
def fingerprint(public: str) -> str:
    """The first eight bytes of SHA-256 over the raw public key, in groups of four digits."""
    digits = sha256(_raw(public)).hexdigest()[:16]
    return "-".join(digits[start : start + 4] for start in range(0, 16, 4))


def verify(public: str, message: bytes, signature: str) -> bool:
    """Whether the signature over this message was made with the private half of this key. Never raises."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        raw = unhexlify(public)
        Ed25519PublicKey.from_public_bytes(raw).verify(unhexlify(signature), message)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return not _weakness(raw)


def public_key(text: str, code: str = "keys/public") -> str:
    """A public key as the ledger writes it: 64 hexadecimal digits in small letters, a key somebody can have made."""
    found = text.strip().lower()
    if _PUBLIC.fullmatch(found) is None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise UsageError(code, f"{shown!r} is not a public key; it has 64 hexadecimal digits.")
    if flaw := _weakness(unhexlify(found)):
        raise UsageError(code, f"{found!r} is not an Ed25519 public key: {flaw}.")
    return found


@lru_cache(maxsize=1024)
def _weakness(raw: bytes) -> str:
    """Why these 32 bytes are no key to trust: no point of the curve, or one of the few anybody can sign for."""
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= _P:
        return "it is not in canonical form"
    for _ in range(3):
        x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
        if pow(x_squared, (_P - 1) // 2, _P) > 1:
            return "it is not a point of the curve"
        y = (y * y + x_squared) * pow(2 + x_squared - y * y, -1, _P) % _P
    # Eight times the point is the neutral element: its order is small, and signatures under it can be made by anybody.
    return "it is of small order, and anybody can sign for it" if y == 1 else ""


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
    """What ledgers signed before they made statements: so many events, and the hash after them (docs/integrity.md)."""
    return f"{_HEAD}\n{match}\n{count}\n{head}\n".encode("utf-8", "surrogatepass")
