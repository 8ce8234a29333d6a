"""The audit as one file: everything an arbiter needs on one page that asks nobody for anything."""

from datetime import UTC, datetime

from service.audit.report import Report
from service.play.evidence import Evidence
from service.questions.inquiry import Inquiry
from service.shell.web.environment import render
from service.shell.web.views.audit import audit_view


def html_report(
    report: Report, evidence: Evidence, inquiry: Inquiry | None = None, made: datetime | None = None
) -> str:
    """One self-contained page about a match, its audit and what was asked; the same on the same day for the same.

    What people want to know comes first: who, what, the answer. Then the score sheet and the disputes; what only
    somebody who checks the record itself needs comes last.
    """
    view = audit_view(report, evidence, made or datetime.now(UTC), inquiry)
    return render("audit_file.html", page=view) + "\n"  # Jinja takes the last line break away
