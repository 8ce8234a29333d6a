"""Ratings from the results of pairs (Bradley and Terry's model, on Elo's scale), and how sure they are."""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

MIDDLE: Final = 1500.0
"""The average of those who are rated together; only differences mean anything."""
SCALE: Final = 400 / log(10)
"""Elo's: 400 points are odds of ten to one."""
CONFIDENCE: Final = 1.96
"""Standard errors on each side, which hold the truth in 95 of 100 cases."""
_SURE: Final = 1e-9
_LONGEST_STEP: Final = 2.0


class Pair(NamedTuple):
    """What two of them did against each other."""

    first: int
    second: int
    score: float
    """Of the first: a victory is 1, a shared one its share."""
    matches: int


class Rating(NamedTuple):
    """How strong somebody is beside the others."""

    value: float
    error: float
    """Half of the interval that holds the truth in 95 of 100 cases."""


def ratings(players: int, pairs: Sequence[Pair]) -> list[Rating]:
    """The most likely ratings of so many players.

    Each pair is given one drawn match on top: whoever won them all would else be infinitely strong.
    """
    pairs = [Pair(first, second, score + 0.5, matches + 1) for first, second, score, matches in pairs]
    values = [0.0] * players
    while True:
        gradient, spread = [0.0] * players, _spread(values, pairs)
        for first, second, score, matches in pairs:
            missing = score - matches * _expected(values[first] - values[second])
            gradient[first] += missing
            gradient[second] -= missing
        # Newton's step, shortened where the curve is flat.
        steps = [sum(map(float.__mul__, row, gradient)) for row in spread]
        shortened = min(1.0, _LONGEST_STEP / max(map(abs, steps))) if any(steps) else 1.0
        values = [value + step * shortened for value, step in zip(values, steps, strict=True)]
        if max(map(abs, steps)) < _SURE:
            errors = [sqrt(spread[player][player]) for player in range(players)]
            found = zip(values, errors, strict=True)
            return [Rating(MIDDLE + SCALE * value, SCALE * CONFIDENCE * error) for value, error in found]


def interval(score: float, matches: int) -> tuple[float, float]:
    """Between what the share of victories may truly lie, in 95 of 100 cases (Wilson)."""
    share, square = score / matches, CONFIDENCE**2
    middle = (share + square / (2 * matches)) / (1 + square / matches)
    half = CONFIDENCE / (1 + square / matches) * sqrt(share * (1 - share) / matches + square / (4 * matches**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _spread(values: Sequence[float], pairs: Sequence[Pair]) -> list[list[float]]:
    """The covariances of the ratings around their average: the information of all results, inverted.

    Results tell differences only, so their information says nothing about the average; one is put in for it before the
    inversion, and taken out after it.
    """
    size = len(values)
    rows = [[1 / size] * size for _ in range(size)]
    for first, second, _, matches in pairs:
        share = _expected(values[first] - values[second])
        information = matches * share * (1 - share)
        for one, other, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
            rows[one][other] += sign * information
    return [[cell - 1 / size for cell in row] for row in _inverted(rows)]


def _inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a symmetric, positive matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(place == number) for place in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [cell / rows[pivot][pivot] for cell in rows[pivot]]
        for other in range(size):
            if other != pivot and (times := rows[other][pivot]):
                pairs = zip(rows[other], rows[pivot], strict=True)
                rows[other] = [cell - times * own for cell, own in pairs]
    return [row[size:] for row in rows]
