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
from projections.coloretto.worth import BROWN, VIOLET, Decisions, optimum, points
from projections.core import ROOMY, Line, Names, Room, Span
from projections.words import joined, signed

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
HEADING_WIDTH: Final = 50
NAME_WIDTH: Final = 40
INDENT: Final = 4

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The whole table: the rows on top, then every tableau with what it would score now."""
    lines = [_heading(state, names), []]
    if state.phase not in ("final", "over"):
        lines += [*(_row(state, row, names) for row in range(len(state.rows))), []]
    if state.drawn != NO_CARD:
        lines += [
            [
                Span(f"{names[state.turn][:NAME_WIDTH]} drew "),
                _card(state.drawn),
                Span(f" {KINDS[state.drawn]}", "dim"),
            ],
            [],
        ]
    for seat in range(1, state.seats + 1):
        lines += draw_tableau(state, seat, names, acts=seat in to_act(state))
    return [*lines, [], draw_side(state)]


def _heading(state: State, names: Names) -> Line:
    taking = {"cards": state.turn, "draw": state.turn, "bonus": state.taker}.get(state.phase)
    seats = (taking,) if taking else to_act(state)
    who = f"{joined([names[seat] for seat in seats])} " if seats else ""
    where = f"Round {state.round}" if state.round else "Setup"
    deck = f"    deck {state.above + state.below}"
    if state.round and not state.is_last_round:
        deck += f", {state.above} above the last-round card"
    return [
        Span(f"{where} · {who}{PHASES[state.phase]}"[:HEADING_WIDTH], "bold"),
        Span(deck, "dim"),
        *([Span("  "), Span(" last round ", "marker")] if state.is_last_round else []),
    ]


def _row(state: State, index: int, names: Names) -> Line:
    holder = state.holders[index]
    number = Span(f" {index + 1} ", "dim" if holder else "marker")
    if holder:
        return [number, Span(f"  taken by {names[holder]}"[:NAME_WIDTH], "dim")]
    cards = state.rows[index]
    spans = [number, Span(" ")]
    for card in cards:
        spans += [Span(" "), _card(card)]
    return [*spans, *[Span("  · ", "dim")] * (state.capacities[index] - len(cards))]


def _card(card: Kind) -> Span:
    return Span(f" {LETTERS[card]:<2}", STYLES[card])


def draw_tableau(state: State, seat: Seat, names: Names, *, acts: bool) -> list[Line]:
    """The cards of a seat with what they would score now."""
    tableau = state.tableaus[seat - 1]
    best = optimum(state, tableau)
    title: list[Span] = [Span(f"{'▶' if acts else ' '} {names[seat]}"[:NAME_WIDTH], "bold" if acts else "")]
    if state.phase == "over":
        title.append(Span(f"  {signed(tableau.score)}", "good" if tableau.score >= 0 else "bad"))
    elif tableau.plus:
        title.append(Span("  has decided", "dim"))
    elif state.out >> seat & 1:
        title.append(Span("  out", "dim"))
    if state.phase != "over":
        title.append(Span(f"  {signed(best.total)} as it stands", "dim"))
    cards, values = [Span(" " * INDENT)], [Span(" " * INDENT)]
    for pile, value in _piles(state, tableau, best):
        width = max(sum(len(span.text) for span in pile), len(value.text)) + 2
        cards += [*pile, Span(" " * (width - sum(len(span.text) for span in pile)))]
        values += [value, Span(" " * (width - len(value.text)))]
    return [title, cards, values] if len(cards) > 1 else [title]


def _piles(state: State, tableau: Tableau, best: Decisions) -> list[tuple[list[Span], Span]]:
    """Every pile of a tableau with its points; jokers without a colour count where they are worth most."""
    plus = tableau.plus or best.plus
    piles: list[tuple[list[Span], Span]] = []
    for colour in range(COLOURS):
        own, jokers = tableau.cards[colour], tableau.assigned[colour]
        cards = own + jokers + best.jokers.count(colour)
        if cards:
            value = points(state.options, cards) * (1 if colour in plus else -1)
            pile = [Span(LETTERS[colour] * own, STYLES[colour]), Span("J" * jokers, STYLES[colour])]
            if best.jokers.count(colour):
                pile.append(Span("j" * best.jokers.count(colour), "dim"))
            piles.append((pile, Span(signed(value), "good" if value > 0 else "bad")))
    left = jokers_left(tableau)
    if left:
        golden = min(tableau.cards[GOLDEN], left)
        letters = " ".join([LETTERS[JOKER]] * (left - golden) + [LETTERS[GOLDEN]] * golden)
        piles.append(([Span(letters, STYLES[GOLDEN] if golden else STYLES[JOKER])], Span("free", "dim")))
    if twos := tableau.cards[PLUS_TWO]:
        piles.append(([Span(" ".join([LETTERS[PLUS_TWO]] * twos), STYLES[PLUS_TWO])], Span(signed(2 * twos), "good")))
    return piles


def draw_side(state: State) -> Line:
    """What so many cards of a colour are worth at this table, and the colours that are out."""
    side, values = ("violet", VIOLET) if state.options.is_violet else ("brown", BROWN)
    steps = " · ".join(f"{cards}{'+' * (cards == 6)} {values[cards]}" for cards in range(1, 7))
    out = [LETTERS[colour] for colour in range(COLOURS) if colour not in state.colours]
    absent = f"    without {' '.join(out)}" if out else ""
    return [Span(f"{side} side, cards and points: {steps}{absent}", "dim")]


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
            "cards": state.above + state.below,
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
