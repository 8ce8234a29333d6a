"""The adapters pass the conformance tests of those they are for."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from service.errors import IllegalAction, UsageError
from service.research.env import Env
from service.research.gymnasium_env import GymnasiumEnv
from service.research.pettingzoo_env import PettingZooEnv
from tests.shelf import EVERY_GAME

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

PLAYED = [game.key for game in EVERY_GAME if not game.pad_of]
each_key = pytest.mark.parametrize("key", PLAYED)


# Its own games that observe a mask as well are on a list of names that are not warned of.
masks_are_observed = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be", "ignore:Observation is not a NumPy array"
)


class TestPettingZoo:
    @masks_are_observed
    @each_key
    def test_api(self, key: str) -> None:
        api_test(PettingZooEnv(key, render_mode="ansi"), num_cycles=400)

    @each_key
    def test_seeds(self, key: str) -> None:
        seed_test(lambda: PettingZooEnv(key), num_cycles=200)

    @masks_are_observed
    def test_a_variant_for_four(self) -> None:
        api_test(PettingZooEnv("master-chocolatier", 4, {"specialFactories": "on"}), num_cycles=200)

    def test_rewards_are_the_returns_of_the_match(self) -> None:
        env = PettingZooEnv("coloretto", 3)
        env.reset(seed=1)
        rewards = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            rewards[agent] += reward
            env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
        assert tuple(rewards.values()) == env.match.returns()
        assert any(rewards.values())

    def test_only_whose_turn_it_is_has_anything_to_choose(self) -> None:
        env = PettingZooEnv("azul")
        env.reset(seed=1)
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
        assert masks.pop(env.agent_selection).sum() == len(env.match.legal())
        assert not np.concatenate(list(masks.values())).any()

    def test_an_illegal_action_is_refused(self) -> None:
        env = PettingZooEnv("azul")
        env.reset(seed=1)
        with pytest.raises(IllegalAction):
            env.step(int((env.observe(env.agent_selection)["action_mask"] == 0).argmax()))

    def test_the_table_is_drawn(self) -> None:
        env = PettingZooEnv("azul", render_mode="ansi")
        env.reset(seed=1)
        assert "Seat 2" in (env.render() or "")
        assert PettingZooEnv("azul").render() is None


class TestGymnasium:
    @each_key
    def test_check_env(self, key: str) -> None:
        made = gymnasium.make("matchledger/Seat-v0", game=key, render_mode="ansi", disable_env_checker=True)
        check_env(made.unwrapped)

    def test_a_whole_match_from_each_seat(self) -> None:
        for seat in (1, 2, 3):
            env = GymnasiumEnv("coloretto", seats=3, seat=seat, bots=("greedy", "random"))
            seen, info = env.reset(seed=seat)
            is_over = False
            while not is_over:
                assert np.array_equal(seen, env.match.observe(seat))
                assert env.match.seat == seat
                action = env.action_space.sample(mask=info["action_mask"])
                seen, reward, is_over, truncated, info = env.step(action)
                assert not truncated
            assert reward == env.match.returns()[seat - 1]

    def test_matches_follow_from_the_seed(self) -> None:
        one, other = GymnasiumEnv("azul"), GymnasiumEnv("azul")
        assert np.array_equal(one.reset(seed=3)[0], other.reset(seed=3)[0])
        first, second = one.reset()[0], other.reset()[0]
        assert np.array_equal(first, second), "the next match follows from the seed too"
        assert not np.array_equal(first, one.reset()[0])

    def test_an_illegal_action_loses(self) -> None:
        env = GymnasiumEnv("azul")
        _, info = env.reset(seed=1)
        _, reward, is_over, truncated, info = env.step(int((info["action_mask"] == 0).argmax()))
        assert (reward, is_over, truncated) == (-1.0, True, False)
        assert info["illegal"]

    @pytest.mark.parametrize(
        "wrong, said",
        [
            ({"seat": 3}, "no seat 3; choose 1–2"),
            ({"bots": ("deep-thought",)}, "deep-thought"),
            ({"bots": ("greedy", "greedy")}, "2 bots for 1 other seats"),
        ],
    )
    def test_a_table_there_is_not_is_refused(self, wrong: dict[str, object], said: str) -> None:
        with pytest.raises(UsageError, match=said):
            GymnasiumEnv("azul", **wrong)  # type: ignore[arg-type]

    def test_bounds_hold_what_is_seen(self) -> None:
        least, most = Env("summer-pavilion").bounds
        seen = Env("summer-pavilion").observe()
        assert ((least <= seen) & (seen <= most)).all()
