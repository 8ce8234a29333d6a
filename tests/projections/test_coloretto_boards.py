"""Coloretto drawn: cards lie where they belong, what is seen is said, and points show the cards that made them."""

import re
from collections.abc import Iterable

import pytest

from events.coloretto import GameEnded
from events.core import Event
from projections.coloretto import PROJECTION
from projections.coloretto.state import State
from projections.coloretto_pad import PROJECTION as PAD
from projections.core import Projection
from projections.drawing import Element, Panel, elements
from service.games.coloretto import COLORETTO
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.rules import ChooseStartCard, DrawCard, PlaceCard, TakeRow
from service.games.coloretto_pad import COLORETTO_PAD
from service.games.coloretto_pad.rules import CloseCollection, CountCards
from service.games.game import Game
from tests.rules.coloretto_tables import (
    BLUE,
    EVA,
    GREEN,
    JOKER,
    ORANGE,
    PLUS_TWO,
    RED,
    WHITE,
    YELLOW,
    counts,
    ended,
    table,
)
from tests.scenario import given
from tests.shelf import Shape, turns

MOST = "GGGGGGGGG YYYYYYYYY RRRRRRRRR BBBBBBBBB OOOOOOOOO PPPPPPPPP WWWWWWWWW JJJ* +2+2+2+2+2+2+2+2+2+2"
"""All cards there are."""


def panels(state: object, projection: Projection = PROJECTION) -> dict[str, Panel]:
    """The drawing, by the keys of its panels."""
    return {panel.key: panel for panel in projection.board(state)}


def find(panel: Panel, name: str) -> Element:
    """The part of this name, which must be there."""
    return next(element for element in elements(panel.children) if element.part == name)


def letters(*drawn: Element, look: str = "tile") -> list[str]:
    """What stands on the pieces (`tile`) or the empty places (`space`) of a drawing, in order."""
    pieces = [piece for piece in elements(drawn) if piece.attributes.get("class", "").startswith(look)]
    return ["".join(words(piece)) for piece in pieces]


def words(*drawn: Element) -> list[str]:
    """The texts of a drawing, in order."""
    return [str(text.children[0]) for text in elements(drawn) if text.tag == "text"]


def label(element: Element) -> str:
    """What somebody is told who points at a part."""
    title = element.children[0]
    assert isinstance(title, Element)
    return str(title.children[0])


def sizes(state: object, projection: Projection = PROJECTION) -> list[tuple[float, float]]:
    return [(panel.width, panel.height) for panel in projection.board(state)]


# ------------------------------------------------------------------------------------------------------------ the offer


def test_rows_show_their_cards_their_room_and_who_took_them() -> None:
    offer = panels(table(5, rows=["GJ*", "", "+2", "", "RYW"], taken={2: 3, 4: 5}).state)["offer"]
    rows = [find(offer, f"row-{number}") for number in range(1, 6)]
    assert [letters(row) for row in rows] == [["1", "G", "J*"], [], ["3", "+2"], [], ["5", "R", "Y", "W"]]
    assert [len(letters(row, look="space")) for row in rows] == [1, 0, 2, 0, 0]
    assert words(rows[1]) == ["row 2 · seat 3 took it"]
    assert [label(row) for row in rows] == [
        "row 1: green and golden joker, room for 1 more",
        "row 2, which seat 3 took",
        "row 3: +2, room for 2 more",
        "row 4, which seat 5 took",
        "row 5: red, yellow and white, full",
    ]
    for row in rows:
        assert label(row)[1:] in offer.description


def test_rows_of_two_players_are_green_and_hold_what_they_say() -> None:
    offer = panels(table(2, rows=["", "B"]).state)["offer"]
    rows = [find(offer, f"row-{number}") for number in (1, 2, 3)]
    assert [len(letters(row, look="space")) for row in rows] == [1, 1, 3]
    assert all(any(piece.attributes.get("class") == "tile kind-green" for piece in elements([row])) for row in rows)
    assert words(find(offer, "chart"))[-1] == "brown side · without purple and white"


def test_deck_drawn_card_and_last_round_card() -> None:
    before = panels(table(4, above=29).state)["offer"]
    assert letters(find(before, "drawn")) == []
    assert words(find(before, "last-round")) == ["last-round card", "under 29 cards"]
    state = table(4, hand="J*", is_last_round=True, above=0, turn=3, deck="GGGRR").state
    after = panels(state)["offer"]
    assert words(find(after, "deck")) == ["5"]
    assert letters(find(after, "drawn")) == ["J*"]
    assert words(find(after, "last-round")) == ["This round is the last"]
    assert "The deck has 5 cards, the last-round card has come. Seat 3 has drawn golden joker." in after.description
    empty = panels(table(4, deck="", above=0, is_last_round=True).state)["offer"]
    assert words(find(empty, "deck")) == ["0"]


@pytest.mark.parametrize(
    "side, points", [("brown", ["1", "3", "6", "10", "15", "21"]), ("violet", ["1", "4", "8", "7", "6", "5"])]
)
def test_the_score_chart_is_the_one_in_use(side: str, points: list[str]) -> None:
    for state in (table(4, scoringSide=side).state, ended(["GYRB"] * 4, scoringSide=side).state):
        said = words(find(panels(state)["offer"], "chart"))
        assert said[3:-1:2] == points
        assert said[-1] == f"{side} side"


# --------------------------------------------------------------------------------------------------------------- seats


def test_a_collection_lies_in_lanes_with_what_it_scores_as_it_stands() -> None:
    seat = panels(table(4, tableaus=[EVA], taken={2: 1}).state)["seat-1"]
    lanes = {name: find(seat, f"seat-1.{name}") for name in ("green", "yellow", "blue", "white", "joker", "plus-two")}
    assert {name: letters(lane) for name, lane in lanes.items()} == {
        "green": ["G"] * 6,
        "yellow": ["Y"] * 4,
        "blue": ["B"] * 2,
        "white": [],
        "joker": ["J"],
        "plus-two": ["+2"],
    }
    assert letters(lanes["yellow"], look="space") == ["j"]
    assert {name: words(lane)[-2:] for name, lane in lanes.items() if name != "white"} == {
        "green": ["6", "+21"],
        "yellow": ["5", "+15"],
        "blue": ["2", "−3"],
        "joker": ["1", "free"],
        "plus-two": ["1", "+2"],
    }
    assert words(*seat.children)[:3] == ["1st", "out with row 2", "+41"]
    assert seat.description == (
        "6 green: +21; 4 yellow and 1 joker that would do most as yellow: +15; 3 red: +6; 2 blue: −3; "
        '1 joker without a colour; 1 "+2" card: +2. Worth +41 as it stands. Out with row 2. Started this round.'
    )


def test_only_the_seat_that_started_has_the_mark_of_it() -> None:
    drawn = panels(table(4, turn=3).state)
    marked = [key for key, panel in drawn.items() if "1st" in words(*panel.children)]
    assert marked == [key for key, panel in drawn.items() if "Started this round." in panel.description] == ["seat-1"]
    assert not any("1st" in words(*panel.children) for panel in panels(ended(["GYRB"] * 3).state).values())


def test_a_seat_that_is_out_without_a_row_says_so() -> None:
    def strand(state: State) -> None:
        state.out = 1 << 2

    assert "Out without a row." in panels(table(4).with_(strand).state)["seat-2"].description


def test_jokers_lie_in_the_colour_they_were_given_the_golden_one_last() -> None:
    scenario = ended(["GGG YY JJ*", "GYRB", ""])
    after = scenario.when(1, AssignJoker(RED)).after
    once = panels(after.state)["seat-1"]
    assert letters(find(once, "seat-1.red")) == ["J"]
    assert letters(find(once, "seat-1.joker")) == ["J*"]
    assert "1 joker as red" in once.description
    assert "the golden joker without a colour" in once.description
    assert words(*once.children)[0] == "1 joker to give a colour"
    twice = panels(after.when(1, AssignJoker(YELLOW)).after.state)["seat-1"]
    assert letters(find(twice, "seat-1.joker")) == []
    assert sorted(letters(*twice.children)) == ["G", "G", "G", "J", "J*", "Y", "Y"]
    assert "no joker without a colour" in label(find(twice, "seat-1.joker"))


def test_decided_colours_show_what_they_count() -> None:
    scenario = ended(["GGG YY R B", "GYRB", ""])
    before, after = (
        panels(state)["seat-1"]
        for state in (scenario.state, scenario.when(1, NameColours((YELLOW, RED, BLUE))).after.state)
    )
    assert [words(find(before, f"seat-1.{name}"))[-1] for name in ("green", "red", "blue")] == ["+6", "+1", "−1"]
    assert [words(find(after, f"seat-1.{name}"))[-1] for name in ("green", "red", "blue")] == ["−6", "+1", "+1"]
    looks = [list(elements(find(drawn, "seat-1.green").children))[-1].attributes["class"] for drawn in (before, after)]
    assert looks == ["good hoped", "bad"]
    assert before.description.endswith("Worth +9 as it stands. Three plus colours to name.")
    assert after.description.endswith("Worth −1. Has decided.")


def test_the_end_says_what_was_possible() -> None:
    scenario = ended(["GGG YY R B", "GYRB", ""])
    over = scenario.when(1, NameColours((YELLOW, RED, BLUE))).after.when(2, NameColours((GREEN, YELLOW, RED))).after
    drawn = panels(over.state)
    assert drawn["seat-1"].description.endswith("Worth −1. +9 was possible.")
    assert drawn["seat-2"].description.endswith("Worth +2. The most that was possible.")
    assert drawn["seat-3"].description == '1 "+2" card: +2. Worth +2. The most that was possible.'


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nothing_moves_whatever_is_drawn_placed_or_taken(seats: int) -> None:
    bare = table(seats).state
    full = table(seats, rows=["+2", "GG", "RYW"], taken={1: 2}, hand="J*", tableaus=[MOST] * seats).state
    assert sizes(bare) == sizes(full)
    for panel in PROJECTION.board(full):
        for piece in elements(panel.children):
            if piece.tag == "rect":
                assert float(piece.attributes["y"]) + float(piece.attributes["height"]) <= panel.height


# ----------------------------------------------------------------------------------------------------- paths and points


def test_moves_are_paths() -> None:
    state = table(4).state
    assert {type(action): tuple(COLORETTO.path(state, 3, action)) for action in _ACTIONS} == {
        DrawCard: ("deck",),
        PlaceCard: ("row-2",),
        TakeRow: ("row-4",),
        ChooseStartCard: ("start-white",),
        AssignJoker: ("seat-3.joker", "seat-3.orange"),
        NameColours: ("seat-3.green", "seat-3.red", "seat-3.blue"),
    }
    assert set(map(type, _ACTIONS)) == set(COLORETTO.rules.actions)


_ACTIONS = (
    DrawCard(),
    PlaceCard(2),
    TakeRow(4),
    ChooseStartCard(WHITE),
    AssignJoker(ORANGE),
    NameColours((GREEN, RED, BLUE)),
)


@pytest.mark.parametrize("game, options", [(COLORETTO, {"startCards": "choose"}), (COLORETTO, {}), (COLORETTO_PAD, {})])
def test_whatever_is_touched_is_large_enough_for_a_finger(game: Game, options: dict[str, str]) -> None:
    for turn in turns(Shape(game, 5, options), 3):
        drawn = {part.part: part for panel in game.projection.board(turn.state) for part in elements(panel.children)}
        for seat in game.projection.to_act(turn.state):
            for name in {
                name for move in game.rules.legal(turn.state, seat) for name in game.path(turn.state, seat, move)
            }:
                shapes = [piece.attributes for piece in elements([drawn[name]]) if piece.tag == "rect"]
                assert any(float(shape["width"]) >= 24 and float(shape["height"]) >= 24 for shape in shapes), name


def test_start_cards_to_choose_lie_open() -> None:
    offer = panels(given(COLORETTO, 5, startCards="choose", firstPlayer="seat:1").state)["offer"]
    starts = [element.part for element in elements(offer.children) if element.part.startswith("start-")]
    assert starts == [f"start-{name}" for name in ("green", "yellow", "red", "blue", "orange", "purple", "white")]
    assert "To start with: green, yellow" in offer.description


def _ending(events: Iterable[Event]) -> GameEnded:
    return next(event for event in events if isinstance(event, GameEnded))


def test_points_light_up_the_cards_that_made_them() -> None:
    scenario = ended(["GGG YY R B J +2+2", "", ""]).when(1, AssignJoker(YELLOW)).after
    decided = scenario.when(1, NameColours((GREEN, YELLOW, RED)))
    state, event = decided.after.state, _ending(decided.events)
    drawn, named = panels(state), []
    for line in event.scores:
        (name,) = PROJECTION.scored_parts[line.reason](event, line, state)
        cards = letters(find(drawn[f"seat-{line.seat}"], name))
        assert len(cards) == line.operands.get("cards", 1)
        assert cards.count("J") == line.operands.get("jokers", 0)
        named.append((line.reason, name))
    assert named == [
        ("colour-plus", "seat-1.green"),
        ("colour-plus", "seat-1.yellow"),
        ("colour-plus", "seat-1.red"),
        ("colour-minus", "seat-1.blue"),
        ("plus-two", "seat-1.plus-two-1"),
        ("plus-two", "seat-1.plus-two-2"),
        ("plus-two", "seat-3.plus-two-1"),
    ]


# ------------------------------------------------------------------------------------------------------------- the pad


def test_a_pad_has_a_spot_for_every_number_of_cards() -> None:
    pad = given(COLORETTO_PAD, 2, removedColours="purple,white")
    seat = panels(pad.state, PAD)["seat-2"]
    drawn = [element.part for element in elements(seat.children) if re.search(r"-\d+$", element.part)]
    most = {"green": 9, "yellow": 9, "red": 9, "blue": 9, "orange": 9, "joker": 3, "plus-two": 10}
    assert drawn == [f"seat-2.{kind}-{number}" for kind, last in most.items() for number in range(1, last + 1)]
    entries = [action for action in COLORETTO_PAD.rules.legal(pad.state, 2) if isinstance(action, CountCards)]
    touched = [spot for action in entries for spot in COLORETTO_PAD.path(pad.state, 2, action)]
    assert sorted(touched) == sorted(drawn)
    assert COLORETTO_PAD.path(pad.state, 2, CountCards(RED, 3)) == ("seat-2.red-3",)
    assert COLORETTO_PAD.path(pad.state, 2, CloseCollection()) == ("seat-2.done",)
    assert COLORETTO_PAD.path(pad.state, 2, AssignJoker(RED)) == ("seat-2.joker", "seat-2.red")


def test_a_pad_shows_what_was_counted_and_what_it_is_worth() -> None:
    pad = given(COLORETTO_PAD, 3)
    for action in (CountCards(RED, 3), CountCards(PLUS_TWO, 2), CountCards(JOKER, 1)):
        pad = pad.when(2, action).after
    seat = panels(pad.state, PAD)["seat-2"]
    assert letters(find(seat, "seat-2.red")) == ["R", "1", "2", "3"]
    assert letters(find(seat, "seat-2.blue")) == ["B"]
    assert "+10" in words(*seat.children)
    assert seat.description == ('Counted: 3 red cards, 1 joker, 2 "+2" cards; worth +14 as it stands. More may follow.')
    assert label(find(seat, "seat-2.red-2")) == "2 red cards"
    closed = panels(pad.when(2, CloseCollection()).after.state, PAD)["seat-2"]
    assert closed.description.endswith("That is everything.")
    assert words(find(closed, "seat-2.done")) == ["✓ counted"]
    assert sizes(pad.state, PAD) == sizes(given(COLORETTO_PAD, 3).state, PAD)


def test_a_counted_pad_looks_like_the_games_end() -> None:
    pad = given(COLORETTO_PAD, 2)

    def arrange(state: State) -> None:
        state.tableaus[0].cards = counts("GGG YY R B J")

    pad = pad.with_(arrange).when(1, CloseCollection()).after.when(2, CloseCollection()).after
    seat = panels(pad.state, PAD)["seat-1"]
    assert letters(find(seat, "seat-1.green")) == ["G"] * 3
    assert PAD.situation(pad.state) == "jokers and plus colours"


def test_situations() -> None:
    assert PROJECTION.situation(table(4).state) == "Round 3 · to draw or take"
    assert PROJECTION.situation(table(4, hand="G", is_last_round=True).state) == "Round 3, the last one · to place"
    assert PROJECTION.situation(given(COLORETTO, 4).state) == "Setup · who starts"
    assert PAD.situation(given(COLORETTO_PAD, 4).state) == "counting the cards"
