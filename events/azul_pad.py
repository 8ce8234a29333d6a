"""What happens on a score pad of Azul and not in Azul. Tiles, floors and the end are written with Azul's own facts."""

from events.core import Event, ScoreLine, Standing


class RoundBegun(Event, frozen=True, gc=False, tag="azul_pad.round_begun"):
    """Somebody made the first entry of a round (AP-3)."""

    round: int


class GameStopped(Event, frozen=True, gc=False, tag="azul_pad.game_stopped"):
    """The table said that there is no further round; the end bonuses were scored and the result stands (AP-7)."""

    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule that ended it."""
        return ("AP-7",)


AzulPadEvent = RoundBegun | GameStopped
