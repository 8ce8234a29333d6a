"""`audit` and `receipt`: check a match, a file or a whole ledger, trusting nobody."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec.structs import asdict

from projections.words import count
from service.audit import Report, audit
from service.audit.bulk import AuditTerms, Batch, audit_all
from service.audit.judge import own_notary
from service.audit.since import check_asked
from service.errors import Damaged, UsageError
from service.files import write_file
from service.play.evidence import Evidence
from service.play.history import of_evidence
from service.play.workers import chosen_jobs
from service.questions.inquiry import Inquiry, answers
from service.records import read_evidence
from service.shell.answers.questions import audit_answer, ledger_audit_answer
from service.shell.commands.questions import ask, comparison_views, show_comparisons
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
        "--key",
        metavar="PUB|FILE",
        help="A public key to trust, or a file with one; closed matches must be signed with it.",
    ),
]
Arbiters = Annotated[
    list[str] | None,
    typer.Option(
        "--arbiter",
        metavar="PUB|FILE",
        help="Public key of an arbiter whose rulings count in matches that name no arbiter.",
    ),
]
Claims = Annotated[
    list[str] | None,
    typer.Option("--claim", metavar="SEAT=TOTAL", help="A total somebody claims, such as Ann=57 or 1=57."),
]
PaperFile = Annotated[
    Path | None, typer.Option("--paper", metavar="CSV", help="Totals per round as players wrote them down.")
]
HtmlFile = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write the whole audit as one HTML page, to read or to print."),
]
Receipts = Annotated[
    list[Path] | None,
    typer.Option(
        "--receipt", metavar="FILE", help="A receipt to check: the events that it names must still be there, unchanged."
    ),
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
    keys = [read_public(text) for text in key or ()]
    is_about_one = bool(claim or paper or html)
    arbiters = [read_public(text) for text in arbiter or ()]
    receipts = [read_receipt(path) for path in receipt or ()]
    if target is None:
        if is_about_one:
            raise UsageError("audit/one", "--claim, --paper and --html are about one match; name it instead of --all.")
        check_asked(since=since, full=full, keys=keys, arbiters=arbiters)
        terms = AuditTerms(keys, [*arbiters, *registered_arbiters()], receipts)
        audit_ledger(context, processes, cluster, terms, as_json, since=since, states=since or full)
        return
    found, inquiry = audit_target(
        context, target, AuditTerms(keys, arbiters, receipts), (claim or (), paper), is_about_one
    )
    agrees = show_reports(found, inquiry, as_json)
    if html is not None:
        write_page(html, *found[0], inquiry, is_quiet=as_json)
    finish([report for _, report in found])
    if not agrees:
        raise typer.Exit(1)


def audit_target(
    context: typer.Context, target: str, terms: AuditTerms, asked: tuple[Sequence[str], Path | None], is_about_one: bool
) -> tuple[list[tuple[Evidence, Report]], Inquiry]:
    """The evidence a word stands for with the report on each match in it, and what was asked.

    What was asked is read, and refused, before an audit begins; of a damaged match the players are known only after it.
    """
    claims, paper = asked
    is_asked = bool(claims or paper)
    if is_record(target):
        read = read_evidence(target)
        if (is_about_one or terms.receipts) and len(read) != 1:
            raise UsageError(
                "audit/one",
                f"{target!r} holds {len(read)} matches; --receipt, --claim, --paper and --html are about one.",
            )
        inquiry = ask(of_evidence(read[0]), claims, paper) if is_asked else Inquiry()
        trusted, receipts, arbiters = terms.trusted, terms.receipts, terms.arbiters
        return [(one, audit(one, trusted, receipts=receipts, arbiters=arbiters)) for one in read], inquiry
    with open_backend(context) as backend:
        before = None
        with suppress(Damaged):
            before = ask(backend.read(target), claims, paper) if is_asked else Inquiry()
        evidence, report = backend.audit(target, terms.trusted, terms.arbiters, terms.receipts)
    return [(evidence, report)], before or ask(of_evidence(evidence), claims, paper)


def show_reports(found: Sequence[tuple[Evidence, Report]], inquiry: Inquiry, as_json: bool) -> bool:
    """Print what was found, for people or for programs; whether every number asked about is the ledger's."""
    compared = [answers(evidence, inquiry) for evidence, _ in found]
    if as_json:
        views = [
            {**asdict(audit_answer(report)), **comparison_views(evidence, comparisons)}
            for (evidence, report), comparisons in zip(found, compared, strict=True)
        ]
        show_json(views[0] if len(views) == 1 else views)
    else:
        for number, ((evidence, report), comparisons) in enumerate(zip(found, compared, strict=True)):
            if number:
                say("")
            show_report(report, evidence)
            show_comparisons(evidence, comparisons)
    return all(comparison.agrees for comparisons in compared for comparison in comparisons)


def write_page(path: Path, evidence: Evidence, report: Report, inquiry: Inquiry, is_quiet: bool) -> None:
    """The audit as one page, with the answers to what was asked."""
    from service.shell.web.audit_file import html_report  # loads Jinja, which other audits need not wait for

    write_file(path, html_report(report, evidence, inquiry).encode(), "page", "audit/unwritable")
    if not is_quiet:
        say(f"Wrote {path}.")


def finish(reports: Sequence[Report]) -> None:
    """Leave with the exit code that fits the reports."""
    if not all(report.is_readable for report in reports):
        raise typer.Exit(UNREADABLE)
    if not all(report.is_clean for report in reports):
        raise typer.Exit(1)


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
