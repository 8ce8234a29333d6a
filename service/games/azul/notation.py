"""Azul moves in writing: `2B3` is display 2, blue, line 3; `CR-` is centre, red, floor; `3@2` is line 3 to column 2."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from events.azul import DisplaysFilled, LineTiled, StartChosen, StartDrawn, TilesDrafted
from events.core import Event
from projections.azul.state import EDITION, Edition, State
from projections.words import count
from service.errors import IllegalAction, UsageError
from service.games.azul.rules import DISPLAY_SIZE, DraftTiles
from service.games.azul.tiling import TileLine
from service.games.core import Action, Outcome, Request
from service.games.first_player import PURPOSE, ChooseStart, read_choice, read_lot, recall_lot, write_choice, write_lot
from service.games.notation import Notation, Reader, recall_by

SOURCES: Final = {"C": 0, "centre": 0, "center": 0, **{str(display): display for display in range(1, 10)}}
_LINES: Final = {"-": 0, "floor": 0, **{str(line): line for line in range(1, 6)}}
_COLUMNS: Final = {"-": 0, **{str(column): column for column in range(1, 6)}}


@cache
def _colour_words(edition: Edition) -> Mapping[str, int]:
    slots = enumerate(zip(edition.letters, edition.colours, strict=True))
    return {word: slot for slot, words in slots for word in words}


def read_colour(reader: Reader, edition: Edition) -> int:
    """The slot of the colour that stands here, by its letter or its name in this edition."""
    named = ", ".join(f"{letter} {name}" for letter, name in zip(edition.letters, edition.colours, strict=True))
    return reader.word(_colour_words(edition), f"a colour ({named})")


def read(text: str, edition: Edition = EDITION) -> Action:
    """The action a text stands for.

    >>> read("2B3")
    DraftTiles(source=2, colour=0, line=3, floor=0)
    >>> read("centre red floor") == read("CR-")
    True
    """
    reader = Reader(text)
    action = read_other(reader, edition) or read_draft(reader, edition)
    reader.end()
    return action


def read_other(reader: Reader, edition: Edition) -> Action | None:
    """Any action but a draft, if one stands here."""
    if reader.maybe("pass"):
        raise IllegalAction(
            "azul/pass", "AZ-20", f"Passing is not possible: a turn takes {edition.tile}s and places them."
        )
    return read_choice(reader) or (_read_tiling(reader) if "@" in reader.text else None)


def read_draft(reader: Reader, edition: Edition) -> DraftTiles:
    """The draft that stands here."""
    source = reader.word(SOURCES, "a display (1–9) or C for the centre")
    colour = read_colour(reader, edition)
    line = reader.word(_LINES, "a pattern line (1–5) or - for the floor")
    floor = reader.number(f"how many {edition.tile}s go to the floor by choice") if reader.maybe("/") else 0
    return DraftTiles(source=source, colour=colour, line=line, floor=floor)


def _read_tiling(reader: Reader) -> TileLine:
    line = reader.number("a pattern line (1–5)")
    if not reader.maybe("@"):
        raise reader.failure("@")
    column = reader.word(_COLUMNS, "a column (1–5)")
    return TileLine(line=line, column=column)


def write(action: Action, edition: Edition = EDITION) -> str:
    """The action in its shortest form."""
    if isinstance(action, DraftTiles):
        source = "C" if action.source == 0 else str(action.source)
        partial = f"/{action.floor}" if action.floor else ""
        return f"{source}{edition.letters[action.colour]}{action.line or '-'}{partial}"
    if isinstance(action, TileLine):
        return f"{action.line}@{action.column or '-'}"
    if isinstance(action, ChooseStart):
        return write_choice(action)
    raise TypeError(f"{action!r} is not an action of {edition.title}")


def read_outcome(text: str, state: State, request: Request) -> Outcome:
    """What was drawn at a real table: a seat for the start, or the tiles of every display in order."""
    if request.purpose == PURPOSE:
        return read_lot(text, state.seats)
    edition = state.options.edition
    groups = text.replace("|", " ").split()
    wanted = sum(stage.draws for stage in request.stages)
    full, rest = divmod(wanted, DISPLAY_SIZE)
    sizes = [DISPLAY_SIZE] * full + ([rest] if rest else [])
    if len(groups) != len(sizes):
        raise UsageError(
            "move/malformed",
            f"{text!r} fills {count(len(groups), 'display')}; this deal needs {len(sizes)},"
            f" such as {_example(sizes, edition)}.",
        )
    drawn: list[int] = []
    for display, (group, size) in enumerate(zip(groups, sizes, strict=True), start=1):
        reader = Reader(group)
        tiles = [read_colour(reader, edition) for _ in range(size)]
        if not reader.is_done:
            raise reader.failure(f"nothing more (display {display} takes {size} {edition.tile}s)")
        drawn += tiles
    return Outcome(drawn=tuple(drawn))


def write_outcome(request: Request, outcome: Outcome, edition: Edition = EDITION) -> str:
    """The outcome as `read_outcome` takes it."""
    if request.purpose == PURPOSE:
        return write_lot(outcome)
    displays = [outcome.drawn[first : first + DISPLAY_SIZE] for first in range(0, len(outcome.drawn), DISPLAY_SIZE)]
    return write_displays(displays, edition)


def write_displays(displays: Sequence[Sequence[int]], edition: Edition = EDITION) -> str:
    """Displays as letters, one group each."""
    return " ".join("".join(edition.letters[slot] for slot in tiles) for tiles in displays)


def _example(sizes: Sequence[int], edition: Edition) -> str:
    displays = [[(display + tile) % 5 for tile in range(size)] for display, size in enumerate(sizes)]
    return write_displays(displays, edition)


def recall(state: State, events: Sequence[Event]) -> Action:
    """The action that led from this state to these events."""
    first = events[0]
    if isinstance(first, TilesDrafted):
        floor = 0
        if first.line and state.options.may_floor_part:
            # What fitted and was not placed went to the floor by choice (AZ-79).
            room = first.line - state.boards[first.seat - 1].lines[first.line - 1]
            floor = min(first.taken, room) - first.placed
        return DraftTiles(source=first.source, colour=first.colour, line=first.line, floor=floor)
    return _recall_others(state, events)


_recall_others: Final = recall_by("an action of Azul", {LineTiled: TileLine, StartChosen: ChooseStart})


def recall_outcome(event: Event) -> Outcome:
    """What chance had drawn when this event was its answer."""
    if isinstance(event, StartDrawn):
        return recall_lot(event)
    if isinstance(event, DisplaysFilled):
        return Outcome(drawn=tuple(slot for tiles in event.displays for slot in tiles))
    raise TypeError(f"{event!r} is no answer of chance in Azul")


NOTATION: Final = Notation(
    read=read,
    write=write,
    read_outcome=read_outcome,
    write_outcome=write_outcome,
    recall=recall,
    recall_outcome=recall_outcome,
    examples=(
        ("2B3", "display 2, blue, to pattern line 3"),
        ("CR-", "centre, red, to the floor"),
        ("2B3/1", "as 2B3, one of the tiles that fit to the floor (partialFloor=true)"),
        ("3@2", "grey side: the tile of line 3 to column 2"),
        ("first 2", "the host names the first player (firstPlayer=host-choice)"),
    ),
)
