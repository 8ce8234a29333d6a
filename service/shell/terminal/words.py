"""What people write on the command line: players, options, names and filters."""

from collections.abc import Sequence
from typing import Final

from service.errors import UsageError, unknown
from service.limits import quoted
from service.play.bots import PREFIX, find_bot
from service.play.matches import Player, told_apart

STATUSES: Final = ("open", "playing", "closed")
LONGEST_NAME: Final = 40
LONE: Final = "Player"
"""Whoever plays without saying a name. A name stands in every sentence and in records that others read: "You" would be
whoever reads them, and a login name nobody asked to be kept."""


def read_player(word: str) -> Player:
    """`Ann`, `bot:greedy`, or a bot with a name of its own: `Ada=bot:greedy`."""
    name, _, kind = word.rpartition("=") if "=" + PREFIX in word else (word, "", "")
    if word.startswith(PREFIX):
        name, kind = word.removeprefix(PREFIX), word
    if kind:
        find_bot(kind.removeprefix(PREFIX))
    return Player(read_name(name), kind=kind or "person")


def read_players(words: Sequence[str]) -> list[Player]:
    """Players for a table, told apart: bots of a kind that got no name of their own are numbered."""
    players: list[Player] = []
    for word in words:
        player = read_player(word)
        is_one_of_several = word.startswith(PREFIX) and words.count(word) > 1
        players.append(told_apart(player, [other.name for other in players], first=1 if is_one_of_several else 0))
    return players


def read_name(word: str) -> str:
    """A name that can be shown on one line of any terminal."""
    name = word.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError("match/name", f"{quoted(word)} is no name; give 1–{LONGEST_NAME} printable characters.")
    return name


def read_options(words: Sequence[str] | None) -> dict[str, str]:
    """Options of a game from words such as `boardSide=grey`."""
    pairs = [word.partition("=") for word in words or []]
    for name, equals, _ in pairs:
        if not equals:
            what = quoted(name)
            raise UsageError("match/option", f"{what} is not an option; write NAME=VALUE, such as -o boardSide=grey.")
    return {name: value for name, _, value in pairs}


def read_status(word: str | None) -> str | None:
    """A status to list matches by."""
    if word is not None and word not in STATUSES:
        raise unknown("list/status", "a status", word, STATUSES)
    return word
