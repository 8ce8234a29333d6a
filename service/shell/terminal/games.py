"""The games as the command line tells of them: options, moves, and where to read on."""

from collections.abc import Iterable

from rich.padding import Padding

from projections.words import count, joined
from service.games.game import Game
from service.games.options import offered
from service.games.shelf import known_games
from service.questions.rulebook import rules_of
from service.shell.terminal.paint import console, grid, say


def show_games() -> None:
    """Every game with its options, defaults first, and how its moves are written; score pads below the games."""
    is_among_pads = False
    for index, game in enumerate(sorted(known_games(), key=lambda game: bool(game.pad_of))):
        if index:
            say("")
        if game.pad_of and not is_among_pads:
            say("Score pads, for games at a real table; matchledger pad keeps one:", "bold")
            say("")
            is_among_pads = True
        _show_game(game)


def _show_game(game: Game) -> None:
    seats = game.rules.seats
    say(f"{game.key}  {game.title}, {seats[0]}–{seats[-1]} seats ({game.rules.ruleset})", "bold")
    if older := joined([rules.ruleset for rules in game.other_rules]):
        say(f"  matches opened under {older} are still played and audited by it", "dim")
    if game.rules.options:
        _show_options(game)
    else:
        say("  There is nothing to agree on: this game has no options.")
    say("")
    moves = grid("move", "meaning")
    for move, meaning in game.notation.examples:
        moves.add_row(move, meaning)
    console().print(Padding.indent(moves, 2))


def _show_options(game: Game) -> None:
    seats = game.rules.seats
    table = grid("option", "values (default first)", "meaning")
    for option in game.rules.options:
        others = [choice for choice in offered(option, seats) if choice.text != option.default]
        words = [f"{choice.text} ({choice.tables})" if choice.tables else choice.text for choice in others]
        table.add_row(option.name, " | ".join([option.default, *words]), option.help)
    console().print(Padding.indent(table, 2))


def show_game_in_full(game: Game) -> None:
    """One game: options, moves, and where its score pad, its points and its rules are."""
    _show_game(game)
    say("")
    if game.aliases:
        say(f"  Also called: {', '.join(game.aliases)}")
    played = next((other for other in known_games() if other.key == game.pad_of), game)
    if any(other.pad_of == played.key for other in known_games()):
        say(f"  Score pad:   matchledger pad {played.key}")
    if rules := list(rules_of(played.key)):
        say(f"  Rules:       matchledger rules {played.key}")
        say(f"               {count(len(rules), 'rule')}, {id_ranges(rules)}", indent=15)
        say(f"               from docs/rules/{played.key}.md")


def id_ranges(ids: Iterable[str]) -> str:
    """The ids of rules in short: `AZ-1 to AZ-95 and AZ-D1 to AZ-D8`. They do not stand in this order in a rulebook."""
    by_letters: dict[str, list[int]] = {}
    for one in ids:
        letters = one.rstrip("0123456789")
        by_letters.setdefault(letters, []).append(int(one.removeprefix(letters)))
    ends = [(letters, min(numbers), max(numbers)) for letters, numbers in by_letters.items()]
    return joined(
        [f"{letters}{low} to {letters}{high}" if low < high else f"{letters}{low}" for letters, low, high in ends]
    )
