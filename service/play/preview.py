"""Preview of legal actions: words and certain points of each; nothing is changed, and chance is never asked."""

from collections.abc import Sequence
from typing import NamedTuple

from events.core import Event, Seat
from projections.story import imperative
from projections.words import count
from service.games.core import Action
from service.play.history import History
from service.play.moves import legal_moves


class Choice(NamedTuple):
    """A legal action of a seat."""

    move: str
    """As it is written."""
    words: str
    """The action in the imperative, without a full stop: `Take 2 blue from display 1 to line 2`."""
    action: Action
    points: int
    """What it changes in the seat's score at once."""
    path: Sequence[str]
    """The parts of the drawing one touches for it, in order."""


def points_of(events: Sequence[Event], seat: Seat) -> int:
    """What these events change in the score of a seat; a score is the sum of its lines."""
    return sum(line.applied for event in events for line in event.scores if line.seat == seat)


def choices(live: History, seat: Seat) -> list[Choice]:
    """Every legal action of a seat in the order of the rules, with its words and its points.

    What is decided holds all that follows without a choice and no draw: the points are those that are certain.
    """
    found: list[Choice] = []
    game, state = live.game, live.table.state
    for move, action in legal_moves(live, seat).items():
        events = game.rules.decide(state, seat, action)
        words = imperative(game.projection, events[0], live.names)
        found.append(Choice(move, words, action, points_of(events, seat), game.path(state, seat, action)))
    return found


def doubt(live: History, choice: Choice, listed: Sequence[Choice]) -> str:
    """What to ask before a costly choice; empty where there is nothing to ask."""
    if live.game.pad_of or live.opened.chance == "recorded":
        return ""  # what was done at a real table is entered, not chosen
    better = regret(choice, listed)
    return "" if better is None else f"{_cost(choice)}; {_cost(better)}. Play {choice.move} all the same?"


def _cost(choice: Choice) -> str:
    """What a move costs or brings at once, in half a sentence."""
    if choice.points < 0:
        return f"{choice.move} would cost {count(-choice.points, 'point')}"
    if choice.points > 0:
        return f"{choice.move} would bring {count(choice.points, 'point')}"
    return f"{choice.move} would {'give up your further turns' if choice.action.passes else 'cost none'}"


def regret(choice: Choice, listed: Sequence[Choice]) -> Choice | None:
    """What to point out before a costly choice: one that is plainly better now. None where there is nothing to say.

    A move is costly that loses points while another would lose none. A pass is costly that loses more points than
    another pass, or that gives up a move which brings points.
    """
    if choice.action.passes:
        better = [
            other for other in listed if other.points > choice.points and (other.action.passes or other.points > 0)
        ]
    else:
        better = [other for other in listed if choice.points < 0 <= other.points]
    return max(better, key=lambda other: other.points, default=None)
