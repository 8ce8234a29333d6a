"""Audit: every check on every match of a store, against plain replay plus playing the same moves again."""

from multiprocessing import get_context
from pathlib import Path

from benchmarks.clock import best_of, yardstick
from benchmarks.replaying import fill, ours
from service.audit.bulk import Terms, audit_all
from service.games.game import Game
from service.play.simulate import make_plan, playout, simulate


def audited(path: Path, jobs: int) -> tuple[int, int]:
    """Matches and events audited; every one has to be clean."""
    matches = events = 0
    for batch in audit_all(str(path), Terms(), jobs):
        assert not batch.findings, batch.findings[0].findings
        matches, events = matches + batch.matches, events + batch.events
    return matches, events


def measure(folder: Path, game: Game, matches: int) -> dict[str, float]:
    """The audit figures of one game; one process is one core."""
    path = folder / f"{game.key}-audit.db"
    fill(path, game, matches)
    terms = make_plan(game.key, None, {}, ["random"], 0)
    _, events = audited(path, 1)
    audit, replay, play = best_of(
        3,
        lambda: audited(path, 1),
        lambda: ours(path),
        lambda: [playout(game, terms, seed) for seed in range(matches)],
    )
    return {
        f"{game.key}.audit_matches_per_s": matches / audit,
        f"{game.key}.audit_vs_yardstick": 1_000_000 * matches / audit / yardstick(),
        f"{game.key}.audit_events_per_s": events / audit,
        f"{game.key}.audit_vs_replay_plus_playout": audit / (replay + play),
    }


def measure_jobs(folder: Path, game: Game, matches: int) -> dict[str, float]:
    """How much two processes gain, their start included, and which part of what two plain ones gain on this machine."""
    path = folder / f"{game.key}-jobs-{matches}.db"
    fill(path, game, matches)
    plan = make_plan(game.key, None, {}, ["random"], 0)

    def simulated(jobs: int) -> int:
        return sum(1 for _ in simulate(plan, matches, jobs))

    audit, audit2, play, play2, alone, together = best_of(
        max(5, 5_000 // matches),  # a tenth of a second is soon disturbed
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
