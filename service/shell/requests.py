"""What is sent to the service beside commands, and what every body of a request has in common."""

from typing import Annotated

from msgspec import Meta, Struct

from service.play.commands import Points, SeatNumber, Word

Hexadecimal = Annotated[str, Meta(max_length=200)]


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A body of a request. An unknown field is refused: it may be a misspelt one."""


class SignedBody(Body, frozen=True, kw_only=True):
    """Something an arbiter signs: with a key of the arbiter's own, or by the service with its own key."""

    arbiter: Word
    """What the arbiter signs as."""
    key: Hexadecimal = ""
    """The public key; without one, the service signs with its own."""
    signature: Hexadecimal = ""
    """Over the match, its head (say it with If-Match) and the whole content, as docs/arbiters.md tells."""


class TokenWish(Body, frozen=True, kw_only=True):
    """Whose token to give or to renew."""

    role: Word
    """`host`, `seat`, `arbiter`, or `spectator` in a private match."""
    seat: Annotated[int, Meta(ge=0, le=99)] = 0


class Claims(Body, frozen=True, kw_only=True):
    """Totals somebody claims, by seat."""

    totals: Annotated[dict[SeatNumber, Points], Meta(min_length=1, max_length=20)]
