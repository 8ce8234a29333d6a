"""The commands that look at matches and change nothing: `games`, `list`, `show`, `legal`, `log`, `scores`, `replay`."""

from typing import Annotated

import typer

from projections.disputes import docket_of
from service.errors import Damaged
from service.games.shelf import find_game, known_games
from service.play import moves
from service.play.appending import refuse_unplayable
from service.shell.answers.games import game_answer
from service.shell.answers.match import listed_answer, match_answer
from service.shell.commands.session import LOOK, At, Json, Seat, Source, examples, load_match, open_house
from service.shell.house.house import Wanted
from service.shell.terminal import rulings, tables, views, words
from service.shell.terminal.paint import show_json
from service.shell.terminal.watch import step_at, steps_between, watch

app = typer.Typer()


@app.command(rich_help_panel=LOOK)
def games(as_json: Json = False) -> None:
    """List the games with their options and how their moves are written."""
    if as_json:
        show_json([game_answer(game) for game in known_games()])
    else:
        tables.show_games()


@app.command("list", rich_help_panel=LOOK, epilog=examples("list --status playing", "list --player Ann --limit 5"))
def list_matches(
    context: typer.Context,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    status: Annotated[str | None, typer.Option(help="open, playing or closed.")] = None,
    player: Annotated[str | None, typer.Option(help="Only matches where this name sits.")] = None,
    parent: Annotated[str | None, typer.Option(help="Only forks of this match.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
    as_json: Json = False,
) -> None:
    """List matches, the one moved last on top."""
    key = find_game(game).key if game is not None else None
    with_status = words.read_status(status)
    with open_house(context) as house:
        lines = house.matches(Wanted(key, with_status, player, parent, limit))
    if as_json:
        show_json([listed_answer(line) for line in lines])
    else:
        tables.show_matches(lines, is_filtered=any((game, status, player, parent)))
    if any(isinstance(line, Damaged) for line in lines):
        raise typer.Exit(Damaged.exit_code)


@app.command(rich_help_panel=LOOK, epilog=examples("show last", "show kx60 --at s12", "show kx60 --at 57 --json"))
def show(context: typer.Context, match: Source, at: At = None, as_json: Json = False) -> None:
    """Show the table, now or as it stood at any point."""
    live = load_match(context, match, at)
    if as_json:
        show_json(match_answer(live))
    else:
        views.show_match(live)
        views.show_fairness(live)


@app.command(rich_help_panel=LOOK)
def legal(context: typer.Context, match: Source, seat: Seat = None, at: At = None, as_json: Json = False) -> None:
    """List every legal move."""
    live = load_match(context, match, at)
    if live.table.closed is None:
        refuse_unplayable(live)
    to_act = live.game.projection.to_act(live.table.state) if live.table.closed is None else ()
    seats = to_act if seat is None else [words.read_seat(live, seat)]
    by_seat = {number: list(moves.legal_moves(live, number)) if number in to_act else [] for number in seats}
    if as_json:
        show_json(by_seat)
    else:
        tables.show_legal(live, by_seat)


@app.command(rich_help_panel=LOOK)
def log(context: typer.Context, match: Source, at: At = None, as_json: Json = False) -> None:
    """Tell what happened, one sentence per event; undone steps stay readable."""
    live = load_match(context, match, at)
    if as_json:
        show_json(live.envelopes)
    else:
        views.show_log(live)


@app.command(rich_help_panel=LOOK)
def scores(context: typer.Context, match: Source, at: At = None, as_json: Json = False) -> None:
    """Show the score sheet: every point with its rule, its reason and the running total."""
    live = load_match(context, match, at)
    if as_json:
        show_json(live.scoresheet)
    else:
        tables.show_scores(live)
        rulings.show_rulings(docket_of(live.envelopes), live.names)


@app.command(
    "replay",
    rich_help_panel=LOOK,
    epilog=examples("replay last", "replay last --at s12", "replay game.mlr --from 10 --to 20 --delay 0.5"),
)
def replay_match(
    context: typer.Context,
    match: Source,
    first: Annotated[int | None, typer.Option("--from", metavar="STEP", min=1, help="First step.")] = None,
    last: Annotated[int | None, typer.Option("--to", metavar="STEP", min=1, help="Last step.")] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="PLACE", help="Begin with event 57, or with step s12.")
    ] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between steps, without keys.")] = 0,
    as_json: Json = False,
) -> None:
    """Step through a match: with keys in a terminal (? tells which), printed otherwise."""
    live = load_match(context, match)
    steps = steps_between(live, first, last)
    start = step_at(live, steps, at) if at is not None else steps[0]
    if as_json:
        show_json([match_answer(live.at(f"s{step}")) for step in steps if step >= start])
    else:
        watch(live, steps, delay, start)
