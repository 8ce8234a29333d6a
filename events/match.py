"""Facts about a match that hold for every game: opening, seats, undo and redo, and the end."""

from typing import Literal

from msgspec import Struct

from events.core import Event, Number, Seat, Standing

UndoPolicy = Literal["strict", "consent", "free"]
ChanceMode = Literal["fair", "seeded", "recorded"]
CloseReason = Literal["finished", "resigned", "abandoned"]
ForfeitReason = Literal["died", "late", "nonsense", "illegal"]
ForfeitedTo = Literal["greedy", "resignation"]


class Provenance(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Where a forked match comes from."""

    match: str
    step: Number
    hash: str
    """The parent's chain hash after that step, in hexadecimal."""
    draws: Number
    """How many draws of chance were taken over from the parent."""
    chance: Literal["same-draws", "resample", "recorded"]
    origin: str = ""
    """With the same draws, the match their secret was made for, where that is not the parent itself."""


class MatchOpened(Event, frozen=True, gc=False, tag="match.opened"):
    """A match was opened: the game, the pinned rules and everything agreed before the first move."""

    game: str
    ruleset: str
    seats: Seat
    options: dict[str, str]
    """Every option of the game, defaults included, so that a later default changes no old match."""
    undo: UndoPolicy
    chance: ChanceMode
    commitment: str = ""
    """SHA-256 commitment to the secret behind the draws; empty for recorded chance."""
    confirm_reveals: bool = False
    """Whether hidden things are shown only after a seat says `deal`, so that the move before can still be undone."""
    parent: Provenance | None = None
    arbiters: tuple[str, ...] = ()
    """Public keys (Ed25519, hexadecimal) of those who may rule on disputes; empty leaves it to the ledger."""
    dispute_within: Number = 0
    """Minutes after the closing in which a dispute may be opened; 0 sets no limit."""
    appeal_within: Number = 0
    """Minutes after a ruling in which it may be appealed; 0 sets no limit."""
    derivation: Number = 1
    """How draws follow from the secret: 1, from it and the nonces alone; 2, from the match and its rules as well."""


class SeatTaken(Event, frozen=True, gc=False, tag="match.seat_taken"):
    """Somebody sat down. Names of people are kept outside the chain; a nonce is the seat's share in the draws."""

    seat: Seat
    nonce: str = ""


class StepUndone(Event, frozen=True, gc=False, tag="match.step_undone"):
    """The latest effective step was taken back. It stays in the ledger."""

    step: Number


class StepRedone(Event, frozen=True, gc=False, tag="match.step_redone"):
    """The step undone last was played again as it was."""

    step: Number


class UndoRequested(Event, frozen=True, gc=False, tag="match.undo_requested"):
    """A seat asked the others to take back every step from `step` on."""

    seat: Seat
    step: Number


class UndoAccepted(Event, frozen=True, gc=False, tag="match.undo_accepted"):
    """A seat agreed to the open undo request."""

    seat: Seat


class UndoDeclined(Event, frozen=True, gc=False, tag="match.undo_declined"):
    """A seat refused the open undo request, which ends it."""

    seat: Seat


class SeatResigned(Event, frozen=True, gc=False, tag="match.seat_resigned"):
    """A seat gave up; the match closes with that seat last."""

    seat: Seat


class MoveForfeited(Event, frozen=True, gc=False, tag="match.move_forfeited"):
    """A program did not make its move. What follows for its seat is the next step."""

    seat: Seat
    why: ForfeitReason
    """The program ended, took too long, sent something that is no answer, or named an illegal move."""
    follows: ForfeitedTo
    """What was agreed for such a case: that greedy moves in its place, or that the seat resigns."""
    said: str = ""
    """What it said instead, in short."""


class MatchClosed(Event, frozen=True, gc=False, tag="match.closed"):
    """The match is over for good, and the secret behind its draws is public."""

    reveals = True

    reason: CloseReason
    standings: tuple[Standing, ...] = ()
    """Best first; empty when the match was abandoned."""
    secret: str = ""
    """The 32 secret bytes in hexadecimal; empty for recorded chance."""
    seed: str = ""
    """The integer the secret was made from, for seeded chance."""


MatchEvent = (
    MatchOpened
    | SeatTaken
    | StepUndone
    | StepRedone
    | UndoRequested
    | UndoAccepted
    | UndoDeclined
    | SeatResigned
    | MoveForfeited
    | MatchClosed
)
