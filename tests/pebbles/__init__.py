"""Pebbles, the worked example of docs/adding-a-game.md: a real game with dice, which is not on the shelf."""

from pathlib import Path
from typing import Final, get_args

from service.games.game import Game
from tests.pebbles import bot, click_paths, encoding, notation, rules
from tests.pebbles.events import PebblesEvent
from tests.pebbles.projection import PROJECTION

PEBBLES: Final = Game(
    key="pebbles",
    title="Pebbles",
    events=get_args(PebblesEvent),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    estimate=bot.estimate,
    path=click_paths.path,
    encoding=encoding.ENCODING,
    variants=({"bowl": "40", "dice": "2"},),
    document=Path(__file__).parent / "rulebook.md",
)
