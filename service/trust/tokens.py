"""Tokens: whoever brings one may do what it was given for. The ledger keeps their hashes and forgets the tokens."""

import secrets
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import Final, Literal

from service.store.shapes import Grant

Role = Literal["host", "seat", "arbiter", "spectator"]
ROLES: Final[tuple[Role, ...]] = ("host", "seat", "arbiter", "spectator")
TOKEN_BYTES: Final = 32
REVOKED: Final = b""


def new_token() -> str:
    """256 random bits, as text that needs no escaping anywhere."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> bytes:
    """What is kept of a token: with so many random bits there is nothing to guess behind it."""
    return sha256(token.encode()).digest()


def granted(token: str, grants: Iterable[Grant]) -> list[Grant]:
    """What a token allows. Every grant is compared, each in the same time, whether it fits or not."""
    wanted = hashed(token)
    return [grant for grant in grants if compare_digest(grant.hash, wanted)]
