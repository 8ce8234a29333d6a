"""The audit: a verdict for each check of a match, each with the first event that fails it."""

from service.audit.engine import audit
from service.audit.report import CHECKS, Report, Verdict

__all__ = ["CHECKS", "Report", "Verdict", "audit"]
