"""An action of any game on the shelf, told from the others by its `type`."""

from typing import TYPE_CHECKING, Union

from service.games.core import Action
from service.games.shelf import GAMES

if TYPE_CHECKING:
    AnyAction = Action
else:
    AnyAction = Union[tuple(dict.fromkeys(kind for game in GAMES for kind in game.rules.actions))]  # noqa: UP007
