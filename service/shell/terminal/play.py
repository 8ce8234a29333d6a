"""A person at the terminal: the board, a prompt, the bots' replies, and undo when a finger slipped."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from events.core import Seat
from projections.words import joined
from service.errors import Conflict, LedgerError, UsageError
from service.limits import read_number
from service.play import moves
from service.play.appending import Call, check_seat
from service.play.bots import is_bot
from service.play.history import Live
from service.shell.answers.match import told
from service.shell.house.house import House
from service.shell.terminal.keyboard import Keyboard
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
Ask = Callable[[str, int], str | None]
"""Prompts for a line; None where something happened behind the last event that was told."""


@dataclass
class Sitting:
    """One person's evening with one match."""

    house: House
    live: Live
    own: Collection[Seat] | None
    """The seats that act from this keyboard; None where everybody shares it."""
    seen: int = 0
    """How many events have been told."""

    @property
    def seat(self) -> Seat | None:
        """The seat that is meant when nobody says; None where it is whose turn it is."""
        return next(iter(self.own)) if self.own and len(self.own) == 1 else None


def play(house: House, live: Live, seat: Seat | None = None) -> None:
    """Play until the match is over or the person leaves. Every move is in the ledger before the next prompt.

    At a server others play from other terminals: what they do is told as it happens, and their turns are waited for.
    """
    sitting = Sitting(house, live, _own_seats(house, live, seat))
    examples = ", ".join(f"{move} is {meaning}" for move, meaning in live.game.notation.examples[:2])
    say(f"{live.game.title}, match {live.id}. Type a move ({examples}), or help.", "dim")
    show_fairness(live)
    news = house.news(live)
    ask: Ask = Keyboard(news).ask if news is not None else _with_completion(sitting)
    try:
        _show_news(sitting)
        while sitting.live.table.closed is None:
            text = ask(visible(_prompt(sitting)), sitting.seen)
            if text is None:
                _catch_up(sitting, seat)
            elif text.strip().lower() in QUIT:
                break
            else:
                _try(sitting, text.strip())
    except (EOFError, KeyboardInterrupt):
        say("")
    finally:
        if news is not None:
            news.close()
    if sitting.live.table.closed is None:
        say(f"The match is kept. Go on with: matchledger play {live.id}", "dim")
    else:
        say("")
        show_result(sitting.live)
        say("")
        say(f"The match is kept; see: matchledger scores {live.id}", "dim")


def _own_seats(house: House, live: Live, seat: Seat | None) -> Collection[Seat] | None:
    own = house.own_seats(live)
    if seat is None:
        return own
    if own is None:
        raise UsageError("play/seat", "Everybody shares this keyboard; --seat is for playing at a server.")
    check_seat(live.opened, seat)
    return [seat]


def _catch_up(sitting: Sitting, seat: Seat | None) -> None:
    """See what others did meanwhile; whoever sat down has a token, and ours for that seat is void."""
    was_full = sitting.live.table.is_full
    sitting.live = sitting.house.load(sitting.live.id)
    if not was_full:
        sitting.own = _own_seats(sitting.house, sitting.live, seat)
    _show_news(sitting)


def _try(sitting: Sitting, text: str) -> None:
    try:
        if _obey(sitting, text):
            _show_news(sitting)
    except Conflict as refusal:
        show_error(refusal, as_json=False)
        sitting.live = sitting.house.load(sitting.live.id)
        _show_news(sitting)
    except LedgerError as refusal:
        show_error(refusal, as_json=False)


def _prompt(sitting: Sitting) -> str:
    live = sitting.live
    if live.table.request is not None:
        answering = _to_answer(sitting)
        if not answering:
            return _waiting(live, moves.seats_to_answer(live))
        return f"{joined([live.names[seat] for seat in answering])}, accept or decline> "
    if not live.table.is_full:
        return "Waiting for somebody to join… "
    seat = _at_the_keyboard(sitting)
    if not seat and (sitting.own is None or (sitting.own and live.game.rules.request(live.table.state) is not None)):
        return "deal> "
    return f"{live.names[seat]}> " if seat else _waiting(live, live.game.projection.to_act(live.table.state))


def _waiting(live: Live, seats: Sequence[Seat]) -> str:
    return f"Waiting for {joined([live.names[seat] for seat in seats]) or 'the deal'}… "


def _at_the_keyboard(sitting: Sitting) -> Seat:
    """The seat a move typed now is for; 0 while chance or somebody elsewhere is awaited."""
    live = sitting.live
    here = (seat for seat in live.game.projection.to_act(live.table.state) if not is_bot(live, seat))
    return next((seat for seat in here if sitting.own is None or seat in sitting.own), 0)


def _to_answer(sitting: Sitting) -> list[Seat]:
    """Who at this keyboard has still to answer an undo request."""
    waiting = moves.seats_to_answer(sitting.live)
    return [seat for seat in waiting if sitting.own is None or seat in sitting.own]


def _show_news(sitting: Sitting) -> None:
    """Let the bots reply, tell what happened since, and show the board."""
    live = sitting.live = sitting.house.replied(sitting.live)
    if sitting.seen:
        say("")
        for envelope in live.envelopes[sitting.seen :]:
            say("  " + told(live, envelope), "dim", indent=4)
    sitting.seen = len(live.envelopes)
    say("")
    _show_board(sitting)


def _show_board(sitting: Sitting) -> None:
    live = sitting.live
    show_table(live.game.projection, live.table.state, live.names)
    request = live.game.rules.request(live.table.state)
    if live.table.request is not None:
        asked = live.table.request
        say("")
        say(f"{live.names[asked.seat]} asks to undo everything from step {asked.step} on.")
    elif request is not None and live.table.closed is None and live.table.is_full:
        example = moves.outcome_example(live)
        how = f"type what was drawn, such as {example}" if example else "type deal"
        say("")
        say(f"The {request.purpose} is awaited: {how}.")


def _obey(sitting: Sitting, text: str) -> bool:
    """Do what was typed; whether the table has changed."""
    house, live = sitting.house, sitting.live
    call = Call(live.head.seq)  # what was typed is about what was seen
    word = text.lower()
    seat = _at_the_keyboard(sitting)
    if word in _LOOKING:
        _LOOKING[word](sitting)
        return False
    if word == "undo":
        house.take_back(live, sitting.seat, None, call)
    elif word == "redo":
        house.play_again(live, sitting.seat, None, call)
    elif word in ("accept", "decline"):
        house.answer_undo(live, next(iter(_to_answer(sitting)), sitting.seat), word == "accept", call)
    elif seat:
        house.move(live, seat, _numbered(live, seat, text) if text.startswith("#") else text, call)
    elif sitting.own is not None and live.game.rules.request(live.table.state) is None:
        house.move(live, sitting.seat, text, call)  # it is somebody else's turn, and the rules say so best
    elif word == "deal" or live.table.opened.chance == "recorded":
        house.deal(live, None if word == "deal" else text, call)
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


def _show_help(sitting: Sitting) -> None:
    say("Type a move as it is written:", "dim")
    for move, meaning in sitting.live.game.notation.examples:
        say(f"  {move:8} {meaning}", "dim", indent=11)
    say_lines("or one of:\n" + HELP, "dim")


def _show_moves(sitting: Sitting) -> None:
    say_packed([f"#{number} {move}" for number, move in enumerate(_choices(sitting), start=1)])
    if _prompt(sitting).startswith("deal"):
        say("  deal")


_LOOKING: dict[str, Callable[[Sitting], None]] = {
    "": lambda sitting: None,
    "help": _show_help,
    "?": _show_help,
    "board": _show_board,
    "scores": lambda sitting: show_scores(sitting.live),
    "log": lambda sitting: show_log(sitting.live),
    "moves": _show_moves,
    "legal": _show_moves,
}


def _choices(sitting: Sitting) -> list[str]:
    seat = _at_the_keyboard(sitting)
    return list(moves.legal_moves(sitting.live, seat)) if seat else []


def _with_completion(sitting: Sitting) -> Ask:
    """A prompt with a history, arrow keys and completion, where the platform has them."""

    def ask(prompt: str, seen: int) -> str:
        return input(prompt)

    try:
        import readline
    except ImportError:
        return ask
    words = ["undo", "redo", "moves", "scores", "log", "board", "help", "quit"]

    def complete(text: str, index: int) -> str | None:
        found = [choice for choice in (*_choices(sitting), *words) if choice.lower().startswith(text.lower())]
        return found[index] if index < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(complete)
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    return ask
