"""What happens on a score pad of Coloretto: collections are counted. Its end is written with the game's own facts."""

from events.coloretto import Kind
from events.core import Count, Event, Seat


class CardsCounted(Event, frozen=True, gc=False, tag="coloretto_pad.cards_counted"):
    """A seat counted its cards of one kind."""

    seat: Seat
    card: Kind
    """The golden joker is counted with the others (CP-3)."""
    cards: Count


class CollectionClosed(Event, frozen=True, gc=False, tag="coloretto_pad.collection_closed"):
    """A seat has counted everything it has (CP-2)."""

    seat: Seat


ColorettoPadEvent = CardsCounted | CollectionClosed
