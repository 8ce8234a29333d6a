"""What is sent to the service: the bodies of its requests, for those who answer them and for the client."""

from typing import Annotated

from msgspec import Meta, Struct

from events.core import Seat
from service.limits import NUMBER
from service.shell.answers.match import AnyAction

Word = Annotated[str, Meta(max_length=200)]
Words = Annotated[str, Meta(max_length=4_000)]
Count = Annotated[int, Meta(ge=1, le=NUMBER)]
Minutes = Annotated[int, Meta(ge=0, le=NUMBER)]
SeatNumber = Annotated[int, Meta(ge=1, le=99)]
Hexadecimal = Annotated[str, Meta(max_length=200)]


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A body of a request. A field nobody knows is refused: it may be a misspelt one."""


class NewMatch(Body, frozen=True, kw_only=True):
    """A match to open."""

    game: Word
    players: Annotated[list[Word], Meta(max_length=20)] = []
    """Names, `bot:random`, `bot:greedy`, `bot:search:1` … `bot:search:5`, or a bot with a name: `Ada=bot:greedy`."""
    seats: SeatNumber | None = None
    """One for each player unless said; free ones wait for somebody to join."""
    options: Annotated[dict[Word, Word], Meta(max_length=50)] = {}
    undo: Word | None = None
    """`strict`, `consent` or `free`."""
    chance: Word | None = None
    """`fair`, `seeded` or `recorded`."""
    seed: Annotated[int, Meta(ge=-(2**53), le=2**53)] | None = None
    confirm_reveals: bool = False
    private: bool = False
    """Whether only those who have one of its tokens may look at it."""
    arbiters: Annotated[list[Word], Meta(max_length=20)] = []
    """Public keys of those who may rule, and `house` for the key of this service."""
    dispute_within: Minutes = 0
    appeal_within: Minutes = 0


class Join(Body, frozen=True, kw_only=True):
    """Somebody who sits down."""

    name: Word
    """A name, or a bot."""
    seat: SeatNumber | None = None
    """The first free one unless said."""
    nonce: Annotated[str, Meta(max_length=64)] = ""
    """Any text: one's own share in the draws."""


class Act(Body, frozen=True, kw_only=True):
    """What a seat does: a move as it is written, or an action as a value; one of the two."""

    move: Word | None = None
    action: AnyAction | None = None


class Deal(Body, frozen=True, kw_only=True):
    """What chance answers: by itself, or what was drawn where chance is recorded."""

    outcome: Words | None = None


class Steps(Body, frozen=True, kw_only=True):
    """How far to go back or forward; without a number, one's last move with the bots' replies to it."""

    steps: Count | None = None


class Rename(Body, frozen=True, kw_only=True):
    """A new name for a seat; empty forgets the name."""

    name: Word


class Fork(Body, frozen=True, kw_only=True):
    """A new match that goes on from a step of another."""

    step: Count | None = None
    """The last before its end unless said."""
    chance: Word = "resample"
    """`resample`, `same-draws` or `recorded`."""
    undo: Word = "free"
    private: bool = False


class TokenWish(Body, frozen=True, kw_only=True):
    """Whose token to give or to renew."""

    role: Word
    """`host`, `seat`, `arbiter`, or `spectator` in a private match."""
    seat: Annotated[int, Meta(ge=0, le=99)] = 0


class Claims(Body, frozen=True, kw_only=True):
    """Totals somebody claims, by seat."""

    totals: Annotated[dict[SeatNumber, Annotated[int, Meta(ge=-NUMBER, le=NUMBER)]], Meta(min_length=1, max_length=20)]


class NewDispute(Body, frozen=True, kw_only=True):
    """What a seat disputes: an event, or with `event` 0 a total."""

    words: Words
    event: Annotated[int, Meta(ge=0, le=NUMBER)] = 0
    of: SeatNumber | None = None
    """Whose points; the seat's own unless said."""
    claim: Annotated[int, Meta(ge=-NUMBER, le=NUMBER)] | None = None


class Appeal(Body, frozen=True, kw_only=True):
    """Why a ruling is appealed."""

    words: Words


class Adjustment(Body, frozen=True, kw_only=True):
    """Points given or taken by a ruling."""

    seat: Seat
    points: Annotated[int, Meta(ge=-NUMBER, le=NUMBER)]
    rule: Word = ""
    """The first rule of the ruling unless said."""


class SignedBody(Body, frozen=True, kw_only=True):
    """Something an arbiter signs: with a key of the arbiter's own, or by the service for the arbiter of the house."""

    arbiter: Word
    """What the arbiter signs as."""
    key: Hexadecimal = ""
    """The public key; without one, the key of the house signs."""
    signature: Hexadecimal = ""
    """Over the match, its head (say it with If-Match) and the whole content, as docs/arbiters.md tells."""


class Ruling(SignedBody, frozen=True, kw_only=True):
    """What an arbiter rules on a dispute."""

    rules: Annotated[list[Word], Meta(max_length=50)]
    reason: Words
    adjustments: Annotated[list[Adjustment], Meta(max_length=50)] = []


class AppealRuling(Ruling, frozen=True, kw_only=True):
    """What an arbiter decides on an appeal; overturned, the adjustments given here replace those of the ruling."""

    upheld: bool


class Final(SignedBody, frozen=True, kw_only=True):
    """That the ruled result stands."""
