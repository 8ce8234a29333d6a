"""A person at the terminal: the board, a prompt, the bots' replies, and undo when a finger slipped."""

from collections.abc import Callable
from dataclasses import dataclass

from projections.words import joined
from service.errors import Conflict, LedgerError, UsageError
from service.limits import read_number
from service.play import moves
from service.play.bots import is_bot
from service.play.history import Live
from service.play.ledger import Ledger
from service.play.replay import load
from service.shell.answers.match import told
from service.shell.terminal.paint import say, say_lines, say_packed, show_error, show_table
from service.shell.terminal.tables import show_result, show_scores
from service.shell.terminal.views import show_fairness, show_log
from service.visible import visible

HELP = """\
  moves    list the legal moves, numbered; then #3 plays the third
  undo     take back your last move, and the bots' replies to it
  redo     play it again
  accept   agree to an undo somebody asked for; decline does not
  scores   the score sheet        log    what has happened
  board    the table again        quit   leave; the match stays in the ledger
The tab key completes moves."""
QUIT = ("quit", "exit")


@dataclass
class Sitting:
    """One person's evening with one match."""

    ledger: Ledger
    live: Live
    seen: int = 0
    """How many events have been told."""


def play(ledger: Ledger, live: Live, ask: Callable[[str], str] = input) -> None:
    """Play until the match is over or the person leaves. Every move is in the ledger before the next prompt."""
    sitting = Sitting(ledger, live)
    _complete(sitting)
    examples = ", ".join(f"{move} is {meaning}" for move, meaning in live.game.notation.examples[:2])
    say(f"{live.game.title}, match {live.id}. Type a move ({examples}), or help.", "dim")
    show_fairness(live)
    try:
        _show_news(sitting)
        while sitting.live.table.closed is None:
            text = ask(visible(_prompt(sitting.live))).strip()
            if text.lower() in QUIT:
                break
            _try(sitting, text)
    except (EOFError, KeyboardInterrupt):
        say("")
    if sitting.live.table.closed is None:
        say(f"The match is kept. Go on with: matchledger play {live.id}", "dim")
    else:
        say("")
        show_result(sitting.live)
        say("")
        say(f"The match is kept; see: matchledger scores {live.id}", "dim")


def _try(sitting: Sitting, text: str) -> None:
    try:
        if _obey(sitting, text):
            _show_news(sitting)
    except Conflict as refusal:
        show_error(refusal, as_json=False)
        sitting.live = load(sitting.ledger, sitting.live.id)
        _show_news(sitting)
    except LedgerError as refusal:
        show_error(refusal, as_json=False)


def _prompt(live: Live) -> str:
    if live.table.request is not None:
        return f"{joined([live.names[seat] for seat in moves.seats_to_answer(live)])}, accept or decline> "
    seat = _at_the_keyboard(live)
    return f"{live.names[seat]}> " if seat else "deal> "


def _at_the_keyboard(live: Live) -> int:
    """The seat a move typed now is for; 0 while chance is awaited."""
    return next((seat for seat in live.game.projection.to_act(live.table.state) if not is_bot(live, seat)), 0)


def _show_news(sitting: Sitting) -> None:
    """Let the bots reply, tell what happened since, and show the board."""
    live = sitting.live = moves.replied(sitting.ledger, sitting.live)
    if sitting.seen:
        say("")
        for envelope in live.envelopes[sitting.seen :]:
            say("  " + told(live, envelope), "dim", indent=4)
    sitting.seen = len(live.envelopes)
    say("")
    _show_board(live)


def _show_board(live: Live) -> None:
    show_table(live.game.projection, live.table.state, live.names)
    request = live.game.rules.request(live.table.state)
    if live.table.request is not None:
        asked = live.table.request
        say("")
        say(f"{live.names[asked.seat]} asks to undo everything from step {asked.step} on.")
    elif request is not None and live.table.closed is None:
        example = moves.outcome_example(live)
        how = f"type what was drawn, such as {example}" if example else "type deal"
        say("")
        say(f"The {request.purpose} is awaited: {how}.")


def _obey(sitting: Sitting, text: str) -> bool:
    """Do what was typed; whether the table has changed."""
    ledger, live = sitting.ledger, sitting.live
    word = text.lower()
    seat = _at_the_keyboard(live)
    if word in _LOOKING:
        _LOOKING[word](live)
        return False
    if word == "undo":
        moves.take_back(ledger, live)
    elif word == "redo":
        moves.play_again(ledger, live)
    elif word in ("accept", "decline"):
        moves.answer_undo(ledger, live, next(iter(moves.seats_to_answer(live)), None), word == "accept")
    elif seat:
        moves.move(ledger, live, seat, _numbered(live, seat, text) if text.startswith("#") else text)
    elif word == "deal" or live.table.opened.chance == "recorded":
        moves.deal(ledger, live, None if word == "deal" else text)
    else:
        raise UsageError("move/awaiting-chance", f"{text!r} cannot be played now: type deal first.")
    return True


def _numbered(live: Live, seat: int, text: str) -> str:
    listed = list(moves.legal_moves(live, seat))
    try:
        number = read_number(text[1:])
    except ValueError:
        number = 0
    if not 1 <= number <= len(listed):
        raise UsageError("move/number", f"{text!r} is not in the list; choose #1–#{len(listed)}.")
    return listed[number - 1]


def _show_help(live: Live) -> None:
    say("Type a move as it is written:", "dim")
    for move, meaning in live.game.notation.examples:
        say(f"  {move:8} {meaning}", "dim", indent=11)
    say_lines("or one of:\n" + HELP, "dim")


def _show_moves(live: Live) -> None:
    seat = _at_the_keyboard(live)
    say_packed([f"#{number} {move}" for number, move in enumerate(_choices(live), start=1)])
    if not seat:
        say("  deal")


_LOOKING: dict[str, Callable[[Live], None]] = {
    "": lambda live: None,
    "help": _show_help,
    "?": _show_help,
    "board": _show_board,
    "scores": show_scores,
    "log": show_log,
    "moves": _show_moves,
    "legal": _show_moves,
}


def _choices(live: Live) -> list[str]:
    seat = _at_the_keyboard(live)
    return list(moves.legal_moves(live, seat)) if seat else []


def _complete(sitting: Sitting) -> None:
    """Give the prompt a history, arrow keys and completion, where the platform has them."""
    try:
        import readline
    except ImportError:
        return
    words = ["undo", "redo", "moves", "scores", "log", "board", "help", "quit"]

    def complete(text: str, index: int) -> str | None:
        found = [choice for choice in (*_choices(sitting.live), *words) if choice.lower().startswith(text.lower())]
        return found[index] if index < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(complete)
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
