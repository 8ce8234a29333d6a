"""What legal actions would come to: their points at once, and which of them to ask about twice."""

from random import Random

import pytest

from projections.fold import after
from service.bots.simple import greedy_bot, random_bot
from service.games.core import Action
from service.games.game import Game
from service.games.summer_pavilion.actions import AcquireTiles, Pass
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match
from service.play.players import NewPlayer
from service.play.preview import Choice, choices, regret
from service.shell.answers.match import legal_answer
from tests.shelf import EVERY_GAME, Shape, players, turns

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_points_are_what_the_score_changes_by_before_any_draw(ledger: LocalLedger, game: Game) -> None:
    shape = Shape(game, game.rules.seats[0], {})
    live = open_match(ledger, game.key, shape.seats, seed=5, players=players(shape.seats))
    rng, seen = Random(7), 0
    for _ in range(60):
        if live.table.closed is not None:
            break
        seat = live.game.projection.to_act(live.table.state)[0]
        found = choices(live, seat)
        assert [choice.action for choice in found] == list(live.game.rules.legal(live.table.state, seat))
        for choice in rng.sample(found, min(5, len(found))):
            events = live.game.rules.decide(live.table.state, seat, choice.action)
            later = after(live.game.projection, live.table, events)
            before, now = (live.game.projection.scores(table.state)[seat - 1] for table in (live.table, later))
            assert choice.points == now - before
            seen += choice.points != 0
        bot = random_bot if rng.random() < 0.2 else greedy_bot
        act(ledger, live, seat, bot(live.game, live.table.state, seat, rng))
    steps = [turn.events for turn in turns(shape, 5)]
    is_scored_before_the_end = any(event.scores for events in steps[:-1] for event in events)
    assert seen or not is_scored_before_the_end


def test_a_program_gets_the_points_too(ledger: LocalLedger) -> None:
    live = open_match(ledger, "summer-pavilion", 2, seed=4, players=[NewPlayer("Ann"), NewPlayer("Ben")])
    for _ in range(3):
        (seat,) = live.game.projection.to_act(live.table.state)
        answer = legal_answer(live, seat)
        assert [move.points for move in answer.moves] == [choice.points for choice in choices(live, seat)]
        act(ledger, live, seat, answer.moves[-1].action)
    assert min(move.points for move in answer.moves) < 0  # the marker lies in the centre


TAKE: Action = AcquireTiles(source=1, colour=0)


def _choice(action: Action, points: int) -> Choice:
    return Choice(f"{type(action).__name__} {points}", "", action, points, ())


@pytest.mark.parametrize(
    ("chosen", "others", "better"),
    [
        (_choice(TAKE, -2), [_choice(TAKE, 0)], 0),
        (_choice(TAKE, -2), [_choice(TAKE, -1)], None),
        (_choice(TAKE, 0), [_choice(TAKE, 5)], None),
        (_choice(Pass(), 0), [_choice(TAKE, 5), _choice(TAKE, 2)], 5),
        (_choice(Pass(), 0), [_choice(TAKE, 0)], None),
        (_choice(Pass(), -3), [_choice(Pass(kept=(1,)), -1)], -1),
        (_choice(Pass(), -3), [_choice(TAKE, 0), _choice(Pass(kept=(1,)), -3)], None),
    ],
)
def test_what_is_asked_about_twice(chosen: Choice, others: list[Choice], better: int | None) -> None:
    found = regret(chosen, [chosen, *others])
    assert (None if found is None else found.points) == better
