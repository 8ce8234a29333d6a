"""Coloretto when the deck runs low: exactly zero, no bonus card, nothing to draw; and rare branches in real play."""

from collections.abc import Sequence

import pytest

from events.coloretto import (
    BonusDrawn,
    CardRevealed,
    ColoursNamed,
    GameEnded,
    LastRoundEnded,
    RowRemoved,
    RowTaken,
    SeatStranded,
)
from events.core import CHANCE, Event, ScoreLine, Standing
from projections.coloretto.state import State
from service.games.coloretto import COLORETTO
from service.games.coloretto.rules import DrawCard, TakeRow, legal
from service.games.core import Outcome
from service.play.simulate import make_plan, playout
from tests.rules.coloretto_tables import (
    BLUE,
    GOLDEN,
    GREEN,
    RED,
    YELLOW,
    history,
    play,
    plenty,
    set_up,
    short_round,
    table,
)
from tests.scenario import Scenario
from tests.shelf import Shape, turns


def fill(scenario: Scenario, rows: Sequence[int], last: str = "") -> Scenario:
    """Plain cards into these rows, one each, the last one as told."""
    for number, row in enumerate(rows):
        card = last if last and number == len(rows) - 1 else plenty(scenario.state)
        scenario = play(scenario, f"D:{card} P{row}")
    return scenario


EVERY_SPACE = [row for row in range(1, 6) for _ in range(3)]


def test_co_t_16_the_deck_reaches_exactly_zero() -> None:
    """CO-66, played from the setup on: 55 cards in eleven rounds, then fifteen spaces and a bonus card."""
    scenario = set_up(5)
    for _ in range(11):
        scenario = short_round(scenario, [1] * 5)
    assert (scenario.state.above, scenario.state.below, scenario.state.is_last_round) == (0, 16, False)
    scenario = fill(scenario, EVERY_SPACE, last="J*")
    assert scenario.state.is_last_round
    assert scenario.state.below == 1
    after = play(scenario, f"T5:{plenty(scenario.state)}")
    assert sum(after.state.deck) == after.state.above + after.state.below == 0
    assert after.state.turn
    after, events = history(after, "T1 T2 T3 T4")
    assert LastRoundEnded() in events
    assert SeatStranded not in map(type, events)


def fifteen_below() -> Scenario:
    """Five players, 15 cards under the last-round card, which is the next to come up in an empty round."""
    scenario = set_up(5, cardsUnderLastRound="15")
    for cards in [[1] * 5] * 10 + [[2, 1, 1, 1, 1]]:
        scenario = short_round(scenario, cards)
    assert (scenario.state.above, scenario.state.below, scenario.state.is_last_round) == (0, 15, False)
    return scenario


def test_co_t_17_no_bonus_card_from_an_empty_deck() -> None:
    """CO-67."""
    scenario = fill(fifteen_below(), EVERY_SPACE, last="J*")
    assert sum(scenario.state.deck) == 0
    seat = scenario.state.turn
    taken = scenario.when(seat, TakeRow(5)).events
    assert taken == [
        RowTaken(seat=seat, row=5, cards=tuple(scenario.state.rows[4]), next=seat % 5 + 1, bonus=False),
    ]
    assert GOLDEN in scenario.state.rows[4]
    _, events = history(scenario, "T5 T1 T2 T3 T4")
    assert LastRoundEnded() in events


def test_co_68_an_empty_deck_leaves_only_taking() -> None:
    """Played from the setup on: the bonus card takes the place of the card the last space would need."""
    scenario = play(fill(fifteen_below(), [1, 1, 1], last="J*"), "T1:Y")
    scenario = fill(scenario, [2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5])
    state = scenario.state
    assert sum(state.deck) == 0
    assert state.open == 0b10000, "row 5 still has a space"
    scenario.refuses(state.turn, DrawCard(), "coloretto/deck-empty", "CO-68")
    assert legal(state, state.turn) == tuple(TakeRow(row) for row in (2, 3, 4, 5))
    _, events = history(scenario, "T2 T3 T4 T5")
    assert LastRoundEnded() in events


class TestStranded:
    """CO-68: with no card to draw and none to take, a seat is out without cards. No option leads there by itself."""

    def test_by_the_last_row_with_cards(self) -> None:
        scenario = table(3, rows=["GR"], turn=2, deck="", is_last_round=True, tableaus=["Y", "Y", "B"])
        scenario.when(2, TakeRow(1)).then(
            RowTaken(seat=2, row=1, cards=(GREEN, RED), next=3),
            SeatStranded(seat=3, next=1),
            SeatStranded(seat=1, next=0),
            LastRoundEnded(),
            ColoursNamed(seat=1, colours=(YELLOW,)),
            ColoursNamed(seat=2, colours=(GREEN, YELLOW, RED)),
            ColoursNamed(seat=3, colours=(BLUE,)),
            GameEnded(
                scores=(
                    ScoreLine(1, "CO-50", "colour-plus", 1, 1, {"colour": YELLOW, "cards": 1, "jokers": 0}),
                    ScoreLine(2, "CO-50", "colour-plus", 1, 1, {"colour": GREEN, "cards": 1, "jokers": 0}),
                    ScoreLine(2, "CO-50", "colour-plus", 1, 1, {"colour": YELLOW, "cards": 1, "jokers": 0}),
                    ScoreLine(2, "CO-50", "colour-plus", 1, 1, {"colour": RED, "cards": 1, "jokers": 0}),
                    ScoreLine(3, "CO-50", "colour-plus", 1, 1, {"colour": BLUE, "cards": 1, "jokers": 0}),
                ),
                standings=(
                    Standing(seat=2, rank=1, score=3),
                    Standing(seat=1, rank=2, score=1),
                    Standing(seat=3, rank=2, score=1),
                ),
            ),
        )

    def test_by_the_bonus_card_that_was_the_last(self) -> None:
        scenario = table(3, rows=["J*", "", ""], taken={3: 3}, turn=1, deck="G", is_last_round=True)
        events = scenario.when(1, TakeRow(1)).after.when(CHANCE, Outcome((GREEN,))).events
        assert events[:3] == [BonusDrawn(seat=1, card=GREEN), SeatStranded(seat=2, next=0), LastRoundEnded()]

    def test_not_while_a_row_holds_a_card(self) -> None:
        scenario = table(3, rows=["GR", "B"], turn=2, deck="", is_last_round=True)
        scenario.when(2, TakeRow(1)).then(RowTaken(seat=2, row=1, cards=(GREEN, RED), next=3))


# ------------------------------------------------------------------------------------------ rare branches in real play


def _reached(seats: int, seed: int) -> list[list[Event]]:
    return [turn.events for turn in turns(Shape(COLORETTO, seats, {}), seed)]


@pytest.mark.parametrize("seats, seed", [(2, 78), (3, 26), (4, 30), (5, 30)])
def test_co_64_happens_in_real_play(seats: int, seed: int) -> None:
    bonuses = [e for events in _reached(seats, seed) for e in events if isinstance(e, BonusDrawn)]
    assert [bonus.last_round for bonus in bonuses] == [True]


@pytest.mark.parametrize("seats, seed", [(2, 339), (3, 310), (4, 12), (5, 458)])
def test_co_65_happens_in_real_play(seats: int, seed: int) -> None:
    ending = next(events for events in _reached(seats, seed) if LastRoundEnded() in events)
    assert isinstance(ending[0], BonusDrawn)
    assert ending[0].last_round


def test_co_61_happens_in_real_play() -> None:
    removed = [e.cards for events in _reached(2, 2) for e in events if isinstance(e, RowRemoved)]
    assert any(GOLDEN in cards for cards in removed)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_co_26_and_76_happen_in_real_play(seats: int) -> None:
    full = [
        (turn.state.out.bit_count(), turn.action)
        for turn in turns(Shape(COLORETTO, seats, {}), 5 if seats != 5 else 1)
        if _is_full(turn.state)
    ]
    assert full
    assert all(isinstance(action, TakeRow) for _, action in full)
    assert any(out == seats - 1 for out, _ in full), "a lone player is among them"


def _is_full(state: State) -> bool:
    return state.phase == "turn" and not state.open


@pytest.mark.parametrize("seats, most", [(5, 16), (4, 13), (3, 10), (2, 7)])
def test_co_66_the_deck_never_falls_short(seats: int, most: int) -> None:
    """After the last-round card at most every space and one bonus card are drawn."""
    plan = make_plan("coloretto", seats, {}, ["random"], 0)
    for seed in range(40):
        played = playout(COLORETTO, plan, seed)
        events = [event for step in played.steps for _, event in step]
        seen = [e for e in events if isinstance(e, CardRevealed | BonusDrawn)]
        last = next(index for index, event in enumerate(seen) if event.last_round)
        assert len(seen) - last <= most
        assert SeatStranded not in map(type, events)
