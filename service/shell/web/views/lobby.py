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
from service.shell.web.views.new_match import against_a_bot


class Section(NamedTuple):
    """One of the lists of the lobby."""

    name: str
    """Also the parameter of the address that says from where on it is shown."""
    title: str
    status: str | None
    empty: str


SECTIONS: Final = (
    Section("open", "To join", "open", "No match has a free seat."),
    Section("playing", "Going on", "playing", "No match is going on."),
    Section("closed", "Finished", "closed", "No match is finished yet."),
)
PADS: Final = Section("pads", "Score pads", None, "No score pad yet.")


class MatchLine(NamedTuple):
    """A match in a list; the module reads its data, and asks for the same line of matches that are in no list."""

    match: str
    problem: str
    """Why it cannot be read; empty where it can, and all that is known where it cannot."""
    listed: Listed | None = None
    is_pad: bool = False
    game: str = ""
    who: str = ""
    stands: str = ""
    ago: str = ""


class MatchList(NamedTuple):
    """What a list shows of its matches."""

    section: Section
    lines: Sequence[MatchLine]
    latest: str
    """Where its beginning is; empty there."""
    older: str
    """Where those that follow are; empty where none do."""


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


class GameCard(NamedTuple):
    """A game to open a match of."""

    key: str
    title: str
    seats: str
    glance: str
    quick: Mapping[str, str]
    """What opens a match against a bot."""


class LobbyView(NamedTuple):
    """The page."""

    wanted: LobbyFilter
    lists: Sequence[MatchList]
    games: Sequence[GameCard]
    known: Sequence[tuple[str, str]]
    """The keys and titles that can be chosen."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever played here."""
        return not self.wanted.is_filtered and not self.wanted.cursors and not any(one.lines for one in self.lists)


def match_list(
    wanted: LobbyFilter, section: Section, lines: Sequence[Listed | Damaged], older: str | None, now: datetime
) -> MatchList:
    """One of the lists; `older` is the cursor of those that follow."""
    return MatchList(
        section,
        [match_line(line, now) for line in lines],
        wanted.address(section, None) if section.name in wanted.cursors else "",
        wanted.address(section, older) if older else "",
    )


def match_line(line: Listed | Damaged, now: datetime) -> MatchLine:
    """A match as a line."""
    if isinstance(line, Damaged):
        return MatchLine(line.match, line.message)
    row = line.row
    game = maybe_game(row.game)
    return MatchLine(
        row.id,
        "",
        line,
        game is not None and bool(game.pad_of),
        game.title if game is not None else row.game,
        joined([seat.name or f"Seat {seat.seat}" for seat in line.seats]) or "nobody yet",
        state_of(line),
        ago(row.moved_at, now),
    )


def game_cards() -> list[GameCard]:
    """Every game a match can be opened of."""
    return [_card(game, game.title) for game in known_games() if not game.pad_of]


def pad_cards() -> list[GameCard]:
    """Every score pad, under the title of its game."""
    titles = {game.key: game.title for game in known_games()}
    return [_card(game, titles[game.pad_of]) for game in known_games() if game.pad_of]


def _card(game: Game, title: str) -> GameCard:
    seats = game.rules.seats
    players = f"{seats[0]}–{seats[-1]} players" if len(seats) > 1 else count(seats[0], "player")
    return GameCard(game.key, title, players, glance(game.key), against_a_bot(game))
