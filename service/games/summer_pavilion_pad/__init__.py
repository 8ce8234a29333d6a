"""The `Game` record of the Summer Pavilion score pad."""

from typing import Final, get_args

from events.summer_pavilion import GameEnded
from events.summer_pavilion_pad import SummerPavilionPadEvent
from projections.summer_pavilion_pad import PROJECTION
from service.games.game import Game
from service.games.summer_pavilion_pad import bot, click_paths, notation, rules

SUMMER_PAVILION_PAD: Final = Game(
    key="summer-pavilion-pad",
    title="Summer Pavilion pad",
    aliases=("sp-pad", "pavilion-pad"),
    events=(*get_args(SummerPavilionPadEvent), GameEnded),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    path=click_paths.path,
    estimate=bot.estimate,
    pad_of="summer-pavilion",
)
