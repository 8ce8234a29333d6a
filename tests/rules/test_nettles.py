"""Nettles by its rulebook (tests/nettles/rulebook.md), rule by rule, each example under the id of its rule."""

import doctest

import pytest

from events.core import CHANCE, Actor, ScoreLine, Standing
from service.errors import UsageError
from service.games.core import Action, Outcome
from service.games.options import read_options
from tests.nettles import NETTLES
from tests.nettles.events import GameEnded, NettlePicked, NettleTurned, PetalPaid
from tests.nettles.projection import state as folding
from tests.nettles.projection.state import NUMBERS, State
from tests.nettles.rules import RULES, PayPetal, PickNettle, legal, request
from tests.scenario import Scenario, given

PAY, PICK = PayPetal(), PickNettle()


def table(nettle: int, *, paid: int = 0, petals: str = "7 7 7", held: str = "- - -", deck: int = 5) -> Scenario:
    """A table of three with seat 1 to act; what each seat has picked is written `8,9`, or `-` for nothing."""

    def arrange(state: State) -> None:
        state.nettle, state.paid, state.deck = nettle, paid, deck
        state.petals = [int(word) for word in petals.split()]
        state.nettles = [[int(one) for one in word.split(",") if one != "-"] for word in held.split()]

    return given(NETTLES, 3).with_(arrange)


def turned(number: int) -> Outcome:
    """What chance answers when this nettle is turned over."""
    return Outcome((number - NUMBERS[0],))


@pytest.mark.parametrize("seats", [0, 2, 6])
def test_ne_1_three_to_five_seats(seats: int) -> None:
    with pytest.raises(UsageError, match=r"choose from: 3, 4, 5"):
        read_options(RULES, {}, seats)
    with pytest.raises(UsageError, match="'deck' is not an option of this game"):
        read_options(RULES, {"deck": "9"}, 3)


def test_ne_2_and_3_chance_opens_the_match() -> None:
    start = given(NETTLES, 3)
    assert all(not legal(start.state, seat) for seat in (1, 2, 3))
    start.refuses(1, PICK, "nettles/chance-first", "NE-3")
    after = start.when(CHANCE, turned(12)).then(NettleTurned(nettle=12))
    assert (after.state.nettle, after.state.deck, request(after.state)) == (12, 13, None)
    assert legal(after.state, 1) == [PAY, PICK]


@pytest.mark.parametrize(
    "actor, outcome, code, rule",
    [
        pytest.param(CHANCE, turned(12), "nettles/nettle-pool", "NE-2", id="turned over before"),
        pytest.param(CHANCE, turned(21), "nettles/nettle-pool", "NE-2", id="no such nettle"),
        pytest.param(CHANCE, Outcome((0, 1)), "nettles/nettle-count", "NE-2", id="two at once"),
        pytest.param(1, turned(5), "nettles/actor", "NE-3", id="said by a player"),
    ],
)
def test_ne_2_what_cannot_be_turned_over(actor: Actor, outcome: Outcome, code: str, rule: str) -> None:
    picked = given(NETTLES, 3).when(CHANCE, turned(12)).after.when(1, PICK).after
    picked.refuses(actor, outcome, code, rule)
    table(8).refuses(CHANCE, turned(5), "nettles/nettle-unasked", "NE-2")


def test_ne_5_a_petal_leaves_the_nettle_to_the_next() -> None:
    after = table(12, paid=2).when(1, PAY).then(PetalPaid(seat=1, next=2))
    assert (after.state.petals, after.state.paid, after.state.turn) == ([6, 7, 7], 3, 2)
    poor = table(12, petals="0 7 7")
    assert legal(poor.state, 1) == [PICK]
    poor.refuses(1, PAY, "nettles/no-petal", "NE-5")


def test_ne_6_who_picks_goes_on() -> None:
    after = table(12, paid=3).when(1, PICK).then(NettlePicked(seat=1, nettle=12, petals=3))
    assert (after.state.petals, after.state.nettles, after.state.turn) == ([10, 7, 7], [[12], [], []], 1)
    assert request(after.state) is not None


@pytest.mark.parametrize(
    "actor, action, code, rule",
    [
        pytest.param(2, PICK, "nettles/turn", "NE-3", id="not on turn"),
        pytest.param(4, PICK, "nettles/actor", "NE-1", id="not at the table"),
        pytest.param(1, Action(), "nettles/action", "NE-4", id="another game's action"),
    ],
)
def test_what_is_refused(actor: Actor, action: Action, code: str, rule: str) -> None:
    table(12).refuses(actor, action, code, rule)


def test_ne_7_to_10_the_last_nettle_ends_the_game() -> None:
    after = (
        table(10, paid=2, petals="1 4 0", held="9,3,8 20 -", deck=0)
        .when(1, PICK)
        .then(
            NettlePicked(seat=1, nettle=10, petals=2),
            GameEnded(
                scores=(
                    ScoreLine(1, "NE-8", "nettles", -11, -11, {"3": 3, "8–10": 8}),
                    ScoreLine(1, "NE-9", "petals", 3, 3, {"petals": 3}),
                    ScoreLine(2, "NE-8", "nettles", -20, -20, {"20": 20}),
                    ScoreLine(2, "NE-9", "petals", 4, 4, {"petals": 4}),
                ),
                standings=(Standing(3, 1, 0), Standing(1, 2, -8, 3), Standing(2, 3, -16, 4)),
            ),
        )
    )
    assert after.state.scores == [-8, -16, 0]
    after.refuses(1, PICK, "nettles/over", "NE-7")


def test_ne_11_more_petals_win_among_equals() -> None:
    ended = table(20, petals="3 1 1", held="- 18 18", deck=0).when(1, PICK).only(GameEnded)[0]
    assert [(place.seat, place.rank) for place in ended.standings] == [(1, 1), (2, 2), (3, 2)]
    assert [place.score for place in ended.standings] == [-17, -17, -17]


def test_ne_8_the_example_of_runs() -> None:
    assert doctest.testmod(folding) == (0, 1)
