"""The first player, as options and events name it."""

from collections.abc import Mapping
from typing import Final

from events.core import Seat
from events.first_player import StartChosen, StartDrawn
from projections.core import Names

RANDOM: Final = "random"
HOST_CHOICE: Final = "host-choice"
NAMED: Final = "seat:"
"""The words `firstPlayer` takes: by lot, by the host, or `seat:2`."""
HOST: Final[Seat] = 1


def named_start(options: Mapping[str, str]) -> Seat:
    """The seat that `firstPlayer=seat:<n>` names; 0 when it names none."""
    value = options["firstPlayer"]
    return int(value.removeprefix(NAMED)) if value.startswith(NAMED) else 0


def tell_start_drawn(event: StartDrawn, names: Names) -> str:
    """The lot in words."""
    return f"The lot fell on {names[event.seat]} to start."


def tell_start_chosen(event: StartChosen, names: Names) -> str:
    """The host's choice in words."""
    return f"{names[event.seat]} was chosen to start."


def offer_start(event: StartChosen, names: Names) -> str:
    """A seat the host may choose."""
    return f"Let {names[event.seat]} start"
