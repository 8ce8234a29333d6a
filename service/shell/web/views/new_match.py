"""The form that opens a match: all it knows stands in its address, and a choice others depend on writes it anew."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from events.core import Seat
from service.bots.kinds import in_words, kind_of, offered
from service.games.game import Game
from service.games.options import Choice, Number, Option, Several
from service.play.matches import CHANCE_MODES, UNDO_POLICIES
from service.play.players import LONE, LONGEST_NAME

ME: Final = "me"
INVITED: Final = "invite"
GREEDY: Final = "greedy"
BOT_NAMES: Final = ("Ada", "Bruno", "Cora", "Dino", "Elsa", "Franz", "Greta")
MOST_LISTED: Final = 40
"""Values of an option that are listed; of more, one is typed."""

_UNDO: Final = {
    "strict": "You may take back your last move until somebody else has acted, and nothing that showed something new.",
    "consent": "You may ask to take back any move; it is undone when everybody else agrees.",
    "free": "Anybody at the table may take back any move, at any time.",
}
_CHANCE: Final = {
    "fair": "Draws follow from a secret nobody can steer; it is shown at the end, so that everybody can check them.",
    "seeded": "Draws follow from a number: the same number gives the same draws, and whoever knows it knows them all.",
    "recorded": "You have the real pieces at hand and enter what was drawn.",
}
Choices = Sequence[tuple[str, str]]
"""What a list offers, as values and words."""


class Sitter(NamedTuple):
    """Who sits on a seat, and as what."""

    seat: Seat
    kind: str
    is_invited: bool
    is_me: bool
    """Whether the browser knows the name."""
    name: str
    label: str
    placeholder: str
    summary: str
    """How a bot plays; empty for people."""


class OptionField(NamedTuple):
    """An option with what it may be at a table of so many seats."""

    name: str
    label: str
    help: str
    value: str
    listed: Choices
    """Empty where a value is typed."""
    hint: str


class NewMatchView(NamedTuple):
    """Everything a table agrees on before a match, with what is given already."""

    game: Game
    address: str
    seats: int
    kinds: Choices
    sitters: Sequence[Sitter]
    options: Sequence[OptionField]
    has_unusual: bool
    """Whether an option is not as usual."""
    undo: str
    undo_words: Mapping[str, str]
    chance: str
    chance_words: Mapping[str, str]
    seed: str
    ticked: Mapping[str, str]
    longest_name: int


def against_a_bot(game: Game) -> dict[str, str]:
    """The fields of the quickest match: oneself, and bots on all other seats of the smallest table that has any."""
    seats = min(max(2, game.rules.seats[0]), game.rules.seats[-1])
    fields = {"game": game.key, "seats": str(seats), "seat1": ME}
    for seat, name in zip(range(2, seats + 1), BOT_NAMES, strict=False):
        fields |= {f"seat{seat}": GREEDY, f"name{seat}": name}
    return fields


def new_match_view(game: Game, given: Mapping[str, str]) -> NewMatchView:
    """The form of a game."""
    seats = _seats(game, given)
    chance, undo = given.get("chance", ""), given.get("undo", "")
    options = game.rules.options
    return NewMatchView(
        game,
        "/pads" if game.pad_of else "/new",
        seats,
        list(_kinds().items()),
        [_sitter(game, seat, given) for seat in range(1, seats + 1)],
        [field for option in options if (field := _option(option, seats, given)) is not None],
        any(given.get(f"o.{option.name}", option.default) != option.default for option in options),
        undo if undo in UNDO_POLICIES else UNDO_POLICIES[0],
        {policy: _UNDO[policy] for policy in UNDO_POLICIES},
        chance if chance in CHANCE_MODES else CHANCE_MODES[0],
        {mode: _CHANCE[mode] for mode in CHANCE_MODES},
        given.get("seed", ""),
        given,
        LONGEST_NAME,
    )


# ------------------------------------------------------------------------------------------------------ who sits where


def _seats(game: Game, given: Mapping[str, str]) -> int:
    word = given.get("seats", "")
    wanted = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else int(against_a_bot(game)["seats"])
    return wanted if wanted in game.rules.seats else int(against_a_bot(game)["seats"])


def _kinds() -> dict[str, str]:
    return {ME: "me", INVITED: "somebody I invite", **{name: f"a bot: {in_words(name)}" for name in offered()}}


def _usual(game: Game, seat: int) -> str:
    return ME if seat == 1 or game.pad_of else GREEDY


def _sitter(game: Game, seat: Seat, given: Mapping[str, str]) -> Sitter:
    programs = offered()
    kind = given.get(f"seat{seat}", "")
    kind = kind if kind in _kinds() and not game.pad_of else _usual(game, seat)
    bots = [number for number in range(1, seat + 1) if given.get(f"seat{number}", _usual(game, number)) in programs]
    usual = BOT_NAMES[(len(bots) - 1) % len(BOT_NAMES)] if kind in programs else ""
    name = given.get(f"name{seat}", "") or usual
    # The name one goes by is known to the browser; a bot that takes over a seat has a name of its own.
    name = usual if (kind in programs) != (name in BOT_NAMES) else name
    return Sitter(
        seat,
        kind,
        kind == INVITED,
        kind == ME and not game.pad_of,
        name,
        f"Player {seat}" if game.pad_of else "Name",
        f"{LONE} {seat}" if game.pad_of else LONE,
        kind_of(kind).summary if kind in programs else "",
    )


# --------------------------------------------------------------------------------------------------------- the options


def _option(option: Option, seats: int, given: Mapping[str, str]) -> OptionField | None:
    """The field of an option; None where there is nothing to choose."""
    offered = option.at(seats)
    if len(offered) == 1 and isinstance(offered[0], str):
        return None
    name, value = f"o.{option.name}", given.get(f"o.{option.name}", option.default)
    label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", option.name).capitalize()
    values = list(_values(offered))
    if len(values) > MOST_LISTED:
        hint = " or ".join(choice if isinstance(choice, str) else choice.in_full for choice in offered)
        return OptionField(name, label, option.help, value, (), hint)
    words = [(known, {"true": "yes", "false": "no"}.get(known, known.replace(",", ", "))) for known in values]
    return OptionField(name, label, option.help, value if value in values else option.default, words, "")


def _values(offered: Sequence[Choice]) -> Iterator[str]:
    for choice in offered:
        match choice:
            case str():
                yield choice
            case Number():
                yield from (f"{choice.prefix}{number}" for number in range(1, choice.most + 1))
            case Several():
                yield from (",".join(words) for words in combinations(choice.words, choice.number))
