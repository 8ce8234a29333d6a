"""The shelf: every game this ledger knows, as one literal tuple that also drives the tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

import projections.azul
import projections.views.azul
import service.bots.azul
import service.notation.azul
import service.rules.azul
from events.azul import AzulEvent
from events.core import Event, Seat
from projections.core import Projection, State
from service.errors import unknown
from service.notation.core import Notation
from service.rules.core import Action, Rules


@dataclass(frozen=True, slots=True)
class Game:
    """One game: how its events fold, what its rules allow, how its moves are written."""

    key: str
    title: str
    events: tuple[type[Event], ...]
    """Every event type the game writes today."""
    projection: Projection
    rules: Rules
    notation: Notation
    estimate: Callable[[State, Seat, Action], float]
    """The immediate change of score an action promises; for the greedy bot."""
    variants: tuple[Mapping[str, str], ...] = ()
    """Options worth combining, beyond changing one at a time; the shelf contract plays these too."""
    other_rules: tuple[Rules, ...] = ()
    """Rulesets beside `rules`, which new matches are played by: older versions that stored matches have pinned."""


AZUL: Final = Game(
    key="azul",
    title="Azul",
    events=get_args(AzulEvent),
    projection=projections.views.azul.PROJECTION,
    rules=service.rules.azul.RULES,
    notation=service.notation.azul.NOTATION,
    estimate=service.bots.azul.estimate,
    variants=({"boardSide": "grey", "partialFloor": "true", "bagRefill": "when-insufficient"},),
)

GAMES: Final = (AZUL,)


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
