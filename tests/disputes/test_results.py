"""Ruled results: scores moved, ranks made anew with the tie-breaks of the game, whoever resigned still last."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core import ScoreLine, Standing
from events.dispute import DisputeOpened, DisputeRuled
from events.match import MatchClosed, MatchOpened
from projections.disputes import Dispute, Docket, adjusted
from projections.scoresheet import AdjustmentLine, adjustments
from service.games.core import ranked


def lines(*changes: tuple[int, int]) -> list[ScoreLine]:
    return [ScoreLine(seat, "AZ-46", "ruling", points, points, {"dispute": 1}) for seat, points in changes]


CLOSED = MatchClosed("finished", (Standing(2, 1, 50, 1), Standing(1, 2, 47, 2), Standing(3, 3, 40, 0)))


@pytest.mark.parametrize(
    "changes, expected",
    [
        ([], [(2, 1, 50), (1, 2, 47), (3, 3, 40)]),
        ([(1, 4)], [(1, 1, 51), (2, 2, 50), (3, 3, 40)]),
        ([(1, 3)], [(1, 1, 50), (2, 2, 50), (3, 3, 40)]),  # equal points: seat 1 has more complete rows
        ([(3, 10), (1, 3)], [(1, 1, 50), (2, 2, 50), (3, 3, 50)]),
        ([(2, -3), (2, 1), (2, 2)], [(2, 1, 50), (1, 2, 47), (3, 3, 40)]),
    ],
)
def test_ranks_after_adjustments(changes: list[tuple[int, int]], expected: list[tuple[int, int, int]]) -> None:
    places = adjusted(CLOSED, lines(*changes))
    assert [(place.seat, place.rank, place.score) for place in places] == expected


def test_equal_in_everything_shares_the_place() -> None:
    closed = MatchClosed("finished", (Standing(1, 1, 50, 1), Standing(2, 2, 48, 1)))
    assert [(p.seat, p.rank) for p in adjusted(closed, lines((2, 2)))] == [(1, 1), (2, 1)]


def test_who_resigned_stays_last_whatever_is_ruled() -> None:
    closed = MatchClosed("resigned", (Standing(2, 1, 10), Standing(3, 2, 5), Standing(1, 3, 30)))
    places = adjusted(closed, lines((1, 20), (3, 6)))
    assert [(p.seat, p.rank, p.score) for p in places] == [(3, 1, 11), (2, 2, 10), (1, 3, 50)]


@pytest.mark.parametrize("closed, before", [(CLOSED, 47), (None, 0)])
def test_adjustments_lead_from_the_computed_score_to_the_ruled_one(closed: MatchClosed | None, before: int) -> None:
    """A match that is still on has no computed result; what is ruled in it counts from nothing."""
    opened = MatchOpened("azul", "azul/1", 3, {}, "free", "recorded")
    disputed = DisputeOpened(number=1, seat=1, of=1, words="More")
    ruling = DisputeRuled(1, "Cleo", "", "", ("AZ-46",), "Seen", scores=tuple(lines((1, 3), (1, -1))))
    dispute = Dispute(disputed, 9, datetime(2026, 1, 2, tzinfo=UTC), "ruled", ruling)
    docket = Docket(opened, disputes={1: dispute}, closed=closed)
    assert adjustments(docket) == [
        AdjustmentLine(1, 1, "AZ-46", 3, before + 3),
        AdjustmentLine(1, 1, "AZ-46", -1, before + 2),
    ]


@given(
    scores=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=2, max_size=5),
    changes=st.lists(st.integers(-5, 5), min_size=5, max_size=5),
)
def test_a_ruled_result_is_what_the_rules_would_rank(scores: list[tuple[int, int]], changes: list[int]) -> None:
    points, ties = [score for score, _ in scores], [tie for _, tie in scores]
    closed = MatchClosed("finished", ranked(points, ties))
    given_points = [(seat, change) for seat, change in enumerate(changes[: len(points)], start=1) if change]
    after = [score + change for score, change in zip(points, changes, strict=False)]
    assert adjusted(closed, lines(*given_points)) == ranked(after, ties)
