"""Nettles in writing: `P` pays, `T` takes; what chance turned over is a number, `12`."""

from typing import Final

from events.core import Event
from service.games.core import Action, Outcome, Request
from service.games.notation import Notation, Reader, recall_by
from tests.nettles.events import NettlePicked, NettleTurned, PetalPaid
from tests.nettles.projection.state import NUMBERS, State
from tests.nettles.rules import PayPetal, PickNettle

_VERBS: Final[dict[str, Action]] = {
    "P": PayPetal(),
    "pay": PayPetal(),
    "T": PickNettle(),
    "take": PickNettle(),
    "pick": PickNettle(),
}


def read(text: str) -> Action:
    """The action a text stands for."""
    reader = Reader(text)
    action = reader.word(_VERBS, "P pay or T take")
    reader.end()
    return action


def write(action: Action) -> str:
    """The action in its shortest form."""
    return "P" if isinstance(action, PayPetal) else "T"


def read_outcome(text: str, state: State, request: Request) -> Outcome:
    """The nettle that was turned over at a real table."""
    reader = Reader(text)
    number = reader.number(f"the number of a nettle ({NUMBERS[0]}–{NUMBERS[-1]})")
    reader.end()
    return Outcome(drawn=(number - NUMBERS[0],))


def write_outcome(request: Request, outcome: Outcome) -> str:
    """The nettle as `read_outcome` takes it."""
    return str(NUMBERS[outcome.drawn[0]])


def recall_outcome(event: Event) -> Outcome:
    """What chance had drawn when this event was its answer."""
    if isinstance(event, NettleTurned):
        return Outcome(drawn=(event.nettle - NUMBERS[0],))
    raise TypeError(f"{event!r} is no answer of chance in Nettles")


NOTATION: Final = Notation(
    read=read,
    write=write,
    read_outcome=read_outcome,
    write_outcome=write_outcome,
    recall=recall_by("an action of Nettles", {PetalPaid: PayPetal, NettlePicked: PickNettle}),
    recall_outcome=recall_outcome,
    examples=(
        ("P", "pay a petal and leave the nettle to the next seat"),
        ("T", "take the nettle with its petals"),
    ),
)
