"""The facts of Coloretto. A card is its kind: 0–6 the colours (CO-3), then "+2", joker and golden joker."""

from typing import Annotated

from msgspec import Meta

from events import first_player
from events.core import Event, Round, ScoreLine, Seat, Standing

Colour = Annotated[int, Meta(ge=0, le=6)]
"""0–6: green, yellow, red, blue, orange, purple, white."""
Kind = Annotated[int, Meta(ge=0, le=9)]
"""A colour, or 7 for a "+2" card, 8 for a joker, 9 for the golden joker."""
Row = Annotated[int, Meta(ge=1, le=5)]
"""A row card in the centre."""


class ColoursRemoved(Event, frozen=True, gc=False, tag="coloretto.colours_removed"):
    """Chance named the colours that take no part; all their cards left the game (CO-10, CO-55)."""

    reveals = True
    by_chance = True

    colours: tuple[Colour, ...]


class StartDrawn(first_player.StartDrawn, frozen=True, gc=False, tag="coloretto.start_drawn"):
    """Chance named the seat that starts the first round (CO-17)."""


class StartCardsDealt(Event, frozen=True, gc=False, tag="coloretto.start_cards_dealt"):
    """Chance gave a seat the colours it starts with (CO-13, CO-56)."""

    reveals = True
    by_chance = True

    seat: Seat
    colours: tuple[Colour, ...]
    next: Seat
    """Who gets start cards next; 0 when everybody has them."""


class StartCardChosen(Event, frozen=True, gc=False, tag="coloretto.start_card_chosen"):
    """A seat chose a colour to start with (CO-14)."""

    seat: Seat
    colour: Colour
    next: Seat
    """Who chooses next; 0 when everybody has chosen."""


class RoundBegun(Event, frozen=True, gc=False, tag="coloretto.round_begun"):
    """A round began: every row card lies empty in the centre and every seat is in again (CO-33, CO-34)."""

    round: Round
    starter: Seat


class CardDrawn(Event, frozen=True, gc=False, tag="coloretto.card_drawn"):
    """A seat chose to draw (CO-21); what the card was is chance's to say."""

    seat: Seat


class CardRevealed(Event, frozen=True, gc=False, tag="coloretto.card_revealed"):
    """Chance turned the drawn card over; the seat has it in hand until it is placed (CO-22, CO-83)."""

    reveals = True
    by_chance = True

    seat: Seat
    card: Kind
    last_round: bool = False
    """Whether the last-round card lay on top; `card` was then drawn in its stead (CO-44, CO-45)."""


class CardPlaced(Event, frozen=True, gc=False, tag="coloretto.card_placed"):
    """A seat put the card in its hand beside a row card."""

    seat: Seat
    row: Row
    card: Kind
    next: Seat
    """Who is on turn next; the same seat when all others are out (CO-32)."""


class RowTaken(Event, frozen=True, gc=False, tag="coloretto.row_taken"):
    """A seat took a row with all its cards and is out for the round (CO-27, CO-30)."""

    seat: Seat
    row: Row
    cards: tuple[Kind, ...]
    next: Seat
    """Who is on turn next; 0 when everybody is out."""
    bonus: bool = False
    """Whether the golden joker was among the cards and a bonus card is drawn at once (CO-40)."""


class BonusDrawn(Event, frozen=True, gc=False, tag="coloretto.bonus_drawn"):
    """Chance turned over the golden joker's bonus card, which went straight to the tableau (CO-40, CO-42)."""

    reveals = True
    by_chance = True

    seat: Seat
    card: Kind
    last_round: bool = False
    """Whether the last-round card lay on top; `card` was then drawn in its stead (CO-64)."""


class SeatStranded(Event, frozen=True, gc=False, tag="coloretto.seat_stranded"):
    """With the deck empty and no card in any row, a seat was out without cards (CO-68)."""

    seat: Seat
    next: Seat


class RowRemoved(Event, frozen=True, gc=False, tag="coloretto.row_removed"):
    """The cards of the row nobody took left the game; two players only (CO-60)."""

    row: Row
    cards: tuple[Kind, ...]


class LastRoundEnded(Event, frozen=True, gc=False, tag="coloretto.last_round_ended"):
    """The last round is over; every seat is to fix its jokers and its plus colours (CO-47, CO-50)."""


class JokerAssigned(Event, frozen=True, gc=False, tag="coloretto.joker_assigned"):
    """One joker of a seat got its colour (CO-47)."""

    seat: Seat
    colour: Colour


class ColoursNamed(Event, frozen=True, gc=False, tag="coloretto.colours_named"):
    """A seat's plus colours stand: three of its choice, or all it holds when that is no choice (CO-50)."""

    seat: Seat
    colours: tuple[Colour, ...]


class GameEnded(Event, frozen=True, gc=False, tag="coloretto.game_ended"):
    """Every tableau was scored and the result stands (CO-53, CO-54)."""

    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]


ColorettoEvent = (
    ColoursRemoved
    | StartDrawn
    | StartCardsDealt
    | StartCardChosen
    | RoundBegun
    | CardDrawn
    | CardRevealed
    | CardPlaced
    | RowTaken
    | BonusDrawn
    | SeatStranded
    | RowRemoved
    | LastRoundEnded
    | JokerAssigned
    | ColoursNamed
    | GameEnded
)
