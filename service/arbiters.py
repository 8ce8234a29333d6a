"""What an arbiter signs and how anybody checks it: the message behind a ruling's signature."""

from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from msgspec.structs import replace

from events.dispute import SignedEvent
from service.errors import NotFound, Unavailable
from service.keys import verify
from service.matches import read_public_key

HEADING: Final = "matchledger ruling 1"
"""Names what is signed, so that no signature made for anything else can pass as a ruling."""


class ArbiterKey(Protocol):
    """Somebody who can sign as an arbiter."""

    @property
    def name(self) -> str:
        """What the arbiter signs as."""

    @property
    def public_key(self) -> str:
        """32 bytes in hexadecimal."""

    def sign(self, message: bytes) -> str:
        """The Ed25519 signature of the message, 64 bytes in hexadecimal."""


def message(match: str, seq: int, head: bytes, event: SignedEvent) -> bytes:
    """What is signed: the match, the place right after event `seq` with its hash, and all the event says.

    The hash stands for the whole history before the ruling, so a ruling can be moved neither to another match nor to
    another past; the event is there as it is stored, with the signature left empty.
    """
    place = "\n".join((HEADING, match, str(seq), head.hex(), ""))
    return place.encode() + msgspec.json.encode(replace(event, signature=""))


def signed(key: ArbiterKey, match: str, seq: int, head: bytes, event: SignedEvent) -> SignedEvent:
    """The event with its signature."""
    return replace(event, signature=key.sign(message(match, seq, head, event)))


def is_signed(match: str, seq: int, head: bytes, event: SignedEvent) -> bool:
    """Whether the event bears the signature of the key it names."""
    return verify(event.key, message(match, seq, head, event), event.signature)


# ---------------------------------------------------------------------------------------------------------- key files


class Arbiter(NamedTuple):
    """An arbiter with a key at hand."""

    name: str
    public_key: str
    private: Ed25519PrivateKey

    def sign(self, message: bytes) -> str:
        """The signature of the message, in hexadecimal."""
        return self.private.sign(message).hex()


def read_arbiter_key(path: Path, name: str = "") -> Arbiter:
    """The arbiter whose private key (Ed25519, PEM) is in this file; named by it unless a name is given."""
    try:
        private = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise NotFound("keys/missing", f"The key file {str(path)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise Unavailable("keys/damaged", f"The file {str(path)!r} holds no private key that reads.") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise Unavailable("keys/damaged", f"The file {str(path)!r} holds another kind of key; Ed25519 is needed.")
    return Arbiter(name or path.stem, public_key_of(private), private)


def public_key_of(private: Ed25519PrivateKey) -> str:
    """The public half in hexadecimal."""
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def read_arbiters(path: Path) -> list[str]:
    """Public keys in a file, one a line; whatever follows a key on its line, and lines that begin with #, are words."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable("keys/arbiters", f"The list of arbiters {str(path)!r} cannot be read: {error}.") from error
    return [read_public_key(line.split()[0]) for line in lines if line.strip() and not line.lstrip().startswith("#")]
