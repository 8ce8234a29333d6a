"""What an audit prints: one line for each check, or one for each match that is not clean and a summary."""

from pathlib import Path
from typing import Any, Final

from rich.text import Text

from events.codec import Undecodable, decode
from events.match import MatchOpened
from projections.core import Names
from projections.story import sentence
from projections.words import count
from service.audit.bulk import Batch
from service.audit.report import CHECKS, MARKS, WIDTH, Judgement, Report
from service.errors import LedgerError
from service.games.shelf import by_ruleset
from service.play.evidence import Evidence
from service.shell.terminal.paint import console, say
from service.trust.keys import PublicKey
from service.trust.receipts import Receipt
from service.visible import visible

STYLES: Final[dict[Judgement, str]] = {"passed": "green", "failed": "bold red", "skipped": "dim"}


def show_report(report: Report, evidence: Evidence) -> None:
    """Every verdict on its own line, then what it comes to."""
    out = console()
    say(f"{report.source}  {count(report.events, 'event')}", "bold")
    for verdict in report.verdicts:
        style = "" if verdict.seq else "dim"
        out.print(Text.assemble((verdict.heading, STYLES[verdict.outcome]), (visible(verdict.words), style)))
    first = report.first
    say(report.conclusion, "good" if first is None else "bad")
    if first is not None and (words := in_words(evidence, first.seq)):
        say(f"  {first.seq}  {words}", "dim")


def in_words(evidence: Evidence, seq: int) -> str:
    """The sentence for an event, as far as it can be told; empty otherwise."""
    try:
        opened = decode(evidence.rows[0].data).event
        event = decode(evidence.rows[seq - 1].data).event
        assert isinstance(opened, MatchOpened)
        return sentence(by_ruleset(opened.ruleset).projection, event, Names(evidence.names)) if seq else ""
    except (Undecodable, LedgerError, AssertionError, LookupError, TypeError, ValueError):
        return ""


def show_finding(report: Report) -> None:
    """One line for a match that is not clean."""
    first = report.first
    assert first is not None
    others = ", ".join(verdict.check for verdict in report.findings if verdict is not first)
    text = f"✗ {report.source}  {first.check}: {first.words}" + (f" (also: {others})" if others else "")
    console().print(Text(visible(text), style="red"))


def show_totals(audited: Batch, seconds: float, *, rests: bool, unvouched: str = "") -> None:
    """What the audit of a whole ledger came to; one that was to rest on another says on which."""
    out = console()
    for check in CHECKS:
        numbers = [(outcome, audited.outcomes[check, outcome]) for outcome in MARKS]
        if any(number for _, number in numbers):
            parts = [(f"{MARKS[outcome]} {number:>7,}  ", STYLES[outcome]) for outcome, number in numbers]
            out.print(Text.assemble((f"{check:{WIDTH}}", ""), *parts))
    if unvouched and audited.is_clean:
        say(f"{count(audited.matches, 'match', 'matches')}: no fault was found.")
    else:
        say(str(audited), "good" if audited.is_clean else "bad")
    if unvouched:
        say(unvouched, "bad")
    if (before := audited.rests_on) is not None:
        again = f"{count(audited.matches, 'match', 'matches')} audited; {audited.unchanged:,} unchanged"
        say(f"{again} since the clean audit of {before.at[:16].replace('T', ' ')} UTC, entry {before.place:,}.")
    elif rests:
        say("This version has not signed a clean audit of this ledger yet, so every match was audited.")
    if audited.stated is not None:
        say(f"Signed as entry {audited.stated.place:,} of the journal; the next `audit --all --since` starts from it.")
    elif rests:
        say("Nothing was signed; the next `audit --all --since` starts from the same audit as this one.")
    rate = f"{audited.matches / seconds:,.0f} matches/s, {audited.events / seconds:,.0f} events/s in {seconds:.1f} s"
    say(rate, "dim")


def show_receipt(receipt: Receipt | None, file: Path | None) -> None:
    """What whoever sits down can hold the ledger to: the commitment in full, and the place in the journal."""
    if receipt is None:
        return
    said = receipt.statement
    where = f"written to {file}" if file is not None else "keep it with --receipt FILE"
    say("")
    say(f"Receipt: entry {said.place} of the journal, {where}.", "dim")
    if receipt.commitment:
        say(f"  commitment  {receipt.commitment}", "dim")
    say(f"  entry       {said.hash.hex()}", "dim")


def key_view(key: PublicKey) -> dict[str, Any]:
    """A public key as a program reads it."""
    return {"public": key.public, "fingerprint": key.fingerprint, "since": key.since, "until": key.until}


def show_key(key: PublicKey) -> None:
    """A public key with its period."""
    until = f" until {key.until:%Y-%m-%d %H:%M} UTC" if key.until is not None else ""
    say(f"{key.public}", "bold" if key.until is None else "")
    say(f"  fingerprint {key.fingerprint}, since {key.since:%Y-%m-%d %H:%M} UTC{until}", "dim")
