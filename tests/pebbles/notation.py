"""Pebbles in writing: `T3` throws three dice, `K` keeps; a throw is its faces, `364`."""

from typing import Final

from events.core import Event
from service.games.core import Action, Outcome, Request
from service.games.notation import Notation, Reader, recall_by
from tests.pebbles.events import DiceChosen, DiceThrown, PebblesKept
from tests.pebbles.projection.state import State
from tests.pebbles.rules import FACES, KeepPebbles, ThrowDice

_VERBS: Final = {"T": "throw", "throw": "throw", "K": "keep", "keep": "keep"}
_FACE_WORDS: Final = {face: kind for kind, face in enumerate(FACES)}


def read(text: str) -> Action:
    """The action a text stands for.

    >>> read("throw 3") == read("T3")
    True
    """
    reader = Reader(text)
    action: Action = KeepPebbles()
    if reader.word(_VERBS, "T throw or K keep") == "throw":
        action = ThrowDice(dice=reader.number("how many dice"))
    reader.end()
    return action


def write(action: Action) -> str:
    """The action in its shortest form."""
    if isinstance(action, ThrowDice):
        return f"T{action.dice}"
    if isinstance(action, KeepPebbles):
        return "K"
    raise TypeError(f"{action!r} is not an action of Pebbles")


def read_outcome(text: str, state: State, request: Request) -> Outcome:
    """What the dice showed at a real table, in any order."""
    reader = Reader(text)
    drawn = [reader.word(_FACE_WORDS, "what a die shows (1–6)")]
    while not reader.is_done:
        drawn.append(reader.word(_FACE_WORDS, "what a die shows (1–6)"))
    return Outcome(drawn=tuple(drawn))


def write_outcome(request: Request, outcome: Outcome) -> str:
    """The throw as `read_outcome` takes it."""
    return "".join(FACES[kind] for kind in outcome.drawn)


def recall_outcome(event: Event) -> Outcome:
    """What chance had drawn when this event was its answer."""
    if isinstance(event, DiceThrown):
        return Outcome(drawn=tuple(face - 1 for face in event.faces))
    raise TypeError(f"{event!r} is no answer of chance in Pebbles")


NOTATION: Final = Notation(
    read=read,
    write=write,
    read_outcome=read_outcome,
    write_outcome=write_outcome,
    recall=recall_by("an action of Pebbles", {DiceChosen: ThrowDice, PebblesKept: KeepPebbles}),
    recall_outcome=recall_outcome,
    examples=(
        ("T3", "throw three dice"),
        ("K", "keep what is in hand"),
    ),
)
