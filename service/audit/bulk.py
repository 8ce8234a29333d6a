"""Auditing a whole store: matches go to processes in small batches, and nothing but findings comes back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct, field

from service.audit.engine import audit
from service.audit.report import Report, Verdict
from service.errors import LedgerError
from service.play.evidence import from_store
from service.play.workers import workers
from service.store.connect import open_store
from service.store.store import Store

BATCH: Final = 25
"""Matches a process audits before it reports: a fraction of a second, so that the bar moves and memory stays small."""


class Batch(Struct):
    """What the audit of some matches came to."""

    matches: int = 0
    events: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each check had each outcome."""
    findings: list[Report] = field(default_factory=list)
    """The reports of the matches that are not clean."""

    def add(self, report: Report) -> None:
        """Count one more match."""
        self.matches += 1
        self.events += report.events
        self.outcomes.update((verdict.check, verdict.outcome) for verdict in report.verdicts)
        if not report.is_clean:
            self.findings.append(report)

    def merge(self, other: "Batch") -> None:
        """Count the matches of another batch as well."""
        self.matches += other.matches
        self.events += other.events
        self.outcomes += other.outcomes
        self.findings += other.findings

    @property
    def is_clean(self) -> bool:
        """Whether no check of any match failed."""
        return not self.findings

    def __str__(self) -> str:
        return conclusion(self.matches, len(self.findings))


def conclusion(matches: int, unclean: int) -> str:
    """What the audit of so many matches comes to, in a sentence."""
    audited = "1 match" if matches == 1 else f"{matches:,} matches"
    return f"{audited}: {f'{unclean:,} not clean' if unclean else 'all clean'}."


class Terms(Struct, frozen=True):
    """How every match is audited."""

    database: str
    trusted: Sequence[str] = ()
    must_be_signed: bool = False


def audit_all(terms: Terms, jobs: int = 1) -> Iterator[Batch]:
    """Every match of a store in order of the ids, by so many processes, a few batches in memory at a time."""
    with open_store(terms.database, read_only=True) as store:
        batches = store.ids(BATCH)
        if jobs == 1:
            for ids in batches:
                yield audit_batch(terms, ids, store)
            return
        with workers(jobs) as pool:
            flying = [pool.submit(audit_batch, terms, ids) for ids in islice(batches, jobs * 3)]
            while flying:
                yield flying.pop(0).result()
                flying += [pool.submit(audit_batch, terms, ids) for ids in islice(batches, 1)]


def audit_batch(terms: Terms, ids: Sequence[str], store: Store | None = None) -> Batch:
    """Audit these matches, in a store of this process's own unless one is handed over."""
    if store is None:
        with open_store(terms.database, read_only=True) as own:
            return audit_batch(terms, ids, own)
    batch = Batch()
    for match in ids:
        try:
            evidence = from_store(store, match)
        except LedgerError as refusal:
            verdict = Verdict("format", "failed", why=refusal.message)
            batch.add(Report(match, match, 0, [verdict], is_readable=False))
        else:
            batch.add(audit(evidence, terms.trusted, must_be_signed=terms.must_be_signed))
    return batch
