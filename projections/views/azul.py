"""Azul in words and pictures, and the record that makes it a projection."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from projections.azul import APPLY, MARKER, NO_COLOUR, Board, State, copy, initial, pieces, scores, standings, to_act
from projections.core import Line, Names, Projection, Slip, Span
from projections.words import count, joined, points, signed

COLOURS: Final = ("blue", "yellow", "red", "black", "white")
LETTERS: Final = ("B", "Y", "R", "K", "W")
FLOOR: Final = (1, 1, 2, 2, 2, 3, 3)
"""What each floor space costs, from the left (AZ-7)."""
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


def draw(state: State, names: Names) -> list[Line]:
    """The whole table: the offer on top, then the boards two by two."""
    lines = [_heading(state, names), []]
    if state.phase != "over":
        lines += [*_offer(state), []]
    seats = range(1, state.seats + 1)
    boards = [_board(state, seat, names) for seat in seats]
    for first in range(0, len(boards), 2):
        pair = boards[first : first + 2]
        lines += [_beside(rows) for rows in zip(*pair, strict=True)]
        lines.append([])
    return lines[:-1]


def _heading(state: State, names: Names) -> Line:
    who = f" · {names[state.turn]} to move" if state.turn and state.phase == "draft" else ""
    if state.phase == "tile":
        who = " · " + joined([names[seat] for seat in state.tiling]) + " to place"
    stock = f"    bag {sum(state.bag)} · lid {sum(state.lid)}"
    return [Span(f"Round {state.round} · {PHASES[state.phase]}{who}", "bold"), Span(stock, "dim")]


def _offer(state: State) -> list[Line]:
    displays: list[list[Span]] = []
    for index, tiles in enumerate(state.displays):
        if index % DISPLAYS_PER_LINE == 0:
            displays.append([])
        displays[-1] += [Span(f" {index + 1} ", "bold"), *(_tiles(tiles) or [Span(" · ", "dim")])]
        displays[-1].append(Span("   " * max(0, 4 - max(1, sum(tiles)))))
    centre = [Span(" C ", "bold"), *([Span(" 1st ", "marker"), Span(" ")] if state.marker == 0 else [])]
    return [*displays, [*centre, *(_tiles(state.centre) or [Span(" · ", "dim")])]]


def _tiles(counts: Sequence[int]) -> list[Span]:
    return [_tile(slot) for slot, tiles in enumerate(counts) for _ in range(tiles)]


def _tile(slot: Slot) -> Span:
    return Span(f" {LETTERS[slot]} ", f"tile.{COLOURS[slot]}")


def _beside(rows: Sequence[Line]) -> Line:
    spans: list[Span] = []
    for row in rows:
        spans += row
        spans.append(Span(" " * (BOARD_WIDTH - sum(len(span.text) for span in row) + 4)))
    return spans[:-1]


def _board(state: State, seat: int, names: Names) -> list[Line]:
    board = state.boards[seat - 1]
    acts = seat in to_act(state)
    title: Line = [
        Span(f"{'▶' if acts else ' '} {names[seat]}"[: BOARD_WIDTH - 12], "bold" if acts else ""),
        Span(f"  {count(board.score, 'point')}"),
        *([Span("  "), Span(" 1st ", "marker")] if state.marker == seat and MARKER not in board.floor else []),
    ]
    rows = [_row(state, board, row) for row in range(5)]
    return [title, *rows, _floor(board)]


def _row(state: State, board: Board, row: int) -> Line:
    size, filled, colour = row + 1, board.lines[row], board.colours[row]
    spans = [Span(f"{size} ", "dim"), Span("   " * (5 - size))]
    spans += [Span(" · ", "dim")] * (size - filled)
    spans += [_tile(colour)] * filled
    spans.append(Span(" ▸ ", "dim"))
    return [*spans, *(_cell(state, board, row, column) for column in range(5))]


def _cell(state: State, board: Board, row: int, column: int) -> Span:
    slot = board.wall[row][column]
    if slot != NO_COLOUR:
        return _tile(slot)
    if state.options.is_grey:
        return Span(" · ", "dim")
    printed = (column - row) % 5
    return Span(f" {LETTERS[printed].lower()} ", f"print.{COLOURS[printed]}")


def _floor(board: Board) -> Line:
    spans = [Span("floor ", "dim")]
    for space, cost in enumerate(FLOOR):
        if space >= len(board.floor):
            spans.append(Span(f" -{cost}", "dim"))
        elif board.floor[space] == MARKER:
            spans.append(Span("1st", "marker"))
        else:
            spans.append(_tile(board.floor[space]))
    loss = sum(FLOOR[: len(board.floor)])
    return [*spans, Span(f"  {signed(-loss)}" if loss else "", "bad")]


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Everything public about the table (AZ-89, AZ-90); the order of the bag is not in the state at all."""
    return {
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn or None,
        "to_act": list(to_act(state)),
        "starter": state.starter or None,
        "marker": state.marker or "centre",
        "displays": [_names(display) for display in state.displays],
        "centre": _names(state.centre),
        "bag": sum(state.bag),
        "lid": {COLOURS[slot]: tiles for slot, tiles in enumerate(state.lid)},
        "boards": [_board_view(seat, board) for seat, board in enumerate(state.boards, start=1)],
        "standings": [
            {"seat": place.seat, "rank": place.rank, "score": place.score, "rows": place.tiebreak}
            for place in state.standings
        ],
    }


def _board_view(seat: int, board: Board) -> dict[str, Any]:
    return {
        "seat": seat,
        "score": board.score,
        "lines": [
            {"size": size, "filled": filled, "colour": COLOURS[colour] if filled else None}
            for size, filled, colour in zip(range(1, 6), board.lines, board.colours, strict=True)
        ],
        "wall": [[None if slot == NO_COLOUR else COLOURS[slot] for slot in row] for row in board.wall],
        "floor": ["marker" if space == MARKER else COLOURS[space] for space in board.floor],
    }


def _names(counts: Sequence[int]) -> list[str]:
    return [COLOURS[slot] for slot, tiles in enumerate(counts) for _ in range(tiles)]


# ------------------------------------------------------------------------------------------------------------ words


def _displays_filled(event: DisplaysFilled, names: Names) -> str:
    offers = " ".join("".join(LETTERS[slot] for slot in tiles) or "·" for tiles in event.displays)
    poured = " after the lid was emptied into the bag" if event.poured else ""
    return f"Round {event.round} was dealt{poured}: {offers}. {names[event.starter]} starts."


def _tiles_drafted(event: TilesDrafted, names: Names) -> str:
    source = f"display {event.source}" if event.source else "the centre"
    parts = [f"{names[event.seat]} took {event.taken} {COLOURS[event.colour]} from {source}"]
    if event.marker:
        parts.append("the starting-player marker" + (" (beside the full floor)" if event.marker == "beside" else ""))
    target = f"pattern line {event.line}" if event.line else "the floor"
    ends = []
    if event.line and event.fallen:
        ends.append(f"{event.fallen} fell to the floor")
    if event.discarded:
        ends.append(f"{event.discarded} went to the lid")
    tail = f"; {joined(ends)}" if ends else ""
    return f"{' and '.join(parts)}, to {target}{tail}."


def _line_tiled(event: LineTiled, names: Names) -> str:
    where = f"row {event.line}, column {event.column}"
    return f"{names[event.seat]} tiled {COLOURS[event.colour]} at {where}: {_points(event.scores)}."


def _line_dropped(event: LineDropped, names: Names) -> str:
    tiles = f"{event.line} {COLOURS[event.colour]}"
    lid = f", {event.discarded} of them into the lid" if event.discarded else ""
    return f"{names[event.seat]} found no cell for line {event.line}: {tiles} fell{lid}."


def _floor_cleared(event: FloorCleared, names: Names) -> str:
    if not event.scores:
        return f"{names[event.seat]} had a clean floor."
    return f"{names[event.seat]} cleared the floor: {_points(event.scores)}."


def _game_ended(event: GameEnded, names: Names) -> str:
    why = {"row": "a row is complete", "supply": "no tile is left", "rounds": "the agreed last round is over"}
    bonuses = [f"{names[line.seat]} {_points((line,))}" for line in event.scores]
    return f"The game ended: {why[event.reason]}. Bonuses: {'; '.join(bonuses) or 'none'}."


def _points(lines: Sequence[ScoreLine]) -> str:
    return "; ".join(f"{points(line)} for {REASONS[line.reason](line.operands)}" for line in lines)


def _tile_reason(operands: Mapping[str, int]) -> str:
    runs = [f"a {kind} of {operands[key]}" for kind, key in (("row", "row_run"), ("column", "column_run"))]
    shown = [run for run, key in zip(runs, ("row_run", "column_run"), strict=True) if operands[key] > 1]
    return " + ".join(shown) or "a tile on its own"


def _floor_reason(operands: Mapping[str, int]) -> str:
    return f"{count(operands['spaces'], 'floor space')} occupied"


REASONS: Final[Mapping[str, Callable[[Mapping[str, int]], str]]] = {
    "tile-placed": _tile_reason,
    "floor": _floor_reason,
    "row-bonus": lambda operands: f"complete row {operands['row']}",
    "column-bonus": lambda operands: f"complete column {operands['column']}",
    "colour-bonus": lambda operands: f"all five {COLOURS[operands['colour']]}",
}

# ------------------------------------------------------------------------------------------- sums and how they go wrong


def _tile_sum(line: ScoreLine) -> str:
    runs = [("row run", line.operands["row_run"]), ("column run", line.operands["column_run"])]
    counted = [f"{name} {length}" for name, length in runs if length > 1]
    return f"{' + '.join(counted)} = {line.requested}" if counted else "no neighbour: 1"


def _floor_sum(line: ScoreLine) -> str:
    costs = FLOOR[: line.operands["spaces"]]
    return f"{' + '.join(map(str, costs))} = {sum(costs)}, taken off"


SUMS: Final[Mapping[str, Callable[[ScoreLine], str]]] = {"tile-placed": _tile_sum, "floor": _floor_sum}


def _tile_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    row, column = line.operands["row_run"], line.operands["column_run"]
    if column > 1:
        yield Slip(row, f"the column run of {column} was missed")
    if row > 1:
        yield Slip(column, f"the row run of {row} was missed")
    if row > 1 and column > 1:
        yield Slip(row + column - 1, "the tile was counted once, though it belongs to both runs")
        yield Slip(1, "only the tile itself was counted")
    elif row > 1 or column > 1:
        yield Slip(row + column, "the tile was counted again in the direction where it has no neighbour")
    yield Slip(row + column - 2, "the neighbours were counted without the tile itself")


def _floor_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    spaces = line.operands["spaces"]
    wrong = [
        (sum(FLOOR[: spaces - 1]), "the starting-player marker on the floor was not counted")
        if MARKER in state.boards[line.seat - 1].floor
        else (sum(FLOOR[: spaces - 1]), "one occupied floor space was not counted"),
        (spaces, "every floor space was counted as 1"),
        (FLOOR[spaces - 1], "only the last occupied floor space was counted"),
    ]
    # Where AZ-52 stopped the loss, a smaller wrong cost may have been stopped at the same place.
    yield from (Slip(max(-cost, line.applied), cause) for cost, cause in wrong)
    if spaces < len(FLOOR) and line.applied == line.requested:
        yield Slip(-sum(FLOOR[: spaces + 1]), "one floor space too many was counted")


def _bonus_slips(line: ScoreLine, state: State) -> Iterator[Slip]:
    for worth, kind in ((2, "row"), (7, "column"), (10, "colour")):
        yield Slip(worth, f"the bonus of a {kind} was written")


SLIPS: Final = {
    "tile-placed": _tile_slips,
    "floor": _floor_slips,
    "row-bonus": _bonus_slips,
    "column-bonus": _bonus_slips,
    "colour-bonus": _bonus_slips,
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    StartDrawn: ("AZ-15",),
    StartChosen: ("AZ-15",),
    DisplaysFilled: ("AZ-56", "AZ-57"),
    TilesDrafted: ("AZ-21", "AZ-22", "AZ-23", "AZ-27", "AZ-32"),
    LineTiled: ("AZ-39", "AZ-44", "AZ-47"),
    LineDropped: ("AZ-71",),
    FloorCleared: ("AZ-7", "AZ-51", "AZ-52"),
    GameEnded: ("AZ-59", "AZ-64", "AZ-65"),
}

STORY: Final[Mapping[type[Event], Callable[[Any, Names], str]]] = {
    StartDrawn: lambda event, names: f"The lot fell on {names[event.seat]} to start.",
    StartChosen: lambda event, names: f"{names[event.seat]} was chosen to start.",
    DisplaysFilled: _displays_filled,
    TilesDrafted: _tiles_drafted,
    LineTiled: _line_tiled,
    LineDropped: _line_dropped,
    FloorCleared: _floor_cleared,
    GameEnded: _game_ended,
}

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
