"""The rules of Coloretto (docs/rules/coloretto.md): what is legal, what chance owes, what every action leads to."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from events.coloretto import (
    BonusDrawn,
    CardDrawn,
    CardPlaced,
    CardRevealed,
    Colour,
    ColoursRemoved,
    RoundBegun,
    RowRemoved,
    RowTaken,
    SeatStranded,
    StartCardChosen,
    StartCardsDealt,
    StartDrawn,
)
from events.core import Actor, Event, Seat, Standing
from projections.coloretto.state import (
    APPLY,
    COLOUR_NAMES,
    COLOURS,
    GOLDEN,
    KINDS,
    REMOVED,
    START_CARDS,
    State,
)
from projections.copying import copied
from projections.words import joined
from service.errors import IllegalAction
from service.games.coloretto.ending import (
    AssignJoker,
    NameColours,
    decide_joker,
    decide_plus,
    end_last_round,
    legal_decisions,
    names,
)
from service.games.core import Action, Outcome, Request, Rules, Stage, check_drawn, ranked
from service.games.first_player import Starting, ask_for_start, first_player
from service.games.options import Choices, Option, Several
from service.games.refusals import Refusals

STARTING: Final = Starting("coloretto", "CO-17", StartDrawn)


def _removable(seats: int) -> Choices:
    return ("random", Several(REMOVED[seats], COLOUR_NAMES, "colour")) if REMOVED[seats] else ("random",)


OPTIONS: Final = (
    Option("scoringSide", "brown", ("brown", "violet"), "the side of the score cards, one for all (CO-8)"),
    Option(
        "removedColours",
        "random",
        _removable,
        "the colours left out, such as green,white (CO-11)",
    ),
    Option("startCards", "random-distinct", ("random-distinct", "choose"), "dealt, or chosen in turn (CO-14)"),
    Option("cardsUnderLastRound", "16", ("16", "15"), "cards under the last-round card (CO-16)"),
    Option("goldenJoker", "true", ("true", "false"), "one joker is golden, or all three are ordinary (CO-D2)"),
    Option("jokerScope", "in-play", ("in-play", "held"), "what a joker may become (CO-69)"),
    Option(
        "twoPlayerStart",
        "all-distinct",
        ("all-distinct", "distinct-per-player"),
        "whether two players' start cards all differ (CO-57)",
    ),
    Option("greenRowCapacities", "1,2,3", ("1,2,3",), "what the three green rows hold (CO-59)"),
    Option("finalDecisions", "player", ("player", "auto-optimal"), "who makes the end decisions (CO-72)"),
    Option("tieBreak", "shared", ("shared",), "what happens to a tie (CO-73)"),
    first_player("CO-17", host_may_choose=False),
)


class ChooseStartCard(Action, frozen=True, gc=False, tag="coloretto.choose_start_card"):
    """Take a card of this colour to start with."""

    colour: Colour


class DrawCard(Action, frozen=True, gc=False, tag="coloretto.draw_card"):
    """Draw the top card; where it goes is decided once it is seen."""


class PlaceCard(Action, frozen=True, gc=False, tag="coloretto.place_card"):
    """Put the card in hand beside a row card."""

    row: int
    """Counted from 1."""


class TakeRow(Action, frozen=True, gc=False, tag="coloretto.take_row"):
    """Take a row with all its cards."""

    row: int


# ---------------------------------------------------------------------------------------------------- what is legal

MOST_ROWS: Final = 5


ROWS: Final = tuple(
    tuple(row for row in range(1, MOST_ROWS + 1) if bits >> row - 1 & 1) for bits in range(1 << MOST_ROWS)
)
"""Every set of rows there can be, by its bits."""
PLACES: Final = tuple(tuple(map(PlaceCard, rows)) for rows in ROWS)
TAKES: Final = tuple(tuple(map(TakeRow, rows)) for rows in ROWS)
DRAWS: Final = tuple((DrawCard(), *takes) for takes in TAKES)
"""Every turn there can be, by the set of rows that accept or hold a card. Actions are values: made once."""


def legal(state: State, seat: Seat) -> Sequence[Action]:
    """Every action open to the seat."""
    phase = state.phase
    if phase == "place":
        return PLACES[state.open] if state.turn == seat else ()
    if phase == "turn":
        if state.turn != seat:
            return ()
        return (DRAWS if state.open and state.undrawn else TAKES)[state.filled]
    if phase == "final" and seat in state.deciding:
        return legal_decisions(state, seat)
    if phase == "cards" and state.options.may_choose_start and state.turn == seat:
        return [ChooseStartCard(colour) for colour in _start_colours(state, seat)]
    return ()


def _start_colours(state: State, seat: Seat) -> list[Colour]:
    """The colours a seat may start with: none it has, and none anybody has unless that was agreed (CO-13, CO-57)."""
    others = [state.tableaus[seat - 1]] if state.options.has_shared_starts else state.tableaus
    return [colour for colour in state.colours if not any(tableau.cards[colour] for tableau in others)]


# ------------------------------------------------------------------------------------------------ what chance owes


def request(state: State) -> Request | None:
    """The colours left out, a starting seat by lot, start cards, or the top card of the deck."""
    phase = state.phase
    if phase in ("turn", "place", "final", "between", "over"):
        return None
    if phase in ("draw", "bonus"):
        purpose = "card" if phase == "draw" else "bonus card"
        return Request(
            f"{purpose} after the last-round card" if _is_last_round_card_on_top(state) else purpose,
            (Stage(tuple(state.deck), 1),),
        )
    if phase == "remove":
        return Request("removed colours", (Stage((1,) * COLOURS, REMOVED[state.seats]),))
    if phase == "start":
        return ask_for_start(state.seats)
    if state.options.may_choose_start:
        return None
    colours = _start_colours(state, state.turn)
    pool = tuple(int(colour in colours) for colour in range(COLOURS))
    return Request(f"start cards of seat {state.turn}", (Stage(pool, START_CARDS[state.seats]),))


def _is_last_round_card_on_top(state: State) -> bool:
    return state.undrawn == state.under and not state.is_last_round


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action) -> list[Event]:
    """The events of an action, or IllegalAction with the rule that forbids it."""
    seat = _REFUSALS.acting_seat(state, actor, action)
    if type(action) is Outcome:
        return _decide_chance(state, action)
    decide_action = _DECIDE.get(type(action))
    if decide_action is None:
        raise _REFUSALS.unknown_action(action)
    return decide_action(state, seat, action)


_REFUSALS: Final = Refusals(
    "coloretto", "an action of Coloretto", over="CO-54", seat="CO-19", action="CO-19", turn="CO-19", chance="CO-84"
)


# Setup and chance


def _decide_start_card(state: State, seat: Seat, action: ChooseStartCard) -> list[Event]:
    if state.phase != "cards" or not state.options.may_choose_start:
        raise IllegalAction("coloretto/phase", "CO-14", "Start cards are not to be chosen now.")
    if state.turn != seat:
        raise IllegalAction("coloretto/turn", "CO-14", f"Seat {state.turn} chooses a start card now, not seat {seat}.")
    colour = action.colour
    open_ = _start_colours(state, seat)
    if colour not in open_:
        name = COLOUR_NAMES[colour] if 0 <= colour < COLOURS else f"colour {colour}"
        rule = "CO-57" if state.seats == 2 else "CO-13"
        raise IllegalAction(
            "coloretto/start-colour", rule, f"{name} cannot be chosen; choose from: {names(open_)}.".capitalize()
        )
    own = sum(state.tableaus[seat - 1].cards) + 1
    next_ = seat if own < START_CARDS[state.seats] else _next_to_start(state, seat)
    return [StartCardChosen(seat=seat, colour=colour, next=next_), *_first_round(state, next_)]


def _next_to_start(state: State, seat: Seat) -> Seat:
    """Who gets start cards after this seat; 0 when the round came back to the starter."""
    following = seat % state.seats + 1
    return 0 if following == state.starter else following


def _first_round(state: State, next_: Seat) -> list[Event]:
    return [] if next_ else [RoundBegun(round=1, starter=state.starter)]


def _decide_chance(state: State, outcome: Outcome) -> list[Event]:
    phase = state.phase
    if phase == "start":
        return STARTING.draw(state.seats, request(state), outcome)
    if phase == "remove":
        check_drawn(request(state), outcome, "coloretto/removed", "CO-11", COLOUR_NAMES)
        return [ColoursRemoved(colours=outcome.drawn)]
    if phase == "cards":
        check_drawn(request(state), outcome, "coloretto/start-cards", "CO-13", COLOUR_NAMES)
        next_ = _next_to_start(state, state.turn)
        dealt = StartCardsDealt(seat=state.turn, colours=outcome.drawn, next=next_)
        return [dealt, *_first_round(state, next_)]
    drawn, is_last = outcome.drawn, _is_last_round_card_on_top(state)
    is_asked = phase in ("draw", "bonus")
    if not is_asked or len(drawn) != 1 or not 0 <= drawn[0] < len(KINDS) or not state.deck[drawn[0]]:
        # The request says what is wrong; to find that nothing is, one card is looked up in a tenth of its time.
        check_drawn(request(state), outcome, "coloretto/card", "CO-40" if phase == "bonus" else "CO-21", KINDS)
    if phase == "draw":
        return [CardRevealed(seat=state.turn, card=drawn[0], last_round=is_last)]
    bonus = BonusDrawn(seat=state.taker, card=drawn[0], last_round=is_last)
    return _followed(state, bonus, state.turn, state.filled, state.is_last_round or is_last)


# Turns


def _check_turn(state: State, seat: Seat) -> None:
    phase = state.phase
    if phase == "draw":
        raise IllegalAction("coloretto/reveal", "CO-21", f"Seat {state.turn} has drawn; the card is shown first.")
    if phase == "bonus":
        raise IllegalAction(
            "coloretto/bonus",
            "CO-42",
            f"The golden joker's bonus card comes first; seat {state.taker} cannot decline it.",
        )
    if phase == "final":
        raise IllegalAction("coloretto/last-round-over", "CO-46", "The last round is over; no card moves any more.")
    if phase not in ("turn", "place"):
        raise IllegalAction("coloretto/setup", "CO-13", "The table is still being set up.")
    if state.turn != seat:
        if state.out >> seat & 1:
            raise IllegalAction("coloretto/out", "CO-30", f"Seat {seat} is out until round {state.round} ends.")
        raise _REFUSALS.not_on_turn(seat, (state.turn,))


def _decide_draw(state: State, seat: Seat, action: DrawCard) -> list[Event]:
    if state.phase != "turn" or state.turn != seat:
        _check_turn(state, seat)
        raise IllegalAction(
            "coloretto/card-in-hand",
            "CO-19",
            f"Seat {seat} has drawn {KINDS[state.drawn]}; one card a turn, and it goes to a row.",
        )
    if not state.open:
        raise IllegalAction(
            "coloretto/rows-full", "CO-26", f"Every row is full; take one of {_list(ROWS[state.filled])}."
        )
    if not state.undrawn:
        raise IllegalAction("coloretto/deck-empty", "CO-68", f"The deck is empty; take {_list(ROWS[state.filled])}.")
    return [CardDrawn(seat=seat)]


def _decide_place(state: State, seat: Seat, action: PlaceCard) -> list[Event]:
    row = action.row
    if state.phase != "place" or state.turn != seat:
        _check_turn(state, seat)
        raise IllegalAction("coloretto/no-card", "CO-21", f"Seat {seat} has no card in hand; draw one first.")
    if row < 1 or not state.open >> row - 1 & 1:
        _check_centre(state, row)
        green = state.seats == 2
        raise IllegalAction(
            "coloretto/row-full",
            "CO-59" if green else "CO-25",
            f"{'Green row' if green else 'Row'} {row} is full with {state.capacities[row - 1]}; "
            f"choose from: {_list(ROWS[state.open])}.",
        )
    return [CardPlaced(seat=seat, row=row, card=state.drawn, next=_next(state, seat, state.out))]


def _decide_take(state: State, seat: Seat, action: TakeRow) -> list[Event]:
    row = action.row
    if state.phase != "turn" or state.turn != seat:
        _check_turn(state, seat)
        raise IllegalAction(
            "coloretto/card-in-hand",
            "CO-23",
            f"Seat {seat} has drawn {KINDS[state.drawn]} and must place it; choose from: {_list(ROWS[state.open])}.",
        )
    if row < 1 or not state.filled >> row - 1 & 1:
        _check_centre(state, row)
        choices = f"choose from: {_list(ROWS[state.filled])}" if state.filled else "draw a card"
        raise IllegalAction("coloretto/row-empty", "CO-28", f"Row {row} holds no card; {choices}.")
    cards = tuple(state.rows[row - 1])
    next_ = _next(state, seat, state.out | 1 << seat)
    bonus = GOLDEN in cards and state.undrawn > 0  # CO-67: nothing to draw, no bonus
    taken = RowTaken(seat=seat, row=row, cards=cards, next=next_, bonus=bonus)
    return [taken] if bonus else _followed(state, taken, next_, state.filled & ~(1 << row - 1), state.is_last_round)


def _check_centre(state: State, row: int) -> None:
    if not 1 <= row <= len(state.rows):
        centre = [index for index, holder in enumerate(state.holders, start=1) if not holder]
        raise IllegalAction(
            "coloretto/row", "CO-31", f"There is no row {row} in the centre; choose from: {_list(centre)}."
        )
    holder = state.holders[row - 1]
    if holder:
        raise IllegalAction("coloretto/row-taken", "CO-31", f"Row {row} is not in the centre: seat {holder} took it.")


def _next(state: State, seat: Seat, out: int) -> Seat:
    """The next seat to the left that is not out, which may be this one again (CO-20, CO-32); 0 when all are out."""
    seats = state.seats
    for step in range(seat, seat + seats):
        following = step % seats + 1
        if not out >> following & 1:
            return following
    return 0


# --------------------------------------------------------------------------- the end of a round and of the game


def _followed(state: State, event: RowTaken | BonusDrawn, turn: Seat, filled: int, is_last_round: bool) -> list[Event]:
    """A take that is complete, with all that follows from it without a choice: told how it leaves the table."""
    cards = state.undrawn - isinstance(event, BonusDrawn)
    if turn and (filled or cards):
        return [event]
    stranded = _strand(state, turn, state.out | 1 << event.seat)
    # Only two players leave a row behind (CO-60).
    removed = [RowRemoved(row=row, cards=tuple(state.rows[row - 1])) for row in ROWS[filled]]
    if not is_last_round:
        return [event, *stranded, *removed, RoundBegun(round=state.round + 1, starter=event.seat)]
    after = copied(state)
    APPLY[type(event)](after, event)
    return [event, *stranded, *removed, *end_last_round(after)]


def _strand(state: State, turn: Seat, out: int) -> Iterator[Event]:
    """Everybody who can neither draw nor take is put out, from the seat on turn on (CO-68)."""
    while turn:
        out |= 1 << turn
        following = _next(state, turn, out)
        yield SeatStranded(seat=turn, next=following)
        turn = following


def _list(rows: Sequence[int]) -> str:
    return f"row{'s' * (len(rows) != 1)} {joined(list(map(str, rows)))}"


_DECIDE: Final[dict[type[Action], Callable[[State, Seat, Any], list[Event]]]] = {
    ChooseStartCard: _decide_start_card,
    DrawCard: _decide_draw,
    PlaceCard: _decide_place,
    TakeRow: _decide_take,
    AssignJoker: decide_joker,
    NameColours: decide_plus,
}


def rank(state: State) -> tuple[Standing, ...]:
    """The standings if play stopped now: nothing is scored before the end, so everybody is level until then."""
    return ranked([tableau.score for tableau in state.tableaus], [0] * state.seats)


RULES: Final = Rules(
    ruleset="coloretto/1",
    seats=range(2, 6),
    options=OPTIONS,
    actions=tuple(_DECIDE),
    legal=legal,
    request=request,
    decide=decide,
    rank=rank,
)
