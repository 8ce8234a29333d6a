"""The environment in random play, against playouts of the same rules: its steps alone, and with what is observed."""

from random import Random

from benchmarks.clock import best_of
from service.games.game import Game
from service.play.simulate import make_plan, playout
from service.research.env import Env

MATCHES = 20
ROUNDS = 20


def explore(env: Env, *, observes: bool) -> int:
    """Random matches, every step with its mask, and on request with its observation; how many steps there were."""
    steps = 0
    for seed in range(MATCHES):
        rng = Random(seed)
        env.reset(seed)
        while env.seat:
            legal = env.legal()
            env.legal_mask()
            if observes:
                env.observe()
            env.step(legal[int(rng.random() * len(legal))])
        steps += len(env.played)
    return steps


def measure(game: Game) -> dict[str, float]:
    """Steps of the environment for one of a playout; both play the same number of matches."""
    plan = make_plan(game.key, None, {}, ["random"], 0)
    env = Env(game.key)
    actions = sum(playout(game, plan, seed).actions for seed in range(MATCHES))
    steps = explore(env, observes=True)
    alone, with_steps, with_looks = best_of(
        ROUNDS,
        lambda: [playout(game, plan, seed) for seed in range(MATCHES)],
        lambda: explore(env, observes=False),
        lambda: explore(env, observes=True),
    )
    rate = actions / alone
    return {
        f"{game.key}.env_step_vs_playout": steps / with_steps / rate,
        f"{game.key}.env_observed_step_vs_playout": steps / with_looks / rate,
    }
