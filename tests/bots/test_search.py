"""The bot that thinks ahead: the same for the same question, legal everywhere, blind to secrets, and no fool."""

import pickle
from random import Random

import pytest

from events.core import CHANCE
from projections.core import State
from service.bots.kinds import find_bot, in_words, offered
from service.bots.search import LEVELS, judge
from service.bots.tree import drawn_by_lot
from service.errors import UsageError
from service.games.azul import AZUL
from service.games.core import Request, Stage
from service.games.game import Game
from service.games.shelf import find_game
from service.play.bots import question_of
from service.play.fork import fork
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.players import NewPlayer
from service.play.simulate import make_plan, playout
from tests.conftest import move
from tests.rules import azul_tables, coloretto_tables
from tests.rules import master_chocolatier_tables as chocolate_tables
from tests.rules import summer_pavilion_tables as pavilion_tables
from tests.scenario import Scenario
from tests.shapes import each_shape_once
from tests.shelf import EVERY_GAME, SMALLEST, Shape, players

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

FEW = 6
"""Playouts that are enough to go down a tree and off its edge."""


def at_turn(shape: Shape, moves: int, seed: int = 1) -> State:
    """A state of a random match after so many moves; before its end, if it is shorter."""
    projection, rules, rng = shape.game.projection, shape.game.rules, Random(seed)
    state, done = shape.initial, 0
    while True:
        request, to_act = rules.request(state), projection.to_act(state)
        if request is None and done >= moves and to_act:
            return state
        before = projection.copy(state)
        if request is not None:
            events = rules.decide(state, CHANCE, drawn_by_lot(request, rng))
        else:
            events = rules.decide(state, to_act[0], rng.choice(rules.legal(state, to_act[0])))
            done += 1
        for event in events:
            projection.apply[type(event)](state, event)
        if projection.standings(state):
            return before


@each_shape_once
def test_it_answers_with_a_legal_action_at_every_table(shape: Shape) -> None:
    for moves in (0, 7, 40):
        state = at_turn(shape, moves)
        before = shape.game.projection.copy(state)
        for seat in shape.game.projection.to_act(state):
            legal = list(shape.game.rules.legal(state, seat))
            judged = judge(shape.game, state, seat, FEW, Random(0))
            assert sorted(map(repr, legal)) == sorted(repr(one.action) for one in judged)
            assert sum(one.visits for one in judged) == FEW
        assert state == before, "thinking changed the state"


@pytest.mark.parametrize("shape", SMALLEST, ids=lambda shape: shape.id)
def test_the_same_question_has_the_same_answer_and_another_lot_may_have_another(shape: Shape) -> None:
    state = at_turn(shape, 3)
    seat = shape.game.projection.to_act(state)[0]

    def judged(playouts: int, seed: int) -> object:
        return judge(shape.game, state, seat, playouts, Random(seed))

    assert judged(30, 1) == judged(30, 1)
    assert judged(30, 1) != judged(10, 1)


def test_nobody_is_judged_who_may_not_act() -> None:
    state = azul_tables.table(displays=["BBRR"]).state
    assert judge(AZUL, state, 2, FEW, Random(0)) == []


def test_time_ends_thinking() -> None:
    state = azul_tables.table(displays=["BBRR", "YYKK"]).state
    judged = judge(AZUL, state, 1, 1_000, Random(0), seconds=0)
    assert sum(one.visits for one in judged) == 1


def test_best_first_and_what_was_not_tried_is_no_better_than_the_best() -> None:
    state = at_turn(SMALLEST[0], 0)
    seat = SMALLEST[0].game.projection.to_act(state)[0]
    judged = judge(SMALLEST[0].game, state, seat, FEW, Random(0))
    assert [one.visits for one in judged] == sorted((one.visits for one in judged), reverse=True)
    untried = [one.value for one in judged if not one.visits]
    assert untried
    assert max(untried) <= judged[0].value


# ---------------------------------------------------------------------------------------------------- what it knows


PLAYED = [game for game in EVERY_GAME if not game.pad_of]


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.key)
def test_two_matches_with_one_past_and_two_secrets_get_the_same_answer(ledger: LocalLedger, game: Game) -> None:
    seats = game.rules.seats[0]
    parent = open_match(ledger, game.key, seats, players=players(seats))
    move(ledger, parent, 4)
    step = parent.envelopes[-1].step
    one, other = fork(ledger, parent, step), fork(ledger, parent, step)
    assert ledger.store.secret(one.id) != ledger.store.secret(other.id)
    assert one.table.state == other.table.state
    seat = game.projection.to_act(parent.table.state)[0]
    bot = find_bot("search:2")
    assert bot(game, one.table.state, seat, Random(1)) == bot(game, other.table.state, seat, Random(1))


def test_whoever_is_asked_gets_the_table_and_nothing_else(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=[NewPlayer("Ann"), NewPlayer("Ada", kind="bot:search:1")])
    stored = ledger.store.secret(live.id)
    assert stored is not None
    carried = pickle.dumps(question_of(live, 2))
    assert stored[0] not in carried
    assert stored[0].hex().encode() not in carried
    assert pickle.loads(carried).state == live.table.state


def test_draws_come_from_the_pool_and_from_all_of_it() -> None:
    request = Request("deal", (Stage((1, 0, 2), 2), Stage((0, 3, 0), 4)))
    seen = set()
    for seed in range(200):
        drawn = drawn_by_lot(request, Random(seed)).drawn
        assert len(drawn) == 6
        assert 1 not in drawn[:2], "what is poured later was drawn before"
        assert [drawn.count(kind) for kind in range(3)] == [1, 3, 2]
        seen.add(drawn)
    assert {drawn[0] for drawn in seen} == {0, 2}


def test_dice_fall_again_and_again() -> None:
    request = Request("roll", (Stage((1,) * 6, 30, replaced=True),))
    assert set(drawn_by_lot(request, Random(0)).drawn) == set(range(6))


# ----------------------------------------------------------------------------------------------------- what it finds


def rival_lacks_one_black(table: Scenario) -> Scenario:
    """The other tile on offer brings seat 1 two points; the black one would bring seat 2 the game."""
    cross = [(row, 3) for row in range(1, 5)] + [(5, column) for column in (1, 2, 4, 5)]
    laid = azul_tables.lay(table, 1, wall=[(1, 1)])
    return azul_tables.lay(laid, 2, lines=["", "", "", "", "KKKK"], wall=cross)


OBVIOUS = {
    "azul": (rival_lacks_one_black(azul_tables.table(displays=["K", "Y"], marker=2)), "1K"),
    "master-chocolatier": (rival_lacks_one_black(chocolate_tables.table(displays=["K", "N"], marker=2)), "1K"),
    "summer-pavilion": (
        pavilion_tables.placing("OOOOOO", pavilion_tables.star("NW", slots="12345"), round_=6),
        "6O@NW6",
    ),
    "coloretto": (coloretto_tables.table(2, rows=["GGG", "R", ""], tableaus=["GG YYY", "RRR BB"]), "T1"),
}
"""For each game a table, and how the one sensible move of seat 1 begins."""


@pytest.mark.parametrize("key", OBVIOUS)
def test_it_finds_what_anybody_would(key: str) -> None:
    scenario, begins = OBVIOUS[key]
    chosen = find_bot("search:3")(scenario.game, scenario.state, 1, Random(0))
    assert scenario.game.notation.write(chosen).startswith(begins)


def test_it_sees_what_the_greedy_bot_does_not() -> None:
    scenario, begins = OBVIOUS["azul"]
    chosen = find_bot("greedy")(scenario.game, scenario.state, 1, Random(0))
    assert not scenario.game.notation.write(chosen).startswith(begins)


@pytest.mark.parametrize("key", OBVIOUS)
def test_it_beats_the_greedy_bot(key: str) -> None:
    """A handful of matches with both seats; of a hundred, far more than half are won (docs/bots.md)."""
    game, ahead = find_game(key), 0
    for seed in range(2):
        for bots, seat in ((("search:50p", "greedy"), 0), (("greedy", "search:50p"), 1)):
            scores = game.projection.scores(playout(game, make_plan(key, 2, {}, bots, 0), seed).state)
            ahead += scores[seat] - scores[1 - seat]
    assert ahead > 0


# -------------------------------------------------------------------------------------------------- what it is called


def test_a_name_says_how_much_it_thinks() -> None:
    state = azul_tables.table(displays=["BBRR", "YYKK"], centre="W").state
    for name, playouts in (("search", LEVELS[3]), ("search:2", LEVELS[2]), ("search:7p", 7)):
        expected = judge(AZUL, state, 1, playouts, Random(5))[0].action
        assert find_bot(name)(AZUL, state, 1, Random(5)) == expected
    assert find_bot("search:0.01s")(AZUL, state, 1, Random(5)) in AZUL.rules.legal(state, 1)
    assert list(LEVELS) == [1, 2, 3, 4, 5]
    assert sorted(LEVELS.values()) == list(LEVELS.values())


@pytest.mark.parametrize(
    "name",
    [
        "search:9",
        "search:0",
        "search:3:3",
        "search:p",
        "search:0p",
        "search:10000p",
        "search:1e3s",
        "search:10s",
        "search:٣",
        "searching",
    ],
)
def test_other_names_are_refused_with_the_choices(name: str) -> None:
    with pytest.raises(UsageError) as refusal:
        find_bot(name)
    assert refusal.value.code == "bot/unknown"
    assert repr(name) in refusal.value.message
    assert {"search:1", "search:5", "greedy"} <= set(refusal.value.choices)


def test_every_name_that_is_offered_is_a_bot() -> None:
    assert {find_bot(name) is not None for name in offered()} == {True}
    assert "search:3" in offered()
    assert in_words("search:3") == "search, level 3"
    assert in_words("greedy") == "greedy"
