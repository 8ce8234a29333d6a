"""The games as programs see them."""

from msgspec import Struct

from service.games.game import Game
from service.games.options import offered


class OptionAnswer(Struct, frozen=True):
    """Something a table may agree on."""

    name: str
    default: str
    choices: list[str]
    choices_by_seats: dict[int, list[str]]
    """Which of them a table of so many seats has."""
    help: str


class MoveExample(Struct, frozen=True):
    """How a move is written."""

    move: str
    meaning: str


class GameAnswer(Struct, frozen=True):
    """A game on the shelf."""

    key: str
    title: str
    ruleset: str
    """What new matches pin."""
    other_rulesets: list[str]
    """What older matches have pinned, and are still played and audited by."""
    seats: list[int]
    options: list[OptionAnswer]
    moves: list[MoveExample]
    aliases: list[str]
    """What people call it besides."""
    pad_of: str
    """For a score pad: the game whose points it keeps; else empty."""


def game_answer(game: Game) -> GameAnswer:
    """A game with its options and how its moves are written."""
    rules = game.rules
    return GameAnswer(
        key=game.key,
        title=game.title,
        ruleset=rules.ruleset,
        other_rulesets=[other.ruleset for other in game.other_rules],
        seats=list(rules.seats),
        options=[
            OptionAnswer(
                name=option.name,
                default=option.default,
                choices=[choice.text for choice in offered(option, rules.seats)],
                choices_by_seats={seats: list(map(str, option.at(seats))) for seats in rules.seats},
                help=option.help,
            )
            for option in rules.options
        ],
        moves=[MoveExample(move, meaning) for move, meaning in game.notation.examples],
        aliases=list(game.aliases),
        pad_of=game.pad_of,
    )
