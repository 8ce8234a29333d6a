"""The `Game` record of the Coloretto score pad."""

from typing import Final, get_args

from events.coloretto_pad import ColorettoPadEvent
from projections.coloretto_pad import PROJECTION
from projections.coloretto_pad.state import SHARED
from service.games.coloretto import bot as coloretto
from service.games.coloretto_pad import bot, click_paths, notation, rules
from service.games.game import Game

COLORETTO_PAD: Final = Game(
    key="coloretto-pad",
    title="Coloretto pad",
    aliases=("co-pad",),
    events=(*get_args(ColorettoPadEvent), *SHARED),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    estimate=bot.estimate,
    worth=coloretto.worth,
    path=click_paths.path,
    variants=({"scoringSide": "violet", "jokerScope": "held"},),
    pad_of="coloretto",
)
