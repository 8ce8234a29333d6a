"""Master Chocolatier in words and pictures: Azul's, with gold displays, their signs and the disc."""

from collections.abc import Sequence
from typing import Any, Final

from events.azul import Slot
from events.master_chocolatier import (
    GoldPlacesDrawn,
    GoldSidesShown,
    ShieldedLineDropped,
    SpecialDisplaysFilled,
    SpecialTilesDrafted,
)
from projections.azul import MARKER, NO_COLOUR, copy, scores, standings, to_act
from projections.core import WIDTH, Line, Names, Projection, Span, side_by_side
from projections.master_chocolatier import (
    APPLY,
    BLUE_SIDE,
    EDITION,
    EXTRA,
    KEEP,
    PULL,
    SHIELD,
    SIDE_NAMES,
    SIGNS,
    SPREAD,
    UNTURNED,
    State,
    initial,
    pieces,
)
from projections.views import azul
from projections.views.azul_sums import CITES, SLIPS, SUMS
from projections.words import count, joined

BOARD_WIDTH: Final = 44
OFFER_WIDTH: Final = 98

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, width: int = WIDTH) -> list[Line]:
    """Azul's picture; with special factories, gold displays show their signs and say what they do."""
    if not state.options.has_specials:
        return azul.draw(state, names, width)
    boards = [_board(state, seat, names) for seat in range(1, state.seats + 1)]
    offer = [*_displays(state, names), *_legend(state, names)]
    return azul.draw_table(state, names, offer, side_by_side(boards, BOARD_WIDTH, width))


def _displays(state: State, names: Names) -> list[Line]:
    lines: list[list[Span]] = [[]]
    for display, (side, tiles) in enumerate(zip(state.sides, state.displays, strict=True), start=1):
        cell = [Span(f" {display} ", "bold"), _sign(side)]
        if display == state.gone:
            cell.append(Span(f"→ {names[state.holder]}"[:12].ljust(12), "dim"))
        else:
            cell += azul.draw_tiles(tiles, EDITION)
            cell.append(Span("   " * max(0, 4 - max(1, sum(tiles)))))
        if _width(lines[-1]) + _width(cell) > OFFER_WIDTH:
            lines.append([])
        lines[-1] += cell
    return [*lines, azul.draw_centre(state)]


def _width(spans: Sequence[Span]) -> int:
    return sum(len(span.text) for span in spans)


def _sign(side: int) -> Span:
    if side == BLUE_SIDE:
        return Span("    ")
    if side == UNTURNED:
        return Span(" ?  ", "good")
    style = f"print.{EDITION.colours[PULL.index(side)]}" if side in PULL else "good"
    return Span(f"{SIGNS[side]:<3} ", style)


def _legend(state: State, names: Names) -> list[Line]:
    return [
        [Span(f"   {SIGNS[side]:<3} {_effect(state, display, names)}", "dim")]
        for display, side in enumerate(state.sides, start=1)
        if side >= 0
    ]


def _effect(state: State, display: int, names: Names) -> str:
    side = state.sides[display - 1]
    if side == SPREAD:
        return f"leftovers of display {display} go to the displays beside it, each colour to one of them"
    if side != SHIELD:
        return f"display {display} {_does(side)}"
    if state.holder:
        return f"{names[state.holder]} holds the disc of display {display}"
    return f"whoever picks from display {display} takes its disc: the next fallen praline costs nothing"


def _does(side: int) -> str:
    """What a gold side does, as a verb with its object."""
    if side in PULL:
        return f"pulls {EDITION.colours[PULL.index(side)]} from its neighbours"
    return {
        EXTRA: "takes one more praline",
        KEEP: "keeps its leftovers",
        SPREAD: "spreads its leftovers",
        SHIELD: "shields whoever picks from it",
    }[side]


def _board(state: State, seat: int, names: Names) -> list[Line]:
    title, *rows, floor = azul.draw_board(state, seat, names)
    if state.holder != seat:
        return [title, *rows, floor]
    if state.disc == MARKER:
        # The marker is drawn on the disc, so not beside the name as well.
        title = [span for span in title if span.style != "marker"]
    return [title, *rows, [*floor, Span("  disc ", "dim"), _disc(state.disc)]]


def _disc(piece: int) -> Span:
    if piece == NO_COLOUR:
        return Span(" 0 ", "good")
    return Span("1st", "marker") if piece == MARKER else azul.draw_tile(piece, EDITION)


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Azul's view, the gold sides and the disc. What lies under blue displays is nowhere in the state (MC-44)."""
    words = {BLUE_SIDE: None, UNTURNED: "unturned", **dict(enumerate(SIDE_NAMES))}
    return {
        **azul.view(state),
        "sides": [words[side] for side in state.sides],
        "disc": {"seat": state.holder, "holds": _piece(state.disc)} if state.holder else None,
    }


def _piece(piece: Slot) -> str | None:
    if piece == NO_COLOUR:
        return None
    return "marker" if piece == MARKER else EDITION.colours[piece]


# ------------------------------------------------------------------------------------------------------------ words


def _gold_places_drawn(event: GoldPlacesDrawn, names: Names) -> str:
    places = joined([str(place) for place in sorted(event.places)])
    return f"For round {event.round} the displays were shuffled; {places} were turned to gold."


def _gold_sides_shown(event: GoldSidesShown, names: Names) -> str:
    shown = [f"display {place} {_does(side)}" for place, side in zip(event.places, event.sides, strict=True)]
    return f"The gold sides: {'; '.join(shown)}."


def _displays_filled(event: SpecialDisplaysFilled, names: Names) -> str:
    parts = [azul.tell_deal(EDITION, event, names)]
    if event.extra_display:
        parts.append(f"Display {event.extra_display} took one more {EDITION.colours[event.extra]}.")
    for display in dict.fromkeys(pulled.display for pulled in event.pulled):
        pulled = [one for one in event.pulled if one.display == display]
        origins = joined([str(one.origin) for one in pulled])
        parts.append(f"Display {display} pulled {len(pulled)} {EDITION.colours[pulled[0].colour]} from {origins}.")
    return " ".join(parts)


def _tiles_drafted(event: SpecialTilesDrafted, names: Names) -> str:
    more = []
    if event.stayed:
        more.append("the leftovers stayed")
    if event.spread:
        sent = joined([f"{EDITION.colours[one.colour]} to display {one.display}" for one in event.spread])
        more.append(f"the leftovers went on, {sent}")
    if event.took_disc:
        more.append("the disc was taken")
    if event.shielded == "tile":
        more.append(f"{count(1, EDITION.tile)} fell on the disc")
    return azul.tell_draft(EDITION, event, names, "on the disc" if event.shielded else "beside the full floor", more)


def _line_dropped(event: ShieldedLineDropped, names: Names) -> str:
    return azul.tell_fall(EDITION, event, names).removesuffix(".") + ", 1 of them on the disc."


REASONS: Final[azul.Reasons] = {
    **azul.reasons_of(EDITION),
    "shielded": lambda operands: f"a {EDITION.colours[operands['colour']]} {EDITION.tile} on the disc",
    "shielded-marker": lambda operands: "the marker on the disc",
}

STORY: Final[azul.Story] = {
    **azul.story_of(EDITION, REASONS),
    GoldPlacesDrawn: _gold_places_drawn,
    GoldSidesShown: _gold_sides_shown,
    SpecialDisplaysFilled: _displays_filled,
    SpecialTilesDrafted: _tiles_drafted,
    ShieldedLineDropped: _line_dropped,
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
