"""The report as HTML: everything an arbiter needs on one page that asks nobody for anything."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version

from projections.disputes import docket_of
from projections.words import count
from service.audit.report import Report
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.questions.claims import Comparison
from service.questions.inquiry import Inquiry, answers
from service.questions.rulebook import plain, rule_text
from service.shell.page.disputes import disputes, signing
from service.shell.page.escape import escape, escape_lines
from service.shell.page.findings import findings
from service.shell.page.head import banner, head
from service.shell.page.pieces import BROKEN, attempt, day, section
from service.shell.page.record import log, record_facts, verdicts
from service.shell.page.sheet import score_sheet
from service.shell.page.style import STYLE
from service.shell.page.svg import BOARD_STYLE


def html_report(
    report: Report, evidence: Evidence, inquiry: Inquiry | None = None, made: datetime | None = None
) -> str:
    """One self-contained page about a match, its audit and what was asked; the same on the same day for the same.

    What people want to know comes first: who, what, the answer. Then the score sheet and the disputes; what only
    somebody who checks the record itself needs comes last.
    """
    made = made or datetime.now(UTC)
    try:
        history = of_evidence(evidence)
    except LedgerError as error:
        title = f"Match {evidence.match}"
        body = [banner(report, None, ()), f"<p>The match cannot be shown: {escape(error.message)}</p>"]
    else:
        title = f"{history.game.title}, match {history.id}"
        body = _match(report, evidence, history, inquiry or Inquiry())
    page = [f"<h1>{escape(title)}</h1>", *body, section("Verdicts", lambda: verdicts(report)), *_end(evidence, made)]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Audit: {escape(title)}</title>\n<style>{BOARD_STYLE}{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, page))
        + "\n</body>\n</html>\n"
    )


def _match(report: Report, evidence: Evidence, history: History, inquiry: Inquiry) -> list[str]:
    docket = docket_of(history.envelopes)
    compared, trouble = answered(evidence, inquiry)
    return [
        banner(report, docket, compared),
        trouble,
        attempt(lambda: head(history, docket, inquiry, compared)),
        section("What was asked", lambda: findings(history, compared)),
        section("Score sheet", lambda: score_sheet(history)),
        section("Disputes", lambda: disputes(history, docket)),
        section("To sign", lambda: signing(history, docket)),
        section("What happened", lambda: log(history)),
        section("Rules cited", lambda: _rules(history)),
        section("The record", lambda: record_facts(history, evidence, docket)),
    ]


def answered(evidence: Evidence, inquiry: Inquiry) -> tuple[list[Comparison], str]:
    """A comparison for everything that was asked; or none, and that the events do not let one answer."""
    try:
        return answers(evidence, inquiry), ""
    except BROKEN:
        return [], "<p>What was asked cannot be answered, because the events do not add up.</p>"


def _end(evidence: Evidence, made: datetime) -> Iterator[str]:
    yield (
        f'<footer class="quiet">Made by matchledger {escape(version("matchledger"))} on {day(made)} from the'
        f" {count(len(evidence.rows), 'event')} of match {escape(evidence.match)}.</footer>"
    )


def _rules(history: History) -> str:
    return "<dl>" + "".join(_footnotes(history)) + "</dl>"


def _footnotes(history: History) -> Iterator[str]:
    cited: dict[str, None] = {}
    for envelope in history.envelopes:
        cited.update(dict.fromkeys(line.rule for line in envelope.event.scores))
        cited.update(dict.fromkeys(envelope.event.rules))
    for rule in sorted(cited, key=_by_number):
        words, _, figure = plain(rule_text(rule)).partition("\n\n")
        shown = escape(words) if words else "(in no rulebook here)"
        picture = f"<pre>{escape_lines(figure)}</pre>" if figure else ""
        yield f'<dt id="{escape(rule)}">{escape(rule)}</dt><dd>{shown}{picture}</dd>'


def _by_number(rule: str) -> tuple[str, int]:
    letters = rule.rstrip("0123456789")
    return letters, int(rule[len(letters) :] or 0)
