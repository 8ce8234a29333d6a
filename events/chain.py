"""The hash chain that makes a rewritten history visible."""

from hashlib import sha256
from typing import Final

GENESIS: Final = "matchledger/1"
"""Names the chain format; it is part of the first hash of every match."""


def origin(match: str, game: str, ruleset: str) -> bytes:
    """The hash before the first event, binding the match, its game and its rules."""
    return sha256("\n".join((GENESIS, match, game, ruleset)).encode()).digest()


def link(previous: bytes, data: bytes) -> bytes:
    """The hash after an event with these canonical bytes: SHA-256 of the hash before it and the bytes."""
    return sha256(previous + data).digest()
