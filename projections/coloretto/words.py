"""Coloretto in words: every event as a sentence, every point with its reason."""

from collections.abc import Mapping, Sequence
from typing import Final

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
from projections.coloretto.state import (
    COLOUR_NAMES,
    GOLDEN,
    JOKER,
    KINDS,
)
from projections.core import Imperatives, Names, Reasons, Story
from projections.first_player import tell_start_drawn
from projections.words import count, joined, signed


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
    return f"{names[event.seat]} took {_row(event)}."


def _row(event: RowTaken) -> str:
    bonus = ", which brings a bonus card" if event.bonus else ""
    return f"row {event.row}: {_cards(event.cards)}{bonus}"


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


REASONS: Final[Reasons] = {
    "colour-plus": lambda operands: f"{_colour_reason(operands)}, counting plus",
    "colour-minus": lambda operands: f"{_colour_reason(operands)}, counting minus",
    "plus-two": lambda operands: f'"+2" card {operands["card"]} of {operands["of"]}',
}

STORY: Final[Story] = {
    ColoursRemoved: _colours_removed,
    StartDrawn: tell_start_drawn,
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

IMPERATIVES: Final[Imperatives] = {
    StartCardChosen: lambda event, names: f"Choose {COLOUR_NAMES[event.colour]} to start with",
    CardDrawn: lambda event, names: "Draw a card",
    CardPlaced: lambda event, names: f"Place {_a(event.card)} in row {event.row}",
    RowTaken: lambda event, names: f"Take {_row(event)}",
    JokerAssigned: lambda event, names: f"Make a joker {COLOUR_NAMES[event.colour]}",
    ColoursNamed: lambda event, names: f"Count {_colours(event.colours)} as plus",
}
