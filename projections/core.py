"""What a game's projection is: one record of pure functions, the same fields for every game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from events.core import Event, ScoreLine, Seat, Standing

State = Any
"""A game's mutable state. One fold owns it; the record below is how everybody else looks at it."""

Apply = Mapping[type[Event], Callable[[State, Any], None]]


class Span(NamedTuple):
    """A piece of text with a style word (`blue`, `dim`, `bold red`, …); empty means plain."""

    text: str
    style: str = ""


Line = Sequence[Span]

Reasons = Mapping[str, Callable[[Mapping[str, int]], str]]
"""The wording of each score reason, made from its operands."""
Subjects = Mapping[str, Callable[[Any, ScoreLine], str]]
"""For a score reason, the tile or the cards that scored, told from the event that carries the line."""
Story = Mapping[type[Event], Callable[[Any, "Names"], str]]
"""One plain sentence per event type."""


class Room(NamedTuple):
    """How much room a picture may take, and who looks at it."""

    width: int = 100
    """Columns."""
    height: int | None = None
    """Lines; None where there is no end of them."""
    seat: Seat = 0
    """Whose board is drawn whole where not all of them fit; 0 for nobody's in particular."""


ROOMY: Final = Room()
"""The room of a picture when nobody says how much there is."""
SMALL: Final = Room(80, 19)
"""What every game fits at every number of seats: a screen of 80×24, less the news, a remark and the prompt."""


def side_by_side(pictures: Sequence[Sequence[Line]], size: int, width: int, gap: int = 4) -> list[Line]:
    """Pictures of the same height and so many columns each, as many beside each other as fit, an empty line between."""
    abreast = max(1, (width + gap) // (size + gap))
    lines: list[Line] = []
    for first in range(0, len(pictures), abreast):
        if lines:
            lines.append([])
        for rows in zip(*pictures[first : first + abreast], strict=True):
            spans: list[Span] = []
            for row in rows:
                spans += [*row, Span(" " * (size - sum(len(span.text) for span in row) + gap))]
            lines.append(spans[:-1])
    return lines


class Draw(Protocol):
    """Draws a table as a person sees it, within the room there is, if that is no less than `SMALL`."""

    def __call__(self, state: Any, names: "Names", room: Room = ROOMY) -> list[Line]: ...


class Names:
    """What the seats are called; a seat nobody named is called by its number."""

    def __init__(self, names: Mapping[Seat, str] | None = None) -> None:
        self._names = dict(names or {})

    def __getitem__(self, seat: Seat) -> str:
        return self._names.get(seat) or f"Seat {seat}"


class Slip(NamedTuple):
    """A way people get a score line wrong: what they write instead, and why."""

    points: int
    cause: str
    """Half a sentence, such as `the column run of 3 was missed`."""


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
    invariants: Callable[[State], Mapping[str, int]]
    """Counts that must be the same after every event, by name: pieces of each kind wherever they lie, above all, and
    whatever else can be counted and never changes. A game in which nothing is conserved has none."""
    view: Callable[[State], dict[str, Any]]
    """What everybody at the table may know, as plain values for programs."""
    draw: Draw
    """The table as a person sees it."""
    story: Story
    reasons: Reasons
    subjects: Subjects = field(default_factory=dict)
    """What a line is about, such as `red at row 3, column 5`, where its reason does not say so itself."""
    sums: Mapping[str, Callable[[ScoreLine], str]] = field(default_factory=dict)
    """For a score reason, its points as a sum to check by hand; a reason without one is shown in words."""
    slips: Mapping[str, Callable[[ScoreLine, State], Iterable[Slip]]] = field(default_factory=dict)
    """For a score reason, the mistakes people make with it, given the line and the state right before its event.

    Leaving a line out, counting it twice and getting its sign wrong need not be listed: those fit every game.
    """
    cites: Mapping[type[Event], tuple[str, ...]] = field(default_factory=dict)
    """For an event type, the rules somebody who asks about such an event should read, beside those of its points."""
