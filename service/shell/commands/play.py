"""`play`: a match at the terminal, begun or gone on with."""

from typing import Annotated

import typer

from service.errors import NotFound, UsageError
from service.games.shelf import GAMES, known_games, maybe_game
from service.play.appending import refuse_closed, refuse_unplayable
from service.play.bots import welcome_programs
from service.play.commands import OpenMatch
from service.play.history import Live
from service.play.players import LONE, read_players
from service.shell.backend.backend import Backend
from service.shell.commands.completion import complete_bot_at_a_table
from service.shell.commands.session import PLAY, SEAT, Options, Seed, examples, game_or_match_argument, open_backend
from service.shell.terminal.play import play as play_at_terminal
from service.shell.terminal.words import maybe_seat, read_options

app = typer.Typer()


@app.command(
    rich_help_panel=PLAY,
    epilog=examples(
        f"play {GAMES[0].key}", f"play {GAMES[0].key} Ann Ben", f"play {GAMES[0].key} Ann bot:search:3", "play last"
    ),
)
def play(
    context: typer.Context,
    game_or_match: Annotated[str, game_or_match_argument("A game to begin, or a match to continue.")],
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYERS",
            help="Names and bots, such as bot:search:3; bot:greedy plays every other seat the game needs.",
            autocompletion=complete_bot_at_a_table,
        ),
    ] = None,
    option: Options = None,
    seed: Seed = None,
    undo: Annotated[str, typer.Option(help="strict, consent or free; by default free.")] = "",
    seat: Annotated[
        str | None,
        typer.Option(
            metavar=SEAT, help="At a server: play this seat; by default every seat for which you have a token."
        ),
    ] = None,
    runs_programs: Annotated[
        bool,
        typer.Option(
            "--run-programs",
            help="Run the programs of this match (bot:exec:…) on this machine, whoever added them.",
        ),
    ] = False,
) -> None:
    """Play at the terminal, against bots or by turns at one keyboard; at a server, with people at other terminals."""
    game = maybe_game(game_or_match)
    seated = players or [LONE]
    if game is not None:
        seated = [*seated, *["bot:greedy"] * (game.rules.seats[0] - len(seated))]
    read_players(seated)
    options = read_options(option)
    if game is None and (players or option or undo or seed is not None):
        raise UsageError(
            "play/match", f"{game_or_match!r} is not a game; players and options go with a new match only."
        )
    with open_backend(context, creates=game is not None) as backend:
        if game is not None:
            opening = OpenMatch(game=game.key, players=seated, options=options, undo=undo or "free", seed=seed)
            live = backend.open_match(opening)
        else:
            live = _to_go_on(backend, game_or_match, runs_programs)
        play_at_terminal(backend, live, maybe_seat(live, seat))


def _to_go_on(backend: Backend, match: str, runs_programs: bool) -> Live:
    try:
        live = backend.read(match)
    except NotFound as refusal:
        refusal.hint = f"Games to begin: {', '.join(game.key for game in known_games())}"
        raise
    refuse_closed(live)
    if backend.own_seats(live) is None:  # nobody else could sit down meanwhile
        refuse_unplayable(live)
        welcome_programs(live, runs_programs)
    return live
