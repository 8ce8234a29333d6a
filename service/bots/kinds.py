"""Every kind of bot there is, as one literal table, and how a name becomes a bot."""

from typing import Final

from service.bots.core import Bot, BotKind
from service.bots.simple import greedy_bot, random_bot
from service.errors import unknown


def _plain(name: str, bot: Bot) -> BotKind:
    """A kind that takes no argument."""

    def make(argument: str) -> Bot:
        if argument:
            raise unknown("bot/unknown", "a bot", f"{name}:{argument}", understood())
        return bot

    return BotKind(name, (bot.__doc__ or "").strip(), make, (name,))


def _search(argument: str) -> Bot:
    from service.bots.search import search_bot  # loaded late: most who read a name play nothing

    bot = search_bot(argument)
    if bot is None:
        others = (f"{SEARCH}:400p", f"{SEARCH}:0.5s")
        raise unknown("bot/unknown", "a bot", f"{SEARCH}:{argument}", [*understood(), *others])
    return bot


def _make_program(argument: str) -> Bot:
    from service.bots.outside import make_program  # loaded only where a program is seated

    return make_program(argument)


def _make_function(argument: str) -> Bot:
    from service.bots.outside import make_function

    return make_function(argument)


SEARCH: Final = "search"

KINDS: Final = {
    kind.name: kind
    for kind in (
        _plain("greedy", greedy_bot),
        BotKind(
            SEARCH,
            "Thinks ahead to the end of the round, longer at every level.",
            _search,
            tuple(f"{SEARCH}:{level}" for level in range(1, 6)),
            "level",
            thinks=True,
        ),
        _plain("random", random_bot),
        BotKind(
            "exec",
            "A program of yours, asked line by line.",
            _make_program,
            ("exec:COMMAND",),
            "command",
            is_outside=True,
        ),
        BotKind(
            "module",
            "A Python function of yours.",
            _make_function,
            ("module:PACKAGE.FUNCTION",),
            "function",
            is_outside=True,
        ),
    )
}


def offered() -> list[str]:
    """The names worth offering to whoever chooses a bot, from wherever."""
    return [example for kind in KINDS.values() if not kind.is_outside for example in kind.examples]


def understood() -> list[str]:
    """The same with what only whoever sits at this machine may choose."""
    return [example for kind in KINDS.values() for example in kind.examples]


def maybe_kind(name: str) -> BotKind | None:
    """The kind a bot's name begins with; None where there is none."""
    return KINDS.get(name.partition(":")[0])


def kind_of(name: str) -> BotKind:
    """The kind a bot's name begins with, or a refusal listing the choices."""
    kind = maybe_kind(name)
    if kind is None:
        raise unknown("bot/unknown", "a bot", name, understood())
    return kind


def is_outside(name: str) -> bool:
    """Whether the bot of this name runs what is not ours."""
    kind = maybe_kind(name)
    return kind is not None and kind.is_outside


def find_bot(name: str) -> Bot:
    """The bot of that name, or a refusal listing the choices."""
    return kind_of(name).make(name.partition(":")[2])


def in_words(name: str) -> str:
    """The name of a bot for whoever knows no colons: `search, level 3`."""
    kind, _, argument = name.partition(":")
    return f"{kind}, {kind_of(name).argument} {argument}" if argument else kind
