"""The commands that look at one match and change nothing: `show`, `legal`, `log`, `scores`, `replay`."""

from typing import Annotated

import typer

from projections.disputes import docket_of
from service.play import moves
from service.play.appending import refuse_unplayable
from service.shell.answers.match import match_answer
from service.shell.commands.session import LOOK, At, Json, Seat, Source, examples, load_match
from service.shell.terminal import rulings, views, words
from service.shell.terminal.paint import show_json
from service.shell.terminal.watch import step_at, steps_between, watch

app = typer.Typer()


@app.command(rich_help_panel=LOOK, epilog=examples("show last", "show kx60 --at s12", "show kx60 --at 57 --json"))
def show(context: typer.Context, match: Source, at: At = None, as_json: Json = False) -> None:
    """Show the table, now or at any earlier point."""
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
        views.show_legal(live, by_seat)


@app.command(rich_help_panel=LOOK)
def log(context: typer.Context, match: Source, at: At = None, as_json: Json = False) -> None:
    """Print what happened, one sentence per event, undone steps included."""
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
        views.show_scores(live)
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
    at: Annotated[str | None, typer.Option(metavar="PLACE", help="Begin at event 57, or at step s12.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Show the next step after so many seconds, without a key.")] = 0,
    as_json: Json = False,
) -> None:
    """Step through a match: with keys at a terminal (? lists them), printed otherwise."""
    live = load_match(context, match)
    steps = steps_between(live, first, last)
    start = step_at(live, steps, at) if at is not None else steps[0]
    if as_json:
        show_json([match_answer(live.at(f"s{step}")) for step in steps if step >= start])
    else:
        watch(live, steps, delay, start)
