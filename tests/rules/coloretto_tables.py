"""Coloretto tables laid out by hand, in the letters of the notation: G Y R B O P W, +2, J and J* (golden joker)."""

import re
from collections.abc import Sequence

from events.core import CHANCE, Event
from projections.coloretto.state import KINDS, LETTERS, State
from service.games.coloretto import COLORETTO
from service.games.coloretto.notation import read
from service.games.core import Outcome, Request
from tests.scenario import Scenario, given

GREEN, YELLOW, RED, BLUE, ORANGE, PURPLE, WHITE, PLUS_TWO, JOKER, GOLDEN = range(10)
EVA = "GGGGGG YYYY RRR BB J +2"
"""The tableau of the rulebook's example (CO-EX-1)."""
REMOVED = {2: "purple,white", 3: "white", 4: "random", 5: "random"}


def kinds(letters: str) -> list[int]:
    """`"GJ*+2"` as kinds of cards."""
    return [LETTERS.index(letter) for letter in re.findall(r"\+2|J\*|[A-Z]", letters)]


def counts(letters: str) -> list[int]:
    """`"GGR"` as cards by kind."""
    return [kinds(letters).count(kind) for kind in range(len(KINDS))]


def table(
    seats: int = 4,
    *,
    rows: Sequence[str] = (),
    taken: dict[int, int] | None = None,
    turn: int = 1,
    tableaus: Sequence[str] = (),
    deck: str | None = None,
    above: int | None = None,
    is_last_round: bool = False,
    hand: str = "",
    **options: str,
) -> Scenario:
    """A table in the middle of round 3. `taken` says which seat took which row; with `above` 0 the last-round card
    is the next to come up. What a test does not name is as after the setup."""
    scenario = given(COLORETTO, seats, **{"firstPlayer": "seat:1", "removedColours": REMOVED[seats], **options})

    def arrange(state: State) -> None:
        state.round, state.turn, state.starter = 3, turn, 1
        for index, letters in enumerate(rows):
            state.rows[index] = kinds(letters)
        for row, seat in (taken or {}).items():
            state.holders[row - 1] = state.taker = seat
            state.out |= 1 << seat
        for index, (cards, size) in enumerate(zip(state.rows, state.capacities, strict=True)):
            state.open |= (len(cards) < size and not state.holders[index]) << index
            state.filled |= bool(cards) << index
        for seat, letters in enumerate(tableaus):
            state.tableaus[seat].cards = counts(letters)
        if deck is not None:
            state.deck = counts(deck)
        on_top = state.above if above is None and not is_last_round else above or 0
        state.undrawn = sum(state.deck)
        state.under = state.undrawn - on_top
        state.is_last_round = is_last_round
        state.phase = "place" if hand else "turn"
        if hand:
            state.drawn = kinds(hand)[0]

    return scenario.with_(arrange)


def request_of(scenario: Scenario) -> Request:
    """What chance owes the table, which it must."""
    request = COLORETTO.rules.request(scenario.state)
    assert request is not None
    return request


def play(scenario: Scenario, moves: str) -> Scenario:
    """Moves by whoever is on turn, in notation; after a colon what chance turned over: `D:G P1 T1 T2:+2`."""
    return history(scenario, moves)[0]


def history(scenario: Scenario, moves: str) -> tuple[Scenario, list[Event]]:
    """The scenario after these moves and every event on the way, the cards counted after each."""
    events: list[Event] = []
    whole = COLORETTO.projection.invariants(scenario.state)
    for move in moves.split():
        text, _, card = move.partition(":")
        happened = scenario.when(scenario.state.turn, read(text))
        events += happened.events
        scenario = happened.after
        if card:
            happened = scenario.when(CHANCE, Outcome(tuple(kinds(card))))
            events += happened.events
            scenario = happened.after
        assert COLORETTO.projection.invariants(scenario.state) == whole, move
    return scenario, events


def set_up(seats: int, **options: str) -> Scenario:
    """A real game before its first turn; seat 1 starts, cards are dealt in the order of the colours."""
    scenario = given(COLORETTO, seats, **{"firstPlayer": "seat:1", "removedColours": REMOVED[seats], **options})
    while (request := COLORETTO.rules.request(scenario.state)) is not None:
        pool = [kind for kind, count in enumerate(request.stages[0].adds) if count]
        scenario = scenario.when(CHANCE, Outcome(tuple(pool[: request.stages[0].draws]))).after
    return scenario


def plenty(state: State) -> str:
    """A card there is plenty of, to draw where it does not matter which."""
    return LETTERS[max(range(GOLDEN), key=lambda kind: state.deck[kind])]


def short_round(scenario: Scenario, cards: Sequence[int]) -> Scenario:
    """A round in which row n gets so many plain cards and is then taken; three seats or more."""
    for row, size in enumerate(cards, start=1):
        for _ in range(size):
            scenario = play(scenario, f"D:{plenty(scenario.state)} P{row}")
    return play(scenario, " ".join(f"T{row}" for row in range(1, len(cards) + 1)))


def ended(tableaus: Sequence[str], **options: str) -> Scenario:
    """A table right after the last round: the last seat took the last row, a single "+2"."""
    seats = len(tableaus)
    last = table(
        seats,
        rows=["" for _ in range(seats - 1)] + ["+2"],
        taken={seat: seat for seat in range(1, seats)},
        turn=seats,
        tableaus=tableaus,
        is_last_round=True,
        **options,  # type: ignore[arg-type]  # all of them are words
    )
    return last.when(seats, read(f"T{seats}")).after
