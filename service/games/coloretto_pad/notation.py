"""Entries of a Coloretto score pad in writing: `G6`, `J2`, `+2x3` and `done`, then `J=Y` and `+GYR`."""

from typing import Final

from events.coloretto_pad import CardsCounted, CollectionClosed
from projections.coloretto.state import JOKER, LETTERS, PLUS_TWO
from service.games.coloretto import notation as coloretto
from service.games.coloretto.ending import AssignJoker
from service.games.coloretto.notation import A_COLOUR, COLOUR_WORDS, read_plus
from service.games.coloretto_pad.rules import CloseCollection, CountCards
from service.games.core import Action
from service.games.notation import Reader, entry_notation, recall_by

_KINDS: Final = {**COLOUR_WORDS, "+2": PLUS_TWO, **dict.fromkeys(("J", "joker", "jokers"), JOKER)}
_A_KIND: Final = f"{A_COLOUR}, J jokers, +2, done"


def read_entry(reader: Reader) -> Action:
    """The entry that stands here: cards with their number behind or in front, or an end decision."""
    if reader.maybe("done"):
        return CloseCollection()
    cards = reader.maybe_number()
    if cards is None and not reader.stands("+2") and (reader.maybe("+") or reader.maybe("plus")):
        return read_plus(reader)
    kind = reader.word(_KINDS, _A_KIND)
    if cards is not None:
        return CountCards(card=kind, cards=cards)
    if kind == JOKER and reader.maybe("="):
        return AssignJoker(colour=reader.word(COLOUR_WORDS, A_COLOUR))
    if kind == PLUS_TWO and not reader.maybe("x"):
        return CountCards(card=kind, cards=1)
    return CountCards(card=kind, cards=reader.number("how many cards there are"))


def write(action: Action) -> str:
    """The entry in its shortest form."""
    if isinstance(action, CountCards):
        times = "x" if action.card == PLUS_TWO else ""
        return f"{LETTERS[action.card]}{times}{action.cards}"
    if isinstance(action, CloseCollection):
        return "done"
    return coloretto.write(action)


recall: Final = recall_by(
    "an entry of a score pad",
    {CardsCounted: CountCards, CollectionClosed: CloseCollection, **coloretto.RECALLED},
)

NOTATION: Final = entry_notation(
    read_entry,
    write,
    recall,
    examples=(
        ("G6", "six green cards"),
        ("J2", "two jokers, the golden one counted with the others"),
        ("+2x3", 'three "+2" cards'),
        ("done", "everything is counted"),
        ("J=Y", "once everybody has counted: one joker becomes yellow"),
        ("+GYR", "once everybody has counted: green, yellow and red count plus"),
    ),
)
