"""Remakes the table of strength in docs/bots.md: every bot of the house against greedy, at every game, seats swapped.

`python -m benchmarks.arena [--matches N] [--bots NAME,NAME,…] [--jobs N]`
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from service.bots.kinds import offered
from service.games.shelf import GAMES
from service.research.arena import Meeting, encounters, make_contest, meetings
from service.shell.terminal.progress import tracked

PAGE: Final = Path(__file__).parents[1] / "docs" / "bots.md"
BEGIN, END = "<!-- make arena -->\n", "<!-- end of make arena -->"
RIVAL: Final = "greedy"
SLOW: Final = ("search:4", "search:5")
"""Left out unless they are named: they take hours."""


def main() -> None:
    """Hold the contests and write what they came to into the page."""
    usual = [bot for bot in offered() if bot not in (RIVAL, *SLOW)]
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--matches", type=int, default=400)
    reader.add_argument("--bots", default=",".join(usual))
    reader.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = reader.parse_args()
    games = [game for game in GAMES if not game.pad_of]
    rows = [(bot, [_met(game.key, bot, asked.matches, asked.jobs) for game in games]) for bot in asked.bots.split(",")]
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(rewritten(page, table([game.title for game in games], rows)), encoding="utf-8")


def _met(game: str, bot: str, matches: int, jobs: int) -> Meeting:
    contest = make_contest(game, None, {}, (bot, RIVAL), matches, 0)
    (met,) = meetings(contest, tracked(encounters(contest, jobs), matches, f"{bot} at {game}"))
    return met


def table(titles: Sequence[str], rows: Sequence[tuple[str, Sequence[Meeting]]]) -> str:
    """The share of victories against greedy, each with its interval."""
    matches = rows[0][1][0].matches
    lines = [
        f"| against `{RIVAL}`, {matches} matches each | {' | '.join(titles)} |",
        f"|---|{'---|' * len(titles)}",
        *(f"| `{bot}` | {' | '.join(map(_cell, met))} |" for bot, met in rows),
    ]
    return "\n".join(lines) + "\n"


def _cell(met: Meeting) -> str:
    points = f"{met.points:+.1f}".replace("-", "−")
    return f"{met.score:.0%} ({met.low:.0%}–{met.high:.0%}), {points} points"


def rewritten(page: str, new: str) -> str:
    """The page with another table between its marks."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"{PAGE.name} has no place for the table, between {BEGIN.strip()} and {END}")
    return f"{before}{mark}\n{new}\n{end}{after}"


if __name__ == "__main__":
    main()
