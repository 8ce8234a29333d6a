"""Everything that changes a match, as values: what is to be done. Who does it comes from the door, in a `Call`.

The command line, the HTTP service, its pages and Python programs all send these values; `service/handle.py` has the
function that carries each of them out. Over HTTP a command is the body of a request, so a field has bounds.
"""

from typing import Annotated

from msgspec import Meta, Struct

from events.core import Seat
from service.games.actions import AnyAction
from service.limits import NUMBER

Word = Annotated[str, Meta(max_length=200)]
Words = Annotated[str, Meta(max_length=4_000)]
Count = Annotated[int, Meta(ge=1, le=NUMBER)]
Minutes = Annotated[int, Meta(ge=0, le=NUMBER)]
SeatNumber = Annotated[int, Meta(ge=1, le=99)]
DisputeNumber = Annotated[int, Meta(ge=1, le=NUMBER)]
Points = Annotated[int, Meta(ge=-NUMBER, le=NUMBER)]


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that may change a match. An unknown field is refused: it may be a misspelt one."""


# ------------------------------------------------------------------------------------------------- opening and sitting


class OpenMatch(Command, frozen=True, kw_only=True):
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


class Fork(Command, frozen=True, kw_only=True):
    """A new match that goes on from a step of another."""

    step: Count | None = None
    """The last before its end unless said."""
    chance: Word = "resample"
    """`resample`, `same-draws` or `recorded`."""
    undo: Word = "free"
    private: bool = False


class Join(Command, frozen=True, kw_only=True):
    """Somebody who sits down."""

    name: Word
    """A name, or a bot."""
    seat: SeatNumber | None = None
    """The first free one unless said."""
    nonce: Annotated[str, Meta(max_length=64)] = ""
    """Any text: one's own share in the draws."""


class Rename(Command, frozen=True, kw_only=True):
    """A new name for a seat; an empty one is forgotten."""

    seat: Seat
    name: Word


# ------------------------------------------------------------------------------------------------------------- playing


class Act(Command, frozen=True, kw_only=True):
    """What a seat does: a move as it is written, or an action as a value; one of the two."""

    move: Word | None = None
    action: AnyAction | None = None


class Enter(Command, frozen=True, kw_only=True):
    """Several actions of a score pad, each with its seat: all of them are entered, or none is."""

    entries: tuple[tuple[Seat, AnyAction], ...]


class Deal(Command, frozen=True, kw_only=True):
    """What chance answers: by itself, or what was drawn where chance is recorded."""

    outcome: Words | None = None


class Undo(Command, frozen=True, kw_only=True):
    """How many steps to take back; without a number, one's last move with the bots' replies to it."""

    steps: Count | None = None


class Redo(Command, frozen=True, kw_only=True):
    """How many undone steps to play again; without a number, a move with the bots' replies to it."""

    steps: Count | None = None


class AnswerUndo(Command, frozen=True, kw_only=True):
    """Whether a seat agrees to an undo that another seat asked for."""

    accepts: bool


class Resign(Command, frozen=True, kw_only=True):
    """Give up: the match closes with the scores as they are and this seat last."""


class Abandon(Command, frozen=True, kw_only=True):
    """Close the match without a result."""


# ------------------------------------------------------------------------------------------------------------ disputes


class OpenDispute(Command, frozen=True, kw_only=True):
    """What a seat disputes: an event, or with `event` 0 a total."""

    words: Words
    event: Annotated[int, Meta(ge=0, le=NUMBER)] = 0
    of: SeatNumber | None = None
    """Whose points; the seat's own unless said."""
    claim: Points | None = None


class Appeal(Command, frozen=True, kw_only=True):
    """Why a ruling is appealed."""

    number: DisputeNumber
    words: Words


class Withdraw(Command, frozen=True, kw_only=True):
    """Take a dispute back before it is ruled."""

    number: DisputeNumber


class Adjustment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Points given or taken by a ruling."""

    seat: Seat
    points: Points
    rule: Word = ""
    """The first rule of the ruling unless said."""


class RuleDispute(Command, frozen=True, kw_only=True):
    """What an arbiter rules on a dispute."""

    number: DisputeNumber
    rules: Annotated[list[Word], Meta(max_length=50)]
    reason: Words
    adjustments: Annotated[list[Adjustment], Meta(max_length=50)] = []


class DecideAppeal(Command, frozen=True, kw_only=True):
    """What an arbiter decides on an appeal; overturned, the adjustments given here replace those of the ruling."""

    number: DisputeNumber
    rules: Annotated[list[Word], Meta(max_length=50)]
    reason: Words
    adjustments: Annotated[list[Adjustment], Meta(max_length=50)] = []
    upheld: bool


class Finalise(Command, frozen=True, kw_only=True):
    """That the ruled result stands."""
