"""The head of the page, for people who know nothing of ledgers: who, when, the result, the dispute, the answer."""

from collections.abc import Iterator, Sequence

from events.core import Standing
from projections.disputes import Dispute, Docket
from projections.story import sentence
from projections.words import count, joined, total
from service.audit.report import Report, Verdict
from service.play.history import History
from service.questions.claims import Comparison
from service.questions.findings import answer
from service.questions.inquiry import Inquiry
from service.shell.page.escape import escape
from service.shell.page.pieces import WITHIN, Links, day, event_link, facts


def banner(report: Report, docket: Docket | None, comparisons: Sequence[Comparison], links: Links = WITHIN) -> str:
    """Where the match stands, in a sentence: findings before open questions, and only then that all is well."""
    failed = _failures(report, comparisons)
    if failed:
        first = min(failed, key=lambda verdict: verdict.seq or 1 << 60)
        where = f", first at event {event_link(first.seq, links)}" if first.seq else ""
        return f'<p class="banner findings">{count(len(failed), "check")} failed{where}.</p>'
    if docket is not None and docket.final is not None:
        return f'<p class="banner settled">Settled: {escape(docket.final.arbiter)} declared the result final.</p>'
    if open_ones := list(_open_questions(docket, comparisons)):
        return f'<p class="banner open">Open: {escape("; ".join(open_ones))}.</p>'
    return '<p class="banner clean">Clean: no check found anything wrong.</p>'


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


def head(history: History, docket: Docket, inquiry: Inquiry, comparisons: Sequence[Comparison]) -> str:
    """Players, date, game, result, what is disputed, and the answer."""
    names = history.names
    first, last = history.envelopes[0].at, (docket.closed_at or history.envelopes[-1].at)
    seats = joined([names[seat] for seat in range(1, history.opened.seats + 1)])
    date = day(first) if first.date() == last.date() else f"{day(first)} to {day(last)}"
    pairs = [
        ("Players", escape(seats)),
        ("Date", f"{date} (UTC)"),
        ("Game", escape(history.game.title)),
        *_results(history, docket),
        ("Disputed", _listed(list(_disputed(history, docket, inquiry, comparisons)) or ["Nothing."])),
    ]
    if said := list(_said(history, docket, comparisons)):
        pairs.append(("Answer", _listed(said)))
    return facts(pairs)


def _results(history: History, docket: Docket) -> Iterator[tuple[str, str]]:
    is_ruled = docket.final is not None or any(dispute.ruling for dispute in docket.disputes.values())
    yield "Result of play" if is_ruled else "Result", standings(history, docket.computed)
    if is_ruled:
        yield f"Ruled result{' (final)' if docket.final else ''}", standings(history, docket.ruled)


def standings(history: History, places: Sequence[Standing]) -> str:
    """A result on one line; tie-breaks only where they decided."""
    if not places:
        return "none"
    shown = []
    for place in places:
        equals = {other.tiebreak for other in places if other.score == place.score}
        tie = f" (tie-break {place.tiebreak})" if len(equals) > 1 else ""
        shown.append(f"{place.rank}. {escape(history.names[place.seat])} <strong>{total(place.score)}</strong>{tie}")
    return '<span class="places">' + '</span> <span class="places">'.join(shown) + "</span>"


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


def _listed(sentences: Sequence[str]) -> str:
    return "<br>".join(map(escape, sentences))
