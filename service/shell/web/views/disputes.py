"""Disputes in full: who claimed what, who ruled how and why, the appeal and its decision; and the lines to sign."""

from collections.abc import Sequence
from typing import NamedTuple

from events.core import ScoreLine
from events.dispute import AppealDecided, DisputeRuled
from projections.disputes import Dispute, Docket
from projections.scoresheet import AdjustmentLine, adjustments
from projections.words import joined, signed
from service.play.history import History
from service.shell.web.views.dispute_forms import DisputeForm, Procedure


class RulingView(NamedTuple):
    """What an arbiter ruled, or decided on an appeal."""

    what: str
    outcome: str
    said: DisputeRuled | AppealDecided


class DisputeView(NamedTuple):
    """A dispute from its claim to its end."""

    dispute: Dispute
    who: str
    of: str
    right: str
    """What would be right; empty where that is not said."""
    ruling: RulingView | None
    appellant: str
    decision: RulingView | None
    forms: Sequence[DisputeForm]
    """What may be said next."""


class DisputesView(NamedTuple):
    """Every dispute; then what the rulings come to."""

    disputes: Sequence[DisputeView]
    changes: Sequence[tuple[AdjustmentLine, str]]
    """Points by ruling, and whose."""
    final: str
    """Who declared the result final; empty while nobody has."""


def disputes_view(history: History, docket: Docket, procedure: Procedure | None = None) -> DisputesView:
    """The disputes; where the procedure is given, each with what may be said next."""
    return DisputesView(
        [
            _dispute(history, dispute, procedure.next_forms(dispute) if procedure is not None else ())
            for dispute in docket.disputes.values()
        ],
        [(line, history.names[line.seat]) for line in adjustments(docket)],
        docket.final.arbiter if docket.final is not None else "",
    )


def _dispute(history: History, dispute: Dispute, forms: Sequence[DisputeForm]) -> DisputeView:
    names, opened, appeal = history.names, dispute.opened, dispute.appeal
    right = ""
    if opened.claim is not None:
        right = signed(opened.claim) if opened.about else str(opened.claim)
    return DisputeView(
        dispute,
        names[opened.seat],
        names[opened.of] if right or not opened.about else "",
        right,
        _ruling(history, "Ruling", dispute.ruling),
        names[appeal.seat] if appeal is not None else "",
        _ruling(history, "Decision on the appeal", dispute.decision),
        forms,
    )


def _ruling(history: History, what: str, ruling: DisputeRuled | AppealDecided | None) -> RulingView | None:
    if ruling is None:
        return None
    outcome = _given(history, ruling.scores)
    if isinstance(ruling, AppealDecided):
        outcome = "the ruling is upheld" if ruling.upheld else f"the ruling is overturned: {outcome}"
    return RulingView(what, outcome, ruling)


def _given(history: History, lines: tuple[ScoreLine, ...]) -> str:
    return joined([f"{history.names[line.seat]} {signed(line.applied)}" for line in lines]) or "no adjustment"


def signatories(history: History, docket: Docket) -> list[tuple[str, str]]:
    """Who signs, and as what: every player, and every arbiter who had a say; one arbiter in any case."""
    arbiters: dict[str, None] = {}
    for dispute in docket.disputes.values():
        for said in (dispute.ruling, dispute.decision):
            arbiters.update({said.arbiter: None} if said is not None else {})
    arbiters.update({docket.final.arbiter: None} if docket.final is not None else {})
    people = [(name, f"seat {seat}") for seat, name in enumerate(history.players, start=1)]
    return people + ([(name, "arbiter") for name in arbiters] or [("", "arbiter")])
