"""Colour for terminals that have it; every piece keeps its letter, so nothing is lost without."""

import sys
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.style import Style
from rich.text import Text

from projections.core import Line
from service.errors import IllegalAction, LedgerError

_INK: Final = {
    "blue": "white on #2457c5",
    "yellow": "black on #f2c230",
    "red": "white on #c2342b",
    "black": "white on #3a3a3a",
    "white": "black on #e8efe9",
}
_PRINT: Final = {
    "blue": "#5b8def",
    "yellow": "#b8952a",
    "red": "#d0665f",
    "black": "#7a7a7a",
    "white": "#9db8b0",
}
_STYLES: Final = {
    **{f"tile.{colour}": f"bold {style}" for colour, style in _INK.items()},
    **{f"print.{colour}": style for colour, style in _PRINT.items()},
    "marker": "bold black on #c9a0dc",
    "good": "green",
    "bad": "red",
}


def console(stderr: bool = False) -> Console:
    """A console on the stream of this moment; it honours NO_COLOR and plain pipes."""
    return Console(file=sys.stderr if stderr else sys.stdout, highlight=False, soft_wrap=True)


def style_of(word: str) -> Style:
    """What a style word of a picture looks like."""
    return Style.parse(_STYLES.get(word, word))


def painted(line: Line) -> Text:
    """A line of a picture with its colours."""
    text = Text()
    for span in line:
        text.append(span.text, style=_STYLES.get(span.style, span.style))
    return text


def show_picture(lines: Iterable[Line]) -> None:
    """Print a picture."""
    out = console()
    for line in lines:
        out.print(painted(line))


def say(text: str, style: str = "") -> None:
    """Print a line of plain text."""
    console().print(Text(text, style=_STYLES.get(style, style)))


def show_json(value: Any) -> None:
    """Print a value for programs."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def show_error(error: LedgerError, as_json: bool) -> None:
    """Print a refusal: for people with its code, rule and hint; for programs as one object."""
    rule = error.rule if isinstance(error, IllegalAction) else ""
    if as_json:
        body = {"code": error.code, "rule": rule or None, "message": error.message, "hint": error.hint or None}
        show_json({"error": body})
        return
    out = console(stderr=True)
    heading = {1: "Refused", 2: "Not understood", 3: "Damaged"}[error.exit_code]
    cited = f"{error.code}, {rule}" if rule else error.code
    out.print(Text.assemble((f"{heading} ", "bold red"), (f"({cited}): ", "dim"), error.message))
    if error.hint:
        out.print(Text(error.hint, style="dim"))
