"""What an audit, a claim and an explanation come to, as programs see it."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from events.core import Seat
from service.audit.bulk import Batch
from service.audit.report import Report, Verdict
from service.play.history import History
from service.questions.claims import ClaimedLine, Comparison
from service.questions.explain import Explained, ExplainedLine
from service.questions.rulebook import plain
from service.trust.statements import Statement


class AuditAnswer(Struct, frozen=True):
    """Every verdict on one match."""

    source: str
    match: str
    events: int
    clean: bool
    readable: bool
    """Whether there was a match to audit at all."""
    first: int | None
    """The first event that offends a check; 0 when no single event does."""
    verdicts: Sequence[Verdict]


def audit_answer(report: Report) -> AuditAnswer:
    """A report as a program reads it."""
    first = report.first
    return AuditAnswer(
        source=report.source,
        match=report.match,
        events=report.events,
        clean=report.is_clean,
        readable=report.is_readable,
        first=first.seq if first is not None else None,
        verdicts=report.verdicts,
    )


class StatedAudit(Struct, frozen=True):
    """A clean audit as the journal states it."""

    place: int
    """The entry that states it."""
    covers: int
    """The last entry of the journal when it began: the heads stated up to there were clean."""
    at: str
    program: str
    hash: str
    """That of the entry."""


def stated_audit(statement: Statement | None) -> StatedAudit | None:
    """A clean audit as a program reads it."""
    if statement is None:
        return None
    return StatedAudit(statement.place, statement.count, statement.at, statement.ruleset, statement.hash.hex())


class LedgerAuditAnswer(Struct, frozen=True):
    """What the audit of a whole ledger came to."""

    matches: int
    """How many were audited."""
    unchanged: int
    """How many were passed over, because the audit this one rests on covers them as they stand."""
    events: int
    clean: int
    seconds: float
    checks: dict[str, dict[str, int]]
    """How often each check had each outcome."""
    findings: Sequence[AuditAnswer]
    rests_on: StatedAudit | None
    stated: StatedAudit | None
    """What the journal says of this one."""
    unvouched: str | None = None
    """Why nobody vouches for what was audited, in a sentence; null where signatures were held to a key."""


def ledger_audit_answer(batch: Batch, seconds: float, unvouched: str = "") -> LedgerAuditAnswer:
    """The audit of a whole ledger as a program reads it."""
    checks: dict[str, dict[str, int]] = {}
    for (check, outcome), number in sorted(batch.outcomes.items()):
        checks.setdefault(check, {})[outcome] = number
    return LedgerAuditAnswer(
        matches=batch.matches,
        unchanged=batch.unchanged,
        events=batch.events,
        clean=batch.matches - batch.unclean,
        seconds=seconds,
        checks=checks,
        findings=[audit_answer(report) for report in batch.findings],
        rests_on=stated_audit(batch.rests_on),
        stated=stated_audit(batch.stated),
        unvouched=unvouched or None,
    )


def report_of(answer: AuditAnswer) -> Report:
    """The report an answer was made from."""
    return Report(answer.source, answer.match, answer.events, answer.verdicts, answer.readable)


class CauseAnswer(Struct, frozen=True):
    """Something that would explain a difference."""

    words: str
    seq: int
    points: int
    written: int
    kind: int
    line: str
    """The reason of the line it is about, which tells it from others of the same event."""


class PartingAnswer(Struct, frozen=True):
    """Where paper and ledger part for one seat."""

    seat: Seat
    round: int | Literal["end"]
    paper: int
    ledger: int
    difference: int
    lines: list[ClaimedLine]
    causes: list[CauseAnswer]
    event: int
    """The event the number was written beside; 0 for one that was written for a round or the end."""


class ComparisonAnswer(Struct, frozen=True):
    """Paper beside ledger."""

    match: str
    agrees: bool
    totals: dict[Seat, int]
    compared: int
    findings: list[PartingAnswer]


def comparison_answer(history: History, comparison: Comparison) -> ComparisonAnswer:
    """A comparison as a program reads it."""
    return ComparisonAnswer(
        match=history.id,
        agrees=comparison.agrees,
        totals=comparison.totals,
        compared=comparison.compared,
        findings=[
            PartingAnswer(
                **asdict(finding)
                | {"round": finding.round or "end", "causes": [CauseAnswer(*cause) for cause in finding.causes]}
            )
            for finding in comparison.findings
        ],
    )


class ExplainedAnswer(Struct, frozen=True):
    """One event: the table before and after, every point added up, the rules in full."""

    match: str
    envelope: Any
    """The event in its envelope, as the ledger keeps it."""
    sentence: str
    is_undone: bool
    before: dict[str, Any]
    after: dict[str, Any]
    lines: list[ExplainedLine]
    rules: dict[str, str]


def explained_answer(history: History, explained: Explained) -> ExplainedAnswer:
    """An explanation as a program reads it."""
    view = history.game.projection.view
    return ExplainedAnswer(
        match=history.id,
        envelope=explained.envelope,
        sentence=explained.sentence,
        is_undone=explained.is_undone,
        before=view(explained.before.state),
        after=view(explained.after.state),
        lines=explained.lines,
        rules={rule: plain(text) for rule, text in explained.rules.items()},
    )
