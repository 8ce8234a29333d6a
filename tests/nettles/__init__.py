"""Nettles, the second example of docs/adding-a-game.md: a card game without options, which is not on the shelf."""

from pathlib import Path
from typing import Final, get_args

from service.games.game import Game
from tests.nettles import bot, click_paths, encoding, notation, rules
from tests.nettles.events import NettlesEvent
from tests.nettles.projection import PROJECTION

NETTLES: Final = Game(
    key="nettles",
    title="Nettles",
    events=get_args(NettlesEvent),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    estimate=bot.estimate,
    worth=bot.worth,
    path=click_paths.path,
    encoding=encoding.ENCODING,
    document=Path(__file__).parent / "rulebook.md",
)
