"""Where pages are fetched: each route finds what its page shows, and `service.shell.web` writes it."""

from service.shell.http.pages import audit_page, common, lobby, replay, review, rules, table

__all__ = ["audit_page", "common", "lobby", "replay", "review", "rules", "table"]
