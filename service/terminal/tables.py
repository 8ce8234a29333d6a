"""Aligned tables of everything the ledger lists."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from statistics import fmean, median
from typing import Any, Final

from rich.table import Table

from projections.core import Names
from projections.scoresheet import Entry
from projections.words import count, signed
from service.games import GAMES, Game
from service.replay import Live
from service.simulate import Plan, Result
from service.store.shapes import MatchRow, SeatRow
from service.terminal.paint import console, say

WRAPPING: Final = ("reason", "meaning", "players", "values (default first)")


def _table(*columns: str, right: Sequence[str] = (), title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(
            column, justify="right" if column in right else "left", no_wrap=column not in WRAPPING, overflow="fold"
        )
    return table


def show_games() -> None:
    """Every game with its options, defaults first, and how its moves are written."""
    for game in GAMES:
        seats = game.rules.seats
        say(f"{game.key}  {game.title}, {seats[0]}–{seats[-1]} seats, rules {game.rules.ruleset}", "bold")
        table = _table("option", "values (default first)", "meaning")
        for option in game.rules.options:
            others = [choice for choice in option.choices if choice != option.default]
            table.add_row(f"  {option.name}", " | ".join([option.default, *others]), option.help)
        console().print(table)
        moves = _table("move", "meaning")
        for move, meaning in game.notation.examples:
            moves.add_row(f"  {move}", meaning)
        console().print(moves)
        say("")


def games_view() -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "key": game.key,
            "title": game.title,
            "ruleset": game.rules.ruleset,
            "seats": list(game.rules.seats),
            "options": [
                {"name": o.name, "default": o.default, "choices": list(o.choices), "help": o.help}
                for o in game.rules.options
            ],
            "moves": [{"move": move, "meaning": meaning} for move, meaning in game.notation.examples],
        }
        for game in GAMES
    ]


def show_matches(rows: Sequence[MatchRow], seats: Mapping[str, Sequence[SeatRow]]) -> None:
    """Matches, the one moved last on top."""
    if not rows:
        say("No matches. Open one with: matchledger new azul Ann Ben", "dim")
        return
    table = _table("match", "game", "players", "status", "events", "moved", "forked from", right=["events"])
    for row in rows:
        players = ", ".join(seat.name for seat in seats.get(row.id, ())) or "–"
        moved = _ago(row.moved_at)
        table.add_row(row.id, row.game, players, row.status, str(row.head.seq), moved, row.parent or "")
    console().print(table)


def _ago(moment: datetime) -> str:
    seconds = int((datetime.now(UTC) - moment).total_seconds())
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = seconds // size
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "just now"


def match_view(row: MatchRow, seats: Sequence[SeatRow]) -> dict[str, Any]:
    """A match as a program lists it."""
    return {
        "id": row.id,
        "game": row.game,
        "ruleset": row.ruleset,
        "status": row.status,
        "undo": row.undo,
        "chance": row.chance,
        "parent": row.parent,
        "opened_at": row.opened_at,
        "moved_at": row.moved_at,
        "head": row.head.seq,
        "players": [{"seat": seat.seat, "name": seat.name, "kind": seat.kind} for seat in seats],
    }


def show_scores(live: Live, entries: Sequence[Entry]) -> None:
    """The score sheet: every point with its rule and reason, then the totals."""
    names = live.names
    table = _table(
        "event", "round", "who", "points", "total", "rule", "reason", right=["event", "round", "points", "total"]
    )
    last_round = None
    for entry in entries:
        if last_round not in (None, entry.round):
            table.add_section()
        last_round = entry.round
        points = signed(entry.applied)
        if entry.applied != entry.requested:
            points += f" of {signed(entry.requested)}"
        table.add_row(
            str(entry.seq), str(entry.round), names[entry.seat], points, str(entry.total), entry.rule, entry.reason
        )
    console().print(table)
    scores = live.game.projection.scores(live.table.state)
    say("")
    say("   ".join(f"{names[seat]} {score}" for seat, score in enumerate(scores, start=1)), "bold")


def show_summary(plan: Plan, game: Game, results: Sequence[Result], seconds: float) -> None:
    """What a simulation found: who won how often, with which scores, in how many moves."""
    say(
        f"{len(results)} matches of {game.title}, {plan.seats} seats, seeds {plan.seed}–{plan.seed + len(results) - 1}",
        "bold",
    )
    table = _table(
        "seat", "bot", "wins", "shared", "win rate", "mean", "median", "lowest", "highest",
        right=["wins", "shared", "win rate", "mean", "median", "lowest", "highest"],
    )  # fmt: skip
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
    actions = [result.actions for result in results]
    say(f"actions per match: mean {fmean(actions):.1f}, {min(actions)}–{max(actions)}")
    say(f"{len(results) / seconds:,.0f} matches/s, {sum(actions) / seconds:,.0f} actions/s in {seconds:.1f} s", "dim")


def seat_summary(results: Sequence[Result], seat: int) -> dict[str, Any]:
    """One seat's part in a simulation."""
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


def show_legal(live: Live, moves: Mapping[int, Sequence[str]]) -> None:
    """The legal moves of each seat, those that begin alike on one line."""
    for seat, texts in moves.items():
        say(f"{live.names[seat]} (seat {seat}): {count(len(texts), 'legal move')}", "bold")
        for _, group in groupby(texts, key=lambda text: text[0]):
            say("  " + "  ".join(group))
    if not any(moves.values()):
        request = live.game.rules.request(live.table.state)
        say(f"The {request.purpose} is awaited; use `deal`." if request else "Nothing can be played now.")


def show_result(live: Live) -> None:
    """Who won, if somebody has."""
    closed = live.table.closed
    if closed is None:
        return
    if not closed.standings:
        say("The match was abandoned without a result.", "bold")
        return
    names: Names = live.names
    for place in closed.standings:
        tie = f"  (tie-break {place.tiebreak})" if place.tiebreak else ""
        say(f"{place.rank}. {names[place.seat]}  {place.score}{tie}", "bold" if place.rank == 1 else "")
