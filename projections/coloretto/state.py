"""Coloretto, folded: the state of a table and one handler per event."""

from collections.abc import Callable, Mapping
from operator import add
from typing import Any, Final

from msgspec import Struct

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
from events.core import Event, Seat, Standing
from projections.first_player import named_start

KINDS: Final = ("green", "yellow", "red", "blue", "orange", "purple", "white", "+2", "joker", "golden joker")
"""What each kind of card is called; the rulebook names the first four colours, the others are ours (CO-3)."""
LETTERS: Final = ("G", "Y", "R", "B", "O", "P", "W", "+2", "J", "J*")
COUNTED: Final = (
    *KINDS, "cards counted around the last-round card, beyond the deck", "jokers with two colours", "row cards"
)  # fmt: skip
"""What `invariants` counts."""
COLOURS: Final = 7
COLOUR_NAMES: Final = KINDS[:COLOURS]
PLUS_TWO: Final = 7
JOKER: Final = 8
GOLDEN: Final = 9
NO_CARD: Final = -1
CARDS_PER_COLOUR: Final = 9
PLUS_TWOS: Final = 10
JOKERS: Final = 3
"""Ordinary and golden together (CO-D2)."""
ROW_SIZE: Final = 3
"""Cards beside a brown row card (CO-5)."""
REMOVED: Final = {2: 2, 3: 1, 4: 0, 5: 0}
"""How many colours leave the game with so many seats (CO-10, CO-55)."""
START_CARDS: Final = {2: 2, 3: 1, 4: 1, 5: 1}
"""How many cards each seat starts with (CO-13, CO-56)."""


class Options(Struct, frozen=True):
    """What the table agreed on, read once from the words in the opening."""

    is_violet: bool
    """The violet side of the score cards (CO-49)."""
    may_choose_start: bool
    """Whether seats choose their start cards instead of being dealt them (CO-14)."""
    has_shared_starts: bool
    """Whether the two seats of a two-player game may start with the same colour (CO-57)."""
    is_scope_held: bool
    """Whether a joker may only become a colour the seat holds (CO-69)."""
    is_auto_optimal: bool
    """Whether the best end decisions are made for everybody (CO-72)."""


class Tableau(Struct):
    """What lies in front of one seat."""

    score: int
    cards: list[int]
    """Cards by kind; jokers stay jokers here."""
    assigned: list[int]
    """Jokers by the colour they were given at the end (CO-47)."""
    plus: tuple[Colour, ...]
    """The colours that count plus, once they are named (CO-50)."""


class State(Struct):
    """A Coloretto table."""

    seats: int
    options: Options
    phase: str
    """`remove`, `start`, `cards` (setup), `turn`, `draw`, `place`, `bonus`, `between`, `final` or `over`."""
    round: int
    starter: Seat
    """Who started this round; 0 before anybody has been named."""
    turn: Seat
    """Who is on turn, or gets start cards; 0 when nobody is."""
    taker: Seat
    """Who took a row last."""
    colours: tuple[Colour, ...]
    """The colours in the game."""
    deck: list[int]
    """Undrawn cards by kind; their order is nowhere in the state."""
    undrawn: int
    """How many they are; kept beside them because every move asks for it."""
    under: int
    """Cards that lay under the last-round card from the start (CO-16)."""
    is_last_round: bool
    """Whether the last-round card has been revealed (CO-44)."""
    capacities: tuple[int, ...]
    """How many cards each row takes."""
    rows: list[list[Kind]]
    holders: list[Seat]
    """Who has taken each row card this round; 0 while it lies in the centre."""
    open: int
    """Rows in the centre with space, as bits; kept beside the rows because every move asks for it (CO-25)."""
    filled: int
    """Rows in the centre with a card, as bits (CO-28)."""
    out: int
    """Seats that are out, as bits; seat 1 is bit 1 (CO-30)."""
    drawn: Kind
    """The card in hand; NO_CARD when there is none."""
    removed: list[int]
    """Cards out of the game, by kind."""
    tableaus: list[Tableau]
    deciding: list[Seat]
    """Who has not made all end decisions."""
    standings: tuple[Standing, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        """Every seat's score: 0 until the end, when everything is scored at once."""
        return tuple([tableau.score for tableau in self.tableaus])

    @property
    def above(self) -> int:
        """Cards on top of the last-round card (CO-18)."""
        return self.undrawn - self.below

    @property
    def below(self) -> int:
        """Cards under it, or where it was."""
        return self.undrawn if self.is_last_round else self.under


def initial(seats: int, options: Mapping[str, str]) -> State:
    """The table before anything was drawn: all cards in the deck but the colours agreed to stay out (CO-11)."""
    named = named_start(options)
    golden = options["goldenJoker"] == "true"
    deck = [CARDS_PER_COLOUR] * COLOURS + [PLUS_TWOS, JOKERS - golden, int(golden)]
    capacities = (
        tuple(map(int, options["greenRowCapacities"].split(","))) if seats == 2 else (ROW_SIZE,) * seats  # CO-9, CO-58
    )
    is_drawn = options["removedColours"] == "random" and REMOVED[seats] > 0
    state = State(
        seats=seats,
        options=Options(
            is_violet=options["scoringSide"] == "violet",
            may_choose_start=options["startCards"] == "choose",
            has_shared_starts=seats == 2 and options["twoPlayerStart"] == "distinct-per-player",
            is_scope_held=options["jokerScope"] == "held",
            is_auto_optimal=options["finalDecisions"] == "auto-optimal",
        ),
        phase="remove" if is_drawn else "cards" if named else "start",
        round=0,
        starter=named,
        turn=named,
        taker=0,
        colours=tuple(range(COLOURS)),
        deck=deck,
        undrawn=sum(deck),
        under=int(options["cardsUnderLastRound"]),
        is_last_round=False,
        capacities=capacities,
        rows=[[] for _ in capacities],
        holders=[0] * len(capacities),
        open=0,
        filled=0,
        out=0,
        drawn=NO_CARD,
        removed=[0] * len(KINDS),
        tableaus=[Tableau(score=0, cards=[0] * len(KINDS), assigned=[0] * COLOURS, plus=()) for _ in range(seats)],
        deciding=[],
        standings=(),
    )
    if not is_drawn and REMOVED[seats]:
        _remove(state, tuple(COLOUR_NAMES.index(name) for name in options["removedColours"].split(",")))
    return state


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat on turn, the seat that chooses a start card, or everybody with an end decision left."""
    if state.phase in ("turn", "place"):
        return (state.turn,)
    if state.phase == "final":
        return tuple(state.deciding)
    return (state.turn,) if state.phase == "cards" and state.options.may_choose_start and state.turn else ()


def invariants(state: State) -> dict[str, int]:
    """All cards by kind, the last-round card and the row cards, wherever they lie (CO-7)."""
    counts = list(map(add, state.deck, state.removed))
    doubled = 0
    for tableau in state.tableaus:
        counts = list(map(add, counts, tableau.cards))
        if any(tableau.assigned):  # nobody has given a joker its colour before the end
            doubled += max(0, -jokers_left(tableau))
    for row in state.rows:
        for card in row:
            counts[card] += 1
    if state.drawn != NO_CARD:
        counts[state.drawn] += 1
    counts += (state.undrawn - sum(state.deck), doubled, len(state.rows))
    return dict(zip(COUNTED, counts, strict=True))


def jokers_left(tableau: Tableau) -> int:
    """Jokers without a colour."""
    return tableau.cards[JOKER] + tableau.cards[GOLDEN] - sum(tableau.assigned)


def _remove(state: State, colours: tuple[Colour, ...]) -> None:
    for colour in colours:
        state.removed[colour] += state.deck[colour]
        state.undrawn -= state.deck[colour]
        state.deck[colour] = 0
    state.colours = tuple(colour for colour in state.colours if colour not in colours)


def _colours_removed(state: State, event: ColoursRemoved) -> None:
    _remove(state, event.colours)
    state.phase = "cards" if state.starter else "start"


def _start_drawn(state: State, event: StartDrawn) -> None:
    state.starter = state.turn = event.seat
    state.phase = "cards"


def _start_cards_dealt(state: State, event: StartCardsDealt) -> None:
    cards = state.tableaus[event.seat - 1].cards
    for colour in event.colours:
        state.deck[colour] -= 1
        cards[colour] += 1
    state.undrawn -= len(event.colours)
    state.turn = event.next


def _start_card_chosen(state: State, event: StartCardChosen) -> None:
    state.deck[event.colour] -= 1
    state.tableaus[event.seat - 1].cards[event.colour] += 1
    state.undrawn -= 1
    state.turn = event.next


def _round_begun(state: State, event: RoundBegun) -> None:
    state.round = event.round
    state.starter = state.turn = event.starter
    state.holders = [0] * len(state.rows)
    state.open = (1 << len(state.rows)) - 1
    state.filled = state.out = 0
    state.phase = "turn"


def _card_drawn(state: State, event: CardDrawn) -> None:
    state.phase = "draw"


def _card_revealed(state: State, event: CardRevealed) -> None:
    _leave_deck(state, event)
    state.drawn = event.card
    state.phase = "place"


def _leave_deck(state: State, event: CardRevealed | BonusDrawn) -> None:
    state.deck[event.card] -= 1
    state.undrawn -= 1
    if event.last_round:
        state.is_last_round = True


def _card_placed(state: State, event: CardPlaced) -> None:
    index = event.row - 1
    row = state.rows[index]
    row.append(event.card)
    bit = 1 << index
    state.filled |= bit
    if len(row) >= state.capacities[index]:
        state.open &= ~bit
    state.drawn = NO_CARD
    state.turn = event.next
    state.phase = "turn"


def _row_taken(state: State, event: RowTaken) -> None:
    index = event.row - 1
    cards = state.tableaus[event.seat - 1].cards
    for card in event.cards:
        cards[card] += 1
    state.rows[index].clear()
    state.holders[index] = state.taker = event.seat
    state.open &= ~(1 << index)
    state.filled &= ~(1 << index)
    state.out |= 1 << event.seat
    state.turn = event.next
    state.phase = "bonus" if event.bonus else "turn" if event.next else "between"


def _bonus_drawn(state: State, event: BonusDrawn) -> None:
    _leave_deck(state, event)
    state.tableaus[event.seat - 1].cards[event.card] += 1
    state.phase = "turn" if state.turn else "between"


def _seat_stranded(state: State, event: SeatStranded) -> None:
    state.out |= 1 << event.seat
    state.turn = event.next
    state.phase = "turn" if event.next else "between"


def _row_removed(state: State, event: RowRemoved) -> None:
    for card in event.cards:
        state.removed[card] += 1
    state.rows[event.row - 1].clear()
    state.filled &= ~(1 << event.row - 1)


def _last_round_ended(state: State, event: LastRoundEnded) -> None:
    state.deciding = list(range(1, state.seats + 1))
    state.open = 0
    state.phase = "final"


def _joker_assigned(state: State, event: JokerAssigned) -> None:
    state.tableaus[event.seat - 1].assigned[event.colour] += 1


def _colours_named(state: State, event: ColoursNamed) -> None:
    state.tableaus[event.seat - 1].plus = event.colours
    state.deciding.remove(event.seat)


def _game_ended(state: State, event: GameEnded) -> None:
    for line in event.scores:
        state.tableaus[line.seat - 1].score += line.applied
    state.standings = event.standings
    state.phase = "over"


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    ColoursRemoved: _colours_removed,
    StartDrawn: _start_drawn,
    StartCardsDealt: _start_cards_dealt,
    StartCardChosen: _start_card_chosen,
    RoundBegun: _round_begun,
    CardDrawn: _card_drawn,
    CardRevealed: _card_revealed,
    CardPlaced: _card_placed,
    RowTaken: _row_taken,
    BonusDrawn: _bonus_drawn,
    SeatStranded: _seat_stranded,
    RowRemoved: _row_removed,
    LastRoundEnded: _last_round_ended,
    JokerAssigned: _joker_assigned,
    ColoursNamed: _colours_named,
    GameEnded: _game_ended,
}
