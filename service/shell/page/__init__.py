"""The audit as one page for people, readable on paper and without a network."""

from service.shell.page.html import html_report

__all__ = ["html_report"]
