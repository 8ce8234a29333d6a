"""What a game's projection is: one record of pure functions, the same fields for every game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple, Protocol
from unicodedata import category, east_asian_width

from msgspec import Struct, field

from events.core import Event, ScoreLine, Seat, Standing
from projections.copying import copied
from projections.drawing import Panel
from projections.words import joined

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
ScoredParts = Mapping[str, Callable[[Any, ScoreLine, Any], Sequence[str]]]
"""For a score reason, the parts that made the points, told from the event, its line and the state after the event."""
Story = Mapping[type[Event], Callable[[Any, "Names"], str]]
"""One plain sentence per event type, in the past tense."""
Imperatives = Mapping[type[Event], Callable[[Any, "Names"], str]]
"""A legal action in the imperative, per type of the first event it would lead to: without a full stop, and without its
points, which are shown beside it."""


class Room(NamedTuple):
    """How much room a picture may take, and who looks at it."""

    width: int = 100
    """Columns."""
    height: int | None = None
    """Lines; None for no limit."""
    seat: Seat = 0
    """Whose board is drawn whole where not all of them fit; 0 for no particular seat."""


ROOMY: Final = Room()
"""The room of a picture when nobody says how much there is."""
SMALL: Final = Room(80, 19)
"""What every game fits at every number of seats: a screen of 80×24, less the news, a remark and the prompt."""
NARROW: Final = Room(40)
"""What every game fits in width, as many lines as that may take: half a screen, or a telephone."""


@lru_cache(maxsize=4096)
def columns(text: str) -> int:
    """How many columns a text takes: two for a wide character, none for a mark on another."""
    if text.isascii():
        return len(text)
    return sum(0 if category(one) in ("Mn", "Me", "Cf") else 2 if east_asian_width(one) in "WF" else 1 for one in text)


def width_of(line: Line) -> int:
    """How many columns a line takes."""
    return sum(columns(span.text) for span in line)


def fits(lines: Sequence[Line], room: Room) -> bool:
    """Whether a picture is neither too wide nor too high for the room there is."""
    return (room.height is None or len(lines) <= room.height) and all(width_of(line) <= room.width for line in lines)


def shortened(text: str, width: int) -> str:
    """The text in no more columns than these; `…` stands for what is left out."""
    if columns(text) <= width:
        return text
    while text and columns(text) >= width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def joined_within(words: Sequence[str], width: int) -> str:
    """`a, b and c` in no more columns than these, the longest words shortened, as long as there is room for any."""
    for longest in range(max(map(columns, words), default=0), 1, -1):
        text = joined([shortened(word, longest) for word in words])
        if columns(text) <= width:
            return text
    return shortened(joined(words), width)


def packed(cells: Iterable[Sequence[Span]], width: int, gap: int = 0, indent: int = 0) -> list[Line]:
    """Cells one after the other, a new line begun where the next one would not fit: they are never broken themselves.

    Blanks at the end of a cell keep the next one in its column, and need no room at the end of a line.
    """
    lines: list[list[Span]] = []
    taken = 0
    for cell in cells:
        size = width_of(cell)
        if lines and taken + gap + size - _blanks_after(cell) <= width:
            lines[-1] += [*([Span(" " * gap)] if gap else []), *cell]
            taken += gap + size
        else:
            before = [Span(" " * indent)] if lines and indent else []
            lines.append([*before, *cell])
            taken = width_of(lines[-1])
    return [_trimmed(line) for line in lines]


def flowing(cells: Iterable[Sequence[Span]], width: int, gap: int = 0) -> list[Line]:
    """Cells of words one after the other, as in `packed`; one that is wider than a line is broken between words."""
    return [part for line in packed(cells, width, gap) for part in _broken(line, width)]


def _broken(line: Line, width: int) -> list[Line]:
    if width_of(line) <= width:
        return [line]
    words: list[list[Span]] = []
    for span in line:
        parts = span.text.split() if span.style in ("", "bold", "dim") else [span.text]  # tiles and markers stay whole
        words += [[Span(shortened(part, width), span.style)] for part in parts]
    return packed(words, width, gap=1)


def _blanks_after(cell: Sequence[Span]) -> int:
    return len(cell[-1].text) - len(cell[-1].text.rstrip()) if cell and not cell[-1].style else 0


def _trimmed(line: list[Span]) -> Line:
    """Without the blanks that kept a next cell in its column."""
    while line and not line[-1].style and not line[-1].text.strip():
        line = line[:-1]
    return line


def beside(pictures: Sequence[Sequence[Line]], widths: Sequence[int], gap: int = 4) -> list[Line]:
    """Pictures beside each other, top to top, each so many columns wide."""
    lines: list[Line] = []
    for row in range(max(map(len, pictures), default=0)):
        spans: list[Span] = []
        for picture, size in zip(pictures, widths, strict=True):
            line = picture[row] if row < len(picture) else ()
            spans += [*line, Span(" " * (size - width_of(line) + gap))]
        lines.append(spans[:-1])
    return lines


def side_by_side(pictures: Sequence[Sequence[Line]], size: int, width: int, gap: int = 4) -> list[Line]:
    """Pictures of the same width, as many beside each other as fit, an empty line between."""
    abreast = max(1, (width + gap) // (size + gap))
    lines: list[Line] = []
    for first in range(0, len(pictures), abreast):
        row = pictures[first : first + abreast]
        lines += [*([[]] if lines else []), *beside(row, [size] * len(row), gap)]
    return lines


def stacked(sections: Sequence[Sequence[Line]], room: Room) -> list[Line]:
    """Sections one below the other, an empty line between them as long as there is room for it."""
    shown = [section for section in sections if section]
    spare = len(shown) if room.height is None else room.height - sum(map(len, shown))
    lines: list[Line] = []
    for section in shown:
        if lines and spare > 0:
            lines.append([])
            spare -= 1
        lines += section
    return lines


def looked_at(room: Room, to_act: Sequence[Seat]) -> Seat:
    """Whose board is drawn whole where not all of them fit: the looker's, or else of whoever is to act, or seat 1's."""
    return room.seat or next(iter(to_act), 1)


class DrawTable(Protocol):
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


def _no_colours(state: State) -> Line:
    return ()


def _scores(state: State) -> tuple[int, ...]:
    return tuple(state.scores)  # not the state's own list, which goes on changing


class Projection(Struct, frozen=True, eq=False):
    """How the events of one game become a state, words and pictures. Each is one of its own, however alike two are."""

    initial: Callable[[int, Mapping[str, str]], State]
    """The state before the first event, from the number of seats and the options."""
    apply: Apply
    """One handler per event type; a handler writes down and judges nothing."""
    to_act: Callable[[State], Sequence[Seat]]
    """The seats that may act now; empty while chance is awaited and when the game is over."""
    invariants: Callable[[State], Mapping[str, int]]
    """Counts that must be the same after every event, by name: pieces of each kind wherever they lie, above all, and
    whatever else can be counted and never changes. A game in which nothing is conserved has none."""
    view: Callable[[State], dict[str, Any]]
    """What everybody at the table may know, as plain values for programs."""
    draw: DrawTable
    """The table as a person sees it at a terminal."""
    story: Story
    imperatives: Imperatives
    reasons: Reasons
    situation: Callable[[State], str]
    """How far the game has come and what is being done, in a few words: `Round 2, drafting`."""
    board: Callable[[State], Sequence[Panel]]
    """The table drawn: what everybody may take from first, then what lies in front of each seat, seat 1 first."""
    copy: Callable[[State], State] = copied
    """An independent copy of a state, cheap enough to think ahead with; made from the types of its fields."""
    scores: Callable[[State], Sequence[int]] = _scores
    """The score of each seat, seat 1 first; what the state has as `scores`."""
    standings: Callable[[State], Sequence[Standing]] = attrgetter("standings")
    """The result, best first; empty while the game is on. What the state has as `standings`."""
    subjects: Subjects = field(default_factory=dict)
    """What a line is about, such as `red at row 3, column 5`, where its reason does not say so itself."""
    scored_parts: ScoredParts = field(default_factory=dict)
    """For every score reason, the parts of the drawing that made the points."""
    sums: Mapping[str, Callable[[ScoreLine], str]] = field(default_factory=dict)
    """For a score reason, its points as a sum to check by hand; a reason without one is shown in words."""
    slips: Mapping[str, Callable[[ScoreLine, State], Iterable[Slip]]] = field(default_factory=dict)
    """For a score reason, the mistakes people make with it, given the line and the state right before its event.

    Leaving a line out, counting it twice and getting its sign wrong need not be listed: those fit every game.
    """
    cites: Mapping[type[Event], tuple[str, ...]] = field(default_factory=dict)
    """For an event type, the rules somebody who asks about such an event should read, beside those of its points."""
    signed: tuple[str, ...] = ("score",)
    """The names in a `view` whose numbers may be below 0. All others are counts, or places counted from 0 or 1, and the
    contract of the games (tests/test_shelf.py) holds them to it: nobody pays with a chip they do not have."""
    colour_key: Callable[[State], Line] = _no_colours
    """What the letters of this match's pictures and moves mean, `B blue  Y yellow …`; empty where there are none."""

    def lay_out(self, seats: int, options: Mapping[str, str]) -> State:
        """What `initial` gives, as a copy of what it gave to others who agreed on the same: in half the time."""
        return self.copy(_laid_out(self, seats, tuple(options.items())))


@lru_cache(maxsize=256)
def _laid_out(projection: Projection, seats: int, words: tuple[tuple[str, str], ...]) -> State:
    return projection.initial(seats, dict(words))
