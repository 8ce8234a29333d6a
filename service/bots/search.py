"""The search bot, for any game: how it judges actions, and how many playouts each level has."""

import re
import sys
from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from events.core import Seat
from projections.core import State
from service.bots.core import Bot
from service.bots.tree import Tree
from service.games.core import Action
from service.games.game import Game

LEVELS: Final[dict[int, int]] = {1: 3, 2: 15, 3: 100, 4: 400, 5: 1600}
"""Playouts of each level."""


class Judged(NamedTuple):
    """An action, and what came of trying it."""

    action: Action
    value: float
    """How many points the seat is expected to be ahead of its best rival when the round ends."""
    visits: int
    """Playouts it was tried in; with none, its value follows from the estimate alone."""


def judge(
    game: Game,
    state: State,
    seat: Seat,
    playouts: int,
    rng: Random,
    seconds: float | None = None,
    among: Sequence[Action] | None = None,
) -> list[Judged]:
    """Every legal action of the seat, best first; value is in points: how far ahead of its best rival the seat is
    expected to be.

    The best is the one tried most often. With seconds given, thinking ends after them at the latest; with legal actions
    given, no others are tried.
    """
    actions = game.rules.legal(state, seat) if among is None else among
    if not actions:
        return []
    tree = Tree(game, state, seat, actions, rng)
    until = None if seconds is None else monotonic() + seconds
    for _ in range(playouts):
        tree.play_out()
        if until is not None and monotonic() >= until:
            break
    return _judged(game, tree)


def _judged(game: Game, tree: Tree) -> list[Judged]:
    root = tree.root
    gains = [game.estimate(root.state, root.seat, action) for action in root.actions]
    first = max(range(len(gains)), key=root.visits.__getitem__)
    expected = root.sums[first] / root.visits[first]
    found = [
        Judged(action, total / visits if visits else expected + min(0.0, gain - gains[first]), visits)
        for action, gain, visits, total in zip(root.actions, gains, root.visits, root.sums, strict=True)
    ]
    return sorted(found, key=lambda one: (one.visits, one.value), reverse=True)


# ------------------------------------------------------------------------------------------------ what it is called

_BUDGET: Final = re.compile(r"(?P<level>[1-5])|(?P<playouts>[1-9][0-9]{0,3})p|(?P<seconds>[0-9](\.[0-9]{1,3})?)s")
_USUAL: Final = "3"


def search_bot(argument: str) -> Bot | None:
    """The bot with a level `3`, with so many playouts `400p` or so many seconds `0.5s`; None for anything else."""
    budget = _BUDGET.fullmatch(argument or _USUAL)
    if budget is None:
        return None
    seconds = float(budget["seconds"]) if budget["seconds"] else None
    if seconds is not None:
        playouts = sys.maxsize
    else:
        playouts = int(budget["playouts"]) if budget["playouts"] else LEVELS[int(budget["level"])]

    def search(game: Game, state: State, seat: Seat, rng: Random) -> Action:
        actions = game.rules.legal(state, seat)
        return actions[0] if len(actions) == 1 else judge(game, state, seat, playouts, rng, seconds)[0].action

    return search
