"""What a drawn table is made of: panels of shapes whose parts have names that moves and points refer to.

A drawing is a value like a state: it says what lies where, and in which class of colours. How it becomes markup, and
which colours those are, is for whoever shows it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from events.core import Seat

OFFER: Final = "offer"
"""The key of the panel with what everybody may take from."""


class Element(NamedTuple):
    """A shape, a text or a group of them."""

    tag: str
    attributes: Mapping[str, str]
    children: "tuple[Element | str, ...]" = ()
    part: str = ""
    """What moves call it, such as `display-2.red`; empty for what is only looked at."""


class Panel(NamedTuple):
    """A drawing of its own: what lies in the middle, or in front of one seat. Panels find their place on any screen."""

    key: str
    """`seat-2` for what lies in front of a seat; it is a part itself."""
    title: str
    """What it is: `The displays and the centre`."""
    description: str
    """What lies there in words, for those who do not see it."""
    width: float
    height: float
    children: tuple[Element, ...]
    seat: Seat = 0
    """Whose it is; 0 for everybody's."""


def seat_part(seat: Seat, *names: object) -> str:
    """The part in front of a seat: `seat-1`, `seat-1.line-3`."""
    return ".".join([f"seat-{seat}", *map(str, names)])


def part(name: str, label: str, *children: Element, **attributes: object) -> Element:
    """A part that moves refer to. Its label is what somebody is told who points at it: `3 red on display 2`."""
    return Element("g", _written(attributes), (Element("title", {}, (label,)), *children), name)


def group(*children: Element, **attributes: object) -> Element:
    """Shapes that belong together."""
    return Element("g", _written(attributes), children)


def rectangle(x: float, y: float, width: float, height: float, look: str = "", **attributes: object) -> Element:
    """A rectangle; `look` is its classes."""
    return Element("rect", _written({"x": x, "y": y, "width": width, "height": height, "class": look, **attributes}))


def circle(x: float, y: float, radius: float, look: str = "", **attributes: object) -> Element:
    """A circle around a point."""
    return Element("circle", _written({"cx": x, "cy": y, "r": radius, "class": look, **attributes}))


def polygon(points: Iterable[tuple[float, float]], look: str = "", **attributes: object) -> Element:
    """A shape with straight sides."""
    corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    return Element("polygon", _written({"points": corners, "class": look, **attributes}))


def path(commands: str, look: str = "", **attributes: object) -> Element:
    """A shape of any form."""
    return Element("path", _written({"d": commands, "class": look, **attributes}))


def text(x: float, y: float, words: str, look: str = "", size: float = 14, anchor: str = "middle") -> Element:
    """Words around a point, or beginning (`start`) or ending (`end`) there; `y` is the middle of the letters."""
    where = {"x": x, "y": y + size * 0.35, "font-size": size, "text-anchor": anchor, "class": look}
    return Element("text", _written(where), (words,))


def tile(x: float, y: float, size: float, kind: str, letter: str) -> Element:
    """A piece of a kind, a colour by its name, with its top left corner at a point. The letter tells it as well."""
    return group(
        rectangle(x, y, size, size, "face", rx=size * 0.16),
        text(x + size / 2, y + size / 2, letter, size=size * 0.55),
        **{"class": f"tile kind-{kind}"},
    )


def space(x: float, y: float, size: float, words: str = "", kind: str = "") -> Element:
    """An empty space for a piece; with the kind that is printed there, if any, and small words."""
    look = f"space kind-{kind}" if kind else "space"
    letters = [text(x + size / 2, y + size / 2, words, size=size * 0.42)] if words else []
    return group(rectangle(x, y, size, size, "face", rx=size * 0.16), *letters, **{"class": look})


def parts_of(panels: Sequence[Panel]) -> Iterator[str]:
    """The name of every part, panels included."""
    for panel in panels:
        yield panel.key
        yield from (element.part for element in elements(panel.children) if element.part)


def elements(children: Iterable[Element | str]) -> Iterator[Element]:
    """Every shape, group and text, those within others right after them."""
    for child in children:
        if isinstance(child, Element):
            yield child
            yield from elements(child.children)


def _written(attributes: Mapping[str, object]) -> dict[str, str]:
    return {name.replace("_", "-"): _number(value) for name, value in attributes.items() if value != ""}


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
