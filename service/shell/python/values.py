"""What the facade answers with where a seat's number alone would not say enough: values that carry names and print."""

from typing import NamedTuple

from projections.words import signed, tenths

from ...games.options import Option


class GameInfo(NamedTuple):
    """A game of the shelf.

    >>> print(matchledger.games()[0])
    azul: Azul, 2–4 seats
    """

    key: str
    """What `Ledger.start` calls it."""
    title: str
    ruleset: str
    """The rules a new match pins."""
    seats: range
    options: tuple[Option, ...]
    """What a table may agree on, each with its default, its choices and its meaning."""
    moves: dict[str, str]
    """Moves as they are written, with their meaning."""
    pad_of: str = ""
    """For a score pad: the game whose points it keeps."""

    def __str__(self) -> str:
        return f"{self.key}: {self.title}, {self.seats[0]}–{self.seats[-1]} seats"


class Points(NamedTuple):
    """One line of a score sheet.

    >>> print(Points(31, 1, 1, "Ann", 2, 2, 5, "AZ-46", "tile in row 2: row run 2"))
    Ann +2 = 5 (AZ-46, tile in row 2: row run 2)
    """

    event: int
    """The event that carries the points."""
    round: int
    seat: int
    player: str
    points: int
    requested: int
    """Differs from `points` only where a floor stopped a loss."""
    total: int
    """The seat's score after this line."""
    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.player} {signed(self.points)} = {self.total} ({self.rule}, {self.reason})"


class Place(NamedTuple):
    """One seat's place in a result; equal ranks share the place.

    >>> print(Place(1, 2, "Ben", 45, 3))
    1. Ben 45
    """

    rank: int
    seat: int
    player: str
    score: int
    tiebreak: int

    def __str__(self) -> str:
        return f"{self.rank}. {self.player} {self.score}"


class Hint(NamedTuple):
    """A legal move, and what a search expects of it.

    >>> print(Hint("2R2", "Take 2 red from display 2 to line 2", 3.42))
    2R2 (+3.4)
    """

    move: str
    words: str
    """The move in the imperative: `Take 2 blue from display 1 to line 2`."""
    expected: float
    """Points by which the seat is expected to be ahead of its best rival."""

    def __str__(self) -> str:
        return f"{self.move} ({tenths(self.expected)})"


class Decision(NamedTuple):
    """A move that was chosen among several, and the best one a search found.

    >>> print(Decision(31, 12, 1, "Ann", "2R2", "1K4", 0.5, 2.75))
    step 12: Ann 2R2 lost 2.8 points; better: 1K4
    """

    event: int
    """The event that recorded it."""
    step: int
    seat: int
    player: str
    move: str
    best: str
    """The same move where nothing better was found."""
    expected: float
    """Points by which the seat was expected to be ahead of its best rival after the move it played."""
    lost: float
    """Points given away against the best move found; 0 for the best move."""

    def __str__(self) -> str:
        better = f"; better: {self.best}" if self.lost else ""
        return f"step {self.step}: {self.player} {self.move} lost {self.lost:.1f} points{better}"


class Review(NamedTuple):
    """A match looked through with a search."""

    decisions: list[Decision]
    """All of them, in order."""
    worst: list[Decision]
    """The three that lost most, the worst first; fewer where there are not so many mistakes."""
    turning: Decision | None
    """The one from which on the winner was ahead; None where there is none."""
    course: str
    """The same in words."""

    def __str__(self) -> str:
        return "\n".join([*map(str, self.worst), self.course])
