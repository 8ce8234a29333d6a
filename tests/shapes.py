"""Fewer tables than the contract of the games plays, for tests of what knows no game: records, bots, pages."""

from collections.abc import Iterable, Iterator
from typing import Final

import pytest

from tests.shelf import SHAPES, Shape


def once_each(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Every plain table, and every choice of options at one number of seats, the next choice at another number.

    Rules may treat an option differently for two and for four, so the contract plays all of them. What writes a match
    down, or looks for a move, is told about options and seats apart.
    """
    tables: dict[tuple[str, tuple[tuple[str, str], ...]], list[Shape]] = {}
    for shape in shapes:
        if shape.options:
            tables.setdefault((shape.game.rules.ruleset, tuple(shape.options.items())), []).append(shape)
        else:
            yield shape
    for number, found in enumerate(tables.values()):
        yield found[number % len(found)]


ONCE_EACH: Final = tuple(once_each(SHAPES))
each_shape_once: Final = pytest.mark.parametrize("shape", ONCE_EACH, ids=lambda shape: shape.id)
