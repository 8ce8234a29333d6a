"""Aligned tables of everything the ledger lists."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from rich.padding import Padding
from rich.text import Text

from projections.words import count, gained, joined
from service.errors import Damaged
from service.games.options import offered
from service.games.shelf import GAMES, known_games
from service.play.history import History
from service.shell.answers.match import Listed
from service.shell.terminal.choices import show_choices
from service.shell.terminal.grid import grid
from service.shell.terminal.paint import console, say, show_error
from service.visible import visible


def show_games() -> None:
    """Every game with its options, defaults first, and how its moves are written; score pads below the games."""
    is_among_pads = False
    for index, game in enumerate(sorted(known_games(), key=lambda game: bool(game.pad_of))):
        if index:
            say("")
        if game.pad_of and not is_among_pads:
            say("Score pads, for games at a real table; matchledger pad keeps one:", "bold")
            say("")
            is_among_pads = True
        seats = game.rules.seats
        say(f"{game.key}  {game.title}, {seats[0]}–{seats[-1]} seats ({game.rules.ruleset})", "bold")
        if older := joined([rules.ruleset for rules in game.other_rules]):
            say(f"  matches opened under {older} are still played and audited by it", "dim")
        table = grid("option", "values (default first)", "meaning")
        for option in game.rules.options:
            others = [choice for choice in offered(option, seats) if choice.text != option.default]
            words = [f"{choice.text} ({choice.tables})" if choice.tables else choice.text for choice in others]
            table.add_row(option.name, " | ".join([option.default, *words]), option.help)
        console().print(Padding.indent(table, 2))
        say("")
        moves = grid("move", "meaning")
        for move, meaning in game.notation.examples:
            moves.add_row(move, meaning)
        console().print(Padding.indent(moves, 2))


_WIDEST: Final = 200
"""Characters that the players of one match may take in a listing; more than any table's, less than a screen."""


def show_matches(lines: Sequence[Listed | Damaged], is_filtered: bool) -> None:
    """Matches, the one moved last on top; below them what is wrong with those that are damaged."""
    if not lines:
        hint = (
            "No match fits."
            if is_filtered
            else f"No matches yet. Open one with: matchledger new {GAMES[0].key} Ann Ben"
        )
        say(hint, "dim")
        return
    table = grid("match", "game", "players", "status", "events", "moved", right=["events"])
    for line in lines:
        if isinstance(line, Damaged):
            table.add_row(line.match, "–", "–", "damaged", "–", "–")
            continue
        row, seats = line
        players = ", ".join(seat.name or f"Seat {seat.seat}" for seat in seats) or "–"
        origin = f"\n{visible(f'fork of {row.parent}')}" if row.parent else ""
        table.add_row(
            row.id,
            row.game,
            Text(visible(players[:_WIDEST]) + "…" * (len(players) > _WIDEST) + origin),
            row.status,
            str(row.head.seq),
            _ago(row.moved_at),
        )
    console().print(table)
    for line in lines:
        if isinstance(line, Damaged):
            show_error(line, as_json=False)


def _ago(moment: datetime) -> str:
    seconds = int((datetime.now(UTC) - moment).total_seconds())
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "min")):
        if seconds >= size:
            return f"{count(seconds // size, unit) if unit != 'min' else f'{seconds // size} min'} ago"
    return "just now"


def show_scores(history: History) -> None:
    """The score sheet: every point with its rule and reason, a gap between rounds, then the totals."""
    names, entries = history.names, history.scoresheet
    rounds = ["round"] if history.game.has_rounds else []
    heads = ["event", *rounds, "who", "points", "total", "rule", "reason"]
    table = grid(*heads, right=["event", *rounds, "points", "total"])
    last_round = None
    for entry in entries:
        if last_round not in (None, entry.round):
            table.add_row()
        last_round = entry.round
        points = gained(entry.applied, entry.requested)
        place = [str(entry.seq), *(str(entry.round) for _ in rounds)]
        table.add_row(*place, names[entry.seat], points, str(entry.total), entry.rule, entry.reason)
    if entries:
        console().print(table)
        say("")
    else:
        say("No points yet.", "dim")
    scores = history.game.projection.scores(history.table.state)
    say("   ".join(f"{names[seat]} {score}" for seat, score in enumerate(scores, start=1)), "bold")


def show_legal(live: History, moves: Mapping[int, Sequence[str]]) -> None:
    """The legal moves of each seat in words, those that begin alike together, passes last."""
    for seat, texts in moves.items():
        say(f"{live.names[seat]} (seat {seat}): {count(len(texts), 'legal move')}", "bold")
        if texts:
            show_choices(live, seat, numbered=False)
    if live.table.closed is not None:
        say(f"Match {live.id} is closed ({live.table.closed.reason}): nothing can be played any more.")
    elif not any(moves.values()):
        request = live.game.rules.request(live.table.state)
        to_act = [f"{live.names[seat]} (seat {seat})" for seat in live.game.projection.to_act(live.table.state)]
        say(f"The {request.purpose} is awaited; use `deal`." if request else f"To move: {joined(to_act) or 'nobody'}.")


def show_result(live: History) -> None:
    """Who won, if somebody has."""
    closed = live.table.closed
    if closed is None:
        return
    if not closed.standings:
        say("The match was abandoned without a result.", "bold")
        return
    if closed.reason != "finished":
        say(f"The match is closed ({closed.reason}).")
    names = [live.names[place.seat] for place in closed.standings]
    scores = [place.score for place in closed.standings]
    for place, name in zip(closed.standings, names, strict=True):
        equals = {other.tiebreak for other in closed.standings if other.score == place.score}
        tie = f"  (tie-break {place.tiebreak})" if len(equals) > 1 else ""
        text = f"{place.rank}. {name:{max(map(len, names))}}  {place.score:{max(len(str(x)) for x in scores)}}{tie}"
        say(text, "bold" if place.rank == 1 else "")
