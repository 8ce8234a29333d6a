"""What every fact shares: the event base, the score line and the envelope that carries an event through time."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Generic, Literal, TypeVar

from msgspec import Meta, Struct

if TYPE_CHECKING:  # where nobody says which kinds of event an envelope carries, it may be any
    from typing_extensions import TypeVar as DefaultingTypeVar

type_field: Final = "type"
"""The JSON key under which an event's tag is stored."""

# Every number of an event has its bounds in its type: the decoder refuses one that was made up to exhaust memory
# or to point beside the table, before anything is folded or drawn.

Seat = Annotated[int, Meta(ge=0, le=20)]
"""A place at the table, counted from 1 in turn order; 0 is nobody."""
Count = Annotated[int, Meta(ge=0, le=999)]
"""Tiles, cards or spaces: no table has a thousand of anything."""
Round = Annotated[int, Meta(ge=0, le=99_999)]
"""Rounds, counted from 1; 0 where an event begins none."""
Number = Annotated[int, Meta(ge=0, le=999_999_999)]
"""What a ledger counts with: events, steps, draws, minutes."""
Points = Annotated[int, Meta(ge=-999_999_999, le=999_999_999)]
Operand = Annotated[int, Meta(ge=-99_999, le=99_999)]
"""A number that points were made of."""

CHANCE: Final = "chance"
"""The actor who draws tiles and cards."""
LEDGER: Final = "ledger"
"""The actor who records what follows from no one's choice: opening and closing a match."""

ARBITER: Final = "arbiter"
"""The actor who rules on disputes."""

Actor = Seat | Literal["chance", "ledger", "arbiter"]


class Event(Struct, frozen=True, gc=False, tag_field=type_field, omit_defaults=True, forbid_unknown_fields=True):
    """A fact that has happened. Subclasses are past participles with a stable tag `game.snake_case`.

    Defaults are left out of the stored bytes, so a field added later with a default does not change the bytes, and
    therefore not the hash, of anything recorded before it. A field nobody knows is refused, because a
    fact that is half understood would be folded wrongly.
    """

    reveals: ClassVar[bool] = False
    """Whether the event shows somebody something that was hidden before; a strict undo never goes past it."""
    by_chance: ClassVar[bool] = False
    """Whether the event is chance's answer to one request; counting these along the timeline numbers the draws."""

    # A kind of event that has one of these declares a field of that name; every other kind answers that it has none.

    @property
    def scores(self) -> "tuple[ScoreLine, ...]":
        """The points it brought."""
        return ()

    @property
    def round(self) -> Round:
        """The round it began; 0 for a fact that began none, and in a game without rounds."""
        return 0

    @property
    def standings(self) -> "tuple[Standing, ...]":
        """The result it declared, best first."""
        return ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules it rests on itself, beside those of its points: a ruling's, or the one that ended a game."""
        return ()


class ScoreLine(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Points given or taken, with the rule and the reason. A seat's score is the sum of `applied`, always."""

    seat: Seat
    rule: str
    """A rule id of docs/rules, such as `AZ-46`."""
    reason: str
    """The kind of reason, such as `tile-placed`; its wording belongs to the game's projection."""
    requested: Points
    applied: Points
    """Differs from `requested` only where a floor stopped a loss."""
    operands: dict[str, Operand] = {}
    """The numbers the points were made of, such as a row run of 4 and a column run of 3."""


class Standing(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One seat's place in a result; equal ranks share the place."""

    seat: Seat
    rank: Count
    score: Points
    tiebreak: Points = 0


if TYPE_CHECKING:
    Kind = DefaultingTypeVar("Kind", bound=Event, covariant=True, default=Event)
else:
    Kind = TypeVar("Kind")


class Envelope(Struct, Generic[Kind], frozen=True, gc=False):
    """An event with its place in the history of one match."""

    match: str
    seq: Number
    """Counts the events of the match from 1, without gaps."""
    step: Number
    """Counts what was appended together; a step is stored whole or not at all."""
    at: datetime
    actor: Actor
    event: Kind
