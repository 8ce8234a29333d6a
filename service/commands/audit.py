"""`audit` and `receipt`: check a match, a file or a whole ledger, trusting nobody."""

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from service.audit import Report, audit
from service.audit.bulk import Plan, audit_all
from service.commands.session import Json, Match, open_ledger, session_of
from service.errors import Unavailable, UsageError
from service.evidence import Evidence, from_ledger
from service.keys import load_server_key, read_public, sign_head
from service.signing import own_public_keys, read_receipt, write_receipt
from service.terminal.audits import report_view, show_finding, show_report, show_totals
from service.terminal.paint import console, say, show_json

UNREADABLE = 3
ALL_CORES = os.cpu_count() or 1
WORTH_A_PROCESS = 30
"""Matches that take about as long to audit as a process takes to start."""

Target = Annotated[str | None, typer.Argument(metavar="MATCH|FILE", help="A match of the ledger, or a record file.")]
All = Annotated[bool, typer.Option("--all", help="Every match of the ledger.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes for --all.")]
Keys = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="PUB", help="A public key to trust, or a file of it; closed matches must be signed."),
]
Receipts = Annotated[list[Path] | None, typer.Option("--receipt", metavar="FILE", help="A receipt it must contain.")]


def audit_command(
    context: typer.Context,
    target: Target = None,
    everything: All = False,
    jobs: Jobs = ALL_CORES,
    key: Keys = None,
    receipt: Receipts = None,
    as_json: Json = False,
) -> None:
    """Check a match by its bytes and its rules: a verdict for each check, with the first event that offends it.

    Exit code 0: clean; 1: findings; 3: nothing that could be read.
    """
    if everything == (target is not None):
        raise UsageError("audit/target", "Name one match or file to audit, or say --all for the whole ledger.")
    keys = [read_public(text) for text in key or ()]
    if target is None:
        if receipt:
            raise UsageError("audit/receipt", "A receipt belongs to one match; name that match instead of --all.")
        audit_ledger(context, jobs, keys, as_json)
        return
    found = audit_target(context, target, keys, receipt or ())
    show_reports(found, as_json)
    finish([report for _, report in found])


def audit_target(
    context: typer.Context, target: str, keys: Sequence[str], receipts: Sequence[Path]
) -> list[tuple[Evidence, Report]]:
    """The evidence a word stands for, with the report on each match in it."""
    shown = [read_receipt(path) for path in receipts]
    if Path(target).is_file():
        evidences, trusted = read_file(Path(target)), list(keys)
    else:
        with open_ledger(context, writes=False) as ledger:
            evidences = [from_ledger(ledger, target)]
        # What lies in a ledger of ours was signed by us; whose key is in a file is for the reader to know.
        trusted = [*keys, *own_public_keys()]
    return [(evidence, audit(evidence, trusted, receipts=shown, must_be_signed=bool(keys))) for evidence in evidences]


def read_file(path: Path) -> Sequence[Evidence]:
    """Every match in a record file or an export."""
    evidences: Sequence[Evidence] = import_module("service.records").read_evidence(path)
    return evidences


def show_reports(found: Sequence[tuple[Evidence, Report]], as_json: bool) -> None:
    """Print what was found, for people or for programs."""
    if as_json:
        views = [report_view(report) for _, report in found]
        show_json(views[0] if len(views) == 1 else views)
        return
    for number, (evidence, report) in enumerate(found):
        if number:
            say("")
        show_report(report, evidence)


def finish(reports: Sequence[Report]) -> None:
    """Leave with the exit code that fits the reports."""
    if not all(report.is_readable for report in reports):
        raise typer.Exit(UNREADABLE)
    if not all(report.is_clean for report in reports):
        raise typer.Exit(1)


def audit_ledger(context: typer.Context, jobs: int, keys: Sequence[str], as_json: bool) -> None:
    """Audit every match, print those that are not clean as they come, and sum up."""
    with open_ledger(context, writes=False) as ledger:
        total = ledger.store.count()
    plan = Plan(session_of(context).database, [*keys, *own_public_keys()], must_be_signed=bool(keys))
    matches = events = unclean = 0
    outcomes: Counter[tuple[str, str]] = Counter()
    views = []
    is_readable = True
    started = time.perf_counter()
    columns = (
        TextColumn("auditing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]} matches/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True, disable=as_json) as progress:
        task = progress.add_task("", total=total, rate="–")
        for batch in audit_all(plan, max(1, min(jobs, total // WORTH_A_PROCESS))):
            matches, events = matches + batch.matches, events + batch.events
            outcomes += batch.outcomes
            unclean += len(batch.findings)
            for report in batch.findings:
                is_readable = is_readable and report.is_readable
                if as_json:
                    views.append(report_view(report))
                else:
                    show_finding(report)
            rate = f"{matches / (time.perf_counter() - started):,.0f}"
            progress.update(task, advance=batch.matches, rate=rate)
    seconds = time.perf_counter() - started
    if as_json:
        checks: dict[str, dict[str, int]] = {}
        for (check, outcome), number in sorted(outcomes.items()):
            checks.setdefault(check, {})[outcome] = number
        summary = {"matches": matches, "events": events, "clean": matches - unclean, "seconds": seconds}
        show_json({**summary, "checks": checks, "findings": views})
    else:
        show_totals(matches, events, unclean, outcomes, seconds)
    if unclean:
        raise typer.Exit(1 if is_readable else UNREADABLE)


def receipt_command(
    context: typer.Context,
    match: Match,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it there.")] = None,
) -> None:
    """Print a signed receipt of the match as it stands; `audit --receipt` proves later that nothing was rewritten."""
    with open_ledger(context, writes=False) as ledger:
        evidence = from_ledger(ledger, match)
    signature = sign_head(load_server_key(), evidence.match, evidence.count, evidence.head)
    text = write_receipt(signature)
    if output is None:
        sys.stdout.write(text.decode())
        return
    try:
        output.write_bytes(text)
    except OSError as error:
        raise Unavailable("receipt/unwritable", f"{str(output)!r} cannot be written: {error.strerror}.") from error
    say(f"Wrote {output}: {evidence.count} events of match {evidence.match}.")
