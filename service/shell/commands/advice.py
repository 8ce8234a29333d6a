"""What a search makes of a match: `hint` says what to play, `review` what should have been. Nothing is changed."""

from typing import Annotated

import typer

from service.bots.search import LEVELS
from service.play import hints
from service.play.workers import answers
from service.questions import review as reviewing
from service.shell.answers.advice import hint_answer, review_answer
from service.shell.commands.session import ALL_CORES, LOOK, At, Jobs, Json, Seat, Source, examples, load_match
from service.shell.terminal import words
from service.shell.terminal.advice import show_hints, show_review
from service.shell.terminal.paint import show_json
from service.shell.terminal.progress import tracked

app = typer.Typer()

Level = Annotated[
    str, typer.Option("--level", "-l", metavar=f"{min(LEVELS)}–{max(LEVELS)}", help="How long to search; 5 is longest.")
]


@app.command(rich_help_panel=LOOK, epilog=examples("hint last", "hint kx60 --level 5", "hint game.mlr --at s12"))
def hint(
    context: typer.Context,
    match: Source,
    seat: Seat = None,
    level: Level = str(hints.LEVEL),
    at: At = None,
    as_json: Json = False,
) -> None:
    """Say what to play: the three best moves a search finds, with the lead it expects from each."""
    live = load_match(context, match, at)
    whose = words.read_seat(live, seat) if seat is not None else None
    thinking = hints.read_level(level)
    whose, found = hints.hint(live, whose, thinking)
    if as_json:
        show_json(hint_answer(live, whose, thinking, found))
    else:
        show_hints(live, whose, thinking, found)


@app.command("review", rich_help_panel=LOOK, epilog=examples("review last", "review game.mlr --level 4 --json"))
def review_match(
    context: typer.Context,
    match: Source,
    level: Level = str(reviewing.LEVEL),
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Review a match: how much each decision lost against the best move a search finds, and where the match turned."""
    history = load_match(context, match)
    inquest = reviewing.Inquest(history, hints.read_level(level))
    found = answers(hints.weighed, inquest.asked, jobs or ALL_CORES)
    shown = tracked(found, len(inquest.asked), "looking through", is_quiet=as_json)
    review = review_answer(history, inquest.answered(shown))
    if as_json:
        show_json(review)
    else:
        show_review(history, review)
