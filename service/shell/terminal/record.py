"""A match at a real table, entered as it goes: what was drawn, who did what, and undo when a finger slipped."""

from collections.abc import Callable, Sequence

from events.core import Seat
from projections.core import Names
from projections.story import sentence
from service.errors import LedgerError
from service.handle import handle
from service.play.appending import Call
from service.play.commands import Abandon, Act, Deal, Redo, Resign, Undo
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.moves import legal_moves, seat_to_act
from service.records.grammar import read_parts, split_comment
from service.records.seats import readings
from service.shell.terminal.paint import say, say_lines, show_error, show_table
from service.shell.terminal.tables import show_result, show_scores
from service.shell.terminal.words import drawn, moved
from service.visible import visible

HELP = """\
Enter what happens at the table: what was drawn, when you are asked for it, and every move ({examples}).
Where several players may move, begin with the seat or the name: 2: and the move. Write & between
several entries on one line. Or type one of these words:
  moves    the legal moves        undo / redo   take the last entry back, or enter it again
  scores   the score sheet        log           what has happened
  board    the table              resigns, abandon   end the match early (1: resigns)
  quit     leave; the match stays in the ledger"""


def ask_names(seats: range, ask: Callable[[str], str] = input) -> list[str]:
    """Who sits at the table, in turn order."""
    words = ask(f"Players in turn order, separated by commas ({seats[0]}–{seats[-1]}): ")
    return [name.strip() for name in words.split(",") if name.strip()]


def record(ledger: LocalLedger, live: Live, ask: Callable[[str], str] = input) -> None:
    """Enter a match until it is over or the person leaves. Every entry is in the ledger before the next prompt."""
    say_lines(HELP.format(examples=", ".join(f"{m} = {what}" for m, what in live.game.notation.examples[:2])), "dim")
    _show(live)
    while live.table.closed is None:
        try:
            text = split_comment(ask(visible(_prompt(live))).strip())[0]
        except (EOFError, KeyboardInterrupt):
            text = "quit"
        before = len(live.envelopes)
        is_left = _obey_all(ledger, live, [part.text for part in read_parts(text)])
        if len(live.envelopes) > before:
            _tell(live, before)
        if is_left:
            break
    show_result(live)
    on = "" if live.table.closed else f" Go on with: matchledger record {live.id}"
    say("")
    say(f"The match is kept as {live.id}. Export it with: matchledger export {live.id} -o FILE{on}", "dim")


def _prompt(live: Live) -> str:
    request = live.game.rules.request(live.table.state)
    if request is not None:
        return f"{request.purpose}> "
    return f"{' or '.join(live.names[seat] for seat in live.game.projection.to_act(live.table.state))}> "


def _obey_all(ledger: LocalLedger, live: Live, entries: Sequence[str]) -> bool:
    """Obey the entries of a line in turn, up to the first that is refused; whether one of them leaves."""
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
    if not word:
        return
    if word in ("help", "?"):
        say_lines(HELP.format(examples="see below"), "dim")
        for move, meaning in live.game.notation.examples:
            say(f"  {move:8} {meaning}", "dim")
    elif word == "board":
        _show(live)
    elif word == "scores":
        show_scores(live)
    elif word == "log":
        _tell(live, 0, with_board=False)
    elif word == "moves":
        for seat in live.game.projection.to_act(live.table.state):
            say(f"{live.names[seat]}: {'  '.join(legal_moves(live, seat))}")
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
    ways = list(readings(text, {seat: row.name for seat, row in live.seats.items()}))
    moves = {move.upper() for seat in live.game.projection.to_act(live.table.state) for move in legal_moves(live, seat)}
    return next((way for way in ways if "".join(way[1].split()).upper() in moves), ways[0])


def _tell(live: Live, since: int, *, with_board: bool = True) -> None:
    for envelope in live.envelopes[since:]:
        say("  " + sentence(live.game.projection, envelope.event, live.names), "dim")
    if with_board:
        _show(live)


def _show(live: Live) -> None:
    say("")
    names: Names = live.names
    show_table(live.game.projection, live.table.state, names)


def default_names(names: Sequence[str], least: int) -> list[str]:
    """The names given, and numbers for seats nobody named."""
    return [*names, *(f"Seat {seat}" for seat in range(len(names) + 1, least + 1))]
