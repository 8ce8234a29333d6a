"""Everything Summer Pavilion refuses, with its code and rule, the state untouched."""

import pytest

from events.core import CHANCE, Actor
from service.errors import IllegalAction
from service.games.core import Action, Outcome
from service.games.first_player import ChooseStart
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion.actions import AcquireTiles, Pass, PlaceTile, TakeBonus
from tests.rules.summer_pavilion_tables import acquiring, drawn, move, placing
from tests.scenario import Scenario, given

OFFER = acquiring("RRYY", "", "PPPR")
CENTRE = acquiring("RRRR", centre="", turn=2)
HAND = placing("GPPPRR", "NE.1 C.2=R")
CHOOSING = placing("BBBBBB", "E.5").when(1, move("6B@E6")).after
KEEPING = placing("GOYBR", round_=3, score=10)
LAST = placing("GOYBR", round_=6)
EMPTY_BAG = given(SUMMER_PAVILION, 2, firstPlayer="seat:1")

REFUSALS = [
    # the table · who · what · code and rule
    pytest.param(OFFER, 2, move("1R"), "turn", "SP-21", id="acquiring-out-of-turn"),
    pytest.param(OFFER, 1, move("pass"), "phase", "SP-21", id="passing-in-phase-1"),
    pytest.param(OFFER, 1, move("1R@NE1"), "phase", "SP-21", id="placing-in-phase-1"),
    pytest.param(OFFER, 1, move("8R"), "source", "SP-22", id="display-not-in-play"),
    pytest.param(OFFER, 1, AcquireTiles(source=-1, colour=0), "source", "SP-22", id="display-below-zero"),
    pytest.param(OFFER, 1, move("2R"), "source-empty", "SP-22", id="empty-display"),
    pytest.param(CENTRE, 2, move("CR"), "source-empty", "SP-R2", id="marker-alone"),
    pytest.param(OFFER, 1, move("1B"), "colour-absent", "SP-22", id="colour-not-there"),
    pytest.param(OFFER, 1, AcquireTiles(source=1, colour=6), "colour", "SP-2", id="no-such-colour"),
    pytest.param(OFFER, 1, move("3P"), "wild-named", "SP-24", id="SP-TV14"),
    pytest.param(OFFER, 1, move("+PP"), "phase", "SP-50", id="bonus-in-phase-1"),
    pytest.param(HAND, 2, move("pass"), "turn", "SP-34", id="passing-out-of-turn"),
    pytest.param(HAND, 1, move("1R"), "phase", "SP-35", id="acquiring-in-phase-2"),
    pytest.param(HAND, 1, move("+PP"), "phase", "SP-50", id="bonus-not-earned"),
    pytest.param(HAND, 1, move("4P@SW4"), "star-colour", "SP-42", id="SP-EX9"),
    pytest.param(HAND, 1, move("2R@E2"), "star-colour", "SP-39", id="colour-of-another-star"),
    pytest.param(HAND, 1, move("1R@NE1"), "space-taken", "SP-37", id="occupied-space"),
    pytest.param(HAND, 1, PlaceTile(7, 1, 5, 1), "space", "SP-37", id="no-such-star"),
    pytest.param(HAND, 1, PlaceTile(1, 0, 5, 1), "space", "SP-37", id="no-such-slot"),
    pytest.param(HAND, 1, PlaceTile(1, 2, 6, 2), "colour", "SP-2", id="no-such-tile"),
    pytest.param(HAND, 1, move("1R@C1"), "centre-colour", "SP-40", id="centre-shows-it-already"),
    pytest.param(
        placing("YYYYBBBB", "C.2=Y C.3=G C.5=R"), 1, move("4Y@C4"), "centre-colour", "SP-40", id="SP-EX17-yellow"
    ),
    pytest.param(placing("PPPPPP"), 1, PlaceTile(4, 4, 1, 0, 4), "payment-own", "SP-42", id="SP-TV21"),
    pytest.param(placing("PPGGGGG"), 1, PlaceTile(5, 3, 0, 2, 1), "payment-wild", "SP-43", id="SP-TV22"),
    pytest.param(placing("PPP"), 1, PlaceTile(4, 1, 1, 0, 1), "payment-own", "SP-44", id="no-substitute-on-a-1"),
    pytest.param(HAND, 1, move("1G+2@SW4"), "payment-count", "SP-38", id="too-few-tiles"),
    pytest.param(HAND, 1, move("1G+3@SW2"), "payment-count", "SP-38", id="too-many-tiles"),
    pytest.param(HAND, 1, PlaceTile(4, 4, 1, 5, -1), "payment-count", "SP-38", id="negative-payment"),
    pytest.param(HAND, 1, move("2G@SW2"), "payment-hand", "SP-45", id="own-tiles-not-in-hand"),
    pytest.param(HAND, 1, move("1G+4@SW5"), "payment-hand", "SP-45", id="wild-tiles-not-in-hand"),
    pytest.param(CHOOSING, 1, move("pass"), "bonus-first", "SP-51", id="bonus-cannot-be-refused"),
    pytest.param(CHOOSING, 1, move("1B@E1"), "bonus-first", "SP-51", id="bonus-before-the-next-placement"),
    pytest.param(CHOOSING, 2, move("+PPG"), "turn", "SP-34", id="bonus-of-another-seat"),
    pytest.param(CHOOSING, 1, move("+PP"), "bonus-count", "SP-51", id="too-small-a-bonus"),
    pytest.param(CHOOSING, 1, move("+PPGG"), "bonus-count", "SP-51", id="too-large-a-bonus"),
    pytest.param(CHOOSING, 1, move("+PPP"), "bonus-absent", "SP-52", id="not-in-the-supply"),
    pytest.param(CHOOSING, 1, TakeBonus(tiles=(1, 0, 0)), "tile-order", "SP-R19", id="bonus-in-another-order"),
    pytest.param(CHOOSING, 1, TakeBonus(tiles=(-1, 0, 0)), "colour", "SP-2", id="bonus-of-no-colour"),
    pytest.param(KEEPING, 1, move("pass GOYBR"), "keep-count", "SP-59", id="SP-TV30"),
    pytest.param(KEEPING, 1, move("pass GG"), "keep-hand", "SP-59", id="keeping-what-is-not-there"),
    pytest.param(KEEPING, 1, Pass(kept=(2, 1)), "tile-order", "SP-R19", id="keeping-in-another-order"),
    pytest.param(LAST, 1, move("pass G"), "keep-last-round", "SP-61", id="keeping-in-round-6"),
    pytest.param(HAND, 3, move("pass"), "actor", "SP-1", id="no-such-seat"),
    pytest.param(HAND, CHANCE, move("pass"), "actor", "SP-1", id="chance-does-not-play"),
    pytest.param(HAND, 1, Outcome(drawn=(0,)), "actor", "SP-12", id="seats-do-not-draw"),
    pytest.param(HAND, 1, ChooseStart(seat=1), "phase", "SP-R17", id="starter-chosen-too-late"),
    pytest.param(HAND, CHANCE, Outcome(drawn=(0,)), "deal-unasked", "SP-63", id="nothing-to-draw"),
    pytest.param(EMPTY_BAG, CHANCE, drawn("PPPP"), "supply-count", "SP-55", id="too-few-drawn"),
    pytest.param(EMPTY_BAG, CHANCE, Outcome(drawn=(9,) * 10), "supply-pool", "SP-55", id="no-such-tile-drawn"),
    pytest.param(EMPTY_BAG, 1, move("1R"), "phase", "SP-55", id="acting-before-the-setup"),
    pytest.param(
        EMPTY_BAG.when(CHANCE, drawn("PPGGOOYYBB")).after, 1, move("1R"), "phase", "SP-63", id="acting-before-the-deal"
    ),
    pytest.param(given(SUMMER_PAVILION, 2), 1, move("1R"), "phase", "SP-R17", id="acting-before-the-start"),
]


@pytest.mark.parametrize("table, actor, action, reason, rule", REFUSALS)
def test_refusals(table: Scenario, actor: Actor, action: Action, reason: str, rule: str) -> None:
    table.refuses(actor, action, f"summer-pavilion/{reason}", rule)
    if isinstance(actor, int):
        assert action not in SUMMER_PAVILION.rules.legal(table.state, actor)


def test_an_action_of_another_game_is_refused() -> None:
    class Dance(Action, frozen=True, gc=False, tag="elsewhere.dance"):
        """Nothing anybody can do here."""

    HAND.refuses(1, Dance(), "summer-pavilion/action", "SP-35")


@pytest.mark.parametrize(
    "table, action, words",
    [
        pytest.param(OFFER, move("1B"), ["Display 1", "no blue", "yellow, red"], id="colour-not-there"),
        pytest.param(OFFER, move("3P"), ["Purple is wild", "red"], id="wild-named"),
        pytest.param(HAND, move("4P@SW4"), ["SW", "green", "purple"], id="wild-tile-on-another-star"),
        pytest.param(HAND, move("1G+2@SW4"), ["SW.4", "exactly 4", "1 green + 2 wild"], id="payment-count"),
        pytest.param(HAND, move("2G@SW2"), ["1 green", "3 purple (wild)"], id="payment-hand"),
        pytest.param(CHOOSING, move("+PPP"), ["3 purple"], id="not-in-the-supply"),
        pytest.param(CHOOSING, move("pass"), ["Seat 1", "3"], id="bonus-first"),
        pytest.param(KEEPING, move("pass GOYBR"), ["4", "5"], id="keep-count"),
        pytest.param(
            placing("BR", "NW.1=R NW.2=R", boardSide="colourless"),
            move("1B@NW3"),
            ["Star NW is one-coloured: it takes red, not blue."],
            id="one-coloured",
        ),
        pytest.param(
            placing("GR", "NW.1=R NW.2=B", boardSide="colourless"),
            move("1R@NW3"),
            ["Star NW is multicoloured: it takes purple, green, orange, yellow, not red."],
            id="multicoloured",
        ),
    ],
)
def test_messages_quote_the_value_and_the_choices(table: Scenario, action: Action, words: list[str]) -> None:
    with pytest.raises(IllegalAction) as refusal:
        SUMMER_PAVILION.rules.decide(table.state, 1, action)
    assert all(word in refusal.value.message for word in words), refusal.value.message
