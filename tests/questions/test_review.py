"""Reviews: a blunder that was planted is found, the same match gives the same review, and what it says adds up."""

from pathlib import Path
from random import Random

import pytest

from events.azul import TilesDrafted
from events.core import CHANCE
from service.bots.simple import greedy_bot
from service.errors import Refused, UsageError
from service.games.coloretto.ending import NameColours
from service.games.game import Game
from service.play.hints import hint
from service.play.history import Live, of_evidence
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act, open_match
from service.play.undo import undo
from service.questions.review import MatchReview, Reviewed, review
from service.records import read_evidence
from tests.conftest import TWO, finish, move
from tests.shelf import EVERY_GAME, Shape, people, players, turns

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PLAYED = [game for game in EVERY_GAME if not game.pad_of]


def greedily(ledger: LocalLedger, live: Live, moves: int = 1000) -> None:
    """Let the greedy bot play for everybody, to the end or so many moves."""
    for _ in range(moves):
        if live.table.closed is not None:
            return
        seat = live.game.projection.to_act(live.table.state)[0]
        act(ledger, live, seat, greedy_bot(live.game, live.table.state, seat, Random(live.head.seq)))


def test_a_planted_blunder_is_the_worst_mistake(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, seed=3)
    greedily(ledger, live, 15)
    seat = live.game.projection.to_act(live.table.state)[0]
    legal = live.game.rules.legal(live.table.state, seat)
    worst = min(legal, key=lambda action: live.game.estimate(live.table.state, seat, action))
    act(ledger, live, seat, worst)
    planted = live.head.seq
    greedily(ledger, live)
    found = review(live, level=3).worst[0]
    assert planted in range(found.seq, found.seq + 3)  # a draw may follow the move in its step
    assert found.seat == seat
    assert found.lost > 3
    assert live.game.estimate(live.table_after(found.seq - 1).state, seat, live.game.notation.read(found.best)) > (
        live.game.estimate(live.table_after(found.seq - 1).state, seat, worst)
    )


def test_colours_that_are_named_badly_in_the_end_are_a_mistake(ledger: LocalLedger) -> None:
    live = open_match(ledger, "coloretto", 2, players=TWO, seed=3)
    while live.table.closed is None:
        seat = live.game.projection.to_act(live.table.state)[0]
        legal = live.game.rules.legal(live.table.state, seat)
        if isinstance(legal[0], NameColours):
            worst = min(legal, key=lambda action: live.game.estimate(live.table.state, seat, action))
            act(ledger, live, seat, worst)
        else:
            greedily(ledger, live, 1)
    found = review(live, level=2)
    assert {one.move[0] for one in found.worst[:2]} == {"+"}
    last = {one.seat: one.expected for one in found.decisions}
    assert list(found.final) == [pytest.approx(last[2] * -1), pytest.approx(last[2])]


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.key)
def test_what_a_review_says_adds_up(ledger: LocalLedger, game: Game) -> None:
    seats = len(people(game, 3))
    live = open_match(ledger, game.key, seats, players=players(seats), seed=5)
    move(ledger, live, min(25, sum(turn.actor != CHANCE for turn in turns(Shape(game, seats, {}), 5)) // 3))
    found = review(live, level=1)
    assert found.decisions
    assert found.worst == sorted((one for one in found.decisions if one.lost), key=lambda one: -one.lost)[:3]
    for one in found.decisions:
        assert one.choices > 1
        assert one.lost >= 0
        assert (one.lost == 0) == (one.best == one.move)
        event = live.envelope(one.seq)
        assert (event.actor, event.step, event.event) == (one.seat, one.step, one.played)
        then = live.at(str(one.seq - 1))
        assert one.best in (game.notation.write(action) for action in game.rules.legal(then.table.state, one.seat))
    for seat in range(1, seats + 1):
        assert [lead.points for lead in found.leads(seat)] == [
            one.expected for one in found.decisions if one.seat == seat
        ]
        assert len(found.lost_by(seat)) == sum(one.seat == seat for one in found.decisions)
    assert not found.final
    assert found.turning is None


def test_it_is_the_same_every_time_and_with_any_number_of_processes(ledger: LocalLedger) -> None:
    live = finish(ledger, open_match(ledger, "coloretto", 2, players=TWO, seed=2))
    once = review(live, level=1)
    assert review(live, level=1) == once
    assert review(live, level=1, jobs=2) == once
    other = finish(ledger, open_match(ledger, "coloretto", 2, players=TWO, seed=2))  # the same but for its id
    assert [one.move for one in review(other, level=1).decisions] == [one.move for one in once.decisions]


def test_a_hint_at_that_point_says_the_same_of_the_best_move(ledger: LocalLedger) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO, seed=2))
    for one in review(live, level=1).decisions[:10]:
        seat, found = hint(live.at(str(one.seq - 1)), level=1)
        assert seat == one.seat
        assert found[0].choice.move == one.best or one.best == one.move


def test_between_two_the_lead_of_one_is_the_other_way_round(ledger: LocalLedger) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO, seed=2))
    found = review(live, level=1)
    assert [lead.points for lead in found.leads(1)] == [-lead.points for lead in found.leads(2)]
    assert found.final[0] == -found.final[1]
    scores = live.game.projection.scores(live.table.state)
    assert found.final[0] == scores[0] - scores[1]


def test_what_was_undone_or_forced_is_no_decision(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, undo="free", seed=2)
    move(ledger, live, 2)
    undo(ledger, live, 1)
    taken_back = live.envelopes[-2].seq
    move(ledger, live, 3)
    assert taken_back not in [one.seq for one in review(live, 1).decisions]
    history = of_evidence(read_evidence(EXAMPLES / "azul.mlr")[0])
    drafted = {entry.seq for entry in history.envelopes if isinstance(entry.event, TilesDrafted)}
    decided = {one.seq for one in review(history, 1).decisions}
    forced = set()
    for seq in drafted:
        then = history.at(str(seq - 1))
        seat = then.game.projection.to_act(then.table.state)[0]
        if len(then.game.rules.legal(then.table.state, seat)) == 1:
            forced.add(seq)
    undone = {seq for seq in drafted if history.envelope(seq).step not in history.timeline.done}
    assert forced - undone
    assert undone
    assert decided == drafted - forced - undone


PLAYING = TilesDrafted(seat=1, source=1, colour=0, taken=1, line=1, next=2)


def reviewed(*leads: float, winner: int = 1, seats: int = 2) -> MatchReview:
    """A review in which seat 1 decides first and then everybody in turn, each as far ahead as is said."""
    decisions = [
        Reviewed(10 + number, number, number % seats + 1, "1B1", "1B1", PLAYING, PLAYING, 5, lead, 0.0)
        for number, lead in enumerate(leads)
    ]
    return MatchReview("match00001", 1, seats, decisions, winner, (5, -5, -7)[:seats])


@pytest.mark.parametrize(
    ("found", "turning", "always"),
    [
        (reviewed(-1, -2, 3, -4), 11, False),  # what seat 2 is behind by, seat 1 is ahead by
        (reviewed(-1, 2, 3, 4, 5), 14, False),
        (reviewed(1, -2, 3, -4), None, True),
        (reviewed(0, -2, 3, -4), 11, False),
        (reviewed(1, -2, 3, 4), None, False),
        (reviewed(-1, -2, 3, -4, winner=0), None, False),
        (reviewed(-1, -9, -9, 2, -9, -9, 4, seats=3), 13, False),  # of three, only one's own decisions tell
        (reviewed(1, 2, 3, winner=2, seats=3), None, True),
    ],
)
def test_the_turning_point_is_where_the_winner_was_ahead_for_good(
    found: MatchReview, turning: int | None, always: bool
) -> None:
    assert (found.turning.seq if found.turning is not None else None) == turning
    assert found.was_always_ahead == always


def test_where_there_is_nothing_to_review(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    with pytest.raises(Refused, match="nothing to review") as refusal:
        review(live)
    assert refusal.value.code == "review/nothing"
    abandon(ledger, live)
    with pytest.raises(Refused, match="nothing to review"):
        review(live)
    pad = of_evidence(read_evidence(EXAMPLES / "azul-pad.mlr")[0])
    with pytest.raises(Refused, match="score pad") as refusal:
        review(pad)
    assert refusal.value.code == "search/pad"
    played = of_evidence(read_evidence(EXAMPLES / "azul.mlr")[0])
    with pytest.raises(UsageError, match="'6' is not a level; choose from: 1, 2, 3, 4, 5"):
        review(played, level=6)
