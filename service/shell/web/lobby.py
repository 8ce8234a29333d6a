"""The lobby: matches to join, to watch and to look back at; one's own on top, which only the browser knows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlencode

from projections.words import count, joined
from service.errors import Damaged
from service.games.game import Game
from service.games.shelf import known_games, maybe_game
from service.play.listing import Listed, ago, state_of
from service.questions.rulebook import glance
from service.shell.page.escape import escape
from service.shell.web.new_match import against_a_bot, choices, hidden


class Section(NamedTuple):
    """One of the lists of the lobby."""

    name: str
    """Also the parameter of the address that says from where on it is shown."""
    title: str
    status: str | None
    empty: str


SECTIONS: Final = (
    Section("open", "To join", "open", "Nobody waits for players."),
    Section("playing", "Going on", "playing", "No match is going on."),
    Section("closed", "Finished", "closed", "No match is finished yet."),
)
PADS: Final = Section("pads", "Score pads", None, "No score pad yet.")

_DOING: Final = {"open": "Join", "playing": "Watch", "closed": "Replay"}


class Shown(NamedTuple):
    """What a list shows of its matches."""

    section: Section
    lines: Sequence[Listed | Damaged]
    older: str | None
    """The cursor of those that follow."""


class LobbyFilter(NamedTuple):
    """Whose matches are asked for, and from where on each list is shown."""

    game: str
    player: str
    cursors: Mapping[str, str]

    @property
    def is_filtered(self) -> bool:
        """Whether some matches are left out."""
        return bool(self.game or self.player)

    def address(self, section: Section, cursor: str | None) -> str:
        """The lobby with one of its lists further on."""
        cursors = {**self.cursors, section.name: cursor}
        words = {"game": self.game, "player": self.player, **cursors}
        return f"/?{urlencode({name: word for name, word in words.items() if word})}#{section.name}"


def lobby_page(wanted: LobbyFilter, lists: Sequence[Shown], now: datetime) -> str:
    """The main part of the page."""
    quick = "".join(map(_quick, _games()))
    is_empty = not wanted.is_filtered and not any(shown.lines for shown in lists) and not wanted.cursors
    found = _EMPTY if is_empty else _filter(wanted) + "".join(_list(wanted, shown, now) for shown in lists)
    return (
        f'<h1 class="unseen">Matches</h1>{own_matches("My matches", is_of_pads=False)}'
        '<section class="start"><p class="quiet">Board games that keep the books: every move is kept, and every point'
        " has its rule.</p><h2>Play now</h2><p>You against a bot, at once. "
        '<a href="/new">Or choose the options, and whom you play with.</a></p>'
        f'<div class="quick">{quick}</div></section>{found}'
    )


_EMPTY: Final = (
    '<section class="notice empty"><h2>No match yet: start one</h2>'
    "<p>What is played here is listed here: to join, to watch, and to look back at step by step.</p></section>"
)


def own_matches(title: str, *, is_of_pads: bool) -> str:
    """Where the module lists the matches this browser has a token of; nothing to see until there is one."""
    kind = " data-pads" if is_of_pads else ""
    return (
        f'<section id="mine"{kind} hidden><h2>{title}</h2><ul class="matches"></ul>'
        '<p class="quiet">Known to this browser alone: its tokens are kept here and nowhere else.</p></section>'
    )


def match_line(line: Listed | Damaged, now: datetime) -> str:
    """A match in a list; the module reads its data, and asks for the same line of matches that are in no list."""
    if isinstance(line, Damaged):
        return f'<li class="match damaged"><span class="game">{escape(line.match)}</span> {escape(line.message)}</li>'
    row = line.row
    game = maybe_game(row.game)
    names = [seat.name or f"Seat {seat.seat}" for seat in line.seats]
    where = f"/matches/{escape(row.id)}{'/replay' if row.status == 'closed' else ''}"
    doing = "Look" if game is not None and game.pad_of and row.status != "closed" else _DOING.get(row.status, "Look")
    is_pad = " data-pad" if game is not None and game.pad_of else ""
    return (
        f'<li class="match" data-match="{escape(row.id)}" data-status="{escape(row.status)}"'
        f' data-turn="{",".join(map(str, line.outlook.turn))}"{is_pad}><a href="{where}">'
        f'<span class="game">{escape(game.title if game is not None else row.game)}</span> '
        f'<span class="who">{escape(joined(names) or "nobody yet")}</span> '
        f'<span class="stands">{escape(state_of(line))}</span> '
        f'<time datetime="{row.moved_at.isoformat()}">{ago(row.moved_at, now)}</time> '
        f'<span class="go">{doing}</span></a></li>'
    )


def _list(wanted: LobbyFilter, shown: Shown, now: datetime) -> str:
    section, lines, older = shown
    is_further = section.name in wanted.cursors
    if not lines and not is_further:
        words = "No match fits." if wanted.is_filtered else section.empty
        return f'<section id="{section.name}"><h2>{section.title}</h2><p class="quiet">{words}</p></section>'
    links = []
    if is_further:
        links.append(f'<a class="button" href="{escape(wanted.address(section, None))}">Latest</a>')
    if older:
        links.append(f'<a class="button" href="{escape(wanted.address(section, older))}">Older</a>')
    pages = f'<nav class="pages" aria-label="{section.title}: further">{"".join(links)}</nav>' if links else ""
    return (
        f'<section id="{section.name}"><h2>{section.title}</h2><ul class="matches">'
        f"{''.join(match_line(line, now) for line in lines)}</ul>{pages}</section>"
    )


def _filter(wanted: LobbyFilter) -> str:
    games = choices([("", "any"), *((game.key, game.title) for game in known_games())], wanted.game)
    everything = '<a class="button" href="/">Show all</a>' if wanted.is_filtered else ""
    return (
        '<form class="filter" action="/" aria-label="Which matches"><label>Game '
        f'<select name="game">{games}</select></label>'
        f'<label>Player <input name="player" value="{escape(wanted.player)}" maxlength="40" placeholder="anybody">'
        f"</label><button>Show</button>{everything}</form>"
    )


def _games() -> list[Game]:
    return [game for game in known_games() if not game.pad_of]


# ------------------------------------------------------------------------------------------------- which game to open


def _quick(game: Game) -> str:
    return f'<form data-opening action="/new">{hidden(against_a_bot(game))}<button>{escape(game.title)}</button></form>'


def games_page() -> str:
    """Which game a new match is of."""
    cards = "".join(
        f'<li class="card"><h2>{escape(game.title)}</h2><p>{escape(glance(game.key))}</p>'
        f'<p class="quiet">{_seats(game)} · <a href="/rules/{escape(game.key)}">rules</a></p><p class="buttons">'
        f'<a class="button main" href="/new?game={escape(game.key)}">Choose<span class="unseen"> {escape(game.title)}'
        f'</span></a></p><form data-opening action="/new">{hidden(against_a_bot(game))}'
        f'<button>Play a bot<span class="unseen"> at {escape(game.title)}</span></button></form></li>'
        for game in _games()
    )
    return (
        "<h1>New match</h1><p>Choose a game, then who sits where. "
        'Points of a game at a real table are kept on a <a href="/pads">score pad</a>.</p>'
        f'<ul class="cards">{cards}</ul>'
    )


def pads_page() -> str:
    """What a score pad is, those of this browser, and which game a new one is for."""
    pads = [game for game in known_games() if game.pad_of]
    titles = {game.key: escape(game.title) for game in known_games()}
    cards = "".join(
        f'<li class="card"><h2>{titles[game.pad_of]}</h2><p class="quiet">{_seats(game)}'
        f' · <a href="/rules/{escape(game.key)}">what is entered</a></p><p class="buttons"><a class="button main"'
        f' href="/pads?game={escape(game.key)}">Keep a pad<span class="unseen"> for {titles[game.pad_of]}'
        "</span></a></p></li>"
        for game in pads
    )
    return (
        "<h1>Score pads</h1><p>You play with real pieces, and this counts. Pass one phone around, or let one of you "
        "enter what was placed by tapping a drawn board: every point comes with its rule, and nobody needs to add up. "
        "A pad is kept like a match: undo what was mistyped, go on another day, settle a dispute.</p>"
        f'{own_matches("My pads", is_of_pads=True)}<h2>New pad</h2><ul class="cards">{cards}</ul>'
    )


def _seats(game: Game) -> str:
    seats = game.rules.seats
    return f"{seats[0]}–{seats[-1]} players" if len(seats) > 1 else count(seats[0], "player")
