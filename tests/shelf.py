"""What the shelf contract runs over: every game × variant × seat count, taken from the registry and nowhere else."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
from msgspec.structs import fields

from events.core import CHANCE, Actor, Event
from projections.core import State
from service.games.core import Action, Option, read_options
from service.games.game import Game
from service.games.shelf import GAMES
from service.play import chance


class Shape(NamedTuple):
    """One way to set a game up."""

    game: Game
    seats: int
    options: dict[str, str]

    @property
    def id(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options.items()]
        rules = self.game.key if self.game in GAMES else self.game.rules.ruleset
        return "-".join([rules, f"{self.seats}p", *changed])

    @property
    def initial(self) -> State:
        return self.game.projection.initial(self.seats, read_options(self.game.rules, self.options, self.seats))


def _shapes() -> Iterator[Shape]:
    for game in GAMES:
        for seats in game.rules.seats:
            yield Shape(game, seats, {})
            for option in game.rules.options:
                for value in _samples(option, seats):
                    if value != option.default:
                        yield Shape(game, seats, {option.name: value})
            for variant in game.variants:
                yield Shape(game, seats, dict(variant))


def _older_shapes() -> Iterator[Shape]:
    """What stays playable for ever: every older ruleset, plain at every seat count and once with a variant."""
    for game in GAMES:
        for rules in game.other_rules:
            older = replace(game, rules=rules)
            for seats in rules.seats:
                yield Shape(older, seats, {})
            for variant in game.variants[:1]:
                yield Shape(older, rules.seats[0], dict(variant))


def _samples(option: Option, seats: int) -> Iterator[str]:
    """A value for each choice of an option; a list takes the last words, and is left out where it has none."""
    for choice in option.choices:
        if choice != "<list>":
            yield choice.replace("<n>", "2")
        elif length := option.lengths[seats]:
            yield ",".join(option.words[-length:])


SHAPES = (*_shapes(), *_older_shapes())
PLAIN = tuple(shape for shape in SHAPES if not shape.options)


class Turn(NamedTuple):
    """One decision in a playout: the state before, who acted, what they did and what it led to."""

    state: State
    actor: Actor
    action: Action
    events: list[Event]


def turns(shape: Shape, seed: int, most: int = 5000) -> Iterator[Turn]:
    """A random playout, decision by decision. The state handed out is the playout's own: copy it to keep it."""
    game = shape.game
    rng = Random(seed)
    state = shape.initial
    secret = chance.secret_from_seed(seed)
    draws = 0
    for _ in range(most):
        actor: Actor
        request = game.rules.request(state)
        action: Action
        if request is not None:
            actor = CHANCE
            action = chance.answer(secret, b"", draws, request)
            draws += 1
        else:
            seats = game.projection.to_act(state)
            if not seats:
                assert game.projection.standings(state), "nobody can act, yet there is no result"
                return
            seat = rng.choice(list(seats))
            actor = seat
            action = rng.choice(list(game.rules.legal(state, seat)))
        events = game.rules.decide(state, actor, action)
        yield Turn(state, actor, action, events)
        for event in events:
            game.projection.apply[type(event)](state, event)
    raise AssertionError(f"{shape.id} with seed {seed} did not end within {most} decisions")


def any_action(game: Game, rng: Random) -> Action:
    """An action of the game with whatever values its fields can hold, mostly near the sensible ones."""
    kind = rng.choice(game.rules.actions)
    return kind(**{field.name: _any_value(field.type, rng) for field in fields(kind)})


def _any_value(kind: Any, rng: Random) -> Any:
    if kind is int:
        return rng.randint(-1, 10)
    if kind is bool:
        return rng.random() < 0.5
    if kind is str:
        return rng.choice(["", "?", "red", "left", "right"])
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return tuple(_any_value(inner, rng) for _ in range(rng.randint(0, 4)))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind(**{field.name: _any_value(field.type, rng) for field in fields(kind)})
    literal = get_args(kind)
    if literal:
        return rng.choice(literal)
    raise TypeError(f"the shelf contract does not know how to make up a {kind}")
