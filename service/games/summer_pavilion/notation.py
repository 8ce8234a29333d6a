"""Summer Pavilion moves in writing: `2B` acquires, `3B+3@E6` places and pays, `+PPR` takes a bonus, `pass GG` keeps."""

from collections.abc import Sequence
from typing import Final

from events.core import Event
from events.summer_pavilion import (
    BonusTaken,
    DisplaysFilled,
    SeatPassed,
    StartChosen,
    StartDrawn,
    SupplyFilled,
    TilePlaced,
    TilesAcquired,
)
from projections.summer_pavilion.stars import COLOURS, LETTERS, STAR_COLOURS, STARS
from projections.summer_pavilion.state import State
from projections.words import count
from service.errors import UsageError
from service.games.core import Action, Outcome, Request
from service.games.first_player import PURPOSE, ChooseStart, read_choice, read_lot, recall_lot, write_choice, write_lot
from service.games.notation import Notation, Reader, recall_by
from service.games.summer_pavilion.actions import AcquireTiles, Pass, PlaceTile, TakeBonus
from service.games.summer_pavilion.rules import DISPLAY_SIZE

COLOUR_WORDS: Final = {
    **{letter: colour for colour, letter in enumerate(LETTERS)},
    **{name: colour for colour, name in enumerate(COLOURS)},
}
A_COLOUR: Final = "a colour (" + ", ".join(f"{x} {n}" for x, n in zip(LETTERS, COLOURS, strict=True)) + ")"
_SOURCES: Final = {"C": 0, "centre": 0, "center": 0, **{str(display): display for display in range(1, 10)}}
STAR_WORDS: Final = {
    **{name: star for star, name in enumerate(STARS)},
    **{name: star for star, name in enumerate(STAR_COLOURS)},
    **{LETTERS[COLOURS.index(name)]: star for star, name in enumerate(STAR_COLOURS)},
    "centre": STARS.index("C"),
    "center": STARS.index("C"),
}
"""Stars by position; their colours on the coloured side are read as well."""
SLOT_WORDS: Final = {str(slot): slot for slot in range(1, 7)}


def read(text: str) -> Action:
    """The action a text stands for.

    >>> read("3B+3@E6")
    PlaceTile(star=2, slot=6, colour=4, own=3, wild=3)
    >>> read("3 blue + 3 @ blue 6") == read("3B+3@E6")
    True
    >>> read("pass 2R G")
    Pass(kept=(1, 5, 5))
    """
    reader = Reader(text)
    if choice := read_choice(reader):
        reader.end()
        return choice
    if reader.maybe("pass"):
        reader.maybe("keep")
        return Pass(kept=_read_tiles(reader))
    if reader.maybe("+"):
        return TakeBonus(tiles=_read_tiles(reader))
    if "@" in text:
        return _read_placement(reader)
    source = reader.word(_SOURCES, "a display (1–9) or C for the centre")
    colour = reader.word(COLOUR_WORDS, A_COLOUR)
    reader.end()
    return AcquireTiles(source=source, colour=colour)


def _read_placement(reader: Reader) -> PlaceTile:
    own = reader.number("how many tiles of the placed colour are used")
    colour = reader.word(COLOUR_WORDS, A_COLOUR)
    wild = 0
    if reader.maybe("+"):
        wild = reader.number("how many wild tiles are used")
        reader.maybe("wild")
    if not reader.maybe("@"):
        raise reader.failure("@ and a space, such as @E6")
    star = reader.word(STAR_WORDS, f"a star ({', '.join(STARS)})")
    reader.maybe(".")
    slot = reader.word(SLOT_WORDS, "a slot (1–6)")
    reader.end()
    return PlaceTile(star=star, slot=slot, colour=colour, own=own, wild=wild)


def _read_tiles(reader: Reader) -> tuple[int, ...]:
    """Tiles in any order, `GGR` or `2G R`, put in the order the rules expect."""
    tiles: list[int] = []
    while not reader.is_done:
        count = reader.maybe_number()
        tiles += [reader.word(COLOUR_WORDS, A_COLOUR)] * (1 if count is None else count)
    return tuple(sorted(tiles))


def write(action: Action) -> str:
    """The action in its shortest form."""
    if isinstance(action, AcquireTiles):
        return f"{action.source or 'C'}{LETTERS[action.colour]}"
    if isinstance(action, PlaceTile):
        wild = f"+{action.wild}" if action.wild else ""
        return f"{action.own}{LETTERS[action.colour]}{wild}@{STARS[action.star]}{action.slot}"
    if isinstance(action, TakeBonus):
        return f"+{write_tiles(action.tiles)}"
    if isinstance(action, Pass):
        return f"pass {write_tiles(action.kept)}" if action.kept else "pass"
    if isinstance(action, ChooseStart):
        return write_choice(action)
    raise TypeError(f"{action!r} is not an action of Summer Pavilion")


def write_tiles(tiles: Sequence[int]) -> str:
    """Tiles as letters."""
    return "".join(LETTERS[colour] for colour in tiles)


def read_outcome(text: str, state: State, request: Request) -> Outcome:
    """What was drawn at a real table: a seat, the tiles for the supply, or those of every display in order."""
    if request.purpose == PURPOSE:
        return read_lot(text, state.seats)
    wanted = sum(stage.draws for stage in request.stages)
    groups = text.replace("|", " ").split()
    if request.purpose == "supply":
        return Outcome(drawn=_read_group("".join(groups), wanted, "the supply"))
    full, rest = divmod(wanted, DISPLAY_SIZE)
    sizes = [DISPLAY_SIZE] * full + ([rest] if rest else [])
    if not sizes and groups == ["-"]:
        return Outcome(drawn=())
    if len(groups) != len(sizes):
        example = write_groups([(display + tile) % 6 for display, size in enumerate(sizes) for tile in range(size)])
        raise UsageError(
            "move/malformed",
            f"{text!r} fills {count(len(groups), 'display')}; this deal needs {len(sizes)}, such as {example}.",
        )
    drawn: list[int] = []
    for display, (group, size) in enumerate(zip(groups, sizes, strict=True), start=1):
        drawn += _read_group(group, size, f"display {display}")
    return Outcome(drawn=tuple(drawn))


def _read_group(text: str, size: int, place: str) -> tuple[int, ...]:
    reader = Reader(text)
    tiles = tuple(reader.word(COLOUR_WORDS, A_COLOUR) for _ in range(size))
    if not reader.is_done:
        raise reader.failure(f"nothing more ({place} takes {count(size, 'tile')})")
    return tiles


def write_outcome(request: Request, outcome: Outcome) -> str:
    """The outcome as `read_outcome` takes it."""
    if request.purpose == PURPOSE:
        return write_lot(outcome)
    return write_tiles(outcome.drawn) if request.purpose == "supply" else write_groups(outcome.drawn)


def write_groups(tiles: Sequence[int]) -> str:
    """Tiles display by display; a dash when there are none at all (SP-R5)."""
    groups = [tiles[first : first + DISPLAY_SIZE] for first in range(0, len(tiles), DISPLAY_SIZE)]
    return " ".join(map(write_tiles, groups)) or "-"


recall: Final = recall_by(
    "an action of Summer Pavilion",
    {
        TilesAcquired: AcquireTiles,
        TilePlaced: PlaceTile,
        BonusTaken: TakeBonus,
        SeatPassed: Pass,
        StartChosen: ChooseStart,
    },
)


def recall_outcome(event: Event) -> Outcome:
    """What chance had drawn when this event was its answer."""
    if isinstance(event, StartDrawn):
        return recall_lot(event)
    if isinstance(event, SupplyFilled):
        return Outcome(drawn=event.tiles)
    if isinstance(event, DisplaysFilled):
        return Outcome(drawn=tuple(colour for tiles in event.displays for colour in tiles))
    raise TypeError(f"{event!r} is no answer of chance in Summer Pavilion")


NOTATION: Final = Notation(
    read=read,
    write=write,
    read_outcome=read_outcome,
    write_outcome=write_outcome,
    recall=recall,
    recall_outcome=recall_outcome,
    examples=(
        ("2B", "display 2, blue (and the wild tile that comes with it)"),
        ("CR", "centre, red"),
        ("6B@E6", "place blue on star E, slot 6, paying 6 blue"),
        ("3B+3@E6", "the same, paying 3 blue and 3 wild"),
        ("+PPR", "take 2 purple and 1 red from the supply as bonus"),
        ("pass", "pass and keep nothing"),
        ("pass GGGG", "pass and keep 4 green in the corners"),
        ("first 2", "the host names the first player (firstPlayer=host-choice)"),
    ),
)
