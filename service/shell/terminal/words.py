"""What people write on the command line: seats, moves, draws and options."""

from collections.abc import Mapping, Sequence

from events.core import Seat
from events.match import ForfeitReason
from projections.words import count
from service.errors import UsageError
from service.games.first_player import PURPOSE as LOT
from service.limits import quoted, read_number
from service.play.appending import check_seat
from service.play.history import History
from service.questions import paper


def read_seat(history: History, text: str) -> Seat:
    """The seat of a match that a number or a player's name stands for, `2`, `Ben` or `be`; or a refusal."""
    seat = maybe_number(text.strip())
    if seat is None:
        return paper.read_seat(text, history.opened.seats, history.names, "match/seat")
    check_seat(history.opened, seat)
    return seat


def maybe_number(text: str) -> int | None:
    """The number a text is; None where it is no number, or one beyond counting."""
    try:
        return read_number(text)
    except ValueError:
        return None


def maybe_seat(history: History, text: str | None) -> Seat | None:
    """The seat somebody named, if anybody did."""
    return None if text is None else read_seat(history, text)


def drawn(history: History, text: str) -> str:
    """What was drawn, as notation has it; a lot that fell on somebody may be given by name."""
    request = history.game.rules.request(history.table.state)
    is_lot = request is not None and request.purpose == LOT and history.opened.chance == "recorded"
    if not is_lot or maybe_number(text.lower().removeprefix("seat").strip()) is not None:
        return text
    return str(read_seat(history, text))


def moved(history: History, text: str) -> str:
    """A move as notation has it; whoever is to start may be named: `first Ben`."""
    word, _, name = text.partition(" ")
    return f"{word} {read_seat(history, name)}" if word.lower() == "first" and name else text


def read_options(words: Sequence[str] | None) -> dict[str, str]:
    """Options of a game from words such as `boardSide=grey`."""
    pairs = [word.partition("=") for word in words or []]
    for name, equals, _ in pairs:
        if not equals:
            what = quoted(name)
            raise UsageError("match/option", f"{what} is not an option; write NAME=VALUE, such as -o boardSide=grey.")
    return {name: value for name, _, value in pairs}


def forfeits_in_words(bot: str, reasons: Mapping[ForfeitReason, int]) -> str:
    """How many moves a bot from outside did not make itself, and why."""
    listed = ", ".join(f"{number} {why}" for why, number in sorted(reasons.items()))
    return f"{bot} forfeited {count(sum(reasons.values()), 'move')}: {listed}."
