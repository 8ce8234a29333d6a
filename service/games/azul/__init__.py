"""The `Game` record of Azul."""

from typing import Final, get_args

from events.azul import AzulEvent
from projections.azul import PROJECTION
from service.games.azul import bot, click_paths, encoding, notation, rules
from service.games.game import Game

AZUL: Final = Game(
    key="azul",
    title="Azul",
    aliases=("az",),
    events=get_args(AzulEvent),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    path=click_paths.path,
    estimate=bot.estimate,
    worth=bot.worth,
    encoding=encoding.ENCODING,
    variants=({"boardSide": "grey", "partialFloor": "true", "bagRefill": "when-insufficient"},),
    other_rules=(rules.RULES_1,),
)
