"""The score sheet: every point of a match with its rule, its reason and the running total. One for all games."""

from collections.abc import Sequence

from msgspec import Struct

from events.codec import Recorded
from events.core import ScoreLine, Seat
from projections.core import Projection
from projections.timeline import is_play, resolve


class Entry(Struct, frozen=True):
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


def scoresheet(projection: Projection, facts: Sequence[Recorded]) -> list[Entry]:
    """Every score line in effect, in the order it was recorded."""
    in_effect = set(resolve(facts).done)
    totals: dict[Seat, int] = {}
    entries: list[Entry] = []
    round_ = 0
    for seq, fact in enumerate(facts, start=1):
        if is_play(fact) and fact.step not in in_effect:
            continue
        round_ = getattr(fact.event, "round", round_)
        lines: tuple[ScoreLine, ...] = getattr(fact.event, "scores", ())
        for line in lines:
            total = totals[line.seat] = totals.get(line.seat, 0) + line.applied
            reason = projection.reasons[line.reason](line.operands)
            entries.append(
                Entry(seq, fact.step, round_, line.seat, line.rule, reason, line.requested, line.applied, total)
            )
    return entries
