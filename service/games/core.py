"""What a game's rules are: one record of pure functions, the same fields for every game."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import add, le, mul
from typing import Any, ClassVar, Final

from msgspec import Struct

from events.core import Actor, Event, Seat, Standing
from projections.core import State
from projections.words import count
from service.errors import IllegalAction
from service.games.options import Option


class Action(
    Struct, frozen=True, gc=False, cache_hash=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True
):
    """What a seat asks to do. Subclasses are the imperative of the event that records them.

    They keep their hash: the numbers of 45 legal actions (`encoding`) are found in 1.3 µs then, without it in 2.3.
    """

    passes: ClassVar[bool] = False
    """Whether the seat gives up its further turns for a while; listed behind everything else it may do."""


class Stage(Struct, frozen=True, gc=False):
    """Part of a request: pour `adds` (pieces by kind) into the pool, then draw `draws` pieces from it.

    Three dice are `Stage((1, 1, 1, 1, 1, 1), 3, replaced=True)`: a piece for each face, put back before the next draw.
    """

    adds: tuple[int, ...]
    draws: int
    replaced: bool = False
    """Whether every piece goes back into the pool as soon as it is drawn."""


class Request(Struct, frozen=True, gc=False):
    """What chance is asked for: pieces drawn from one pool that is filled in stages."""

    purpose: str
    stages: tuple[Stage, ...]


class Outcome(Action, frozen=True, gc=False, tag="chance.outcome"):
    """The answer of chance: the kinds drawn, one after the other, through all stages."""

    drawn: tuple[int, ...]


class Rules(Struct, frozen=True):
    """What may happen in one game."""

    ruleset: str
    """The pinned version, such as `azul/1`; a fix that changes any outcome gets a new number."""
    seats: range
    options: tuple[Option, ...]
    actions: tuple[type[Action], ...]
    legal: Callable[[State, Seat], Sequence[Action]]
    """Every action the seat may take now, and nothing else."""
    request: Callable[[State], Request | None]
    """What chance owes the table now, if anything."""
    decide: Callable[[State, Actor, Action], list[Event]]
    """The events an action leads to, with all that follows without a choice. Raises IllegalAction and nothing else."""
    rank: Callable[[State], tuple[Standing, ...]]
    """The standings if the match stopped now, tie-breaks of the game included."""
    enact: Callable[[State, Actor, Action], list[Event]] | None = None
    """`decide` and the folding of its events in one, for a game that decides some of them on a scratch copy: at a table
    that is to move on anyway they are written down once, not twice. What it refuses leaves the table as it was."""
    areas: tuple[str, ...] = ()
    """The areas of the refusal codes where a variant keeps those of the rules it stands on; else the game's key."""


def ranked(scores: Sequence[int], tiebreaks: Sequence[int]) -> tuple[Standing, ...]:
    """Standings, best first, seats equal in both numbers sharing a rank."""
    keys = {seat: (score, tiebreaks[seat - 1]) for seat, score in enumerate(scores, start=1)}
    order = sorted(keys, key=lambda seat: (-keys[seat][0], -keys[seat][1], seat))
    return tuple(
        Standing(
            seat=seat,
            rank=1 + sum(other > keys[seat] for other in keys.values()),
            score=keys[seat][0],
            tiebreak=keys[seat][1],
        )
        for seat in order
    )


_LINED_UP: Final = 1_000
"""Pieces of a stage that are lined up one by one to draw from, in a third of the time it takes to count them off. More,
and only forged records know of more, stay counts and cost no memory."""
_KINDS: Final = tuple(bytes([kind]) for kind in range(256))
"""One piece of each kind, as it stands in a line."""


def lefts(request: Request) -> list[int]:
    """How many pieces the pool will hold at each draw, whatever is drawn."""
    left = 0
    found: list[int] = []
    for stage in request.stages:
        left += sum(stage.adds)
        if stage.replaced:
            found += [left] * stage.draws
        else:
            found += range(left, left - stage.draws, -1)
            left -= stage.draws
    return found


def draw(request: Request, places: Iterable[int]) -> Outcome:
    """An answer to a request: each piece is the one at such a place of what is left in the pool, kind by kind."""
    following = iter(places)
    for stage in request.stages:
        if sum(stage.adds) > _LINED_UP or min(stage.adds, default=0) < 0 or len(stage.adds) > len(_KINDS):
            return _draw_counted(request, following)
    line = bytearray()
    drawn: list[int] = []
    for stage in request.stages:
        added = b"".join(map(mul, _KINDS, stage.adds))
        line = bytearray(sorted(line + added) if line else added)
        drawn += map(line.__getitem__ if stage.replaced else line.pop, islice(following, stage.draws))
    return Outcome(tuple(drawn))


def _draw_counted(request: Request, places: Iterator[int]) -> Outcome:
    """The same from a pool that is no more than a count of each kind, however high."""
    pool: list[int] = []
    drawn: list[int] = []
    for stage in request.stages:
        pool = list(map(add, pool, stage.adds) if pool else stage.adds)
        for place in islice(places, stage.draws):
            kind = kind_at(pool, place)
            drawn.append(kind)
            if not stage.replaced:
                pool[kind] -= 1
    return Outcome(tuple(drawn))


def kind_at(pool: Sequence[int], position: int) -> int:
    """The kind of the piece at this place of a pool, its pieces lined up kind by kind."""
    kind = 0
    while position >= (pieces := pool[kind]):
        position -= pieces
        kind += 1
    return kind


def check_drawn(request: Request | None, outcome: Outcome, code: str, rule: str, kinds: Sequence[str]) -> None:
    """Refuse an outcome that the pool of the request, or its dice, could not have given."""
    if request is None:
        raise IllegalAction(f"{code}-unasked", rule, "Nothing is to be drawn now.")
    stages, drawn = request.stages, outcome.drawn
    wanted = stages[0].draws if len(stages) == 1 else sum(stage.draws for stage in stages)
    if len(drawn) != wanted:
        message = f"The {request.purpose} has {count(wanted, _noun(request))}, not {len(drawn)}."
        raise IllegalAction(f"{code}-count", rule, message)
    if len(stages) == 1:
        counts = list(map(drawn.count, range(len(kinds))))
        if sum(counts) == wanted and all(map(le, counts, stages[0].adds)):
            return  # the pool holds them all, in whatever order they came
    pool = [0] * len(kinds)
    position = 0
    for stage in stages:
        pool = list(map(add, pool, stage.adds))
        for kind in drawn[position : position + stage.draws]:
            position += 1
            is_kind = 0 <= kind < len(kinds)
            if not is_kind or not pool[kind]:
                place = f"{_noun(request).capitalize()} {position} of the" if wanted > 1 else "The"
                missing = "there is none" if stage.replaced else "none is left"
                what = f"{kinds[kind]}: {missing}" if is_kind else f"{kind + 1}; choose from: {', '.join(kinds)}"
                raise IllegalAction(f"{code}-pool", rule, f"{place} {request.purpose} cannot be {what}.")
            if not stage.replaced:
                pool[kind] -= 1


def _noun(request: Request) -> str:
    return "result" if any(stage.replaced for stage in request.stages) else "piece"


def describe(action: Any) -> str:
    """An action in words good enough for an error message."""
    return f"{type(action).__name__}"
