"""Lines, pictures and tables for a terminal; every piece keeps its letter, so nothing is lost without colour."""

import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from textwrap import fill
from typing import Any, Final, NamedTuple

import msgspec
import typer
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from projections.core import Line, Names, Projection, Room, State
from service.errors import Damaged, IllegalAction, LedgerError
from service.visible import visible, visible_json, visible_lines


class _Colour(NamedTuple):
    """How a colour of a game is painted: on a tile, and where it is printed on a board."""

    tile: str
    tile_of_16: str
    """On a terminal that has 16 colours."""
    print: str = ""
    print_of_16: str = ""


_COLOURS: Final = {
    "blue": _Colour("white on #2457c5", "bright_white on blue", "#5b8def", "bright_blue"),
    "yellow": _Colour("black on #f2c62a", "black on bright_yellow", "#b8952a", "bright_yellow"),
    "red": _Colour("white on #c42b28", "bright_white on red", "#d0665f", "red"),
    "black": _Colour("white on #505050", "bright_white on bright_black", "#7a7a7a", "bright_black"),
    "white": _Colour("black on #e8efe9", "black on white", "#9db8b0", "white"),
    "brown": _Colour("white on #7b4a2b", "black on yellow", "#a9744f", "yellow"),
    "green": _Colour("white on #2e8b46", "black on green", "#4caf6a", "green"),
    "orange": _Colour("black on #ee8a2e", "black on bright_red", "#c98a4b", "bright_red"),
    "purple": _Colour("white on #7a3fa0", "bright_white on magenta", "#a678c4", "magenta"),
    "plus": _Colour("black on #cfd8dc", "black on bright_white"),
    "joker": _Colour("white on #1f6f78", "black on cyan"),
    "gold": _Colour("black on #d4af37", "bright_yellow on black"),
}
"""Those of 16 are chosen by hand: the nearest of them by their numbers make red tiles yellow."""


@cache
def _theme(has_16: bool) -> Theme:
    styles = {"marker": f"bold black on {'bright_magenta' if has_16 else '#c9a0dc'}", "good": "green", "bad": "red"}
    for name, colour in _COLOURS.items():
        styles[f"tile.{name}"] = f"bold {colour.tile_of_16 if has_16 else colour.tile}"
        if colour.print:
            styles[f"print.{name}"] = colour.print_of_16 if has_16 else colour.print
    return Theme(styles)


class _Shown:
    """Anything rich can print, with every text in it made visible."""

    def __init__(self, content: ConsoleRenderable) -> None:
        self._content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._content, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(visible_lines(segment.text), segment.style)


class _Filter(RenderHook):
    """The last gate before a terminal: whoever prints, and whatever it is."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Shown(content) for content in renderables]


def console(stderr: bool = False) -> Console:
    """A console on the stream of this moment. NO_COLOR and pipes get no escape codes at all; names are never markup.

    Nothing printed to it carries a control character, an escape sequence or a mark that turns the writing around but
    those rich itself makes. Texts of one line go through `visible` before, so that no name can begin a line of its own.
    """
    out = Console(
        file=sys.stderr if stderr else sys.stdout,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )
    out.push_theme(_theme(out.color_system in ("standard", "windows")))
    out.push_render_hook(_Filter())
    return out


def painted(line: Line) -> Text:
    """A line of a picture with its colours."""
    text = Text()
    for span in line:
        text.append(visible(span.text), style=span.style)
    return text


def show_picture(lines: Iterable[Line]) -> None:
    """Print a picture."""
    out = console()
    for line in lines:
        out.print(painted(line))


def show_table(projection: Projection, state: State, names: Names) -> None:
    """Print a table, boards beside each other as far as the terminal is wide."""
    show_picture(projection.draw(state, names, Room(console().width)))


def say(text: str, style: str = "", indent: int = 0, stderr: bool = False) -> None:
    """Print one line of plain text; a terminal gets it wrapped between words, a pipe gets it whole."""
    say_lines(visible(text), style, indent, stderr)


def say_lines(text: str, style: str = "", indent: int = 0, stderr: bool = False) -> None:
    """Print text of our own that has several lines; what other people wrote in it has to be made visible before."""
    out = console(stderr)
    if out.is_terminal:
        text = "\n".join(_wrapped(line, out.width, indent) for line in text.split("\n"))
    out.print(Text(text, style=style))


def _wrapped(line: str, width: int, indent: int) -> str:
    return fill(line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def say_packed(words: Sequence[str], indent: int = 2) -> None:
    """Print short words in even columns, as many on a line as fit."""
    widest = max(map(len, words), default=0)
    per_line = max(1, (console().width - indent + 2) // (widest + 2))
    for start in range(0, len(words), per_line):
        say(" " * indent + "  ".join(word.ljust(widest) for word in words[start : start + per_line]).rstrip())


_PROSE: Final = ("reason", "meaning", "players", "state", "values (default first)")
"""Columns of words, which wrap wherever they stand."""


class Grid(Table):
    """A table whose cells are lines of plain text, whoever wrote them."""

    def add_row(self, *cells: RenderableType | None, **keywords: Any) -> None:
        """Add a row; a cell that is text of rich's own kind is taken as it is."""
        super().add_row(*(visible(cell) if isinstance(cell, str) else cell for cell in cells), **keywords)


def grid(*columns: str, right: Sequence[str] = (), wraps: Sequence[str] = ()) -> Grid:
    """A table without lines; numbers to the right, and only columns of words may wrap."""
    table = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        is_number, is_prose = column in right, column in wraps or column in _PROSE
        table.add_column(
            visible(column), justify="right" if is_number else "left", no_wrap=not is_prose, overflow="fold"
        )
    return table


def show_json(value: Any) -> None:
    """Print a value for programs."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    sys.stdout.write(visible_json(text) + "\n")


def show_file(data: bytes) -> None:
    """Print the content of a file: byte for byte into a pipe or another file, made visible at a terminal."""
    if not sys.stdout.isatty():
        typer.echo(data, nl=False)
        return
    console().out(visible_lines(data.decode(errors="replace")), end="", highlight=False)


def show_error(error: LedgerError, as_json: bool) -> None:
    """Print a refusal: for people with its code, rule and hint; for programs as one object."""
    rule = error.rule if isinstance(error, IllegalAction) else ""
    if as_json:
        body: dict[str, Any] = {
            "code": error.code,
            "rule": rule or None,
            "message": error.message,
            "hint": error.hint or None,
        }
        if isinstance(error, Damaged):
            body |= {"match": error.match, "seq": error.seq, "tag": error.tag}
        show_json({"error": body})
        return
    out = console(stderr=True)
    cited = f"{error.code}, {rule}" if rule else error.code
    message = Text.assemble((f"{error.heading} ", "bold red"), (f"({cited}): ", "dim"), error.message)
    out.print(message, soft_wrap=not out.is_terminal)
    if error.hint:
        say(error.hint, "dim", stderr=True)
