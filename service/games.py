"""The shelf: every game this ledger knows, as one literal tuple that also drives the tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

import projections.azul
import projections.summer_pavilion
import projections.views.azul
import projections.views.coloretto
import projections.views.master_chocolatier
import projections.views.summer_pavilion
import service.bots.azul
import service.bots.coloretto
import service.bots.master_chocolatier
import service.bots.summer_pavilion
import service.notation.azul
import service.notation.coloretto
import service.notation.master_chocolatier
import service.notation.summer_pavilion
import service.rules.azul
import service.rules.coloretto
import service.rules.master_chocolatier
import service.rules.summer_pavilion
from events.azul import AzulEvent
from events.coloretto import ColorettoEvent
from events.core import Event, Seat
from events.master_chocolatier import MasterChocolatierEvent
from events.summer_pavilion import SummerPavilionEvent
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

MASTER_CHOCOLATIER: Final = Game(
    key="master-chocolatier",
    title="Azul: Master Chocolatier",
    events=get_args(AzulEvent) + get_args(MasterChocolatierEvent),
    projection=projections.views.master_chocolatier.PROJECTION,
    rules=service.rules.master_chocolatier.RULES,
    notation=service.notation.master_chocolatier.NOTATION,
    estimate=service.bots.master_chocolatier.estimate,
    variants=(
        {"specialFactories": "on", "boardSide": "brown"},
        {"specialFactories": "on", "sf4Split": "as-even-as-possible", "sf5Takes": "token"},
        {"specialFactories": "on", "sf5AcceptsMarker": "true", "sfSetupOrder": "by-position"},
        {
            "specialFactories": "on",
            "boardSide": "brown",
            "sf4Split": "as-even-as-possible",
            "sf5Takes": "token",
            "sf5AcceptsMarker": "true",
            "sfSetupOrder": "by-position",
            "partialFloor": "true",
            "bagRefill": "when-insufficient",
        },
    ),
)

SUMMER_PAVILION: Final = Game(
    key="summer-pavilion",
    title="Azul: Summer Pavilion",
    events=get_args(SummerPavilionEvent),
    projection=projections.views.summer_pavilion.PROJECTION,
    rules=service.rules.summer_pavilion.RULES,
    notation=service.notation.summer_pavilion.NOTATION,
    estimate=service.bots.summer_pavilion.estimate,
    variants=({"boardSide": "colourless", "firstPlayer": "seat:2"},),
)

COLORETTO: Final = Game(
    key="coloretto",
    title="Coloretto",
    events=get_args(ColorettoEvent),
    projection=projections.views.coloretto.PROJECTION,
    rules=service.rules.coloretto.RULES,
    notation=service.notation.coloretto.NOTATION,
    estimate=service.bots.coloretto.estimate,
    variants=(
        {"scoringSide": "violet", "jokerScope": "held", "startCards": "choose", "firstPlayer": "seat:2"},
        {"scoringSide": "violet", "startCards": "choose", "twoPlayerStart": "distinct-per-player"},
        {"goldenJoker": "false", "cardsUnderLastRound": "15", "finalDecisions": "auto-optimal"},
    ),
)

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
