"""What the contract of the games runs over: every game × variant × seat count, taken from the game's own record."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from inspect import getfile
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin
from zlib import crc32

import msgspec
import pytest
from msgspec.structs import fields, replace

from events.core import CHANCE, Actor, Event, Seat
from projections.core import Names, State
from service.bots.core import Bot
from service.bots.simple import greedy_bot, random_bot
from service.errors import UsageError
from service.games.core import Action, Outcome, Request
from service.games.game import Game
from service.games.options import Number, Option, Several, read_options
from service.games.shelf import GAMES
from service.play import chance
from service.play.bots import PATIENCE
from service.play.players import NewPlayer
from tests.nettles import NETTLES
from tests.pebbles import PEBBLES

EXAMPLES: Final = (PEBBLES, NETTLES)
"""The games of docs/adding-a-game.md: dice with options, and cards without any. Both need three seats."""
EVERY_GAME: Final = (*GAMES, *EXAMPLES)
"""Who keeps the contract: the shelf, and the examples, so that the guide stays true.

A module that runs over it is marked `examples_on_the_shelf` (see conftest), because the examples are not.
"""
each_game: Final = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)

_NAMES: Final = ("Ann", "Ben", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal")


def players(seats: int) -> tuple[NewPlayer, ...]:
    """People for a table of so many."""
    return tuple(NewPlayer(name) for name in _NAMES[:seats])


def people(game: Game, wanted: int = 0) -> list[str]:
    """The names of people for a table of this game: as many as are wanted, or as near to it as the game allows."""
    seats = game.rules.seats
    return list(_NAMES[: min(max(wanted, seats[0]), seats[-1])])


def names(seats: int) -> Names:
    """What the people at a table of so many are called."""
    return Names({seat: player.name for seat, player in enumerate(players(seats), start=1)})


LONG_NAMES: Final = Names(
    {seat: f"{name} of a long name with wide letters 山田" for seat, name in enumerate(_NAMES, start=1)}
)
"""What people may call themselves, to the distress of every table."""


class Shape(NamedTuple):
    """One way to set a game up."""

    game: Game
    seats: int
    options: dict[str, str]

    @property
    def id(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options.items()]
        rules = self.game.key if self.game in EVERY_GAME else self.game.rules.ruleset
        return "-".join([rules, f"{self.seats}p", *changed])

    @property
    def initial(self) -> State:
        return self.game.projection.initial(self.seats, read_options(self.game.rules, self.options, self.seats))


def shapes_of(game: Game) -> Iterator[Shape]:
    """Every table there is: plain, with one option changed at a time, and every variant where it is possible."""
    for seats in game.rules.seats:
        yield Shape(game, seats, {})
        for option in game.rules.options:
            for value in _samples(option, seats):
                if value != option.default:
                    yield Shape(game, seats, {option.name: value})
        for variant in game.variants:
            with suppress(UsageError):  # some choices are for some tables only
                read_options(game.rules, variant, seats)
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
    """A value for each choice an option has at a table of so many seats."""
    for choice in option.at(seats):
        if isinstance(choice, Number):
            yield f"{choice.prefix}{min(2, choice.most)}"  # 1 is too often what happens anyway
        elif isinstance(choice, Several):
            yield ",".join(choice.words[-choice.number :])
        else:
            yield choice


SHAPES: Final = (*(shape for game in EVERY_GAME for shape in shapes_of(game)), *_older_shapes())
PLAIN: Final = tuple(shape for shape in SHAPES if not shape.options)
SMALLEST: Final = tuple(Shape(game, game.rules.seats[0], {}) for game in EVERY_GAME)
LARGEST: Final = tuple(Shape(game, game.rules.seats[-1], {}) for game in EVERY_GAME)
VARIANTS: Final = tuple(
    shape
    for game in EVERY_GAME
    for variant in game.variants
    for shape in [shape for shape in SHAPES if shape.game is game and shape.options == variant][:1]
)
"""Every variant at the smallest table that has it."""
_LOOKED_AT_OFTEN: Final = frozenset(shape.id for shape in (*PLAIN, *VARIANTS))


def is_looked_at(shape: Shape, number: int, every: int) -> bool:
    """Whether a costly check looks at the state with this number in a playout.

    In plain tables and in every variant it looks at one state in so many. In the others it looks at a third of those,
    and begins elsewhere in each of them: together the tables that share an option are looked at everywhere.
    """
    if shape.id in _LOOKED_AT_OFTEN:
        return number % every == 0
    return number % (3 * every) == crc32(shape.id.encode()) % (3 * every)


each_shape: Final = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.id)


def sources(game: Game) -> list[Path]:
    """The files a game is written in: its events, and everything in the folders of its projection and its rules."""
    folders = [Path(getfile(function)).parent for function in (game.projection.initial, game.path)]
    return [Path(getfile(game.events[0])), *(path for folder in folders for path in sorted(folder.glob("*.py")))]


class Turn(NamedTuple):
    """One decision in a playout: the state before, who acted, what they did and what it led to."""

    state: State
    actor: Actor
    action: Action
    events: list[Event]


def _insist(kind: type[Action], game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """A bot that takes one kind of action wherever that is legal, nine times in ten.

    Random and greedy players seldom pay until they have nothing left; this one does.
    """
    legal = list(game.rules.legal(state, seat))
    wanted = [action for action in legal if type(action) is kind]
    return rng.choice(wanted if wanted and rng.random() < 0.9 else legal)


def _any_legal(game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """A bot that chooses among all legal actions. Tests name seeds with which it comes by what is rare."""
    return rng.choice(list(game.rules.legal(state, seat)))


RANDOM: Final[tuple[Bot, ...]] = (_any_legal,)
GREEDY: Final[tuple[Bot, ...]] = (greedy_bot,)
MIXED: Final[tuple[Bot, ...]] = (greedy_bot, random_bot)


def insistent(shape: Shape) -> list[tuple[Bot, ...]]:
    """For every kind of action bots that insist on it; at the smallest table of a game, which is enough of them."""
    is_smallest = not shape.options and shape.seats == shape.game.rules.seats[0]
    return [(partial(_insist, kind),) for kind in shape.game.rules.actions] if is_smallest else []


def turns(shape: Shape, seed: int, bots: Sequence[Bot] = RANDOM) -> Iterator[Turn]:
    """A playout, decision by decision. The state handed out is the playout's own: copy it to keep it.

    Bots sit down in the order of the seats, again from the first where there are more seats. The match must end before
    bots would give it up: a game in which random play gets nowhere cannot be simulated.
    """
    game = shape.game
    rng = Random(seed)
    state = shape.initial
    secret = chance.secret_from_seed(seed)
    draws = actions = 0
    while actions < PATIENCE:
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
            action = bots[(seat - 1) % len(bots)](game, state, seat, rng)
            actions += 1
        events = game.rules.decide(state, actor, action)
        yield Turn(state, actor, action, events)
        for event in events:
            game.projection.apply[type(event)](state, event)
    raise AssertionError(f"{shape.id} with seed {seed} did not end within {PATIENCE} actions")


# ---------------------------------------------------------------------------------------- what holds of every state


def check_standings(game: Game, state: State) -> None:
    """`rank` goes by the scores, then by a tie-break; and the result of a match is what `rank` says at its end."""
    scores = game.projection.scores(state)
    places = list(game.rules.rank(state))
    assert sorted(place.seat for place in places) == list(range(1, len(scores) + 1)), "everybody has one place"
    assert [place.score for place in places] == [scores[place.seat - 1] for place in places], "`rank` has other scores"
    worth = [(place.score, place.tiebreak) for place in places]
    assert worth == sorted(worth, reverse=True), "the best is not first"
    assert [place.rank for place in places] == [1 + sum(other > one for other in worth) for one in worth]
    assert list(game.projection.standings(state)) in ([], places), "the result is not what `rank` says"


_NEGATIVE: Final = re.compile(rb"[:,\[]-\d")


def check_counts(game: Game, state: State) -> None:
    """No number that people see is below 0, except those the projection calls `signed`; nor is anything in a pool."""
    view = game.projection.view(state)
    # Looked for in the text first, because few tables have such a number anywhere.
    below = list(_below_zero(view, game.projection.signed)) if _NEGATIVE.search(msgspec.json.encode(view)) else []
    assert not below, f"in the view below 0: {', '.join(below)}"
    request = game.rules.request(state)
    assert request is None or min(count for stage in request.stages for count in stage.adds) >= 0, request


def _below_zero(value: Any, signed: Sequence[str], name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _below_zero(inner, signed, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _below_zero(inner, signed, name)
    elif isinstance(value, int | float) and value < 0 and name not in signed:
        yield f"{name}: {value}"


# ------------------------------------------------------------------------------------------------- made up at random


def any_action(game: Game, rng: Random) -> Action:
    """An action of the game with whatever values its fields can hold, mostly near the sensible ones."""
    kind = rng.choice(game.rules.actions)
    return kind(**{name: _any_value(value, rng) for name, value in _fields_of(kind)})


@cache
def _fields_of(kind: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """Kept, because to ask for them takes longer than to decide most actions."""
    return [(field.name, field.type) for field in fields(kind)]


def _any_value(kind: Any, rng: Random) -> Any:
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]  # bounds are the decoder's: an action made in Python may have any number
    if kind is int:
        return rng.randint(-1, 10)  # places and numbers of things are counted from 0 or 1, few of them beyond 9
    if kind is bool:
        return rng.random() < 0.5
    if kind is str:
        return rng.choice(["", "?", "a word"])
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return tuple(_any_value(inner, rng) for _ in range(rng.randint(0, 4)))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind(**{name: _any_value(value, rng) for name, value in _fields_of(kind)})
    literal = get_args(kind)
    if literal:
        return rng.choice(literal)
    raise TypeError(f"the contract does not know how to make up a {kind}")


def any_outcome(wanted: Request | None, rng: Random) -> Outcome:
    """An answer of chance that is possible or nearly so: with a piece too many, too few, or another one."""
    drawn = list(chance.answer(rng.randbytes(32), b"", 0, wanted).drawn) if wanted is not None else []
    kinds = len(wanted.stages[0].adds) if wanted is not None else 1
    change, place, stranger = rng.randrange(4), rng.randint(0, len(drawn)), rng.randint(-1, kinds)
    if change == 1:
        drawn.insert(place, stranger)
    elif change == 2:
        drawn[place:] = drawn[place + 1 :]
    elif change == 3 and place < len(drawn):
        drawn[place] = stranger
    return Outcome(tuple(drawn))
