"""The shelf: every game this ledger knows, as one literal tuple that also drives the tests."""

from dataclasses import replace
from typing import Final

from service.errors import unknown
from service.games.azul import AZUL
from service.games.coloretto import COLORETTO
from service.games.game import Game
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.summer_pavilion import SUMMER_PAVILION

GAMES: Final = (AZUL, MASTER_CHOCOLATIER, SUMMER_PAVILION, COLORETTO)


def find_game(key: str) -> Game:
    """The game of that key, or a refusal listing the choices."""
    for game in GAMES:
        if game.key == key:
            return game
    raise unknown("game/unknown", "a game", key, [game.key for game in GAMES])


def by_ruleset(ruleset: str) -> Game:
    """The game whose rules a match has pinned, with exactly those rules."""
    for game in GAMES:
        if game.rules.ruleset == ruleset:
            return game
        for rules in game.other_rules:
            if rules.ruleset == ruleset:
                return replace(game, rules=rules)
    raise unknown("game/ruleset", "a ruleset", ruleset, rulesets())


def rulesets() -> list[str]:
    """The name of every ruleset there is."""
    return [rules.ruleset for game in GAMES for rules in (game.rules, *game.other_rules)]
