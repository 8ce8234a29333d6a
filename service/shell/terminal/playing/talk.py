"""What is typed at the prompt of `play`: a move, or one of its words."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from events.core import Seat
from projections.timeline import undone_steps
from service.errors import UsageError, unknown
from service.games.notation import Malformed
from service.limits import quoted, read_number
from service.play import hints, preview
from service.play.appending import Call
from service.play.commands import Act, AnswerUndo, Command, Deal, Redo, Resign, Undo
from service.play.preview import Choice
from service.questions.explain import explain
from service.questions.rulebook import find_rule, rulebook
from service.shell.terminal import rulings
from service.shell.terminal.advice import show_hints
from service.shell.terminal.choices import samples, show_choices
from service.shell.terminal.paint import say, say_lines, show_picture
from service.shell.terminal.playing.screen import View
from service.shell.terminal.playing.sitting import Sitting
from service.shell.terminal.views import show_fairness, show_log, show_scores
from service.shell.terminal.words import maybe_number

QUIT: Final = ("quit", "exit")


Do = Callable[[Sitting, View, Sequence[str]], bool]
"""Does something, given what was typed behind its word; whether the table has changed."""


class Word(NamedTuple):
    """A word of the prompt."""

    help: str
    do: Do
    takes: str = ""
    """What may be typed behind it."""


def obey(sitting: Sitting, view: View, text: str) -> bool:
    """Do what was typed; whether the table has changed."""
    first, *rest = text.split() or [""]
    word = WORDS.get(first.lower())
    if word is not None:
        if rest and not word.takes:
            raise UsageError("play/word", f"{quoted(text)}: nothing can follow {first.lower()}.")
        return word.do(sitting, view, rest)
    return _play(sitting, view, text) if text else False


# ------------------------------------------------------------------------------------------------------------ moving


def _play(sitting: Sitting, view: View, text: str) -> bool:
    live, seat = sitting.live, sitting.acting
    if seat:
        move = _numbered(sitting.choices, text) if text.startswith("#") else text
        _refuse_word(sitting, move)
        if not _is_meant(sitting, view, move):
            return False
        _send(sitting, Act(move=move), seat)
    elif sitting.own is not None and live.game.rules.request(live.table.state) is None:
        _send(sitting, Act(move=text), sitting.seat)  # it is somebody else's turn, and the rules say so best
    elif text.lower() == "deal" or live.table.opened.chance == "recorded":
        _send(sitting, Deal(outcome=None if text.lower() == "deal" else text))
    else:
        raise UsageError("move/awaiting-chance", f"{text!r} cannot be played now: type deal first.")
    return True


def _send(sitting: Sitting, command: Command, seat: Seat | None = None) -> None:
    """Send a command that is about what was seen: where others have moved on meanwhile, it is refused."""
    sitting.backend.send(sitting.live, command, Call(sitting.live.head.seq, seat=seat))


def _numbered(choices: Sequence[Choice], text: str) -> str:
    number = maybe_number(text[1:]) or 0
    if not 1 <= number <= len(choices):
        known = "#1" if len(choices) == 1 else f"#1–#{len(choices)}"
        raise UsageError("move/number", f"{text!r} is not in the list; choose {known}.")
    return choices[number - 1].move


def _refuse_word(sitting: Sitting, text: str) -> None:
    """Refuse a word that is no move at all with the words there are; a move with a slip is left to the notation."""
    first = text.split()[0]
    if len(first) < 3 or not first.isalpha():
        return
    try:
        sitting.live.game.notation.read(text)
    except Malformed as error:
        raise unknown("play/word", "a move or a word of this prompt", first, _known()) from error


def _known() -> list[str]:
    return [*(name for name in WORDS if name not in _ALIASES), QUIT[0]]


def _is_meant(sitting: Sitting, view: View, move: str) -> bool:
    """Whether a move is to be made although another is plainly better now; one that is not costly always is."""
    choices = sitting.choices
    try:
        action = sitting.live.game.notation.read(move)
    except UsageError:
        return True  # whoever carries it out says best what is wrong with it
    chosen = next((choice for choice in choices if choice.action == action), None)
    question = preview.doubt(sitting.live, chosen, choices) if chosen is not None else ""
    return not question or view.confirms(sitting, question)


# ------------------------------------------------------------------------------------------------- words that change


def _steps(rest: Sequence[str]) -> int | None:
    """How many steps; None where nobody says."""
    if not rest:
        return None
    number = maybe_number(rest[0])
    if len(rest) > 1 or number is None or number < 1:
        raise UsageError("undo/steps", f"{quoted(' '.join(rest))} is not a number of steps; give a number from 1 up.")
    return number


def _undo(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    _send(sitting, Undo(steps=_steps(rest)), sitting.seat)
    return True


def _redo(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    _send(sitting, Redo(steps=_steps(rest)), sitting.seat)
    return True


def _answer(sitting: Sitting, accepts: bool) -> bool:
    seat = next(iter(sitting.answering), sitting.seat)
    _send(sitting, AnswerUndo(accepts=accepts), seat)
    return True


def _resign(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    seat = sitting.viewer or sitting.seat
    if seat is None:
        raise UsageError("play/resign", "Nobody at this keyboard can resign now: it is not their turn.")
    who = sitting.live.names[seat]
    if not view.confirms(sitting, f"Does {who} resign? The match ends at once, with {who} last."):
        return False
    _send(sitting, Resign(), seat)
    return True


# --------------------------------------------------------------------------------------------------- words that look


def _show_help(sitting: Sitting) -> None:
    if found := samples(sitting.choices):
        say("Type a move as it is written; now, for example:", "dim")
        for choice in found:
            say(f"  {choice.move:10} {choice.words}", "dim", indent=13)
    say("Words you can type here; the Tab key completes them, and moves:", "dim")
    for name in _known()[:-1]:
        word = WORDS[name]
        say(f"  {f'{name} {word.takes}'.strip():16} {word.help}", "dim", indent=19)
    say(f"  {QUIT[0]:16} leave; the match stays in the ledger", "dim")
    _show_key(sitting)
    show_fairness(sitting.live)


def _show_key(sitting: Sitting) -> None:
    if key := sitting.live.game.projection.colour_key(sitting.live.table.state):
        show_picture([key])


def _moves(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    beginning = "".join(rest)
    moves = [choice.move for choice in sitting.choices]
    if moves and not any(move.upper().startswith(beginning.upper()) for move in moves):
        raise UsageError("play/moves", f"No legal move begins with {quoted(beginning)}; moves lists them all.")
    view.aside(lambda: _show_moves(sitting, beginning))
    return False


def _show_moves(sitting: Sitting, beginning: str) -> None:
    if sitting.acting:
        show_choices(sitting.live, sitting.acting, numbered=True, beginning=beginning)
    elif sitting.is_dealing:
        say("  deal")
    else:
        say("Nobody at this keyboard can move now.", "dim")


def _hint(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    if not sitting.acting:
        raise UsageError("play/hint", "There is no hint now: it is not the turn of anybody at this keyboard.")
    level = hints.read_level(" ".join(rest) or str(hints.LEVEL))
    seat, found = hints.hint(sitting.live, sitting.acting, level)
    view.aside(lambda: show_hints(sitting.live, seat, level, found))
    return False


def _rules(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    found = [find_rule(text) for text in rest]
    key = sitting.live.game.key
    view.aside(lambda: rulings.show_rules(found) if found else say_lines(rulebook(key).rstrip("\n")))
    return False


def _explain(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    live = sitting.live
    if len(rest) > 1 or not all(text.isdecimal() and text.isascii() for text in rest):
        raise UsageError(
            "play/event", f"{quoted(' '.join(rest))} is not an event; give its number, as log and scores show it."
        )
    undone = undone_steps(live.envelopes)
    scored = [entry.seq for entry in live.envelopes if entry.event.scores and entry.step not in undone]
    if rest or scored:
        explained = explain(live, read_number(rest[0]) if rest else scored[-1])
        view.aside(lambda: rulings.show_explained(live, explained))
    else:
        view.aside(lambda: say("No points yet.", "dim"))
    return False


def _shows(show: Callable[[Sitting], None], *, from_end: bool = False) -> Do:
    def do(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
        view.aside(lambda: show(sitting), from_end=from_end)
        return False

    return do


def _board(sitting: Sitting, view: View, rest: Sequence[str]) -> bool:
    view.board(sitting)
    return False


_ALIASES: Final = ("legal", "?")
WORDS: Final[dict[str, Word]] = {
    "moves": Word("the legal moves, or those that begin with 2B; #3 plays one", _moves, "[2B]"),
    "legal": Word("", _moves, "[2B]"),
    "hint": Word("the best moves a search finds, at level 1 to 5", _hint, "[level]"),
    "undo": Word("take back your last move and the bots' replies, or n steps", _undo, "[n]"),
    "redo": Word("play it again", _redo, "[n]"),
    "accept": Word(
        "agree to the undo that another player asked for", lambda sitting, view, rest: _answer(sitting, True)
    ),
    "decline": Word(
        "refuse the undo that another player asked for", lambda sitting, view, rest: _answer(sitting, False)
    ),
    "scores": Word("the score sheet", _shows(lambda sitting: show_scores(sitting.live))),
    "log": Word("what has happened", _shows(lambda sitting: show_log(sitting.live), from_end=True)),
    "board": Word("the whole table", _board),
    "key": Word("what the letters of the colours mean", _shows(_show_key)),
    "rules": Word("a rule by its id, or the rulebook of this game", _rules, "[id]"),
    "explain": Word("explain an event by its number, or the last points scored", _explain, "[event]"),
    "resign": Word("give up; asks you first whether you are sure", _resign),
    "help": Word("this list", _shows(_show_help)),
    "?": Word("", _shows(_show_help)),
}
