"""Scores as somebody has them, held against the ledger: the totals of the seats, or a paper round by round.

What was asked stands in the address of the page, so that an answer can be sent to somebody, and reloading keeps it.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final, NamedTuple

from events.core import Seat
from service.errors import LedgerError
from service.play.history import History, rounds
from service.questions.claims import ClaimedLine, Comparison, Parting
from service.questions.findings import agreement, headline, is_suspect, lines_to_show, title, verdict
from service.questions.inquiry import Inquiry, read_inquiry
from service.shell.web.views.attempts import BROKEN

KINDS: Final = {"round": "running totals", "gain": "the points of each round alone"}


class ClaimForm(NamedTuple):
    """What was asked."""

    inquiry: Inquiry = Inquiry()
    typed: Mapping[str, str] = {}
    """Every field as it was filled in."""
    problem: str = ""
    """Why it makes no sense, in the words of whoever read it."""

    @property
    def is_about_paper(self) -> bool:
        """Whether a paper was filled in, rather than totals."""
        return any(self.typed.get(name, "").strip() for name in self.typed if name.partition("-")[0] != "claim")

    def value(self, name: str) -> str:
        """What stands in a field of one line."""
        return " ".join(self.typed.get(name, "").split())


def read_question(history: History, typed: Mapping[str, str]) -> ClaimForm:
    """The question that the fields of the forms make."""
    seats = range(1, history.opened.seats + 1)
    # A form that a browser sends by itself ends its lines in another way than one that a module reads.
    form = ClaimForm(typed={name: value.replace("\r\n", "\n") for name, value in typed.items()})
    claims = [f"{seat}={value}" for seat in seats if (value := form.value(f"claim-{seat}"))]
    try:
        paper = form.typed.get("sheet", "").strip() or _as_csv(history, form)
        return form._replace(inquiry=read_inquiry(history, claims, paper or None))
    except LedgerError as refusal:
        return form._replace(problem=refusal.message)
    except BROKEN:
        return form._replace(problem="That cannot be answered, because the events do not add up.")


def _as_csv(history: History, form: ClaimForm) -> str:
    """The table of the form as the paper it stands for; empty where nothing was filled in."""
    seats = range(1, history.opened.seats + 1)
    rows = [[label, *(form.value(f"{label}-{seat}") for seat in seats)] for label in _labels(history)]
    if not any(any(cells) for _, *cells in rows):
        return ""
    kind = form.typed.get("kind", "")
    text = StringIO()
    csv.writer(text).writerows([[kind if kind in KINDS else "round", *seats], *rows])
    return text.getvalue()


def _labels(history: History) -> Iterator[str]:
    """The rows of a paper: a round that was begun each, and the end of the game."""
    if history.game.has_rounds:
        yield from map(str, range(1, rounds(history) + 1))
    yield "end"


class ClaimForms(NamedTuple):
    """The forms, filled in with what was asked."""

    form: ClaimForm
    kinds: Mapping[str, str]
    seats: Sequence[tuple[Seat, str]]
    rows: Sequence[tuple[str, str]]
    """The rows of a paper, as fields call them and as people do."""
    example: str
    """How the heading of a paper may look."""


def claim_forms(history: History, form: ClaimForm) -> ClaimForms:
    """The forms of a match."""
    seats = list(enumerate(history.players, start=1))
    rows = [(label, "end, with all bonuses" if label == "end" else f"round {label}") for label in _labels(history)]
    return ClaimForms(form, KINDS, seats, rows, ",".join(["round", *history.players]))


# ------------------------------------------------------------------------------------------- where they part from it


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
