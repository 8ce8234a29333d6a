"""What research comes to, as programs see it."""

from collections.abc import Sequence

from msgspec import Struct

from service.research.arena import Contest, Encounter, Meeting, Rated, meetings, rated


class ArenaAnswer(Struct, frozen=True):
    """How bots did against each other."""

    game: str
    seats: int
    options: dict[str, str]
    seed: int
    """The first; each seed is played twice by a pair, with seats swapped."""
    matches: int
    """Of each pair."""
    bots: list[Rated]
    """The strongest first."""
    meetings: list[Meeting]


def arena_answer(contest: Contest, done: Sequence[Encounter]) -> ArenaAnswer:
    """A contest that was held."""
    return ArenaAnswer(
        game=contest.game,
        seats=contest.seats,
        options=dict(contest.options),
        seed=contest.seed,
        matches=contest.matches,
        bots=rated(contest, done),
        meetings=meetings(contest, done),
    )
