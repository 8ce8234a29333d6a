"""Summer Pavilion in words and plain values, and the record that makes it a projection."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events.core import Event, ScoreLine
from events.summer_pavilion import (
    BonusTaken,
    DisplaysFilled,
    GameEnded,
    SeatPassed,
    StartChosen,
    StartDrawn,
    SupplyFilled,
    TilePlaced,
    TilesAcquired,
)
from projections.core import Names, Projection
from projections.summer_pavilion import (
    APPLY,
    NO_COLOUR,
    Board,
    State,
    copy,
    initial,
    pieces,
    scores,
    standings,
    to_act,
)
from projections.summer_pavilion_board import ALL_FEATURES, COLOURS, LETTERS, MULTICOLOUR, SLOTS, STARS, space_name
from projections.views.summer_pavilion_picture import draw
from projections.views.summer_pavilion_sums import CITES, SLIPS, SUMS
from projections.words import count, joined, points

# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Everything public about the table. Bag and tower show their size only; neither can be looked into."""
    return {
        "side": state.options.side,
        "phase": state.phase,
        "round": state.round,
        "wild": None if state.wild == NO_COLOUR else COLOURS[state.wild],
        "turn": state.turn or None,
        "to_act": list(to_act(state)),
        "owed": state.owed,
        "starter": state.starter or None,
        "marker": state.marker or "centre",
        "displays": [_names(display) for display in state.displays],
        "centre": _names(state.centre),
        "supply": _names(state.supply),
        "bag": sum(state.bag),
        "tower": sum(state.tower),
        "boards": [_board_view(seat, board) for seat, board in enumerate(state.boards, start=1)],
        "standings": [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in state.standings],
    }


def _board_view(seat: int, board: Board) -> dict[str, Any]:
    return {
        "seat": seat,
        "score": board.score,
        "hand": _names(board.hand),
        "corners": _names(board.corners),
        "passed": board.passed,
        "stars": {
            name: [None if tile == NO_COLOUR else COLOURS[tile] for tile in board.spaces[star * SLOTS :][:SLOTS]]
            for star, name in enumerate(STARS)
        },
        "features": [feature.name for feature in ALL_FEATURES if board.occupied & feature.spaces == feature.spaces],
    }


def _names(counts: Sequence[int]) -> list[str]:
    return [COLOURS[colour] for colour, tiles in enumerate(counts) for _ in range(tiles)]


# ------------------------------------------------------------------------------------------------------------ words


def _supply_filled(event: SupplyFilled, names: Names) -> str:
    poured = " after the tower was emptied into the bag" if event.poured else ""
    start = f", and everybody begins with {event.scores[0].applied} points" if event.scores else ""
    return f"The supply received {_letters(event.tiles)}{poured}{start}."


def _displays_filled(event: DisplaysFilled, names: Names) -> str:
    wild = COLOURS[event.round - 1]
    poured = " after the tower was emptied into the bag" if event.poured else ""
    if not any(event.displays):
        return f"Round {event.round} ({wild} is wild) began without a single tile for the displays."
    offers = " ".join(_letters(tiles) or "·" for tiles in event.displays)
    return f"Round {event.round} ({wild} is wild) was dealt{poured}: {offers}. {names[event.starter]} starts."


def _tiles_acquired(event: TilesAcquired, names: Names) -> str:
    source = f"display {event.source}" if event.source else "the centre"
    takes = [f"{event.taken} {COLOURS[event.colour]}"]
    takes += ["a wild tile"] if event.wild else []
    takes += ["the start-player marker"] if event.marker else []
    loss = f": {_points(event.scores)}" if event.scores else ""
    return f"{names[event.seat]} took {joined(takes)} from {source}{loss}."


def _tile_placed(event: TilePlaced, names: Names) -> str:
    name = COLOURS[event.colour]
    paid = f"{event.own} {name}" + (f" and {event.wild} wild" if event.wild else "")
    text = f"{names[event.seat]} placed {name} on {space_name(event.star, event.slot)} for {paid}"
    text += f": {_points(event.scores)}"
    if event.features:
        due = [f"{count(event.owed, 'bonus tile')} due"] if event.owed or not event.forfeited else []
        due += [f"{event.forfeited} forfeited, the supply is too small"] if event.forfeited else []
        text += f"; {joined(event.features)} completed, {joined(due)}"
    return text + "."


def _seat_passed(event: SeatPassed, names: Names) -> str:
    kept = f", keeping {_letters(event.kept)}" if event.kept else ""
    loss = f": {_points(event.scores)}" if event.scores else ""
    return f"{names[event.seat]} passed{kept}{loss}."


def _game_ended(event: GameEnded, names: Names) -> str:
    bonuses = [f"{names[line.seat]} {_points((line,))}" for line in event.scores]
    return f"The game ended. Stars and numbers: {'; '.join(bonuses) or 'none complete'}."


def _letters(tiles: Sequence[int]) -> str:
    return "".join(LETTERS[colour] for colour in tiles)


def _points(lines: Sequence[ScoreLine]) -> str:
    return "; ".join(f"{points(line)} for {REASONS[line.reason](line.operands)}" for line in lines)


def _placement_reason(operands: Mapping[str, int]) -> str:
    star, size, first = operands["star"], operands["group"], operands["first"]
    if size == 1:
        return f"{space_name(star, first)} on its own"
    slots = "-".join(str((first + step - 1) % SLOTS + 1) for step in range(size))
    return f"a group of {size} on star {STARS[star]} ({slots})"


def _star_reason(operands: Mapping[str, int]) -> str:
    colour = operands["colour"]
    kind = "multicoloured" if colour == MULTICOLOUR else COLOURS[colour]
    return f"complete {kind} star {STARS[operands['star']]}"


REASONS: Final[Mapping[str, Callable[[Mapping[str, int]], str]]] = {
    "start": lambda operands: "the start",
    "marker-loss": lambda operands: f"{count(operands['tiles'], 'tile')} taken with the marker",
    "placement": _placement_reason,
    "surplus-loss": lambda operands: f"{count(operands['tiles'], 'tile')} discarded",
    "star-complete": _star_reason,
    "number-complete": lambda operands: f"every space with number {operands['number']}",
}

STORY: Final[Mapping[type[Event], Callable[[Any, Names], str]]] = {
    StartDrawn: lambda event, names: f"The lot fell on {names[event.seat]} to start.",
    StartChosen: lambda event, names: f"{names[event.seat]} was chosen to start.",
    SupplyFilled: _supply_filled,
    DisplaysFilled: _displays_filled,
    TilesAcquired: _tiles_acquired,
    TilePlaced: _tile_placed,
    BonusTaken: lambda event, names: f"{names[event.seat]} took {_letters(event.tiles)} from the supply.",
    SeatPassed: _seat_passed,
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
