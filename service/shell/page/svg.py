"""Pictures of the terminal as drawings: every span of text in its cell, with its colours."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.style import Style

from projections.core import Line, Span
from service.shell.page.escape import escape
from service.shell.terminal.paint import style_of

CELL: Final = 8.4
ROW: Final = 20
FONT: Final = 14
INK: Final = "#1f2328"
MARGIN: Final = 6


def drawing(lines: Sequence[Line], title: str) -> str:
    """A picture as one SVG element; letters keep their cells whatever font there is."""
    columns = max((sum(len(span.text) for span in line) for line in lines), default=0)
    width, height = columns * CELL + 2 * MARGIN, len(lines) * ROW + 2 * MARGIN
    body = "".join(piece for number, line in enumerate(lines) for piece in _line(number, line))
    return (
        f'<svg role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="{FONT}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )


def _line(number: int, line: Line) -> Iterator[str]:
    column = 0
    for span in line:
        yield from _span(column, number, span)
        column += len(span.text)


def _span(column: int, number: int, span: Span) -> Iterator[str]:
    style = style_of(span.style)
    left, top = MARGIN + column * CELL, MARGIN + number * ROW
    if style.bgcolor is not None:
        fill = style.bgcolor.get_truecolor().hex
        yield (
            f'<rect x="{left + 0.7:.1f}" y="{top + 1}" width="{len(span.text) * CELL - 1.4:.1f}" height="{ROW - 2}"'
            f' rx="3" fill="{fill}" stroke="#0003"/>'
        )
    text = span.text.strip()
    if text:
        start = left + (len(span.text) - len(span.text.lstrip())) * CELL
        yield (
            f'<text x="{start:.1f}" y="{top + ROW * 0.7:.1f}" textLength="{len(text) * CELL:.1f}"'
            f' lengthAdjust="spacingAndGlyphs" xml:space="preserve"{_ink(style)}>{escape(text)}</text>'
        )


def _ink(style: Style) -> str:
    fill = style.color.get_truecolor().hex if style.color is not None else INK
    weight = ' font-weight="bold"' if style.bold else ""
    opacity = ' opacity=".55"' if style.dim else ""
    return f' fill="{fill}"{weight}{opacity}'
