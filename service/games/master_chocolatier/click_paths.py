"""The parts of the drawing one touches to make a move in Master Chocolatier."""

from collections.abc import Sequence

from events.core import Seat
from projections.master_chocolatier.state import EDITION, State
from service.games.azul import click_paths as azul
from service.games.core import Action
from service.games.master_chocolatier.rules import SpreadTiles


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """Azul's path; then each colour that is left over, and the display it goes to."""
    touched = list(azul.path(state, seat, action))
    if isinstance(action, SpreadTiles):
        for sent in action.spread:
            touched += [f"display-{action.source}.{EDITION.colours[sent.colour]}", f"display-{sent.display}"]
    return touched
