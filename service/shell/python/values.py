"""What the facade answers with where a seat's number alone would not say enough: values that carry names and print."""

from typing import NamedTuple

from projections.words import signed

from ...games.options import Option


class Game(NamedTuple):
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
