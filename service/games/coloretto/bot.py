"""The greedy bot's estimate for Coloretto: how good an action looks right now."""

from collections.abc import Iterable

from events.coloretto import Kind
from events.core import Seat
from projections.coloretto.state import JOKER, KINDS, State
from projections.coloretto.worth import optimal, optimum, score
from projections.coloretto.worth import worth as as_it_stands
from projections.copying import copied
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.rules import DrawCard, PlaceCard, TakeRow
from service.games.core import Action


def estimate(state: State, seat: Seat, action: Action) -> float:
    """What the action changes in the worth of the seat's tableau; a draw is worth the hope for a better row."""
    if isinstance(action, TakeRow):
        return gain(state, seat, state.rows[action.row - 1])
    if isinstance(action, DrawCard):
        return _hope(state, seat)
    if isinstance(action, PlaceCard):
        rows = [cards for cards, holder in zip(state.rows, state.holders, strict=True) if not holder]
        placed = state.rows[action.row - 1]
        after = [[*cards, state.drawn] if cards is placed else cards for cards in rows]
        rivals = [other for other in range(1, state.seats + 1) if other != seat and not state.out >> other & 1]
        worst = max((max(gain(state, rival, cards) for cards in after) for rival in rivals), default=0)
        return max(gain(state, seat, cards) for cards in after) - worst / 2
    if isinstance(action, AssignJoker):
        after_joker = copied(state)
        after_joker.tableaus[seat - 1].assigned[action.colour] += 1
        return optimum(after_joker, after_joker.tableaus[seat - 1]).total
    if isinstance(action, NameColours):
        tableau = state.tableaus[seat - 1]
        jokers = [colour for colour, given in enumerate(tableau.assigned) for _ in range(given)]
        return score(state.options, tableau.cards, jokers, action.colours)
    return 0


def worth(state: State) -> list[int]:
    """What every tableau would score as it lies: nothing is scored before the end. Colours that were named count."""
    return [
        as_it_stands(state, tableau) if tableau.plus else optimum(state, tableau).total for tableau in state.tableaus
    ]


def gain(state: State, seat: Seat, taken: Iterable[Kind]) -> int:
    """What these cards would add to the worth of a seat's tableau."""
    cards = state.tableaus[seat - 1].cards
    more = cards[:]
    for card in taken:
        more[min(card, JOKER)] += 1  # a golden joker is a joker; what it brings is unknown
    return optimal(state.options, more, state.colours).total - optimal(state.options, cards, state.colours).total


def _hope(state: State, seat: Seat) -> float:
    """The best row with the average next card in it, if nobody takes it first."""
    best = 0.0
    total = sum(state.deck)
    for index, cards in enumerate(state.rows):
        if state.open >> index & 1:
            gains = sum(
                state.deck[kind] * gain(state, seat, [*cards, kind]) for kind in range(len(KINDS)) if state.deck[kind]
            )
            best = max(best, gains / total)
    return best
