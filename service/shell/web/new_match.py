"""The form that opens a match: all it knows stands in its address, and a choice others depend on writes it anew."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from service.bots.kinds import in_words, kind_of, offered
from service.games.game import Game
from service.games.options import Choice, Number, Option, Several
from service.play.matches import CHANCE_MODES, UNDO_POLICIES
from service.play.players import LONE, LONGEST_NAME
from service.shell.page.escape import escape
from service.shell.web.rules import with_rule_links

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


def against_a_bot(game: Game) -> dict[str, str]:
    """The fields of the quickest match: oneself, and bots on all other seats of the smallest table that has any."""
    seats = min(max(2, game.rules.seats[0]), game.rules.seats[-1])
    fields = {"game": game.key, "seats": str(seats), "seat1": ME}
    for seat, name in zip(range(2, seats + 1), BOT_NAMES, strict=False):
        fields |= {f"seat{seat}": GREEDY, f"name{seat}": name}
    return fields


def hidden(fields: Mapping[str, str]) -> str:
    """Fields that nobody fills in."""
    return "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in fields.items()
    )


def opening_page(game: Game, given: Mapping[str, str]) -> str:
    """Everything a table agrees on before a match, with what is given already."""
    seats = _seats(game, given)
    is_pad = bool(game.pad_of)
    others = _agreed(given) if not is_pad else hidden({"chance": "recorded", "undo": "free"})
    return (
        f'<form class="opening" data-opening action="{"/pads" if is_pad else "/new"}">'
        f"<h1>{escape(game.title)}</h1>"
        f'<p class="quiet"><a href="/rules/{escape(game.key)}">Rules</a> · '
        f'<a href="{"/pads" if is_pad else "/new"}">another {"pad" if is_pad else "game"}</a></p>'
        f"{hidden({'game': game.key})}{_table(game, seats, given)}{_options(game, seats, given)}{others}"
        f"<fieldset><legend>Who may look, and who may rule</legend>"
        f"{_tick('private', 'Private', 'only those who have one of its links see it; it is in no list', given)}"
        f"{_tick('house', 'With an arbiter', 'whoever has the arbiter’s link may rule on disputes', given)}</fieldset>"
        "<noscript><p class=problem>This takes script: the token that makes a seat yours is kept by your browser.</p>"
        f'</noscript><p><button class="main">{"Start the pad" if is_pad else "Start the match"}</button></p></form>'
    )


def invitation_page(match: str) -> str:
    """Where the module shows the links of a match that was opened just now."""
    return (
        f'<section id="invitation" data-match="{escape(match)}"><h1>Your match is open</h1>'
        "<p>Send each player one of these links. Whoever opens it first and sits down has the seat.</p>"
        '<ul class="invitations"></ul>'
        f'<p><a class="button main" href="/matches/{escape(match)}">Go to the table</a></p></section>'
    )


# ------------------------------------------------------------------------------------------------------ who sits where


def _seats(game: Game, given: Mapping[str, str]) -> int:
    word = given.get("seats", "")
    wanted = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else int(against_a_bot(game)["seats"])
    return wanted if wanted in game.rules.seats else int(against_a_bot(game)["seats"])


def _usual(game: Game, seat: int) -> str:
    return ME if seat == 1 or game.pad_of else GREEDY


def _table(game: Game, seats: int, given: Mapping[str, str]) -> str:
    numbers = choices([(str(number), str(number)) for number in game.rules.seats], str(seats))
    rows = "".join(_seat(game, seat, given) for seat in range(1, seats + 1))
    return (
        "<fieldset><legend>Who plays</legend><div class=field><label>Seats "
        f'<select name="seats" data-anew>{numbers}</select></label></div>{rows}</fieldset>'
    )


def _seat(game: Game, seat: int, given: Mapping[str, str]) -> str:
    programs = offered()
    kinds = {ME: "me", INVITED: "somebody I invite", **{name: f"a bot: {in_words(name)}" for name in programs}}
    kind = given.get(f"seat{seat}", "")
    kind = kind if kind in kinds and not game.pad_of else _usual(game, seat)
    if game.pad_of:
        chosen = hidden({f"seat{seat}": ME})
    else:
        listed = choices(list(kinds.items()), kind)
        chosen = f'<label>Seat {seat} <select name="seat{seat}" data-anew>{listed}</select></label>'
    if kind == INVITED:
        return f'<div class="field sitter">{chosen}<p class="quiet">gets a link, and says who it is</p></div>'
    bots = [number for number in range(1, seat + 1) if given.get(f"seat{number}", _usual(game, number)) in programs]
    usual = BOT_NAMES[(len(bots) - 1) % len(BOT_NAMES)] if kind in programs else ""
    name = given.get(f"name{seat}", "") or usual
    # The name one goes by is known to the browser; a bot that takes over a seat has a name of its own.
    name = usual if (kind in programs) != (name in BOT_NAMES) else name
    mine = " data-me" if kind == ME and not game.pad_of else ""
    holder = f"{LONE} {seat}" if game.pad_of else LONE
    field = (
        f'<label>{f"Player {seat}" if game.pad_of else "Name"} <input name="name{seat}" value="{escape(name)}"'
        f' maxlength="{LONGEST_NAME}" placeholder="{holder}" autocomplete="off"{mine}></label>'
    )
    help_ = f'<p class="quiet">{escape(kind_of(kind).summary)}</p>' if kind in programs else ""
    return f'<div class="field sitter">{chosen}{field}{help_}</div>'


def choices(offered: Sequence[tuple[str, str]], chosen: str) -> str:
    """What a list offers, as values and words."""
    return "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(words)}</option>'
        for value, words in offered
    )


# --------------------------------------------------------------------------------------------------------- the options


def _options(game: Game, seats: int, given: Mapping[str, str]) -> str:
    fields = [field for option in game.rules.options if (field := _option(option, seats, given))]
    if not fields:
        return ""
    is_open = any(given.get(f"o.{option.name}", option.default) != option.default for option in game.rules.options)
    return (
        f"<details{' open' if is_open else ''}><summary>Options of the game <span class=quiet>(all as usual unless you"
        f" change them)</span></summary>{''.join(fields)}</details>"
    )


def _option(option: Option, seats: int, given: Mapping[str, str]) -> str:
    """An option with what it may be at a table of so many seats; nothing where there is nothing to choose."""
    offered = option.at(seats)
    if len(offered) == 1 and isinstance(offered[0], str):
        return ""
    name, value = f"o.{option.name}", given.get(f"o.{option.name}", option.default)
    values = list(_values(offered))
    if len(values) <= MOST_LISTED:
        value = value if value in values else option.default
        words = [(known, {"true": "yes", "false": "no"}.get(known, known.replace(",", ", "))) for known in values]
        field = f'<select name="{escape(name)}">{choices(words, value)}</select>'
        hint = ""
    else:
        field = f'<input name="{escape(name)}" value="{escape(value)}" maxlength="200" autocomplete="off">'
        hint = " or ".join(choice if isinstance(choice, str) else choice.in_full for choice in offered)
        hint = f'<p class="quiet">{escape(hint)}</p>'
    label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", option.name).capitalize()
    return (
        f'<div class="field"><label>{escape(label)} {field}</label>'
        f'<p class="quiet">{with_rule_links(option.help)}</p>{hint}</div>'
    )


def _values(offered: Sequence[Choice]) -> Iterator[str]:
    for choice in offered:
        match choice:
            case str():
                yield choice
            case Number():
                yield from (f"{choice.prefix}{number}" for number in range(1, choice.most + 1))
            case Several():
                yield from (",".join(words) for words in combinations(choice.words, choice.number))


# ------------------------------------------------------------------------------------------------- what else is agreed


def _agreed(given: Mapping[str, str]) -> str:
    chance = given.get("chance", "")
    chance = chance if chance in CHANCE_MODES else CHANCE_MODES[0]
    undo = given.get("undo", "")
    undo = undo if undo in UNDO_POLICIES else UNDO_POLICIES[0]
    seed = (
        '<div class="field"><label>Seed <input name="seed" type="number" min="0" max="9007199254740991"'
        f' value="{escape(given.get("seed", ""))}" placeholder="any number"></label></div>'
        if chance == "seeded"
        else ""
    )
    return (
        f"<details><summary>Taking back, and chance <span class=quiet>({undo}, {chance})</span></summary>"
        f"<fieldset><legend>Taking back</legend>{_radios('undo', UNDO_POLICIES, undo, _UNDO)}</fieldset>"
        f"<fieldset><legend>Chance</legend>{_radios('chance', CHANCE_MODES, chance, _CHANCE)}{seed}</fieldset>"
        "</details>"
    )


def _radios(name: str, values: Sequence[str], chosen: str, words: Mapping[str, str]) -> str:
    return "".join(
        f'<label class="choice"><input type="radio" name="{name}" value="{value}" data-anew'
        f"{' checked' if value == chosen else ''}><span><strong>{value}</strong> {escape(words[value])}</span></label>"
        for value in values
    )


def _tick(name: str, title: str, words: str, given: Mapping[str, str]) -> str:
    return (
        f'<label class="choice"><input type="checkbox" name="{name}"{" checked" if name in given else ""}>'
        f"<span><strong>{title}</strong> {escape(words)}</span></label>"
    )
