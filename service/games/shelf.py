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
from service.games.game import Game, plain_name
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


def maybe_game(name: str) -> Game | None:
    """The game of that key, title or alias, in any case; None where there is none."""
    wanted = plain_name(name)
    return next((game for game in known_games() if wanted in game.names), None)


def find_game(name: str) -> Game:
    """The game of that key, title or alias, in any case; or a refusal with the nearest, listing the choices."""
    found = maybe_game(name)
    if found is None:
        others = [alias for game in known_games() for alias in game.aliases]
        raise unknown("game/unknown", "a game", name, [game.key for game in known_games()], others)
    return found


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
