"""Where pages lead: to events, and to rules under their ids. And how they write moments."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from service.games.shelf import known_games
from service.questions.rulebook import rules_of

RULE_ID: Final = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")


class Links(NamedTuple):
    """Where events and rules are read; an empty address is for what is written nowhere."""

    event: Callable[[int], str]
    rule: Callable[[str], str]


WITHIN: Final = Links(lambda seq: f"#e{seq}", lambda rule: f"#{rule}")
"""A page that holds everything itself: its log, and the rules at its end."""


def links_of(match: str) -> Links:
    """Where events and rules are read on pages: in the replay, and in the rulebook they stand in."""
    return Links(lambda seq: f"/matches/{match}/replay?at={seq}", rule_address)


def rule_address(rule: str) -> str:
    """Where a rule is read; empty for one that no document has."""
    book = next((game.key for game in known_games() if rule in rules_of(game.key)), "")
    return f"/rules/{book}#{rule}" if book else ""


def with_rules(text: str) -> list[tuple[str, str]]:
    """A line of text in pieces, each with where it leads: every rule that it names to the rule."""
    pieces = re.split(f"({RULE_ID.pattern})", text)
    return [(piece, rule_address(piece) if number % 2 else "") for number, piece in enumerate(pieces) if piece]


def moment(at: datetime) -> str:
    """A moment to the second."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def day(at: datetime) -> str:
    """A day as people write it."""
    return f"{at.day} {at:%B %Y}"
