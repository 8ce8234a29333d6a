"""Pebbles by its rulebook (tests/pebbles/rulebook.md), rule by rule, each example under the id of its rule."""

import pytest

from events.core import CHANCE, Actor, ScoreLine, Standing
from service.errors import UsageError
from service.games.core import Action, Outcome
from service.games.options import read_options
from tests.pebbles import PEBBLES
from tests.pebbles.events import DiceChosen, DiceThrown, GameEnded, HandSpilled, PebblesKept
from tests.pebbles.projection.state import State
from tests.pebbles.rules import RULES, KeepPebbles, ThrowDice, legal
from tests.scenario import Scenario, given


def table(*, bowl: int, hand: tuple[int, ...] = (), turn: int = 1, dice: int = 0, scores: str = "0 0 0") -> Scenario:
    """A table of three in the middle of play: what each seat has kept so far is its score."""

    def arrange(state: State) -> None:
        state.bowl, state.hand, state.turn, state.dice = bowl, hand, turn, dice
        state.scores = [int(word) for word in scores.split()]
        state.piles = state.scores[:]
        state.hauls = state.scores[:]

    return given(PEBBLES, 3).with_(arrange)


def thrown(*faces: int) -> Outcome:
    """What chance answers when the dice show these faces."""
    return Outcome(tuple(face - 1 for face in faces))


@pytest.mark.parametrize("seats", [0, 1, 2, 6])
def test_pe_1_three_to_five_seats(seats: int) -> None:
    with pytest.raises(UsageError, match=r"choose from: 3, 4, 5"):
        read_options(RULES, {}, seats)


@pytest.mark.parametrize("seats, bowls", [(3, "30"), (4, "30, 40"), (5, "30, 40, 50")])
def test_pe_2_a_larger_bowl_is_for_a_larger_table(seats: int, bowls: str) -> None:
    for bowl in bowls.split(", "):
        assert given(PEBBLES, seats, bowl=bowl).state.bowl == int(bowl)
    with pytest.raises(UsageError) as refusal:
        read_options(RULES, {"bowl": "60"}, seats)
    assert refusal.value.message == f"'60' is not a value of bowl at {seats} seats; choose from: {bowls}."


def test_pe_3_seat_1_begins_and_the_turn_goes_round() -> None:
    turns = []
    scenario = given(PEBBLES, 4)
    for _ in range(5):
        turns.append(scenario.state.turn)
        scenario = scenario.when(turns[-1], ThrowDice(1)).after.when(CHANCE, thrown(1)).after
    assert turns == [1, 2, 3, 4, 1]


@pytest.mark.parametrize("most", [2, 3])
def test_pe_4_one_die_or_as_many_as_were_agreed(most: int) -> None:
    start = given(PEBBLES, 3, dice=str(most))
    assert legal(start.state, 1) == [ThrowDice(dice) for dice in range(1, most + 1)]
    start.when(1, ThrowDice(most)).then(DiceChosen(seat=1, dice=most))
    start.refuses(1, ThrowDice(most + 1), "pebbles/dice", "PE-4").refuses(1, ThrowDice(0), "pebbles/dice", "PE-4")


class TestThrows:
    """PE-5 to PE-7: what the dice bring, and what a 1 does."""

    @pytest.mark.parametrize(
        "bowl, faces, taken",
        [pytest.param(30, (6,), 6, id="one die"), pytest.param(30, (2, 2, 2), 6, id="the same face three times")],
    )
    def test_pe_5_pebbles_are_taken(self, bowl: int, faces: tuple[int, ...], taken: int) -> None:
        after = (
            table(bowl=bowl, hand=(4,), dice=len(faces))
            .when(CHANCE, thrown(*faces))
            .then(DiceThrown(seat=1, faces=faces, taken=taken))
        )
        assert (after.state.bowl, after.state.hand, after.state.turn) == (bowl - taken, (4, taken), 1)
        assert KeepPebbles() in legal(after.state, 1)

    def test_pe_6_a_one_spills_the_hand(self) -> None:
        after = (
            table(bowl=17, hand=(4, 9), dice=2, scores="0 6 0")
            .when(CHANCE, thrown(5, 1))
            .then(DiceThrown(seat=1, faces=(5, 1)), HandSpilled(seat=1, pebbles=13, next=2))
        )
        assert (after.state.bowl, after.state.hand, after.state.turn) == (30, (), 2)
        assert after.state.scores == [0, 6, 0]

    @pytest.mark.parametrize("score, lost", [(9, 4), (4, 4), (3, 3), (0, 0)])
    def test_pe_7_nothing_but_ones_costs_points(self, score: int, lost: int) -> None:
        line = ScoreLine(1, "PE-7", "only-ones", -4, -lost, {"dice": 2})
        after = (
            table(bowl=20, hand=(8,), dice=2, scores=f"{score} 0 0")
            .when(CHANCE, thrown(1, 1))
            .then(DiceThrown(seat=1, faces=(1, 1)), HandSpilled(seat=1, pebbles=8, next=2, scores=(line,)))
        )
        assert after.state.scores == [score - lost, 0, 0]
        assert after.state.piles == [score, 0, 0], "pebbles stay where they are"

    def test_pe_7_a_single_die_is_not_enough(self) -> None:
        spilled = table(bowl=20, dice=1, scores="9 0 0").when(CHANCE, thrown(1)).only(HandSpilled)[0]
        assert spilled.scores == ()

    @pytest.mark.parametrize(
        "actor, outcome, code",
        [
            pytest.param(CHANCE, thrown(6), "pebbles/throw-count", id="too few dice"),
            pytest.param(CHANCE, thrown(6, 7), "pebbles/throw-pool", id="no such face"),
            pytest.param(2, thrown(6, 6), "pebbles/actor", id="said by a player"),
        ],
    )
    def test_pe_5_what_dice_cannot_show(self, actor: Actor, outcome: Outcome, code: str) -> None:
        table(bowl=30, dice=2).refuses(actor, outcome, code, "PE-5")
        table(bowl=30).refuses(CHANCE, thrown(6), "pebbles/throw-unasked", "PE-5")


class TestKeeping:
    """PE-8 to PE-12: points, the end, and who has won."""

    def test_pe_8_every_pebble_is_a_point(self) -> None:
        line = ScoreLine(2, "PE-8", "kept", 13, 13, {"throw 1": 4, "throw 2": 9})
        after = (
            table(bowl=11, hand=(4, 9), turn=2, scores="6 0 0")
            .when(2, KeepPebbles())
            .then(PebblesKept(seat=2, pebbles=13, next=3, scores=(line,)))
        )
        assert (after.state.scores, after.state.hauls, after.state.keeps) == ([6, 13, 0], [6, 13, 0], [0, 1, 0])

    def test_pe_9_and_10_an_empty_bowl_ends_the_game(self) -> None:
        kept = ScoreLine(3, "PE-8", "kept", 10, 10, {"throw 1": 6, "throw 2": 4})
        haul = [ScoreLine(seat, "PE-10", "largest-haul", 5, 5, {"pebbles": 10}) for seat in (1, 3)]
        after = (
            table(bowl=4, hand=(6,), turn=3, dice=1, scores="10 6 0")
            .when(CHANCE, thrown(5))
            .then(
                DiceThrown(seat=3, faces=(5,), taken=4),
                PebblesKept(seat=3, pebbles=10, next=0, scores=(kept,)),
                GameEnded(
                    scores=(haul[0], haul[1]),
                    # PE-12: as many points as seat 1, but seat 3 is the one that has kept pebbles in play.
                    standings=(Standing(3, 1, 15, 1), Standing(1, 2, 15), Standing(2, 3, 6)),
                ),
            )
        )
        assert after.state.turn == 0
        after.refuses(1, ThrowDice(1), "pebbles/over", "PE-9")

    def test_pe_12_who_is_equal_in_everything_shares_the_place(self) -> None:
        def kept_once(state: State) -> None:
            state.keeps = [1, 0, 0]

        scenario = table(bowl=4, hand=(6,), turn=3, dice=1, scores="10 6 0").with_(kept_once)
        ended = scenario.when(CHANCE, thrown(5)).only(GameEnded)[0]
        assert [(place.seat, place.rank) for place in ended.standings] == [(1, 1), (3, 1), (2, 3)]

    @pytest.mark.parametrize(
        "actor, action, code, rule",
        [
            pytest.param(1, KeepPebbles(), "pebbles/empty-hand", "PE-8", id="nothing in hand"),
            pytest.param(2, ThrowDice(1), "pebbles/turn", "PE-3", id="not on turn"),
            pytest.param(4, ThrowDice(1), "pebbles/actor", "PE-3", id="not at the table"),
            pytest.param(CHANCE, ThrowDice(1), "pebbles/actor", "PE-3", id="chance does not choose"),
            pytest.param(1, Action(), "pebbles/action", "PE-4", id="another game's action"),
        ],
    )
    def test_what_is_refused(self, actor: Actor, action: Action, code: str, rule: str) -> None:
        table(bowl=30).refuses(actor, action, code, rule)

    def test_pe_5_nobody_acts_while_the_dice_are_in_the_air(self) -> None:
        table(bowl=30, hand=(5,), dice=2).refuses(1, KeepPebbles(), "pebbles/chance-first", "PE-5")
