"""The `Game` record of Master Chocolatier."""

from typing import Final, get_args

from events.azul import AzulEvent
from events.master_chocolatier import MasterChocolatierEvent
from projections.master_chocolatier import PROJECTION
from service.games.azul import bot as azul
from service.games.game import Game
from service.games.master_chocolatier import bot, click_paths, encoding, notation, rules

MASTER_CHOCOLATIER: Final = Game(
    key="master-chocolatier",
    title="Azul: Master Chocolatier",
    aliases=("mc", "chocolatier"),
    events=get_args(AzulEvent) + get_args(MasterChocolatierEvent),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    path=click_paths.path,
    estimate=bot.estimate,
    worth=azul.worth,
    encoding=encoding.ENCODING,
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
    other_rules=(rules.RULES_1,),
)
