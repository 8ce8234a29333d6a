"""Coloretto in words and pictures, and the record that makes it a projection."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events.coloretto import (
    BonusDrawn,
    CardDrawn,
    CardPlaced,
    CardRevealed,
    Colour,
    ColoursNamed,
    ColoursRemoved,
    GameEnded,
    JokerAssigned,
    Kind,
    LastRoundEnded,
    RoundBegun,
    RowRemoved,
    RowTaken,
    SeatStranded,
    StartCardChosen,
    StartCardsDealt,
    StartDrawn,
)
from events.core import Event, Seat
from projections.coloretto import (
    APPLY,
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
    copy,
    initial,
    jokers_left,
    pieces,
    scores,
    standings,
    to_act,
)
from projections.coloretto_worth import BROWN, VIOLET, Decisions, optimum, points
from projections.core import WIDTH, Line, Names, Projection, Span
from projections.views.coloretto_sums import CITES, SLIPS, SUMS
from projections.words import count, joined, signed

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


def draw(state: State, names: Names, width: int = WIDTH) -> list[Line]:
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
        lines += _tableau(state, seat, names)
    return [*lines, [], _table(state)]


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


def _tableau(state: State, seat: Seat, names: Names) -> list[Line]:
    tableau = state.tableaus[seat - 1]
    best = optimum(state, tableau)
    acts = seat in to_act(state)
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


def _table(state: State) -> Line:
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
        "tableaus": [_tableau_view(state, seat, tableau) for seat, tableau in enumerate(state.tableaus, start=1)],
        "standings": [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in state.standings],
    }


def _tableau_view(state: State, seat: Seat, tableau: Tableau) -> dict[str, Any]:
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


# ------------------------------------------------------------------------------------------------------------ words


def _colours(colours: Sequence[Colour]) -> str:
    return joined([COLOUR_NAMES[colour] for colour in colours])


def _a(card: Kind) -> str:
    return "the golden joker" if card == GOLDEN else "a joker" if card == JOKER else KINDS[card]


def _cards(cards: Sequence[Kind]) -> str:
    return joined([_a(card) for card in cards])


def _colours_removed(event: ColoursRemoved, names: Names) -> str:
    return f"All {_colours(event.colours)} cards left the game."


def _card_revealed(event: CardRevealed, names: Names) -> str:
    if event.last_round:
        return f"It was the last-round card: this round is the last. {names[event.seat]} drew {_a(event.card)} instead."
    return f"It was {_a(event.card)}."


def _row_taken(event: RowTaken, names: Names) -> str:
    bonus = ", which brings a bonus card" if event.bonus else ""
    return f"{names[event.seat]} took row {event.row}: {_cards(event.cards)}{bonus}."


def _bonus_drawn(event: BonusDrawn, names: Names) -> str:
    if event.last_round:
        return (
            "The bonus card was the last-round card: this round is the last. "
            f"{names[event.seat]} got {_a(event.card)} instead."
        )
    return f"The bonus card for {names[event.seat]} was {_a(event.card)}."


def _game_ended(event: GameEnded, names: Names) -> str:
    places = "; ".join(f"{names[place.seat]} {signed(place.score)}" for place in event.standings)
    return f"The game ended and everything was scored: {places}."


def _colour_reason(operands: Mapping[str, int]) -> str:
    jokers = f" with {count(operands['jokers'], 'joker')}" if operands["jokers"] else ""
    return f"{operands['cards']} {COLOUR_NAMES[operands['colour']]}{jokers}"


REASONS: Final[Mapping[str, Callable[[Mapping[str, int]], str]]] = {
    "colour-plus": lambda operands: f"{_colour_reason(operands)}, counting plus",
    "colour-minus": lambda operands: f"{_colour_reason(operands)}, counting minus",
    "plus-two": lambda operands: f'"+2" card {operands["card"]} of {operands["of"]}',
}

STORY: Final[Mapping[type[Event], Callable[[Any, Names], str]]] = {
    ColoursRemoved: _colours_removed,
    StartDrawn: lambda event, names: f"The lot fell on {names[event.seat]} to start.",
    StartCardsDealt: lambda event, names: f"{names[event.seat]} was dealt {_colours(event.colours)} to start with.",
    StartCardChosen: lambda event, names: f"{names[event.seat]} chose {COLOUR_NAMES[event.colour]} to start with.",
    RoundBegun: lambda event, names: f"Round {event.round} began. {names[event.starter]} starts.",
    CardDrawn: lambda event, names: f"{names[event.seat]} drew a card.",
    CardRevealed: _card_revealed,
    CardPlaced: lambda event, names: f"{names[event.seat]} placed {_a(event.card)} in row {event.row}.",
    RowTaken: _row_taken,
    BonusDrawn: _bonus_drawn,
    SeatStranded: lambda event, names: f"{names[event.seat]} found no card to draw or take and is out without any.",
    RowRemoved: lambda event, names: f"Nobody took row {event.row}: {_cards(event.cards)} left the game.",
    LastRoundEnded: lambda event, names: "The last round is over: jokers get their colours, three colours count plus.",
    JokerAssigned: lambda event, names: f"A joker of {names[event.seat]} became {COLOUR_NAMES[event.colour]}.",
    ColoursNamed: lambda event, names: f"For {names[event.seat]}, {_colours(event.colours)} count plus.",
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
