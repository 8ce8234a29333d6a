"""Tests as values: given a state, when somebody acts, then these events, or a refusal with its code and rule."""

from collections.abc import Callable
from typing import Any, Self

import pytest

from events.core import Actor, Event
from projections.core import State
from service.errors import IllegalAction
from service.games.core import Action
from service.games.game import Game
from service.games.options import read_options


class Happened:
    """What an action led to."""

    def __init__(self, scenario: "Scenario", events: list[Event]) -> None:
        self._scenario = scenario
        self.events = events

    def then(self, *expected: Event) -> "Scenario":
        """Exactly these events; answers with the scenario after them."""
        assert tuple(self.events) == expected
        return self.after

    def only(self, kind: type[Event]) -> list[Any]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def after(self) -> "Scenario":
        """The scenario with the events applied."""
        return self._scenario.applied(*self.events)


class Scenario:
    """A game in some state. Nothing done to a scenario changes it; every step answers with another one."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state

    def with_(self, change: Callable[[State], None]) -> Self:
        """The same with something about the state arranged."""
        state = self.game.projection.copy(self.state)
        change(state)
        return type(self)(self.game, state)

    def applied(self, *events: Event) -> "Scenario":
        """The same after these events."""
        state = self.game.projection.copy(self.state)
        for event in events:
            self.game.projection.apply[type(event)](state, event)
        return Scenario(self.game, state)

    def when(self, actor: Actor, action: Action) -> Happened:
        """Somebody acts, and the rules allow it."""
        before = self.game.projection.copy(self.state)
        events = self.game.rules.decide(self.state, actor, action)
        assert self.state == before, "deciding changed the state"
        return Happened(self, events)

    def refuses(self, actor: Actor, action: Action, code: str, rule: str) -> Self:
        """Somebody acts, and the rules refuse it with this code and rule, leaving the state as it was."""
        before = self.game.projection.copy(self.state)
        with pytest.raises(IllegalAction) as refusal:
            self.game.rules.decide(self.state, actor, action)
        assert (refusal.value.code, refusal.value.rule) == (code, rule), refusal.value.message
        assert self.state == before, "a refusal changed the state"
        return self


def given(game: Game, seats: int = 2, **options: str) -> Scenario:
    """A game before its first event."""
    return Scenario(game, game.projection.initial(seats, read_options(game.rules, options, seats)))
