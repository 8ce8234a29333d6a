"""A score pad at the terminal: asks round by round what everybody laid, built or collected."""

from collections.abc import Callable
from typing import Final

from events.core import Seat
from projections.story import sentence
from service.errors import LedgerError, UsageError
from service.handle import handle
from service.limits import read_number
from service.play import moves
from service.play.commands import Abandon, Enter, Redo, Undo
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.records.seats import readings
from service.shell.terminal.paint import say, say_lines, say_packed, show_error, show_table
from service.shell.terminal.tables import show_result, show_scores
from service.shell.terminal.views import show_log
from service.visible import visible

HELP: Final = """\
Enter what the player who is asked has placed, several entries on one line; the last kind of entry
in the list below ends the turn. For another player, begin with the name: Ben: and the entries.
Or type one of these words:
  moves    what can be entered    undo / redo   the last entry; undo 3 for the last three
  scores   the score sheet        log           what was entered
  board    the pad                abandon       end without a result
  quit     leave; the pad stays in the ledger"""


def keep_pad(ledger: LocalLedger, live: Live, ask: Callable[[str], str] = input) -> None:
    """Ask until the game is over or the person leaves. Every line is in the ledger before the next prompt."""
    say(f"{live.game.title}, match {live.id}. Type help for how entries are written.", "dim")
    _show_examples(live)
    _show_pad(live)
    while live.table.closed is None:
        try:
            text = ask(visible(f"{live.names[_asked(live)]}> ")).strip()
        except (EOFError, KeyboardInterrupt):
            say("")
            break
        if text.lower() in ("quit", "exit"):
            break
        before = len(live.envelopes)
        try:
            _obey(ledger, live, text)
        except LedgerError as refusal:
            show_error(refusal, as_json=False)
        if len(live.envelopes) > before:
            for envelope in live.envelopes[before:]:
                say("  " + sentence(live.game.projection, envelope.event, live.names), "dim", indent=4)
            _show_pad(live)
    show_kept(live)


def show_kept(live: Live) -> None:
    """How a pad stands, and what can be done with it."""
    if live.table.closed is not None:
        say("")
        show_result(live)
    on = "" if live.table.closed else f" Go on with: matchledger pad {live.id}"
    say("")
    say(f"The pad is kept as {live.id}; see: matchledger scores {live.id}.{on}", "dim")


def _asked(live: Live) -> Seat:
    return live.game.projection.to_act(live.table.state)[0]


def _obey(ledger: LocalLedger, live: Live, text: str) -> None:
    word, _, number = text.lower().partition(" ")
    if text.lower() in _LOOKING:
        _LOOKING[text.lower()](live)
    elif word in ("undo", "redo") and (not number or number.isdigit()):
        steps = _steps(number)
        handle(ledger, live, Undo(steps=steps) if word == "undo" else Redo(steps=steps))
    elif word == "abandon":
        handle(ledger, live, Abandon())
    else:
        _enter(ledger, live, text)


def _steps(number: str) -> int:
    try:
        return read_number(number or "1")
    except ValueError as error:
        raise UsageError("pad/steps", f"{error}.") from error


def _enter(ledger: LocalLedger, live: Live, text: str) -> None:
    assert live.game.notation.read_line is not None
    try:
        named, entries = next(readings(text, {seat: row.name for seat, row in live.seats.items()}))
    except ValueError as error:
        raise UsageError("pad/seat", f"{error}.") from error
    seat = _asked(live) if named is None else named
    handle(ledger, live, Enter(entries=tuple((seat, action) for action in live.game.notation.read_line(entries))))


def _show_pad(live: Live) -> None:
    say("")
    show_table(live.game.projection, live.table.state, live.names)


def _show_examples(live: Live) -> None:
    for move, meaning in live.game.notation.examples:
        say(f"  {move:8} {meaning}", "dim", indent=11)


def _show_help(live: Live) -> None:
    say_lines(HELP, "dim")
    _show_examples(live)


def _show_moves(live: Live) -> None:
    for seat in live.game.projection.to_act(live.table.state):
        say(f"{live.names[seat]}:")
        say_packed(list(moves.legal_moves(live, seat)))


_LOOKING: Final[dict[str, Callable[[Live], None]]] = {
    "": lambda live: None,
    "help": _show_help,
    "?": _show_help,
    "board": _show_pad,
    "scores": show_scores,
    "log": show_log,
    "moves": _show_moves,
}
