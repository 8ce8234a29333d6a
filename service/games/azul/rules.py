"""The rules of Azul (docs/rules/azul.md): what is legal, what chance owes, and what every action leads to."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final, Literal

from msgspec.structs import replace

from events.azul import DisplaysFilled, Slot, StartChosen, StartDrawn, TilesDrafted
from events.core import Actor, Event, Seat
from projections.azul.state import DISPLAYS, EDITION, LINE_TAKES, Board, Edition, State
from projections.azul.tiles import ALL, COLOURS, SHIFTS, count_of, counts
from projections.copying import copied
from service.errors import IllegalAction
from service.games.azul.tiling import (
    FLOOR_SPACES,
    TILING,
    TILING_1,
    TileLine,
    Tiling,
    next_complete,
    open_cells,
    rank,
    tile_by_choice,
    tile_walls,
)
from service.games.core import Action, Outcome, Request, Rules, Stage, check_drawn, describe
from service.games.first_player import ChooseStart, Starting, ask_for_start, first_player
from service.games.options import Number, Option
from service.games.refusals import Refusals

DISPLAY_SIZE: Final = 4
STARTING: Final = Starting("azul", "AZ-15", StartDrawn, StartChosen)

OPTIONS: Final = (
    Option("boardSide", "coloured", ("coloured", "grey"), "printed wall, or free placement within a row (AZ-69)"),
    Option("bagRefill", "when-empty", ("when-empty", "when-insufficient"), "when the lid refills the bag (AZ-D1)"),
    Option("partialFloor", "false", ("false", "true"), "may tiles that fit be put on the floor (AZ-79)"),
    first_player("AZ-15"),
    Option("maxRounds", "none", ("none", Number(999)), "an agreed last round (AZ-87)"),
)


class DraftTiles(Action, frozen=True, gc=False, tag="azul.draft_tiles"):
    """Take all tiles of one colour from one source and place them."""

    source: int
    """The display, counted from 1; 0 is the centre."""
    colour: Slot
    line: int
    """The pattern line 1–5; 0 is the floor."""
    floor: int = 0
    """Tiles that would fit the line but go to the floor by choice (AZ-79)."""


# ---------------------------------------------------------------------------------------------------- what is legal

_MOST_DISPLAYS: Final = 9


@cache
def whole_draft(source: int, colour: Slot, line: int) -> DraftTiles:
    """A draft of which all that fits goes to the line."""
    return DraftTiles(source=source, colour=colour, line=line)


def _drafts(source: int, colour: Slot, open_lines: int) -> tuple[DraftTiles, ...]:
    lines = [line for line in range(1, 6) if open_lines >> line - 1 & 1]
    return tuple(whole_draft(source, colour, line) for line in (*lines, 0))


_DRAFTS: Final = tuple(
    tuple(tuple(_drafts(source, colour, open_) for source in range(_MOST_DISPLAYS + 1)) for open_ in range(32))
    for colour in range(COLOURS)
)
"""Every draft of a colour, by the lines open to it and by its source. Actions are values: made once."""
_DRAFTS_0, _DRAFTS_1, _DRAFTS_2, _DRAFTS_3, _DRAFTS_4 = _DRAFTS
_ALL_0, _ALL_1, _ALL_2, _ALL_3, _ALL_4 = ALL


def legal(state: State, seat: Seat) -> Sequence[Action]:
    """Every action open to the seat."""
    if state.phase != "draft":
        return _legal_without_drafts(state, seat)
    if state.turn != seat:
        return []
    board = state.boards[seat - 1]
    open_lines = sum(board.takes)
    # Slot by slot, because bots ask for this at every turn: with a loop over the colours a playout takes 10 % longer.
    drafts_0 = _DRAFTS_0[open_lines & 31]
    drafts_1 = _DRAFTS_1[open_lines >> 5 & 31]
    drafts_2 = _DRAFTS_2[open_lines >> 10 & 31]
    drafts_3 = _DRAFTS_3[open_lines >> 15 & 31]
    drafts_4 = _DRAFTS_4[open_lines >> 20]
    actions: list[Action] = []
    for source, tiles in enumerate(state.sources):
        if tiles:
            if tiles & _ALL_0:
                actions += drafts_0[source]
            if tiles & _ALL_1:
                actions += drafts_1[source]
            if tiles & _ALL_2:
                actions += drafts_2[source]
            if tiles & _ALL_3:
                actions += drafts_3[source]
            if tiles & _ALL_4:
                actions += drafts_4[source]
    if state.options.may_floor_part:
        actions.extend(_partial_drafts(state, board, actions))
    return actions


def _legal_without_drafts(state: State, seat: Seat) -> Sequence[Action]:
    """The same outside the drafting phase."""
    if state.phase == "tile" and seat in state.tiling:
        board = state.boards[seat - 1]
        line = next_complete(board)
        return [TileLine(line=line, column=column + 1) for column in open_cells(board, line)]
    return STARTING.legal(state.seats, seat) if state.phase == "start" and state.options.host_chooses else []


def _partial_drafts(state: State, board: Board, whole: Sequence[Action]) -> list[Action]:
    partial: list[Action] = []
    for draft in whole:
        assert isinstance(draft, DraftTiles)
        if draft.line:
            taken = count_of(state.sources[draft.source], draft.colour)
            fitting = min(taken, draft.line - board.lines[draft.line - 1])
            partial += [DraftTiles(draft.source, draft.colour, draft.line, floor) for floor in range(1, fitting)]
    return partial


# ------------------------------------------------------------------------------------------------ what chance owes


def request(state: State) -> Request | None:
    """A starting seat by lot, or the tiles for the displays, in stages where the lid must refill the bag."""
    phase = state.phase
    if phase == "draft":
        return None  # as after nearly every action
    if phase == "start" and not state.options.host_chooses:
        return ask_for_start(state.seats)
    if phase == "deal":
        return Request("deal", deal_stages(state, DISPLAY_SIZE * DISPLAYS[state.seats]))
    return None


def deal_stages(state: State, wanted: int) -> tuple[Stage, ...]:
    """So many tiles from the bag, or as many as bag and lid hold (AZ-58)."""
    bag = counts(state.bag)
    in_bag = sum(bag)
    if in_bag >= wanted:
        return (Stage(bag, wanted),)
    lid = counts(state.lid)
    # AZ-D1: either the bag is used up first, or it is topped up before the display it could not fill.
    first = in_bag - in_bag % DISPLAY_SIZE if state.options.pours_early else in_bag
    rest = min(wanted, in_bag + sum(lid)) - first
    return (Stage(bag, first), Stage(lid, rest)) if rest else (Stage(bag, first),)


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action, tiling: Tiling = TILING) -> list[Event]:
    """The events of an action, or IllegalAction with the rule that forbids it."""
    if type(action) is DraftTiles:
        event = drafted(state, actor, action)
        return [event] if event.next else end_drafting(copied(state), event, tiling)
    seat = REFUSALS.acting_seat(state, actor, action)
    if type(action) is TileLine:
        return tile_by_choice(copied(state), seat, action, tiling)
    if type(action) is Outcome:
        return _decide_chance(state, action)
    if type(action) is ChooseStart:
        is_asked = state.phase == "start" and state.options.host_chooses
        return STARTING.choose(state.seats, seat, action, is_asked=is_asked)
    message = f"{describe(action)} is not an action of {state.options.edition.title}."
    raise REFUSALS.illegal("action", REFUSALS.action, message)


def enact(
    state: State,
    actor: Actor,
    action: Action,
    tiling: Tiling = TILING,
    decide: Callable[[Any, Actor, Action, Tiling], list[Event]] = decide,
) -> list[Event]:
    """The same, written down at the table itself; a variant decides its own way what neither drafts nor tiles.

    Decided first and folded afterwards, the end of a round is worked out twice, and a playout takes 10 % longer.
    """
    if type(action) is DraftTiles:
        return enact_draft(state, drafted(state, actor, action), tiling)
    if type(action) is TileLine:
        return tile_by_choice(state, REFUSALS.acting_seat(state, actor, action), action, tiling)
    events = decide(state, actor, action, tiling)
    for event in events:
        tiling.apply[type(event)](state, event)
    return events


def enact_draft(state: State, event: TilesDrafted, tiling: Tiling) -> list[Event]:
    """A draft and everything that follows it, written down."""
    if not event.next:
        return end_drafting(state, event, tiling)
    tiling.apply[type(event)](state, event)
    return [event]


REFUSALS: Final = Refusals(
    "azul", "an action of Azul", over="AZ-59", seat="AZ-18", action="AZ-20", turn="AZ-19", chance="AZ-91"
)


def _decide_chance(state: State, outcome: Outcome) -> list[Event]:
    wanted = request(state)
    if state.phase == "start":
        return STARTING.draw(state.seats, wanted, outcome)
    return [filled(state, wanted, outcome)]


def filled(state: State, wanted: Request | None, outcome: Outcome) -> DisplaysFilled:
    """The deal, display by display (AZ-81)."""
    check_drawn(wanted, outcome, "azul/deal", "AZ-56", state.options.edition.colours)
    assert wanted is not None
    positions = range(0, DISPLAY_SIZE * DISPLAYS[state.seats], DISPLAY_SIZE)
    displays = tuple([outcome.drawn[position : position + DISPLAY_SIZE] for position in positions])
    # AZ-78: a marker nobody took leaves the starting seat as it was.
    starter = state.marker or state.starter
    # An empty lid is not poured, even where the bag would have been topped up early (AZ-D1).
    poured = len(wanted.stages) > 1 and state.lid > 0
    return DisplaysFilled(round=state.round + 1, starter=starter, displays=displays, poured=poured)


def drafted(state: State, actor: Actor, action: DraftTiles) -> TilesDrafted:
    """The pick and where its tiles go, if the rules allow it."""
    seat, sources = state.turn, state.sources
    if actor != seat or state.phase != "draft":
        raise no_draft_of(state, actor, action)
    source, colour, line = action.source, action.colour, action.line
    if not 0 <= source < len(sources):
        raise IllegalAction(
            "azul/source",
            "AZ-21",
            f"There is no display {source}; choose 1–{len(sources) - 1}, or C for the centre.",
        )
    if not 0 <= colour < COLOURS:
        raise IllegalAction("azul/colour", "AZ-2", f"There is no colour {colour}; choose 0–{COLOURS - 1}.")
    tiles = sources[source]
    picked = tiles & ALL[colour]
    if not picked:
        raise _nothing_there(state, source, colour)
    taken = picked >> SHIFTS[colour]
    board = state.boards[seat - 1]
    placed = room(board, colour, line, taken, state.options.edition) if line else 0
    if action.floor:
        placed -= _floored(state, action, placed)
    falling, fallen, discarded = taken - placed, 0, 0
    marker: Literal["", "floor", "beside"] = ""
    takes_marker = source == 0 and state.marker == 0
    if falling or takes_marker:
        free = FLOOR_SPACES - len(board.floor)
        if takes_marker:
            marker = "floor" if free else "beside"
            free -= free > 0  # the marker falls first
        fallen = falling if falling < free else free
        discarded = falling - fallen
    is_last = picked == tiles and picked == sum(sources)
    following = 0 if is_last else seat % state.seats + 1
    return TilesDrafted(seat, source, colour, taken, line, following, placed, fallen, discarded, marker)


def _floored(state: State, action: DraftTiles, fitting: int) -> int:
    """How many of the tiles that fit go to the floor by choice, if they may."""
    floor, tile = action.floor, state.options.edition.tile
    if not state.options.may_floor_part or not 0 <= floor < fitting:
        message = f"{floor} {tile}s that fit line {action.line} may not go to the floor by choice."
        raise IllegalAction("azul/partial-floor", "AZ-79", message)
    return floor


def end_drafting(state: State, event: TilesDrafted, tiling: Tiling) -> list[Event]:
    """The draft of the last tiles on offer, and everything that follows it; the state moves along."""
    tiling.apply[type(event)](state, event)
    order = [(state.starter + turn - 1) % state.seats + 1 for turn in range(state.seats)]
    return [event, *tile_walls(state, order, tiling)]


def no_draft_of(state: State, actor: Actor, action: DraftTiles) -> IllegalAction:
    """Why somebody who is not at turn may not draft."""
    seat = REFUSALS.acting_seat(state, actor, action)
    if state.phase != "draft":
        tiles = state.options.edition.tile.capitalize()
        return IllegalAction("azul/phase", "AZ-18", f"{tiles}s cannot be drafted in the {state.phase} phase.")
    return REFUSALS.not_on_turn(seat, (state.turn,))


def _nothing_there(state: State, source: int, colour: Slot) -> IllegalAction:
    tiles, edition = counts(state.sources[source]), state.options.edition
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
    if not board.takes[line - 1] & LINE_TAKES[line - 1][colour]:
        raise _closed(board, colour, line, edition)
    space = line - board.lines[line - 1]
    return taken if taken < space else space


def _closed(board: Board, colour: Slot, line: int, edition: Edition) -> IllegalAction:
    """Why a line does not take a colour."""
    row = line - 1
    tiles = board.lines[row]
    if tiles == line:
        return IllegalAction("azul/line-complete", "AZ-80", f"Pattern line {line} is complete; say - for the floor.")
    if tiles:
        held = edition.colours[board.colours[row]]
        return IllegalAction(
            "azul/line-colour",
            "AZ-29",
            f"Pattern line {line} holds {held}; it does not take {edition.colours[colour]}.",
        )
    return IllegalAction(
        "azul/wall-colour",
        "AZ-30",
        f"{edition.wall.capitalize()} row {line} already has {edition.colours[colour]}; line {line} is closed to it.",
    )


RULES: Final = Rules(
    ruleset="azul/2",
    seats=range(2, 5),
    options=OPTIONS,
    actions=(ChooseStart, DraftTiles, TileLine),
    legal=legal,
    request=request,
    decide=decide,
    rank=rank,
    enact=enact,
)

RULES_1: Final = replace(
    RULES, ruleset="azul/1", decide=partial(decide, tiling=TILING_1), enact=partial(enact, tiling=TILING_1)
)
"""Before AZ-95: a match on the free side goes on even when no tile fits any wall any more."""
