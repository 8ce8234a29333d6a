"""Players as people name them, `Ann`, `bot:greedy` or `Ada=bot:greedy`, and as they sit down."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from projections.core import shortened
from service.bots.kinds import find_bot
from service.errors import UsageError
from service.limits import quoted
from service.store.shapes import PERSON

PREFIX: Final = "bot:"
"""How the kind of a player begins that is a program."""
LONGEST_NAME: Final = 40
LONE: Final = "Player"
"""Whoever plays without saying a name. A name stands in every sentence and in records that others read: "You" would be
whoever reads them, and a login name nobody asked to be kept."""


class NewPlayer(NamedTuple):
    """Somebody who sits down: a name kept outside the chain, what kind of player, and a share in the draws."""

    name: str
    kind: str = PERSON
    nonce: str = ""


def told_apart(player: NewPlayer, taken: Collection[str], first: int = 0) -> NewPlayer:
    """A player whose name nobody else has: with a number behind it, from `first` on, or else where it is needed."""
    name, number = f"{player.name} {first}" if first else player.name, max(first, 1)
    while name in taken:
        number += 1
        name = f"{player.name} {number}"
    return player._replace(name=name)


def read_player(word: str) -> NewPlayer:
    """`Ann`, `bot:greedy`, or a bot with a name of its own: `Ada=bot:greedy`."""
    name, _, kind = word.rpartition("=") if "=" + PREFIX in word else (word, "", "")
    if word.startswith(PREFIX):
        name, kind = shortened(word.removeprefix(PREFIX), LONGEST_NAME), word
    if kind:
        find_bot(kind.removeprefix(PREFIX))
    return NewPlayer(read_name(name), kind=kind or "person")


def read_players(words: Sequence[str]) -> list[NewPlayer]:
    """Players for a table, told apart: bots of a kind that got no name of their own are numbered."""
    players: list[NewPlayer] = []
    for word in words:
        player = read_player(word)
        is_one_of_several = word.startswith(PREFIX) and words.count(word) > 1
        players.append(told_apart(player, [other.name for other in players], first=1 if is_one_of_several else 0))
    return players


def read_name(word: str) -> str:
    """A name that can be shown on one line of any terminal."""
    name = word.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError("match/name", f"{quoted(word)} is not a name; give 1–{LONGEST_NAME} printable characters.")
    return name
