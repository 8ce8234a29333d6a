"""The small pieces a page is made of: tables, links, moments, and what to say where something cannot be shown."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from service.errors import LedgerError
from service.questions.rulebook import plain, rule_text
from service.shell.page.escape import escape, escape_lines

BROKEN: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, LedgerError)
"""What a forged event can do to a fold. The page then says so in that place and goes on."""


def attempt(make: Callable[[], str]) -> str:
    """What is made there, or a sentence that it cannot be."""
    try:
        return make()
    except BROKEN as error:
        return f'<p class="quiet">This cannot be shown, because the events do not add up ({type(error).__name__}).</p>'


def section(heading: str, make: Callable[[], str]) -> str:
    """A part of the page under its heading; nothing at all where there is nothing in it."""
    body = attempt(make)
    return f"<h2>{heading}</h2>\n{body}" if body else ""


def table(heads: Sequence[str], rows: Sequence[str]) -> str:
    """A table; a heading that begins with # stands over numbers."""
    cells = "".join(
        f'<th class="number">{escape(head[1:])}</th>' if head.startswith("#") else f"<th>{escape(head)}</th>"
        for head in heads
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>\n" + "\n".join(rows) + "\n</tbody></table>"


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """A table of names and what they stand for, which is markup already."""
    rows = [f'<tr><th class="name" scope="row">{name}</th><td>{value}</td></tr>' for name, value in pairs]
    return f'<table class="facts"><tbody>{"".join(rows)}</tbody></table>'


class Links(NamedTuple):
    """Where events and rules are read; an empty address is for what is written nowhere."""

    event: Callable[[int], str]
    rule: Callable[[str], str]


WITHIN: Final = Links(lambda seq: f"#e{seq}", lambda rule: f"#{rule}")
"""A page that holds everything itself: its log, and the rules at its end."""


def event_link(seq: int, links: Links = WITHIN) -> str:
    """A link to an event."""
    return f'<a href="{escape(links.event(seq))}">{seq}</a>'


def rule_link(rule: str, links: Links = WITHIN) -> str:
    """A link to a rule; its text shows where a mouse rests on it."""
    address = links.rule(rule)
    if not address:
        return escape(rule)
    return f'<a href="{escape(address)}" title="{escape_lines(plain(rule_text(rule)))}">{escape(rule)}</a>'


def moment(at: datetime) -> str:
    """A moment to the second."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def day(at: datetime) -> str:
    """A day as people write it."""
    return f"{at.day} {at:%B %Y}"
