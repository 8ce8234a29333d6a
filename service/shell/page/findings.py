"""Where claims and papers part from the ledger, in full: both numbers, the lines to look at, the likely cause."""

from collections.abc import Sequence

from projections.words import signed
from service.play.history import History
from service.questions.claims import ClaimedLine, Comparison, Parting
from service.questions.findings import agreement, headline, is_suspect, lines_to_show, title, verdict
from service.shell.page.escape import escape
from service.shell.page.pieces import WITHIN, Links, event_link, rule_link, table


def findings(history: History, comparisons: Sequence[Comparison], links: Links = WITHIN) -> str:
    """Every comparison under its own heading."""
    return "\n".join(_comparison(history, comparison, links) for comparison in comparisons)


def _comparison(history: History, comparison: Comparison, links: Links) -> str:
    if comparison.agrees:
        return f"<p>{escape(agreement(history, comparison))}</p>"
    parts = [f"<h3>{escape(title(comparison))}</h3>"]
    for finding in comparison.findings:
        parts.append(f"<p><strong>{escape(headline(history, finding, comparison.source))}</strong></p>")
        parts.append(_lines(finding, links))
        parts.append(f"<p>{escape(verdict(finding))}</p>")
    return "\n".join(filter(None, parts))


def _lines(finding: Parting, links: Links) -> str:
    rows = [_row(line, is_suspect(finding, line), links) for line in lines_to_show(finding)]
    return table(["", "#event", "#points", "rule", "reason"], rows) if rows else ""


def _row(line: ClaimedLine, is_marked: bool, links: Links) -> str:
    return (
        f'<tr{" class=suspect" if is_marked else ""}><td class="mark">{"▸" if is_marked else ""}</td>'
        f'<td class="number">{event_link(line.seq, links)}</td><td class="number">{signed(line.applied)}</td>'
        f'<td class="tight">{rule_link(line.rule, links)}</td><td>{escape(line.reason)}</td></tr>'
    )
