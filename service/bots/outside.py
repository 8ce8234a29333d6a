"""Bots from outside: a program or a Python function that is told what its seat may know, and answers with a move.

docs/bots.md has the protocol. A function is called in a process of its own, by the same protocol: so it can be stopped,
and whatever it does to its process is not done to ours.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from events.core import Seat, Standing
from events.match import ForfeitedTo, ForfeitReason
from projections.core import State
from service.bots import hosting
from service.bots.child import GRACE, Babble, Child, Ended
from service.bots.core import Bot, Forfeit, Occasion
from service.errors import LedgerError, UsageError
from service.games.core import Action
from service.games.game import Game
from service.limits import BOT_CHARACTERS, MAX_SAID, excess, quoted
from service.visible import visible

PROTOCOL: Final = 1
SECONDS: Final = 5.0
"""For a move, where the name does not say how many."""
LONGEST: Final = 3600.0
STARTS_WITHIN: Final = 10
"""Times the seconds for a move, in which it has to have answered the greeting."""
_UNGREETED: Final[Mapping[ForfeitReason, str]] = {
    "died": "ended before it had answered the greeting",
    "late": "did not answer the greeting in time",
    "nonsense": "did not answer the greeting as the protocol says",
}
_SETTING: Final = re.compile(r"(?:([0-9]{1,6}(?:\.[0-9]{1,3})?)s|(resign)):")
_FUNCTION: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")


class Ready(Struct):
    """How a program answers the greeting."""

    protocol: int


class ProgramAnswer(Struct):
    """How a program answers the question for a move: with its number, and one of three ways to name a legal action."""

    number: int
    index: int | None = None
    move: str | None = None
    action: dict[str, Any] | None = None


Said = TypeVar("Said", Ready, ProgramAnswer)


class ProgramTerms(Struct, frozen=True):
    """What the name of such a bot says: how long it has for a move, what follows if it fails, and what is run."""

    run: str
    seconds: float = SECONDS
    follows: ForfeitedTo = "greedy"


def read_terms(argument: str) -> ProgramTerms:
    """The terms from a name: `./mine`, `2s:./mine`, `resign:./mine`, `0.5s:resign:./mine --depth 3`."""
    rest, seconds, follows = argument, SECONDS, False
    while found := _SETTING.match(rest):
        rest, seconds, follows = rest[found.end() :], float(found[1] or seconds), follows or bool(found[2])
    if not rest.strip() or not argument.isprintable() or len(argument) > BOT_CHARACTERS:
        raise UsageError(
            "bot/command", f"{quoted(argument)} names nothing to run; it takes 1–{BOT_CHARACTERS} printable characters."
        )
    if not 0 < seconds <= LONGEST:
        raise UsageError("bot/seconds", f"{seconds:g} s is no time for a move; give up to {LONGEST:g} s, such as 2s:.")
    return ProgramTerms(rest.strip(), seconds, "resignation" if follows else "greedy")


def make_program(argument: str) -> Bot:
    """The bot that a command is."""
    terms = read_terms(argument)
    _split(terms.run)
    return BotProgram(terms, program)


def make_function(argument: str) -> Bot:
    """The bot that a Python function is."""
    terms = read_terms(argument)
    if not _FUNCTION.fullmatch(terms.run):
        raise UsageError(
            "bot/command", f"{quoted(terms.run)} is not a function; write PACKAGE.FUNCTION, such as mybots.clever."
        )
    return BotProgram(terms, function)


# ----------------------------------------------------------------------------------------------------- what is run


class Start(Struct, frozen=True):
    """How a process is started."""

    command: Sequence[str]
    environment: Mapping[str, str] | None = None


def program(run: str, folder: Path) -> Start:
    """A program by its command line, split as a shell would; no shell is asked. Refused where there is none."""
    words = _split(run)
    sought = words[0] if os.sep not in words[0] else str(folder / words[0])
    if shutil.which(sought) is None:
        where = f"in {str(folder)!r}" if os.sep in words[0] else "among the programs of this machine (PATH)"
        why = ""
        if Path(folder, words[0]).is_file():
            beside = "" if os.sep in words[0] else "./"
            why = (
                f" There is a file of that name: make it executable and write {beside}{words[0]}, or name what runs it."
            )
        raise UsageError("bot/missing", f"{quoted(words[0])} cannot be started; it was looked for {where}.{why}")
    return Start([sought, *words[1:]])


def _split(run: str) -> list[str]:
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise UsageError("bot/command", f"{quoted(run)} is not a command line: {error}.") from error
    if not words or not words[0]:
        raise UsageError("bot/command", f"{quoted(run)} names no program.")
    return words


def function(run: str, folder: Path) -> Start:
    """A Python function by its name, with our interpreter; its module may lie where it was seated."""
    places = [str(folder), *(place for place in sys.path if place)]
    if PathFinder.find_spec(run.partition(".")[0], places) is None:
        module = quoted(run.partition(".")[0])
        raise UsageError("bot/missing", f"There is no module {module} in {str(folder)!r} or where Python looks.")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    return Start([sys.executable, "-P", hosting.__file__, run], environment)


# ------------------------------------------------------------------------------------------------------- the bot


class BotProgram:
    """A bot that is a process of its own, started when it is first asked and kept until it is closed or fails."""

    def __init__(self, terms: ProgramTerms, start: Callable[[str, Path], Start]) -> None:
        self._terms, self._start = terms, start
        self._folder = Path.cwd()
        self._lock = Lock()
        """One question at a time: threads may share a ledger."""
        self._child: Child | None = None
        self._greeting: dict[str, Any] = {}
        self._is_greeted = False
        self._number = 0

    def sit_at(self, folder: Path) -> None:
        """Be started in this folder; refused where there is nothing to start."""
        self._start(self._terms.run, folder)
        self._folder = folder

    def try_out(self, occasion: Occasion, seat: Seat) -> None:
        """Start it, greet it and end it, before a match has it: refused where it does not answer.

        A misspelt name would forfeit every move otherwise, and what greedy makes of them would be told as its play.
        """
        self.begin(occasion, seat)
        try:
            self._ready()
        except Forfeit as failure:
            said = f"{quoted(self._terms.run)} {_UNGREETED[failure.why]}: {failure.said}"
            raise UsageError("bot/greeting", said) from failure
        finally:
            self.close()

    def begin(self, occasion: Occasion, seat: Seat) -> None:
        """A match begins."""
        game, seats, options = occasion
        self._greeting = {
            "type": "hello",
            "protocol": PROTOCOL,
            "game": game.key,
            "ruleset": game.rules.ruleset,
            "seat": seat,
            "seats": seats,
            "options": dict(options),
            "seconds": self._terms.seconds,
        }
        self._is_greeted = False
        self._number = 0

    def __call__(self, game: Game, state: State, seat: Seat, rng: Random) -> Action:
        """The action it names, from the public view of the table and the legal actions. Raises Forfeit."""
        with self._lock:
            return self._action(game, state, seat)

    def _action(self, game: Game, state: State, seat: Seat) -> Action:
        actions = game.rules.legal(state, seat)
        child = self._ready()
        self._number += 1
        question = {
            "type": "move",
            "number": self._number,
            "view": game.projection.view(state),
            "actions": [{"move": game.notation.write(action), "action": action} for action in actions],
        }
        answer = self._ask(child, question, self._terms.seconds, ProgramAnswer)
        named = [value for value in (answer.index, answer.move, answer.action) if value is not None]
        if answer.number != self._number or len(named) != 1:
            raise self._failed("nonsense", _in_json(answer))
        chosen = _chosen(game, actions, answer)
        if chosen is None:
            raise Forfeit("illegal", self._terms.follows, _in_json(named[0]))
        return chosen

    def end(self, reason: str, standings: Sequence[Standing]) -> None:
        """The match is over; a program that was not asked in it is not told."""
        if self._child is not None and self._is_greeted:
            places = [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in standings]
            self._child.tell(msgspec.json.encode({"type": "end", "reason": reason, "standings": places}))
        self._is_greeted = False

    def close(self) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.stop(GRACE)
            self._child = None

    def _ready(self) -> Child:
        """The process, started and greeted. Refused where it is missing; no move is forfeited then."""
        if self._child is None:
            start = self._start(self._terms.run, self._folder)
            try:
                self._child = Child(start.command, self._folder, start.environment)
            except OSError as error:
                raise UsageError(
                    "bot/missing", f"{quoted(start.command[0])} cannot be started: {error.strerror or error}."
                ) from error
            self._is_greeted = False
        child = self._child
        if not self._is_greeted:
            ready = self._ask(child, self._greeting, STARTS_WITHIN * self._terms.seconds, Ready)
            if ready.protocol != PROTOCOL:
                raise self._failed("nonsense", f"protocol {ready.protocol}, not {PROTOCOL}")
            self._is_greeted = True
        return child

    def _ask(self, child: Child, question: object, seconds: float, kind: type[Said]) -> Said:
        try:
            line = child.ask(msgspec.json.encode(question), seconds)
        except TimeoutError:
            raise self._failed("late", f"more than {seconds:g} s") from None
        except Babble as babble:
            raise self._failed("nonsense", str(babble)) from None
        except Ended as ended:
            raise self._failed("died", str(ended)) from None
        try:
            if excess(line):
                raise ValueError
            return msgspec.json.decode(line, type=kind)
        except (ValueError, RecursionError):
            raise self._failed("nonsense", line.decode(errors="replace")) from None

    def _failed(self, why: ForfeitReason, said: str) -> Forfeit:
        """The forfeit of a process that cannot be trusted to go on; the next move is asked of a new one."""
        if self._child is not None:
            self._child.stop()
            self._child = None
        return Forfeit(why, self._terms.follows, _in_short(said))


def _chosen(game: Game, actions: Sequence[Action], answer: ProgramAnswer) -> Action | None:
    """The legal action that is named; None where none is."""
    if answer.index is not None:
        return actions[answer.index] if 0 <= answer.index < len(actions) else None
    if answer.action is not None:
        return next((action for action in actions if _as_sent(action) == answer.action), None)
    try:
        action = game.notation.read(answer.move or "")
    except LedgerError:
        return None
    return action if action in actions else None


def _as_sent(action: Action) -> object:
    """An action as whoever was told it reads it: JSON has lists where we have tuples."""
    return msgspec.json.decode(msgspec.json.encode(action))


def _in_json(value: object) -> str:
    return _in_short(msgspec.json.encode(value).decode())


def _in_short(text: str) -> str:
    shown = visible(text.strip()[:MAX_SAID])
    return shown if len(shown) <= MAX_SAID else shown[: MAX_SAID - 1] + "…"
