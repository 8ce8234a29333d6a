"""The facts of Nettles: a nettle is turned over, paid for, and picked in the end."""

from events.core import Count, Event, ScoreLine, Seat, Standing


class NettleTurned(Event, frozen=True, gc=False, tag="nettles.nettle_turned"):
    """Chance turned over the top nettle of the deck (NE-3, NE-6)."""

    reveals = True
    by_chance = True

    nettle: Count


class PetalPaid(Event, frozen=True, gc=False, tag="nettles.petal_paid"):
    """A seat put one of its petals on the nettle and left it to the next seat (NE-5)."""

    seat: Seat
    next: Seat


class NettlePicked(Event, frozen=True, gc=False, tag="nettles.nettle_picked"):
    """A seat took the nettle and the petals on it (NE-6)."""

    seat: Seat
    nettle: Count
    petals: Count


class GameEnded(Event, frozen=True, gc=False, tag="nettles.game_ended"):
    """The last nettle was picked, and everything was scored (NE-7 to NE-11)."""

    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]


NettlesEvent = NettleTurned | PetalPaid | NettlePicked | GameEnded
