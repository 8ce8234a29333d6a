"""Simulations: the same for a seed whatever the processes, kept whole, and never endless."""

from pathlib import Path

import pytest

from events.azul import GameEnded
from service.audit import audit
from service.games.game import Game
from service.games.shelf import GAMES, by_ruleset, find_game
from service.play.bots import PATIENCE
from service.play.evidence import from_store
from service.play.ledger import LocalLedger
from service.play.replay import load, replay_all
from service.play.simulate import FEW, make_plan, playout, simulate
from service.store.connect import open_store
from tests.play.test_matches import refused


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)  # other processes know the shelf alone
def test_results_do_not_depend_on_the_processes(game: Game, tmp_path: Path) -> None:
    plan = make_plan(game.key, None, {}, ["random", "greedy"], 40)
    database = str(tmp_path / "ledger.db")
    alone = list(simulate(plan, FEW))
    together = list(simulate(plan, FEW, jobs=2, database=database))
    assert alone == together
    assert [result.seed for result in alone] == list(range(40, 40 + FEW))
    with open_store(database) as store:
        kept = sorted(tuple(game.projection.scores(table.state)) for _, table in replay_all(store))
    assert kept == sorted(result.scores for result in alone)


@pytest.mark.parametrize("key, side", [("azul", "grey"), ("master-chocolatier", "brown")])
def test_a_match_that_could_not_end_ends_since_az_95(key: str, side: str) -> None:
    """Seed 908: no tile fits anywhere any more, and the first rules set no limit (AZ-87)."""
    plan = make_plan(key, 2, {"boardSide": side}, [], 908)
    older = playout(by_ruleset(f"{key}/1"), plan, 908)
    today = playout(find_game(key), plan, 908)
    assert older.actions == PATIENCE
    assert today.actions < PATIENCE
    assert today.steps[:-1] == older.steps[: len(today.steps) - 1]
    _, ended = today.steps[-1][-1]
    assert isinstance(ended, GameEnded)
    assert ended.reason == "dead"


def test_bots_give_up_a_match_that_cannot_end(tmp_path: Path) -> None:
    """Seed 875: all twenty blue tiles lie on walls and in lines, and every line that has a future waits for blue."""
    plan = make_plan("azul", 4, {"boardSide": "grey"}, [], 875)
    database = str(tmp_path / "ledger.db")
    [result] = simulate(plan, 1, database=database)
    assert result.actions == PATIENCE
    assert result.winners == ()
    with open_store(database) as store:
        live = load(LocalLedger(store), "last")
        assert audit(from_store(store, live.id)).is_clean
    closed = live.table.closed
    assert closed is not None
    assert (closed.reason, closed.standings) == ("abandoned", ())


@pytest.mark.parametrize(
    "key, seats, options, bots, code",
    [
        ("azull", 2, {}, [], "game/unknown"),
        ("azul", 9, {}, [], "match/seats"),
        ("azul", 2, {"x": "y"}, [], "match/option"),
        ("azul", 2, {}, ["clever"], "bot/unknown"),
    ],
)
def test_plans_are_checked(key: str, seats: int, options: dict[str, str], bots: list[str], code: str) -> None:
    with refused(code):
        make_plan(key, seats, options, bots, 0)


def test_seats_and_bots_complete_each_other() -> None:
    assert make_plan("azul", None, {}, ["random", "greedy", "random"], 0).seats == 3
    assert make_plan("azul", 4, {}, ["greedy"], 0).bots == ("greedy",) * 4
