"""Inquiries about scores: claimed totals, a score sheet on paper, and what the table itself wrote."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from events.core import Seat
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.questions.claims import Comparison, check_rounds, compare, compare_totals, compare_written
from service.questions.paper import Paper, read_claims, read_paper
from service.records.written import has_written, written_totals


class Inquiry(Struct, frozen=True):
    """What somebody wants to know about the scores of one match; by default nothing."""

    claims: Mapping[Seat, int] = field(default_factory=dict)
    paper: Paper | None = None


def read_inquiry(history: History, claims: Sequence[str], paper: str | None) -> Inquiry:
    """Claims as people write them, and the text of a paper. Refuses seats, rounds and numbers that make no sense."""
    seats, names = history.opened.seats, history.names
    claimed = read_claims(claims, seats, names)
    if paper is None:
        return Inquiry(claimed)
    read = read_paper(paper, seats, names)
    check_rounds(history, read)
    return Inquiry(claimed, read)


def answers(evidence: Evidence, inquiry: Inquiry) -> list[Comparison]:
    """A comparison for everything that was asked, and one for the table's own numbers where the rules contradict it."""
    is_asked = bool(inquiry.claims) or inquiry.paper is not None
    own = _own_numbers(evidence)
    return [
        *(compared(of_evidence(evidence), inquiry) if is_asked else []),
        *([own] if own is not None and not own.agrees else []),
    ]


def compared(history: History, inquiry: Inquiry) -> list[Comparison]:
    """A comparison for everything that was asked, claims first."""
    found = [compare_totals(history, inquiry.claims)] if inquiry.claims else []
    return [*found, *([compare(history, inquiry.paper)] if inquiry.paper is not None else [])]


def _own_numbers(evidence: Evidence) -> Comparison | None:
    if not has_written(evidence):
        return None
    try:
        history = of_evidence(evidence)
        return compare_written(history, written_totals(history, evidence.annotations))
    except Exception:
        # Numbers cannot be held against events that do not fold; what is wrong with those the audit says.
        return None
