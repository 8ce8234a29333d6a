"""The audit of a match, as a page of the service and as a file: plain words first, then what checks the record itself.

The page has forms besides, for questions and for disputes. The file has everything inside: drawings, and the rules.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import Struct

from projections.disputes import docket_of
from projections.words import joined
from service.audit.report import Report, Verdict
from service.disputes.procedure import arbiters_of
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.questions.claims import Comparison
from service.questions.inquiry import Inquiry, answers
from service.shell.web.views.attempts import Unshown, attempt
from service.shell.web.views.audit_summary import Banner, Summary, banner, summary
from service.shell.web.views.claim_forms import ClaimForm, ClaimForms, claim_forms, read_question
from service.shell.web.views.dispute_forms import DisputeForms, Procedure
from service.shell.web.views.disputes import DisputesView, disputes_view, signatories
from service.shell.web.views.findings import ComparisonView, comparison_views
from service.shell.web.views.links import WITHIN, Links, links_of, rule_address
from service.shell.web.views.record import CitedRule, LogRow, RecordFacts, cited_rules, log_rows, record_facts
from service.shell.web.views.score_sheet import ScoreSheet, score_sheet


class AuditedMatch(Struct, frozen=True):
    """What is told of a match that can be read."""

    is_answered: bool
    """Whether what was asked could be answered."""
    summary: Summary | Unshown
    asked: Sequence[ComparisonView] | Unshown
    sheet: ScoreSheet | Unshown
    disputes: DisputesView | Unshown
    signatories: Sequence[tuple[str, str]] | Unshown
    log: Sequence[LogRow] | Unshown
    record: RecordFacts | Unshown
    rules: Sequence[CitedRule] | Unshown = ()
    """Those it names, for the file; the page has links to them."""
    questions: ClaimForms | Unshown | None = None
    """Only on the page, as the next."""
    forms: DisputeForms | Unshown | None = None


class AuditView(Struct, frozen=True):
    """The audit of a match."""

    match: str
    title: str
    banner: Banner
    trouble: str
    """Why nothing else can be told; empty where it can."""
    told: AuditedMatch | None
    verdicts: Sequence[Verdict]
    is_clean: bool
    links: Links
    made: datetime
    events: int


class Asking(NamedTuple):
    """What the page needs besides the audit: what its forms were filled in with, and who may rule at this moment."""

    typed: Mapping[str, str]
    registered: Collection[str]
    """Those who rule in a match that pins no arbiters."""
    house: str
    """The key of the service."""


def audit_view(
    report: Report, evidence: Evidence, made: datetime, inquiry: Inquiry | None = None, asking: Asking | None = None
) -> AuditView:
    """The audit, with an answer to what was asked: as a file, or as a page where there is somebody to ask."""
    links = WITHIN if asking is None else links_of(evidence.match)
    rest = (report.verdicts, report.is_clean, links, made, len(evidence.rows))
    try:
        history = of_evidence(evidence)
    except LedgerError as error:
        return AuditView(
            evidence.match, f"Match {evidence.match}", banner(report, None, ()), error.message, None, *rest
        )
    docket = docket_of(history.envelopes)
    form, procedure = ClaimForm(inquiry or Inquiry()), None
    title = f"{history.game.title}, match {history.id}"
    if asking is not None:
        form = read_question(history, asking.typed) if asking.typed else form
        procedure = Procedure(docket, arbiters_of(history.opened, asking.registered), asking.house, made)
        title = f"{history.game.title}: {joined([history.names[seat] for seat in range(1, history.opened.seats + 1)])}"
    compared, is_answered = _answered(evidence, form.inquiry)
    told = AuditedMatch(
        is_answered=is_answered,
        summary=attempt(lambda: summary(history, docket, form.inquiry, compared)),
        asked=attempt(lambda: comparison_views(history, compared)),
        sheet=attempt(lambda: score_sheet(history, is_drawn=procedure is None)),
        disputes=attempt(lambda: disputes_view(history, docket, procedure)),
        signatories=attempt(lambda: signatories(history, docket)),
        log=attempt(lambda: log_rows(history)),
        record=attempt(lambda: record_facts(history, evidence, docket)),
        rules=attempt(lambda: cited_rules(history)) if procedure is None else (),
        questions=attempt(lambda: claim_forms(history, form)) if procedure is not None else None,
        forms=attempt(lambda: procedure.forms(history, _books(history))) if procedure is not None else None,
    )
    return AuditView(history.id, title, banner(report, docket, compared), "", told, *rest)


def _answered(evidence: Evidence, inquiry: Inquiry) -> tuple[list[Comparison], bool]:
    """A comparison for everything that was asked; or none, and that the events do not let one answer."""
    answered = attempt(lambda: answers(evidence, inquiry))
    return ([], False) if isinstance(answered, Unshown) else (answered, True)


def _books(history: History) -> list[str]:
    """The games whose rules may be cited: its own, the one it scores like, and those its points rest on."""
    cited = {rule_address(line.rule) for line in history.scoresheet}
    others = sorted({address.split("/")[2].partition("#")[0] for address in cited if address})
    return list(dict.fromkeys(filter(None, [history.game.key, history.game.pad_of, *others])))
