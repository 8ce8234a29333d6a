"""The audit begins for people who know nothing of ledgers: who, when, the result, the dispute, the answer."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from events.core import Standing
from projections.disputes import Dispute, Docket
from projections.story import sentence
from projections.words import count, joined
from service.audit.report import Report, Verdict
from service.play.history import History
from service.questions.claims import Comparison
from service.questions.findings import answer
from service.questions.inquiry import Inquiry
from service.shell.web.views.links import day


class Banner(NamedTuple):
    """Where a match stands, in a sentence."""

    look: str
    words: str
    seq: int = 0
    """The first event that offends a check; 0 where none does."""


def banner(report: Report, docket: Docket | None, comparisons: Sequence[Comparison]) -> Banner:
    """Findings before open questions, and only then that all is well."""
    if failed := _failures(report, comparisons):
        first = min(failed, key=lambda verdict: verdict.seq or 1 << 60)
        return Banner("findings", f"{count(len(failed), 'check')} failed", first.seq)
    if docket is not None and docket.final is not None:
        return Banner("settled", f"Settled: {docket.final.arbiter} declared the result final")
    if open_ones := list(_open_questions(docket, comparisons)):
        return Banner("open", f"Open: {'; '.join(open_ones)}")
    return Banner("clean", "Clean: no check found anything wrong")


def _failures(report: Report, comparisons: Sequence[Comparison]) -> list[Verdict]:
    """The checks that failed, but for the one that only repeats what the table's own numbers are compared to."""
    is_told = any(comparison.source == "record" for comparison in comparisons)
    return [verdict for verdict in report.findings if not (is_told and verdict.check == "record")]


def _open_questions(docket: Docket | None, comparisons: Sequence[Comparison]) -> Iterator[str]:
    if docket is not None and docket.pending:
        yield joined([f"dispute {dispute.number}" for dispute in docket.pending]) + " not decided yet"
    elif docket is not None and any(dispute.ruling for dispute in docket.disputes.values()):
        yield "ruled, but not declared final yet"
    parted = {comparison.source for comparison in comparisons if not comparison.agrees}
    named = {"claim": "the claim", "paper": "the paper", "record": "what the table wrote"}
    if parted:
        differs = "differs" if len(parted) == 1 else "differ"
        yield joined([named[source] for source in named if source in parted]) + f" {differs} from what the rules give"


class RankedSeat(NamedTuple):
    """A seat in a result."""

    rank: int
    who: str
    score: int
    tiebreak: int | None
    """Only where it decided."""


class Summary(NamedTuple):
    """Players, date, game, result, what is disputed, and the answer."""

    players: str
    date: str
    game: str
    results: Sequence[tuple[str, Sequence[RankedSeat]]]
    disputed: Sequence[str]
    said: Sequence[str]


def summary(history: History, docket: Docket, inquiry: Inquiry, comparisons: Sequence[Comparison]) -> Summary:
    """What people want to know."""
    first, last = history.envelopes[0].at, (docket.closed_at or history.envelopes[-1].at)
    return Summary(
        joined(history.players),
        day(first) if first.date() == last.date() else f"{day(first)} to {day(last)}",
        history.game.title,
        list(_results(history, docket)),
        list(_disputed(history, docket, inquiry, comparisons)) or ["Nothing."],
        list(_said(history, docket, comparisons)),
    )


def _results(history: History, docket: Docket) -> Iterator[tuple[str, list[RankedSeat]]]:
    is_ruled = docket.final is not None or any(dispute.ruling for dispute in docket.disputes.values())
    yield "Result of play" if is_ruled else "Result", _places(history, docket.computed)
    if is_ruled:
        yield f"Ruled result{' (final)' if docket.final else ''}", _places(history, docket.ruled)


def _places(history: History, standings: Sequence[Standing]) -> list[RankedSeat]:
    found = []
    for one in standings:
        is_tied = len({other.tiebreak for other in standings if other.score == one.score}) > 1
        found.append(RankedSeat(one.rank, history.names[one.seat], one.score, one.tiebreak if is_tied else None))
    return found


def _disputed(history: History, docket: Docket, inquiry: Inquiry, comparisons: Sequence[Comparison]) -> Iterator[str]:
    if inquiry.claims:
        yield "Claimed: " + joined([f"{history.names[seat]} {total}" for seat, total in inquiry.claims.items()]) + "."
    if inquiry.paper is not None:
        compared = sum(comparison.compared for comparison in comparisons if comparison.source == "paper")
        yield f"A score sheet on paper with {count(compared, 'number')}."
    if any(comparison.source == "record" for comparison in comparisons):
        yield "The numbers that the table wrote down with its moves."
    for dispute in docket.disputes.values():
        yield sentence(history.game.projection, dispute.opened, history.names)


def _said(history: History, docket: Docket, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """What comes out of everything disputed, each in a sentence or two."""
    yield from (answer(history, comparison) for comparison in comparisons)
    for dispute in docket.disputes.values():
        yield _outcome(history, dispute)
    if docket.final is not None:
        yield sentence(history.game.projection, docket.final, history.names)


def _outcome(history: History, dispute: Dispute) -> str:
    if dispute.is_pending:
        return f"Dispute {dispute.number}: an arbiter has to decide yet."
    last = dispute.decision or dispute.ruling
    if last is None:
        return f"Dispute {dispute.number} was {dispute.status}."
    return sentence(history.game.projection, last, history.names)
