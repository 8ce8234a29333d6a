"""An arena as a terminal shows it: a bar while it runs, then ratings and how every pair did."""

import time

from projections.words import count, numbered
from service.games.shelf import find_game
from service.research.arena import BATCH, Contest, encounters
from service.shell.answers.research import ArenaAnswer, arena_answer
from service.shell.terminal.paint import console, grid, say, show_json
from service.shell.terminal.progress import tracked
from service.shell.terminal.words import forfeits_in_words


def run_arena(contest: Contest, jobs: int, cluster: str | None, database: str | None, as_json: bool) -> None:
    """Hold a contest and show what it came to."""
    total = contest.matches * len(contest.pairs)
    # A process that gets no batch would only cost its start.
    jobs = min(jobs, -(-total // BATCH))
    started = time.perf_counter()
    running = encounters(contest, jobs, database, cluster)
    done = list(tracked(running, total, f"arena of {contest.game}", is_quiet=as_json))
    seconds = time.perf_counter() - started
    answer = arena_answer(contest, done)
    if as_json:
        show_json(answer)
        return
    _show(contest, answer)
    say(f"{total / seconds:,.1f} matches/s in {seconds:.1f} s", "dim")
    if database is not None:
        say(f"Kept in the ledger; see: matchledger list --game {contest.game} --status closed", "dim")


def _show(contest: Contest, answer: ArenaAnswer) -> None:
    title, half = find_game(contest.game).title, contest.matches // 2
    seeds = numbered("seed", contest.seed, contest.seed + half - 1)
    pairs = count(len(contest.pairs), "pair")
    say(f"{pairs} at {title}, {count(contest.seats, 'seat')}, {contest.matches} matches each, {seeds}", "bold")
    numbers = ["rating", "±", "score", "matches"]
    table = grid("bot", *numbers, right=numbers, wraps=["bot"])
    for bot in answer.bots:
        table.add_row(bot.bot, f"{bot.rating:.0f}", f"{bot.error:.0f}", f"{bot.score:.1%}", str(bot.matches))
    console().print(table)
    say("")
    numbers = ["won", "shared", "lost", "score", "95 of 100", "points"]
    table = grid("pair", *numbers, right=numbers, wraps=["pair"])
    for met in answer.meetings:
        one, other = met.bots
        table.add_row(
            f"{one} – {other}",
            str(met.wins),
            str(met.shared),
            str(met.losses),
            f"{met.score:.1%}",
            f"{met.low:.0%}–{met.high:.0%}",
            f"{met.points:+.1f}".replace("-", "−"),
        )
    console().print(table)
    for bot in answer.bots:
        if bot.forfeits:
            say(forfeits_in_words(bot.bot, bot.forfeits), "bad")
