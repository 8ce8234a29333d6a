"""What a bot is: asked for a seat's action, it answers with one of the legal ones."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol, runtime_checkable

from msgspec import Struct

from events.core import Seat, Standing
from events.match import ForfeitedTo, ForfeitReason
from projections.core import State
from service.games.core import Action
from service.games.game import Game

Bot = Callable[[Game, State, Seat, Random], Action]
"""Whatever a bot leaves to chance comes from the generator it is given: asked the same, it answers the same."""


class BotKind(Struct, frozen=True):
    """A kind of bot, as it is named behind `bot:`: `greedy`, or with an argument `search:3`."""

    name: str
    summary: str
    """What it does, in a sentence for whoever chooses."""
    make: Callable[[str], Bot]
    """The bot, from what follows the colon, which is empty where nothing does; refuses what it cannot mean."""
    examples: tuple[str, ...]
    """Names worth offering, each whole: `search:1`, `search:2`, …"""
    argument: str = ""
    """What follows the colon is, in a word: the `level` of `search:3`."""
    thinks: bool = False
    """Whether it may take longer than a moment: a service lets it think beside everything else, a screen says so."""
    is_outside: bool = False
    """Whether it runs what is not ours: only a user of this machine may seat it, never a request over the network."""


# -------------------------------------------------------------------------------------------------- bots from outside


class Occasion(NamedTuple):
    """What a bot is told about its match besides the state."""

    game: Game
    seats: int
    options: Mapping[str, str]


class Forfeit(Exception):
    """A bot from outside did not answer as it has to: why, what it said, and what was agreed to follow."""

    def __init__(self, why: ForfeitReason, follows: ForfeitedTo, said: str = "") -> None:
        super().__init__(why, follows, said)
        self.why, self.follows, self.said = why, follows, said


@runtime_checkable
class Outside(Protocol):
    """A bot that holds something open, from match to match: it is told when one begins and ends, and closed at last.

    Called as any other bot, it answers with a legal action or raises Forfeit.
    """

    def __call__(self, game: Game, state: State, seat: Seat, rng: Random) -> Action: ...

    def sit_at(self, folder: Path) -> None: ...

    def try_out(self, occasion: Occasion, seat: Seat) -> None: ...

    def begin(self, occasion: Occasion, seat: Seat) -> None: ...

    def end(self, reason: str, standings: Sequence[Standing]) -> None: ...

    def close(self) -> None: ...
