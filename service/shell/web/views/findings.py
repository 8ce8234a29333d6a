"""Where claims and papers part from the ledger, in full: both numbers, the lines to look at, the likely cause."""

from collections.abc import Sequence
from typing import NamedTuple

from service.play.history import History
from service.questions.claims import ClaimedLine, Comparison, Parting
from service.questions.findings import agreement, headline, is_suspect, lines_to_show, title, verdict


class FindingView(NamedTuple):
    """A number that differs."""

    headline: str
    lines: Sequence[tuple[ClaimedLine, bool]]
    """The lines to look at, and whether it is likely to be that one."""
    verdict: str


class ComparisonView(NamedTuple):
    """A claim or a paper beside the ledger."""

    agreement: str
    """That all is well; empty where something differs."""
    title: str
    findings: Sequence[FindingView]


def comparison_views(history: History, comparisons: Sequence[Comparison]) -> list[ComparisonView]:
    """Every comparison."""
    return [
        ComparisonView(agreement(history, one), "", ())
        if one.agrees
        else ComparisonView("", title(one), [_finding(history, one, finding) for finding in one.findings])
        for one in comparisons
    ]


def _finding(history: History, comparison: Comparison, finding: Parting) -> FindingView:
    lines = [(line, is_suspect(finding, line)) for line in lines_to_show(finding)]
    return FindingView(headline(history, finding, comparison.source), lines, verdict(finding))
