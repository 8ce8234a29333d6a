"""The rules in writing as pages: every rule under its id, and every id that is mentioned a link."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from projections.words import count
from service.games.game import Game, plain_name
from service.games.shelf import known_games, maybe_game
from service.questions.rulebook import Rule, glance, plain, rulebook, rules_of
from service.shell.page.escape import escape, escape_lines
from service.shell.web.layout import notice

_ID: Final = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
"""Whatever looks like HTML in a document is text."""
_BLOCKS: Final = ("paragraph_open", "tr_open", "li_open")


def rule_address(rule: str) -> str:
    """Where a rule is read; empty for one that no document has."""
    book = next((game.key for game in known_games() if rule in rules_of(game.key)), "")
    return f"/rules/{book}#{rule}" if book else ""


def with_rule_links(text: str) -> str:
    """A line of text as markup, every rule it names a link to the rule."""
    return _ID.sub(lambda found: _link(found[0]), escape(text))


def _link(rule: str) -> str:
    address = rule_address(rule)
    return f'<a href="{address}">{rule}</a>' if address else rule


# ----------------------------------------------------------------------------------------------------------- the shelf


def rules_page(words: str, found: Sequence[Rule]) -> str:
    """All rulebooks with a search; below it what was found."""
    books = [game for game in known_games() if rulebook(game.key)]
    cards = "".join(
        f'<li class="card"><h2><a href="/rules/{escape(game.key)}">{escape(game.title)}</a></h2>'
        f'<p>{escape(glance(game.key))}</p><p class="quiet">{count(len(rules_of(game.key)), "rule")}</p></li>'
        for game in books
    )
    search = (
        '<form class="filter" role="search" action="/rules"><label>Find rules by their words'
        f' <input type="search" name="words" value="{escape(words)}" maxlength="200" required></label>'
        '<button class="main">Search</button></form>'
    )
    answer = _answer(words, found) if words else ""
    return (
        "<h1>Rules</h1><p>Every rule has a number that never changes. Score lines and refusals name it.</p>"
        f'{search}{answer}<ul class="cards">{cards}</ul>'
    )


def _answer(words: str, found: Sequence[Rule]) -> str:
    if not found:
        return notice("No rule has all of these words", f"You looked for “{escape(words)}”. Fewer words find more.")
    parts = [f'<section class="found"><h2>{count(len(found), "rule")} with “{escape(words)}”</h2>']
    titles = {game.key: game.title for game in known_games()}
    for key, rules in groupby(found, key=lambda rule: rule.game):
        parts.append(f"<h3>{escape(titles[key])}</h3><dl>")
        parts += [f"<dt>{_link(rule.id)} {escape(rule.section)}</dt><dd>{_shortly(rule)}</dd>" for rule in rules]
        parts.append("</dl>")
    return "".join([*parts, "</section>"])


def _shortly(rule: Rule) -> str:
    paragraph, _, drawing = plain(rule.text).partition("\n\n")
    picture = f'<pre tabindex="0">{escape_lines(drawing)}</pre>' if drawing else ""
    return f"{escape(paragraph)}{picture}"


# ------------------------------------------------------------------------------------------------------------ one book


def rulebook_page(game: Game) -> str:
    """The rules of one game, headings first."""
    document, headings = _rendered(game.key, tuple(known.key for known in known_games()))
    contents = "".join(f'<li><a href="#{anchor}">{escape(words)}</a></li>' for anchor, words in headings)
    play = "/pads" if game.pad_of else "/new"
    return (
        '<div class="book"><nav class="contents" aria-label="Contents"><p><a href="/rules">All rules</a> · '
        f'<a href="{play}?game={escape(game.key)}">{"Keep a pad" if game.pad_of else "Play"}</a></p>'
        f"<ul>{contents}</ul></nav>"
        f'<article class="rulebook">{document}</article></div>'
    )


@cache
def _rendered(game: str, shelf: tuple[str, ...]) -> tuple[str, list[tuple[str, str]]]:
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
            rule = _ID.match(token.content.removeprefix("**"))
            # a row is one rule where its first cell names it; a paragraph or an item where it begins with one
            if rule and token.content.startswith("**") and rule[0] in own and open_blocks:
                own_block = next((block for block in open_blocks if "id" not in block.attrs), None)
                if own_block is not None:
                    own_block.attrSet("id", rule[0])
                    own_block.attrJoin("class", "rule")
            token.children = _with_links(token.children)
        elif token.type in ("fence", "code_block"):
            token.attrSet("tabindex", "0")
        elif token.type.removesuffix("_close") + "_open" in _BLOCKS:
            open_blocks.pop()
    markup = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    markup = markup.replace("<pre><code tabindex", "<pre tabindex").replace("</code></pre>", "</pre>")
    # A wide table scrolls by itself, and who has no mouse scrolls it too.
    markup = markup.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    return markup, headings


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
        if child.type == "text" and not is_link and not is_heading_itself and _ID.search(child.content):
            made += _split(child.content)
        elif child.type == "text" and is_heading_itself and _ID.fullmatch(child.content):
            made += [
                Token("link_open", "a", 1, attrs={"href": f"#{child.content}"}),
                child,
                Token("link_close", "a", -1),
            ]
        else:
            made.append(child)
    return made


def _split(text: str) -> list[Token]:
    """Text with the rules it names as links."""
    made: list[Token] = []
    for number, piece in enumerate(re.split(rf"({_ID.pattern})", text)):
        word = Token("text", "", 0, content=piece)
        if number % 2 and (address := rule_address(piece)):
            made += [Token("link_open", "a", 1, attrs={"href": address}), word, Token("link_close", "a", -1)]
        else:
            made.append(word)
    return made


def _address(target: str) -> str:
    """Where a link of a document leads here; empty where it leads to something that is no page of ours."""
    if target.startswith("#"):
        return target
    file, _, anchor = target.partition("#")
    game = maybe_game(file.removesuffix(".md")) if file.endswith(".md") and "/" not in file else None
    return "" if game is None else f"/rules/{game.key}{f'#{anchor}' if anchor else ''}"
