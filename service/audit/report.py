"""The audit report: one verdict for each check, with the first event that fails it."""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from projections.words import count
from service.play.evidence import Evidence
from service.visible import visible

Judgement = Literal["passed", "failed", "skipped"]

CHECKS: Final = {
    "record": "what the record's writer noted agrees with its events",
    "format": "every event reads, in canonical bytes and in order",
    "chain": "every hash follows from the one before",
    "row": "what the ledger keeps beside the events is what they say",
    "signature": "signed heads are in this history",
    "journal": "the ledger's journal says the same, and its entries follow from each other",
    "receipt": "the receipts shown are in this history, and the journal continues from them",
    "draws": "the secret is the committed one and gives every draw",
    "parent": "a fork continues its parent as it stands in this ledger",
    "actions": "every action was legal when it was made",
    "facts": "every derived fact and score line is what the rules decide",
    "invariants": "what the game conserves stays the same: no piece appears or disappears",
    "undo": "undo and redo kept to the policy",
    "sums": "scores are the sums of their lines",
    "result": "the result and its tie-breaks follow from play",
    "disputes": "disputes followed their procedure",
}
"""Every check with what it holds a match to, in the order of a report."""

MARKS: Final[dict[Judgement, str]] = {"passed": "✓", "failed": "✗", "skipped": "–"}
WIDTH: Final = max(map(len, CHECKS)) + 1


class Verdict(Struct, frozen=True):
    """The outcome of one check."""

    check: str
    outcome: Judgement
    seq: int = 0
    """The first event that fails the check; 0 when no single event does."""
    why: str = ""
    """What is wrong, why it was skipped, or how much was checked."""
    line: int = 0
    """In a file: the line of that event."""

    @property
    def heading(self) -> str:
        """The check with the mark of its outcome, as wide as that of any other check."""
        return f"{MARKS[self.outcome]} {self.check:{WIDTH}}"

    @property
    def words(self) -> str:
        """What there is to say about it, with the event it is about."""
        line = f", line {self.line}" if self.line else ""
        return f"event {self.seq}{line}: {self.why}" if self.seq else self.why

    def __str__(self) -> str:
        return visible(self.heading + self.words)


class Report(Struct, frozen=True):
    """All verdicts on one match."""

    source: str
    match: str
    events: int
    verdicts: Sequence[Verdict]
    is_readable: bool = True
    """Whether there was a match to audit at all: its opening read, and its rules are known."""

    @property
    def is_clean(self) -> bool:
        """Whether no check failed."""
        return not self.findings

    @property
    def findings(self) -> list[Verdict]:
        """The checks that failed."""
        return [verdict for verdict in self.verdicts if verdict.outcome == "failed"]

    @property
    def first(self) -> Verdict | None:
        """The finding about the earliest event; of those about the same event, the first in the report."""
        return min(self.findings, key=lambda verdict: verdict.seq or self.events + 1, default=None)

    @property
    def conclusion(self) -> str:
        """What it comes to, in a sentence."""
        first = self.first
        if first is None:
            skipped = sum(verdict.outcome == "skipped" for verdict in self.verdicts)
            return f"Clean, with {count(skipped, 'check')} skipped." if skipped else "Clean."
        return f"{count(len(self.findings), 'finding')}." + (f" First bad event: {first.seq}." if first.seq else "")

    def __getitem__(self, check: str) -> Verdict:
        return next(verdict for verdict in self.verdicts if verdict.check == check)

    def __str__(self) -> str:
        return "\n".join(
            [visible(f"{self.source}  {count(self.events, 'event')}"), *map(str, self.verdicts), self.conclusion]
        )


class Findings:
    """Collects what checks find and makes the report of it; for each check the earliest event stands."""

    def __init__(self) -> None:
        self._failed: dict[str, tuple[int, str]] = {}
        self._skipped: dict[str, str] = {}
        self._passed: dict[str, str] = {}

    def fail(self, check: str, seq: int, why: str) -> None:
        """Note a finding; a later one about an earlier event takes its place."""
        earlier = self._failed.get(check)
        if earlier is None or seq < earlier[0]:
            self._failed[check] = (seq, why)

    def skip(self, checks: Sequence[str], why: str) -> None:
        """Say why checks could not be carried out, or not to the end; the first reason stands."""
        for check in checks:
            self._skipped.setdefault(check, why)

    def passed(self, check: str, why: str) -> None:
        """Say how much was checked, for the case that nothing was found."""
        self._passed[check] = why

    def has_failed(self, check: str) -> bool:
        """Whether anything was found."""
        return check in self._failed

    def report(self, evidence: Evidence, *, is_readable: bool) -> Report:
        """Everything found, in the order of the checks; checks nobody mentioned are left out."""
        verdicts = []
        for check in CHECKS:
            if check in self._failed:
                seq, why = self._failed[check]
                verdicts.append(Verdict(check, "failed", seq, why, evidence.lines.get(seq, 0)))
            elif check in self._skipped:
                verdicts.append(Verdict(check, "skipped", why=self._skipped[check]))
            elif check in self._passed:
                verdicts.append(Verdict(check, "passed", why=self._passed[check]))
        return Report(evidence.source, evidence.match, len(evidence.rows), verdicts, is_readable)
