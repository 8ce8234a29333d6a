"""The rules of a score pad of Azul (docs/rules/azul-pad.md): what may be entered, and what it scores."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from events.azul import GameEnded, Slot
from events.azul_pad import FloorCounted, GameStopped, TileLaid
from events.core import Actor, Event, Seat
from projections.azul.state import DISPLAYS, NO_COLOUR, TILES_PER_COLOUR
from projections.azul.tiles import COLOURS
from projections.azul_pad.state import APPLY, State
from projections.copying import copied
from projections.pads import to_enter
from service.games.azul.rules import DISPLAY_SIZE
from service.games.azul.rules import OPTIONS as AZUL_OPTIONS
from service.games.azul.tiling import (
    FLOOR_SPACES,
    cells_for,
    end_reason,
    final_points,
    floor_points,
    printed_column,
    rank,
    tile_points,
)
from service.games.core import Action, Rules
from service.games.master_chocolatier.rules import OPTIONS as CHOCOLATIER_OPTIONS
from service.games.options import Option
from service.games.refusals import Refusals

LINES: Final = range(1, 6)


class LayTile(Action, frozen=True, gc=False, tag="azul_pad.lay_tile"):
    """Enter the tile that a complete line sent to the wall."""

    line: int
    colour: Slot
    column: int = 0
    """On the free side 1–5; 0 on the coloured side, where the wall says it."""


class ClearFloor(Action, frozen=True, gc=False, tag="azul_pad.clear_floor"):
    """Enter how many floor spaces were occupied, the marker's included; that closes the seat's round."""

    spaces: int


class StopGame(Action, frozen=True, gc=False, tag="azul_pad.stop_game"):
    """Say that there is no further round."""


def _shared(options: Sequence[Option]) -> tuple[Option, ...]:
    """What a game's table agrees on and its points depend on."""
    return tuple(option for option in options if option.name in ("boardSide", "maxRounds"))


# ---------------------------------------------------------------------------------------------------- what is legal


def legal(state: State, seat: Seat) -> list[Action]:
    """Every entry open to the seat."""
    if seat not in to_enter(state):
        return []
    left = _pieces_left(state)
    entries: list[Action] = [
        LayTile(line, colour, column)
        for line in LINES
        if line > _lowest(state, seat) and line <= left
        for colour in range(COLOURS)
        if line <= _tiles_left(state, colour)
        for column in _columns(state, seat, line, colour)
    ]
    entries += [ClearFloor(spaces) for spaces in range(min(FLOOR_SPACES, left) + 1)]
    return [*entries, StopGame()] if state.round and not state.entering else entries


def _columns(state: State, seat: Seat, line: int, colour: Slot) -> Sequence[int]:
    """How the column of a tile may be given: by name on the free side, not at all on the coloured one."""
    cells = cells_for(state.boards[seat - 1], line - 1, colour)
    if state.options.is_grey:
        return [cell + 1 for cell in cells]
    return (0,) if printed_column(line, colour) in cells else ()


def _lowest(state: State, seat: Seat) -> int:
    """The lowest line the seat has entered in the round that is on, or about to begin."""
    return state.lines[seat - 1] if state.entering else 0


def _tiles_left(state: State, colour: Slot) -> int:
    """Tiles of a colour that can have been in a line: those on no wall, and in no other line of this round (AZ-10)."""
    on_walls = sum(row.count(colour) for board in state.boards for row in board.wall)
    return TILES_PER_COLOUR - on_walls - (state.thrown[colour] if state.entering else 0)


def _pieces_left(state: State) -> int:
    """Pieces that can lie in lines or on floors beside all that was entered (AP-6)."""
    dealt = DISPLAY_SIZE * DISPLAYS[state.seats] + state.options.edition.extra
    return (dealt + 1) * _coming(state) - state.pieces  # with the marker


def _begun(state: State) -> int:
    """The round that an entry begins; 0 while one is on."""
    return 0 if state.entering else state.round + 1


def _coming(state: State) -> int:
    """The round an entry is for."""
    return state.round if state.entering else state.round + 1


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action) -> list[Event]:
    """The events of an entry, or IllegalAction with the rule that forbids it."""
    seat = _REFUSALS.acting_seat(state, actor, action)
    if seat not in to_enter(state):
        raise _illegal("closed", "AP-2", f"Seat {seat} has entered its floor; round {state.round} waits for others.")
    if isinstance(action, LayTile):
        return [_laid(state, seat, action)]
    if isinstance(action, ClearFloor):
        return list(_cleared(state, seat, action))
    if isinstance(action, StopGame):
        return [_stopped(state)]
    raise _REFUSALS.unknown_action(action)


_REFUSALS: Final = Refusals(
    "azul-pad", "an entry of a score pad", over="AZ-59", seat="AP-1", action="AP-2", done="entered"
)
_illegal: Final = _REFUSALS.illegal


def column_of(state: State, action: LayTile) -> int:
    """The column of a tile, 1–5: as it was named, or as the wall shows it."""
    return action.column if state.options.is_grey else printed_column(action.line, action.colour) + 1


def _laid(state: State, seat: Seat, action: LayTile) -> TileLaid:
    line, colour = action.line, action.colour
    _check_line(state, seat, line, colour)
    _check_cell(state, seat, action)
    _check_tiles(state, line, colour)
    column = column_of(state, action)
    points = tile_points(seat, state.boards[seat - 1].wall, line - 1, column - 1)
    return TileLaid(seat=seat, line=line, colour=colour, column=column, scores=(points,), round=_begun(state))


def _check_line(state: State, seat: Seat, line: int, colour: Slot) -> None:
    edition = state.options.edition
    if line not in LINES:
        raise _illegal("line", "AZ-6", f"There is no line {line}; choose 1–5.")
    if not 0 <= colour < COLOURS:
        raise _illegal("colour", "AZ-2", f"There is no colour {colour}; choose 0–{COLOURS - 1}.")
    if line <= (lowest := _lowest(state, seat)):
        raise _illegal(
            "order",
            "AZ-38",
            f"Line {line} cannot follow line {lowest}: lines are settled from the top down, each once a round.",
        )
    if state.boards[seat - 1].row_colours[line - 1] >> colour & 1:
        raise _illegal(
            "row-colour", "AZ-30", f"Row {line} of the {edition.wall} already has {edition.colours[colour]}."
        )


def _check_cell(state: State, seat: Seat, action: LayTile) -> None:
    line, column, name = action.line, action.column, state.options.edition.colours[action.colour]
    if not state.options.is_grey:
        if column:
            shown = printed_column(line, action.colour) + 1
            raise _illegal("column", "AP-4", f"Leave column {column} out: row {line} shows {name} in column {shown}.")
        return
    if column == 0:
        raise _illegal("column-missing", "AP-4", f"Say in which column of row {line} the {name} lies, such as @1.")
    if column not in range(1, 6):
        raise _illegal("cell", "AZ-69", f"There is no column {column}; choose 1–5.")
    if state.boards[seat - 1].wall[line - 1][column - 1] != NO_COLOUR:
        raise _illegal("cell-taken", "AZ-69", f"Row {line} column {column} is occupied.")
    if column not in _columns(state, seat, line, action.colour):
        raise _illegal("column-colour", "AZ-70", f"Column {column} already has {name}.")


def _check_tiles(state: State, line: int, colour: Slot) -> None:
    edition = state.options.edition
    if line > (left := _tiles_left(state, colour)):
        raise _illegal(
            "colour-count",
            "AZ-10",
            f"Line {line} takes {line} {edition.colours[colour]}; of the {TILES_PER_COLOUR} there are, {left} are on no"
            f" {edition.wall} and in no other line of this round.",
        )
    _check_pieces(state, line)


def _check_pieces(state: State, pieces: int) -> None:
    if pieces > (left := _pieces_left(state)):
        tiles = f"{state.options.edition.tile}s"
        raise _illegal(
            "too-many",
            "AP-6",
            f"{pieces} more {tiles} are too many: of all that was dealt up to round {_coming(state)}, {left} are left.",
        )


def _cleared(state: State, seat: Seat, action: ClearFloor) -> Iterator[Event]:
    spaces = action.spaces
    if not 0 <= spaces <= FLOOR_SPACES:
        raise _illegal("floor", "AZ-7", f"A floor has {FLOOR_SPACES} spaces; {spaces} cannot be occupied.")
    _check_pieces(state, spaces)
    scores = floor_points(seat, state.boards[seat - 1].score, spaces)
    event = FloorCounted(seat=seat, scores=scores, spaces=spaces, round=_begun(state))
    yield event
    after = copied(state)
    APPLY[FloorCounted](after, event)
    # What is left in the bag is not on the pad: a game that ends for lack of tiles (AZ-83) is ended by word.
    reason = None if after.entering else end_reason(after.boards, after.options, after.round, is_used_up=False)
    if reason is not None:
        yield GameEnded(reason, *final_points(after.boards))


def _stopped(state: State) -> GameStopped:
    if not state.round or state.entering:
        waiting = f"round {state.round} is not entered in full" if state.entering else "no round was entered"
        raise _illegal("end", "AP-7", f"The game cannot end yet: {waiting}.")
    return GameStopped(*final_points(state.boards))


RULES: Final = Rules(
    ruleset="azul-pad/1",
    seats=range(2, 5),
    options=_shared(AZUL_OPTIONS),
    actions=(LayTile, ClearFloor, StopGame),
    legal=legal,
    request=lambda state: None,  # AP-8
    decide=decide,
    rank=rank,
)

CHOCOLATIER_RULES: Final = replace(
    RULES, ruleset="master-chocolatier-pad/1", options=_shared(CHOCOLATIER_OPTIONS), areas=("azul-pad",)
)
