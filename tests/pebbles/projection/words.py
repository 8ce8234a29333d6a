"""Pebbles in words: every event as a sentence, every point with its reason."""

from typing import Final

from projections.core import Imperatives, Names, Reasons, Story
from projections.words import count, joined, points
from tests.pebbles.events import DiceChosen, DiceThrown, GameEnded, HandSpilled, PebblesKept


def dice(number: int) -> str:
    """`1 die`, `2 dice`."""
    return "1 die" if number == 1 else f"{number} dice"


def _dice_thrown(event: DiceThrown, names: Names) -> str:
    shown = joined([str(face) for face in event.faces])
    taken = f": {names[event.seat]} took {count(event.taken, 'pebble')}" if event.taken else ""
    return f"The throw was {shown}{taken}."


def _hand_spilled(event: HandSpilled, names: Names) -> str:
    spilled = count(event.pebbles, "pebble") if event.pebbles else "nothing"
    fine = "".join(f", {points(line)} for nothing but ones" for line in event.scores)
    return f"{names[event.seat]} spilled {spilled}{fine}."


def _game_ended(event: GameEnded, names: Names) -> str:
    rewarded = joined([names[line.seat] for line in event.scores])
    places = ", ".join(f"{names[place.seat]} {place.score}" for place in event.standings)
    return f"The bowl is empty. The largest haul was {rewarded}'s, and the game ended: {places}."


STORY: Final[Story] = {
    DiceChosen: lambda event, names: f"{names[event.seat]} picked up {dice(event.dice)}.",
    DiceThrown: _dice_thrown,
    HandSpilled: _hand_spilled,
    PebblesKept: lambda event, names: f"{names[event.seat]} kept {count(event.pebbles, 'pebble')}.",
    GameEnded: _game_ended,
}

IMPERATIVES: Final[Imperatives] = {
    DiceChosen: lambda event, names: f"Throw {dice(event.dice)}",
    PebblesKept: lambda event, names: f"Keep {count(event.pebbles, 'pebble')}",
}

REASONS: Final[Reasons] = {
    "kept": lambda operands: f"{count(sum(operands.values()), 'pebble')} kept",
    "only-ones": lambda operands: f"{operands['dice']} dice and nothing but ones",
    "largest-haul": lambda operands: f"the largest haul, {count(operands['pebbles'], 'pebble')}",
}
