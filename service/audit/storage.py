"""The integrity check of a stored ledger: the database itself, its guards, every chain, and the journal."""

from pathlib import Path
from typing import Final

from msgspec import Struct, field

from service.audit.journal import fault_of
from service.errors import Damaged, FileTrouble, LedgerError, Refused, Unavailable, UsageError
from service.files import private_beside
from service.store.backup import back_up, integrity
from service.store.columns import flawed_rows
from service.store.connect import TIMEOUT, differences, open_store, wherever
from service.store.copying import Notice, unheard
from service.store.store import Store
from service.trust.journal import walk

_MATCHES_AT_ONCE: Final = 50


class StorageReport(Struct):
    """What was found in a ledger, and what is wrong with it."""

    matches: int = 0
    events: int = 0
    entries: int = 0
    """Of the journal."""
    head: str = ""
    """The hash of the journal's last entry; empty where it has none."""
    findings: list[str] = field(default_factory=list)


class Backup(Struct):
    """A backup that was made, with what the check of it found."""

    source: str
    target: str
    bytes: int
    checked: StorageReport


def check_stored(
    database: str, *, timeout: float = TIMEOUT, begin: Notice = unheard, notice: Notice = unheard
) -> StorageReport:
    """Read everything: integrity, tables and triggers, every chain up to its head, the journal from end to end.

    It does not ask whether what happened was allowed; `audit` does.
    """
    found = StorageReport(findings=[*integrity(database, timeout=timeout), *differences(database, timeout=timeout)])
    with open_store(database, read_only=True, timeout=timeout) as store, store.snapshot():
        begin(store.count())
        found.findings += [
            f"Match {match}: events are stored under its seal and also as rows." for match in store.doubled()
        ]
        try:
            _walk_journal(store, found)
            for ids in store.ids(_MATCHES_AT_ONCE):
                for match in ids:
                    _walk_match(store, match, found)
                notice(len(ids))
        except Damaged as damage:  # not a match but the file itself
            found.findings.append(damage.message)
    return found


def make_backup(
    database: str,
    file: Path,
    *,
    replaces: bool = False,
    timeout: float = TIMEOUT,
    begin: Notice = unheard,
    notice: Notice = unheard,
) -> Backup:
    """Write a backup, check it, and only then put it under its name; an older one never makes room for a damaged one.

    A damaged ledger is backed up where no file is replaced, and what is wrong with it is told.
    """
    _refuse_place(database, file, replaces)
    with private_beside(file, "backup", "backup/unwritable", replaces=replaces) as draft:
        source = back_up(database, draft, timeout=timeout, begin=begin, notice=notice)
        checked = check_stored(str(draft), timeout=timeout, begin=begin, notice=notice)
        if checked.findings and file.exists():
            raise Damaged(
                "backup/damaged",
                f"The ledger is damaged, so {str(file)!r} was left as it is: {checked.findings[0]}",
                match="",
                seq=0,
            )
        size = draft.stat().st_size
    return Backup(source, str(file), size, checked)


def _refuse_place(database: str, file: Path, replaces: bool) -> None:
    if file.is_dir():
        raise FileTrouble("backup/unwritable", f"The backup {str(file)!r} cannot be written: it is a folder.")
    if not file.exists():
        return
    if Path(wherever(database)).exists() and file.samefile(wherever(database)):
        raise UsageError("backup/same", f"{str(file)!r} is the ledger itself; name another file for the backup.")
    if not replaces:
        raise Refused("backup/exists", f"{str(file)!r} exists already; name another file, or use --force.")
    used = [name for name in (f"{file.name}-wal", f"{file.name}-journal") if file.with_name(name).exists()]
    if used:
        raise Unavailable(
            "backup/in-use",
            f"{str(file)!r} is a ledger in use, or one that was not closed properly ({used[0]!r} lies beside it);"
            " it is not replaced.",
        )


def _walk_journal(store: Store, found: StorageReport) -> None:
    journal = walk(store.journal())
    found.entries, found.head = journal.count, journal.head if journal.count else ""
    if fault := fault_of(journal):
        found.findings.append(fault)
    found.findings += [
        f"Entry {place} of the journal is about match {match}, which is gone." for match, place in store.gone()
    ]


def _walk_match(store: Store, match: str, found: StorageReport) -> None:
    found.matches += 1
    try:
        head = store.head(match)
        chain = store.chain(match, None if head is None else head.hash)
    except LedgerError as refusal:
        found.findings.append(refusal.message)
        return
    if flaws := flawed_rows(chain):
        found.findings.append(flaws[0].message)
        return
    events = len(chain.data)
    found.events += events
    links = [] if chain.sound is not None else chain.links
    if (broken := chain.broken) is not None:
        found.findings.append(f"Match {match}: {broken.flaw}.")
    elif (unread := next((link for link in links if link.trouble is not None), None)) is not None:
        found.findings.append(f"Match {match}: event {unread.position} cannot be read: {unread.trouble}.")
    elif head is None or (head.seq, head.hash) != (events, chain.head):
        found.findings.append(f"Match {match}: its head is not its last event.")
