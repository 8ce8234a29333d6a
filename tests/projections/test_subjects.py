"""Every score line says what scored: the tile and its place, the colour and its cards, the star and its space."""

import re
from typing import Final

import pytest

from service.games.shelf import find_game
from service.play.history import points
from service.questions.explain import explain
from tests.disputes.people import played

COLOUR: Final = "(blue|yellow|red|black|white|brown|green|orange|purple)"
STAR: Final = "(NW|NE|E|SE|SW|W|C)"
NAMED: Final = {
    ("azul", "tile-placed"): rf"{COLOUR} at row [1-5], column [1-5]: (a (row|column) of|a tile on its own)",
    ("master-chocolatier", "tile-placed"): rf"{COLOUR} at row [1-5], column [1-5]: (a (row|column) of|a praline on)",
    ("azul", "floor"): r"\d floor spaces? occupied",
    ("azul", "row-bonus"): r"complete row [1-5]",
    ("coloretto", "colour-plus"): rf"\d+ {COLOUR}( with \d jokers?)?, counting plus",
    ("coloretto", "colour-minus"): rf"\d+ {COLOUR}( with \d jokers?)?, counting minus",
    ("coloretto", "plus-two"): r'"\+2" card \d of \d',
    ("summer-pavilion", "placement"): rf"{COLOUR} on {STAR}\.[1-6]: (a group of \d on star {STAR}|a tile on its own)",
    ("summer-pavilion", "marker-loss"): rf"\d {COLOUR}( and a wild tile)?: \d+ tiles? taken with the marker",
}


@pytest.mark.parametrize("key", ["azul", "master-chocolatier", "coloretto", "summer-pavilion"])
def test_every_line_of_the_sheet_and_of_an_explanation_names_what_scored(key: str) -> None:
    history = played(find_game(key), 3)
    seen = set()
    for point in points(history):
        if pattern := NAMED.get((key, point.line.reason)):
            assert re.match(pattern, point.sheet.reason), point.sheet.reason
            seen.add(point.line.reason)
    assert seen == {reason for game, reason in NAMED if game == key} - {"row-bonus"} | (seen & {"row-bonus"})
    for seq in {point.sheet.seq: 0 for point in points(history) if key != "coloretto"}:
        for line in explain(history, seq).lines:
            about, colon, _ = line.reason.partition(": ")
            assert not colon or line.sum.startswith(f"{about}: "), "the sum names it as the reason does"


def test_the_sum_of_a_colour_names_the_colour() -> None:
    history = played(find_game("coloretto"), 3)
    last = next(points(history)).sheet.seq
    lines = [line for line in explain(history, last).lines if not line.reason.startswith('"+2"')]
    assert lines
    for line in lines:
        colour = line.reason.split()[1].rstrip(",")
        assert f" {colour} card" in line.sum
