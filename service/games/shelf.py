"""The shelf: every game this ledger knows, as one literal table that also drives the tests."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Final

from msgspec.structs import replace

from events.codec import reading_also
from service.errors import unknown
from service.games.game import Game, plain_name


class Shelf(Collection[Game]):
    """Games by their keys, in the order people see them; each is loaded, with all it takes, when somebody takes it."""

    def __init__(self, places: Mapping[str, Callable[[], Game]]) -> None:
        self._places = places

    def __iter__(self) -> Iterator[Game]:
        return (take() for take in self._places.values())

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, game: object) -> bool:
        return any(known is game for known in self)

    def __getitem__(self, place: int) -> Game:
        return list(self._places.values())[place]()

    def get(self, key: str) -> Game | None:
        """The game of exactly that key; no other one is loaded."""
        return self._places[key]() if key in self._places else None

    def with_also(self, *tried: Game) -> "Shelf":
        """The same games and these, each in the place of the one with its key or behind all others."""
        return Shelf({**self._places, **{game.key: partial(_itself, game) for game in tried}})


def _itself(game: Game) -> Game:
    return game


def _load(key: str, folder: str) -> Game:
    """The record of a game, from the folder it is written in: that of `coloretto-pad` is called COLORETTO_PAD."""
    game = getattr(import_module(f"service.games.{folder}"), key.upper().replace("-", "_"))
    assert isinstance(game, Game)
    return game


def _shelf_of(folders: Mapping[str, str]) -> Shelf:
    return Shelf({key: partial(_load, key, folder) for key, folder in folders.items()})


GAMES: Final = _shelf_of(
    {
        "azul": "azul",
        "master-chocolatier": "master_chocolatier",
        "summer-pavilion": "summer_pavilion",
        "coloretto": "coloretto",
        "azul-pad": "azul_pad",
        "master-chocolatier-pad": "azul_pad",
        "summer-pavilion-pad": "summer_pavilion_pad",
        "coloretto-pad": "coloretto_pad",
    }
)
"""Every game by its key, with the folder of `service/games/` it is written in."""

_shelf = GAMES


def known_games() -> tuple[Game, ...]:
    """Every game that can be played: those of `GAMES`, and for the moment those that are tried out."""
    return tuple(_shelf)


@contextmanager
def on_the_shelf(*tried: Game) -> Iterator[None]:
    """Play these games like those of `GAMES`, as long as the context lasts and in this process alone.

    For a game without an entry of its own yet, such as the one docs/adding-a-game.md writes. A game with the key of
    one that is there already stands in for it.
    """
    global _shelf
    before = _shelf
    with reading_also([kind for game in tried for kind in game.events]):
        _shelf = before.with_also(*tried)
        try:
            yield
        finally:
            _shelf = before


def maybe_game(name: str) -> Game | None:
    """The game of that key, title or alias, in any case; None where there is none."""
    wanted = plain_name(name)
    return _shelf.get(wanted) or next((game for game in known_games() if wanted in game.names), None)


def find_game(name: str) -> Game:
    """The game of that key, title or alias, in any case; or a refusal with the nearest, listing the choices."""
    found = maybe_game(name)
    if found is None:
        others = [alias for game in known_games() for alias in game.aliases]
        raise unknown("game/unknown", "a game", name, [game.key for game in known_games()], others)
    return found


def by_ruleset(ruleset: str) -> Game:
    """The game whose rules a match has pinned, with exactly those rules: `azul/1` is one of those of `azul`."""
    game = _shelf.get(ruleset.partition("/")[0])
    if game is not None:
        for rules in (game.rules, *game.other_rules):
            if rules.ruleset == ruleset:
                return game if rules is game.rules else replace(game, rules=rules)
    raise unknown("game/ruleset", "a ruleset", ruleset, rulesets())


def rulesets() -> list[str]:
    """The name of every ruleset there is."""
    return [rules.ruleset for game in known_games() for rules in (game.rules, *game.other_rules)]
