"""What is said about a ledger as a whole: its figures, a backup, a copy, a check."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich import filesize

from projections.words import count
from service.shell.terminal.paint import console, grid, say
from service.trust.keys import fingerprint
from service.visible import visible

if TYPE_CHECKING:  # what makes these takes longer to load than most commands to run
    from service.audit.storage import Backup, StorageReport
    from service.shell.answers.ledgers import LedgerAnswer, SealedAnswer
    from service.store.copying import Copied


def show_figures(answer: "LedgerAnswer") -> None:
    """One fact a line, then the matches by game and status."""
    head = f", head {_short(answer.head)}" if answer.head else ""
    moved = f"{answer.moved_at:%Y-%m-%d %H:%M} UTC" if answer.moved_at else "–"
    for name, words in (
        ("database", answer.database),
        ("kind", f"{answer.kind}, revision {answer.revision}, {filesize.decimal(answer.bytes)}"),
        (
            "matches",
            f"{count(answer.matches, 'match', 'matches')}, {count(answer.events, 'event')}, last moved {moved}",
        ),
        ("journal", f"{count(answer.entries, 'entry', 'entries')}{head}"),
        ("key", _key(answer)),
    ):
        say(f"{name:8}  {words}", indent=10)
    if answer.groups:
        say("")
        numbers = ["matches", "events", "sealed"]
        table = grid("game", "status", *numbers, right=numbers)
        for group in answer.groups:
            counts = (f"{number:,}" for number in (group.matches, group.events, group.sealed))
            table.add_row(visible(group.game), visible(group.status), *counts)
        console().print(table)


def _key(answer: "LedgerAnswer") -> str:
    own = fingerprint(answer.key) if answer.key else "none here yet"
    if not answer.journal_key:
        return own
    if answer.key == answer.journal_key:
        return f"{own}, which signs the journal"
    return f"{own}; the journal is signed by {fingerprint(answer.journal_key)}"


def show_stored(stored: "StorageReport") -> None:
    """What a check of everything found."""
    for line in stored.findings:
        say(line, "bad")
    outcome = count(len(stored.findings), "finding") if stored.findings else "sound"
    chains = f"the chains of {count(stored.matches, 'match', 'matches')} ({count(stored.events, 'event')})"
    head = f" (head {_short(stored.head)})" if stored.head else ""
    journal = f"the journal of {count(stored.entries, 'entry', 'entries')}{head}"
    say(f"Checked integrity, tables, triggers, {chains} and {journal}: {outcome}.")


def show_backup(made: "Backup", keys: Path) -> None:
    """What was written, what the check of it found, and what is not in it."""
    say(f"Backed up {made.source} to {made.target}, {filesize.decimal(made.bytes)}.")
    show_stored(made.checked)
    say(f"The keys are not in it: keep a copy of {keys} too, in another place.")


def show_copy(copied: "Copied") -> None:
    """Both ends, what passed between them, and the rule that holds from now on."""
    rows = {name: table.rows for name, table in copied.tables.items()}
    what = [count(rows["match"], "match", "matches"), count(rows["event"], "event")]
    what.append(f"{count(rows['journal'], 'entry', 'entries')} of the journal")
    say(f"Copied {copied.source} to {copied.target}.")
    say(f"{count(sum(rows.values()), 'row')} compared in {count(len(rows), 'table')}, all equal: {', '.join(what)}.")
    say(
        "Use only one of the two from now on: if both sign, their journals contradict each other."
        " Stop everything that writes to the other one, and keep it as it is."
    )


def show_sealed(sealed: "SealedAnswer") -> None:
    """How much became how little; below it what was left as it is, and why."""
    if not sealed.matches and not sealed.left:
        say("There is nothing to seal: every closed match is sealed already, or changed too recently.")
    if sealed.matches:
        what = f"{count(sealed.matches, 'match', 'matches')} with {count(sealed.events, 'event')}"
        say(f"Sealed {what}: {filesize.decimal(sealed.before)} became {filesize.decimal(sealed.after)}.")
    for line in sealed.left:
        say(line, "bad")
    if sealed.not_compacted:
        say(f"Their space on the disk is not free yet: {sealed.not_compacted}", "dim")


def _short(head: str) -> str:
    return f"{head[:16]}…"
