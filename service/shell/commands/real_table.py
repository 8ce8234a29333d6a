"""The commands for games at a real table: `record` takes every move, `pad` keeps the score, by hand or from a file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from projections.words import count
from service.errors import UsageError
from service.files import read_text
from service.games.game import Game
from service.games.options import read_options as read_game_options
from service.games.shelf import known_games, maybe_game
from service.handle import handle, open_match
from service.play.appending import refuse_unplayable
from service.play.commands import Enter, OpenMatch
from service.play.history import Live, rounds
from service.play.ledger import LocalLedger
from service.play.players import read_name
from service.play.replay import load
from service.records.sheet import entries_in, names_in, read_sheet
from service.shell.commands.session import RECORDS, Options, examples, game_or_match_argument, open_ledger
from service.shell.terminal import real_table
from service.shell.terminal.paint import say, show_table
from service.shell.terminal.words import read_options

app = typer.Typer()

Players = Annotated[list[str] | None, typer.Argument(metavar="PLAYERS", help="Names in turn order.")]


@app.command(rich_help_panel=RECORDS)
def record(
    context: typer.Context,
    game_or_match: Annotated[str, game_or_match_argument("The game on the table, or a recorded match to continue.")],
    players: Players = None,
    seats: Annotated[int | None, typer.Option(help="Seats at the table; by default one for each player.")] = None,
    option: Options = None,
) -> None:
    """Enter a match played with real pieces: every move, and what was drawn."""
    game = maybe_game(game_or_match)
    with open_ledger(context, creates=True) as ledger:
        if game is not None:
            rules = game.rules
            names = _asked(players, rules.seats) if seats is None else players or []
            wanted = seats or max(len(names), rules.seats[0])
            read_game_options(rules, {}, wanted)  # refused before anybody is seated
            opening = OpenMatch(
                game=game.key,
                players=_seated(names, wanted),
                seats=wanted,
                options=read_options(option),
                undo="free",
                chance="recorded",
            )
            live = open_match(ledger, opening)
        else:
            live = load(ledger, game_or_match)
            refuse_unplayable(live)
            if live.table.opened.chance != "recorded":
                chance = live.table.opened.chance
                message = f"Match {live.id} has {chance} chance; `record` continues only matches with recorded chance."
                raise UsageError("record/chance", message)
        real_table.record(ledger, live)


@app.command(
    rich_help_panel=RECORDS,
    epilog=examples("pad azul Ann Ben", "pad coloretto --csv evening.csv -o scoringSide=violet", "pad last"),
)
def pad(
    context: typer.Context,
    game_or_match: Annotated[str, game_or_match_argument("The game on the table, or a score pad to continue.")],
    players: Players = None,
    option: Options = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Read the entries from this file; each line: round, seat or name, entry."
        ),
    ] = None,
) -> None:
    """Keep score for a game played with real pieces: enter what was placed and lost, round by round."""
    rows = None if sheet is None else read_sheet(read_text(sheet, "CSV file", "pad/file", "pad/no-file"))
    game = _pad_for(game_or_match)
    with open_ledger(context, creates=True) as ledger:
        if game is None:
            live = _kept(ledger, game_or_match)
            state = live.game.projection.copy(live.table.state)
            names = {seat: row.name for seat, row in live.seats.items()}
            entries = list(entries_in(live.game, state, rounds(live), names, rows or ()))
        else:
            seats = game.rules.seats
            words = _seated(_asked(players or names_in(rows or ()), seats), seats[0])
            options, names = read_options(option), dict(enumerate(words, start=1))
            # Tried before anything is opened: a file that is refused leaves nothing behind.
            state = game.projection.initial(len(words), read_game_options(game.rules, options, len(words)))
            entries = list(entries_in(game, state, 0, names, rows or ()))
            live = open_match(ledger, OpenMatch(game=game.key, options=options, chance="recorded", players=words))
        if rows is None:
            real_table.keep_pad(ledger, live)
            return
        if entries:
            handle(ledger, live, Enter(entries=tuple(entries)))
        say(f"{count(len(entries), 'entry', 'entries')} from {count(len(rows), 'line')} of {sheet}.")
        say("")
        show_table(live.game.projection, live.table.state, live.names)
        real_table.show_kept(live)


def _pad_for(word: str) -> Game | None:
    """The pad of that name, or of the game of that name."""
    named = maybe_game(word)
    if named is None or named.pad_of:
        return named
    return next((game for game in known_games() if game.pad_of == named.key), None)


def _kept(ledger: LocalLedger, match: str) -> Live:
    """A pad in the ledger that is not finished."""
    live = load(ledger, match)
    if not live.game.pad_of:
        raise UsageError("pad/match", f"Match {live.id} is no score pad; it is a match of {live.game.key}.")
    refuse_unplayable(live)
    return live


def _asked(players: Sequence[str] | None, seats: range) -> Sequence[str]:
    """Those named, or else those who are asked for where somebody can answer."""
    return players or (real_table.ask_names(seats) if sys.stdin.isatty() else [])


def _seated(names: Sequence[str], least: int) -> list[str]:
    """The names given, and numbers for seats nobody named."""
    read = [read_name(name) for name in names]
    return [*read, *(f"Seat {seat}" for seat in range(len(read) + 1, least + 1))]
