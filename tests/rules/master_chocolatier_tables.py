"""Master Chocolatier tables laid out by hand: B blue, N browN, W white, K black, R red, M the marker."""

from collections.abc import Mapping, Sequence

from events.azul import FloorCleared
from projections.azul.state import NO_COLOUR
from projections.azul.tiles import Tiles, slots_of
from projections.master_chocolatier.state import BLUE_SIDE, State
from service.games.azul.rules import DraftTiles
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from tests.rules import azul_tables
from tests.scenario import Happened, Scenario, given

LETTERS = "BNWKRM"
BLUE, BROWN, WHITE, BLACK, RED = range(5)
SIDES = ("+1", "B", "N", "W", "K", "R", "=", "<>", "0")
"""The gold sides as players write them, in the order of their numbers."""


def slots(letters: str) -> list[int]:
    """`"BBM"` as slots."""
    return azul_tables.slots(letters, LETTERS)


def heap(letters: str) -> Tiles:
    """`"BBR"` as pralines that lie in one place."""
    return azul_tables.heap(letters, LETTERS)


def table(
    seats: int = 2,
    *,
    displays: Sequence[str] = (),
    gold: Mapping[int, str] | None = None,
    centre: str = "",
    marker: int = 0,
    turn: int = 1,
    starter: int = 1,
    phase: str = "draft",
    round_: int = 1,
    bag: str | None = None,
    lid: str = "",
    holder: int = 0,
    disc: str = "",
    **options: str,
) -> Scenario:
    """A table where only what a test names is changed; gold displays bring the special factories with them."""
    variant = {"specialFactories": "on"} if gold is not None else {}
    scenario = given(MASTER_CHOCOLATIER, seats, firstPlayer="seat:1", **variant, **options)

    def arrange(state: State) -> None:
        state.phase, state.round, state.starter, state.marker = phase, round_, starter, marker
        state.turn = turn if phase == "draft" else 0
        for source, tiles in enumerate((centre, *displays)):
            state.sources[source] = heap(tiles)
        state.sides = tuple(
            SIDES.index(gold[place]) if gold and place in gold else BLUE_SIDE
            for place in range(1, len(state.displays) + 1)
        )
        state.holder, state.disc = holder, slots(disc)[0] if disc else NO_COLOUR
        if disc == "M":
            state.marker = holder
        if bag is not None:
            state.bag = heap(bag)
        state.lid = heap(lid)

    return scenario.with_(arrange)


def offer(scenario: Scenario) -> list[str]:
    """What lies on each display, as letters in the order of the slots."""
    return ["".join(LETTERS[slot] for slot in slots_of(display)) for display in scenario.state.displays]


def tiling(scenario: Scenario, seat: int = 1) -> Happened:
    """End the drafting: the other seat drops the last praline of the centre, a red one, to its floor."""
    other = seat % scenario.state.seats + 1

    def arrange(state: State) -> None:
        state.sources = [heap("R")] + [0] * len(state.displays)
        state.turn = other
        state.marker = state.marker or other

    return scenario.with_(arrange).when(other, DraftTiles(source=0, colour=RED, line=0))


def penalties(happened: Happened, seat: int = 1) -> list[tuple[str, int]]:
    """What the seat's floor came to, as rules and points."""
    cleared = next(event for event in happened.only(FloorCleared) if event.seat == seat)
    return [(line.rule, line.requested) for line in cleared.scores]
