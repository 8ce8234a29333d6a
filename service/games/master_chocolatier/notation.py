"""Master Chocolatier moves in writing: Azul's, and `4B3>R3K5` sends leftover red to display 3 and black to 5."""

from collections.abc import Sequence
from typing import Final

from events.core import Event
from events.master_chocolatier import (
    GoldPlacesDrawn,
    GoldSidesShown,
    Sent,
    SpecialDisplaysFilled,
    SpecialTilesDrafted,
)
from projections.master_chocolatier.state import EDITION, EXTRA, KEEP, PULL, SHIELD, SIDE_NAMES, SPREAD, State
from service.games.azul import notation as azul
from service.games.azul.rules import DraftTiles
from service.games.core import Action, Outcome, Request
from service.games.master_chocolatier.rules import SpreadTiles
from service.games.notation import Notation, Reader

_SIDES: Final = ("+1", *EDITION.letters, "=", "<>", "0")
"""The gold sides as they are written, by their number."""
_SIDE_WORDS: Final = {
    **{sign: side for side, sign in enumerate(_SIDES)},
    **{name: side for side, name in enumerate(SIDE_NAMES)},
    **{colour: side for side, colour in zip(PULL, EDITION.colours, strict=True)},
    "plus": EXTRA,
    "stay": KEEP,
    "split": SPREAD,
    "zero": SHIELD,
}
_A_SIDE: Final = "a gold side (+1, a colour, = stay, <> spread, 0 shield)"


def read(text: str) -> Action:
    """The action a text stands for.

    >>> read("4B3>K5R3") == read("4 blue 3 > red 3, black 5") == read("4b3>k5r3")
    True
    >>> read("4B3>K5R3").spread
    (Sent(colour=3, display=5), Sent(colour=4, display=3))
    """
    reader = Reader(text)
    action = azul.read_other(reader, EDITION)
    if action is None:
        draft = azul.read_draft(reader, EDITION)
        action = draft
        if reader.maybe(">"):
            spread = []
            while not reader.is_done:
                colour = azul.read_colour(reader, EDITION)
                spread.append(Sent(colour, reader.word(azul.SOURCES, "the display these leftovers go to")))
            spread.sort(key=lambda sent: sent.colour)
            action = SpreadTiles(draft.source, draft.colour, draft.line, draft.floor, tuple(spread))
    reader.end()
    return action


def write(action: Action) -> str:
    """The action in its shortest form."""
    text = azul.write(action, EDITION)
    if isinstance(action, SpreadTiles):
        text += ">" + "".join(f"{EDITION.letters[sent.colour]}{sent.display or 'C'}" for sent in action.spread)
    return text


def read_outcome(text: str, state: State, request: Request) -> Outcome:
    """What happened at a real table: the displays turned to gold, their sides from the lowest number up, or the deal.

    The one more praline of a +1 display comes last, as a group of its own.
    """
    reader = Reader(text)
    draws = sum(stage.draws for stage in request.stages)
    if request.purpose == "gold places":
        places = [reader.number("the number of a display turned to gold") for _ in range(draws)]
        reader.end()
        return Outcome(drawn=tuple(place - 1 for place in places))
    if request.purpose == "gold sides":
        sides = [reader.word(_SIDE_WORDS, _A_SIDE) for _ in range(draws)]
        reader.end()
        return Outcome(drawn=tuple(sides))
    return azul.read_outcome(text.replace("+", " "), state, request)


def write_outcome(request: Request, outcome: Outcome) -> str:
    """The outcome as `read_outcome` takes it."""
    if request.purpose == "gold places":
        return " ".join(str(place + 1) for place in outcome.drawn)
    if request.purpose == "gold sides":
        return " ".join(_SIDES[side] for side in outcome.drawn)
    return azul.write_outcome(request, outcome, EDITION)


def recall(state: State, events: Sequence[Event]) -> Action:
    """The action that led from this state to these events; a spread is part of the draft (MC-22)."""
    action, first = azul.recall(state, events), events[0]
    if isinstance(action, DraftTiles) and isinstance(first, SpecialTilesDrafted) and first.spread:
        return SpreadTiles(action.source, action.colour, action.line, action.floor, first.spread)
    return action


def recall_outcome(event: Event) -> Outcome:
    """What chance had drawn when this event was its answer."""
    if isinstance(event, GoldPlacesDrawn):
        return Outcome(drawn=tuple(place - 1 for place in event.places))
    if isinstance(event, GoldSidesShown):
        return Outcome(drawn=event.sides)
    outcome = azul.recall_outcome(event)
    if isinstance(event, SpecialDisplaysFilled) and event.extra_display:
        return Outcome(drawn=(*outcome.drawn, event.extra))
    return outcome


NOTATION: Final = Notation(
    read=read,
    write=write,
    read_outcome=read_outcome,
    write_outcome=write_outcome,
    recall=recall,
    recall_outcome=recall_outcome,
    examples=(
        ("2B3", "display 2, blue, to pattern line 3"),
        ("CN-", "centre, brown, to the floor"),
        ("4B3>K5R3", "display 4 spreads: leftover black to display 5, red to display 3 (specialFactories=on)"),
        ("2B3/1", "as 2B3, one of the pralines that fit to the floor (partialFloor=true)"),
        ("3@2", "brown side: the praline of line 3 to column 2"),
        ("first 2", "the host names the first player (firstPlayer=host-choice)"),
    ),
)
