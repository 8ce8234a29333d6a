"""`audit` and `receipt`: check a match, a file or a whole ledger, trusting nobody."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec.structs import asdict, replace

from projections.words import count
from service.audit import Report, audit
from service.audit.bulk import AuditTerms, Batch, audit_all
from service.audit.judge import own_notary
from service.audit.since import check_asked
from service.errors import Damaged, UsageError
from service.files import read_text, write_file
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.play.workers import chosen_jobs
from service.questions.claims import Comparison
from service.questions.inquiry import Inquiry, answers, read_inquiry
from service.records import read_evidence
from service.shell.answers.questions import ComparisonAnswer, audit_answer, comparison_answer, ledger_audit_answer
from service.shell.commands.session import (
    ALL_CORES,
    AUDIT,
    Cluster,
    Jobs,
    Json,
    Match,
    is_record,
    match_argument,
    open_backend,
    open_ledger,
    session_of,
)
from service.shell.terminal import rulings
from service.shell.terminal.audits import show_finding, show_report, show_totals
from service.shell.terminal.paint import say, show_file, show_json
from service.shell.terminal.progress import advancing
from service.trust.arbiters import registered_arbiters
from service.trust.folder import key_folder, known_keys
from service.trust.keys import read_public
from service.trust.receipts import read_receipt, write_receipt

app = typer.Typer()

UNREADABLE = 3
WORTH_A_PROCESS = 30
"""Matches that take about as long to audit as a process takes to start."""

UNVOUCHED: Final = (
    "Nothing vouches for these matches: no key was named and there is none in {!r}, so it was not checked who signed"
    " them. Name the ledger's public key: --key PUB."
)

Audited = Sequence[tuple[Evidence, Report]]
Target = Annotated[str | None, match_argument("MATCH|FILE", "A match of the ledger, or a record file.")]
All = Annotated[bool, typer.Option("--all", help="Every match of the ledger.")]
Since = Annotated[
    bool,
    typer.Option("--since", help="With --all: skip matches unchanged since the last clean audit; sign the result."),
]
Full = Annotated[
    bool, typer.Option("--full", help="With --all: skip nothing, and sign the result for the next --since.")
]
Keys = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PUB|FILE", help="A public key to trust, or a file with one; closed matches must be signed with it."
    ),
]
Arbiters = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PUB|FILE", help="Public key of an arbiter whose rulings count in matches that name no arbiter."
    ),
]
Claims = Annotated[
    list[str] | None, typer.Option(metavar="SEAT=TOTAL", help="A total somebody claims, such as Ann=57 or 1=57.")
]
PaperFile = Annotated[Path | None, typer.Option(metavar="CSV", help="Totals per round as players wrote them down.")]
HtmlFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the whole audit as one HTML page, to read or to print.")
]
Receipts = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="A receipt to check: the events that it names must still be there, unchanged."),
]


@app.command("audit", rich_help_panel=AUDIT)
def audit_command(
    context: typer.Context,
    target: Target = None,
    everything: All = False,
    since: Since = False,
    full: Full = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    key: Keys = None,
    arbiter: Arbiters = None,
    receipt: Receipts = None,
    claim: Claims = None,
    paper: PaperFile = None,
    html: HtmlFile = None,
    as_json: Json = False,
) -> None:
    """Check a match from its stored bytes and the rules: a verdict for each check, with the first event that fails it.

    Exit code 0: clean; 1: findings; 2: a file is missing or cannot be written; 3: it cannot be read at all.
    """
    if everything == (target is not None):
        raise UsageError("audit/target", "Name one match or file to audit, or give --all for the whole ledger.")
    if target is not None and cluster is not None:
        raise UsageError("audit/cluster", f"--cluster is for --all; {target!r} is audited on this machine.")
    if target is not None and (since or full):
        raise UsageError("audit/since", f"--since and --full are for --all; {target!r} is always audited whole.")
    processes = chosen_jobs(jobs, cluster, ALL_CORES)
    terms = AuditTerms(
        [read_public(text) for text in key or ()],
        [read_public(text) for text in arbiter or ()],
        [read_receipt(path) for path in receipt or ()],
    )
    is_about_one = bool(claim or paper or html)
    if target is None:
        if is_about_one:
            raise UsageError("audit/one", "--claim, --paper and --html are about one match; name it instead of --all.")
        check_asked(since=since, full=full, keys=terms.trusted, arbiters=terms.arbiters)
        terms = replace(terms, arbiters=[*terms.arbiters, *registered_arbiters()])
        audit_ledger(context, processes, cluster, terms, as_json, since=since, states=since or full)
        return
    if is_record(target):
        found, inquiry = _audit_file(target, terms, claim or (), paper, is_about_one)
    else:
        found, inquiry = _audit_match(context, target, terms, claim or (), paper)
    agrees = show_reports(found, inquiry, as_json)
    if html is not None:
        from service.shell.web.audit_file import html_report  # loads Jinja, which other audits need not wait for

        ((evidence, report),) = found
        write_file(html, html_report(report, evidence, inquiry).encode(), "page", "audit/unwritable")
        if not as_json:
            say(f"Wrote {html}.")
    if not all(report.is_readable for _, report in found):
        raise typer.Exit(UNREADABLE)
    if not agrees or not all(report.is_clean for _, report in found):
        raise typer.Exit(1)


def _audit_file(
    file: str, terms: AuditTerms, claims: Sequence[str], paper: Path | None, is_about_one: bool
) -> tuple[Audited, Inquiry]:
    """Every match of a record file, and what was asked about the only one; that is refused before an audit begins."""
    read = read_evidence(file)
    if (is_about_one or terms.receipts) and len(read) != 1:
        raise UsageError(
            "audit/one", f"{file!r} holds {len(read)} matches; --receipt, --claim, --paper and --html are about one."
        )
    inquiry = ask(of_evidence(read[0]), claims, paper) if claims or paper else Inquiry()
    return [(one, audit(one, terms.trusted, receipts=terms.receipts, arbiters=terms.arbiters)) for one in read], inquiry


def _audit_match(
    context: typer.Context, match: str, terms: AuditTerms, claims: Sequence[str], paper: Path | None
) -> tuple[Audited, Inquiry]:
    """A match of the ledger, and what was asked, before the audit if it reads: of a damaged one the players are known
    only after it.
    """
    with open_backend(context) as backend:
        inquiry = None
        with suppress(Damaged):
            inquiry = ask(backend.read(match), claims, paper) if claims or paper else Inquiry()
        evidence, report = backend.audit(match, terms.trusted, terms.arbiters, terms.receipts)
    return [(evidence, report)], inquiry or ask(of_evidence(evidence), claims, paper)


def ask(history: History, claims: Sequence[str], paper: Path | None) -> Inquiry:
    """What `audit --claim Ann=54 --paper FILE` asks about a match."""
    text = read_text(paper, "paper", "paper/unreadable") if paper is not None else None
    return read_inquiry(history, claims, text)


def show_reports(found: Audited, inquiry: Inquiry, as_json: bool) -> bool:
    """Print what was found, for people or for programs; whether every number asked about is the ledger's."""
    compared = [(evidence, report, answers(evidence, inquiry)) for evidence, report in found]
    if as_json:
        views = [
            asdict(audit_answer(report)) | _comparison_answers(evidence, comparisons)
            for evidence, report, comparisons in compared
        ]
        show_json(views[0] if len(views) == 1 else views)
    else:
        for number, (evidence, report, comparisons) in enumerate(compared):
            if number:
                say("")
            show_report(report, evidence)
            for comparison in comparisons:
                say("")
                rulings.show_comparison(of_evidence(evidence), comparison)
    return all(comparison.agrees for _, _, comparisons in compared for comparison in comparisons)


def _comparison_answers(evidence: Evidence, comparisons: Sequence[Comparison]) -> dict[str, ComparisonAnswer]:
    """The comparisons for programs, by what was compared; `agrees` says whether they do."""
    keys = {"claim": "claims", "paper": "paper", "record": "written"}
    return {keys[found.source]: comparison_answer(of_evidence(evidence), found) for found in comparisons}


def audit_ledger(
    context: typer.Context,
    jobs: int,
    cluster: str | None,
    terms: AuditTerms,
    as_json: bool,
    *,
    since: bool,
    states: bool,
) -> None:
    """Audit every match, print those that are not clean as they come, and sum up."""
    with open_ledger(context) as ledger:
        total = ledger.store.count()
    database = session_of(context).database
    notary = own_notary() if states else None
    processes = max(1, min(jobs, total // WORTH_A_PROCESS))
    summed = Batch()
    journal_faults: list[str] = []
    is_readable = True
    started = time.perf_counter()
    with advancing(total, "auditing", unit="matches", is_quiet=as_json) as advance:
        for batch in audit_all(database, terms, processes, cluster, notary=notary, since=since):
            for report in batch.findings:
                is_readable = is_readable and report.is_readable
                # What is wrong with the journal itself is said once, and not again for every match.
                is_told = bool(report.match) and [verdict.why for verdict in report.findings] == journal_faults
                if not as_json and not is_told:
                    show_finding(report)
                if not report.match:
                    journal_faults = [verdict.why for verdict in report.findings]
            if not as_json:
                batch.findings.clear()  # they were told; a ledger may have a million of them
            summed.merge(batch)
            advance(batch.matches + batch.unchanged)
    seconds = time.perf_counter() - started
    unvouched = "" if not summed.matches or terms.trusted or known_keys() else UNVOUCHED.format(str(key_folder()))
    if as_json:
        show_json(ledger_audit_answer(summed, seconds, unvouched))
    else:
        show_totals(summed, seconds, rests=since, unvouched=unvouched)
    if not summed.is_clean:
        raise typer.Exit(1 if is_readable else UNREADABLE)


@app.command("receipt", rich_help_panel=AUDIT)
def receipt_command(
    context: typer.Context,
    match: Match,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the receipt to this file.")
    ] = None,
) -> None:
    """Print a signed receipt of the match as it stands; `audit --receipt` proves later that nothing was rewritten."""
    with open_backend(context) as backend:
        receipt = backend.receipt(match)
    text = write_receipt(receipt)
    if output is None:
        show_file(text)
        return
    write_file(output, text, "receipt", "receipt/unwritable")
    say(f"Wrote {output}: {count(receipt.statement.count, 'event')} of match {receipt.statement.match}.")
