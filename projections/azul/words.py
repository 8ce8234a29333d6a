"""Azul in words: every event as a sentence, every point with its reason."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from events.azul import (
    DisplaysFilled,
    FloorCleared,
    GameEnded,
    LineDropped,
    LineTiled,
    StartChosen,
    StartDrawn,
    TilesDrafted,
)
from events.core import ScoreLine
from projections.azul.state import (
    EDITION,
    Edition,
)
from projections.core import Imperatives, Names, Reasons, Story, Subjects
from projections.first_player import offer_start, tell_start_chosen, tell_start_drawn
from projections.words import count, joined, points


def tell_deal(edition: Edition, event: DisplaysFilled, names: Names) -> str:
    """A deal in words."""
    offers = " ".join("".join(edition.letters[slot] for slot in tiles) or "·" for tiles in event.displays)
    poured = " after the lid was emptied into the bag" if event.poured else ""
    return f"Round {event.round} was dealt{poured}: {offers}. {names[event.starter]} starts."


def tell_draft(
    edition: Edition, event: TilesDrafted, names: Names, beside: str = "beside the full floor", more: Sequence[str] = ()
) -> str:
    """A draft in words; a variant may say where a marker lies that took no floor space, and what else happened."""
    source = f"display {event.source}" if event.source else "the centre"
    parts = [f"{names[event.seat]} took {event.taken} {edition.colours[event.colour]} from {source}"]
    if event.marker:
        parts.append("the starting-player marker" + (f" ({beside})" if event.marker == "beside" else ""))
    target = f"pattern line {event.line}" if event.line else "the floor"
    ends = []
    if event.line and event.fallen:
        ends.append(f"{event.fallen} fell to the floor")
    if event.discarded:
        ends.append(f"{event.discarded} went to the lid")
    ends += more
    tail = f"; {joined(ends)}" if ends else ""
    return f"{' and '.join(parts)}, to {target}{tail}."


def offer_draft(
    edition: Edition, event: TilesDrafted, names: Names, beside: str = "beside the full floor", more: Sequence[str] = ()
) -> str:
    """A draft that may be chosen; a variant may add what the story of one adds."""
    taken = f"{event.taken} {edition.colours[event.colour]}"
    if event.marker:
        taken += " and the starting-player marker" + (f" ({beside})" if event.marker == "beside" else "")
    source = f"display {event.source}" if event.source else "the centre"
    target = f"line {event.line}" if event.line else "the floor"
    ends = []
    if event.line and event.fallen:
        ends.append(f"{event.fallen} {'falls' if event.fallen == 1 else 'fall'} to the floor")
    if event.discarded:
        ends.append(f"{event.discarded} {'goes' if event.discarded == 1 else 'go'} to the lid")
    ends += more
    return f"Take {taken} from {source} to {target}" + (f"; {joined(ends)}" if ends else "")


def _line_tiled(edition: Edition, reasons: Reasons, event: LineTiled, names: Names) -> str:
    return f"{names[event.seat]} tiled {_tile(edition, event)}: {_points(reasons, event.scores)}."


def _tile(edition: Edition, event: LineTiled) -> str:
    return f"{edition.colours[event.colour]} at row {event.line}, column {event.column}"


def offer_tile(edition: Edition, event: LineTiled, verb: str = "Place") -> str:
    """A cell of the wall that may be chosen."""
    return f"{verb} {_tile(edition, event)}"


def tell_fall(edition: Edition, event: LineDropped, names: Names) -> str:
    """The fall of a whole line in words."""
    tiles = f"{event.line} {edition.colours[event.colour]}"
    lid = f", {event.discarded} of them into the lid" if event.discarded else ""
    return f"{names[event.seat]} found no cell for line {event.line}: {tiles} fell{lid}."


def _floor_cleared(reasons: Reasons, event: FloorCleared, names: Names) -> str:
    if not event.scores:
        return f"{names[event.seat]} had a clean floor."
    return f"{names[event.seat]} cleared the floor: {_points(reasons, event.scores)}."


def _game_ended(edition: Edition, reasons: Reasons, event: GameEnded, names: Names) -> str:
    why = {
        "row": "a row is complete",
        "supply": f"no {edition.tile} is left",
        "rounds": "the agreed last round is over",
        "dead": f"no {edition.tile} fits any {edition.wall} any more",
    }
    return tell_end(reasons, why[event.reason], event.scores, names)


def tell_end(reasons: Reasons, why: str, lines: Sequence[ScoreLine], names: Names) -> str:
    """The end of a game in words, with the bonuses it brought."""
    bonuses = [f"{names[line.seat]} {_points(reasons, (line,))}" for line in lines]
    return f"The game ended: {why}. Bonuses: {'; '.join(bonuses) or 'none'}."


def _points(reasons: Reasons, lines: Sequence[ScoreLine]) -> str:
    return "; ".join(f"{points(line)} for {reasons[line.reason](line.operands)}" for line in lines)


def _tile_reason(edition: Edition, operands: Mapping[str, int]) -> str:
    runs = [f"a {kind} of {operands[key]}" for kind, key in (("row", "row_run"), ("column", "column_run"))]
    shown = [run for run, key in zip(runs, ("row_run", "column_run"), strict=True) if operands[key] > 1]
    return " + ".join(shown) or f"a {edition.tile} on its own"


def _floor_reason(operands: Mapping[str, int]) -> str:
    return f"{count(operands['spaces'], 'floor space')} occupied"


def reasons_of(edition: Edition) -> Reasons:
    """The wording of each score reason in this edition."""
    return {
        "tile-placed": partial(_tile_reason, edition),
        "floor": _floor_reason,
        "row-bonus": lambda operands: f"complete row {operands['row']}",
        "column-bonus": lambda operands: f"complete column {operands['column']}",
        "colour-bonus": lambda operands: f"all five {edition.colours[operands['colour']]}",
    }


def subjects_of(edition: Edition) -> Subjects:
    """What each score line is about in this edition."""
    return {"tile-placed": lambda event, line: _tile(edition, event)}


def story_of(edition: Edition, reasons: Reasons) -> Story:
    """One sentence per event of Azul, with this edition's names and reasons."""
    return {
        StartDrawn: tell_start_drawn,
        StartChosen: tell_start_chosen,
        DisplaysFilled: partial(tell_deal, edition),
        TilesDrafted: partial(tell_draft, edition),
        LineTiled: partial(_line_tiled, edition, reasons),
        LineDropped: partial(tell_fall, edition),
        FloorCleared: partial(_floor_cleared, reasons),
        GameEnded: partial(_game_ended, edition, reasons),
    }


def imperatives_of(edition: Edition) -> Imperatives:
    """The choices there are in Azul, with this edition's names."""
    return {
        StartChosen: offer_start,
        TilesDrafted: partial(offer_draft, edition),
        LineTiled: lambda event, names: offer_tile(edition, event),
    }


REASONS: Final = reasons_of(EDITION)
SUBJECTS: Final = subjects_of(EDITION)
STORY: Final = story_of(EDITION, REASONS)
IMPERATIVES: Final = imperatives_of(EDITION)
