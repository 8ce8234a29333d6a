"""Hints: the moves a search finds best, and the lead it expects, from what everybody at the table may know.

Nothing is changed. The generator is seeded by the match and its head, as a bot's is: asked again at the same point,
a search says the same, whoever asks.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from events.core import Seat
from projections.core import State
from service.bots.search import LEVELS, Judged, judge
from service.errors import Refused, unknown
from service.games.core import Action
from service.games.game import Game
from service.games.shelf import by_ruleset
from service.play.appending import refuse_unplayable
from service.play.history import History
from service.play.moves import seat_to_act, to_move
from service.play.preview import Choice, choices

LEVEL: Final = 3
"""The level of a hint where none is given."""
SHOWN: Final = 3
"""Moves that a hint names."""


class Weighing(NamedTuple):
    """A decision to be judged by a search, here or in another process; it holds only what every seat may know."""

    ruleset: str
    state: State
    seat: Seat
    playouts: int
    seed: str
    also: Action | None = None
    """An action to judge in any case: the one that was played."""


class WeighedChoice(NamedTuple):
    """A legal move, and what is expected of it."""

    choice: Choice
    expected: float
    """Points by which the seat is expected to be ahead of its best rival after this move."""


def read_level(text: str) -> int:
    """The level somebody names, or a refusal listing them."""
    known = {str(level): level for level in LEVELS}
    if text not in known:
        raise unknown("search/level", "a level", text, known)
    return known[text]


def weighing(
    match: str, game: Game, state: State, seat: Seat, head: int, level: int, also: Action | None = None
) -> Weighing:
    """What to ask about a seat that is to act after the event `head`."""
    return Weighing(game.rules.ruleset, state, seat, LEVELS[read_level(str(level))], f"{match} {head}", also)


def weighed(asked: Weighing) -> list[Judged]:
    """The actions found best, the best first, and one that was asked about; slow.

    A search seldom tries actions that look bad, so its first values for them are rough. The best ones are tried
    again, each alone and with the same draws, so that their values can be compared.
    """
    game = by_ruleset(asked.ruleset)
    state, seat = asked.state, asked.seat
    found = [one.action for one in judge(game, state, seat, asked.playouts, Random(asked.seed))]
    last = found[:SHOWN] if asked.also is None or asked.also in found[:SHOWN] else [*found[:SHOWN], asked.also]
    again = [judge(game, state, seat, asked.playouts, Random(asked.seed), among=[action])[0] for action in last]
    return sorted((one._replace(value=round(one.value, 2)) for one in again), key=lambda one: -one.value)


def asked_for(live: History, seat: Seat | None, level: int) -> Weighing:
    """What to ask for a seat, by default the one whose turn it is; refused where there is nothing to choose."""
    refuse_pad(live)
    if live.table.closed is not None:
        raise Refused("hint/over", f"Match {live.id} is over, and there is nothing to play; `review` looks through it.")
    refuse_unplayable(live)
    state = live.table.state
    if (request := live.game.rules.request(state)) is not None:
        raise Refused("hint/chance", f"There is nothing to choose now: the {request.purpose} comes first.")
    whose = seat_to_act(live, seat)
    if whose not in live.game.projection.to_act(state):
        raise Refused(
            "hint/turn", f"{live.names[whose]} (seat {whose}) is not to move now; it is the turn of {to_move(live)}."
        )
    return weighing(live.id, live.game, state, whose, live.envelopes[-1].seq, level)


def refuse_pad(live: History) -> None:
    """Refuse a score pad: what was done at a table is entered there, and nothing is chosen."""
    if live.game.pad_of:
        raise Refused(
            "search/pad", f"Match {live.id} is a score pad: what was done is entered there, and nothing is chosen."
        )


def hints(live: History, seat: Seat, found: Sequence[Judged]) -> list[WeighedChoice]:
    """What a search found, in words, the best first."""
    known = {choice.action: choice for choice in choices(live, seat)}
    return [WeighedChoice(known[one.action], one.value) for one in found]


def hint(live: History, seat: Seat | None = None, level: int = LEVEL) -> tuple[Seat, list[WeighedChoice]]:
    """The moves found best for a seat, at most three, and whose they are."""
    asked = asked_for(live, seat, level)
    return asked.seat, hints(live, asked.seat, weighed(asked))
