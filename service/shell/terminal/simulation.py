"""A simulation as a terminal shows it: a bar while it runs, then wins, scores and lengths."""

import time
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

from projections.words import count, numbered
from service.games.shelf import find_game
from service.play.simulate import BATCH, Plan, Result, simulate
from service.shell.terminal.paint import console, grid, say, show_json
from service.shell.terminal.progress import tracked
from service.shell.terminal.words import forfeits_in_words


def run_simulation(
    plan: Plan, matches: int, jobs: int, cluster: str | None, database: str | None, as_json: bool
) -> None:
    """Play the matches of a plan and sum them up."""
    # A process that gets no batch would only cost its start.
    jobs = min(jobs, -(-matches // BATCH))
    started = time.perf_counter()
    running = simulate(plan, matches, jobs, database, cluster)
    results = list(tracked(running, matches, f"simulating {plan.game}", is_quiet=as_json))
    seconds = time.perf_counter() - started
    if as_json:
        summary = [seat_summary(results, seat) for seat in range(1, plan.seats + 1)]
        show_json({"plan": plan, "matches": len(results), "seats": summary, "results": [r._asdict() for r in results]})
        return
    _show_summary(plan, results, seconds)
    if database is not None:
        say(f"Kept in the ledger; see: matchledger list --game {plan.game} --status closed", "dim")


def _show_summary(plan: Plan, results: Sequence[Result], seconds: float) -> None:
    seeds = numbered("seed", plan.seed, plan.seed + len(results) - 1)
    played = count(len(results), "match", "matches")
    say(f"{played} of {find_game(plan.game).title}, {count(plan.seats, 'seat')}, {seeds}", "bold")
    numbers = ["wins", "shared", "win rate", "mean", "median", "lowest", "highest"]
    table = grid("seat", "bot", *numbers, right=["seat", *numbers], wraps=["bot"])
    for seat in range(1, plan.seats + 1):
        summary = seat_summary(results, seat)
        table.add_row(
            str(seat),
            plan.bots[seat - 1],
            str(summary["wins"]),
            str(summary["shared"]),
            f"{summary['win_rate']:.1%}",
            f"{summary['mean']:.1f}",
            f"{summary['median']:g}",
            str(summary["lowest"]),
            str(summary["highest"]),
        )
    console().print(table)
    for seat, bot in enumerate(plan.bots, start=1):
        forfeits = [forfeit for result in results for forfeit in result.forfeits if forfeit.seat == seat]
        if forfeits:
            said = f" The first one: {forfeits[0].said}" if forfeits[0].said else ""
            say(forfeits_in_words(f"Seat {seat}, {bot},", Counter(one.why for one in forfeits)) + said, "bad")
        if absences := sum(seat in result.absent for result in results):
            where = count(absences, "match", "matches")
            say(f"Seat {seat} made no move of its own in {where}: no victory is counted for it there.", "bad")
    actions = [result.actions for result in results]
    say(f"Moves per match: {fmean(actions):.1f} on average, {min(actions)} to {max(actions)}.")
    say(f"{len(results) / seconds:,.0f} matches/s, {sum(actions) / seconds:,.0f} moves/s in {seconds:.1f} s", "dim")


def seat_summary(results: Sequence[Result], seat: int) -> dict[str, Any]:
    """One seat's part in a simulation; a shared victory counts as its share in the win rate."""
    scores = [result.scores[seat - 1] for result in results]
    wins = sum(result.winners == (seat,) for result in results)
    shared = sum(seat in result.winners and len(result.winners) > 1 for result in results)
    return {
        "seat": seat,
        "wins": wins,
        "shared": shared,
        "win_rate": sum(1 / len(result.winners) for result in results if seat in result.winners) / len(results),
        "mean": fmean(scores),
        "median": median(scores),
        "lowest": min(scores),
        "highest": max(scores),
    }
