"""The end of a match at the terminal: the result, a look at the replay, and another match of the same players."""

from functools import partial
from typing import Final

from msgspec.structs import replace

from events.first_player import StartChosen, StartDrawn
from projections.first_player import NAMED, named_start
from service.errors import LedgerError, unknown
from service.games.options import Number
from service.play.bots import is_bot
from service.play.commands import OpenMatch
from service.play.history import Live
from service.play.matches import rematch
from service.shell.terminal.paint import say, show_error
from service.shell.terminal.playing.screen import Redrawn, View
from service.shell.terminal.playing.sitting import Ask, Sitting
from service.shell.terminal.playing.talk import QUIT, obey
from service.shell.terminal.views import show_result
from service.shell.terminal.watch import steps_between, watch

REPLAY: Final = ("replay", "r")
REMATCH: Final = ("rematch", "m")
LOOKING: Final = ("scores", "log", "board", "key", "rules", "explain")
"""The words of the prompt that still mean something when a match is over."""


def end(sitting: Sitting, view: View, ask: Ask) -> Live | None:
    """Show who won. At a screen the replay is offered, and a rematch: the new match, if it is wanted."""
    live = sitting.live
    if isinstance(view, Redrawn):
        while (word := _wish(sitting, view, ask)) in REPLAY:
            steps = steps_between(live, None, None)
            watch(live, steps, delay=0, start=steps[0])
        if word in REMATCH:
            return sitting.backend.open_match(_rematch(live))
    else:
        say("")
        show_result(live)
    say("")
    say(f"The match is kept; see: matchledger scores {live.id}", "dim")
    return None


def _wish(sitting: Sitting, view: Redrawn, ask: Ask) -> str:
    """What is wanted at the end; empty to leave."""
    offered = [*REPLAY[:1], *(REMATCH[:1] if can_have_rematch(sitting) else ())]
    prompt = f"{', '.join(offered)}, or Enter to leave> "
    known = (*REPLAY, *(REMATCH if can_have_rematch(sitting) else ()), "", *QUIT)
    result = partial(show_result, sitting.live)
    view.remark(result)
    while True:
        text = view.ready(sitting)
        text = ask(prompt, None) if text is None else text
        if text is None:
            continue  # the terminal has another size
        word = text.strip().lower()
        if word in known:
            return word
        view.remark(result)
        try:
            if word.split()[0] not in LOOKING:
                raise unknown("play/word", "offered here", word, [*offered, *LOOKING, QUIT[0]])
            obey(sitting, view, word)
        except LedgerError as refusal:
            view.aside(partial(show_error, refusal, as_json=False))


def can_have_rematch(sitting: Sitting) -> bool:
    """Whether everybody who played is here; people at other terminals would have to be asked."""
    people = [seat for seat in sitting.live.seats if not is_bot(sitting.live, seat)]
    return sitting.live.table.is_full and set(people) == set(sitting.people)


def _rematch(live: Live) -> OpenMatch:
    """The same again; the next seat starts, where the game lets one name it."""
    again = rematch(live)
    return replace(again, options=again.options | _next_start(live))


def _next_start(live: Live) -> dict[str, str]:
    """The option that names the seat behind the one that started; nothing where that cannot be named."""
    seats = live.opened.seats
    named = [
        option.name
        for option in live.game.rules.options
        if any(isinstance(choice, Number) and choice.prefix == NAMED for choice in option.at(seats))
    ]
    drawn = [entry.event.seat for entry in live.envelopes if isinstance(entry.event, StartDrawn | StartChosen)]
    first = drawn[-1] if drawn else named_start(live.opened.options) if named else 0
    return {name: f"{NAMED}{first % seats + 1}" for name in named if first}
