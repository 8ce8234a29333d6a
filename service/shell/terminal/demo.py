"""The product at work, as a new user would type it: every line shown is a command that is really run."""

import shlex
from collections.abc import Callable, Sequence

from service.games.game import Game
from service.games.shelf import GAMES
from service.play.history import History
from service.play.moves import legal_moves, seat_to_act
from service.shell.terminal.paint import console, say

Run = Callable[[Sequence[str]], None]
"""Runs one command line of ours and prints what it prints."""


def demo(run: Run, load: Callable[[], History]) -> None:
    """A whole match of every game between bots, then a replay, a fork, undo, redo, a refusal and an audit."""
    for game in [game for game in GAMES if not game.pad_of]:
        _whole_match(run, game)
    _run(run, "new", GAMES[0].key, "Ada=bot:greedy", "Bruno=bot:random", "--quiet")
    match = load()
    middle = _dealing_step(match)
    say("Any match replays to any step:", "bold")
    _run(run, "show", match.id[:4], "--at", f"s{middle}")
    say("… and can be played on differently from there, the original untouched:", "bold")
    _run(run, "fork", match.id[:4], "--step", str(middle))
    fork = load()
    move = next(iter(legal_moves(fork, seat_to_act(fork))))
    _run(run, "act", "last", move, "--brief")
    _run(run, "undo", "last", "--brief")
    _run(run, "redo", "last", "--brief")
    say("What the rules forbid is refused, with the rule:", "bold")
    _run(run, "act", "last", move)
    say("And anybody can check all of it, point by point:", "bold")
    _run(run, "audit", match.id[:4])
    say("Try next:", "bold")
    key = GAMES[0].key
    lines = {
        f"matchledger play {key}": "play against a bot, with undo",
        f"matchledger simulate {key} -n 1000": "a thousand matches between bots",
        f"matchledger new {key} Ann Ben": "two people by turns; then act, undo, log",
        "matchledger games": "every game, its options and its moves",
        "matchledger --help": "everything else",
    }
    for line, meaning in lines.items():
        say(f"  {line:{max(map(len, lines))}}  {meaning}")


def _dealing_step(match: History) -> int:
    """The step nearest the middle that dealt a round, so that there is something to see."""
    deals = [envelope.step for envelope in match.envelopes if envelope.event.by_chance]
    return deals[len(deals) // 2]


def _whole_match(run: Run, game: Game) -> None:
    console().rule(game.title)
    seats = range(1, game.rules.seats[0] + 1)
    players = [f"{'Ada' if seat == 1 else 'Bruno' if seat == 2 else f'Bot {seat}'}=bot:greedy" for seat in seats]
    _run(run, "new", game.key, *players)
    _run(run, "scores", "last")


def _run(run: Run, *words: str) -> None:
    say("$ matchledger " + shlex.join(words), "bold green")
    run(words)
    say("")
