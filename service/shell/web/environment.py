"""The Jinja environment of every page: whatever a template prints is text, and nothing in that text is hidden.

Loading Jinja takes longer than most commands take, so only those who make a page import this.
"""

from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from projections.words import count, gained, joined, signed, tenths, total
from service.questions.rulebook import plain, rule_text
from service.shell.web.static_files import ADDRESS, FOLDER
from service.shell.web.views.attempts import Unshown
from service.shell.web.views.links import day, moment, with_rules
from service.visible import visible, visible_lines

TEMPLATES: Final = Path(__file__).with_name("templates")


class _Lines(str):
    """Text whose line breaks stay; everything else in it is visible already."""

    __slots__ = ()


def _lines(text: str) -> _Lines:
    return _Lines(visible_lines(text))


def _printed(value: object) -> object:
    """What is printed for a value, before it is escaped."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup | _Lines) else value


@cache
def environment() -> Environment:
    """The environment; templates are compiled when they are first needed."""
    made = Environment(
        # Style sheets are read as well: the audit as a file has them inside.
        loader=FileSystemLoader([TEMPLATES, FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(static=ADDRESS, version=version("matchledger"))
    made.filters.update(
        counted=count,
        day=day,
        gained=gained,
        joined=joined,
        lines=_lines,
        moment=moment,
        plain=plain,
        rule_words=lambda rule: plain(rule_text(rule)),
        signed=signed,
        tenths=tenths,
        total=total,
        with_rules=with_rules,
    )
    made.tests["unshown"] = lambda value: isinstance(value, Unshown)
    return made


def render(template: str, **values: Any) -> str:
    """A template with these values, for commands and programs; routes ask Litestar, which has this environment."""
    return environment().get_template(template).render(values)
