"""What whoever runs the service may decide."""

import os
from typing import Final

import msgspec
from msgspec import Struct

from service.store.connect import TIMEOUT

VARIABLE: Final = "MATCHLEDGER_SERVING"
"""How the settings reach worker processes."""


class Settings(Struct, frozen=True, kw_only=True):
    """Where the ledger is, and how much anybody may ask of it. docs/http.md tells people the same numbers."""

    database: str
    timeout: float = TIMEOUT
    """Seconds to wait for the database."""
    body_bytes: int = 64 << 10
    """The body of a request."""
    record_bytes: int = 8 << 20
    """The body of a request that brings records."""
    page_size: int = 100
    """The most matches, or hundreds of events, in one answer."""
    rate: float = 50.0
    """Requests a second that one token, or one address without a token, may make for long; 0 sets no limit."""
    burst: int = 200
    """How many of them may come at once."""
    streams: int = 16
    """Live streams one token, or one address without a token, may have open."""
    hint_level: int = 3
    """The highest level of a hint."""
    review_level: int = 3
    """The highest level of a review."""
    heartbeat: float = 15.0
    """Seconds after which a silent stream says that it is still there."""
    cached_matches: int = 1_000
    """Matches kept folded in memory."""
    origins: tuple[str, ...] = ()
    """Other origins whose pages may use the service; none unless configured."""

    def put_into_environment(self) -> None:
        """Let processes started from here find them."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()


def from_environment() -> Settings:
    """The settings of a worker process."""
    return msgspec.json.decode(os.environ[VARIABLE], type=Settings)
