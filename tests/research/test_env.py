"""The environment: same rules and events as the ledger, whatever is asked of it on the way."""

import copy
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from events.core import Standing
from service.errors import IllegalAction, UsageError
from service.games.shelf import find_game
from service.play.simulate import make_plan, playout
from service.research.env import Env
from tests.shelf import EVERY_GAME, SHAPES, Shape

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

ROOT = Path(__file__).parents[2]
PLAYED = [game.key for game in EVERY_GAME if not game.pad_of]
each_key = pytest.mark.parametrize("key", PLAYED)
CURRENT = [shape for shape in SHAPES if shape.game in EVERY_GAME and not shape.game.pad_of]


def play(env: Env, rng: Random, steps: int = 10_000) -> Env:
    """So many random steps, or until it is over."""
    while not env.is_over and steps:
        env.step(rng.choice(env.legal()))
        steps -= 1
    return env


def on_its_way(key: str, steps: int = 12) -> Env:
    """A match after so many random steps, or half of them where it is a short one."""
    env = Env(key)
    return play(env, Random(4), min(steps, len(play(env.clone(), Random(4)).played) // 2))


def position(env: Env) -> tuple[object, ...]:
    """Everything there is to see of it, and to whom."""
    looks = [env.observe(seat).tolist() for seat in range(1, env.seats + 1)]
    return env.seat, env.legal(), looks, env.scores, env.returns(), env.played


# ----------------------------------------------------------------------------------------------- the same as the rules


@pytest.mark.parametrize("bot", ["greedy", "random"])
@each_key
def test_bots_play_the_same_match_here_as_in_a_simulation(key: str, bot: str) -> None:
    game, plan = find_game(key), make_plan(key, None, {}, [bot], 0)
    env, rng = Env(key), Random(5)
    env.reset(5)
    while not env.is_over:
        env.step(env.ask(bot, rng))
    played = playout(game, plan, 5)
    assert env._episode.steps == played.steps
    assert env.scores == tuple(game.projection.scores(played.state))
    assert len(env.played) == played.actions


@pytest.mark.parametrize("shape", CURRENT, ids=lambda shape: shape.id)
def test_masks_and_numbers_agree_at_every_table(shape: Shape) -> None:
    env = Env(shape.game.key, shape.seats, shape.options)
    rng = Random(shape.id)
    env.reset(3)
    while not env.is_over:
        legal = env.legal()
        assert np.flatnonzero(env.legal_mask()).tolist() == sorted(legal)
        assert env.number(env.action(legal[-1])) == legal[-1]
        env.step(rng.choice(legal))
    assert not env.legal_mask().any()
    assert sum(env.returns()) == pytest.approx(0)
    assert env.is_given_up or max(env.returns()) > 0 or len(set(env.scores)) == 1
    assert env.observe().shape == (sum(field.size for field in env.layout),)


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    env = Env("azul")
    env.reset(1)
    before = position(env)
    wrong = next(number for number in range(env.size) if number not in env.legal())
    with pytest.raises(IllegalAction):
        env.step(wrong)
    with pytest.raises(UsageError, match=rf"no action {env.size}; choose 0–{env.size - 1}"):
        env.step(env.size)
    with pytest.raises(UsageError, match="no action -1"):
        env.step(-1)
    assert position(env) == before


def test_numbers_of_numpy_are_numbers() -> None:
    env = Env("azul")
    env.step(np.flatnonzero(env.legal_mask())[0])
    assert Env.restore(env.serialize()).played == env.played


def test_a_finished_episode_takes_no_step() -> None:
    env = play(Env("coloretto"), Random(1))
    with pytest.raises(UsageError, match="reset"):
        env.step(0)


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("chess",), "chess"),
        (("azul-pad",), "choose from: azul, master-chocolatier, summer-pavilion, coloretto"),
        (("azul", 9), "9 seats"),
        (("azul", 2, {"boardSide": "blue"}), "'blue' is not a value of boardSide"),
    ],
)
def test_a_table_there_is_not_is_refused(arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Env(*arguments)


def test_a_seat_there_is_not_sees_nothing() -> None:
    with pytest.raises(UsageError, match="no seat 3; choose 1–2"):
        Env("azul").observe(3)


def test_options_may_change_with_a_reset() -> None:
    env = Env("azul")
    plain, layout = env.size, env.layout
    env.reset(1, {"partialFloor": "true", "boardSide": "grey"})
    assert env.size > plain
    assert env.layout != layout
    assert env.legal_mask().shape == (env.size,)
    env.reset(1, {})
    assert (env.size, env.layout) == (plain, layout)


def test_the_seed_decides_everything_and_without_one_matches_differ() -> None:
    one, other = Env("azul"), Env("azul")
    for env in (one, other):
        env.reset(7)
    assert position(one) == position(other)
    looks = set()
    for _ in range(3):
        one.reset()
        looks.add(one.observe().tobytes())
    assert len(looks) == 3


@pytest.mark.parametrize(
    "ranks, expected",
    [
        ((1, 2), (1, -1)),
        ((1, 1), (0, 0)),
        ((2, 1, 3), (0, 1, -1)),
        ((1, 1, 3), (0.5, 0.5, -1)),
        ((1, 2, 2), (1, -0.5, -0.5)),
        ((4, 1, 2, 3), (-1, 1, 1 / 3, -1 / 3)),
    ],
)
def test_returns_are_places_shared_by_those_who_share_them(ranks: tuple[int, ...], expected: tuple[float, ...]) -> None:
    env = Env("azul", len(ranks))
    standings = tuple(Standing(seat=seat, rank=rank, score=0) for seat, rank in enumerate(ranks, start=1))
    env._episode.state.standings = standings
    assert env.returns() == pytest.approx(expected)


# -------------------------------------------------------------------------------------------------------- other worlds


@each_key
def test_a_clone_goes_its_own_way_and_draws_the_same(key: str) -> None:
    env = play(Env(key), Random(2), 12)
    twin = env.clone()
    mask, before = env.legal_mask(), position(env)
    play(twin, Random(3)).legal_mask()
    assert position(env) == before
    assert np.flatnonzero(mask).tolist() == sorted(env.legal()), "the twin wrote into its mask"
    assert position(play(env, Random(3))) == position(twin)


@each_key
def test_what_is_drawn_anew_is_public_knowledge(key: str) -> None:
    """Two matches with the same past and different secrets: whoever thinks ahead from either thinks the same."""
    env = on_its_way(key)
    elsewhere = env.clone()
    elsewhere._episode.draw_from(99)
    thoughts = [play(match.determinize(Random(6)), Random(5)) for match in (env, elsewhere)]
    assert position(thoughts[0]) == position(thoughts[1])
    assert position(play(env.clone(), Random(5))) != position(thoughts[0]), "it drew what the match will draw"


@each_key
def test_draws_differ_from_world_to_world(key: str) -> None:
    env, rng = on_its_way(key), Random(1)
    ends = {str(position(play(env.determinize(rng), Random(5)))) for _ in range(5)}
    assert len(ends) > 1


@each_key
def test_an_episode_comes_back_from_its_bytes(key: str) -> None:
    env = play(Env(key, options={}), Random(2), 15)
    twice = play(env.determinize(Random(2)), Random(3), 20).determinize(Random(4))
    for match in (env, env.determinize(Random(1)), twice):
        again = Env.restore(match.serialize())
        assert position(again) == position(match)
        assert position(play(again, Random(8))) == position(play(match.clone(), Random(8)))
        assert position(pickle.loads(pickle.dumps(match))) == position(copy.deepcopy(match)) == position(match)


def test_an_episode_of_older_rules_goes_on_by_them() -> None:
    env = Env.restore(b'{"ruleset":"azul/1","seats":2,"options":{},"seeds":[[0,3]],"actions":[]}')
    assert env.ruleset == "azul/1"
    assert Env("azul").ruleset != "azul/1"


@pytest.mark.parametrize(
    "data, said",
    [
        (b"nonsense", "not a serialized episode"),
        (b'{"ruleset":"azul/2"}', "not a serialized episode"),
        (b'{"ruleset":"azul/99","seats":2,"options":{},"seeds":[[0,3]],"actions":[]}', "azul/99"),
        (b'{"ruleset":"azul/2","seats":2,"options":{},"seeds":[],"actions":[]}', "first seed"),
        (b'{"ruleset":"azul/2","seats":2,"options":{},"seeds":[[0,3]],"actions":[],"format":2}', "format 1"),
        (b'{"ruleset":"azul/2","seats":2,"options":{},"seeds":[[0,3]],"actions":[9999]}', "no action 9999"),
    ],
)
def test_bytes_that_are_no_episode_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Env.restore(data)


# -------------------------------------------------------------------------------------------------------- in a ledger


@pytest.fixture
def matchledger() -> Any:
    return import_module("matchledger")


@each_key
def test_every_episode_can_be_kept_and_audits_clean(key: str, matchledger: Any, tmp_path: Path) -> None:
    """Whole at every table; just begun, and gone on in another world than it began in, at the plain ones."""
    with matchledger.open(tmp_path / "ledger.db") as ledger:
        for shape in (shape for shape in CURRENT if shape.game.key == key):
            begun = Env(key, shape.seats, shape.options)
            whole = play(begun.clone(), Random(1))
            thought = play(play(begun.clone(), Random(2), 8).determinize(Random(3)), Random(4))
            for env in (whole,) if shape.options else (whole, begun, thought):
                match = ledger.keep(env, "Linear", *["bot:random"] * (shape.seats - 1))
                assert tuple(match.scores.values()) == env.scores
                assert match.players[1] == "Linear"
                assert match.ending == ("finished" if env.standings else "abandoned")
        audit = ledger.audit()
        assert audit.is_clean, audit.findings[:1]


def test_players_are_named_one_for_each_seat(matchledger: Any) -> None:
    with matchledger.open(":memory:") as ledger, pytest.raises(UsageError, match="1 players for 2 seats"):
        ledger.keep(Env("azul"), "Linear")


def test_what_was_tampered_with_is_not_kept(matchledger: Any, tmp_path: Path) -> None:
    env = play(Env("azul"), Random(1))
    env._episode.steps[4], env._episode.steps[5] = env._episode.steps[5], env._episode.steps[4]
    with matchledger.open(tmp_path / "ledger.db") as ledger:
        with pytest.raises(matchledger.Damaged, match="does not audit clean"):
            ledger.keep(env, "Ann", "Ben")
        assert not list(ledger.matches())


# -------------------------------------------------------------------------------------------------------- dependencies


@pytest.mark.parametrize(
    "missing, name, extra",
    [
        ("numpy", "Env", "research"),
        ("gymnasium", "GymnasiumEnv", "gymnasium"),
        ("pettingzoo", "PettingZooEnv", "pettingzoo"),
    ],
)
def test_what_is_not_installed_is_said_with_the_way_to_get_it(missing: str, name: str, extra: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import matchledger; matchledger.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert f"pip install '.[{extra}]'" in done.stderr.splitlines()[-1]
    assert "Unavailable" in done.stderr.splitlines()[-1]


def test_the_ledger_itself_needs_none_of_it() -> None:
    play = "matchledger.open(':memory:').start('azul', 'Ann', 'bot:greedy')"
    code = f"import sys, matchledger; {play}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "False\n"
