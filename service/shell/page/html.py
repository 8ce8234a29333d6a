"""The report as HTML: everything an arbiter needs on one page that asks nobody for anything."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

from events.core import Standing
from projections.disputes import Docket, docket_of
from projections.scoresheet import adjustments, arithmetic
from projections.story import sentence
from projections.timeline import undone_steps
from projections.words import count, gained, joined, signed
from service.audit.report import Report
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.play.history import History, Point, of_evidence, points
from service.questions.rulebook import plain, rule_text
from service.shell.page.escape import escape, escape_lines
from service.shell.page.style import STYLE
from service.shell.page.svg import drawing

MARKS: Final = {"passed": "✓ passed", "failed": "✗ failed", "skipped": "– skipped"}
_BROKEN: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, LedgerError)
"""What a forged event can do to a fold. The page then says so in that place and goes on."""


def html_report(report: Report, evidence: Evidence) -> str:
    """One self-contained page about a match and its audit. The same evidence gives the same page."""
    try:
        history = of_evidence(evidence)
    except LedgerError as error:
        sections = [f"<p>The match cannot be shown: {escape(error.message)}</p>"]
        title = f"Match {evidence.match}"
    else:
        title = f"{history.game.title}, match {history.id}"
        makers: list[tuple[str, Callable[[History], str]]] = [
            ("Score sheet", _sheet),
            ("Disputes", _disputes),
            ("What happened", _log),
            ("Rules cited", _rules),
        ]
        sections = [_attempt(lambda: _facts(history, evidence))]
        sections += [_section(heading, history, make) for heading, make in makers]
    page = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">Audited from {escape(report.source)}</p>',
        _banner(report),
        _verdicts(report),
        *sections,
        '<p class="quiet">Made by matchledger from the events of the match and nothing else.</p>',
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Audit: {escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, page))
        + "\n</body>\n</html>\n"
    )


def _attempt(make: Callable[[], str]) -> str:
    try:
        return make()
    except _BROKEN as error:
        return f'<p class="quiet">This cannot be shown, because the events do not add up ({type(error).__name__}).</p>'


def _section(heading: str, history: History, make: Callable[[History], str]) -> str:
    body = _attempt(lambda: make(history))
    return f"<h2>{heading}</h2>\n{body}" if body else ""


# ------------------------------------------------------------------------------------------------------------- verdicts


def _banner(report: Report) -> str:
    failed = [verdict for verdict in report.verdicts if verdict.outcome == "failed"]
    if not failed:
        return '<p class="banner clean">Clean: no check found anything wrong.</p>'
    first = min(failed, key=lambda verdict: verdict.seq or 1 << 60)
    where = f", first at event {_event_link(first.seq)}" if first.seq else ""
    return f'<p class="banner findings">{count(len(failed), "check")} failed{where}.</p>'


def _verdicts(report: Report) -> str:
    rows = [
        f'<tr class="{escape(verdict.outcome)}"><td class="mark">{MARKS.get(verdict.outcome, escape(verdict.outcome))}'
        f'</td><td class="tight">{escape(verdict.check)}</td>'
        f'<td class="number">{_event_link(verdict.seq) if verdict.seq else ""}</td><td>{escape(verdict.why)}</td></tr>'
        for verdict in report.verdicts
    ]
    return "<h2>Verdicts</h2>\n" + _table(["", "check", "#event", "why"], rows)


# ---------------------------------------------------------------------------------------------------------------- match


def _facts(history: History, evidence: Evidence) -> str:
    opened, docket = history.opened, docket_of(history.envelopes)
    first, last = history.envelopes[0].at, history.envelopes[-1].at
    seats = joined([f"{history.names[seat]} (seat {seat})" for seat in range(1, opened.seats + 1)])
    facts = [
        ("Players", escape(seats)),
        ("Rules", f"{escape(opened.ruleset)}; {escape(', '.join(f'{k}={v}' for k, v in opened.options.items()))}"),
        ("Agreed", f"{escape(opened.undo)} undo, {escape(opened.chance)} chance{_limits(docket)}"),
        ("Time", f"{_moment(first)} to {_moment(last)}"),
        (
            "History",
            f"{count(len(history.envelopes), 'event')}, head <code>{escape(evidence.head or 'unknown')}</code>",
        ),
        ("Computed result", _standings(history, docket.computed)),
    ]
    if docket.adjustments or docket.final:
        final = " (final)" if docket.final else ""
        facts.append((f"Ruled result{final}", _standings(history, docket.ruled)))
    rows = [f'<tr><td class="tight"><strong>{name}</strong></td><td>{value}</td></tr>' for name, value in facts]
    return f"<h2>The match</h2>\n<table>{''.join(rows)}</table>"


def _limits(docket: Docket) -> str:
    opened = docket.opened
    limits = [(opened.dispute_within, "to dispute"), (opened.appeal_within, "to appeal")]
    return "".join(f", {count(minutes, 'minute')} {what}" for minutes, what in limits if minutes)


def _standings(history: History, standings: Sequence[Standing]) -> str:
    if not standings:
        return "none"
    places = []
    for place in standings:
        tie = f" (tie-break {place.tiebreak})" if place.tiebreak else ""
        places.append(f"{place.rank}. {escape(history.names[place.seat])} {place.score}{tie}")
    return " &nbsp; ".join(places)


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
        picture = _attempt(lambda last=last, caption=caption: _picture(history, last, caption))  # type: ignore[misc]
        rows = [_sheet_row(history, point) for point in scored]
        heads = ["#event", "who", "#points", "#total", "rule", "reason"]
        parts.append(f"<h3>{heading}</h3>\n{picture}\n{_table(heads, rows)}")
    totals = history.game.projection.scores(history.table_after(len(history.envelopes)).state)
    sums = ", ".join(f"{escape(history.names[seat])} {score}" for seat, score in enumerate(totals, start=1))
    return "\n".join(parts) + f"\n<p><strong>Sum of all lines:</strong> {sums}</p>"


def _picture(history: History, seq: int, caption: str) -> str:
    lines = history.game.projection.draw(history.table_after(seq).state, history.names)
    return f"<figure>{drawing(lines, caption)}<figcaption>{escape(caption)}</figcaption></figure>"


def _sheet_row(history: History, point: Point) -> str:
    entry = point.sheet
    total = arithmetic(history.game.projection, point.event, point.line)
    aside = f' <span class="quiet">({escape(total)})</span>' if total != entry.reason else ""
    return (
        f'<tr><td class="number">{_event_link(entry.seq)}</td><td>{escape(history.names[entry.seat])}</td>'
        f'<td class="number">{gained(entry.applied, entry.requested)}</td><td class="number">{entry.total}</td>'
        f'<td class="tight">{_rule_link(entry.rule)}</td><td>{escape(entry.reason)}{aside}</td></tr>'
    )


# ------------------------------------------------------------------------------------------------- disputes, log, rules


def _disputes(history: History) -> str:
    docket = docket_of(history.envelopes)
    if not docket.disputes and docket.final is None:
        return ""
    names = history.names
    rows = [
        f'<tr><td class="number">{number}</td><td class="tight">{escape(dispute.status)}</td>'
        f'<td class="tight">{escape(names[dispute.opened.seat])}</td>'
        f'<td class="number">{_event_link(dispute.seq)}</td><td>{escape(dispute.opened.words)}</td></tr>'
        for number, dispute in docket.disputes.items()
    ]
    changes = [
        f'<tr><td class="number">{line.dispute}</td><td>{escape(names[line.seat])}</td><td class="number">'
        f'{signed(line.applied)}</td><td class="number">{line.total}</td>'
        f'<td class="tight">{_rule_link(line.rule)}</td></tr>'
        for line in adjustments(docket)
    ]
    parts = [_table(["#dispute", "status", "by", "#event", "words"], rows)] if rows else []
    if changes:
        heads = ["#dispute", "who", "#points", "#ruled total", "rule"]
        parts.append(f"<h3>By ruling, beside the score of play</h3>\n{_table(heads, changes)}")
    if docket.final is not None:
        parts.append(f"<p>Declared final by {escape(docket.final.arbiter)}.</p>")
    return "\n".join(parts)


def _log(history: History) -> str:
    undone_ones = undone_steps(history.envelopes)
    rows = []
    for envelope in history.envelopes:
        undone = envelope.step in undone_ones
        try:
            words = escape(sentence(history.game.projection, envelope.event, history.names))
        except _BROKEN:
            words = '<span class="quiet">(an event that cannot be told)</span>'
        rows.append(
            f'<tr id="e{envelope.seq}"{" class=undone" if undone else ""}><td class="number">{envelope.seq}</td>'
            f'<td class="number">{envelope.step}</td><td class="tight">{envelope.at:%H:%M:%S}</td><td>{words}</td></tr>'
        )
    return _table(["#event", "#step", "time", "what"], rows)


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


# --------------------------------------------------------------------------------------------------------------- pieces


def _table(heads: Sequence[str], rows: Sequence[str]) -> str:
    """A table; a heading that begins with # stands over numbers."""
    cells = "".join(
        f'<th class="number">{escape(head[1:])}</th>' if head.startswith("#") else f"<th>{escape(head)}</th>"
        for head in heads
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>\n" + "\n".join(rows) + "\n</tbody></table>"


def _event_link(seq: int) -> str:
    return f'<a href="#e{seq}">{seq}</a>'


def _rule_link(rule: str) -> str:
    return f'<a href="#{escape(rule)}" title="{escape_lines(plain(rule_text(rule)))}">{escape(rule)}</a>'


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
