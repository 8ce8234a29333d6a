"""The `Game` record of Coloretto."""

from typing import Final, get_args

from events.coloretto import ColorettoEvent
from projections.coloretto import PROJECTION
from service.games.coloretto import bot, click_paths, encoding, notation, rules
from service.games.game import Game

COLORETTO: Final = Game(
    key="coloretto",
    title="Coloretto",
    aliases=("co",),
    events=get_args(ColorettoEvent),
    projection=PROJECTION,
    rules=rules.RULES,
    notation=notation.NOTATION,
    estimate=bot.estimate,
    worth=bot.worth,
    encoding=encoding.ENCODING,
    path=click_paths.path,
    variants=(
        {"scoringSide": "violet", "jokerScope": "held", "startCards": "choose", "firstPlayer": "seat:2"},
        {"scoringSide": "violet", "startCards": "choose", "twoPlayerStart": "distinct-per-player"},
        {"goldenJoker": "false", "cardsUnderLastRound": "15", "finalDecisions": "auto-optimal"},
    ),
)
