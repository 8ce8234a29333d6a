"""The rules of a score pad of Coloretto (docs/rules/coloretto-pad.md): collections are counted, then scored as ever."""

from typing import Final

from events.coloretto import Kind
from events.coloretto_pad import CardsCounted, CollectionClosed
from events.core import Actor, Event, Seat
from projections.coloretto.state import COLOUR_NAMES, COLOURS, JOKER, KINDS, REMOVED
from projections.coloretto_pad.state import APPLY, COUNTING, OPEN, State
from projections.copying import copied
from service.games.coloretto.ending import (
    AssignJoker,
    NameColours,
    decide_joker,
    decide_plus,
    end_last_round,
    legal_decisions,
)
from service.games.coloretto.rules import OPTIONS as GAME_OPTIONS
from service.games.coloretto.rules import rank
from service.games.core import Action, Rules
from service.games.options import Choices, Option, Several
from service.games.refusals import Refusals


def _removable(seats: int) -> Choices:
    return (OPEN, Several(REMOVED[seats], COLOUR_NAMES, "colour")) if REMOVED[seats] else (OPEN,)


OPTIONS: Final = (
    Option("removedColours", OPEN, _removable, "the colours left out, such as green,white (CP-4)"),
    *(option for option in GAME_OPTIONS if option.name in ("scoringSide", "jokerScope", "finalDecisions", "tieBreak")),
)


class CountCards(Action, frozen=True, gc=False, tag="coloretto_pad.count_cards"):
    """Enter all cards of one kind."""

    card: Kind
    cards: int


class CloseCollection(Action, frozen=True, gc=False, tag="coloretto_pad.close_collection"):
    """Say that there are no more cards."""


def legal(state: State, seat: Seat) -> list[Action]:
    """Every entry open to the seat."""
    if state.phase != COUNTING:
        return legal_decisions(state, seat) if seat in state.deciding else []
    if seat not in state.counting:
        return []
    held = state.tableaus[seat - 1].cards
    counts = [
        CountCards(card, cards)
        for card in range(JOKER + 1)
        if not held[card] and (card >= COLOURS or card in state.colours)
        for cards in range(1, state.deck[card] + 1)
    ]
    return [*counts, CloseCollection()]


def decide(state: State, actor: Actor, action: Action) -> list[Event]:
    """The events of an entry, or IllegalAction with the rule that forbids it."""
    seat = _REFUSALS.acting_seat(state, actor, action)
    if isinstance(action, AssignJoker):
        return decide_joker(state, seat, action)
    if isinstance(action, NameColours):
        return decide_plus(state, seat, action)
    if not isinstance(action, CountCards | CloseCollection):
        raise _REFUSALS.unknown_action(action)
    if seat not in state.counting:
        raise _illegal("closed", "CP-2", f"Seat {seat} has counted everything already.")
    return [_counted(state, seat, action)] if isinstance(action, CountCards) else _closed(state, seat)


_REFUSALS: Final = Refusals(
    "coloretto-pad", "an entry of a score pad", over="CO-54", seat="CP-1", action="CP-2", done="entered"
)
_illegal: Final = _REFUSALS.illegal


def _counted(state: State, seat: Seat, action: CountCards) -> CardsCounted:
    card, cards = action.card, action.cards
    if not 0 <= card <= JOKER:
        raise _illegal("card", "CP-3", f"There is no kind of card {card} to count; choose 0–{JOKER}.")
    name = KINDS[card]
    if card < COLOURS and card not in state.colours:
        raise _illegal("removed", "CO-11", f"{name.capitalize()} was left out of this game.")
    if held := state.tableaus[seat - 1].cards[card]:
        raise _illegal(
            "twice", "CP-2", f"Seat {seat} has counted its {name} cards already: {held}; undo to correct it."
        )
    if not 1 <= cards <= state.deck[card]:
        raise _illegal(
            "too-many",
            "CO-7",
            f"{cards} {name} is too many: {state.deck[card]} are left outside the other collections.",
        )
    return CardsCounted(seat=seat, card=card, cards=cards)


def _closed(state: State, seat: Seat) -> list[Event]:
    closed = CollectionClosed(seat=seat)
    after = copied(state)
    APPLY[CollectionClosed](after, closed)
    return [closed] if after.counting else [closed, *end_last_round(after)]


RULES: Final = Rules(
    ruleset="coloretto-pad/1",
    seats=range(2, 6),
    options=OPTIONS,
    actions=(CountCards, CloseCollection, AssignJoker, NameColours),
    legal=legal,
    request=lambda state: None,  # CP-6
    decide=decide,
    rank=rank,
    areas=("coloretto", "coloretto-pad"),
)
