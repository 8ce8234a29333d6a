"""Coloretto through the ledger: reveals in the middle of a turn, and a game that chance ends."""

import pytest

from events.coloretto import BonusDrawn, GameEnded
from events.core import CHANCE
from events.match import MatchClosed
from service.errors import Refused
from service.games.coloretto import COLORETTO
from service.games.coloretto.rules import DrawCard, PlaceCard
from service.games.core import Outcome
from service.play.ledger import LocalLedger
from service.play.matches import act, deal, open_match
from service.play.players import NewPlayer
from service.play.replay import load
from service.play.undo import undo
from tests.conftest import TWO
from tests.shelf import Shape, turns

AUTO = {"finalDecisions": "auto-optimal"}


def test_a_recorded_match_that_ends_with_the_bonus_card_is_closed_by_it(ledger: LocalLedger) -> None:
    """CO-65 at a real table: the last thing said is a card."""
    players = [NewPlayer(name) for name in ("Ann", "Ben", "Cleo", "Dora")]
    live = open_match(ledger, "coloretto", 4, options=AUTO, chance_mode="recorded", players=players)
    for turn in turns(Shape(COLORETTO, 4, AUTO), 12):
        if isinstance(turn.action, Outcome):
            deal(ledger, live, turn.action)
        else:
            assert isinstance(turn.actor, int)
            act(ledger, live, turn.actor, turn.action)
    last = live.step_entries(live.head.step)
    assert last[0].actor == CHANCE
    assert isinstance(last[0].event, BonusDrawn)
    assert isinstance(last[-2].event, GameEnded)
    assert isinstance(last[-1].event, MatchClosed)
    assert last[-1].event.standings == last[-2].event.standings
    assert load(ledger, live.id).table.status == "closed"


def test_co_81_to_83_a_draw_stays_and_a_placement_goes_back(ledger: LocalLedger) -> None:
    live = open_match(ledger, "coloretto", 2, options={"firstPlayer": "seat:1"}, players=TWO)
    act(ledger, live, 1, DrawCard())
    drawn = live.table.state.drawn
    with pytest.raises(Refused) as refusal:
        undo(ledger, live, 1)
    assert refusal.value.code == "undo/revealed"
    act(ledger, live, 1, PlaceCard(2))
    undo(ledger, live, 1)
    assert (live.table.state.phase, live.table.state.drawn, live.table.state.turn) == ("place", drawn, 1)
    act(ledger, live, 1, PlaceCard(3))
    assert live.table.state.rows[2] == [drawn]
