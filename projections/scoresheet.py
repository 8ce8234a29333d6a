"""The score sheet: every point of a match with its rule, its reason and the running total. One for all games."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from events.codec import Recorded
from events.core import Event, ScoreLine, Seat
from projections.core import Projection
from projections.disputes import RULING, Docket
from projections.timeline import is_play, undone_steps


class SheetLine(Struct, frozen=True):
    """One line of the sheet."""

    seq: int
    """The event that carries the points."""
    step: int
    round: int
    """0 before the first round, and in a game without rounds."""
    seat: Seat
    rule: str
    reason: str
    requested: int
    applied: int
    total: int
    """The seat's score after this line."""


class AdjustmentLine(Struct, frozen=True):
    """One line by ruling. It stands beside the sheet: the computed score is the sum of the lines of play alone."""

    dispute: int
    seat: Seat
    rule: str
    applied: int
    total: int
    """The seat's ruled score after this line."""


def running(lines: Iterable[ScoreLine], totals: dict[Seat, int]) -> Iterator[tuple[ScoreLine, int]]:
    """Every line with the total it leads to. The totals, by seat, move along."""
    for line in lines:
        totals[line.seat] = totals.get(line.seat, 0) + line.applied
        yield line, totals[line.seat]


def scoresheet(projection: Projection, facts: Sequence[Recorded]) -> list[SheetLine]:
    """Every score line of play in effect, in the order it was recorded."""
    undone = undone_steps(facts)
    totals: dict[Seat, int] = {}
    sheet: list[SheetLine] = []
    round_ = 0
    for seq, fact in enumerate(facts, start=1):
        if not is_play(fact) or fact.step in undone:
            continue
        event, step = fact.event, fact.step
        round_ = event.round or round_
        for line, total in running(event.scores, totals):
            words = wording(projection, event, line)
            sheet.append(SheetLine(seq, step, round_, line.seat, line.rule, words, line.requested, line.applied, total))
    return sheet


def adjustments(docket: Docket) -> list[AdjustmentLine]:
    """Every line by ruling that is in force, with the ruled total it leads to."""
    totals = {place.seat: place.score for place in docket.computed}
    return [
        AdjustmentLine(dispute.number, line.seat, line.rule, line.applied, total)
        for dispute in docket.disputes.values()
        for line, total in running(dispute.adjustments, totals)
    ]


# --------------------------------------------------------------------------------------------------------- in words


def wording(projection: Projection, event: Event, line: ScoreLine) -> str:
    """The reason of a score line that an event carries, with the tile or the cards it is about."""
    if line.reason == RULING:
        return f"ruling in dispute {line.operands.get('dispute', 0)}"
    return _about(projection, event, line, projection.reasons[line.reason](line.operands))


def arithmetic(projection: Projection, event: Event, line: ScoreLine) -> str:
    """How the points of a line come about: the game's own sum, or its reason, with the tile or the cards as well."""
    if line.reason == RULING:
        return "by ruling"
    added = added_up(projection, line)
    return _about(projection, event, line, added) if added else wording(projection, event, line)


def added_up(projection: Projection, line: ScoreLine) -> str:
    """The game's own sum of a line of play; empty where its reason says it all."""
    tell = projection.sums.get(line.reason)
    return tell(line) if tell else ""


def _about(projection: Projection, event: Event, line: ScoreLine, words: str) -> str:
    name = projection.subjects.get(line.reason)
    return f"{name(event, line)}: {words}" if name else words
