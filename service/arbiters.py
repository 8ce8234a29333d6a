"""What an arbiter signs and how anybody checks it: the message behind a ruling's signature."""

from typing import Final, Protocol

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from events.dispute import SignedEvent

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
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(event.key))
        key.verify(bytes.fromhex(event.signature), message(match, seq, head, event))
    except (ValueError, InvalidSignature):
        return False
    return True
