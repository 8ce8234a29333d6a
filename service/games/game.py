"""What a game is: one record that joins how its events fold, what its rules allow and how its moves are written."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from events.core import Event, Seat
from projections.core import Projection, State
from service.games.core import Action, Rules
from service.games.encoding import Encoding
from service.games.notation import Notation


def plain_name(text: str) -> str:
    """A name in small letters, its words joined by hyphens: `Summer Pavilion` is `summer-pavilion`."""
    return "-".join(re.findall(r"[^\W_]+", text.lower()))


class Game(Struct, frozen=True):
    """One game: how its events fold, what its rules allow, how its moves are written."""

    key: str
    title: str
    events: tuple[type[Event], ...]
    """Every event type the game writes today."""
    projection: Projection
    rules: Rules
    notation: Notation
    estimate: Callable[[State, Seat, Action], float]
    """The immediate change of score an action promises; for the greedy bot."""
    path: Callable[[State, Seat, Action], Sequence[str]]
    """The parts of the drawing one touches in order to take a legal action: what is taken, then where it goes."""
    worth: Callable[[State], Sequence[float]] | None = None
    """What each seat's score can be taken for before everything is scored; None where the scores say it themselves."""
    encoding: Encoding | None = None
    """Its actions and tables as numbers; none for a score pad, where there is nothing to learn."""
    variants: tuple[Mapping[str, str], ...] = ()
    """Options worth combining, beyond changing one at a time; the shelf contract plays these too."""
    other_rules: tuple[Rules, ...] = ()
    """Rulesets beside `rules`, which new matches are played by: older versions that stored matches have pinned."""
    pad_of: str = ""
    """For a score pad, the key of the game whose points it keeps; empty for a game that is played."""
    aliases: tuple[str, ...] = ()
    """What people call it besides, in small letters; no two games share one."""
    document: Path | None = None
    """Its rules in writing, for a game that is tried out; a game of the shelf has them in docs/rules, by its key."""

    @property
    def names(self) -> list[str]:
        """Every name it is known by, as `plain_name` writes them; the key first."""
        return [self.key, plain_name(self.title), *self.aliases]

    @property
    def has_rounds(self) -> bool:
        """Whether it is played in rounds, that is, whether any of its events says which round it began."""
        return any("round" in kind.__struct_fields__ for kind in self.events)
