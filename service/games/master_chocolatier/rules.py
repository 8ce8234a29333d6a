"""The rules of Azul: Master Chocolatier (docs/rules/master-chocolatier.md): Azul's, and where gold displays differ."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import Final

from msgspec.structs import asdict, replace

from events.azul import LineDropped, Slot, TilesDrafted
from events.core import Actor, Event, ScoreLine, Seat
from events.master_chocolatier import (
    GoldPlacesDrawn,
    GoldSidesShown,
    Pulled,
    Sent,
    Shielded,
    ShieldedLineDropped,
    SpecialDisplaysFilled,
    SpecialTilesDrafted,
)
from projections.azul.state import MARKER, NO_COLOUR
from projections.azul.tiles import COLOURS, OTHERS, counts
from projections.copying import copied
from projections.master_chocolatier.state import (
    APPLY,
    BLUE_SIDE,
    EDITION,
    EXTRA,
    KEEP,
    PULL,
    SHIELD,
    SIDE_NAMES,
    SPREAD,
    UNTURNED,
    State,
)
from service.errors import IllegalAction
from service.games.azul import rules as azul
from service.games.azul import tiling as azul_tiling
from service.games.azul.rules import DISPLAY_SIZE, DraftTiles
from service.games.azul.tiling import TileLine, Tiling
from service.games.core import Action, Outcome, Request, Rules, Stage, check_drawn
from service.games.first_player import ChooseStart
from service.games.options import Option

OPTIONS: Final = (
    Option("boardSide", "coloured", ("coloured", "brown"), "printed box, or free placement within a row (MC-9)"),
    Option("specialFactories", "off", ("off", "on"), "gold displays, as many as there are players (MC-10)"),
    Option("sf4Split", "free", ("free", "as-even-as-possible"), "how leftovers are spread over two displays (MC-D1)"),
    Option("sf5Takes", "display", ("display", "token"), "what leaves the circle with the shield (MC-D2)"),
    Option("sf5AcceptsMarker", "false", ("false", "true"), "may the marker take the shield's space (MC-35)"),
    Option("sfSetupOrder", "by-kind", ("by-kind", "by-position"), "the order of effects after setup (MC-28)"),
    *azul.OPTIONS[1:],
)


class SpreadTiles(DraftTiles, frozen=True, gc=False, tag="master_chocolatier.spread_tiles"):
    """Draft from the display that spreads, and send what is left there to its neighbours (MC-21, MC-22)."""

    spread: tuple[Sent, ...] = ()
    """Every leftover colour once, from the lowest slot up."""


# ---------------------------------------------------------------------------------------------------- what is legal


def legal(state: State, seat: Seat) -> Sequence[Action]:
    """Azul's actions; a draft from the display that spreads comes once for every way to spread its leftovers."""
    actions = azul.legal(state, seat)
    if not state.options.has_specials or state.phase != "draft" or SPREAD not in state.sides or not actions:
        return actions
    source = state.sides.index(SPREAD) + 1
    tiles = counts(state.sources[source])
    if sum(1 for count in tiles if count) < 2:
        return actions
    ways = [splits(state, source, colour) if count else () for colour, count in enumerate(tiles)]
    spreading: list[Action] = []
    for action in actions:
        if isinstance(action, DraftTiles) and action.source == source:
            spreading += [
                SpreadTiles(source, action.colour, action.line, action.floor, spread) for spread in ways[action.colour]
            ]
        else:
            spreading.append(action)
    return spreading


def splits(state: State, source: int, colour: Slot) -> tuple[tuple[Sent, ...], ...]:
    """Every way to spread what a draft of the colour leaves on the display."""
    leftovers = counts(state.sources[source] & OTHERS[colour])
    return _splits(leftovers, *neighbours(state, source), state.options.splits_evenly)


@cache
def _splits(leftovers: tuple[int, ...], left: int, right: int, evenly: bool) -> tuple[tuple[Sent, ...], ...]:
    colours = [colour for colour in range(COLOURS) if leftovers[colour]]
    ways = [tuple(map(Sent, colours, way)) for way in product((left, right), repeat=len(colours))]
    if not evenly:
        return tuple(ways)
    unevenness = [abs(sum(leftovers[s.colour] * (1 if s.display == left else -1) for s in way)) for way in ways]
    least = min(unevenness)
    return tuple(way for way, difference in zip(ways, unevenness, strict=True) if difference == least)


def neighbours(state: State, display: int) -> tuple[int, int]:
    """The displays left and right of one, past a disc that somebody took out of the circle (MC-16, MC-33)."""
    size, gone = len(state.displays), state.gone
    left, right = (display - 2) % size + 1, display % size + 1
    if left == gone:
        left = (left - 2) % size + 1
    if right == gone:
        right = right % size + 1
    return left, right


# ------------------------------------------------------------------------------------------------ what chance owes


def request(state: State) -> Request | None:
    """Before the deal of every round: which displays are turned to gold, then what they show (MC-10…MC-12)."""
    if state.phase == "draft":
        return None  # as after nearly every action
    if state.phase != "deal" or not state.options.has_specials:
        return azul.request(state)
    if UNTURNED in state.sides:
        return Request("gold sides", (Stage((1,) * len(SIDE_NAMES), state.seats),))
    if all(side == BLUE_SIDE for side in state.sides):
        return Request("gold places", (Stage((1,) * len(state.displays), state.seats),))
    return Request("deal", azul.deal_stages(state, DISPLAY_SIZE * len(state.displays) + (EXTRA in state.sides)))


def _decide_setup(state: State, outcome: Outcome) -> Event:
    wanted = request(state)
    assert wanted is not None
    displays = range(1, len(state.displays) + 1)
    if wanted.purpose == "gold places":
        names = [f"display {display}" for display in displays]
        check_drawn(wanted, outcome, "master-chocolatier/gold-places", "MC-12", names)
        return GoldPlacesDrawn(round=state.round + 1, places=tuple(place + 1 for place in outcome.drawn))
    if wanted.purpose == "gold sides":
        check_drawn(wanted, outcome, "master-chocolatier/gold-sides", "MC-13", SIDE_NAMES)
        turned = tuple(display for display in displays if state.sides[display - 1] == UNTURNED)
        return GoldSidesShown(places=turned, sides=outcome.drawn)
    event = azul.filled(state, wanted, outcome)
    extra = outcome.drawn[DISPLAY_SIZE * len(state.displays) :]  # MC-30: nothing, where bag and lid were used up
    extra_display = state.sides.index(EXTRA) + 1 if extra else 0
    pulled = tuple(_pull(state, event.displays, extra))
    if not extra and not pulled:
        return event
    return SpecialDisplaysFilled(
        **asdict(event), extra_display=extra_display, extra=extra[0] if extra else NO_COLOUR, pulled=pulled
    )


def _pull(state: State, filled: Sequence[Sequence[Slot]], extra: Sequence[Slot]) -> Iterator[Pulled]:
    """What the colour displays take from their neighbours once the displays are filled (MC-19, MC-29)."""
    tiles = [list(display) for display in filled]
    circle = list(enumerate(state.sides, start=1))
    if not state.options.by_position:
        circle.sort(key=lambda place: place[1] != EXTRA)  # MC-28: kind by kind, SF1 first
    for display, side in circle:
        if side == EXTRA:
            tiles[display - 1] += extra
        elif side in PULL:
            colour = PULL.index(side)
            for origin in neighbours(state, display):
                if colour in tiles[origin - 1]:
                    tiles[origin - 1].remove(colour)
                    tiles[display - 1].append(colour)
                    yield Pulled(colour, origin, display)


# ------------------------------------------------------------------------------------------------------------ tiling


def _dropped(state: State, seat: Seat, line: int) -> LineDropped:
    """Azul's fall of a whole line, its first tile onto a disc that still waits (MC-38)."""
    event = azul_tiling.dropped(state, seat, line)
    if state.holder != seat or state.disc != NO_COLOUR:
        return event
    return ShieldedLineDropped(**{**asdict(event), **_but_one(event)})


def _floor_scores(state: State, seat: Seat) -> tuple[ScoreLine, ...]:
    """Azul's penalty, and a line of 0 for what the disc caught, so that the sheet accounts for every fallen piece."""
    scores = azul_tiling.floor_scores(state, seat)
    if state.holder != seat or state.disc == NO_COLOUR:
        return scores
    if state.disc == MARKER:
        return (*scores, ScoreLine(seat, "MC-35", "shielded-marker", 0, 0))
    return (*scores, ScoreLine(seat, "MC-24", "shielded", 0, 0, {"colour": state.disc}))


TILING: Final = Tiling(APPLY, _dropped, _floor_scores, ends_dead=True)
TILING_1: Final = TILING._replace(ends_dead=False)


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action, tiling: Tiling = TILING) -> list[Event]:
    """The events of an action, or IllegalAction with the rule that forbids it."""
    if isinstance(action, DraftTiles):
        event = _drafted(state, actor, action)
        return [event] if event.next else azul.end_drafting(copied(state), event, tiling)
    if state.options.has_specials and isinstance(action, Outcome) and state.phase == "deal":
        azul.REFUSALS.acting_seat(state, actor, action)
        return [_decide_setup(state, action)]
    return azul.decide(state, actor, action, tiling)


def enact(state: State, actor: Actor, action: Action, tiling: Tiling = TILING) -> list[Event]:
    """The same, written down at the table itself."""
    if isinstance(action, DraftTiles):
        return azul.enact_draft(state, _drafted(state, actor, action), tiling)
    return azul.enact(state, actor, action, tiling, decide)


def _drafted(state: State, actor: Actor, action: DraftTiles) -> TilesDrafted:
    """Azul's draft, with the leftovers sent where the display's gold side says and one fallen piece on the disc."""
    if not state.options.has_specials and type(action) is not SpreadTiles:
        return azul.drafted(state, actor, action)
    seat, source = state.turn, action.source
    if actor != seat or state.phase != "draft":
        raise azul.no_draft_of(state, actor, action)
    if source and source == state.gone:
        raise IllegalAction(
            "master-chocolatier/disc-held",
            "MC-26",
            f"Display {source} is no longer in the circle; seat {state.holder} holds it.",
        )
    event = azul.drafted(state, actor, action)
    side = state.sides[source - 1] if source else BLUE_SIDE
    has_leftovers = source > 0 and state.sources[source] & OTHERS[action.colour] > 0
    if side == SPREAD and has_leftovers:
        spread = _checked_spread(state, action)
    elif type(action) is SpreadTiles:
        raise _nothing_to_spread(state, source, side)
    else:
        spread = ()
    stayed = side == KEEP and has_leftovers
    took_disc = side == SHIELD and not state.holder  # with a token, the display is an ordinary place afterwards
    shielded: Shielded = ""
    if took_disc or state.holder == seat:
        event, shielded = _shield(state, event)
    if not (spread or stayed or took_disc or shielded):
        return event
    return SpecialTilesDrafted(**asdict(event), stayed=stayed, spread=spread, took_disc=took_disc, shielded=shielded)


def _shield(state: State, event: TilesDrafted) -> tuple[TilesDrafted, Shielded]:
    """The draft with its first fallen piece on the disc, if that is empty and something falls (MC-24, MC-34…MC-37)."""
    if state.disc != NO_COLOUR:
        return event, ""
    if event.marker and state.options.shields_marker:
        # The marker would have fallen first; the space it leaves goes to a tile on its way to the lid.
        saved = int(event.marker == "floor" and event.discarded > 0)
        return (
            replace(event, marker="beside", fallen=event.fallen + saved, discarded=event.discarded - saved),
            "marker",
        )
    if not event.fallen and not event.discarded:
        return event, ""
    return replace(event, **_but_one(event)), "tile"


def _but_one(event: TilesDrafted | LineDropped) -> dict[str, int]:
    """One tile fewer that falls: the lid gets less, or the floor if it has room for all."""
    if event.discarded:
        return {"discarded": event.discarded - 1}
    return {"fallen": event.fallen - 1}


def _checked_spread(state: State, action: DraftTiles) -> tuple[Sent, ...]:
    """The spread of an action, if it is one of the ways there are."""
    source = action.source
    ways = splits(state, source, action.colour)
    left, right = neighbours(state, source)
    colours = EDITION.colours
    due = [sent.colour for sent in ways[0]]
    listed = ", ".join(colours[colour] for colour in due)
    if not isinstance(action, SpreadTiles):
        raise IllegalAction(
            "master-chocolatier/spread-missing",
            "MC-22",
            f"Display {source} spreads: say for {listed} whether it goes to display {left} or {right}.",
        )
    given = [sent.colour for sent in action.spread]
    for sent in action.spread:
        if sent.colour not in due:
            name = colours[sent.colour] if 0 <= sent.colour < COLOURS else f"colour {sent.colour}"
            raise IllegalAction(
                "master-chocolatier/spread-colour", "MC-21", f"No {name} is left on display {source}, only {listed}."
            )
        if sent.display not in (left, right):
            target = "the centre" if sent.display == 0 else f"display {sent.display}"
            raise IllegalAction(
                "master-chocolatier/spread-target",
                "MC-33" if sent.display == state.gone != 0 else "MC-21",
                f"Leftovers of display {source} go to display {left} or {right}, not to {target}.",
            )
        if given.count(sent.colour) > 1:
            raise IllegalAction(
                "master-chocolatier/spread-split",
                "MC-21",
                f"All {colours[sent.colour]} goes to one display; it was named {given.count(sent.colour)} times.",
            )
    missing = [colours[colour] for colour in due if colour not in given]
    if missing:
        raise IllegalAction(
            "master-chocolatier/spread-missing",
            "MC-22",
            f"Say where the leftover {' and '.join(missing)} goes: display {left} or {right}.",
        )
    if given != due:
        raise IllegalAction("master-chocolatier/spread-order", "MC-21", f"Name the leftovers in the order {listed}.")
    if action.spread not in ways:
        raise IllegalAction(
            "master-chocolatier/spread-uneven",
            "MC-D1",
            f"This table spreads as evenly as colours allow; {len(ways)} other ways are more even.",
        )
    return action.spread


def _nothing_to_spread(state: State, source: int, side: int) -> IllegalAction:
    if not state.options.has_specials:
        return IllegalAction(
            "master-chocolatier/no-specials", "MC-8", "This table plays without special factories: nothing is spread."
        )
    if side == SPREAD:
        return IllegalAction(
            "master-chocolatier/spread-unasked", "MC-32", f"The draft leaves nothing on display {source} to spread."
        )
    place = f"Display {source} does" if source else "The centre does"
    return IllegalAction("master-chocolatier/spread-unasked", "MC-21", f"{place} not spread its leftovers.")


RULES: Final = Rules(
    ruleset="master-chocolatier/2",
    seats=azul.RULES.seats,
    options=OPTIONS,
    actions=(ChooseStart, DraftTiles, SpreadTiles, TileLine),
    legal=legal,
    request=request,
    decide=decide,
    rank=azul_tiling.rank,
    enact=enact,
    areas=("azul", "master-chocolatier"),
)

RULES_1: Final = replace(
    RULES,
    ruleset="master-chocolatier/1",
    decide=partial(decide, tiling=TILING_1),
    enact=partial(enact, tiling=TILING_1),
)
"""Before MC-48, like `azul/1`."""
