"""The contract every game keeps with its words: what may be done is offered in the imperative, what was done is told in
the past tense."""

import re

import pytest

from projections.story import imperative, sentence
from service.games.first_player import ChooseStart
from service.games.game import Game
from tests.shelf import PLAIN, VARIANTS, Shape, each_game, names, turns

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

VERBS = {
    "Choose",
    "Close",
    "Count",
    "Draw",
    "End",
    "Enter",
    "Keep",
    "Let",
    "Make",
    "Pass",
    "Pay",
    "Place",
    "Take",
    "Throw",
}
"""What the moves of all games begin with. A game with another verb adds it here, in the imperative."""


@pytest.mark.parametrize("shape", [*PLAIN, *VARIANTS], ids=lambda shape: shape.id)
def test_every_legal_action_is_offered_in_the_imperative(shape: Shape) -> None:
    game, people = shape.game, names(shape.seats)
    for number, turn in enumerate(turns(shape, 24)):
        seats = [] if number % 5 or game.rules.request(turn.state) else game.projection.to_act(turn.state)
        for seat in seats:
            for action in game.rules.legal(turn.state, seat):
                event = game.rules.decide(turn.state, seat, action)[0]
                words, story = (tell(game.projection, event, people) for tell in (imperative, sentence))
                verb = words.split()[0]
                assert verb in VERBS, f"“{words}” begins with {verb!r}; if that is an imperative, add it to VERBS"
                assert not words.endswith("."), f"“{words}” is a choice in a list, and ends with a full stop"
                assert people[seat] not in words or isinstance(action, ChooseStart), f"“{words}” names who chooses"
                past = re.findall(rf"{people[seat]} (\w+)", story)
                assert not set(past) & set(words.split()), f"“{words}” is told like “{story}”"


@each_game
def test_an_imperative_has_a_story_too(game: Game) -> None:
    assert set(game.projection.imperatives) <= set(game.projection.story)
