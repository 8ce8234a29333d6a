"""What only somebody needs who checks the record itself: every verdict, what was agreed, everything that happened."""

from typing import Final

from projections.disputes import Docket
from projections.story import sentence
from projections.timeline import undone_steps
from projections.words import count
from service.audit.report import Report
from service.play.evidence import Evidence
from service.play.history import History
from service.shell.page.escape import escape
from service.shell.page.pieces import BROKEN, WITHIN, Links, event_link, facts, moment, table

MARKS: Final = {"passed": "✓ passed", "failed": "✗ failed", "skipped": "– skipped"}


def verdicts(report: Report, links: Links = WITHIN) -> str:
    """Every check with its outcome and why."""
    rows = [
        f'<tr class="{escape(verdict.outcome)}"><td class="mark">{MARKS.get(verdict.outcome, escape(verdict.outcome))}'
        f'</td><td class="tight">{escape(verdict.check)}</td>'
        f'<td class="number">{event_link(verdict.seq, links) if verdict.seq else ""}</td>'
        f"<td>{escape(verdict.why)}</td></tr>"
        for verdict in report.verdicts
    ]
    return table(["outcome", "check", "#event", "why"], rows)


def record_facts(history: History, evidence: Evidence, docket: Docket) -> str:
    """Where the record comes from, what was agreed, how long it took."""
    opened = history.opened
    first, last = history.envelopes[0].at, history.envelopes[-1].at
    return facts(
        [
            ("Audited from", escape(evidence.source)),
            ("Rules", f"{escape(opened.ruleset)}; {escape(', '.join(f'{k}={v}' for k, v in opened.options.items()))}"),
            ("Agreed", f"{escape(opened.undo)} undo, {escape(opened.chance)} chance{_limits(docket)}"),
            ("Time", f"{moment(first)} to {moment(last)}"),
            (
                "History",
                f"{count(len(history.envelopes), 'event')}, head <code>{escape(evidence.head or 'unknown')}</code>",
            ),
        ]
    )


def _limits(docket: Docket) -> str:
    opened = docket.opened
    limits = [(opened.dispute_within, "to dispute"), (opened.appeal_within, "to appeal")]
    return "".join(f", {count(minutes, 'minute')} {what}" for minutes, what in limits if minutes)


def log(history: History, links: Links = WITHIN) -> str:
    """Everything that happened in sentences, what was taken back struck through."""
    undone_ones = undone_steps(history.envelopes)
    rows = []
    for envelope in history.envelopes:
        undone = envelope.step in undone_ones
        try:
            words = escape(sentence(history.game.projection, envelope.event, history.names))
        except BROKEN:
            words = '<span class="quiet">(an event that cannot be told)</span>'
        rows.append(
            f'<tr id="e{envelope.seq}"{" class=undone" if undone else ""}>'
            f'<td class="number">{event_link(envelope.seq, links)}</td><td class="number">{envelope.step}</td>'
            f'<td class="tight">{envelope.at:%H:%M:%S}</td><td>{words}</td></tr>'
        )
    return table(["#event", "#step", "time", "what"], rows)
