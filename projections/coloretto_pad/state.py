"""A score pad of Coloretto, folded: the game's table at its end, with collections that are still being counted."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import asdict

from events.coloretto import ColoursNamed, GameEnded, JokerAssigned, LastRoundEnded
from events.coloretto_pad import CardsCounted, CollectionClosed
from events.core import Event, Seat
from projections.coloretto import state as coloretto

COUNTING: Final = "count"
"""The phase before the game's own last one."""
OPEN: Final = "open"
"""The value of `removedColours` where nobody said which colours are out (CP-4)."""
SHARED: Final = (LastRoundEnded, JokerAssigned, ColoursNamed, GameEnded)
"""How a pad ends: like the game."""

_UNUSED: Final = {
    "startCards": "choose",
    "twoPlayerStart": "all-distinct",
    "greenRowCapacities": "1,2,3",
    "firstPlayer": "seat:1",
    "goldenJoker": "false",  # it scores like any other (CP-3)
    "cardsUnderLastRound": "0",  # cards that nobody drew are in no collection
}
"""What the game wants to know and no point depends on."""


class State(coloretto.State):
    """A score pad: the game's table, and who is still counting."""

    counting: tuple[Seat, ...]
    """Who has not counted everything yet."""


def initial(seats: int, options: Mapping[str, str]) -> State:
    """All cards in the deck, from which the collections are counted off: nobody can have more than there are."""
    removed = options["removedColours"]
    words = {**_UNUSED, **options, "removedColours": "random" if removed == OPEN else removed}
    table = asdict(coloretto.initial(seats, words))
    return State(**{**table, "phase": COUNTING}, counting=tuple(range(1, seats + 1)))


def to_act(state: State) -> tuple[Seat, ...]:
    """Everybody who has cards to count, in any order (CP-2); then everybody with an end decision left."""
    return state.counting if state.phase == COUNTING else coloretto.to_act(state)


def _cards_counted(state: State, event: CardsCounted) -> None:
    state.tableaus[event.seat - 1].cards[event.card] += event.cards
    state.deck[event.card] -= event.cards
    state.undrawn -= event.cards


def _collection_closed(state: State, event: CollectionClosed) -> None:
    state.counting = tuple(seat for seat in state.counting if seat != event.seat)


APPLY: Final[dict[type[Event], Callable[[Any, Any], None]]] = {
    CardsCounted: _cards_counted,
    CollectionClosed: _collection_closed,
    **{kind: coloretto.APPLY[kind] for kind in SHARED},
}
