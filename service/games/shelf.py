"""The shelf: every game this ledger knows, as one literal tuple that also drives the tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from events.codec import reading_also
from service.errors import unknown
from service.games.azul import AZUL
from service.games.azul_pad import AZUL_PAD, MASTER_CHOCOLATIER_PAD
from service.games.coloretto import COLORETTO
from service.games.coloretto_pad import COLORETTO_PAD
from service.games.game import Game
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion_pad import SUMMER_PAVILION_PAD

GAMES: Final = (
    AZUL,
    MASTER_CHOCOLATIER,
    SUMMER_PAVILION,
    COLORETTO,
    AZUL_PAD,
    MASTER_CHOCOLATIER_PAD,
    SUMMER_PAVILION_PAD,
    COLORETTO_PAD,
)

_shelf: tuple[Game, ...] = GAMES


def known_games() -> tuple[Game, ...]:
    """Every game that can be played: those of `GAMES`, and for the moment those that are tried out."""
    return _shelf


@contextmanager
def on_the_shelf(*tried: Game) -> Iterator[None]:
    """Play these games like those of `GAMES`, as long as the context lasts and in this process alone.

    For a game without an entry of its own yet, such as the one docs/adding-a-game.md writes. A game with the key of
    one that is there already stands in for it.
    """
    global _shelf
    before = _shelf
    instead = {game.key: game for game in tried}
    with reading_also([kind for game in tried for kind in game.events]):
        _shelf = (*(instead.pop(game.key, game) for game in before), *instead.values())
        try:
            yield
        finally:
            _shelf = before


def find_game(key: str) -> Game:
    """The game of that key, or a refusal listing the choices."""
    for game in known_games():
        if game.key == key:
            return game
    raise unknown("game/unknown", "a game", key, [game.key for game in known_games()])


def by_ruleset(ruleset: str) -> Game:
    """The game whose rules a match has pinned, with exactly those rules."""
    for game in known_games():
        if game.rules.ruleset == ruleset:
            return game
        for rules in game.other_rules:
            if rules.ruleset == ruleset:
                return replace(game, rules=rules)
    raise unknown("game/ruleset", "a ruleset", ruleset, rulesets())


def rulesets() -> list[str]:
    """The name of every ruleset there is."""
    return [rules.ruleset for game in known_games() for rules in (game.rules, *game.other_rules)]
