"""What an Azul table keeps as numbers so that no move has to find it out anew."""

import pytest

from projections.azul.tiles import ALL, ONE, OTHERS, count_of, counts, slots_of, tiles_of
from service.games.azul import AZUL
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from tests.rules.azul_tables import takes
from tests.shelf import SHAPES, Shape, turns


@pytest.mark.parametrize("slots", [(), (0,), (0, 0, 2, 4), (4, 4, 4, 4), tuple(sorted([*range(5)] * 20))])
def test_tiles_are_what_was_put_together(slots: tuple[int, ...]) -> None:
    """The largest heap is a full bag (AZ-2): no colour runs over into the next."""
    tiles = tiles_of(slots)
    assert slots_of(tiles) == list(slots)
    for colour in range(5):
        assert count_of(tiles, colour) == counts(tiles)[colour] == slots.count(colour)
        assert tiles & OTHERS[colour] == tiles_of(tuple(slot for slot in slots if slot != colour))
        assert tiles & ALL[colour] == ONE[colour] * slots.count(colour)


AT_AZUL_TABLES = [shape for shape in SHAPES if shape.game in (AZUL, MASTER_CHOCOLATIER)]


@pytest.mark.parametrize("shape", AT_AZUL_TABLES, ids=lambda shape: shape.id)
def test_what_lines_take_follows_from_lines_and_walls(shape: Shape) -> None:
    for turn in turns(shape, 5):
        for board in turn.state.boards:
            assert board.takes == takes(board)
