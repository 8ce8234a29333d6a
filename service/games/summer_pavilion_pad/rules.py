"""The rules of a Summer Pavilion score pad (docs/rules/summer-pavilion-pad.md): what may be entered, and its points."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from events.core import Actor, Event, Seat
from events.summer_pavilion import Colour, Star
from events.summer_pavilion_pad import MarkerTaken, SpaceBuilt, TilesLeft
from projections.copying import copied
from projections.pads import to_enter
from projections.summer_pavilion.stars import CENTRE, NUMBERS, ROUNDS, SLOTS, STAR_COLOURS, STARS, space_name
from projections.summer_pavilion.stars import COLOURS as COLOUR_NAMES
from projections.summer_pavilion.state import COLOURS, DISPLAYS, NO_COLOUR, TILES_PER_COLOUR, add_points
from projections.summer_pavilion_pad.state import APPLY, State, begin_round
from service.games.core import Action, Rules
from service.games.refusals import Refusals
from service.games.summer_pavilion.actions import COLOURLESS, OPTIONS, accepted_colours
from service.games.summer_pavilion.rules import DISPLAY_SIZE, rank
from service.games.summer_pavilion.scoring import ended, marker_loss, placement_points, start_points, surplus_loss
from service.games.summer_pavilion.spaces import check_space, completed_by


class TakeMarker(Action, frozen=True, gc=False, tag="summer_pavilion_pad.take_marker"):
    """Enter that the seat took the marker, and how many tiles with it."""

    tiles: int


class BuildSpace(Action, frozen=True, gc=False, tag="summer_pavilion_pad.build_space"):
    """Enter a tile on a star."""

    star: Star
    slot: int
    colour: Colour = NO_COLOUR
    """Of the tile; NO_COLOUR on a star that shows its colour."""


class LeaveTiles(Action, frozen=True, gc=False, tag="summer_pavilion_pad.leave_tiles"):
    """Enter how many tiles were thrown away; that closes the seat's round."""

    tiles: int


# ---------------------------------------------------------------------------------------------------- what is legal


def legal(state: State, seat: Seat) -> list[Action]:
    """Every entry open to the seat."""
    if seat not in to_enter(state):
        return []
    board, left = state.boards[seat - 1], _tiles_left(state)
    exist = [_count(state, colour) < TILES_PER_COLOUR for colour in range(COLOURS)]
    entries: list[Action] = [
        BuildSpace(star, slot, colour if is_named(state, star) else NO_COLOUR)
        for star in range(len(STARS))
        for colour in range(COLOURS)
        if accepted_colours(board, star, state.side) >> colour & 1 and exist[colour]
        for slot in range(1, SLOTS + 1)
        if not board.occupied >> star * SLOTS + slot - 1 & 1 and NUMBERS[state.side][star][slot - 1] <= left
    ]
    if not _marker(state) and seat not in _builders(state):
        entries += [TakeMarker(tiles) for tiles in range(1, _most_with_marker(state) + 1)]
    return [*entries, *(LeaveTiles(tiles) for tiles in range(left + 1))]


def is_named(state: State, star: Star) -> bool:
    """Whether the colour of a tile on this star has to be said (PP-4)."""
    return state.side == COLOURLESS or star == CENTRE


def _coming(state: State) -> int:
    """The round an entry is for."""
    return state.round if state.entering else state.round + 1


def _dealt(state: State) -> int:
    return DISPLAY_SIZE * DISPLAYS[state.seats]


def _tiles_left(state: State) -> int:
    """Tiles that can be in hands in the round an entry is for (PP-6)."""
    return state.tiles if state.entering else state.tiles + _dealt(state)


def _marker(state: State) -> Seat:
    return state.marker if state.entering else 0


def _builders(state: State) -> Sequence[Seat]:
    return state.builders if state.entering else ()


def _most_with_marker(state: State) -> int:
    """The most tiles the first pick from the centre can take: one colour and a wild one, of what lies there (PP-7)."""
    return min(TILES_PER_COLOUR + 1, (DISPLAY_SIZE - 1) * DISPLAYS[state.seats])


def _count(state: State, colour: Colour) -> int:
    return sum(board.spaces.count(colour) for board in state.boards)


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action) -> list[Event]:
    """The events of an entry, or IllegalAction with the rule that forbids it."""
    seat = _REFUSALS.acting_seat(state, actor, action)
    if seat not in to_enter(state):
        raise _illegal("closed", "PP-2", f"Seat {seat} is done with round {state.round}, which waits for others.")
    starts = tuple(map(start_points, range(1, state.seats + 1))) if not state.round else ()
    on = copied(state)
    if not state.entering:
        begin_round(on, state.round + 1, _dealt(state))
        add_points(on.boards, starts)
    event = _entry(on, seat, action)
    if not state.entering:
        event = replace(event, scores=(*starts, *event.scores), round=on.round, dealt=_dealt(state))
    after = copied(state)
    APPLY[type(event)](after, event)
    is_over = after.round == ROUNDS and not after.entering
    return [event, ended(after.boards, state.side)] if is_over else [event]


def _entry(state: State, seat: Seat, action: Action) -> MarkerTaken | SpaceBuilt | TilesLeft:
    if isinstance(action, TakeMarker):
        return _taken(state, seat, action)
    if isinstance(action, BuildSpace):
        return _built(state, seat, action)
    if isinstance(action, LeaveTiles):
        return _left(state, seat, action)
    raise _REFUSALS.unknown_action(action)


_REFUSALS: Final = Refusals(
    "summer-pavilion-pad", "an entry of a score pad", over="SP-18", seat="PP-1", action="PP-2", done="entered"
)
_illegal: Final = _REFUSALS.illegal


def _taken(state: State, seat: Seat, action: TakeMarker) -> MarkerTaken:
    if state.marker:
        raise _illegal("marker", "PP-7", f"There is one marker a round, and seat {state.marker} took it.")
    if seat in state.builders:
        raise _illegal("marker-late", "PP-2", f"Seat {seat} has built already; the marker is taken before.")
    most = _most_with_marker(state)
    if not 1 <= action.tiles <= most:
        raise _illegal("marker-tiles", "PP-7", f"{action.tiles} tiles cannot come with the marker; 1–{most} can.")
    loss = marker_loss(seat, state.boards[seat - 1].score, action.tiles)
    return MarkerTaken(seat=seat, tiles=action.tiles, scores=(loss,))


def _built(state: State, seat: Seat, action: BuildSpace) -> SpaceBuilt:
    board, star, slot = state.boards[seat - 1], action.star, action.slot
    colour = _colour_of(state, action)
    number = check_space(board, state.side, star, slot, colour, state.round - 1)
    if _count(state, colour) >= TILES_PER_COLOUR:
        name = COLOUR_NAMES[colour]
        raise _illegal("colour-count", "SP-3", f"All {TILES_PER_COLOUR} {name} tiles are on boards; none is left.")
    if number > state.tiles:
        raise _illegal(
            "too-many",
            "PP-6",
            f"{space_name(star, slot)} takes {number} tiles; of all that can be in hands {state.tiles} are left.",
        )
    return SpaceBuilt(
        seat=seat,
        star=star,
        slot=slot,
        colour=colour,
        paid=number,
        scores=(placement_points(seat, board, star, slot),),
        bonus=sum(feature.reward for feature in completed_by(board, star, slot)),
    )


def _colour_of(state: State, action: BuildSpace) -> Colour:
    """The colour of the tile: as it was named, or as the star shows it."""
    star, colour = action.star, action.colour
    if not 0 <= star < len(STARS) or is_named(state, star):
        if colour == NO_COLOUR and 0 <= star < len(STARS):
            where = space_name(star, action.slot)
            raise _illegal("colour-missing", "PP-4", f"Say which colour lies on {where}, such as {where}=P.")
        return colour
    if colour != NO_COLOUR:
        name = COLOUR_NAMES[colour] if 0 <= colour < COLOURS else f"colour {colour}"
        raise _illegal("colour-named", "PP-4", f"Leave {name} out: star {STARS[star]} is {STAR_COLOURS[star]}.")
    return COLOUR_NAMES.index(STAR_COLOURS[star])


def _left(state: State, seat: Seat, action: LeaveTiles) -> TilesLeft:
    tiles, score = action.tiles, state.boards[seat - 1].score
    if not 0 <= tiles <= state.tiles:
        raise _illegal("too-many", "PP-6", f"{tiles} tiles cannot have been left; 0–{state.tiles} can be in hands.")
    scores = (surplus_loss(seat, score, tiles, state.round == ROUNDS),) if tiles else ()
    return TilesLeft(seat=seat, tiles=tiles, scores=scores)


RULES: Final = Rules(
    ruleset="summer-pavilion-pad/1",
    seats=range(2, 5),
    options=tuple(option for option in OPTIONS if option.name == "boardSide"),
    actions=(TakeMarker, BuildSpace, LeaveTiles),
    legal=legal,
    request=lambda state: None,  # PP-8
    decide=decide,
    rank=rank,
    areas=("summer-pavilion", "summer-pavilion-pad"),
)
