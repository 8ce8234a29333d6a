"""What happens at a real table, entered as it goes: every move and what was drawn, or a score pad round by round."""

from collections.abc import Callable, Mapping
from typing import Final

from events.core import Seat
from projections.story import sentence
from service.errors import LedgerError, UsageError
from service.handle import handle
from service.limits import read_number
from service.play.appending import Call
from service.play.commands import Abandon, Act, Deal, Enter, Redo, Resign, Undo
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.moves import legal_moves, seat_to_act
from service.records.grammar import read_parts, split_comment
from service.records.seats import readings
from service.shell.terminal.paint import say, say_lines, say_packed, show_error, show_table
from service.shell.terminal.views import show_log, show_result, show_scores
from service.shell.terminal.words import drawn, moved
from service.visible import visible

RECORD_HELP: Final = """\
Enter what happens at the table: what was drawn, when you are asked for it, and every move ({examples}).
Where several players may move, begin with the seat or the name: 2: and the move. Write & between
several entries on one line. Or type one of these words:
  moves    the legal moves        undo / redo   take the last entry back, or enter it again
  scores   the score sheet        log           what has happened
  board    the table              resigns, abandon   end the match early (1: resigns)
  quit     leave; the match stays in the ledger"""
PAD_HELP: Final = """\
Enter what the player who is asked has placed, several entries on one line; the last kind of entry
in the list below ends the turn. For another player, begin with the name: Ben: and the entries.
Or type one of these words:
  moves    what can be entered    undo / redo   the last entry; undo 3 for the last three
  scores   the score sheet        log           what was entered
  board    the pad                abandon       end without a result
  quit     leave; the pad stays in the ledger"""


def ask_names(seats: range) -> list[str]:
    """Who sits at the table, in turn order."""
    words = input(f"Players in turn order, separated by commas ({seats[0]}–{seats[-1]}): ")
    return [name.strip() for name in words.split(",") if name.strip()]


def _enter_lines(live: Live, prompt: Callable[[], str], obey: Callable[[str], bool], indent: int = 0) -> bool:
    """Ask until the match is over or `obey` says that the person leaves; whether the input ended before.

    What a line has led to is in the ledger, and told, before the next prompt.
    """
    is_left = False
    while live.table.closed is None and not is_left:
        try:
            text = input(visible(prompt())).strip()
        except (EOFError, KeyboardInterrupt):
            return True
        before = len(live.envelopes)
        is_left = obey(text)
        if len(live.envelopes) > before:
            _tell(live, before, indent)
            _show(live)
    return False


def _tell(live: Live, since: int = 0, indent: int = 0) -> None:
    for envelope in live.envelopes[since:]:
        say("  " + sentence(live.game.projection, envelope.event, live.names), "dim", indent=indent)


def _show(live: Live) -> None:
    say("")
    show_table(live.game.projection, live.table.state, live.names)


def _show_examples(live: Live, indent: int = 0) -> None:
    for move, meaning in live.game.notation.examples:
        say(f"  {move:8} {meaning}", "dim", indent=indent)


def _names(live: Live) -> Mapping[Seat, str]:
    """What the players are called, as they may stand in front of an entry."""
    return {seat: row.name for seat, row in live.seats.items()}


# ------------------------------------------------------------------------------------------------- every move


def record(ledger: LocalLedger, live: Live) -> None:
    """Enter a match until it is over or the person leaves."""
    examples = ", ".join(f"{move} = {meaning}" for move, meaning in live.game.notation.examples[:2])
    say_lines(RECORD_HELP.format(examples=examples), "dim")
    _show(live)
    _enter_lines(live, lambda: _awaited(live), lambda line: _obey_all(ledger, live, line))
    show_result(live)
    on = "" if live.table.closed else f" Go on with: matchledger record {live.id}"
    say("")
    say(f"The match is kept as {live.id}. Export it with: matchledger export {live.id} -o FILE{on}", "dim")


def _awaited(live: Live) -> str:
    request = live.game.rules.request(live.table.state)
    if request is not None:
        return f"{request.purpose}> "
    return f"{' or '.join(live.names[seat] for seat in live.game.projection.to_act(live.table.state))}> "


def _obey_all(ledger: LocalLedger, live: Live, line: str) -> bool:
    """Obey the entries of a line in turn, up to the first that is refused; whether one of them leaves."""
    entries = [part.text for part in read_parts(split_comment(line)[0])]
    for place, entry in enumerate(entries, start=1):
        if entry.lower() == "quit":
            return True
        try:
            _obey(ledger, live, entry)
        except LedgerError as refusal:
            show_error(refusal, as_json=False)
            if rest := " & ".join(entries[place:]):
                say(f"Left out, because {entry} was refused: {rest}", "bad")
            return False
    return False


def _obey(ledger: LocalLedger, live: Live, text: str) -> None:
    word = text.lower()
    if word in _LOOKING:
        _LOOKING[word](live)
    elif word in ("undo", "redo"):
        handle(ledger, live, Undo(steps=1) if word == "undo" else Redo(steps=1), Call(seat=1))
    elif word in ("abandon", "abandoned"):
        handle(ledger, live, Abandon())
    else:
        _enter(ledger, live, text)


def _enter(ledger: LocalLedger, live: Live, text: str) -> None:
    """A drawing of chance where one is awaited, else the move or the resignation of a seat."""
    request = live.game.rules.request(live.table.state)
    named, spoken = _who(live, text)
    if spoken.lower() in ("resign", "resigns"):
        handle(ledger, live, Resign(), Call(seat=seat_to_act(live, named)))
    elif request is not None:
        said = text[4:].strip() if text.lower().startswith("deal") else text
        handle(ledger, live, Deal(outcome=drawn(live, said)))
    else:
        handle(ledger, live, Act(move=moved(live, spoken)), Call(seat=seat_to_act(live, named)))


def _who(live: Live, text: str) -> tuple[Seat | None, str]:
    ways = list(readings(text, _names(live)))
    moves = {move.upper() for seat in live.game.projection.to_act(live.table.state) for move in legal_moves(live, seat)}
    return next((way for way in ways if "".join(way[1].split()).upper() in moves), ways[0])


def _show_help(live: Live) -> None:
    say_lines(RECORD_HELP.format(examples="see below"), "dim")
    _show_examples(live)


def _show_moves(live: Live) -> None:
    for seat in live.game.projection.to_act(live.table.state):
        say(f"{live.names[seat]}: {'  '.join(legal_moves(live, seat))}")


_LOOKING: Final[dict[str, Callable[[Live], None]]] = {
    "": lambda live: None,
    "help": _show_help,
    "?": _show_help,
    "board": _show,
    "scores": show_scores,
    "log": _tell,
    "moves": _show_moves,
}


# ------------------------------------------------------------------------------------------------- a score pad


def keep_pad(ledger: LocalLedger, live: Live) -> None:
    """Ask round by round what everybody laid, built or collected, until the game is over or the person leaves."""
    say(f"{live.game.title}, match {live.id}. Type help for how entries are written.", "dim")
    _show_examples(live, indent=11)
    _show(live)
    if _enter_lines(
        live, lambda: f"{live.names[_asked(live)]}> ", lambda line: _obey_pad(ledger, live, line), indent=4
    ):
        say("")
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


def _obey_pad(ledger: LocalLedger, live: Live, text: str) -> bool:
    """Obey a line, or show why it is refused; whether it leaves."""
    if text.lower() in ("quit", "exit"):
        return True
    word, _, number = text.lower().partition(" ")
    try:
        if text.lower() in _LOOKING_AT_PAD:
            _LOOKING_AT_PAD[text.lower()](live)
        elif word in ("undo", "redo") and (not number or number.isdigit()):
            steps = _steps(number)
            handle(ledger, live, Undo(steps=steps) if word == "undo" else Redo(steps=steps))
        elif word == "abandon":
            handle(ledger, live, Abandon())
        else:
            _enter_in_pad(ledger, live, text)
    except LedgerError as refusal:
        show_error(refusal, as_json=False)
    return False


def _steps(number: str) -> int:
    try:
        return read_number(number or "1")
    except ValueError as error:
        raise UsageError("pad/steps", f"{error}.") from error


def _enter_in_pad(ledger: LocalLedger, live: Live, text: str) -> None:
    assert live.game.notation.read_line is not None
    try:
        named, entries = next(readings(text, _names(live)))
    except ValueError as error:
        raise UsageError("pad/seat", f"{error}.") from error
    seat = _asked(live) if named is None else named
    handle(ledger, live, Enter(entries=tuple((seat, action) for action in live.game.notation.read_line(entries))))


def _show_pad_help(live: Live) -> None:
    say_lines(PAD_HELP, "dim")
    _show_examples(live, indent=11)


def _show_entries(live: Live) -> None:
    for seat in live.game.projection.to_act(live.table.state):
        say(f"{live.names[seat]}:")
        say_packed(list(legal_moves(live, seat)))


_LOOKING_AT_PAD: Final = _LOOKING | {
    "help": _show_pad_help,
    "?": _show_pad_help,
    "log": show_log,
    "moves": _show_entries,
}
