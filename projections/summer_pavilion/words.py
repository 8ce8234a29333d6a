"""Summer Pavilion in words: every event as a sentence, every point with its reason."""

from collections.abc import Mapping, Sequence
from typing import Final

from events.core import ScoreLine
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
from projections.core import Imperatives, Names, Reasons, Story, Subjects
from projections.first_player import offer_start, tell_start_chosen, tell_start_drawn
from projections.summer_pavilion.stars import COLOURS, LETTERS, MULTICOLOUR, SLOTS, STARS, space_name
from projections.words import count, joined, points


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
    loss = f": {tell_points(event.scores)}" if event.scores else ""
    return f"{names[event.seat]} took {_acquired(event)}{loss}."


def _acquired(event: TilesAcquired) -> str:
    source = f"display {event.source}" if event.source else "the centre"
    takes = [*_taken(event), *(["the start-player marker"] if event.marker else [])]
    return f"{joined(takes)} from {source}"


def _taken(event: TilesAcquired) -> list[str]:
    return [f"{event.taken} {COLOURS[event.colour]}", *(["a wild tile"] if event.wild else [])]


def _tile_placed(event: TilePlaced, names: Names) -> str:
    text = f"{names[event.seat]} placed {_placed(event)}: {tell_points(event.scores)}"
    if event.features:
        due = [f"{count(event.owed, 'bonus tile')} due"] if event.owed or not event.forfeited else []
        due += [f"{event.forfeited} forfeited, the supply is too small"] if event.forfeited else []
        text += f"; {joined(event.features)} completed, {joined(due)}"
    return text + "."


def _offer_placement(event: TilePlaced, names: Names) -> str:
    text = f"Place {_placed(event)}"
    if event.features:
        text += f"; this completes {joined(event.features)} and brings {count(event.owed, 'bonus tile')}"
        text += f", {event.forfeited} fewer than usual because the supply is too small" if event.forfeited else ""
    return text


def _placed(event: TilePlaced) -> str:
    paid = f"{event.own} {COLOURS[event.colour]}" + (f" and {event.wild} wild" if event.wild else "")
    return f"{_tile(event)} for {paid}"


def _tile(event: TilePlaced) -> str:
    return f"{COLOURS[event.colour]} on {space_name(event.star, event.slot)}"


def _seat_passed(event: SeatPassed, names: Names) -> str:
    kept = f", keeping {_letters(event.kept)}" if event.kept else ""
    loss = f": {tell_points(event.scores)}" if event.scores else ""
    return f"{names[event.seat]} passed{kept}{loss}."


def _game_ended(event: GameEnded, names: Names) -> str:
    bonuses = [f"{names[line.seat]} {tell_points((line,))}" for line in event.scores]
    return f"The game ended. Stars and numbers: {'; '.join(bonuses) or 'none complete'}."


def _counted(tiles: Sequence[int]) -> str:
    return joined([f"{tiles.count(colour)} {COLOURS[colour]}" for colour in sorted(set(tiles))])


def _letters(tiles: Sequence[int]) -> str:
    return "".join(LETTERS[colour] for colour in tiles)


def tell_points(lines: Sequence[ScoreLine]) -> str:
    """Points and what they are for."""
    return "; ".join(f"{points(line)} for {REASONS[line.reason](line.operands)}" for line in lines)


def _placement_reason(operands: Mapping[str, int]) -> str:
    star, size, first = operands["star"], operands["group"], operands["first"]
    if size == 1:
        return "a tile on its own"
    slots = "-".join(str((first + step - 1) % SLOTS + 1) for step in range(size))
    return f"a group of {size} on star {STARS[star]} ({slots})"


def _star_reason(operands: Mapping[str, int]) -> str:
    colour = operands["colour"]
    kind = "multicoloured" if colour == MULTICOLOUR else COLOURS[colour]
    return f"complete {kind} star {STARS[operands['star']]}"


REASONS: Final[Reasons] = {
    "start": lambda operands: "the start",
    "marker-loss": lambda operands: f"{count(operands['tiles'], 'tile')} taken with the marker",
    "placement": _placement_reason,
    "surplus-loss": lambda operands: f"{count(operands['tiles'], 'tile')} discarded",
    "star-complete": _star_reason,
    "number-complete": lambda operands: f"every space with number {operands['number']}",
}

SUBJECTS: Final[Subjects] = {
    "marker-loss": lambda event, line: joined(_taken(event)),
    "placement": lambda event, line: _tile(event),
}

STORY: Final[Story] = {
    StartDrawn: tell_start_drawn,
    StartChosen: tell_start_chosen,
    SupplyFilled: _supply_filled,
    DisplaysFilled: _displays_filled,
    TilesAcquired: _tiles_acquired,
    TilePlaced: _tile_placed,
    BonusTaken: lambda event, names: f"{names[event.seat]} took {_letters(event.tiles)} from the supply.",
    SeatPassed: _seat_passed,
    GameEnded: _game_ended,
}

IMPERATIVES: Final[Imperatives] = {
    StartChosen: offer_start,
    TilesAcquired: lambda event, names: f"Take {_acquired(event)}",
    TilePlaced: _offer_placement,
    BonusTaken: lambda event, names: f"Take {_counted(event.tiles)} from the supply",
    SeatPassed: lambda event, names: "Pass" + (f" and keep {_counted(event.kept)}" if event.kept else ""),
}
