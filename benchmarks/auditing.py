"""Audit: every check on every match of a store, against plain replay plus playing the same moves again."""

from pathlib import Path

from benchmarks.clock import best_of, yardstick
from benchmarks.replaying import fill, ours
from service.audit.bulk import AuditTerms, audit_all
from service.games.game import Game
from service.play.simulate import make_plan, playout


def audited(path: Path, jobs: int) -> tuple[int, int]:
    """Matches and events audited; every one has to be clean."""
    matches = events = 0
    for batch in audit_all(str(path), AuditTerms(), jobs):
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
