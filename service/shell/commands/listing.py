"""The commands that list: `games` and `list`."""

import sys
from typing import Annotated, Final

import typer
from msgspec import json

from service.errors import Damaged, UsageError
from service.games.shelf import find_game, known_games
from service.limits import NUMBER
from service.play.listing import read_status
from service.shell.backend.reader import MatchFilter
from service.shell.commands.completion import complete_game, complete_match
from service.shell.commands.session import LOOK, Json, examples, open_reader
from service.shell.terminal.listing import show_matches

app = typer.Typer()

SHOWN: Final = 20
"""Matches in a list where nobody says how many."""


@app.command(rich_help_panel=LOOK, epilog=examples("games", "games azul", "games mc --json"))
def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Only this game, in full.", autocompletion=complete_game),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games, their options and how moves are written; for one game, its score pad and rules too."""
    from service.shell.answers.games import game_answer  # `list` has no use for any of it
    from service.shell.terminal.games import show_game_in_full, show_games
    from service.shell.terminal.paint import show_json

    if name is not None:
        game = find_game(name)
        if as_json:
            show_json(game_answer(game))
        else:
            show_game_in_full(game)
    elif as_json:
        show_json([game_answer(game) for game in known_games()])
    else:
        show_games()


@app.command("list", rich_help_panel=LOOK, epilog=examples("list --status playing", "list --player Ann --limit 5"))
def list_matches(
    context: typer.Context,
    game: Annotated[str | None, typer.Option(help="Only this game.", autocompletion=complete_game)] = None,
    status: Annotated[str | None, typer.Option(help="open, playing or closed.")] = None,
    player: Annotated[str | None, typer.Option(help="Only matches with a player of this name.")] = None,
    parent: Annotated[str | None, typer.Option(help="Only forks of this match.", autocompletion=complete_match)] = None,
    limit: Annotated[int | None, typer.Option(min=1, help=f"List at most so many; by default {SHOWN}.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every match.")] = False,
    as_json: Json = False,
) -> None:
    """List matches, the one with the latest move first.

    If there are more matches than are listed, a line on standard error says how many; with --json, an object does.
    """
    if everything and limit is not None:
        raise UsageError("list/limit", f"Give either --all or --limit {limit}, not both.")
    most = NUMBER if everything else limit or SHOWN
    key = find_game(game).key if game is not None else None
    with_status = read_status(status)
    wanted = MatchFilter(key, with_status, player, parent, most + 1)
    with open_reader(context) as backend:
        lines = backend.matches(wanted)
        are_more, lines = len(lines) > most, lines[:most]
        total = backend.count(wanted) if are_more else len(lines)
    if as_json:
        from service.shell.answers.listing import listed_answer
        from service.shell.terminal.paint import show_json

        show_json([listed_answer(line) for line in lines])
    else:
        show_matches(lines, is_filtered=any((game, status, player, parent)))
    if are_more:  # beside the list and not in it: programs read that
        sys.stdout.flush()
        print(_left_out(most, total, as_json), file=sys.stderr)
    if any(isinstance(line, Damaged) for line in lines):
        raise typer.Exit(Damaged.exit_code)


def _left_out(listed: int, total: int | None, as_json: bool) -> str:
    """What is said beside a list that is not whole."""
    if as_json:
        return json.encode({"listed": listed, "total": total}).decode()
    if total is None:
        return f"{listed} matches, and there are more; --limit N shows N, --all shows all."
    return f"{listed} of {total} matches; --limit {total} shows all."
