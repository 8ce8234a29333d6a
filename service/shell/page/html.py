"""The report as HTML: everything an arbiter needs on one page that asks nobody for anything."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import groupby
from typing import Final

from projections.disputes import Docket, docket_of
from projections.scoresheet import added_up
from projections.story import sentence
from projections.timeline import undone_steps
from projections.words import count, gained, total
from service.audit.report import Report
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.play.history import History, Point, of_evidence, points
from service.questions.inquiry import Inquiry, answers
from service.questions.rulebook import plain, rule_text
from service.shell.page.disputes import disputes, signing
from service.shell.page.escape import escape, escape_lines
from service.shell.page.findings import findings
from service.shell.page.head import banner, head
from service.shell.page.pieces import BROKEN, attempt, day, event_link, facts, moment, rule_link, section, table
from service.shell.page.style import STYLE
from service.shell.page.svg import drawing

MARKS: Final = {"passed": "✓ passed", "failed": "✗ failed", "skipped": "– skipped"}


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
    page = [f"<h1>{escape(title)}</h1>", *body, _verdicts(report), *_end(evidence, made)]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Audit: {escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, page))
        + "\n</body>\n</html>\n"
    )


def _match(report: Report, evidence: Evidence, history: History, inquiry: Inquiry) -> list[str]:
    docket = docket_of(history.envelopes)
    try:
        compared = answers(evidence, inquiry)
        trouble = ""
    except BROKEN:
        compared = []
        trouble = "<p>What was asked cannot be answered, because the events do not add up.</p>"
    return [
        banner(report, docket, compared),
        trouble,
        attempt(lambda: head(history, docket, inquiry, compared)),
        section("What was asked", lambda: findings(history, compared)),
        section("Score sheet", lambda: _sheet(history)),
        section("Disputes", lambda: disputes(history, docket)),
        section("To sign", lambda: signing(history, docket)),
        section("What happened", lambda: _log(history)),
        section("Rules cited", lambda: _rules(history)),
        section("The record", lambda: _record(history, evidence, docket)),
    ]


# ------------------------------------------------------------------------------------------- what only a checker needs


def _verdicts(report: Report) -> str:
    rows = [
        f'<tr class="{escape(verdict.outcome)}"><td class="mark">{MARKS.get(verdict.outcome, escape(verdict.outcome))}'
        f'</td><td class="tight">{escape(verdict.check)}</td>'
        f'<td class="number">{event_link(verdict.seq) if verdict.seq else ""}</td><td>{escape(verdict.why)}</td></tr>'
        for verdict in report.verdicts
    ]
    return "<h2>Verdicts</h2>\n" + table(["", "check", "#event", "why"], rows)


def _record(history: History, evidence: Evidence, docket: Docket) -> str:
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


def _end(evidence: Evidence, made: datetime) -> Iterator[str]:
    yield (
        f'<footer class="quiet">Made by matchledger {escape(version("matchledger"))} on {day(made)} from the'
        f" {count(len(evidence.rows), 'event')} of match {escape(evidence.match)}.</footer>"
    )


# ---------------------------------------------------------------------------------------------------------- score sheet


def _sheet(history: History) -> str:
    """Round by round: the table as it stood after the last points, then every line of the round."""
    parts: list[str] = []
    for (round_, is_end), group in groupby(points(history), key=lambda point: (point.sheet.round, point.is_end)):
        scored = list(group)
        before = "Before the first round" if history.game.has_rounds else "Play"
        heading = "End of the game" if is_end else f"Round {round_}" if round_ else before
        last = scored[-1].sheet.seq
        caption = f"The table after event {last}"
        picture = attempt(lambda last=last, caption=caption: _picture(history, last, caption))  # type: ignore[misc]
        rows = [_sheet_row(history, point) for point in scored]
        heads = ["#event", "who", "#points", "#total", "rule", "reason"]
        parts.append(f"<h3>{heading}</h3>\n{picture}\n{table(heads, rows)}")
    totals = history.game.projection.scores(history.table_after(len(history.envelopes)).state)
    sums = ", ".join(f"{escape(history.names[seat])} {total(score)}" for seat, score in enumerate(totals, start=1))
    return "\n".join(parts) + f"\n<p><strong>Sum of all lines:</strong> {sums}</p>"


def _picture(history: History, seq: int, caption: str) -> str:
    lines = history.game.projection.draw(history.table_after(seq).state, history.names)
    return f"<figure>{drawing(lines, caption)}<figcaption>{escape(caption)}</figcaption></figure>"


def _sheet_row(history: History, point: Point) -> str:
    entry = point.sheet
    added = added_up(history.game.projection, point.line)
    aside = f' <span class="quiet">({escape(added)})</span>' if added else ""
    return (
        f'<tr><td class="number">{event_link(entry.seq)}</td><td>{escape(history.names[entry.seat])}</td>'
        f'<td class="number">{gained(entry.applied, entry.requested)}</td><td class="number">{total(entry.total)}</td>'
        f'<td class="tight">{rule_link(entry.rule)}</td><td>{escape(entry.reason)}{aside}</td></tr>'
    )


# ------------------------------------------------------------------------------------------------------- log, rules


def _log(history: History) -> str:
    undone_ones = undone_steps(history.envelopes)
    rows = []
    for envelope in history.envelopes:
        undone = envelope.step in undone_ones
        try:
            words = escape(sentence(history.game.projection, envelope.event, history.names))
        except BROKEN:
            words = '<span class="quiet">(an event that cannot be told)</span>'
        rows.append(
            f'<tr id="e{envelope.seq}"{" class=undone" if undone else ""}><td class="number">{envelope.seq}</td>'
            f'<td class="number">{envelope.step}</td><td class="tight">{envelope.at:%H:%M:%S}</td><td>{words}</td></tr>'
        )
    return table(["#event", "#step", "time", "what"], rows)


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
