"""What an audit prints: one line for each check, or one for each match that is not clean and a summary."""

from collections import Counter
from typing import Any, Final

from rich.text import Text

from events.codec import Undecodable, decode
from events.match import MatchOpened
from projections.core import Names
from projections.story import sentence
from projections.words import count
from service.audit.report import CHECKS, Report, Verdict
from service.errors import LedgerError
from service.games.shelf import by_ruleset
from service.play.evidence import Evidence
from service.shell.terminal.paint import console, say
from service.trust.keys import PublicKey

MARKS: Final = {"passed": ("✓", "green"), "failed": ("✗", "bold red"), "skipped": ("–", "dim")}
WIDTH: Final = max(map(len, CHECKS)) + 1


def show_report(report: Report, evidence: Evidence) -> None:
    """Every verdict on its own line, then what it comes to."""
    out = console()
    say(f"{report.source}  {count(report.events, 'event')}", "bold")
    for verdict in report.verdicts:
        mark, style = MARKS[verdict.outcome]
        why = _about(verdict)
        line = Text.assemble((f"{mark} {verdict.check:{WIDTH}}", style), (why, "" if verdict.seq else "dim"))
        out.print(line)
    first = report.first
    if first is None:
        skipped = sum(verdict.outcome == "skipped" for verdict in report.verdicts)
        say(f"Clean{f', with {skipped} checks skipped' if skipped else ''}.", "good")
        return
    say(f"{count(len(report.findings), 'finding')}." + (f" First bad event: {first.seq}." if first.seq else ""), "bad")
    words = in_words(evidence, first.seq)
    if words:
        say(f"  {first.seq}  {words}", "dim")


def _about(verdict: Verdict) -> str:
    line = f", line {verdict.line}" if verdict.line else ""
    return f"event {verdict.seq}{line}: {verdict.why}" if verdict.seq else verdict.why


def in_words(evidence: Evidence, seq: int) -> str:
    """The sentence for an event, as far as it can be told; empty otherwise."""
    try:
        opened = decode(evidence.rows[0].data).event
        event = decode(evidence.rows[seq - 1].data).event
        assert isinstance(opened, MatchOpened)
        return sentence(by_ruleset(opened.ruleset).projection, event, Names(evidence.names)) if seq else ""
    except (Undecodable, LedgerError, AssertionError, LookupError, TypeError, ValueError):
        return ""


def report_view(report: Report) -> dict[str, Any]:
    """A report as a program reads it."""
    first = report.first
    return {
        "source": report.source,
        "match": report.match,
        "events": report.events,
        "clean": report.is_clean,
        "readable": report.is_readable,
        "first": first.seq if first is not None else None,
        "verdicts": report.verdicts,
    }


def show_finding(report: Report) -> None:
    """One line for a match that is not clean."""
    first = report.first
    assert first is not None
    others = ", ".join(verdict.check for verdict in report.findings if verdict is not first)
    text = f"✗ {report.source}  {first.check}: {_about(first)}" + (f" (also: {others})" if others else "")
    console().print(Text(text, style="red"))


def show_totals(matches: int, events: int, unclean: int, outcomes: Counter[tuple[str, str]], seconds: float) -> None:
    """What the audit of a whole ledger came to."""
    out = console()
    for check in CHECKS:
        numbers = [(outcome, outcomes[check, outcome]) for outcome in MARKS]
        if any(number for _, number in numbers):
            parts = [(f"{MARKS[outcome][0]} {number:>7,}  ", MARKS[outcome][1]) for outcome, number in numbers]
            out.print(Text.assemble((f"{check:{WIDTH}}", ""), *parts))
    rate = f"{matches / seconds:,.0f} matches/s, {events / seconds:,.0f} events/s in {seconds:.1f} s"
    audited = "1 match" if matches == 1 else f"{matches:,} matches"
    say(f"{audited}: {f'{unclean:,} not clean' if unclean else 'all clean'}.", "bad" if unclean else "good")
    say(rate, "dim")


def key_view(key: PublicKey) -> dict[str, Any]:
    """A public key as a program reads it."""
    return {"public": key.public, "fingerprint": key.fingerprint, "since": key.since, "until": key.until}


def show_key(key: PublicKey) -> None:
    """A public key with its period."""
    until = f" until {key.until:%Y-%m-%d %H:%M} UTC" if key.until is not None else ""
    say(f"{key.public}", "bold" if key.until is None else "")
    say(f"  fingerprint {key.fingerprint}, since {key.since:%Y-%m-%d %H:%M} UTC{until}", "dim")
