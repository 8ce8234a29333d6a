"""The rules of Azul (docs/rules/azul.md): what is legal, what chance owes, and what every action leads to."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

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
from events.core import CHANCE, Actor, Event, ScoreLine, Seat, Standing
from projections.azul import APPLY, COLOURS, EDITION, NO_COLOUR, Board, Edition, State, copy
from projections.core import Apply
from service.errors import IllegalAction
from service.rules.core import Action, Option, Outcome, Request, Rules, Stage, check_drawn, describe, ranked

PENALTIES: Final = (0, 1, 2, 4, 6, 8, 11, 14)
"""What 0–7 occupied floor spaces cost (AZ-7)."""
FLOOR_SPACES: Final = 7
DISPLAY_SIZE: Final = 4

OPTIONS: Final = (
    Option("boardSide", "coloured", ("coloured", "grey"), "printed wall, or free placement within a row (AZ-69)"),
    Option("bagRefill", "when-empty", ("when-empty", "when-insufficient"), "when the lid refills the bag (AZ-D1)"),
    Option("partialFloor", "false", ("false", "true"), "may tiles that fit be put on the floor (AZ-79)"),
    Option("firstPlayer", "random", ("random", "seat:<n>", "host-choice"), "who starts the first round (AZ-15)"),
    Option("maxRounds", "none", ("none", "<n>"), "an agreed last round (AZ-87)"),
)


class ChooseStart(Action, frozen=True, gc=False, tag="azul.choose_start"):
    """The host (seat 1) names who starts the first round."""

    seat: Seat


class DraftTiles(Action, frozen=True, gc=False, tag="azul.draft_tiles"):
    """Take all tiles of one colour from one source and place them."""

    source: int
    """The display, counted from 1; 0 is the centre."""
    colour: Slot
    line: int
    """The pattern line 1–5; 0 is the floor."""
    floor: int = 0
    """Tiles that would fit the line but go to the floor by choice (AZ-79)."""


class TileLine(Action, frozen=True, gc=False, tag="azul.tile_line"):
    """On the free side: move the tile of the topmost complete line to a column of its row."""

    line: int
    column: int
    """1–5; 0 would be the floor, which is never a choice (AZ-74)."""


# ---------------------------------------------------------------------------------------------------- what is legal

_MOST_DISPLAYS: Final = 9
_OPEN_TO: Final = tuple(tuple(slot for slot in range(COLOURS) if not row >> slot & 1) for row in range(32))
"""For every set of colours in a wall row, the colours an empty pattern line beside it accepts."""


def _drafts(source: int, colour: Slot, open_lines: int) -> tuple[DraftTiles, ...]:
    lines = [line for line in range(1, 6) if open_lines >> line - 1 & 1]
    return tuple(DraftTiles(source=source, colour=colour, line=line) for line in (*lines, 0))


_DRAFTS: Final = tuple(
    tuple(tuple(_drafts(source, colour, open_lines) for open_lines in range(32)) for colour in range(COLOURS))
    for source in range(_MOST_DISPLAYS + 1)
)
"""Every draft there can be, by source, colour and the set of lines that accept it. Actions are values: made once."""


def legal(state: State, seat: Seat) -> Sequence[Action]:
    """Every action open to the seat."""
    if state.phase == "draft":
        return _legal_drafts(state, seat) if state.turn == seat else []
    if state.phase == "tile" and seat in state.tiling:
        board = state.boards[seat - 1]
        line = next_complete(board)
        return [TileLine(line=line, column=column + 1) for column in open_cells(board, line)]
    if state.phase == "start" and seat == 1 and state.options.first_player == "host-choice":
        return [ChooseStart(seat=named) for named in range(1, state.seats + 1)]
    return []


def _legal_drafts(state: State, seat: Seat) -> list[Action]:
    board = state.boards[seat - 1]
    accepting = [0] * COLOURS
    bit = 1
    for row, colour in enumerate(board.colours):
        if colour == NO_COLOUR:
            for slot in _OPEN_TO[board.row_colours[row]]:
                accepting[slot] |= bit
        elif board.lines[row] <= row:
            accepting[colour] |= bit
        bit <<= 1
    actions: list[Action] = []
    for source, tiles in enumerate((state.centre, *state.displays)):
        drafts = _DRAFTS[source]
        for colour in range(COLOURS):
            if tiles[colour]:
                actions.extend(drafts[colour][accepting[colour]])
    if state.options.may_floor_part:
        actions.extend(_partial_drafts(state, board, actions))
    return actions


def _partial_drafts(state: State, board: Board, whole: Sequence[Action]) -> list[Action]:
    partial: list[Action] = []
    for draft in whole:
        assert isinstance(draft, DraftTiles)
        if draft.line:
            taken = tiles_at(state, draft.source)[draft.colour]
            fitting = min(taken, draft.line - board.lines[draft.line - 1])
            partial += [DraftTiles(draft.source, draft.colour, draft.line, floor) for floor in range(1, fitting)]
    return partial


def tiles_at(state: State, source: int) -> list[int]:
    return state.displays[source - 1] if source else state.centre


def next_complete(board: Board) -> int:
    """The topmost complete pattern line, 1–5; 0 when there is none (AZ-38)."""
    for line, tiles in enumerate(board.lines, start=1):
        if tiles == line:
            return line
    return 0


def open_cells(board: Board, line: int) -> list[int]:
    """The columns (from 0) where the tile of a complete line may go on the free side (AZ-69, AZ-70)."""
    row = line - 1
    colour = board.colours[row]
    if board.row_colours[row] >> colour & 1:
        return []
    return [
        column
        for column in range(5)
        if board.wall[row][column] == NO_COLOUR and all(other[column] != colour for other in board.wall)
    ]


# ------------------------------------------------------------------------------------------------ what chance owes


def request(state: State) -> Request | None:
    """A starting seat by lot, or the tiles for the displays, in stages where the lid must refill the bag."""
    if state.phase == "start" and state.options.first_player == "random":
        return Request("starting seat", (Stage((1,) * state.seats, 1),))
    if state.phase == "deal":
        return Request("deal", deal_stages(state, DISPLAY_SIZE * len(state.displays)))
    return None


def deal_stages(state: State, wanted: int) -> tuple[Stage, ...]:
    """So many tiles from the bag, or as many as bag and lid hold (AZ-58)."""
    bag, lid = tuple(state.bag), tuple(state.lid)
    in_bag = sum(bag)
    if in_bag >= wanted:
        return (Stage(bag, wanted),)
    # AZ-D1: either the bag is used up first, or it is topped up before the display it could not fill.
    first = in_bag - in_bag % DISPLAY_SIZE if state.options.pours_early else in_bag
    rest = min(wanted, in_bag + sum(lid)) - first
    return (Stage(bag, first), Stage(lid, rest)) if rest else (Stage(bag, first),)


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action) -> list[Event]:
    """The events of an action, or IllegalAction with the rule that forbids it."""
    seat = acting_seat(state, actor, action)
    if type(action) is DraftTiles:
        event = drafted(state, seat, action)
        return [event] if event.next else end_drafting(state, event, TILING)
    if type(action) is TileLine:
        return tile_by_choice(state, seat, action, TILING)
    if type(action) is Outcome:
        return _decide_chance(state, action)
    if type(action) is ChooseStart:
        return _decide_start(state, seat, action)
    raise IllegalAction(
        "azul/action", "AZ-20", f"{describe(action)} is not an action of {state.options.edition.title}."
    )


def acting_seat(state: State, actor: Actor, action: Action) -> Seat:
    """Whoever acts, 0 for chance. Refuses everything after the end, and actors who are not at the table."""
    if state.phase == "over":
        raise IllegalAction("azul/over", "AZ-59", "The game is over; nothing more can be played.")
    if type(action) is Outcome:
        if actor != CHANCE:
            raise IllegalAction("azul/actor", "AZ-91", f"Seat {actor} cannot draw; that is for chance.")
        return 0
    if not isinstance(actor, int) or not 1 <= actor <= state.seats:
        raise IllegalAction("azul/actor", "AZ-18", f"{actor!r} is not a seat at this table of {state.seats}.")
    return actor


def _decide_start(state: State, seat: Seat, action: ChooseStart) -> list[Event]:
    if state.phase != "start" or state.options.first_player != "host-choice":
        raise IllegalAction("azul/phase", "AZ-15", "The first player is not to be chosen now.")
    if seat != 1:
        raise IllegalAction("azul/host", "AZ-15", f"Seat {seat} is not the host; seat 1 names the first player.")
    if not 1 <= action.seat <= state.seats:
        raise IllegalAction("azul/seat", "AZ-15", f"Seat {action.seat} is not at this table; choose 1–{state.seats}.")
    return [StartChosen(seat=action.seat)]


def _decide_chance(state: State, outcome: Outcome) -> list[Event]:
    wanted = request(state)
    if state.phase == "start":
        seats = [f"seat {seat}" for seat in range(1, state.seats + 1)]
        check_drawn(wanted, outcome, "azul/start", "AZ-15", seats)
        return [StartDrawn(seat=outcome.drawn[0] + 1)]
    return [filled(state, wanted, outcome)]


def filled(state: State, wanted: Request | None, outcome: Outcome) -> DisplaysFilled:
    """The deal, display by display (AZ-81)."""
    check_drawn(wanted, outcome, "azul/deal", "AZ-56", state.options.edition.colours)
    assert wanted is not None
    displays = tuple(
        outcome.drawn[position : position + DISPLAY_SIZE]
        for position in range(0, DISPLAY_SIZE * len(state.displays), DISPLAY_SIZE)
    )
    # AZ-78: a marker nobody took leaves the starting seat as it was.
    starter = state.marker or state.starter
    return DisplaysFilled(round=state.round + 1, starter=starter, displays=displays, poured=len(wanted.stages) > 1)


def drafted(state: State, seat: Seat, action: DraftTiles) -> TilesDrafted:
    """The pick and where its tiles go, if the rules allow it."""
    source, colour, line = action.source, action.colour, action.line
    check_draft_turn(state, seat)
    if not 0 <= source <= len(state.displays):
        raise IllegalAction(
            "azul/source",
            "AZ-21",
            f"There is no display {source}; choose 1–{len(state.displays)}, or C for the centre.",
        )
    if not 0 <= colour < COLOURS:
        raise IllegalAction("azul/colour", "AZ-2", f"There is no colour {colour}; choose 0–{COLOURS - 1}.")
    taken = tiles_at(state, source)[colour]
    if not taken:
        raise _nothing_there(state, source, colour)
    board = state.boards[seat - 1]
    fits = room(board, colour, line, taken, state.options.edition)
    if not 0 <= action.floor < max(fits, 1) or (action.floor and not state.options.may_floor_part):
        raise IllegalAction(
            "azul/partial-floor",
            "AZ-79",
            f"{action.floor} {state.options.edition.tile}s that fit line {line} may not go to the floor by choice.",
        )
    placed = fits - action.floor
    takes_marker = source == 0 and state.marker == 0
    free = FLOOR_SPACES - len(board.floor)
    marker_falls = takes_marker and free > 0
    fallen = min(taken - placed, free - marker_falls)
    return TilesDrafted(
        seat=seat,
        source=source,
        colour=colour,
        taken=taken,
        line=line,
        next=seat % state.seats + 1 if state.offered > taken else 0,
        placed=placed,
        fallen=fallen,
        discarded=taken - placed - fallen,
        marker="" if not takes_marker else "floor" if marker_falls else "beside",
    )


def end_drafting(state: State, event: TilesDrafted, tiling: "Tiling") -> list[Event]:
    """The draft of the last tiles on offer, and everything that follows it."""
    after = copy(state)
    tiling.apply[type(event)](after, event)
    order = [(state.starter + turn - 1) % state.seats + 1 for turn in range(state.seats)]
    return [event, *_tile_walls(after, order, tiling)]


def check_draft_turn(state: State, seat: Seat) -> None:
    """Refuse a draft outside the drafting phase or the seat's turn."""
    if state.phase != "draft":
        tiles = state.options.edition.tile.capitalize()
        raise IllegalAction("azul/phase", "AZ-18", f"{tiles}s cannot be drafted in the {state.phase} phase.")
    if state.turn != seat:
        raise IllegalAction("azul/turn", "AZ-19", f"It is seat {state.turn}'s turn, not seat {seat}'s.")


def _nothing_there(state: State, source: int, colour: Slot) -> IllegalAction:
    tiles, edition = tiles_at(state, source), state.options.edition
    place = f"Display {source}" if source else "The centre"
    rule = "AZ-21" if source else "AZ-22"
    if not any(tiles):
        return IllegalAction("azul/source-empty", rule if source else "AZ-26", f"{place} holds no {edition.tile}s.")
    present = ", ".join(name for name, count in zip(edition.colours, tiles, strict=True) if count)
    return IllegalAction("azul/colour-absent", rule, f"{place} holds no {edition.colours[colour]}, only {present}.")


def room(board: Board, colour: Slot, line: int, taken: int, edition: Edition = EDITION) -> int:
    """How many of the taken tiles fit the line; the floor (line 0) fits none."""
    if line == 0:
        return 0
    if not 1 <= line <= 5:
        raise IllegalAction("azul/line", "AZ-27", f"There is no pattern line {line}; choose 1–5, or - for the floor.")
    row = line - 1
    if board.lines[row] == line:
        raise IllegalAction("azul/line-complete", "AZ-80", f"Pattern line {line} is complete; say - for the floor.")
    if board.lines[row] and board.colours[row] != colour:
        held = edition.colours[board.colours[row]]
        raise IllegalAction(
            "azul/line-colour",
            "AZ-29",
            f"Pattern line {line} holds {held}; it does not take {edition.colours[colour]}.",
        )
    if board.row_colours[row] >> colour & 1:
        raise IllegalAction(
            "azul/wall-colour",
            "AZ-30",
            f"{edition.wall.capitalize()} row {line} already has {edition.colours[colour]}; "
            f"line {line} is closed to it.",
        )
    return min(taken, line - board.lines[row])


def tile_by_choice(state: State, seat: Seat, action: TileLine, tiling: "Tiling") -> list[Event]:
    """A tile put where the seat wants it on the free side, and everything up to the next choice."""
    if state.phase != "tile":
        raise IllegalAction("azul/phase", "AZ-18", f"Nothing can be tiled in the {state.phase} phase.")
    if seat not in state.tiling:
        raise IllegalAction("azul/turn", "AZ-38", f"Seat {seat} has no line left to tile.")
    board = state.boards[seat - 1]
    line, column = action.line, action.column
    expected = next_complete(board)
    if not 1 <= line <= 5 or board.lines[line - 1] != line:
        raise IllegalAction("azul/line-incomplete", "AZ-38", f"Line {line} is not complete; line {expected} is next.")
    if line != expected:
        raise IllegalAction(
            "azul/line-order", "AZ-75", f"Lines are tiled from the top: {expected} comes before {line}."
        )
    if column == 0:
        raise IllegalAction("azul/must-place", "AZ-74", f"Line {line} can be placed, so it may not go to the floor.")
    if not 1 <= column <= 5:
        raise IllegalAction("azul/cell", "AZ-69", f"There is no column {column}; choose 1–5.")
    if board.wall[line - 1][column - 1] != NO_COLOUR:
        raise IllegalAction("azul/cell-taken", "AZ-69", f"Row {line} column {column} is occupied.")
    if column - 1 not in open_cells(board, line):
        colour = state.options.edition.colours[board.colours[line - 1]]
        raise IllegalAction("azul/column-colour", "AZ-70", f"Column {column} already has {colour}.")
    after = copy(state)
    event = _tiled(after, seat, line, column - 1)
    return [event, *_tile_walls(after, [seat], tiling)]


# ------------------------------------------------------------------------------- tiling, scoring and the end (B and C)


class Tiling(NamedTuple):
    """Where variants part once drafting is over: what falls, what the floor costs, and how both are written down."""

    apply: Apply
    dropped: Callable[[Any, Seat, int], LineDropped]
    """A complete line that no cell can take (AZ-71)."""
    floor_scores: Callable[[Any, Seat], tuple[ScoreLine, ...]]


def _tile_walls(state: State, order: Sequence[Seat], tiling: Tiling) -> Iterator[Event]:
    """Everything that follows without a choice once drafting is over; `state` is a scratch copy and moves along."""
    for seat in order:
        yield from _tile_board(state, seat, tiling)
    if not state.tiling:
        ending = _ending(state)
        if ending is not None:
            yield ending


def _tile_board(state: State, seat: Seat, tiling: Tiling) -> Iterator[Event]:
    board = state.boards[seat - 1]
    while line := next_complete(board):
        if not state.options.is_grey:
            yield _tiled(state, seat, line, printed_column(line, board.colours[line - 1]))
            continue
        cells = open_cells(board, line)
        if len(cells) > 1:
            return
        # One cell is no choice (and AZ-74 leaves no other); no cell sends the line to the floor (AZ-71).
        if cells:
            yield _tiled(state, seat, line, cells[0])
        else:
            fall = tiling.dropped(state, seat, line)
            tiling.apply[type(fall)](state, fall)
            yield fall
    event = FloorCleared(seat=seat, scores=tiling.floor_scores(state, seat))
    tiling.apply[FloorCleared](state, event)
    yield event


def printed_column(line: int, colour: Slot) -> int:
    """Where the coloured wall shows a colour in a row, counted from 0 (AZ-8)."""
    return (colour + line - 1) % COLOURS


def _tiled(state: State, seat: Seat, line: int, column: int) -> LineTiled:
    board = state.boards[seat - 1]
    event = LineTiled(
        seat=seat,
        line=line,
        colour=board.colours[line - 1],
        column=column + 1,
        scores=(tile_points(seat, board.wall, line - 1, column),),
    )
    APPLY[LineTiled](state, event)
    return event


def dropped(state: State, seat: Seat, line: int) -> LineDropped:
    """The fall of a whole line to the floor, the excess to the lid."""
    board = state.boards[seat - 1]
    fallen = min(line, FLOOR_SPACES - len(board.floor))
    return LineDropped(seat=seat, line=line, colour=board.colours[line - 1], fallen=fallen, discarded=line - fallen)


def tile_points(seat: Seat, wall: Sequence[Sequence[Slot]], row: int, column: int) -> ScoreLine:
    """The points of a tile about to be placed (AZ-44…AZ-47)."""
    across = 1 + _run(wall, row, column, 0, -1) + _run(wall, row, column, 0, 1)
    down = 1 + _run(wall, row, column, -1, 0) + _run(wall, row, column, 1, 0)
    points = (across if across > 1 else 0) + (down if down > 1 else 0) or 1
    return ScoreLine(
        seat=seat,
        rule="AZ-46" if points > 1 else "AZ-45",
        reason="tile-placed",
        requested=points,
        applied=points,
        operands={"row": row + 1, "column": column + 1, "row_run": across, "column_run": down},
    )


def _run(wall: Sequence[Sequence[Slot]], row: int, column: int, down: int, right: int) -> int:
    length = 0
    while 0 <= (row := row + down) < 5 and 0 <= (column := column + right) < 5 and wall[row][column] != NO_COLOUR:
        length += 1
    return length


def floor_scores(state: State, seat: Seat) -> tuple[ScoreLine, ...]:
    """What the occupied floor spaces cost (AZ-50)."""
    board = state.boards[seat - 1]
    spaces = len(board.floor)
    if not spaces:
        return ()
    nominal = PENALTIES[spaces]
    return (
        ScoreLine(
            seat=seat,
            rule="AZ-50",
            reason="floor",
            requested=-nominal,
            applied=-min(nominal, board.score),  # AZ-52: never below 0
            operands={"spaces": spaces},
        ),
    )


TILING: Final = Tiling(APPLY, dropped, floor_scores)


def _ending(state: State) -> GameEnded | None:
    """The end of the game, if this was its last round (AZ-54, AZ-59, AZ-83, AZ-87)."""
    if any(complete_rows(board) for board in state.boards):
        reason = "row"
    elif not any(state.bag) and not any(state.lid):
        reason = "supply"
    elif state.options.max_rounds and state.round >= state.options.max_rounds:
        reason = "rounds"
    else:
        return None
    lines = tuple(line for seat in range(1, state.seats + 1) for line in bonuses(seat, state.boards[seat - 1]))
    totals = [board.score for board in state.boards]
    for line in lines:
        totals[line.seat - 1] += line.applied
    standings = ranked(totals, [len(complete_rows(board)) for board in state.boards])
    return GameEnded(reason=reason, scores=lines, standings=standings)  # type: ignore[arg-type]


def complete_rows(board: Board) -> list[int]:
    """The complete horizontal rows, counted from 1."""
    return [row for row, cells in enumerate(board.wall, start=1) if NO_COLOUR not in cells]


def bonuses(seat: Seat, board: Board) -> Iterator[ScoreLine]:
    """The end bonuses of one board: rows, columns, colours (AZ-61…AZ-63)."""
    for row in complete_rows(board):
        yield ScoreLine(seat, "AZ-61", "row-bonus", 2, 2, {"row": row})
    for column in range(5):
        if all(row[column] != NO_COLOUR for row in board.wall):
            yield ScoreLine(seat, "AZ-62", "column-bonus", 7, 7, {"column": column + 1})
    for colour in range(COLOURS):
        if all(row >> colour & 1 for row in board.row_colours):
            yield ScoreLine(seat, "AZ-63", "colour-bonus", 10, 10, {"colour": colour})


def rank(state: State) -> tuple[Standing, ...]:
    """The standings if play stopped now: scores as they are, complete rows as tie-break."""
    return ranked([board.score for board in state.boards], [len(complete_rows(board)) for board in state.boards])


RULES: Final = Rules(
    ruleset="azul/1",
    seats=range(2, 5),
    options=OPTIONS,
    actions=(ChooseStart, DraftTiles, TileLine),
    legal=legal,
    request=request,
    decide=decide,
    rank=rank,
)
