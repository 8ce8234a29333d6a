"""Master Chocolatier tables laid out by hand: B blue, N browN, W white, K black, R red, M the marker."""

from collections.abc import Mapping, Sequence

from events.azul import FloorCleared
from projections.azul.state import NO_COLOUR
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


def counts(letters: str) -> list[int]:
    """`"BBR"` as pralines per colour."""
    return azul_tables.counts(letters, LETTERS)


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
        for number, tiles in enumerate(displays):
            state.displays[number] = counts(tiles)
        state.sides = tuple(
            SIDES.index(gold[place]) if gold and place in gold else BLUE_SIDE
            for place in range(1, len(state.displays) + 1)
        )
        state.holder, state.disc = holder, slots(disc)[0] if disc else NO_COLOUR
        if disc == "M":
            state.marker = holder
        state.centre = counts(centre)
        state.offered = sum(map(len, displays)) + len(centre)
        if bag is not None:
            state.bag = counts(bag)
        state.lid = counts(lid)

    return scenario.with_(arrange)


def offer(scenario: Scenario) -> list[str]:
    """What lies on each display, as letters in the order of the slots."""
    return ["".join(LETTERS[c] * count for c, count in enumerate(display)) for display in scenario.state.displays]


def tiling(scenario: Scenario, seat: int = 1) -> Happened:
    """End the drafting: the other seat drops the last praline of the centre, a red one, to its floor."""
    other = seat % scenario.state.seats + 1

    def arrange(state: State) -> None:
        state.displays = [[0] * 5 for _ in state.displays]
        state.centre, state.offered, state.turn = counts("R"), 1, other
        state.marker = state.marker or other

    return scenario.with_(arrange).when(other, DraftTiles(source=0, colour=RED, line=0))


def penalties(happened: Happened, seat: int = 1) -> list[tuple[str, int]]:
    """What the seat's floor came to, as rules and points."""
    cleared = next(event for event in happened.only(FloorCleared) if event.seat == seat)
    return [(line.rule, line.requested) for line in cleared.scores]
