"""What is entered on a score pad of Azul. An end that the pad sees itself is written with Azul's own fact."""

from events.azul import FloorCleared, LineTiled
from events.core import Count, Event, Round, ScoreLine, Standing


class TileLaid(LineTiled, frozen=True, gc=False, tag="azul_pad.tile_laid"):
    """A tile came to a wall."""

    round: Round = 0
    """The round that this entry began; 0 when it was not the first of one (AP-3)."""


class FloorCounted(FloorCleared, frozen=True, gc=False, tag="azul_pad.floor_counted"):
    """A floor was paid for, which closes the seat's round (AP-2)."""

    spaces: Count = 0
    """Occupied spaces, the marker's included."""
    round: Round = 0
    """As above."""


class GameStopped(Event, frozen=True, gc=False, tag="azul_pad.game_stopped"):
    """The table said that there is no further round; the end bonuses were scored and the result stands (AP-7)."""

    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule that ended it."""
        return ("AP-7",)


AzulPadEvent = TileLaid | FloorCounted | GameStopped
