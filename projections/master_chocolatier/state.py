"""Azul: Master Chocolatier, folded: Azul's table with gold displays and the disc that catches one fallen tile."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import asdict

from events.azul import DisplaysFilled, FloorCleared, LineDropped, TilesDrafted
from events.core import Event, Seat
from events.master_chocolatier import (
    GoldPlacesDrawn,
    GoldSidesShown,
    ShieldedLineDropped,
    Side,
    SpecialDisplaysFilled,
    SpecialTilesDrafted,
)
from projections.azul import state as azul
from projections.azul.state import MARKER, NO_COLOUR
from projections.azul.tiles import COLOURS, ONE, OTHERS
from projections.tiles import pieces

EDITION: Final = azul.Edition(
    "Azul: Master Chocolatier",
    ("blue", "brown", "white", "black", "red"),
    ("B", "N", "W", "K", "R"),
    tile="praline",
    wall="box",
    extra=1,
)
"""MC-2, MC-3; the +1 display brings the extra praline (MC-18)."""

BLUE_SIDE: Final = -1
"""A display that shows its normal side."""
UNTURNED: Final = -2
"""A display drawn for gold whose side nobody has seen yet."""
EXTRA, KEEP, SPREAD, SHIELD = 0, 6, 7, 8
PULL: Final = range(1, 6)
"""The gold sides that pull a colour; slot 0 first."""
SIDE_NAMES: Final = ("extra", *(f"pull {colour}" for colour in EDITION.colours), "keep", "spread", "shield")
SIGNS: Final = ("+1", *(f">{letter.lower()}<" for letter in EDITION.letters), "=", "<>", "0")
"""The gold sides as words and as signs, by their number."""


class Options(azul.Options, frozen=True):
    """Azul's, and how the special displays work."""

    has_specials: bool
    splits_evenly: bool
    """Whether leftovers are spread as evenly as colours allow (MC-D1)."""
    takes_token: bool
    """Whether a token is taken and the display stays in the circle (MC-D2)."""
    shields_marker: bool
    """Whether the disc catches the marker too (MC-35)."""
    by_position: bool
    """Whether setup effects go round the circle instead of kind by kind (MC-28)."""


class State(azul.State):
    """A Master Chocolatier table."""

    options: Options
    sides: tuple[Side, ...]
    """What each display shows: a gold side, BLUE_SIDE or UNTURNED."""
    holder: Seat
    """Who took the shield (SF5) this round; 0 for nobody."""
    disc: int
    """What lies on it: a slot, MARKER, or NO_COLOUR while it waits."""

    @property
    def gone(self) -> int:
        """The display a seat has taken out of the circle, counted from 1; 0 for none (MC-26)."""
        return self.sides.index(SHIELD) + 1 if self.holder and not self.options.takes_token else 0


def initial(seats: int, options: Mapping[str, str]) -> State:
    """Azul's table with every display blue side up (MC-8)."""
    table = asdict(azul.initial(seats, options, EDITION))
    table["options"] = Options(
        **asdict(table["options"]),
        has_specials=options["specialFactories"] == "on",
        splits_evenly=options["sf4Split"] == "as-even-as-possible",
        takes_token=options["sf5Takes"] == "token",
        shields_marker=options["sf5AcceptsMarker"] == "true",
        by_position=options["sfSetupOrder"] == "by-position",
    )
    return State(**table, sides=(BLUE_SIDE,) * azul.DISPLAYS[seats], holder=0, disc=NO_COLOUR)


def invariants(state: State) -> Mapping[str, int]:
    """Azul's, with the tile on the disc; a marker there is counted with its holder."""
    tiles, markers = azul.counted(state)
    if state.disc not in (NO_COLOUR, MARKER):
        tiles += ONE[state.disc]
    return pieces(tiles, COLOURS, markers)


def _gold_places_drawn(state: State, event: GoldPlacesDrawn) -> None:
    state.sides = tuple(
        UNTURNED if display in event.places else BLUE_SIDE for display in range(1, len(state.displays) + 1)
    )


def _gold_sides_shown(state: State, event: GoldSidesShown) -> None:
    shown = dict(zip(event.places, event.sides, strict=True))
    state.sides = tuple(shown.get(display, BLUE_SIDE) for display in range(1, len(state.displays) + 1))


def _displays_filled(state: State, event: SpecialDisplaysFilled) -> None:
    azul.APPLY[DisplaysFilled](state, event)
    if event.extra_display:
        state.bag -= ONE[event.extra]
        state.sources[event.extra_display] += ONE[event.extra]
    for pulled in event.pulled:
        state.sources[pulled.origin] -= ONE[pulled.colour]
        state.sources[pulled.display] += ONE[pulled.colour]


def _tiles_drafted(state: State, event: SpecialTilesDrafted) -> None:
    sources, source = state.sources, event.source
    for sent in event.spread:
        others = sources[source] & OTHERS[sent.colour]
        sources[sent.display] += sources[source] - others
        sources[source] = others
    stayed = sources[source] & OTHERS[event.colour] if event.stayed else 0
    # Azul moves leftovers to the centre: those that stay are set aside meanwhile.
    sources[source] -= stayed
    azul.APPLY[TilesDrafted](state, event)
    sources[source] += stayed
    if event.took_disc:
        state.holder = event.seat
    if event.shielded:
        state.disc = MARKER if event.shielded == "marker" else event.colour


def _line_dropped(state: State, event: ShieldedLineDropped) -> None:
    azul.APPLY[LineDropped](state, event)
    state.disc = event.colour


_clear_floor: Final = azul.APPLY[FloorCleared]


def _floor_cleared(state: State, event: FloorCleared) -> None:
    _clear_floor(state, event)
    if not state.options.has_specials:
        return
    if state.holder == event.seat:
        if state.disc not in (NO_COLOUR, MARKER):
            state.lid += ONE[state.disc]
        state.holder, state.disc = 0, NO_COLOUR
    if not state.tiling:
        state.sides = (BLUE_SIDE,) * len(state.sides)


APPLY: Final[dict[type[Event], Callable[[Any, Any], None]]] = {
    **azul.APPLY,
    FloorCleared: _floor_cleared,
    GoldPlacesDrawn: _gold_places_drawn,
    GoldSidesShown: _gold_sides_shown,
    SpecialDisplaysFilled: _displays_filled,
    SpecialTilesDrafted: _tiles_drafted,
    ShieldedLineDropped: _line_dropped,
}
