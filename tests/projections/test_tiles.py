"""Tiles of six colours as one number."""

import pytest

from projections.tiles import ALL, ONE, OTHERS, Added, colours_of, count_of, counts, how_many, tiles_of


@pytest.mark.parametrize("colours", [(), (5,), (0, 0, 2, 5), (5, 5, 5, 5), tuple(sorted([*range(6)] * 22))])
def test_tiles_are_what_was_put_together(colours: tuple[int, ...]) -> None:
    """The largest heap is a full bag (SP-3): no colour runs over into the next, and none beyond the last."""
    tiles = tiles_of(colours)
    assert colours_of(tiles) == list(colours)
    assert how_many(tiles) == len(colours)
    assert tiles < 1 << 30
    for colour in range(6):
        assert count_of(tiles, colour) == counts(tiles)[colour] == colours.count(colour)
        assert tiles & OTHERS[colour] == tiles_of(tuple(other for other in colours if other != colour))
        assert tiles & ALL[colour] == ONE[colour] * colours.count(colour)


def test_only_small_heaps_are_remembered() -> None:
    added = Added(ONE)
    for colours in [(), (5,), (0, 1, 2, 3), (0, 1, 2, 3, 4), (5,) * 22]:
        assert added[colours] == added[colours] == sum(ONE[colour] for colour in colours)
    with pytest.raises(IndexError):
        added[0, 6]
    assert list(added) == [(), (5,), (0, 1, 2, 3)]
