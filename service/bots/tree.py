"""The search tree: what may come, one playout at a time, over the rules of any game.

Everything lies open at these tables but what is still to be drawn. So the tree has two kinds of places: where a seat
decides, the branches are its actions; where chance is asked, they are the outcomes met so far, each drawn anew from
the pool that the rules show to everybody.
"""

from collections.abc import Sequence
from math import exp, inf, sqrt
from random import Random
from typing import Final

from msgspec import Struct

from events.core import CHANCE, Actor, Seat
from projections.core import State
from service.games.core import Action, Outcome, Request, draw, lefts
from service.games.game import Game

CURIOSITY: Final = 1.0
"""How much a promising action that was tried little is preferred to one that has done well, in spans of all results."""
SHARPNESS: Final = 1.0
"""What a point of the estimate makes of an action's promise, as a power of e."""
LOOKED_AT: Final = 40
"""Actions of which the most promising is played where the tree ends: drawn by lot, if there are more.

With 16, too few for the many ways to place in Summer Pavilion, 5 of 20 matches were won against this.
"""
LONGEST: Final = 100
"""Actions after which a playout stops in a game without rounds."""


class DecisionNode(Struct, gc=False):
    """A seat is to act."""

    state: State
    seat: Seat
    places: "dict[Action, Place]" = {}
    """Where its actions led, of those that were tried."""
    actions: Sequence[Action] = ()
    """Every legal one, once a playout has come here again; the three lists are about them."""
    promises: list[float] = []
    """How likely it is to be the best, before any was tried."""
    visits: list[int] = []
    sums: list[float] = []
    """What all playouts through it came to for the seat, added up."""


class DrawNode(Struct, gc=False):
    """Chance is asked."""

    state: State
    request: Request
    places: "dict[Action, Place]" = {}


class End(Struct, gc=False):
    """The round is over, or the match."""

    margins: list[float]
    """How many points each seat is ahead of its best rival."""


Place = DecisionNode | DrawNode | End


def drawn_by_lot(request: Request, rng: Random) -> Outcome:
    """What chance may answer, every piece of the pool being as likely as the next."""
    # `random.sample` with counts does the same in two or three times the time, a tenth of a playout of Coloretto.
    return draw(request, [int(rng.random() * left) for left in lefts(request)])


class Tree:
    """What may come after a state in which a seat is to take one of these actions."""

    def __init__(self, game: Game, state: State, seat: Seat, actions: Sequence[Action], rng: Random) -> None:
        self._game, self._rng = game, rng
        self._worth = game.worth or game.projection.scores
        self._least, self._most = inf, -inf
        self.root = DecisionNode(game.projection.copy(state), seat)
        self._open(self.root, actions)

    def play_out(self) -> None:
        """Go down to the edge of the tree, add a place there, play on to the end of the round, and count."""
        copy = self._game.projection.copy
        path: list[tuple[DecisionNode, int]] = []
        place: Place = self.root
        while not isinstance(place, End):
            actor: Actor = CHANCE
            if isinstance(place, DecisionNode):
                chosen = self._choose(place)
                path.append((place, chosen))
                actor, action = place.seat, place.actions[chosen]
            else:
                action = drawn_by_lot(place.request, self._rng)
            following = place.places.get(action)
            if following is None:
                state = copy(place.state)
                following = place.places[action] = self._place(state, self._carry_out(state, actor, action))
                if isinstance(following, DecisionNode):
                    following = self._played_on(copy(state))
            place = following
        self._learn(path, place.margins)

    def _place(self, state: State, is_over: bool) -> Place:
        request = None if is_over else self._game.rules.request(state)
        if request is not None:
            return DrawNode(state, request)
        to_act = () if is_over else self._game.projection.to_act(state)
        return DecisionNode(state, to_act[0]) if to_act else End(self._margins(state))

    def _carry_out(self, state: State, actor: Actor, action: Action) -> bool:
        """Whether the round in which this is done ends with it."""
        apply, rules, is_over = self._game.projection.apply, self._game.rules, False
        for event in (rules.enact or rules.decide)(state, actor, action):
            if rules.enact is None:
                apply[type(event)](state, event)
            is_over = is_over or event.round > 0
        return is_over

    def _margins(self, state: State) -> list[float]:
        worth = self._worth(state)
        return [
            own - max((other for rival, other in enumerate(worth) if rival != seat), default=0)
            for seat, own in enumerate(worth)
        ]

    # --------------------------------------------------------------------------------------------- inside the tree

    def _open(self, decision: DecisionNode, actions: Sequence[Action]) -> None:
        estimate, state, seat = self._game.estimate, decision.state, decision.seat
        decision.actions = actions
        points = [estimate(state, seat, action) for action in actions]
        most = max(points, default=0)
        weights = [exp(SHARPNESS * (gain - most)) for gain in points]
        total = sum(weights)
        decision.promises = [weight / total for weight in weights]
        decision.visits = [0] * len(actions)
        decision.sums = [0.0] * len(actions)

    def _choose(self, decision: DecisionNode) -> int:
        """The action that did best so far or, in its turn, one that promises more than it could show yet (PUCT)."""
        if not decision.actions:
            self._open(decision, self._game.rules.legal(decision.state, decision.seat))
        tried = sum(decision.visits)
        untried = sum(decision.sums) / tried if tried else 0.0
        span = max(1.0, self._most - self._least) if tried else 1.0
        curiosity = CURIOSITY * span * sqrt(tried + 1)
        best, chosen = -inf, 0
        for place, (promise, visits, total) in enumerate(
            zip(decision.promises, decision.visits, decision.sums, strict=True)
        ):
            value = (total / visits if visits else untried) + curiosity * promise / (1 + visits)
            if value > best:
                best, chosen = value, place
        return chosen

    def _learn(self, path: Sequence[tuple[DecisionNode, int]], margins: Sequence[float]) -> None:
        for decision, chosen in path:
            decision.visits[chosen] += 1
            decision.sums[chosen] += margins[decision.seat - 1]
        own = margins[self.root.seat - 1]
        self._least, self._most = min(self._least, own), max(self._most, own)

    # --------------------------------------------------------------------------------------------- beyond its edge

    def _played_on(self, state: State) -> End:
        """The end of the round, if everybody plays what looks best of a few actions."""
        legal, request = self._game.rules.legal, self._game.rules.request
        to_act, estimate, random = self._game.projection.to_act, self._game.estimate, self._rng.random
        is_over = False
        for _ in range(LONGEST):
            seats = to_act(state)
            if not seats:
                break
            seat = seats[0]
            actions = legal(state, seat)
            if len(actions) > LOOKED_AT:
                actions = [actions[int(random() * len(actions))] for _ in range(LOOKED_AT)]
            is_over = self._carry_out(state, seat, max(actions, key=lambda action: estimate(state, seat, action)))
            while not is_over and (wanted := request(state)) is not None:
                is_over = self._carry_out(state, CHANCE, drawn_by_lot(wanted, self._rng))
            if is_over:
                break
        return End(self._margins(state))
