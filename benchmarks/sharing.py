"""Sharing: what two processes gain over one in an audit and a simulation, and which part of what two plain ones gain.

`python -m benchmarks.sharing FOLDER GAME MATCHES` measures in a process that has done nothing else, as a command has.
Others begin as copies of it. `make bench` itself has grown to several times that size by then, and its copies would
take longer to begin.
"""

import json
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

from benchmarks.auditing import audited
from benchmarks.clock import best_of, yardstick
from benchmarks.replaying import fill
from service.games.game import Game
from service.games.shelf import find_game
from service.play.simulate import make_plan, simulate


def measure(folder: Path, game: Game, matches: int) -> dict[str, float]:
    """The figures of so many matches, as a process of its own finds them."""
    command = [sys.executable, "-m", "benchmarks.sharing", str(folder), game.key, str(matches)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def gains(folder: Path, game: Game, matches: int) -> dict[str, float]:
    """How much two processes gain, their start included, and which part of what two plain ones gain on this machine."""
    path = folder / f"{game.key}-jobs-{matches}.db"
    fill(path, game, matches)
    plan = make_plan(game.key, None, {}, ["random"], 0)

    def simulated(jobs: int) -> int:
        return sum(1 for _ in simulate(plan, matches, jobs))

    audit, audit2, play, play2, alone, together = best_of(
        5,
        lambda: audited(path, 1),
        lambda: audited(path, 2),
        lambda: simulated(1),
        lambda: simulated(2),
        lambda: loop_in(1),
        lambda: loop_in(2),
    )
    plain = 2 * alone / together
    return {
        f"jobs2.plain_gain_{matches}": plain,
        f"jobs2.audit_gain_{matches}": audit / audit2,
        f"jobs2.audit_of_plain_{matches}": audit / audit2 / plain,
        f"jobs2.simulate_gain_{matches}": play / play2,
        f"jobs2.simulate_of_plain_{matches}": play / play2 / plain,
    }


def loop_in(processes: int) -> None:
    """The yardstick's loop in each of so many plain processes: with idle cores, two take as long as one."""
    running = [get_context("fork").Process(target=_loop) for _ in range(processes)]
    for process in running:
        process.start()
    for process in running:
        process.join()


def _loop() -> None:
    for _ in range(4):
        yardstick()


if __name__ == "__main__":
    _, folder, key, matches = sys.argv
    print(json.dumps(gains(Path(folder), find_game(key), int(matches))))
