"""The contract of the games is worth its time: a game with a mistake planted in it does not pass.

Each mistake was made once by somebody who added a game, and nothing but a bystander's test noticed.
"""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from events.core import Event, Seat, Standing
from service.errors import IllegalAction
from service.games.core import Action, ranked
from service.games.game import Game
from service.games.refusals import decide_by
from tests import test_shelf as contract
from tests.nettles import NETTLES, bot, rules
from tests.nettles.events import PetalPaid
from tests.nettles.projection.state import State, to_act
from tests.nettles.rules import PayPetal, PickNettle
from tests.shelf import Shape

Check = Callable[[Shape], None]


def _with(**changes: object) -> Game:
    """Nettles with some of its rules replaced."""
    return replace(NETTLES, rules=replace(NETTLES.rules, **changes))


def _rank_by_worth(state: State) -> tuple[Standing, ...]:
    """By what everybody would score, although nothing is scored before the end."""
    return ranked([int(points) for points in bot.worth(state)], state.petals)


def _rank_last_first(state: State) -> Sequence[Standing]:
    """As if the fewest points won."""
    return ranked([-score for score in state.scores], state.petals)


def _pay_with_nothing(state: State, seat: Seat, action: PayPetal) -> list[Event]:
    return [PetalPaid(seat=seat, next=seat % state.seats + 1)]


def _legal_with_nothing(state: State, seat: Seat) -> list[Action]:
    return [PayPetal(), PickNettle()] if seat in to_act(state) else []


_DECIDE_UNCHECKED = decide_by(
    rules.REFUSALS,
    to_act,
    {PayPetal: _pay_with_nothing, PickNettle: rules._decide_pick},
    rules._decide_turned,
)
_PLAYED: Check = contract.test_playouts_end_and_keep_invariants_points_and_counts
_LEGAL: Check = contract.test_legal_is_exactly_what_decide_accepts


@pytest.mark.parametrize(
    "game, check, message",
    [
        pytest.param(_with(rank=_rank_by_worth), _PLAYED, "`rank` has other scores", id="rank by another score"),
        pytest.param(_with(rank=_rank_last_first), _PLAYED, "`rank` has other scores", id="rank by the fewest points"),
        pytest.param(
            _with(decide=_DECIDE_UNCHECKED, legal=_legal_with_nothing), _PLAYED, "petals: -1", id="a purse below 0"
        ),
        pytest.param(
            _with(decide=_DECIDE_UNCHECKED), _LEGAL, r"PayPetal\(\) by seat \d: None", id="no check in decide"
        ),
        pytest.param(_with(legal=_legal_with_nothing), _LEGAL, "has no petal left", id="no check in legal"),
    ],
)
def test_the_contract_catches_it(game: Game, check: Check, message: str) -> None:
    with pytest.raises((AssertionError, IllegalAction), match=message):
        check(Shape(game, 3, {}))


def test_the_game_itself_keeps_it() -> None:
    for check in (_PLAYED, _LEGAL):
        check(Shape(NETTLES, 3, {}))
