"""A person at the terminal: the board, a prompt, the bots' replies, and undo when a finger slipped."""

from contextlib import ExitStack

from events.core import Seat
from service.errors import Conflict, LedgerError
from service.play.history import Live
from service.shell.backend.backend import Backend
from service.shell.terminal.keyboard import Keyboard, Prompt
from service.shell.terminal.paint import say, show_error
from service.shell.terminal.playing.ending import end
from service.shell.terminal.playing.screen import Redrawn, View, is_screen
from service.shell.terminal.playing.sitting import Ask, Sitting
from service.shell.terminal.playing.talk import QUIT, WORDS, obey
from service.visible import visible


def play(backend: Backend, live: Live, seat: Seat | None = None) -> None:
    """Play until the match is over or the person leaves. Every move is in the ledger before the next prompt.

    At a terminal it is a screen that is drawn anew, and what is over may be followed by a rematch. At a server others
    play from other terminals: what they do is told as it happens, and their turns are waited for.
    """
    next_one: Live | None = live
    while next_one is not None:
        next_one = _sit(Sitting(backend, next_one, seat))
        seat = None


def _sit(sitting: Sitting) -> Live | None:
    """Play one match; the rematch, if there is to be one."""
    with ExitStack() as stack:
        news = sitting.backend.news(sitting.live)
        if news is not None:
            stack.callback(news.close)
        view = View()
        if news is not None and not is_screen():
            ask: Ask = Keyboard(news).ask
        else:
            prompt = Prompt(lambda: [*(choice.move for choice in sitting.choices), *WORDS, *QUIT], news)
            ask = prompt.ask
            if is_screen():
                stack.enter_context(prompt.interruptible())
                view = Redrawn(ask)
        try:
            _play(sitting, view, ask)
            if sitting.live.table.closed is not None:
                return end(sitting, view, ask)
        except (EOFError, KeyboardInterrupt):
            say("")
        over = sitting.live.table.closed is not None
        match = sitting.live.id
        kept = f"; see: matchledger scores {match}" if over else f". Go on with: matchledger play {match}"
        say(f"The match is kept{kept}", "dim")
    return None


def _play(sitting: Sitting, view: View, ask: Ask) -> None:
    sitting.hear()
    view.greet(sitting, _greeting(sitting))
    view.table(sitting)
    while sitting.live.table.closed is None:
        text = view.ready(sitting)
        if text is None:
            text = ask(visible(sitting.prompt), sitting.seen)
        if text is None:
            sitting.catch_up()
            if len(sitting.live.envelopes) > sitting.seen:
                sitting.hear()
                view.table(sitting)
        elif text.strip().lower() in QUIT:
            break
        else:
            _try(sitting, view, text.strip())


def _greeting(sitting: Sitting) -> str:
    live, choices = sitting.live, sitting.choices
    example = ""
    if choices:
        choice = choices[len(choices) // 2]
        example = f" ({choice.move} means: {choice.words})"
    return f"{live.game.title}, match {live.id}. Type a move{example}, or help."


def _try(sitting: Sitting, view: View, text: str) -> None:
    view.forget()
    try:
        if not obey(sitting, view, text):
            return
    except Conflict as refusal:
        _refuse(view, refusal)
        sitting.live = sitting.backend.read(sitting.live.id)
    except LedgerError as refusal:
        _refuse(view, refusal)
        return
    sitting.hear()
    view.table(sitting)


def _refuse(view: View, refusal: LedgerError) -> None:
    view.aside(lambda: show_error(refusal, as_json=False))
