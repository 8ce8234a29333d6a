"""The rulebooks, rule by rule: read from docs/rules, which the package carries as `rule_texts`."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from service.errors import UsageError
from service.games.shelf import known_games

_PACKAGED: Final = Path(__file__).parent / "rule_texts"
_SOURCE: Final = Path(__file__).parents[2] / "docs" / "rules"
"""A source tree keeps the texts where people read them; the wheel is built with a copy beside this file."""

_OPENING: Final = re.compile(r"^(?:[-*] |\| )?\*\*([A-Z]{2}-[A-Z]?\d+)\*\*[ |]+(.*)$")
NEAREST: Final = 5
_GLANCE: Final = "## At a glance"


class Rule(Struct, frozen=True):
    """One rule as players read it."""

    id: str
    game: str
    """The key of the game it belongs to."""
    section: str
    """The heading it stands under."""
    text: str
    """A paragraph, with a drawing below it where the document has one."""


def rulebook(game: str) -> str:
    """The whole document of a game; empty when there is none."""
    own = [known.document for known in known_games() if known.key == game and known.document is not None]
    for path in (*own, *(folder / f"{game}.md" for folder in (_PACKAGED, _SOURCE))):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return ""


@cache
def glance(game: str) -> str:
    """What a game is about in a sentence or two: how its rulebook puts it at a glance, or else how it begins."""
    paragraphs = [" ".join(block.split()) for block in rulebook(game).split("\n\n")]
    if _GLANCE in paragraphs[:-1]:
        return plain(paragraphs[paragraphs.index(_GLANCE) + 1])
    first = next((words for words in paragraphs if words and words[0] not in "#*|-`"), "")
    return plain(re.split(r"(?<=[.]) ", first)[0])


@cache
def rules_of(game: str) -> dict[str, Rule]:
    """Every rule of a game by its id, in the order of the document."""
    return {rule.id: rule for rule in _parsed(game, rulebook(game))}


def find_rule(text: str) -> Rule:
    """The rule of that id, however it is typed (`AZ-46`, `az46`), or a refusal with the nearest ids."""
    wanted = normal(text)
    for game in known_games():
        if rule := rules_of(game.key).get(wanted):
            return rule
    raise UsageError("rules/unknown", f"{text!r} is not a rule; the nearest ids are: {', '.join(nearest(wanted))}.")


def rule_text(rule: str) -> str:
    """The text of a rule; empty for one that no document has, such as a tournament's own."""
    wanted = normal(rule)
    return next((rules_of(game.key)[wanted].text for game in known_games() if wanted in rules_of(game.key)), "")


def search(words: str) -> list[Rule]:
    """Every rule that has all of these words, in any case."""
    wanted = words.lower().split()
    return [
        rule
        for game in known_games()
        for rule in rules_of(game.key).values()
        if all(word in f"{rule.section} {rule.text}".lower() for word in wanted)
    ]


def check_citation(text: str) -> str:
    """The id a ruling cites: one of a rulebook (games share rules), or a tournament's own with letters no book uses."""
    rule = normal(text)
    books = [rules_of(game.key) for game in known_games()]
    letters = {known.partition("-")[0] for book in books for known in book}
    if rule.partition("-")[0] in letters and not any(rule in book for book in books):
        raise UsageError("dispute/rules", f"{text!r} is not a rule; the nearest ids are: {', '.join(nearest(rule))}.")
    return rule


def normal(text: str) -> str:
    """An id as the documents write it, however it is typed; capitals for one that no document has."""
    typed = text.strip().upper()
    return _by_letters(tuple(game.key for game in known_games())).get(_squashed(typed), typed)


def _squashed(text: str) -> str:
    """Letters and digits alone, without leading zeros."""
    return re.sub(r"(?<=[A-Z])0+(?=\d)", "", re.sub(r"[^A-Z0-9]", "", text))


@cache
def _by_letters(keys: tuple[str, ...]) -> dict[str, str]:
    return {_squashed(rule): rule for key in keys for rule in rules_of(key)}


_LONGEST_ID: Final = 20
"""Characters of a wrong id that are compared with the right ones."""


def nearest(wanted: str) -> list[str]:
    """The ids most like a text."""
    wanted = wanted[:_LONGEST_ID]
    ids = [rule for game in known_games() for rule in rules_of(game.key)]
    return sorted(ids, key=lambda known: -SequenceMatcher(None, wanted, known).ratio())[:NEAREST]


def _parsed(game: str, document: str) -> Iterator[Rule]:
    lines = document.splitlines()
    section = ""
    for number, line in enumerate(lines):
        if line.startswith("#"):
            section = line.lstrip("#").strip()
        elif opening := _OPENING.match(line):
            if line.startswith("|"):
                text = opening[2].strip().removesuffix("|").strip()
            else:
                text = "\n".join([opening[2], *_continuation(lines[number + 1 :])])
            yield Rule(opening[1], game, section, text)


def _continuation(lines: Sequence[str]) -> Iterator[str]:
    """The rest of a paragraph or list item, and a drawing that follows it."""
    end = next((index for index, line in enumerate(lines) if not line.strip() or _OPENING.match(line)), len(lines))
    yield from (line.strip() for line in lines[:end])
    after = lines[end + 1 :]
    if end < len(lines) and not lines[end].strip() and after and after[0].startswith("```"):
        drawing = next((index for index, line in enumerate(after[1:]) if line.startswith("```")), len(after) - 1)
        yield ""
        yield from after[1 : drawing + 1]


def plain(text: str) -> str:
    """A rule's text without marks of emphasis and links, on one line where it is a paragraph."""
    paragraph, gap, drawing = text.partition("\n\n")
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(paragraph.split()))
    return re.sub(r"[`*]", "", words) + gap + drawing
