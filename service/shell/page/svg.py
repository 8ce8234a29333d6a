"""Drawings of tables as markup: one element a panel, its parts marked, readable without seeing it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from projections.drawing import Element, Panel
from projections.fold import Table
from projections.words import total
from service.play.history import History
from service.shell.page.escape import escape

BOARD_STYLE: Final = Path(__file__).with_name("board.css").read_text(encoding="utf-8")
"""What drawings look like, in light and in dark."""


def table_drawing(history: History, table: Table, *, is_still: bool = False) -> str:
    """A whole table: a figure for each panel, those of seats with their names and scores.

    A still one shows what was scored: the panels of the seats where there are any, with no part marked to be touched
    and nobody on turn.
    """
    projection, state, names = history.game.projection, table.state, history.names
    scores = projection.scores(state)
    on_turn = projection.to_act(state) if table.status == "playing" and not is_still else ()
    figures = []
    panels = projection.board(state)
    if is_still and any(panel.seat for panel in panels):
        panels = tuple(panel for panel in panels if panel.seat)
    for panel in panels:
        name = names[panel.seat] if panel.seat else ""
        caption = f'<span class="what">{escape(panel.title)}</span>'
        if panel.seat:
            score = scores[panel.seat - 1]
            points = f"{total(score)} {'point' if score == 1 else 'points'}"
            caption = f'<span class="who">{escape(name)}</span> <span class="score">{points}</span>'
        look = f"{' on-turn' if panel.seat in on_turn else ''}{_format(panel)}"
        marked = "" if is_still else f' data-part="{escape(panel.key)}" data-seat="{panel.seat}"'
        drawn = drawing(panel, f"{name}: {panel.title}" if name else "", is_still=is_still)
        figures.append(f'<figure class="panel{look}"{marked}><figcaption>{caption}</figcaption>{drawn}</figure>')
    return f'<div class="panels">{"".join(figures)}</div>'


def _format(panel: Panel) -> str:
    """What its place in the grid depends on: a tall panel takes two rows, a flat one a row of its own."""
    ratio = panel.height / panel.width
    return " tall" if ratio > 0.8 else " flat" if ratio < 0.2 else ""


def drawing(panel: Panel, title: str = "", *, is_still: bool = False) -> str:
    """A panel as one SVG element; with the title it has here, such as whose it is."""
    name = title or panel.title
    role = "img" if is_still else "group"
    return (
        f'<svg class="board" role="{role}" xmlns="http://www.w3.org/2000/svg" aria-label="{escape(name)}"'
        f' viewBox="0 0 {panel.width:g} {panel.height:g}"><title>{escape(name)}</title>'
        f"<desc>{escape(panel.description)}</desc>{markup(panel.children, is_still=is_still)}</svg>"
    )


def markup(children: Iterable[Element | str], *, is_still: bool = False) -> str:
    """Shapes as markup; still ones have no parts to touch."""
    return "".join(_markup(children, is_still))


def _markup(children: Iterable[Element | str], is_still: bool) -> Iterable[str]:
    for child in children:
        if isinstance(child, str):
            yield escape(child)
            continue
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in child.attributes.items())
        if is_still:
            pass  # the drawing is one picture, and its description says what is on it
        elif child.part:
            role = "group" if _has_parts(child.children) else "img"
            attributes += f' role="{role}" data-part="{escape(child.part)}"'
        elif child.tag == "text":
            attributes += ' aria-hidden="true"'  # what a part is called says it already
        if child.children:
            yield f"<{child.tag}{attributes}>{markup(child.children, is_still=is_still)}</{child.tag}>"
        else:
            yield f"<{child.tag}{attributes}/>"


def _has_parts(children: Iterable[Element | str]) -> bool:
    return any(isinstance(child, Element) and (child.part or _has_parts(child.children)) for child in children)
