"""The end of Coloretto: jokers get their colours, three colours count plus, and everything is scored at once."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from events.coloretto import Colour, ColoursNamed, GameEnded, JokerAssigned, LastRoundEnded
from events.core import Event, ScoreLine, Seat
from projections.coloretto.state import APPLY, COLOUR_NAMES, COLOURS, PLUS_TWO, State, Tableau, jokers_left
from projections.coloretto.worth import PLUS_COLOURS, optimum, points
from projections.copying import copied
from projections.words import joined
from service.errors import IllegalAction
from service.games.core import Action, ranked


class AssignJoker(Action, frozen=True, gc=False, tag="coloretto.assign_joker"):
    """Give one of the own jokers its colour, after the last round."""

    colour: Colour


class NameColours(Action, frozen=True, gc=False, tag="coloretto.name_colours"):
    """Name the three colours that count plus."""

    colours: tuple[Colour, ...]
    """In ascending order, so that there is one way to say it."""


def legal_decisions(state: State, seat: Seat) -> list[Action]:
    """Every end decision open to a seat that has one left: jokers first, then the plus colours (CO-70)."""
    tableau = state.tableaus[seat - 1]
    if jokers_left(tableau):
        return [AssignJoker(colour) for colour in scope(state, tableau)]
    return [NameColours(colours) for colours in combinations(held(tableau), PLUS_COLOURS)]


def held(tableau: Tableau) -> list[Colour]:
    """The colours a seat holds, coloured jokers included (CO-48)."""
    return [colour for colour in range(COLOURS) if tableau.cards[colour] or tableau.assigned[colour]]


def scope(state: State, tableau: Tableau) -> Sequence[Colour]:
    """What a joker of this tableau may become: any colour in the game, or only one the seat holds (CO-69)."""
    return (held(tableau) or state.colours) if state.options.is_scope_held else state.colours


def names(colours: Sequence[Colour]) -> str:
    """Colours in words."""
    return joined([COLOUR_NAMES[colour] for colour in colours])


# ------------------------------------------------------------------------------------------------------ decisions


def _check_deciding(state: State, seat: Seat, rule: str, what: str) -> None:
    if state.phase != "final":
        raise IllegalAction("coloretto/too-early", rule, f"{what} only after the last round.")
    if seat not in state.deciding:
        raise IllegalAction("coloretto/decided", "CO-47", f"Seat {seat} has made all its decisions.")


def decide_joker(state: State, seat: Seat, action: AssignJoker) -> list[Event]:
    """A joker gets its colour; the last one settles the plus colours too where they are no choice."""
    _check_deciding(state, seat, "CO-38", "A joker gets its colour")
    tableau, colour = state.tableaus[seat - 1], action.colour
    if not jokers_left(tableau):
        raise IllegalAction("coloretto/no-joker", "CO-47", f"Seat {seat} has no joker without a colour.")
    choices = scope(state, tableau)
    if not 0 <= colour < COLOURS:
        raise IllegalAction("coloretto/colour", "CO-3", f"There is no colour {colour}; choose from: {names(choices)}.")
    if colour not in choices:
        code = "coloretto/colour-not-held" if colour in state.colours else "coloretto/colour-removed"
        why = f"seat {seat} holds none" if colour in state.colours else "it is not in this game"
        raise IllegalAction(
            code, "CO-69", f"A joker cannot become {COLOUR_NAMES[colour]}, {why}; choose from: {names(choices)}."
        )
    return _decided(state, JokerAssigned(seat=seat, colour=colour))


def decide_plus(state: State, seat: Seat, action: NameColours) -> list[Event]:
    """The plus colours are named; the last seat to decide ends the game."""
    _check_deciding(state, seat, "CO-50", "Plus colours are named")
    tableau, colours = state.tableaus[seat - 1], action.colours
    if left := jokers_left(tableau):
        raise IllegalAction("coloretto/joker-left", "CO-70", f"{left} of seat {seat}'s jokers must get a colour first.")
    choices = held(tableau)
    for colour in colours:
        if colour not in choices:
            name = COLOUR_NAMES[colour] if 0 <= colour < COLOURS else f"colour {colour}"
            raise IllegalAction(
                "coloretto/plus-not-held", "CO-50", f"Seat {seat} holds no {name}; choose from: {names(choices)}."
            )
    if len(colours) != PLUS_COLOURS:
        raise IllegalAction(
            "coloretto/plus-count",
            "CO-71",
            f"{len(colours)} colours were named; {PLUS_COLOURS} count plus, of: {names(choices)}.",
        )
    if list(colours) != sorted(set(colours)):
        raise IllegalAction(
            "coloretto/plus-order", "CO-50", f"{names(colours)}: name each colour once, in the order {names(choices)}."
        )
    return _decided(state, ColoursNamed(seat=seat, colours=colours))


def _decided(state: State, event: JokerAssigned | ColoursNamed) -> list[Event]:
    after = copied(state)
    APPLY[type(event)](after, event)
    follows = settle(after, event.seat) if isinstance(event, JokerAssigned) else ()
    return [event, *follows, *end_game(after)]


# ------------------------------------------------------------------------------------------------------- scoring


def end_last_round(state: State) -> Iterator[Event]:
    """The end of the last round, and all that follows from it without a choice; `state` moves along."""
    yield _applied(state, LastRoundEnded())
    for seat in range(1, state.seats + 1):
        yield from settle(state, seat)
    yield from end_game(state)


def settle(state: State, seat: Seat) -> Iterator[Event]:
    """The end decisions of a seat that are no choice, or are made for it (CO-50, CO-72); `state` moves along."""
    tableau = state.tableaus[seat - 1]
    if state.options.is_auto_optimal:
        best = optimum(state, tableau)
        for colour in best.jokers:
            yield _applied(state, JokerAssigned(seat=seat, colour=colour))
        yield _applied(state, ColoursNamed(seat=seat, colours=best.plus))
    elif not jokers_left(tableau) and len(held(tableau)) <= PLUS_COLOURS:
        yield _applied(state, ColoursNamed(seat=seat, colours=tuple(held(tableau))))


def _applied(state: State, event: Event) -> Event:
    APPLY[type(event)](state, event)
    return event


def end_game(state: State) -> Iterator[Event]:
    """The scores and the result, once nobody has a decision left."""
    if state.deciding:
        return
    lines = tuple(
        line for seat in range(1, state.seats + 1) for line in score_lines(state, seat, state.tableaus[seat - 1])
    )
    totals = [0] * state.seats
    for line in lines:
        totals[line.seat - 1] += line.applied
    yield GameEnded(scores=lines, standings=ranked(totals, [0] * state.seats))  # CO-73: a tie is shared


def score_lines(state: State, seat: Seat, tableau: Tableau) -> Iterator[ScoreLine]:
    """The points of one tableau: every colour held, plus or minus, and every "+2" card (CO-50…CO-52)."""
    for colour in held(tableau):
        jokers = tableau.assigned[colour]
        cards = tableau.cards[colour] + jokers
        is_plus = colour in tableau.plus
        value = points(state.options, cards) if is_plus else -points(state.options, cards)
        yield ScoreLine(
            seat=seat,
            rule="CO-50" if is_plus else "CO-51",
            reason="colour-plus" if is_plus else "colour-minus",
            requested=value,
            applied=value,
            operands={"colour": colour, "cards": cards, "jokers": jokers},
        )
    twos = tableau.cards[PLUS_TWO]
    for card in range(1, twos + 1):
        yield ScoreLine(seat, "CO-52", "plus-two", 2, 2, {"card": card, "of": twos})
