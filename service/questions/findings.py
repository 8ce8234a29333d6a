"""Findings in words: where paper and ledger differ, the lines to look at, and the likely cause."""

from collections.abc import Sequence
from typing import Final

from projections.words import count, joined, signed
from service.play.history import History
from service.questions.claims import Cause, ClaimedLine, Comparison, Parting, Source
from service.questions.paper import END

MOST_CAUSES: Final = 6
LINES_SHOWN: Final = 12
"""Lines that are shown for one finding; of more than these, only those that explain it."""


def place(finding: Parting) -> str:
    """Where they differ, in words."""
    if finding.event:
        return f"after event {finding.event}"
    return f"round {finding.round}" if finding.round != END else "the final total"


_TITLES: Final[dict[Source, str]] = {
    "claim": "Claim and ledger differ",
    "paper": "Paper and ledger differ",
    "record": "The table's own numbers and the rules differ",
}
_WRITTEN: Final[dict[Source, str]] = {"claim": "claimed", "paper": "on paper", "record": "written"}


def title(comparison: Comparison) -> str:
    """What a comparison that found something comes to, as a heading."""
    return _TITLES[comparison.source]


def headline(history: History, finding: Parting, source: Source) -> str:
    """Seat, place and both numbers in one sentence."""
    name, written = history.names[finding.seat], f"{finding.paper} {_WRITTEN[source]}"
    difference = signed(finding.difference)
    return f"{name}, {place(finding)}: {written}, {finding.ledger} in the ledger (difference {difference})."


def likeliest(finding: Parting) -> list[Cause]:
    """The causes of the likeliest kind there is."""
    return [cause for cause in finding.causes if cause.kind == finding.causes[0].kind]


def is_suspect(finding: Parting, line: ClaimedLine) -> bool:
    """Whether a line is one of those that explain the difference likeliest."""
    likely = likeliest(finding) if finding.causes else []
    return any((cause.seq, cause.line) == (line.seq, line.reason) for cause in likely)


def lines_to_show(finding: Parting) -> list[ClaimedLine]:
    """The lines to look at: all of them, or of many only those that explain it."""
    return [line for line in finding.lines if len(finding.lines) <= LINES_SHOWN or is_suspect(finding, line)]


def verdict(finding: Parting) -> str:
    """The likely cause and what would fit as well, or that nothing does."""
    if not finding.causes:
        return "No single line explains it."
    if not (likely := likely_cause(finding)):
        return f"Each of these explains it exactly: {_listed(_mistakes(likeliest(finding)))}."
    rest = _mistakes(finding.causes[len(likeliest(finding)) :])
    also = f" It would also fit: {_listed(rest)}." if rest else ""
    return f"{likely}{also}"


def likely_cause(finding: Parting) -> str:
    """The one mistake that is likelier than any other; empty where there is none such."""
    first = _mistakes(likeliest(finding)) if finding.causes else []
    return f"Likely cause: {first[0]}." if len(first) == 1 else ""


def answer(history: History, comparison: Comparison) -> str:
    """What a comparison comes to, in a sentence or two for everybody."""
    if comparison.agrees:
        return agreement(history, comparison)
    first, *more = comparison.findings
    number = f"{history.names[first.seat]}, {place(first)}: {first.ledger} by the rules, not {first.paper}."
    cause = likely_cause(first) or ("Possible causes are listed below." if first.causes else verdict(first))
    return f"{number} {cause}" + (f" {count(len(more), 'more place')} below." if more else "")


def _mistakes(causes: Sequence[Cause]) -> list[str]:
    """Causes in words, those that come to the same number on the same line told together."""
    together: dict[tuple[int, str, int, int], list[str]] = {}
    for cause in causes:
        together.setdefault((cause.seq, cause.line, cause.points, cause.written), []).append(cause.words)
    told = []
    for (seq, line, worth, written), words in together.items():
        place = f"event {seq}, {line} ({signed(worth)} written as {signed(written)}): " if seq else ""
        told.append(place + ", or ".join(words))
    return told


def _listed(mistakes: Sequence[str]) -> str:
    more = f"; and {len(mistakes) - MOST_CAUSES} more" if len(mistakes) > MOST_CAUSES else ""
    return "; ".join(mistakes[:MOST_CAUSES]) + more


def agreement(history: History, comparison: Comparison) -> str:
    """What to say when nothing is wrong."""
    totals = joined([f"{history.names[seat]} {total}" for seat, total in comparison.totals.items()])
    who = {"claim": "Claim", "paper": "Paper", "record": "The table's own numbers"}[comparison.source]
    return f"{who} and ledger agree in every number written ({comparison.compared}); the ledger adds up to {totals}."
