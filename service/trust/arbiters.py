"""What an arbiter signs and how anybody checks it: the message behind a ruling's signature."""

import os
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from events.dispute import SignedEvent
from service.files import read_text
from service.trust.folder import load_arbiter_key
from service.trust.keys import Key, public_key, verify

ARBITERS_VARIABLE: Final = "MATCHLEDGER_ARBITERS"
HEADING: Final = "matchledger ruling 1"
"""Names what is signed, so that no signature made for anything else can pass as a ruling."""


class Arbiter(NamedTuple):
    """Somebody who can sign as an arbiter."""

    name: str
    """What the arbiter signs as."""
    key: Key


def message(match: str, seq: int, head: bytes, event: SignedEvent) -> bytes:
    """What is signed: the match, the place right after event `seq` with its hash, and all the event says.

    The hash stands for the whole history before the ruling, so a ruling can be moved neither to another match nor to
    another past; the event is there as it is stored, with the signature left empty.
    """
    place = "\n".join((HEADING, match, str(seq), head.hex(), ""))
    return place.encode() + msgspec.json.encode(replace(event, signature=""))


def signed(arbiter: Arbiter, match: str, seq: int, head: bytes, event: SignedEvent) -> SignedEvent:
    """The event with its signature."""
    return replace(event, signature=arbiter.key.sign(message(match, seq, head, event)))


def is_signed(match: str, seq: int, head: bytes, event: SignedEvent) -> bool:
    """Whether the event bears the signature of the key it names."""
    return verify(event.key, message(match, seq, head, event), event.signature)


# ---------------------------------------------------------------------------------------------------------- key files


def read_arbiter(path: Path, name: str = "") -> Arbiter:
    """The arbiter whose private key (Ed25519, PEM) is in this file; named by it unless a name is given."""
    return Arbiter(name or path.stem, load_arbiter_key(path))


def registered_arbiters() -> list[str]:
    """The arbiters registered with this ledger, for matches that pin none."""
    path = os.environ.get(ARBITERS_VARIABLE)
    return read_arbiters(Path(path)) if path else []


def read_arbiters(path: Path) -> list[str]:
    """Public keys in a file, one a line; whatever follows a key on its line, and lines that begin with #, are words."""
    text = read_text(path, "list of arbiters", "keys/arbiters")
    return [
        public_key(line.split()[0], "match/arbiter")
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
