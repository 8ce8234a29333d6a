"""The score sheet: every point of a match with its rule, its reason and the running total. One for all games."""

from collections.abc import Sequence

from msgspec import Struct

from events.codec import Recorded
from events.core import ScoreLine, Seat
from projections.core import Projection
from projections.disputes import RULING, Docket
from projections.timeline import is_play, resolve


class SheetLine(Struct, frozen=True):
    """One line of the sheet."""

    seq: int
    """The event that carries the points."""
    step: int
    round: int
    seat: Seat
    rule: str
    reason: str
    requested: int
    applied: int
    total: int
    """The seat's score after this line."""


class Adjustment(Struct, frozen=True):
    """One line by ruling. It stands beside the sheet: the computed score is the sum of the lines of play alone."""

    dispute: int
    seat: Seat
    rule: str
    applied: int
    total: int
    """The seat's ruled score after this line."""


def scoresheet(projection: Projection, facts: Sequence[Recorded]) -> list[SheetLine]:
    """Every score line of play in effect, in the order it was recorded."""
    in_effect = set(resolve(facts).done)
    totals: dict[Seat, int] = {}
    entries: list[SheetLine] = []
    round_ = 0
    for seq, fact in enumerate(facts, start=1):
        if not is_play(fact) or fact.step not in in_effect:
            continue
        round_ = fact.event.round or round_
        for line in fact.event.scores:
            total = totals[line.seat] = totals.get(line.seat, 0) + line.applied
            entries.append(
                SheetLine(
                    seq,
                    fact.step,
                    round_,
                    line.seat,
                    line.rule,
                    wording(projection, line),
                    line.requested,
                    line.applied,
                    total,
                )
            )
    return entries


def adjustments(docket: Docket) -> list[Adjustment]:
    """Every line by ruling that is in force, with the ruled total it leads to."""
    totals = {place.seat: place.score for place in docket.computed}
    lines: list[Adjustment] = []
    for dispute in docket.disputes.values():
        for line in dispute.adjustments:
            totals[line.seat] = totals.get(line.seat, 0) + line.applied
            lines.append(Adjustment(dispute.number, line.seat, line.rule, line.applied, totals[line.seat]))
    return lines


def wording(projection: Projection, line: ScoreLine) -> str:
    """The reason of a score line in words."""
    if line.reason == RULING:
        return f"ruling in dispute {line.operands.get('dispute', 0)}"
    return projection.reasons[line.reason](line.operands)
