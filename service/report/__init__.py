"""The audit as one page for people, readable on paper and without a network."""

from service.report.page import html_report

__all__ = ["html_report"]
