"""What a game's projection is: one record of pure functions, the same fields for every game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from events.core import Event, Seat, Standing

State = Any
"""A game's mutable state. One fold owns it; the record below is how everybody else looks at it."""

Apply = Mapping[type[Event], Callable[[State, Any], None]]


class Span(NamedTuple):
    """A piece of text with a style word (`blue`, `dim`, `bold red`, …); empty means plain."""

    text: str
    style: str = ""


Line = Sequence[Span]


class Names:
    """What the seats are called; a seat nobody named is called by its number."""

    def __init__(self, names: Mapping[Seat, str] | None = None) -> None:
        self._names = dict(names or {})

    def __getitem__(self, seat: Seat) -> str:
        return self._names.get(seat) or f"Seat {seat}"


def named_start(options: Mapping[str, str]) -> Seat:
    """The seat that `firstPlayer=seat:<n>` names; 0 when it names none."""
    word, _, number = options["firstPlayer"].partition(":")
    return int(number) if word == "seat" else 0


@dataclass(frozen=True, slots=True)
class Projection:
    """How the events of one game become a state, words and pictures."""

    initial: Callable[[int, Mapping[str, str]], State]
    """The state before the first event, from the number of seats and the options."""
    apply: Apply
    """One handler per event type; a handler writes down and judges nothing."""
    copy: Callable[[State], State]
    """An independent copy of a state, cheap enough to think ahead with."""
    to_act: Callable[[State], Sequence[Seat]]
    """The seats that may act now; empty while chance is awaited and when the game is over."""
    scores: Callable[[State], Sequence[int]]
    """The score of each seat, seat 1 first."""
    standings: Callable[[State], Sequence[Standing]]
    """The result, best first; empty while the game is on."""
    pieces: Callable[[State], Mapping[str, int]]
    """Every piece of the game by kind, wherever it lies; the same after every event."""
    view: Callable[[State], dict[str, Any]]
    """What everybody at the table may know, as plain values for programs."""
    draw: Callable[[State, Names], list[Line]]
    """The table as a person sees it."""
    story: Mapping[type[Event], Callable[[Any, Names], str]]
    """One plain sentence per event type."""
    reasons: Mapping[str, Callable[[Mapping[str, int]], str]]
    """The wording of each score reason, made from its operands."""
