"""The `Game` record of Summer Pavilion."""

from typing import Final, get_args

from events.summer_pavilion import SummerPavilionEvent
from projections.summer_pavilion import PROJECTION
from service.games.game import Game
from service.games.summer_pavilion import bot, click_paths, encoding, notation, rules

SUMMER_PAVILION: Final = Game(
    key="summer-pavilion",
    title="Azul: Summer Pavilion",
    aliases=("sp", "pavilion"),
    events=get_args(SummerPavilionEvent),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    path=click_paths.path,
    estimate=bot.estimate,
    worth=bot.worth,
    encoding=encoding.ENCODING,
    variants=({"boardSide": "colourless", "firstPlayer": "seat:2"},),
)
