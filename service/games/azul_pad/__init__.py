"""The `Game` records of the Azul and Master Chocolatier score pads."""

from typing import Final, get_args

from events.azul import GameEnded
from events.azul_pad import AzulPadEvent
from projections.azul_pad import CHOCOLATIER_PROJECTION, PROJECTION
from service.games.azul_pad import bot, click_paths, notation, rules
from service.games.game import Game

_EVENTS: Final = (*get_args(AzulPadEvent), GameEnded)

AZUL_PAD: Final = Game(
    key="azul-pad",
    title="Azul pad",
    aliases=("az-pad",),
    events=_EVENTS,
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    path=click_paths.path,
    estimate=bot.estimate,
    variants=({"boardSide": "grey", "maxRounds": "7"},),
    pad_of="azul",
)

MASTER_CHOCOLATIER_PAD: Final = Game(
    key="master-chocolatier-pad",
    title="Chocolatier pad",
    aliases=("mc-pad",),
    events=_EVENTS,
    projection=CHOCOLATIER_PROJECTION,
    rules=rules.CHOCOLATIER_RULES,
    notation=notation.CHOCOLATIER_NOTATION,
    path=click_paths.path,
    estimate=bot.estimate,
    variants=({"boardSide": "brown", "maxRounds": "7"},),
    pad_of="master-chocolatier",
)
