"""A struct that is written often is still a struct."""

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace

from projections.core import written_often


@written_often
class Heap(Struct):
    """Some tiles."""

    tiles: list[int]
    owner: int = 0


class Marked(Heap):
    """Some tiles with a mark."""

    mark: str = ""


@pytest.mark.parametrize("kind", [Heap, Marked])
def test_fields_are_set_compared_and_copied_as_ever(kind: type[Heap]) -> None:
    heap = kind([1])
    heap.owner, heap.tiles = 2, [1, 2]
    assert heap == kind([1, 2], 2) != kind([1, 2])
    assert replace(heap, owner=3) == kind([1, 2], 3)
    assert asdict(heap) == asdict(kind([1, 2], 2))


@pytest.mark.parametrize("kind", [Heap, Marked])
def test_nothing_but_fields_is_set(kind: type[Heap]) -> None:
    with pytest.raises(AttributeError, match="colour"):
        setattr(kind([]), "colour", 1)  # noqa: B010  mypy would refuse it as well
