"""Fewer tables than the contract of the games plays, for tests of what does not go by options and seats together."""

from collections.abc import Iterable, Iterator
from typing import Final

import pytest

from tests.shelf import SHAPES, Shape


def once_each(shapes: Iterable[Shape], *, is_crowded: bool = False) -> Iterator[Shape]:
    """Every plain table, and every choice of options at one number of seats: the largest, or each at the next in turn.

    Rules may treat an option differently for two and for four, so the contract plays all of them. What draws a match,
    writes it down or looks for a move meets options and seats apart; a drawing has the least room for the most seats.
    """
    tables: dict[tuple[str, tuple[tuple[str, str], ...]], list[Shape]] = {}
    for shape in shapes:
        if shape.options:
            tables.setdefault((shape.game.rules.ruleset, tuple(shape.options.items())), []).append(shape)
        else:
            yield shape
    for number, found in enumerate(tables.values()):
        yield found[-1 if is_crowded else number % len(found)]


def _each(shapes: Iterable[Shape]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("shape", list(shapes), ids=lambda shape: shape.id)


each_shape_once: Final = _each(once_each(SHAPES))
each_crowded_shape: Final = _each(once_each(SHAPES, is_crowded=True))
