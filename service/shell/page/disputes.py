"""Disputes in full: who claimed what, who ruled how and why, the appeal and its decision; and the lines to sign."""

from collections.abc import Callable, Iterator

from events.core import ScoreLine
from events.dispute import AppealDecided, DisputeRuled
from projections.disputes import Dispute, Docket
from projections.scoresheet import adjustments
from projections.words import joined, signed, total
from service.play.history import History
from service.shell.page.escape import escape
from service.shell.page.pieces import WITHIN, Links, event_link, facts, rule_link, table


def disputes(
    history: History, docket: Docket, links: Links = WITHIN, after: Callable[[Dispute], str] = lambda _: ""
) -> str:
    """Every dispute from its claim to its end, each with what a page has to add; then what the rulings come to."""
    if not docket.disputes and docket.final is None:
        return ""
    parts = [_dispute(history, dispute, links) + after(dispute) for dispute in docket.disputes.values()]
    changes = [
        f'<tr><td class="number">{line.dispute}</td><td>{escape(history.names[line.seat])}</td><td class="number">'
        f'{signed(line.applied)}</td><td class="number">{total(line.total)}</td>'
        f'<td class="tight">{rule_link(line.rule, links)}</td></tr>'
        for line in adjustments(docket)
    ]
    if changes:
        heads = ["#dispute", "who", "#points", "#ruled total", "rule"]
        parts.append(f"<h3>By ruling, beside the score of play</h3>\n{table(heads, changes)}")
    if docket.final is not None:
        parts.append(f"<p>Declared final by {escape(docket.final.arbiter)}.</p>")
    return "\n".join(parts)


def _dispute(history: History, dispute: Dispute, links: Links) -> str:
    names, opened = history.names, dispute.opened
    about = f"event {event_link(opened.about, links)}" if opened.about else f"the total of {escape(names[opened.of])}"
    right = ""
    if opened.claim is not None:
        number = signed(opened.claim) if opened.about else str(opened.claim)
        right = f"; right would be {number} for {escape(names[opened.of])}"
    pairs = [
        ("Claim", f"{escape(names[opened.seat])} disputes {about}{right} (event {event_link(dispute.seq, links)})"),
        ("In their words", f"<q>{escape(opened.words)}</q>"),
        *_ruling(history, "Ruling", dispute.ruling, links),
    ]
    if dispute.appeal is not None:
        pairs.append(("Appeal", f"{escape(names[dispute.appeal.seat])}: <q>{escape(dispute.appeal.words)}</q>"))
    pairs += _ruling(history, "Decision on the appeal", dispute.decision, links)
    pairs.append(("Status", escape(dispute.status) + (", waits for an arbiter" if dispute.is_pending else "")))
    return f'<h3 id="dispute-{dispute.number}">Dispute {dispute.number}</h3>\n{facts(pairs)}'


def _ruling(
    history: History, what: str, ruling: DisputeRuled | AppealDecided | None, links: Links
) -> Iterator[tuple[str, str]]:
    if ruling is None:
        return
    is_upheld = isinstance(ruling, AppealDecided) and ruling.upheld
    given = "the ruling is upheld" if is_upheld else _given(history, ruling.scores)
    overturned = "the ruling is overturned: " if isinstance(ruling, AppealDecided) and not is_upheld else ""
    cited = joined([rule_link(rule, links) for rule in ruling.rules])
    yield what, f"{overturned}{given}, by {escape(ruling.arbiter)} under {cited}"
    yield "Reasons", f"<q>{escape(ruling.reason)}</q>"


def _given(history: History, lines: tuple[ScoreLine, ...]) -> str:
    return joined([f"{escape(history.names[line.seat])} {signed(line.applied)}" for line in lines]) or "no adjustment"


def signing(history: History, docket: Docket) -> str:
    """A line to sign for every player and for every arbiter who had a say; one for an arbiter in any case."""
    arbiters: dict[str, None] = {}
    for dispute in docket.disputes.values():
        for said in (dispute.ruling, dispute.decision):
            arbiters.update({said.arbiter: None} if said is not None else {})
    arbiters.update({docket.final.arbiter: None} if docket.final is not None else {})
    people = [(history.names[seat], f"seat {seat}") for seat in range(1, history.opened.seats + 1)]
    people += [(name, "arbiter") for name in arbiters] or [("", "arbiter")]
    lines = [f"<li>{escape(name)} <span>{escape(role)}, date</span></li>" for name, role in people]
    return f'<ul class="signing">{"".join(lines)}</ul>'
