"""Coloretto as people and programs see it: the table in letters and colours, and as plain values."""

from collections.abc import Sequence
from typing import Any, Final

from events.coloretto import (
    Kind,
)
from events.core import Seat
from projections.coloretto.state import (
    COLOUR_NAMES,
    COLOURS,
    GOLDEN,
    JOKER,
    KINDS,
    LETTERS,
    NO_CARD,
    PLUS_TWO,
    State,
    Tableau,
    jokers_left,
    to_act,
)
from projections.coloretto.worth import optimum, piles, table_of, worth
from projections.core import (
    ROOMY,
    Line,
    Names,
    Room,
    Span,
    columns,
    fits,
    flowing,
    joined_within,
    looked_at,
    shortened,
    stacked,
    width_of,
)
from projections.words import signed

STYLES: Final = (*(f"tile.{name}" for name in COLOUR_NAMES), "tile.plus", "tile.joker", "tile.gold")
PHASES: Final = {
    "remove": "colours to leave out",
    "start": "who starts",
    "cards": "to take start cards",
    "turn": "to draw or take",
    "draw": "drawing",
    "place": "to place",
    "bonus": "drawing a bonus card",
    "between": "round over",
    "final": "to decide",
    "over": "game over",
}
NAME_WIDTH: Final = 40
NAME_IN_HEADING: Final = 10
"""What a name gets before the deck has to move to the next line."""
GAP: Final = 4
INDENT: Final = 4
CARD_WIDTH: Final = 3
_VERDICT: Final = len("  −100  has decided")
"""Columns of what stands behind the cards of a seat in short."""

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The rows on top, then every tableau with what it would score now; where they do not fit, all but one in short."""
    seats, acting = range(1, state.seats + 1), to_act(state)
    heading, side = _heading(state, names, room.width), draw_side(state, room.width)
    rows = [] if state.phase in ("final", "over") else _rows(state, names, room.width)
    drawn = [] if state.drawn == NO_CARD else flowing([_drawn(state, names)], room.width)
    tableaus = [draw_tableau(state, seat, names, room.width, acts=seat in acting) for seat in seats]
    whole = stacked([heading, rows, drawn, [line for tableau in tableaus for line in tableau], side], ROOMY)
    if fits(whole, room):
        return whole
    own = looked_at(room, _on_turn(state))
    above = [*rows, *(drawn or [[]])] if rows else []  # a card that is drawn moves nothing
    others = _in_short(state, [seat for seat in seats if seat != own], names, room.width)
    return stacked([heading, [*above, *tableaus[own - 1]], others, side], room)


def _on_turn(state: State) -> Sequence[Seat]:
    """Whoever is to act, or waits for a card."""
    waiting = {"cards": state.turn, "draw": state.turn, "bonus": state.taker}.get(state.phase)
    return (waiting,) if waiting else to_act(state)


def situation(state: State) -> str:
    """How far the game has come and what is being done."""
    where = f"Round {state.round}{', the last one' * state.is_last_round}" if state.round else "Setup"
    return f"{where} · {PHASES[state.phase]}"


def _heading(state: State, names: Names, width: int) -> list[Line]:
    where = f"Round {state.round} · " if state.round else "Setup · "
    deck = f"deck {state.undrawn}"
    if state.round and not state.is_last_round:
        deck += f", {state.above} above the last-round card"
    after = [
        Span(deck, "dim"),
        *([Span("  "), Span(" last round ", "marker")] if state.is_last_round else []),
    ]
    doing = PHASES[state.phase]
    if seats := _on_turn(state):
        left = width - GAP - width_of(after) - columns(f"{where} {doing}")
        doing = f"{joined_within([names[seat] for seat in seats], max(left, NAME_IN_HEADING))} {doing}"
    return flowing([[Span(where + doing, "bold")], after], width, GAP)


def _rows(state: State, names: Names, width: int) -> list[Line]:
    return [_row(state, index, names, width) for index in range(len(state.rows))]


def _row(state: State, index: int, names: Names, width: int) -> Line:
    holder = state.holders[index]
    number = Span(f" {index + 1} ", "dim" if holder else "marker")
    if holder:
        before = "  taken by "
        name = shortened(names[holder], min(NAME_WIDTH, width - len(number.text + before)))
        return [number, Span(f"{before}{name}", "dim")]
    cards = state.rows[index]
    spans = [number, Span(" ")]
    for card in cards:
        spans += [Span(" "), _card(card)]
    return [*spans, *[Span("  · ", "dim")] * (state.capacities[index] - len(cards))]


def _drawn(state: State, names: Names) -> Line:
    who = shortened(names[state.turn], NAME_WIDTH)
    return [Span(f"{who} drew "), _card(state.drawn), Span(f" {KINDS[state.drawn]}", "dim")]


def _card(card: Kind) -> Span:
    return Span(f" {LETTERS[card]:<2}", STYLES[card])


def draw_tableau(state: State, seat: Seat, names: Names, width: int, *, acts: bool) -> list[Line]:
    """The cards of a seat with what they would score now; counted, where one by one they would be too wide."""
    tableau = state.tableaus[seat - 1]
    verdict, remark = _verdict(state, seat)
    after = [Span("  "), verdict] if state.phase == "over" else [remark, Span(f"  {verdict.text} as it stands", "dim")]
    name = shortened(names[seat], min(NAME_WIDTH, width - 2 - width_of(after)))
    title = [Span(f"{'▶' if acts else ' '} {name}", "bold" if acts else ""), *after]
    lines: list[Line] = []
    for is_counted in (False, True):
        lines = _under_each_other(_piles(state, tableau, is_counted=is_counted), width)
        if len(lines) <= 2:
            break
    return [title, *lines]


def _under_each_other(piles: Sequence[tuple[list[Span], Span]], width: int) -> list[Line]:
    """Piles in a line with their points below, and another such pair of lines where they are too wide."""
    pairs: list[tuple[list[Span], list[Span]]] = []
    taken = width
    for pile, value in piles:
        size = max(width_of(pile), columns(value.text))
        if taken + size > width:
            pairs.append(([Span(" " * INDENT)], [Span(" " * INDENT)]))
            taken = INDENT
        for line, spans in zip(pairs[-1], (pile, [value]), strict=True):
            line += [*spans, Span(" " * (size + 2 - width_of(spans)))]
        taken += size + 2
    return [line[:-1] for pair in pairs for line in pair]


def _verdict(state: State, seat: Seat) -> tuple[Span, Span]:
    """What the cards of a seat score, or would score now, and how far it is."""
    tableau = state.tableaus[seat - 1]
    if state.phase == "over":
        return Span(signed(tableau.score), "good" if tableau.score >= 0 else "bad"), Span("")
    remark = "  has decided" if tableau.plus else "  out" if state.out >> seat & 1 else ""
    return Span(signed(worth(state, tableau)), "dim"), Span(remark, "dim")


def _piles(state: State, tableau: Tableau, *, is_counted: bool) -> list[tuple[list[Span], Span]]:
    """Every pile of a tableau with its points; jokers without a colour count where they are worth most."""

    def heap(letter: str, cards: int, style: str) -> list[Span]:
        return [Span(f"{cards}{letter}" if is_counted else letter * cards, style)] if cards else []

    drawn: list[tuple[list[Span], Span]] = []
    for colour, own, jokers, hoped, value in piles(state, tableau):
        pile = [*heap(LETTERS[colour], own, STYLES[colour]), *heap("J", jokers, STYLES[colour])]
        drawn.append(([*pile, *heap("j", hoped, "dim")], Span(signed(value), "good" if value > 0 else "bad")))
    left = jokers_left(tableau)
    if left:
        golden = min(tableau.cards[GOLDEN], left)
        letters = " ".join([LETTERS[JOKER]] * (left - golden) + [LETTERS[GOLDEN]] * golden)
        drawn.append(([Span(letters, STYLES[GOLDEN] if golden else STYLES[JOKER])], Span("free", "dim")))
    if twos := tableau.cards[PLUS_TWO]:
        letters = f"{twos}×{LETTERS[PLUS_TWO]}" if is_counted else " ".join([LETTERS[PLUS_TWO]] * twos)
        drawn.append(([Span(letters, STYLES[PLUS_TWO])], Span(signed(2 * twos), "good")))
    return drawn


def _in_short(state: State, seats: Sequence[Seat], names: Names, width: int) -> list[Line]:
    """A line for each seat: its cards counted by kind, jokers with a colour among their colour, and what they score."""
    kinds = [*state.colours, JOKER, PLUS_TWO]
    room_for_name = width - 2 - (1 + CARD_WIDTH) * len(kinds) - _VERDICT
    size = min(room_for_name, max(columns(names[seat]) for seat in seats))
    letters = "".join(f"  {LETTERS[kind]:<{CARD_WIDTH - 1}}" for kind in kinds)
    meaning = "scores" if state.phase == "over" else "as it stands"
    lines: list[Line] = [[Span(" " * (2 + size)), Span(f"{letters}  {meaning}", "dim")]]
    for seat in seats:
        tableau, acts = state.tableaus[seat - 1], seat in to_act(state)
        name = shortened(names[seat], size)
        line = [Span(f"{'▶' if acts else ' '} {name}", "bold" if acts else ""), Span(" " * (size - columns(name)))]
        held = [cards + given for cards, given in zip(tableau.cards, tableau.assigned, strict=False)]
        held += [tableau.cards[PLUS_TWO], jokers_left(tableau)]
        for kind in kinds:
            line += [Span(" "), Span(f" {held[kind]:<2}", STYLES[kind]) if held[kind] else Span(" · ", "dim")]
        verdict, remark = _verdict(state, seat)
        lines.append([*line, Span("  "), Span(f"{verdict.text:<4}", verdict.style), remark])
    return lines


def draw_side(state: State, width: int) -> list[Line]:
    """What so many cards of a colour are worth at this table, and the colours that are out."""
    side, values = table_of(state.options)
    steps = " · ".join(f"{cards} {points}" for cards, points in values.items())
    out = [LETTERS[colour] for colour in range(COLOURS) if colour not in state.colours]
    cells = [f"{side} side, cards and points: {steps}", *([f"without {' '.join(out)}"] if out else [])]
    gap = min(GAP, max(2, width - sum(map(len, cells))))
    return flowing([[Span(cell, "dim")] for cell in cells], width, gap)


def colour_key(state: State) -> Line:
    """The colours in this match, and the joker."""
    spans: list[Span] = []
    for kind in (*state.colours, JOKER):
        spans += [*([Span("  ")] if spans else []), Span(LETTERS[kind], STYLES[kind]), Span(f" {KINDS[kind]}")]
    return spans


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Everything public about the table (CO-78…CO-80): what is left in the deck, but no order of it."""
    return {
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn or None,
        "to_act": list(to_act(state)),
        "starter": state.starter or None,
        "side": "violet" if state.options.is_violet else "brown",
        "colours": [COLOUR_NAMES[colour] for colour in state.colours],
        "deck": {
            "cards": state.undrawn,
            "above_last_round_card": state.above,
            "kinds": _counted(state.deck),
        },
        "last_round": state.is_last_round,
        "rows": [
            {
                "size": size,
                "cards": [KINDS[card] for card in row],
                "taken_by": holder or None,
            }
            for size, row, holder in zip(state.capacities, state.rows, state.holders, strict=True)
        ],
        "drawn": None if state.drawn == NO_CARD else KINDS[state.drawn],
        "removed": _counted(state.removed),
        "tableaus": [tableau_view(state, seat, tableau) for seat, tableau in enumerate(state.tableaus, start=1)],
        "standings": [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in state.standings],
    }


def tableau_view(state: State, seat: Seat, tableau: Tableau) -> dict[str, Any]:
    """The cards of a seat, its decisions and the best ones there are."""
    best = optimum(state, tableau)
    return {
        "seat": seat,
        "score": tableau.score,
        "is_out": bool(state.out >> seat & 1),
        "cards": _counted(tableau.cards),
        "jokers": {COLOUR_NAMES[colour]: jokers for colour, jokers in enumerate(tableau.assigned) if jokers},
        "plus": [COLOUR_NAMES[colour] for colour in tableau.plus],
        "best": {
            "total": best.total,
            "jokers": [COLOUR_NAMES[colour] for colour in best.jokers],
            "plus": [COLOUR_NAMES[colour] for colour in best.plus],
        },
    }


def _counted(counts: Sequence[int]) -> dict[str, int]:
    return {KINDS[kind]: cards for kind, cards in enumerate(counts) if cards}
