"""Azul in words and pictures, and the record that makes it a projection."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from events.azul import (
    DisplaysFilled,
    FloorCleared,
    GameEnded,
    LineDropped,
    LineTiled,
    Slot,
    StartChosen,
    StartDrawn,
    TilesDrafted,
)
from events.core import Event, ScoreLine
from projections.azul import (
    APPLY,
    EDITION,
    MARKER,
    NO_COLOUR,
    Board,
    Edition,
    State,
    copy,
    initial,
    pieces,
    scores,
    standings,
    to_act,
)
from projections.core import WIDTH, Line, Names, Projection, Span, side_by_side
from projections.views.azul_sums import CITES, FLOOR, SLIPS, SUMS
from projections.words import count, joined, points, signed

Reasons = Mapping[str, Callable[[Mapping[str, int]], str]]
Story = Mapping[type[Event], Callable[[Any, Names], str]]
BOARD_WIDTH: Final = 34
DISPLAYS_PER_LINE: Final = 5
PHASES: Final = {
    "start": "choosing who starts",
    "deal": "waiting for the deal",
    "draft": "drafting",
    "tile": "tiling",
    "over": "game over",
}

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, width: int = WIDTH) -> list[Line]:
    """The whole table: the offer on top, then the boards, as many beside each other as there is room for."""
    boards = [draw_board(state, seat, names) for seat in range(1, state.seats + 1)]
    return draw_table(state, names, _offer(state), side_by_side(boards, BOARD_WIDTH, width))


def draw_table(state: State, names: Names, offer: Sequence[Line], boards: Sequence[Line]) -> list[Line]:
    """The parts of a table put together."""
    lines = [_heading(state, names), []]
    if state.phase != "over":
        lines += [*offer, []]
    return [*lines, *boards]


def _heading(state: State, names: Names) -> Line:
    who = f" · {names[state.turn]} to move" if state.turn and state.phase == "draft" else ""
    if state.phase == "tile":
        who = " · " + joined([names[seat] for seat in state.tiling]) + " to place"
    # The lid lies open: everybody may count its colours (AZ-89).
    colours = " ".join(f"{tiles}{state.options.edition.letters[slot]}" for slot, tiles in enumerate(state.lid) if tiles)
    stock = f"    bag {sum(state.bag)} · lid {colours or 0}"
    return [Span(f"Round {state.round} · {PHASES[state.phase]}{who}", "bold"), Span(stock, "dim")]


def _offer(state: State) -> list[Line]:
    displays: list[list[Span]] = []
    for index, tiles in enumerate(state.displays):
        if index % DISPLAYS_PER_LINE == 0:
            displays.append([])
        displays[-1] += [Span(f" {index + 1} ", "bold"), *draw_tiles(tiles, state.options.edition)]
        displays[-1].append(Span("   " * max(0, 4 - max(1, sum(tiles)))))
    return [*displays, draw_centre(state)]


def draw_centre(state: State) -> Line:
    """The centre with the marker, if it lies there."""
    marker = [Span(" 1st ", "marker"), Span(" ")] if state.marker == 0 else []
    return [Span(" C ", "bold"), *marker, *draw_tiles(state.centre, state.options.edition)]


def draw_tiles(counts: Sequence[int], edition: Edition) -> list[Span]:
    """The tiles of one place; a dot where there are none."""
    tiles = [draw_tile(slot, edition) for slot, tiles in enumerate(counts) for _ in range(tiles)]
    return tiles or [Span(" · ", "dim")]


def draw_tile(slot: Slot, edition: Edition) -> Span:
    """One tile."""
    return Span(f" {edition.letters[slot]} ", f"tile.{edition.colours[slot]}")


def draw_board(state: State, seat: int, names: Names) -> list[Line]:
    """What lies in front of a seat: title, pattern lines beside the wall, floor."""
    board = state.boards[seat - 1]
    acts = seat in to_act(state)
    title: Line = [
        Span(f"{'▶' if acts else ' '} {names[seat]}"[: BOARD_WIDTH - 12], "bold" if acts else ""),
        Span(f"  {count(board.score, 'point')}"),
        *([Span("  "), Span(" 1st ", "marker")] if state.marker == seat and MARKER not in board.floor else []),
    ]
    rows = [_row(state, board, row) for row in range(5)]
    return [title, *rows, _floor(board, state.options.edition)]


def _row(state: State, board: Board, row: int) -> Line:
    size, filled, colour = row + 1, board.lines[row], board.colours[row]
    spans = [Span(f"{size} ", "dim"), Span("   " * (5 - size))]
    spans += [Span(" · ", "dim")] * (size - filled)
    spans += [draw_tile(colour, state.options.edition)] * filled
    spans.append(Span(" ▸ ", "dim"))
    return [*spans, *(_cell(state, board, row, column) for column in range(5))]


def _cell(state: State, board: Board, row: int, column: int) -> Span:
    slot, edition = board.wall[row][column], state.options.edition
    if slot != NO_COLOUR:
        return draw_tile(slot, edition)
    if state.options.is_grey:
        return Span(" · ", "dim")
    printed = (column - row) % 5
    return Span(f" {edition.letters[printed].lower()} ", f"print.{edition.colours[printed]}")


def _floor(board: Board, edition: Edition) -> Line:
    spans = [Span("floor ", "dim")]
    for space, cost in enumerate(FLOOR):
        if space >= len(board.floor):
            spans.append(Span(f" -{cost}", "dim"))
        elif board.floor[space] == MARKER:
            spans.append(Span("1st", "marker"))
        else:
            spans.append(draw_tile(board.floor[space], edition))
    loss = sum(FLOOR[: len(board.floor)])
    return [*spans, Span(f"  {signed(-loss)}" if loss else "", "bad")]


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Everything public about the table (AZ-89, AZ-90); the order of the bag is not in the state at all."""
    colours = state.options.edition.colours
    return {
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn or None,
        "to_act": list(to_act(state)),
        "starter": state.starter or None,
        "marker": state.marker or "centre",
        "displays": [_names(display, colours) for display in state.displays],
        "centre": _names(state.centre, colours),
        "bag": sum(state.bag),
        "lid": {colours[slot]: tiles for slot, tiles in enumerate(state.lid)},
        "boards": [_board_view(seat, board, colours) for seat, board in enumerate(state.boards, start=1)],
        "standings": [
            {"seat": place.seat, "rank": place.rank, "score": place.score, "rows": place.tiebreak}
            for place in state.standings
        ],
    }


def _board_view(seat: int, board: Board, colours: Sequence[str]) -> dict[str, Any]:
    return {
        "seat": seat,
        "score": board.score,
        "lines": [
            {"size": size, "filled": filled, "colour": colours[colour] if filled else None}
            for size, filled, colour in zip(range(1, 6), board.lines, board.colours, strict=True)
        ],
        "wall": [[None if slot == NO_COLOUR else colours[slot] for slot in row] for row in board.wall],
        "floor": ["marker" if space == MARKER else colours[space] for space in board.floor],
    }


def _names(counts: Sequence[int], colours: Sequence[str]) -> list[str]:
    return [colours[slot] for slot, tiles in enumerate(counts) for _ in range(tiles)]


# ------------------------------------------------------------------------------------------------------------ words


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


def _line_tiled(edition: Edition, reasons: Reasons, event: LineTiled, names: Names) -> str:
    where = f"row {event.line}, column {event.column}"
    tile = edition.colours[event.colour]
    return f"{names[event.seat]} tiled {tile} at {where}: {_points(reasons, event.scores)}."


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
    }
    bonuses = [f"{names[line.seat]} {_points(reasons, (line,))}" for line in event.scores]
    return f"The game ended: {why[event.reason]}. Bonuses: {'; '.join(bonuses) or 'none'}."


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


def story_of(edition: Edition, reasons: Reasons) -> Story:
    """One sentence per event of Azul, with this edition's names and reasons."""
    return {
        StartDrawn: lambda event, names: f"The lot fell on {names[event.seat]} to start.",
        StartChosen: lambda event, names: f"{names[event.seat]} was chosen to start.",
        DisplaysFilled: partial(tell_deal, edition),
        TilesDrafted: partial(tell_draft, edition),
        LineTiled: partial(_line_tiled, edition, reasons),
        LineDropped: partial(tell_fall, edition),
        FloorCleared: partial(_floor_cleared, reasons),
        GameEnded: partial(_game_ended, edition, reasons),
    }


REASONS: Final = reasons_of(EDITION)
STORY: Final = story_of(EDITION, REASONS)

PROJECTION: Final = Projection(
    initial=initial,
    apply=APPLY,
    copy=copy,
    to_act=to_act,
    scores=scores,
    standings=standings,
    pieces=pieces,
    view=view,
    draw=draw,
    story=STORY,
    reasons=REASONS,
    sums=SUMS,
    slips=SLIPS,
    cites=CITES,
)
