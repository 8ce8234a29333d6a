"""Seats in a record: how a line says who acted, `2:Ben`, `2:`, `seat 2:`, or just the name."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from events.core import Seat
from service.limits import read_number

_LONGEST: Final = 16
_ODD: Final = re.compile(r"[^\w.'’-]+")
_SEAT: Final = re.compile(r"(?:seat\s*+)?([0-9]++)\s*+:", re.IGNORECASE)


def label(name: str) -> str:
    """A name as it stands beside a move: one word, and not too long; the tag has it in full."""
    return _ODD.sub("_", name.strip()).strip("_")[:_LONGEST]


def who(seat: Seat, names: Mapping[Seat, str]) -> str:
    """A seat as a line begins."""
    return f"{seat}:{label(names.get(seat, ''))}"


def named(text: str) -> tuple[Seat, str] | None:
    """The seat and the name in `2:Ben …`, which say the same thing twice; None where they do not."""
    found = _SEAT.match(text)
    if found is None or text[found.end() : found.end() + 1].isspace():
        return None
    name, _, rest = text[found.end() :].partition(" ")
    return (read_number(found[1]), name) if name and rest.strip() else None


def find_seat(text: str, names: Mapping[Seat, str]) -> Seat | None:
    """The seat a text names, by number or by name. Raises ValueError for a number beyond counting."""
    if found := _SEAT.match(text):
        return read_number(found[1])
    wanted = text.strip().rstrip(":").casefold()
    for seat, name in names.items():
        if wanted and wanted in (name.casefold(), label(name).casefold()):
            return seat
    return read_number(wanted) if wanted.isascii() and wanted.isdigit() else None


def readings(text: str, names: Mapping[Seat, str]) -> Iterator[tuple[Seat | None, str]]:
    """The ways to part who acted from what was done, the likeliest first; None when it says nobody.

    Raises ValueError for a number beyond counting.
    """
    if found := _SEAT.match(text):
        seat, attached = read_number(found[1]), text[found.end() :]
        rest = attached.strip()
        yield from ((seat, shorter) for shorter in _without_name(rest, names, seat))
        yield seat, rest
        if attached and not attached[0].isspace():
            yield seat, attached.partition(" ")[2].strip()  # a name that the tags no longer give
        return
    for seat in names:
        yield from ((seat, shorter) for shorter in _without_name(text, names, seat))
    yield None, text


def _without_name(text: str, names: Mapping[Seat, str], seat: Seat) -> Iterator[str]:
    for name in (names.get(seat, ""), label(names.get(seat, ""))):
        if name and text.casefold().startswith(name.casefold()):
            rest = text[len(name) :]
            if rest[:1] in (" ", "\t", ":") and rest.strip(" \t:"):
                yield rest.lstrip(" \t:")
