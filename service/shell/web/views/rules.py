"""The rules in writing as pages: every rule under its id, and every id that is mentioned a link."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from service.games.game import Game, plain_name
from service.games.shelf import known_games, maybe_game
from service.questions.rulebook import Rule, glance, plain, rulebook, rules_of
from service.shell.web.views.links import RULE_ID, with_rules

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
"""Whatever looks like HTML in a document is text."""
_BLOCKS: Final = ("paragraph_open", "tr_open", "li_open")


class RulesView(NamedTuple):
    """All rulebooks; and what was found, by game."""

    words: str
    number: int
    found: Sequence[tuple[str, Sequence[Rule]]]
    books: Sequence[tuple[Game, str, int]]
    """Each with its game at a glance, and how many rules it has."""


class RulebookView(NamedTuple):
    """The rules of one game, headings first."""

    game: Game
    text: Markup
    headings: Sequence[tuple[str, str]]


def rules_view(words: str, found: Sequence[Rule]) -> RulesView:
    """The shelf, with the answer to a search."""
    titles = {game.key: game.title for game in known_games()}
    books = [(game, glance(game.key), len(rules_of(game.key))) for game in known_games() if rulebook(game.key)]
    grouped = [(titles[key], list(rules)) for key, rules in groupby(found, key=lambda rule: rule.game)]
    return RulesView(words, len(found), grouped, books)


def rulebook_view(game: Game) -> RulebookView:
    """One book."""
    return RulebookView(game, *_rendered(game.key, tuple(known.key for known in known_games())))


@cache
def _rendered(game: str, shelf: tuple[str, ...]) -> tuple[Markup, list[tuple[str, str]]]:
    """A document as markup with its headings, made once as long as the same games are on the shelf."""
    tokens = _MARKDOWN.parse(rulebook(game))
    own, headings = rules_of(game), []
    open_blocks: list[Token] = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in _BLOCKS:
            open_blocks.append(token)
        elif token.type == "heading_open" and following is not None:
            anchor = plain_name(following.content)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                headings.append((anchor, plain(following.content)))
        elif token.type == "inline" and token.children is not None:
            rule = RULE_ID.match(token.content.removeprefix("**"))
            # a row is one rule where its first cell names it; a paragraph or an item where it begins with one
            if rule and token.content.startswith("**") and rule[0] in own and open_blocks:
                own_block = next((block for block in open_blocks if "id" not in block.attrs), None)
                if own_block is not None:
                    own_block.attrSet("id", rule[0])
                    own_block.attrJoin("class", "rule")
            token.children = _with_links(token.children)
        elif token.type.removesuffix("_close") + "_open" in _BLOCKS:
            open_blocks.pop()
    # Documents of our own, by a renderer that takes no HTML in them and escapes their text.
    return Markup(_MARKDOWN.renderer.render(list(_scrolling(tokens)), _MARKDOWN.options, {})), headings


def _scrolling(tokens: Sequence[Token]) -> Iterator[Token]:
    """The same with wide tables and figures that scroll by themselves, also for those who have no mouse."""
    for token in tokens:
        if token.type in ("fence", "code_block"):
            yield Token("figure_open", "pre", 1, attrs={"tabindex": "0"})
            yield Token("text", "", 0, content=token.content)
            yield Token("figure_close", "pre", -1)
            continue
        if token.type == "table_open":
            yield Token("wide_open", "div", 1, attrs={"class": "wide", "tabindex": "0"})
        yield token
        if token.type == "table_close":
            yield Token("wide_close", "div", -1)


def _with_links(children: Sequence[Token]) -> list[Token]:
    """The same with links to our own pages, and with every rule that is mentioned a link."""
    made: list[Token] = []
    is_link = is_dead = False
    for index, child in enumerate(children):
        if child.type == "link_open":
            address = _address(str(child.attrGet("href") or ""))
            is_link, is_dead = True, not address
            child.attrSet("href", address)
        if child.type in ("link_open", "link_close") and is_dead:
            is_link = is_dead = child.type == "link_open"
            continue
        if child.type == "link_close":
            is_link = False
        is_heading_itself = index > 0 and children[index - 1].type == "strong_open"
        if child.type == "text" and not is_link and not is_heading_itself and RULE_ID.search(child.content):
            made += _split(child.content)
        elif child.type == "text" and is_heading_itself and RULE_ID.fullmatch(child.content):
            made += _linked(child, f"#{child.content}")
        else:
            made.append(child)
    return made


def _split(text: str) -> list[Token]:
    """Text with the rules it names as links."""
    made: list[Token] = []
    for piece, address in with_rules(text):
        word = Token("text", "", 0, content=piece)
        made += _linked(word, address) if address else [word]
    return made


def _linked(word: Token, address: str) -> list[Token]:
    return [Token("link_open", "a", 1, attrs={"href": address}), word, Token("link_close", "a", -1)]


def _address(target: str) -> str:
    """Where a link of a document leads here; empty where it leads to something that is no page of ours."""
    if target.startswith("#"):
        return target
    file, _, anchor = target.partition("#")
    game = maybe_game(file.removesuffix(".md")) if file.endswith(".md") and "/" not in file else None
    return "" if game is None else f"/rules/{game.key}{f'#{anchor}' if anchor else ''}"
