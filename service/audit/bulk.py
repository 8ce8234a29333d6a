"""Auditing a whole store: matches go to other processes in small batches, and nothing but findings comes back."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from service.audit.engine import audit
from service.audit.journal import examine, fault_of, gone_report, journal_report
from service.audit.report import Report, Verdict
from service.audit.signatures import broken_promise
from service.audit.since import AuditTask, changed, everything, last_clean, state_clean
from service.errors import LedgerError, Unavailable
from service.play.evidence import Evidence, from_store
from service.play.notary import Notary
from service.play.workers import sizes, working
from service.store.connect import open_store, wherever
from service.store.side_tables import SideTables
from service.store.store import Store
from service.trust.journal import Journal
from service.trust.statements import Signed, Statement

BATCH: Final = 25
"""Matches a process audits at most before it reports: a fraction of a second; the bar moves and memory stays small."""
FEW: Final = 25
"""Matches that are audited before others have begun and ended."""


class Batch(Struct):
    """What the audit of some matches came to."""

    matches: int = 0
    events: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each check had each outcome."""
    findings: list[Report] = field(default_factory=list)
    """The reports of the matches that are not clean."""
    unclean: int = 0
    """How many those are, also where the reports are not kept."""
    unchanged: int = 0
    """Matches that were skipped, because they are unchanged since the clean audit that this one builds on."""
    rests_on: Statement | None = None
    """That audit."""
    stated: Statement | None = None
    """What the journal says of this one now."""

    def add(self, report: Report) -> None:
        """Count one more match."""
        self.matches += 1
        self.events += report.events
        self.outcomes.update((verdict.check, verdict.outcome) for verdict in report.verdicts)
        if not report.is_clean:
            self.unclean += 1
            self.findings.append(report)

    def merge(self, other: "Batch") -> None:
        """Count the matches of another batch as well."""
        self.matches += other.matches
        self.events += other.events
        self.outcomes += other.outcomes
        self.findings += other.findings
        self.unclean += other.unclean
        self.unchanged += other.unchanged
        self.rests_on = self.rests_on or other.rests_on
        self.stated = self.stated or other.stated

    @property
    def is_clean(self) -> bool:
        """Whether no check of any match failed."""
        return not self.unclean

    def __str__(self) -> str:
        return conclusion(self.matches + self.unchanged, self.unclean)


def conclusion(matches: int, unclean: int) -> str:
    """What the audit of so many matches comes to, in a sentence."""
    audited = "1 match" if matches == 1 else f"{matches:,} matches"
    return f"{audited}: {f'{unclean:,} not clean' if unclean else 'all clean'}."


class AuditTerms(Struct, frozen=True):
    """How every match of a ledger is audited, be it one or all of them."""

    trusted: Sequence[str] = ()
    """Where any are given, they are the only keys that count."""
    arbiters: Sequence[str] = ()
    receipts: Sequence[Signed] = ()
    is_ours: bool = True
    """Whether the journal must be kept by the key of this ledger."""
    journal: Journal | None = None
    """The journal as it was found at the beginning; looked at again where it went on with another key."""

    def examined(self, store: Store) -> Journal:
        """The journal of a store as it stands; held to the key of this ledger unless other keys are to be trusted."""
        return examine(store, self.receipts, is_ours=self.is_ours and not self.trusted)


def audit_stored(
    store: Store, text: str, terms: AuditTerms, asked: Mapping[str, SideTables] | None = None
) -> tuple[Evidence, Report]:
    """The match that a text names, with the report on it; `asked` as in `from_store`."""
    with store.snapshot():
        evidence = from_store(store, text, asked)
        journal = terms.journal
        if journal is None or _is_outdated(journal, evidence):
            journal = terms.examined(store)
    receipts = [receipt for receipt in terms.receipts if terms.journal is None or receipt.match == evidence.match]
    report = audit(evidence, terms.trusted, receipts=receipts, arbiters=terms.arbiters, journal=journal)
    return evidence, report


def _is_outdated(journal: Journal, evidence: Evidence) -> bool:
    """Whether somebody else took the journal over since it was looked at."""
    later = [entry for entry in evidence.stated if entry.place > journal.count]
    return any(not journal.answers(entry.key, entry.place) for entry in later)


def audit_all(
    database: str,
    terms: AuditTerms,
    jobs: int = 1,
    cluster: str | None = None,
    *,
    notary: Notary | None = None,
    since: bool = False,
) -> Iterator[Batch]:
    """Every match of a store in order of the ids, by so many processes or by a cluster, a few batches at a time.

    The first batch is the journal itself: what is wrong with it, what is gone, and receipts that it does not extend.
    With a notary, the last one is what the journal says of this audit, if everything was clean; nothing is written
    otherwise. `since` skips matches unchanged since the last clean audit.
    """
    if jobs > 1 and _are_few(database):
        jobs = 1
    with working(jobs, cluster, is_sharing=True) as crew, open_store(database, read_only=True) as store:
        with store.snapshot():
            journal = terms.examined(store)
            gone = store.gone()
            clean = last_clean(store, journal) if since else None
        terms = replace(terms, journal=journal)
        fault = fault_of(journal) or next(filter(None, (broken_promise(said, journal) for said in terms.receipts)), "")
        found = [journal_report(journal, fault)] * bool(fault) + [gone_report(*lost) for lost in gone]
        yield Batch(findings=found, unclean=len(found), rests_on=clean)
        is_clean = not found
        asked = {receipt.match for receipt in terms.receipts}
        parts = sizes(store.count(), jobs, BATCH)
        tasks = everything(store, parts) if clean is None else changed(store, clean, BATCH, asked)
        if cluster is None:
            audited = crew.answers(partial(audit_beside, database, terms), tasks, partial(audit_batch, store, terms))
        else:
            audited = crew.answers(partial(audit_elsewhere, wherever(database), terms), tasks)
        for batch in audited:
            is_clean = is_clean and batch.is_clean
            yield batch
    if notary is not None and is_clean:
        with open_store(database, create=False) as store:
            yield Batch(stated=state_clean(notary, store, journal))


def _are_few(database: str) -> bool:
    """Whether a store holds so few matches that other processes are not worth starting; the store is closed again."""
    with open_store(database, read_only=True) as store:
        return store.count() < FEW


def audit_batch(store: Store, terms: AuditTerms, task: AuditTask) -> Batch:
    """Audit these matches of a store."""
    batch = Batch(unchanged=task.unchanged)
    for start in range(0, len(task.ids), BATCH):
        _audit_together(store, terms, task.ids[start : start + BATCH], batch)
    return batch


def _audit_together(store: Store, terms: AuditTerms, ids: Sequence[str], batch: Batch) -> None:
    """Audit a few matches in one snapshot, with one query for each side table."""
    before = batch.matches
    # What refuses one of them may refuse the others in the same snapshot: from there on each is read for itself.
    with suppress(LedgerError), store.snapshot():
        asked = store.side_tables_of(ids)
        for match in ids:
            batch.add(audit_stored(store, match, terms, asked)[1])
    for match in ids[batch.matches - before :]:
        try:
            _, report = audit_stored(store, match, terms)
        except LedgerError as refusal:
            verdict = Verdict("format", "failed", why=refusal.message)
            batch.add(Report(match, match, 0, [verdict], is_readable=False))
        else:
            batch.add(report)


def audit_beside(database: str, terms: AuditTerms, task: AuditTask) -> Batch:
    """The same in a process that does nothing else and keeps its store open, which takes as long as some matches."""
    return audit_batch(_own_store(database), terms, task)


@lru_cache(maxsize=1)
def _own_store(database: str) -> Store:
    return open_store(database, read_only=True)


def audit_elsewhere(database: str, terms: AuditTerms, task: AuditTask) -> Batch:
    """The same on a machine where the database may be out of reach, or another ledger, or an older copy of this one."""
    journal = terms.journal
    assert journal is not None
    try:
        with open_store(database, read_only=True) as store:
            last = next(store.journal(after=journal.count - 1), None) if journal.count else None
            if journal.count and (last is None or last.hash.hex() != journal.head):
                raise Unavailable(
                    "audit/other-ledger",
                    f"A worker finds another ledger at {store.where}, without entry {journal.count} of this journal.",
                )
            return audit_batch(store, terms, task)
    except Unavailable as refusal:
        refusal.hint = "Every worker of a cluster opens the database for itself: all must reach the same one."
        raise
