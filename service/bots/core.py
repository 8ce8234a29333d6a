"""What a bot is: asked for a seat's action, it answers with one of the legal ones."""

from collections.abc import Callable
from random import Random

from msgspec import Struct

from events.core import Seat
from projections.core import State
from service.games.core import Action
from service.games.game import Game

Bot = Callable[[Game, State, Seat, Random], Action]
"""Whatever a bot leaves to chance comes from the generator it is given: asked the same, it answers the same."""


class Kind(Struct, frozen=True):
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
    """Whether it runs what is not ours: only whoever sits at this machine may seat it, never a request from afar."""
