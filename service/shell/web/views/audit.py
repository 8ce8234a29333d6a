"""The audit of a match, as a page of the service and as a file: plain words first, then what checks the record itself.

The page has forms besides, for questions and for disputes. The file has everything inside: drawings, and the rules.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import Struct

from events.core import Envelope
from projections.disputes import docket_of
from projections.story import sentence
from projections.words import joined
from service.audit.report import Report
from service.disputes.procedure import arbiters_of
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.questions.claims import Comparison
from service.questions.inquiry import Inquiry, answers
from service.shell.answers.match import Told, told_events
from service.shell.web.views.attempts import Unshown, attempt, words_or_blank
from service.shell.web.views.audit_summary import Banner, Summary, banner, summary
from service.shell.web.views.claims import (
    ClaimForm,
    ClaimForms,
    ComparisonView,
    claim_forms,
    comparison_views,
    read_question,
)
from service.shell.web.views.dispute_forms import DisputeForms, Procedure
from service.shell.web.views.disputes import DisputesView, disputes_view, signatories
from service.shell.web.views.links import WITHIN, Links, links_of, rule_address
from service.shell.web.views.score_sheet import ScoreSheet, score_sheet


class AuditedMatch(Struct, frozen=True):
    """What is told of a match that can be read."""

    history: History
    is_answered: bool
    """Whether what was asked could be answered."""
    summary: Summary | Unshown
    asked: Sequence[ComparisonView] | Unshown
    sheet: ScoreSheet | Unshown
    disputes: DisputesView | Unshown
    signatories: Sequence[tuple[str, str]] | Unshown
    log: Sequence[Told] | Unshown
    """Every event; its sentence is empty where it cannot be told."""
    rules: Sequence[str] | Unshown = ()
    """Those it names, for the file; the page has links to them."""
    questions: ClaimForms | Unshown | None = None
    """Only on the page, as the next."""
    forms: DisputeForms | Unshown | None = None


class AuditView(Struct, frozen=True):
    """The audit of a match."""

    evidence: Evidence
    report: Report
    title: str
    banner: Banner
    trouble: str
    """Why nothing else can be told; empty where it can."""
    told: AuditedMatch | None
    links: Links
    made: datetime


class PageQuery(NamedTuple):
    """What the page needs besides the audit: what its forms were filled in with, and who may rule at this moment."""

    typed: Mapping[str, str]
    registered: Collection[str]
    """Those who rule in a match that pins no arbiters."""
    service_key: str
    """The key of the service."""


def audit_view(
    report: Report, evidence: Evidence, made: datetime, inquiry: Inquiry | None = None, query: PageQuery | None = None
) -> AuditView:
    """The audit, with an answer to what was asked: as a file, or as a page where there is somebody to ask."""
    links = WITHIN if query is None else links_of(evidence.match)
    try:
        history = of_evidence(evidence)
    except LedgerError as error:
        title = f"Match {evidence.match}"
        return AuditView(evidence, report, title, banner(report, None, ()), error.message, None, links, made)
    docket = docket_of(history.envelopes)
    form, procedure = ClaimForm(inquiry or Inquiry()), None
    title = f"{history.game.title}, match {history.id}"
    if query is not None:
        form = read_question(history, query.typed) if query.typed else form
        procedure = Procedure(docket, arbiters_of(history.opened, query.registered), query.service_key, made)
        title = f"{history.game.title}: {joined(history.players)}"
    compared, is_answered = _answered(evidence, form.inquiry)
    audited = AuditedMatch(
        history=history,
        is_answered=is_answered,
        summary=attempt(lambda: summary(history, docket, form.inquiry, compared)),
        asked=attempt(lambda: comparison_views(history, compared)),
        sheet=attempt(lambda: score_sheet(history, is_drawn=procedure is None)),
        disputes=attempt(lambda: disputes_view(history, docket, procedure)),
        signatories=attempt(lambda: signatories(history, docket)),
        log=attempt(lambda: _log(history)),
        rules=attempt(lambda: _cited(history)) if procedure is None else (),
        questions=attempt(lambda: claim_forms(history, form)) if procedure is not None else None,
        forms=attempt(lambda: procedure.forms(history, _books(history))) if procedure is not None else None,
    )
    return AuditView(evidence, report, title, banner(report, docket, compared), "", audited, links, made)


def _answered(evidence: Evidence, inquiry: Inquiry) -> tuple[list[Comparison], bool]:
    """A comparison for everything that was asked; or none, and that the events do not let one answer."""
    answered = attempt(lambda: answers(evidence, inquiry))
    return ([], False) if isinstance(answered, Unshown) else (answered, True)


def _books(history: History) -> list[str]:
    """The games whose rules may be cited: its own, the one it scores like, and those its points rest on."""
    cited = {rule_address(line.rule) for line in history.scoresheet}
    others = sorted({address.split("/")[2].partition("#")[0] for address in cited if address})
    return list(dict.fromkeys(filter(None, [history.game.key, history.game.pad_of, *others])))


def _log(history: History) -> list[Told]:
    """Everything that happened."""
    projection, names = history.game.projection, history.names

    def told(envelope: Envelope) -> str:
        return words_or_blank(lambda: sentence(projection, envelope.event, names))

    return told_events(history, history.envelopes, told)


def _cited(history: History) -> list[str]:
    """Every rule that made points or that a ruling rests on, in the order of their numbers."""
    cited = {line.rule for envelope in history.envelopes for line in envelope.event.scores}
    cited.update(rule for envelope in history.envelopes for rule in envelope.event.rules)
    return sorted(cited, key=_by_number)


def _by_number(rule: str) -> tuple[str, int]:
    letters = rule.rstrip("0123456789")
    return letters, int(rule[len(letters) :] or 0)
