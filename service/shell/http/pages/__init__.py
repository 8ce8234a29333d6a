"""Where pages are fetched: each route finds what its page shows, and `service.shell.web` writes it."""

from service.shell.http.pages import case, common, lobby, replay, review, rules, table

__all__ = ["case", "common", "lobby", "replay", "review", "rules", "table"]
