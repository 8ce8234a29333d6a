"""The first player: what the games' own facts about it have in common. Each game gives them tags of its own."""

from events.core import Event, Seat


class StartDrawn(Event, frozen=True, gc=False):
    """Chance named the seat that starts the first round."""

    reveals = True
    by_chance = True

    seat: Seat


class StartChosen(Event, frozen=True, gc=False):
    """The host named the seat that starts the first round."""

    seat: Seat
