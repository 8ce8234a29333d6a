"""Ratings: what two of them must come to is known; and they are as sure as the matches are many."""

from math import log10

import pytest

from service.research.ratings import MIDDLE, Pair, interval, ratings


def test_two_that_are_equal_have_the_same_rating() -> None:
    one, other = ratings(2, [Pair(0, 1, 50.0, 100)])
    assert one.value == pytest.approx(MIDDLE)
    assert other == pytest.approx(one)


@pytest.mark.parametrize("share", [0.6, 0.75, 10 / 11, 0.999])
def test_the_difference_of_two_is_elos(share: float) -> None:
    """Odds of ten to one are 400 points; the drawn match on top hardly counts among so many."""
    matches = 1_000_000
    one, other = ratings(2, [Pair(0, 1, share * matches, matches)])
    assert one.value - other.value == pytest.approx(400 * log10(share / (1 - share)), abs=1)
    assert (one.value + other.value) / 2 == pytest.approx(MIDDLE)


def test_results_that_agree_give_the_ratings_they_come_from() -> None:
    """Three bots, 100 and 200 points apart, who score exactly as that predicts."""
    true = [1600.0, 1500.0, 1400.0]
    pairs = [
        Pair(one, other, 10_000 / (1 + 10 ** ((true[other] - true[one]) / 400)), 10_000)
        for one, other in ((0, 1), (0, 2), (1, 2))
    ]
    assert [rating.value for rating in ratings(3, pairs)] == pytest.approx(true, abs=0.1)


def test_whoever_won_them_all_is_strong_and_not_surely_how_strong() -> None:
    few, many = (ratings(2, [Pair(0, 1, float(number), number)])[0] for number in (10, 1000))
    assert MIDDLE < few.value < many.value < 4000
    assert few.error > 100


def test_an_interval_is_as_wide_as_the_binomial_says() -> None:
    """Of two equal bots after n matches: 1.96 standard errors of the log odds, half of it for each of them."""
    rating = ratings(2, [Pair(0, 1, 5000.0, 10_000)])[0]
    assert rating.error == pytest.approx(1.96 * 400 / 2.302585 * (2 / 10_000**0.5) / 2, rel=0.001)


@pytest.mark.parametrize(
    "score, matches, low, high",
    [(50, 100, 0.404, 0.596), (0, 20, 0.0, 0.161), (20, 20, 0.839, 1.0), (81, 100, 0.722, 0.875)],
)
def test_the_share_of_victories_lies_between(score: float, matches: int, low: float, high: float) -> None:
    """Wilson's interval, with numbers from his tables."""
    assert interval(score, matches) == pytest.approx((low, high), abs=0.001)
