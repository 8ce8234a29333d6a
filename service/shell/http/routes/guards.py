"""How a request that changes a match is guarded: by the head its sender saw, and by a key that makes it repeatable."""

import re
from typing import Annotated, Final

from litestar.params import HeaderParameter
from msgspec import Struct
from msgspec.structs import replace

from service.errors import Conflict, UsageError
from service.limits import NUMBER, quoted
from service.play.appending import Call
from service.play.history import Live

SHORTEST_KEY: Final = 16
"""Characters of an Idempotency-Key: one that others might think of too would mix up their matches."""

IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match", description="The ETag of the match as you saw it; 412 when it has moved on.", max_length=200
    ),
]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Any text of 16 to 200 characters that nobody else would choose, such as a UUID: a request that is"
        " sent again with it gets the first outcome.",
        max_length=200,
    ),
]
_ETAG: Final = re.compile(r'(?:W/)?"?(\d{1,9})-([0-9a-f]{16})(?:-[0-9a-f]{8})?"?')


class Guard(Struct, frozen=True):
    """How a request is guarded: by the head it names, and by a key that makes a repetition harmless."""

    head: tuple[int, str] | None
    key: str | None

    def on(self, call: Call, live: Live) -> Call:
        """A call that is guarded so, for a match."""
        if self.head is None:
            return replace(call, command=self.key)
        seq, hash_ = self.head
        if seq == live.head.seq and not live.head.hash.hex().startswith(hash_):
            raise Conflict("store/stale-head", f"Match {live.id} has another history than the one you looked at.")
        return replace(call, expected=seq, command=self.key)


def guard(if_match: str | None, key: str | None) -> Guard:
    """The guards of a request, or a refusal of what is none."""
    if key is not None and not (SHORTEST_KEY <= len(key) <= 200 and key.isprintable()):
        raise UsageError(
            "http/idempotency-key",
            f"{quoted(key)} is not an Idempotency-Key; give {SHORTEST_KEY} to 200 characters, such as a UUID.",
        )
    if if_match is None or if_match.strip() == "*":
        return Guard(None, key)
    read = _ETAG.fullmatch(if_match.strip())
    if read is None or int(read[1]) > NUMBER:
        raise UsageError("http/if-match", f"{quoted(if_match)} is not an ETag of a match; send the one you were given.")
    return Guard((int(read[1]), read[2]), key)
