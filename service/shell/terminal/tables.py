"""Aligned tables of what is in a match."""

from collections.abc import Mapping, Sequence

from projections.words import count, gained, total
from service.play.history import History
from service.play.moves import to_move
from service.shell.terminal.choices import show_choices
from service.shell.terminal.grid import grid
from service.shell.terminal.paint import console, say


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
        table.add_row(*place, names[entry.seat], points, total(entry.total), entry.rule, entry.reason)
    if entries:
        console().print(table)
        say("")
    else:
        say("No points yet.", "dim")
    scores = history.game.projection.scores(history.table.state)
    say("   ".join(f"{names[seat]} {total(score)}" for seat, score in enumerate(scores, start=1)), "bold")


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
        say(f"The {request.purpose} is awaited; use `deal`." if request else f"To move: {to_move(live) or 'nobody'}.")


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
    scores = [total(place.score) for place in closed.standings]
    for place, name, score in zip(closed.standings, names, scores, strict=True):
        equals = {other.tiebreak for other in closed.standings if other.score == place.score}
        tie = f"  (tie-break {place.tiebreak})" if len(equals) > 1 else ""
        text = f"{place.rank}. {name:{max(map(len, names))}}  {score:>{max(map(len, scores))}}{tie}"
        say(text, "bold" if place.rank == 1 else "")
