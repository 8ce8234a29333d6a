"""Rules only: legal, decide and apply in random playouts, against a fixed loop of ordinary Python."""

import time

from benchmarks.clock import yardstick
from service.games.game import Game
from service.play.simulate import make_plan, playout

SECONDS = 3.0


def measure(game: Game) -> dict[str, float]:
    """Actions per second, and per thousand steps of the yardstick taken right before and after."""
    plan = make_plan(game.key, None, {}, ["random"], 0)
    before = yardstick()
    actions, seed = 0, 0
    started = time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        actions += playout(game, plan, seed).actions
        seed += 1
    rate = actions / (time.perf_counter() - started)
    return {
        f"{game.key}.playout_per_s": rate,
        f"{game.key}.playout_vs_yardstick": 1000 * rate / ((before + yardstick()) / 2),
    }
