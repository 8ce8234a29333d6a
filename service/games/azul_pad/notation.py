"""Entries of an Azul score pad in writing: `1B` is blue in row 1, `3R@2` red in row 3, column 2; `floor 2`, `end`."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from events.azul_pad import FloorCounted, GameStopped, TileLaid
from events.core import Event
from projections.azul.state import EDITION, Edition
from projections.azul_pad.state import State
from projections.master_chocolatier.state import EDITION as CHOCOLATIER
from service.games.azul.notation import read_colour
from service.games.azul_pad.rules import ClearFloor, LayTile, StopGame
from service.games.core import Action
from service.games.notation import Notation, Reader, entry_notation, recall_by

_ROWS: Final = {str(row): row for row in range(1, 6)}
_FLOOR: Final = ("floor", "f", "-")
_CLEAN: Final = ("clean", "done")


def read_entry(edition: Edition, reader: Reader) -> Action:
    """The entry that stands here."""
    if reader.maybe("end"):
        return StopGame()
    if any(map(reader.maybe, _CLEAN)):
        return ClearFloor(spaces=0)
    if any(map(reader.maybe, _FLOOR)):
        return ClearFloor(spaces=reader.number("how many floor spaces were occupied (0–7)"))
    reader.maybe("row")
    line = reader.word(_ROWS, "a row (1–5) with its colour, floor and a number, or end")
    colour = read_colour(reader, edition)
    column = reader.word(_ROWS, "a column (1–5)") if reader.maybe("@") or reader.maybe("column") else 0
    return LayTile(line=line, colour=colour, column=column)


def write(action: Action, edition: Edition = EDITION) -> str:
    """The entry in its shortest form."""
    if isinstance(action, LayTile):
        column = f"@{action.column}" if action.column else ""
        return f"{action.line}{edition.letters[action.colour]}{column}"
    if isinstance(action, ClearFloor):
        return f"floor {action.spaces}"
    if isinstance(action, StopGame):
        return "end"
    raise TypeError(f"{action!r} is not an entry of a score pad of {edition.title}")


def recall(state: State, events: Sequence[Event]) -> Action:
    """The entry that led from this state to these events."""
    first = events[0]
    if isinstance(first, TileLaid):
        return LayTile(first.line, first.colour, first.column if state.options.is_grey else 0)
    return _recall_others(state, events)


_recall_others: Final = recall_by("an entry of a score pad", {FloorCounted: ClearFloor, GameStopped: StopGame})


def _notation(edition: Edition) -> Notation:
    return entry_notation(
        partial(read_entry, edition),
        partial(write, edition=edition),
        recall,
        examples=(
            ("1B", f"blue came to row 1 of the {edition.wall}"),
            ("3R@2", "free side: red came to row 3, column 2"),
            ("floor 2", "2 floor spaces were occupied, and the round is entered"),
            ("end", "there is no further round: score the bonuses"),
        ),
    )


NOTATION: Final = _notation(EDITION)
CHOCOLATIER_NOTATION: Final = _notation(CHOCOLATIER)
