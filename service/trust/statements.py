"""What a ledger signs: statements about heads of matches, its keys and its audits (docs/integrity.md has the bytes)."""

import re
from binascii import unhexlify
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from service.store.shapes import Hearsay, Signature
from service.trust.keys import Key, head_message, verify

HEADING: Final = "matchledger statement 2"
"""Names what is signed, so that no signature made for anything else can pass as a statement."""
NOBODY: Final = "0" * 64
"""Stands where there is no entry or no key before."""
NOTHING: Final = "-"
"""Stands where a statement is about no match."""

Kind = Literal[
    "opened", "joined", "closed", "added", "imported", "found", "exported", "receipt", "began", "adopted", "audited"
]  # fmt: skip
Claim = Literal["hosted", "witnessed", "kept", "-"]

OF_ARRIVAL: Final[tuple[Kind, ...]] = ("opened", "imported", "found")
"""How a match comes into a ledger. One that was played by bots at one go begins with its closing."""
OF_KEYS: Final[tuple[Kind, ...]] = ("began", "adopted")
OF_LEDGER: Final[tuple[Kind, ...]] = (*OF_KEYS, "audited")
"""What is said about the ledger itself and no match of it."""
KINDS: Final[dict[Kind, str]] = {
    "opened": "the match was opened",
    "joined": "somebody sat down",
    "closed": "the match was closed",
    "added": "a closed match was added to, as by a dispute",
    "imported": "the match came from elsewhere",
    "found": "the match was there before the journal",
    "exported": "the match was exported",
    "receipt": "a receipt was given",
    "began": "this key signs from here on; it follows the key named as head",
    "adopted": "this key goes on where another one, named as head, stopped",
    "audited": "every match of the journal up to the entry named by count and head was audited, and all were clean",
}
CLAIMS: Final[dict[Claim, str]] = {
    "hosted": "every step was decided by this ledger",
    "witnessed": "it came from elsewhere, and audits clean",
    "kept": "it is here, and nothing is said for it",
    "-": "it is about no match",
}

_LINES: Final = re.compile(
    "\n".join(
        (
            HEADING,
            f"kind (?P<kind>{'|'.join(KINDS)})",
            r"match (?P<match>[^\s\x00-\x20]{1,200})",
            "claim (?P<claim>hosted|witnessed|kept|-)",
            r"game (?P<game>[^\s\x00-\x20]{1,100})",
            r"ruleset (?P<ruleset>[^\s\x00-\x20]{1,100})",
            "count (?P<count>0|[1-9][0-9]{0,8})",
            "head (?P<head>[0-9a-f]{64})",
            r"at (?P<at>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)",
            "key (?P<key>[0-9a-f]{64})",
            "place (?P<place>[1-9][0-9]{0,8})",
            "previous (?P<previous>[0-9a-f]{64})",
            "",
        )
    )
)


class Draft(Struct, frozen=True):
    """What is to be said of a match or of the ledger, before it has a place in the journal."""

    kind: Kind
    match: str
    claim: Claim
    game: str
    ruleset: str
    """What decides the match; in a statement about an audit, the program that made it."""
    count: int
    """How many events the match had; in a statement about an audit, how many entries of the journal it covers."""
    head: str
    """The chain hash after them, in hexadecimal; in a statement about keys, the key before."""


class Statement(Draft, frozen=True):
    """What a ledger says of a match at one moment: which claim it makes, and where in its journal it says so."""

    at: str
    key: str
    """Whose statement it is: the public key, in hexadecimal."""
    place: int
    """Its number in that ledger's journal."""
    previous: str
    """The hash of the journal's entry before it."""
    signature: str = ""

    @property
    def text(self) -> bytes:
        """The canonical bytes, which are what is signed."""
        fields = asdict(self)
        del fields["signature"]
        lines = (HEADING, *(f"{name} {value}" for name, value in fields.items()), "")
        return "\n".join(lines).encode("utf-8", "surrogatepass")

    @property
    def hash(self) -> bytes:
        """What the next entry of the journal names as the one before it."""
        return sha256(self.text).digest()


Signed = Signature | Statement
"""Everything that vouches for a head: a statement, or a bare signature as ledgers made them before."""


def moment(at: datetime) -> str:
    """A time as statements write it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def signed(key: Key, statement: Statement) -> Statement:
    """The statement with the signature of the key it names."""
    return replace(statement, signature=key.sign(statement.text))


@lru_cache(maxsize=4096)
def is_genuine(signature: Signed) -> bool:
    """Whether the key it names signed what it says. Never raises."""
    if isinstance(signature, Statement):
        text = signature.text
        is_canonical = read_statement(text, signature.signature) is not None
        return is_canonical and verify(signature.key, text, signature.signature)
    message = head_message(signature.match, signature.count, signature.head)
    return verify(signature.key, message, signature.signature)


def read_statement(data: bytes, signature: str) -> Statement | None:
    """The statement in these bytes; None where they are not the canonical bytes of any."""
    try:
        found = _LINES.fullmatch(data.decode())
    except UnicodeDecodeError:
        return None
    if found is None:
        return None
    return msgspec.convert({**found.groupdict(), "signature": signature}, Statement, strict=False)


def as_hearsay(statement: Statement) -> Hearsay:
    """A statement of another ledger as the store keeps it."""
    return Hearsay(statement.match, statement.text, unhexlify(statement.signature))
