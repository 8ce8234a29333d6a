"""The facts of Pebbles: dice are thrown, pebbles change hands, and somebody keeps them."""

from events.core import Count, Event, ScoreLine, Seat, Standing


class DiceChosen(Event, frozen=True, gc=False, tag="pebbles.dice_chosen"):
    """A seat chose how many dice to throw (PE-4); what they show is chance's to say."""

    seat: Seat
    dice: Count


class DiceThrown(Event, frozen=True, gc=False, tag="pebbles.dice_thrown"):
    """Chance threw the dice, and the seat took pebbles from the bowl into its hand (PE-5)."""

    reveals = True
    by_chance = True

    seat: Seat
    faces: tuple[Count, ...]
    taken: Count = 0
    """None where a die showed a 1."""


class HandSpilled(Event, frozen=True, gc=False, tag="pebbles.hand_spilled"):
    """A die showed a 1: everything in the seat's hand went back into the bowl (PE-6)."""

    seat: Seat
    pebbles: Count
    next: Seat
    scores: tuple[ScoreLine, ...] = ()
    """What it cost where every die showed a 1 (PE-7)."""


class PebblesKept(Event, frozen=True, gc=False, tag="pebbles.pebbles_kept"):
    """A seat put what it had in its hand on its pile (PE-8)."""

    seat: Seat
    pebbles: Count
    next: Seat
    """Whose turn it is then; 0 when the bowl is empty."""
    scores: tuple[ScoreLine, ...]


class GameEnded(Event, frozen=True, gc=False, tag="pebbles.game_ended"):
    """The bowl was empty: the largest hauls were rewarded and the result stood (PE-9 to PE-12)."""

    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]


PebblesEvent = DiceChosen | DiceThrown | HandSpilled | PebblesKept | GameEnded
