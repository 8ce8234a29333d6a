"""The case of a match: verdicts in plain words first, then questions, disputes and the score sheet; the rest folded."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from projections.disputes import Docket, docket_of
from projections.scoresheet import SheetLine
from projections.words import joined
from service.audit.report import Report
from service.disputes.procedure import arbiters_of
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.shell.page.disputes import disputes, signing
from service.shell.page.escape import escape
from service.shell.page.findings import findings
from service.shell.page.head import banner, head
from service.shell.page.html import answered
from service.shell.page.pieces import Links, attempt, section
from service.shell.page.record import log, record_facts, verdicts
from service.shell.page.sheet import score_sheet
from service.shell.web.claim_forms import ClaimForm, questions, read_question
from service.shell.web.dispute_forms import Hearing
from service.shell.web.rules import rule_address


def links_of(match: str) -> Links:
    """Where events and rules are read on pages: in the replay, and in the rulebook they stand in."""
    return Links(lambda seq: f"/matches/{match}/replay?at={seq}", rule_address)


class Case(NamedTuple):
    """The page of a case."""

    title: str
    main: str


def case_page(
    report: Report,
    evidence: Evidence,
    typed: Mapping[str, str],
    *,
    registered: Collection[str],
    house: str,
    now: datetime,
) -> Case:
    """The page, with an answer to what its forms asked.

    In a match that pins no arbiters, those `registered` with the ledger rule; `house` is the key of the service.
    """
    match = evidence.match
    links = links_of(match)
    try:
        history = of_evidence(evidence)
    except LedgerError as error:
        title = f"Match {match}"
        body = [
            banner(report, None, (), links),
            f"<p>The match cannot be shown: {escape(error.message)}</p>",
            _downloads(match),
            _folded("Every check", verdicts(report, links), is_open=True),
        ]
    else:
        players = joined([history.names[seat] for seat in range(1, history.opened.seats + 1)])
        title = f"{history.game.title}: {players}"
        question = read_question(history, typed) if typed else ClaimForm()
        docket = docket_of(history.envelopes)
        hearing = Hearing(history, docket, arbiters_of(history.opened, registered), house, now)
        body = _match(report, evidence, history, question, hearing, links)
    return Case(f"Audit of {title}", "\n".join(filter(None, [_where(match), f"<h1>{escape(title)}</h1>", *body])))


def _where(match: str) -> str:
    """The way to the other pages of the match."""
    at = f"/matches/{escape(match)}"
    return (
        f'<nav class="where" aria-label="This match"><a href="{at}">Table</a><a href="{at}/replay">Replay</a>'
        f'<a href="{at}/case" aria-current="page">Audit and disputes</a></nav>'
    )


def _match(
    report: Report, evidence: Evidence, history: History, question: ClaimForm, hearing: Hearing, links: Links
) -> list[str]:
    docket = docket_of(history.envelopes)
    compared, trouble = answered(evidence, question.inquiry)
    asked = section("What was asked", lambda: findings(history, compared, links))
    return [
        banner(report, docket, compared, links),
        trouble,
        attempt(lambda: head(history, docket, question.inquiry, compared)),
        _downloads(history.id),
        f'<section class="asked">{asked}</section>' if asked else "",
        f'<section class="asking"><h2>Check a score</h2>{attempt(lambda: questions(history, question))}</section>',
        f'<section class="disputes"><h2>Disputes</h2>'
        f"{attempt(lambda: _disputes(history, docket, hearing, links))}</section>",
        '<section class="sheet"><h2>Score sheet</h2>'
        f"{attempt(lambda: score_sheet(history, links, is_drawn=False, more=_picking))}</section>",
        f'<div class="on-paper"><h2>To sign</h2>{attempt(lambda: signing(history, docket))}</div>',
        '<h2 class="technical">For those who check the record</h2>'
        + _folded("Every check", verdicts(report, links), is_open=not report.is_clean)
        + _folded("The record", attempt(lambda: record_facts(history, evidence, docket)))
        + _folded("Everything that happened", attempt(lambda: log(history, links))),
    ]


def _disputes(history: History, docket: Docket, hearing: Hearing, links: Links) -> str:
    told = disputes(history, docket, links, after=hearing.next_forms)
    nothing = '<p class="quiet">Nothing has been disputed.</p>'
    return "\n".join(
        [
            told or nothing,
            hearing.opening(history.scoresheet),
            hearing.final(),
            hearing.who_rules(),
            f'<datalist id="rules" data-games="{" ".join(_books(history))}"></datalist>',
        ]
    )


def _picking(line: SheetLine) -> str:
    """What takes a line of the score sheet to the form that opens a dispute."""
    return (
        f'<button type="button" class="pick" data-needs="seat" data-event="{line.seq}" data-of="{line.seat}" hidden'
        f' aria-label="Dispute event {line.seq}">Dispute</button>'
    )


def _books(history: History) -> list[str]:
    """The games whose rules may be cited: its own, the one it scores like, and those its points rest on."""
    cited = {rule_address(line.rule) for line in history.scoresheet}
    others = sorted({address.split("/")[2].partition("#")[0] for address in cited if address})
    return list(dict.fromkeys(filter(None, [history.game.key, history.game.pad_of, *others])))


def _downloads(match: str) -> str:
    api = f"/api/v1/matches/{escape(match)}"
    files = [
        (f"{api}/audit.html", f"{escape(match)}-audit.html", "Audit as a page"),
        (f"{api}/record", f"{escape(match)}.mlr", "Record as text"),
        (f"{api}/record?format=jsonl", f"{escape(match)}.jsonl", "Record as JSON lines"),
    ]
    links = "".join(f'<a class="button" href="{path}" download="{name}">{words}</a>' for path, name, words in files)
    return f'<p class="files"><button type="button" class="print by-script" hidden>Print</button>{links}</p>'


def _folded(heading: str, body: str, *, is_open: bool = False) -> str:
    key = heading.lower().replace(" ", "-")
    return f'<details id="{key}"{" open" if is_open else ""}><summary>{heading}</summary>{body}</details>'
