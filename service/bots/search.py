"""Provisional: flat Monte Carlo, until the search is merged."""

from collections.abc import Sequence
from operator import add
from random import Random
from typing import Final, NamedTuple

from events.core import CHANCE, Seat
from projections.core import State
from service.games.core import Action, Outcome, Request
from service.games.game import Game

LEVELS: Final[dict[int, int]] = {1: 30, 2: 100, 3: 300, 4: 1000, 5: 3000}


class Judged(NamedTuple):
    """An action, and how far ahead of its best rival the seat is expected to be after it."""

    action: Action
    value: float
    visits: int


def judge(
    game: Game,
    state: State,
    seat: Seat,
    playouts: int,
    rng: Random,
    seconds: float | None = None,
    among: Sequence[Action] = (),
) -> list[Judged]:
    """Every legal action of the seat, best first."""
    actions = among or game.rules.legal(state, seat)
    each = max(1, playouts // len(actions))
    found = []
    for action in actions:
        total = 0.0
        for _ in range(each):
            total += _played_out(game, game.projection.copy(state), seat, action, rng)
        found.append(Judged(action, total / each, each))
    return sorted(found, key=lambda one: -one.value)


def _played_out(game: Game, state: State, seat: Seat, action: Action, rng: Random) -> float:
    apply, rules = game.projection.apply, game.rules
    events = rules.decide(state, seat, action)
    for _ in range(30):
        for event in events:
            apply[type(event)](state, event)
        request = rules.request(state)
        if request is not None:
            events = rules.decide(state, CHANCE, _drawn(request, rng))
            continue
        to_act = game.projection.to_act(state)
        if not to_act:
            break
        legal = rules.legal(state, to_act[0])
        events = rules.decide(state, to_act[0], legal[int(rng.random() * len(legal))])
    scores = list(game.projection.scores(state))
    own = scores.pop(seat - 1)
    return own - max(scores)


def _drawn(request: Request, rng: Random) -> Outcome:
    pool: list[int] = []
    drawn: list[int] = []
    for stage in request.stages:
        pool = list(map(add, pool, stage.adds) if pool else stage.adds)
        for _ in range(stage.draws):
            kind = rng.choices(range(len(pool)), pool)[0]
            drawn.append(kind)
            if not stage.replaced:
                pool[kind] -= 1
    return Outcome(drawn=tuple(drawn))
