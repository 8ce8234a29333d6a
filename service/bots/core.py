"""The bots every game has: `random` takes any legal action, `greedy` the one that looks best right now."""

from collections.abc import Callable
from random import Random
from typing import Final

from events.core import Seat
from projections.core import State
from service.errors import unknown
from service.games import Game
from service.rules.core import Action

PATIENCE: Final = 2000
"""Actions after which bots give a match up. Nothing ends a free-placement match in which no tile fits anywhere any more
(AZ-87 sets no limit), and bots would go on for ever; real matches take a few hundred."""

Bot = Callable[[Game, State, Seat, Random], Action]


def random_bot(game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """Any legal action, each as likely as the next."""
    actions = game.rules.legal(state, seat)
    return actions[int(rng.random() * len(actions))]


def greedy_bot(game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """The action with the best immediate change of score, penalties included; equals are drawn by lot."""
    actions = game.rules.legal(state, seat)
    values = [game.estimate(state, seat, action) for action in actions]
    best = max(values)
    candidates = [action for action, value in zip(actions, values, strict=True) if value == best]
    return candidates[int(rng.random() * len(candidates))]


BOTS: Final[dict[str, Bot]] = {"random": random_bot, "greedy": greedy_bot}


def find_bot(name: str) -> Bot:
    """The bot of that name, or a refusal listing the choices."""
    if name not in BOTS:
        raise unknown("bot/unknown", "a bot", name, BOTS)
    return BOTS[name]
