"""The bots that do not think ahead."""

from random import Random

from events.core import Seat
from projections.core import State
from service.games.core import Action
from service.games.game import Game


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
