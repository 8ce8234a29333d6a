"""Copies of states: equal, independent, and refused where nobody can say how."""

import doctest

import pytest
from msgspec import Struct

from projections import copying
from projections.copying import copied


class Board(Struct):
    """What lies in front of a seat."""

    score: int
    rows: list[list[int]]
    held: dict[str, int]


class Agreed(Struct, frozen=True):
    """What never changes."""

    name: str


class Table(Struct):
    """One of everything that a state is made of."""

    turn: int
    phase: str | None
    agreed: Agreed
    hand: tuple[int, ...]
    deck: list[int]
    boards: list[Board]
    piles: dict[int, list[int]]
    middle: Board


def _table() -> Table:
    boards = [Board(1, [[1], [2]], {"red": 3}), Board(2, [[]], {})]
    return Table(1, None, Agreed("a"), (1, 2), [3, 4], boards, {1: [5]}, Board(0, [[9]], {"blue": 1}))


def test_a_copy_is_equal_and_shares_nothing_that_changes() -> None:
    table = _table()
    copy = copied(table)
    assert copy == table
    assert copy.agreed is table.agreed
    copy.turn = 2
    copy.deck.append(7)
    copy.boards[0].score = 9
    copy.boards[0].rows[1].append(7)
    copy.boards[1].held["red"] = 7
    copy.piles[1].append(7)
    copy.middle.rows[0].clear()
    assert table == _table()


def test_what_cannot_be_copied_is_named() -> None:
    class Odd(Struct):
        bag: set[int]

    with pytest.raises(TypeError, match=r"Odd.bag: `copied` cannot copy a set\[int\]; give the projection a `copy`"):
        copied(Odd({1}))

    class Named(Struct, kw_only=True):
        bag: int

    with pytest.raises(TypeError, match="Named has fields by keyword only"):
        copied(Named(bag=1))


def test_the_example_runs() -> None:
    assert doctest.testmod(copying).attempted
    assert not doctest.testmod(copying).failed
