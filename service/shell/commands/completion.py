"""What a shell offers while somebody types: matches, games, players and bots.

Fast, and silent on any trouble: whatever cannot be told at once is not offered. Nothing is made, and nothing is asked
of a server.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Final

import typer

from service.store.shapes import LAST

if TYPE_CHECKING:
    from service.store.store import Store

Offers = list[tuple[str, str]]
"""Words, each with what is said about it."""
_PATIENCE: Final = 0.2
"""Seconds to wait for a database that is busy."""
_LOOKED_THROUGH: Final = 500
"""Matches among which the first letters of an id are looked for, those that moved last."""


def _silent(find: Callable[[typer.Context, str], Iterator[tuple[str, str]]]) -> Callable[[typer.Context, str], Offers]:
    """What is found of the words that begin with what was typed, in any case, up to the first trouble."""

    @wraps(find)
    def offered(context: typer.Context, incomplete: str) -> Offers:
        found: Offers = []
        with suppress(Exception):
            for word, words in find(context, incomplete):
                if word.lower().startswith(incomplete.lower()):
                    found.append((incomplete + word[len(incomplete) :], words))  # shells go by the letters typed
        return found

    return offered


def _store(context: typer.Context) -> "Store":
    from service.shell.commands.session import default_database
    from service.store.connect import open_store

    chosen = context.find_root().params
    if chosen.get("server"):
        raise LookupError("a server is not asked for every key that is pressed")
    return open_store(chosen.get("database") or default_database(), create=False, read_only=True, timeout=_PATIENCE)


@_silent
def complete_match(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    from service.store.shapes import MatchRow, SeatRow

    with _store(context) as store:
        rows = [row for row in store.matches(limit=_LOOKED_THROUGH) if isinstance(row, MatchRow)]
        fitting = [row for row in rows if row.id.startswith(incomplete)]
        seats = store.seats_of([row.id for row in fitting])
    for row in fitting:
        players = ", ".join(seat.name for seat in seats[row.id] if isinstance(seat, SeatRow) and seat.name)
        yield row.id, f"{row.game}: {players}" if players else row.game
    if rows:
        yield LAST, "the match that moved last"


@_silent
def complete_game(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    from service.games.shelf import known_games

    for game in known_games():
        yield game.key, game.title


@_silent
def complete_game_or_match(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    yield from complete_game(context, incomplete)
    yield from complete_match(context, incomplete)


@_silent
def complete_seat(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    # Behind `--seat` the line is not a whole one yet, and what stands in front of it was not told apart.
    match = context.params.get("match") or context.args[0]
    with _store(context) as store:
        seats = store.seats(store.find(match).id)
    for seat in seats:
        yield seat.name or str(seat.seat), f"seat {seat.seat}"


@_silent
def complete_bot(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    from service.bots.kinds import kind_of, offered

    for name in offered():
        yield name, re.split("[,;.]", kind_of(name).summary)[0]  # what goes on in a second line would be another offer


@_silent
def complete_bot_at_a_table(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    from service.play.players import PREFIX

    for name, words in complete_bot(context, ""):
        yield f"{PREFIX}{name}", words
