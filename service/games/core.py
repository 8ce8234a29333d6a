"""What a game's rules are: one record of pure functions, the same fields for every game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from events.core import Actor, Event, Seat, Standing
from projections.core import State
from projections.words import count
from service.errors import IllegalAction, UsageError, unknown


class Action(Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """What a seat asks to do. Subclasses are the imperative of the event that records them."""


class Stage(NamedTuple):
    """Part of a request: pour `adds` (pieces by kind) into the pool, then draw `draws` pieces from it.

    Three dice are `Stage((1, 1, 1, 1, 1, 1), 3, replaced=True)`: a piece for each face, put back before the next draw.
    """

    adds: tuple[int, ...]
    draws: int
    replaced: bool = False
    """Whether every piece goes back into the pool as soon as it is drawn."""


class Request(NamedTuple):
    """What chance is asked for: pieces drawn from one pool that is filled in stages."""

    purpose: str
    stages: tuple[Stage, ...]


class Outcome(Action, frozen=True, gc=False, tag="chance.outcome"):
    """The answer of chance: the kinds drawn, one after the other, through all stages."""

    drawn: tuple[int, ...]


class Option(NamedTuple):
    """Something a table may agree on before the match."""

    name: str
    default: str
    choices: tuple[str, ...]
    """The words it takes; `<n>` stands for a positive whole number, `<list>` for some of `words`, commas between."""
    help: str
    words: tuple[str, ...] = ()
    lengths: Mapping[int, int] = MappingProxyType({})
    """How many words a `<list>` has at a table of so many seats; 0 where it makes no sense."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What may happen in one game."""

    ruleset: str
    """The pinned version, such as `azul/1`; a fix that changes any outcome gets a new number."""
    seats: range
    options: tuple[Option, ...]
    actions: tuple[type[Action], ...]
    legal: Callable[[State, Seat], Sequence[Action]]
    """Every action the seat may take now, and nothing else."""
    request: Callable[[State], Request | None]
    """What chance owes the table now, if anything."""
    decide: Callable[[State, Actor, Action], list[Event]]
    """The events an action leads to, with all that follows without a choice. Raises IllegalAction and nothing else."""
    rank: Callable[[State], tuple[Standing, ...]]
    """The standings if the match stopped now, tie-breaks of the game included."""
    areas: tuple[str, ...] = ()
    """The areas of the refusal codes where a variant keeps those of the rules it stands on; else the game's key."""


def read_options(rules: Rules, given: Mapping[str, str], seats: int) -> dict[str, str]:
    """Every option with its value, the given ones checked. Raises UsageError quoting the value and the choices."""
    if seats not in rules.seats:
        raise UsageError(
            "match/seats", f"{seats} seats is not possible here; choose from: {', '.join(map(str, rules.seats))}."
        )
    names = [option.name for option in rules.options]
    for name in given:
        if name not in names:
            raise unknown("match/option", "an option of this game", name, names)
    values = {}
    for option in rules.options:
        value = _read_value(option, str(given.get(option.name, option.default)), seats)
        if value.startswith("seat:") and int(value.removeprefix("seat:")) > seats:
            raise UsageError("match/option-value", f"{option.name}={value!r} names a seat beyond the {seats} seats.")
        values[option.name] = value
    return values


def _read_value(option: Option, value: str, seats: int) -> str:
    plain = [choice for choice in option.choices if choice != "<list>"]
    if any(_fits(value, choice) for choice in plain):
        return value
    wanted = option.lengths.get(seats, 0)
    words = {word.strip().lower() for word in value.split(",")}
    if wanted and len(words) == wanted == value.count(",") + 1 and words <= set(option.words):
        return ",".join(word for word in option.words if word in words)  # one way to write it, whatever the order given
    if wanted:
        plain.append(f"{wanted} different of {'/'.join(option.words)}, separated by commas")
    where = f" at {seats} seats" if option.words else ""
    raise UsageError(
        "match/option-value", f"{value!r} is not a value of {option.name}{where}; choose from: {', '.join(plain)}."
    )


def _fits(value: str, choice: str) -> bool:
    if not choice.endswith("<n>"):
        return value == choice
    prefix = choice.removesuffix("<n>")
    number = value.removeprefix(prefix)
    return value.startswith(prefix) and number.isascii() and number.isdigit() and number[0] != "0" and len(number) < 4


def ranked(scores: Sequence[int], tiebreaks: Sequence[int]) -> tuple[Standing, ...]:
    """Standings, best first, seats equal in both numbers sharing a rank."""
    keys = {seat: (score, tiebreaks[seat - 1]) for seat, score in enumerate(scores, start=1)}
    order = sorted(keys, key=lambda seat: (-keys[seat][0], -keys[seat][1], seat))
    return tuple(
        Standing(
            seat=seat,
            rank=1 + sum(other > keys[seat] for other in keys.values()),
            score=keys[seat][0],
            tiebreak=keys[seat][1],
        )
        for seat in order
    )


def check_drawn(request: Request | None, outcome: Outcome, code: str, rule: str, kinds: Sequence[str]) -> None:
    """Refuse an outcome that the pool of the request, or its dice, could not have given."""
    if request is None:
        raise IllegalAction(f"{code}-unasked", rule, "Nothing is to be drawn now.")
    wanted = sum(stage.draws for stage in request.stages)
    noun = "result" if any(stage.replaced for stage in request.stages) else "piece"
    if len(outcome.drawn) != wanted:
        message = f"The {request.purpose} has {count(wanted, noun)}, not {len(outcome.drawn)}."
        raise IllegalAction(f"{code}-count", rule, message)
    pool = [0] * len(kinds)
    position = 0
    for stage in request.stages:
        for kind, number in enumerate(stage.adds):
            pool[kind] += number
        for kind in outcome.drawn[position : position + stage.draws]:
            place = f"{noun.capitalize()} {position + 1} of the" if wanted > 1 else "The"
            if not 0 <= kind < len(kinds):
                message = f"{place} {request.purpose} cannot be {kind + 1}; choose from: {', '.join(kinds)}."
                raise IllegalAction(f"{code}-pool", rule, message)
            if pool[kind] == 0:
                missing = "there is none" if stage.replaced else "none is left"
                message = f"{place} {request.purpose} cannot be {kinds[kind]}: {missing}."
                raise IllegalAction(f"{code}-pool", rule, message)
            pool[kind] -= not stage.replaced
            position += 1


def describe(action: Any) -> str:
    """An action in words good enough for an error message."""
    return f"{type(action).__name__}"
