"""Coloretto as it is shown and written: what reveals, what everybody sees, the picture and the notation."""

import pytest

from events.codec import Fact
from events.coloretto import (
    BonusDrawn,
    CardDrawn,
    CardPlaced,
    CardRevealed,
    ColoursRemoved,
    RoundBegun,
    StartCardChosen,
    StartCardsDealt,
    StartDrawn,
)
from events.core import Event
from events.match import MatchOpened, StepUndone
from projections.core import Names
from projections.fold import fold
from service.games.coloretto import COLORETTO
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.notation import read, read_outcome, write_outcome
from service.games.coloretto.rules import RULES, ChooseStartCard, DrawCard, PlaceCard, TakeRow
from service.games.core import Action, Outcome
from service.games.notation import Malformed
from service.games.options import read_options
from tests.rules.coloretto_tables import (
    EVA,
    GREEN,
    RED,
    YELLOW,
    play,
    request_of,
    set_up,
    table,
)


def test_co_81_and_82_what_reveals() -> None:
    assert {kind for kind in COLORETTO.events if kind.reveals} == {
        ColoursRemoved,
        StartDrawn,
        StartCardsDealt,
        CardRevealed,
        BonusDrawn,
    }
    assert all(kind.reveals == kind.by_chance for kind in COLORETTO.events)


def test_co_82_undoing_a_placement_leaves_the_card_drawn() -> None:
    options = read_options(RULES, {"firstPlayer": "seat:1", "startCards": "choose"}, 4)
    opened = MatchOpened("coloretto", "coloretto/1", 4, options, "strict", "recorded")
    chosen = [StartCardChosen(seat=seat, colour=seat, next=(seat + 1) % 5) for seat in range(1, 5)]
    facts: list[Event] = [opened, *chosen, RoundBegun(round=1, starter=1)]
    steps = [Fact(1, event) for event in facts]
    drawn = [*steps, Fact(2, CardDrawn(seat=1)), Fact(2, CardRevealed(seat=1, card=RED))]
    placed = [*drawn, Fact(3, CardPlaced(seat=1, row=2, card=RED, next=2))]
    undone = [*placed, Fact(4, StepUndone(step=3))]
    projection = COLORETTO.projection
    assert fold(projection, placed).state.rows[1] == [RED]
    assert fold(projection, undone).state == fold(projection, drawn).state
    assert fold(projection, undone).state.phase == "place"


def test_co_78_to_80_what_everybody_sees() -> None:
    view = COLORETTO.projection.view(play(set_up(3), "D:R P2 D:J*").state)
    assert view["deck"] == {
        "cards": 62,
        "above_last_round_card": 46,
        "kinds": {
            "green": 8,
            "yellow": 8,
            "red": 7,
            "blue": 9,
            "orange": 9,
            "purple": 9,
            "+2": 10,
            "joker": 2,
        },
    }
    assert view["drawn"] == "golden joker"
    assert view["removed"] == {"white": 9}
    assert view["rows"][1] == {"size": 3, "cards": ["red"], "taken_by": None}
    assert view["tableaus"][0]["best"] == {"total": 1, "jokers": [], "plus": ["green"]}


def test_the_picture() -> None:
    scenario = table(3, rows=["GJ*", "", "+2"], taken={2: 3}, turn=1, hand="R", tableaus=[EVA, "GYRBO", ""], above=5)
    picture = COLORETTO.projection.draw(scenario.state, Names({1: "Eva", 3: "Cleo"}))
    text = ["".join(span.text for span in line).rstrip() for line in picture]
    assert text == [
        "Round 3 · Eva to place    deck 67, 5 above the last-round card",
        "",
        " 1    G   J*  ·",
        " 2   taken by Cleo",
        " 3    +2  ·   ·",
        "",
        "Eva drew  R  red",
        "",
        "▶ Eva  +41 as it stands",
        "    GGGGGG  YYYYj  RRR  BB  J     +2",
        "    +21     +15    +6   −3  free  +2",
        "  Seat 2  +1 as it stands",
        "    G   Y   R   B   O",
        "    +1  +1  +1  −1  −1",
        "  Cleo  out  ±0 as it stands",
        "",
        "brown side, cards and points: 1 1 · 2 3 · 3 6 · 4 10 · 5 15 · 6+ 21    without W",
    ]


@pytest.mark.parametrize(
    "text, action",
    [
        ("draw", DrawCard()),
        ("d", DrawCard()),
        ("place 2", PlaceCard(2)),
        ("place row 2", PlaceCard(2)),
        (">2", PlaceCard(2)),
        ("Take row 3", TakeRow(3)),
        ("start green", ChooseStartCard(GREEN)),
        ("joker yellow", AssignJoker(YELLOW)),
        ("J Y", AssignJoker(YELLOW)),
        ("plus red, green, yellow", NameColours((GREEN, YELLOW, RED))),
        ("+ryg", NameColours((GREEN, YELLOW, RED))),
    ],
)
def test_notation_is_lax_to_read(text: str, action: Action) -> None:
    assert read(text) == action


@pytest.mark.parametrize("text", ["", "X", "P", "T", "Tx", "D2", "J=", "J=Q", "+", "+GX", "P2 3", "S"])
def test_moves_that_do_not_read(text: str) -> None:
    with pytest.raises(Malformed) as refusal:
        read(text)
    assert refusal.value.code == "move/malformed"


@pytest.mark.parametrize("text", ["L>G", "l g", "last round > green", "G", "green"])
def test_the_last_round_card_may_be_written_before_its_replacement(text: str) -> None:
    drawing = table(3, above=0).when(1, DrawCard()).after
    request = request_of(drawing)
    assert read_outcome(text, drawing.state, request) == Outcome((GREEN,))
    assert write_outcome(request, Outcome((GREEN,))) == "L>G"


@pytest.mark.parametrize(
    "text, kind", [("+2", 7), ("J", 8), ("joker", 8), ("J*", 9), ("golden joker", 9), ("golden", 9)]
)
def test_cards_that_are_no_colours_in_writing(text: str, kind: int) -> None:
    drawing = table(3).when(1, DrawCard()).after
    assert read_outcome(text, drawing.state, request_of(drawing)) == Outcome((kind,))
