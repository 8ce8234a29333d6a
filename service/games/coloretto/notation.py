"""Coloretto moves in writing: `D` draws, `P2` places in row 2, `T2` takes row 2; `J=Y` and `+GYR` decide at the end."""

from typing import Final

from events.coloretto import (
    BonusDrawn,
    CardDrawn,
    CardPlaced,
    CardRevealed,
    ColoursNamed,
    ColoursRemoved,
    JokerAssigned,
    RowTaken,
    StartCardChosen,
    StartCardsDealt,
    StartDrawn,
)
from events.core import Event
from projections.coloretto.state import COLOUR_NAMES, COLOURS, KINDS, LETTERS, State
from service.errors import IllegalAction
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.rules import ChooseStartCard, DrawCard, PlaceCard, TakeRow
from service.games.core import Action, Outcome, Request
from service.games.first_player import PURPOSE, read_lot, recall_lot, write_lot
from service.games.notation import Notation, Reader, recall_by

COLOUR_WORDS: Final = {
    **{letter: colour for colour, letter in enumerate(LETTERS[:COLOURS])},
    **{name: colour for colour, name in enumerate(COLOUR_NAMES)},
}
_KIND_WORDS: Final = {
    **{letter: kind for kind, letter in enumerate(LETTERS)},
    **{name: kind for kind, name in enumerate(KINDS)},
    "golden": KINDS.index("golden joker"),
}
A_COLOUR: Final = "a colour (" + ", ".join(f"{x} {n}" for x, n in zip(LETTERS, COLOUR_NAMES, strict=False)) + ")"
_A_CARD: Final = "a card (" + ", ".join(f"{x} {n}" for x, n in zip(LETTERS, KINDS, strict=True)) + ")"
_VERBS: Final = {
    **dict.fromkeys(("D", "draw"), "draw"),
    **dict.fromkeys(("P", "place", ">"), "place"),
    **dict.fromkeys(("T", "take"), "take"),
    **dict.fromkeys(("S", "start"), "start"),
    **dict.fromkeys(("J", "joker"), "joker"),
    **dict.fromkeys(("+", "plus"), "plus"),
    "pass": "pass",
}


def read(text: str) -> Action:
    """The action a text stands for.

    >>> read("P2")
    PlaceCard(row=2)
    >>> read("plus red green yellow") == read("+GYR")
    True
    """
    reader = Reader(text)
    verb = reader.word(_VERBS, "D draw, P place, T take, S start card, J joker or + plus colours")
    if verb == "pass":
        raise IllegalAction("coloretto/pass", "CO-19", "Passing is not possible: a turn draws a card or takes a row.")
    action: Action
    if verb == "draw":
        action = DrawCard()
    elif verb in ("place", "take"):
        reader.maybe("row")
        row = reader.number("the number of a row")
        action = PlaceCard(row=row) if verb == "place" else TakeRow(row=row)
    elif verb == "plus":
        action = read_plus(reader)
    else:
        reader.maybe("=")
        colour = reader.word(COLOUR_WORDS, A_COLOUR)
        action = AssignJoker(colour=colour) if verb == "joker" else ChooseStartCard(colour=colour)
    reader.end()
    return action


def read_plus(reader: Reader) -> NameColours:
    """The colours that stand here, up to the end, as those that count plus."""
    colours = [reader.word(COLOUR_WORDS, A_COLOUR)]
    while not reader.is_done:
        colours.append(reader.word(COLOUR_WORDS, A_COLOUR))
    return NameColours(colours=tuple(sorted(colours)))


def write(action: Action) -> str:
    """The action in its shortest form."""
    if isinstance(action, DrawCard):
        return "D"
    if isinstance(action, PlaceCard):
        return f"P{action.row}"
    if isinstance(action, TakeRow):
        return f"T{action.row}"
    if isinstance(action, ChooseStartCard):
        return f"S{LETTERS[action.colour]}"
    if isinstance(action, AssignJoker):
        return f"J={LETTERS[action.colour]}"
    if isinstance(action, NameColours):
        return "+" + "".join(LETTERS[colour] for colour in action.colours)
    raise TypeError(f"{action!r} is not an action of Coloretto")


def read_outcome(text: str, state: State, request: Request) -> Outcome:
    """What was drawn at a real table: a seat for the start, colours for the setup, or the card that was turned over."""
    reader = Reader(text)
    if request.purpose == PURPOSE:
        return read_lot(text, state.seats)
    stage = request.stages[0]
    is_setup = len(stage.adds) == COLOURS
    # The last-round card comes up where it must (CO-18); a person may write it in front of the card drawn instead.
    if request.purpose.endswith("last-round card") and (reader.maybe("last round") or reader.maybe("L")):
        reader.maybe(">")
    words, expected = (COLOUR_WORDS, A_COLOUR) if is_setup else (_KIND_WORDS, _A_CARD)
    drawn = [reader.word(words, expected) for _ in range(stage.draws)]
    reader.end()
    return Outcome(drawn=tuple(drawn))


def write_outcome(request: Request, outcome: Outcome) -> str:
    """The outcome as `read_outcome` takes it."""
    if request.purpose == PURPOSE:
        return write_lot(outcome)
    is_last = request.purpose.endswith("last-round card")
    return ("L>" if is_last else "") + "".join(LETTERS[kind] for kind in outcome.drawn)


RECALLED: Final[dict[type[Event], type[Action]]] = {
    CardDrawn: DrawCard,
    CardPlaced: PlaceCard,
    RowTaken: TakeRow,
    JokerAssigned: AssignJoker,
    ColoursNamed: NameColours,
    StartCardChosen: ChooseStartCard,
}
"""The action that each event tells."""
recall: Final = recall_by("an action of Coloretto", RECALLED)


def recall_outcome(event: Event) -> Outcome:
    """What chance had drawn when this event was its answer."""
    if isinstance(event, CardRevealed | BonusDrawn):
        return Outcome(drawn=(event.card,))
    if isinstance(event, ColoursRemoved | StartCardsDealt):
        return Outcome(drawn=event.colours)
    if isinstance(event, StartDrawn):
        return recall_lot(event)
    raise TypeError(f"{event!r} is no answer of chance in Coloretto")


NOTATION: Final = Notation(
    read=read,
    write=write,
    read_outcome=read_outcome,
    write_outcome=write_outcome,
    recall=recall,
    recall_outcome=recall_outcome,
    examples=(
        ("D", "draw the top card"),
        ("P2", "place the card in hand in row 2"),
        ("T2", "take row 2"),
        ("J=Y", "after the last round: one joker becomes yellow"),
        ("+GYR", "after the last round: green, yellow and red count plus"),
        ("SG", "start with a green card (startCards=choose)"),
    ),
)
