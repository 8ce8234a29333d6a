"""The one writer of SVG: shapes with named parts become markup, readable without seeing it.

It escapes by itself every attribute and every text, whoever wrote them. So templates print what it gives as it is.
"""

from collections.abc import Iterable
from html import escape

from markupsafe import Markup

from projections.drawing import Element, Panel
from service.visible import visible


def panel_svg(panel: Panel, title: str = "", *, is_still: bool = False) -> Markup:
    """A panel as one SVG element; with the title it has here, such as whose it is. A still one is one picture."""
    name = title or panel.title
    attributes = {
        "class": "board",
        "role": "img" if is_still else "group",
        "xmlns": "http://www.w3.org/2000/svg",
        "aria-label": name,
        "viewBox": f"0 0 {panel.width:g} {panel.height:g}",
    }
    about = (Element("title", {}, (name,)), Element("desc", {}, (panel.description,)))
    return svg(Element("svg", attributes, (*about, *panel.children)), is_still=is_still)


def svg(element: Element, *, is_still: bool = False) -> Markup:
    """An element as markup; in a still one there are no parts to touch."""
    # Every text and every attribute in it was escaped below; tags and names of attributes are those of our drawings.
    return Markup(_written((element,), is_still))


def _written(children: Iterable[Element | str], is_still: bool) -> str:
    pieces = []
    for child in children:
        if isinstance(child, str):
            pieces.append(escape(visible(child)))
            continue
        tag = child.tag
        attributes = "".join([f' {name}="{escape(visible(value))}"' for name, value in child.attributes.items()])
        if is_still:
            pass  # the drawing is one picture, and its description says what is on it
        elif child.part:
            role = "group" if _has_parts(child.children) else "img"
            attributes += f' role="{role}" data-part="{escape(visible(child.part))}"'
        elif tag == "text":
            attributes += ' aria-hidden="true"'  # what a part is called says it already
        if child.children:
            pieces.append(f"<{tag}{attributes}>{_written(child.children, is_still)}</{tag}>")
        else:
            pieces.append(f"<{tag}{attributes}/>")
    return "".join(pieces)


def _has_parts(children: Iterable[Element | str]) -> bool:
    return any(isinstance(child, Element) and (child.part or _has_parts(child.children)) for child in children)
