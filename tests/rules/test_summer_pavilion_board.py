"""The board of Summer Pavilion, compared with the digest's tables and with its summary formula."""

from collections import Counter

import pytest

from projections.summer_pavilion.stars import (
    ALL_FEATURES,
    COLOURS,
    DIRECTIONS,
    FEATURES,
    FEATURES_AT,
    NUMBER_POINTS,
    NUMBER_SPACES,
    NUMBERS,
    SLOT_ONE,
    SLOTS,
    STAR_COLOURS,
    STAR_POINTS,
    STAR_SPACES,
    STARS,
    space_bit,
)

OUTER = ("NW", "NE", "E", "SE", "SW", "W")
T3 = {  # numbers on the coloured side at N NE SE S SW NW
    "NW": (6, 1, 2, 3, 4, 5),
    "NE": (5, 6, 1, 2, 3, 4),
    "E": (4, 5, 6, 1, 2, 3),
    "SE": (3, 4, 5, 6, 1, 2),
    "SW": (2, 3, 4, 5, 6, 1),
    "W": (1, 2, 3, 4, 5, 6),
    "C": (1, 2, 3, 4, 5, 6),
}
T4 = {  # the same on the colourless side
    "NW": (6, 3, 2, 1, 4, 5),
    "NE": (5, 6, 3, 2, 1, 4),
    "E": (4, 5, 6, 3, 2, 1),
    "SE": (1, 4, 5, 6, 3, 2),
    "SW": (2, 1, 4, 5, 6, 3),
    "W": (3, 2, 1, 4, 5, 6),
    "C": (3, 3, 3, 3, 3, 3),
}
TURN = {name: DIRECTIONS.index(direction) for name, direction in zip(STARS, SLOT_ONE, strict=True)}


@pytest.mark.parametrize(
    "side, table", [pytest.param("coloured", T3, id="T3"), pytest.param("colourless", T4, id="T4")]
)
def test_numbers_by_direction(side: str, table: dict[str, tuple[int, ...]]) -> None:
    for name, numbers in table.items():
        by_slot = NUMBERS[side][STARS.index(name)]
        assert [by_slot[(direction - TURN[name]) % SLOTS] for direction in range(SLOTS)] == list(numbers), name


def test_t1_wild_colours_and_star_colours() -> None:
    assert COLOURS == ("purple", "green", "orange", "yellow", "blue", "red")
    assert dict(zip(STARS, STAR_COLOURS, strict=False)) == {
        "NW": "orange",
        "NE": "red",
        "E": "blue",
        "SE": "yellow",
        "SW": "green",
        "W": "purple",
    }


def test_features_follow_from_the_summary_formula() -> None:
    expected = {}
    for index, here in enumerate(OUTER):
        following = OUTER[(index + 1) % 6]
        facing = (f"C.{(index - 1) % 6 + 1}", f"C.{index % 6 + 1}")
        expected[f"pillar-{here}"] = (1, {f"{here}.2", f"{here}.3", *facing})
        expected[f"statue-{here}-{following}"] = (2, {f"{here}.1", f"{here}.2", f"{following}.3", f"{following}.4"})
        expected[f"window-{here}"] = (3, {f"{here}.5", f"{here}.6"})
    assert {name: (reward, set(spaces)) for name, reward, spaces in FEATURES} == expected


def test_t8_features_by_space() -> None:
    def at(space: str) -> set[str]:
        return {feature.name for feature in FEATURES_AT[space_bit(space).bit_length() - 1]}

    for index, here in enumerate(OUTER):
        before, following = OUTER[index - 1], OUTER[(index + 1) % 6]
        assert at(f"{here}.1") == {f"statue-{here}-{following}"}
        assert at(f"{here}.2") == {f"statue-{here}-{following}", f"pillar-{here}"}
        assert at(f"{here}.3") == {f"statue-{before}-{here}", f"pillar-{here}"}
        assert at(f"{here}.4") == {f"statue-{before}-{here}"}
        assert at(f"{here}.5") == at(f"{here}.6") == {f"window-{here}"}
        assert at(f"C.{index + 1}") == {f"pillar-{here}", f"pillar-{following}"}


def test_totals_of_the_digest() -> None:
    assert len(STAR_SPACES) * SLOTS == len(FEATURES_AT) == 42
    assert Counter(feature.reward for feature in ALL_FEATURES) == {1: 6, 2: 6, 3: 6}
    assert sum(map(len, FEATURES_AT)) == 60
    assert sum(feature.reward for feature in ALL_FEATURES) == 36
    assert {side: sum(map(sum, stars)) for side, stars in NUMBERS.items()} == {"coloured": 147, "colourless": 144}


def test_sp_57_one_space_is_worth_at_most_three_bonus_tiles() -> None:
    assert max(sum(feature.reward for feature in features) for features in FEATURES_AT) == 3


def test_t2_final_values_and_the_spaces_they_need() -> None:
    assert STAR_POINTS == {
        "multicolour": 12,
        "red": 14,
        "blue": 15,
        "yellow": 16,
        "orange": 17,
        "green": 18,
        "purple": 20,
    }
    assert NUMBER_POINTS == {1: 4, 2: 8, 3: 12, 4: 16}
    needed = {side: [spaces.bit_count() for spaces in numbers.values()] for side, numbers in NUMBER_SPACES.items()}
    assert needed == {"coloured": [7, 7, 7, 7], "colourless": [6, 6, 12, 6]}
