"""Azul and its relatives drawn: what lies where, what made points, and what a finger can hit."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from events.azul import FloorCleared
from events.core import Event
from events.master_chocolatier import Sent
from projections.azul.board import run_parts
from projections.azul.state import State
from projections.drawing import Element, Panel, elements
from service.games.azul.rules import DraftTiles
from service.games.azul_pad import AZUL_PAD, MASTER_CHOCOLATIER_PAD
from service.games.azul_pad.rules import ClearFloor, LayTile, StopGame
from service.games.first_player import ChooseStart
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.master_chocolatier.rules import SpreadTiles
from tests.rules import master_chocolatier_tables as chocolatier
from tests.rules.azul_tables import BLACK, BLUE, RED, cells, lay, table
from tests.scenario import Scenario, given

FINGER = 24
"""Units that whatever is touched measures at least."""


def drawn(scenario: Scenario) -> Sequence[Panel]:
    return scenario.game.projection.board(scenario.state)


def found(scenario: Scenario, name: str) -> Element:
    """The part of this name."""
    [only] = [one for panel in drawn(scenario) for one in elements(panel.children) if one.part == name]
    return only


def label(scenario: Scenario, name: str) -> str:
    return str(found(scenario, name).children[0].children[0])  # type: ignore[union-attr]


def looks(scenario: Scenario, name: str) -> list[str]:
    """The pieces, spaces and markers that are drawn in a part, by their classes."""
    shapes = [one.attributes.get("class", "") for one in elements([found(scenario, name)]) if one.tag == "g"]
    return [look for look in shapes if look.startswith(("tile", "space", "marker"))]


def tiles(*colours: str) -> list[str]:
    return [f"tile kind-{colour}" for colour in colours]


def made(scenario: Scenario, events: Sequence[Event]) -> dict[str, list[str]]:
    """For each reason that scored in these events, the parts that made the points."""
    parts = {}
    for event in events:
        scenario = scenario.applied(event)
        for line in event.scores:
            scored = scenario.game.projection.scored_parts[line.reason]
            parts[line.reason] = list(scored(event, line, scenario.state))
    return parts


# ----------------------------------------------------------------------------------------------------------------- Azul


def test_what_lies_on_the_table_is_drawn_where_it_lies() -> None:
    scenario = table(3, displays=["BBYR", "", "KKWW"], centre="RRW", turn=2, lid="BBK")
    scenario = lay(scenario, 2, lines=["", "KK", "WW"], wall=[(1, 1)], floor="BMR")
    scenario = scenario.with_(lambda state: setattr(state, "marker", 0))
    assert looks(scenario, "display-1.blue") == tiles("blue", "blue")
    assert looks(scenario, "display-1") == tiles("blue", "blue", "yellow", "red")
    assert looks(scenario, "display-2") == []
    assert looks(scenario, "centre.red") == tiles("red", "red")
    assert looks(scenario, "centre") == ["marker", *tiles("red", "red", "white")]
    assert looks(scenario, "seat-2.line-2") == tiles("black", "black")
    assert looks(scenario, "seat-2.line-3") == [*tiles("white", "white"), "space"]
    assert looks(scenario, "seat-2.wall-1-1") == tiles("blue")
    assert looks(scenario, "seat-2.wall-2-1") == ["space kind-white"]
    assert looks(scenario, "seat-2.floor") == ["tile kind-blue", "marker", "tile kind-red", *["space"] * 4]
    assert label(scenario, "seat-2.line-2") == "pattern line 2, 2 of 2 black, complete"
    assert label(scenario, "seat-2.wall-2-1") == "row 2, column 1: empty, for white"
    offer, _, ben, _ = drawn(scenario)
    assert offer.description == (
        "display 1: 2 blue, 1 yellow, 1 red; display 3: 2 black, 2 white; centre: the starting-player marker and"
        " 2 red, 1 white. In the bag: 100; in the lid: 2 blue, 1 black."
    )
    assert ben.description == (
        "Pattern lines: 2: 2 of 2 black, 3: 2 of 3 white. Wall: row 1: blue in column 1."
        " Floor: blue, the starting-player marker and red, a loss of 4 points."
    )


def test_a_marker_beside_the_board_is_drawn_there() -> None:
    scenario = lay(table(2, centre="B", marker=1, turn=2), 1, floor="BBBBBBB")
    assert looks(scenario, "seat-1.marker") == ["marker"]
    assert drawn(scenario)[1].description.endswith(" Has the starting-player marker.")


def test_a_run_is_the_cells_that_count_and_no_others() -> None:
    # Red at row 3, column 3 joins two to its left and one below; the rest touches at corners or across a gap.
    scenario = lay(table(boardSide="grey"), 1, tiles=cells("Y.... .W.Y. BYR.K ..B.. Y..RB"))
    wall = scenario.state.boards[0].wall
    run = {f"seat-1.wall-{row}-{column}" for row, column in ((3, 1), (3, 2), (3, 3), (4, 3))}
    assert set(run_parts(wall, 1, 3, 3)) == run
    assert run_parts(wall, 1, 1, 1) == ["seat-1.wall-1-1"]
    assert set(run_parts(wall, 1, 2, 2)) == {"seat-1.wall-2-2", "seat-1.wall-3-2"}


def test_points_show_the_cells_and_spaces_that_made_them() -> None:
    # White comes to row 1, column 5, and completes the row, the column and the colour; row 3, column 4 is in none.
    row, column = [(1, place) for place in range(1, 6)], [(place, 5) for place in range(1, 6)]
    white = [(1, 5), (2, 1), (3, 2), (4, 3), (5, 4)]
    before = [cell for cell in {*row, *column, *white, (3, 4)} if cell != (1, 5)]
    scenario = lay(table(2, centre="B", marker=2), 2, wall=before, lines=["W"], floor="MBB")
    parts = made(scenario, scenario.when(1, DraftTiles(source=0, colour=BLUE, line=1)).events)
    assert {reason: sorted(names) for reason, names in parts.items()} == {
        "tile-placed": _cells_of_seat_2(*row, *column[1:]),
        "floor": ["seat-2.floor-1", "seat-2.floor-2", "seat-2.floor-3"],
        "row-bonus": _cells_of_seat_2(*row),
        "column-bonus": _cells_of_seat_2(*column),
        "colour-bonus": _cells_of_seat_2(*white),
    }


def _cells_of_seat_2(*places: tuple[int, int]) -> list[str]:
    return sorted(f"seat-2.wall-{row}-{column}" for row, column in places)


@pytest.mark.parametrize(("seats", "pieces"), [(2, 16), (3, 22), (4, 28)])
def test_the_centre_has_room_for_all_and_keeps_its_size(seats: int, pieces: int) -> None:
    heights = set()
    for many in range(pieces):
        scenario = table(seats, centre="B" * many)
        heights.add(drawn(scenario)[0].height)
        centre = found(scenario, "centre")
        [plate] = [one for one in centre.children if isinstance(one, Element) and one.tag == "circle"]
        across, down, radius = (float(plate.attributes[name]) for name in ("cx", "cy", "r"))
        boxes = list(_boxes(found(scenario, "centre")))[1:]
        assert len(boxes) == many + 1, "with the marker"
        for left, top, right, bottom in boxes:
            assert right - left >= FINGER
            for x, y in ((left, top), (right, top), (left, bottom), (right, bottom)):
                assert (x - across) ** 2 + (y - down) ** 2 <= radius**2, "a piece lies outside of the centre"
        for one, other in combinations(boxes, 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, "two pieces lie on each other"
    assert len(heights) == 1, "the drawing moves what lies below it"


def _boxes(element: Element) -> Iterator[tuple[float, float, float, float]]:
    """What the shapes in an element take: left, top, right, bottom."""
    for one in elements([element]):
        values = {name: float(one.attributes.get(name, 0)) for name in ("x", "y", "width", "height", "cx", "cy", "r")}
        if one.tag == "rect":
            yield values["x"], values["y"], values["x"] + values["width"], values["y"] + values["height"]
        elif one.tag == "circle":
            across, down, radius = values["cx"], values["cy"], values["r"]
            yield across - radius, down - radius, across + radius, down + radius


# --------------------------------------------------------------------------------------------------- Master Chocolatier


def test_gold_displays_show_and_say_what_they_do() -> None:
    gold = {1: "+1", 3: "N", 4: "<>"}
    scenario = chocolatier.table(3, gold=gold, displays=["BNWKR", "B", "NNNNNNBB", "BKRR", "", "", ""])
    assert looks(scenario, "display-1") == tiles("blue", "brown", "white", "black", "red", "gold")
    assert looks(scenario, "display-2") == tiles("blue")
    assert looks(scenario, "display-3") == tiles("blue", "blue", *["brown"] * 6, "brown")
    assert label(scenario, "display-3") == "display 3, pulls brown from its neighbours"
    offer = drawn(scenario)[0]
    written = [str(one.children[0]) for one in elements(offer.children) if one.tag == "text"]
    for words in ("+1", ">n<", "<>", "display 1 takes one more praline", "display 4 spreads its leftovers"):
        assert words in written
    assert "display 3 (pulls brown from its neighbours): 2 blue, 6 brown" in offer.description
    plain = chocolatier.table(3, displays=["BNWK"])
    assert looks(plain, "display-1") == tiles("blue", "brown", "white", "black")
    assert [panel.key for panel in drawn(plain)] == ["offer", "seat-1", "seat-2", "seat-3"]


def test_leftovers_are_touched_with_the_displays_they_go_to() -> None:
    scenario = chocolatier.table(2, gold={4: "<>"}, displays=["", "", "", "BKRR", ""])
    action = SpreadTiles(4, chocolatier.BLUE, 3, spread=(Sent(chocolatier.BLACK, 5), Sent(chocolatier.RED, 3)))
    assert action in scenario.game.rules.legal(scenario.state, 1)
    assert scenario.game.path(scenario.state, 1, action) == [
        "display-4.blue",
        "seat-1.line-3",
        "display-4.black",
        "display-5",
        "display-4.red",
        "display-3",
    ]


def test_the_disc_lies_before_its_holder_with_what_it_caught() -> None:
    table_ = chocolatier.table(2, gold={2: "0"}, displays=["BNWK"], holder=1, disc="R", marker=2)
    assert looks(table_, "seat-1.disc") == tiles("red")
    assert label(table_, "seat-2.disc") == "no disc"
    assert drawn(table_)[1].description.endswith(" The disc: red, which costs nothing.")
    assert label(table_, "display-2") == "display 2, lies before a player as a free floor space, empty"
    waiting = chocolatier.table(2, gold={2: "0"}, displays=["BNWK"], holder=1, marker=2)
    assert (looks(waiting, "seat-1.disc"), label(waiting, "seat-1.disc")) == ([], "the disc, empty")
    token = chocolatier.table(2, gold={2: "0"}, displays=["BNWK"], holder=1, marker=2, sf5Takes="token")
    assert label(token, "display-2") == "display 2, gave its token to a player, empty"


def test_a_marker_on_the_disc_is_drawn_once() -> None:
    scenario = chocolatier.table(2, gold={2: "0"}, displays=["BNWK"], holder=1, disc="M", sf5AcceptsMarker="true")
    markers = [
        one for panel in drawn(scenario) for one in elements(panel.children) if one.attributes.get("class") == "marker"
    ]
    assert looks(scenario, "seat-1.disc") == ["marker"]
    assert len(markers) == 1
    assert "Has the starting-player marker." in drawn(scenario)[1].description


@pytest.mark.parametrize(("caught", "reason"), [("R", "shielded"), ("M", "shielded-marker")])
def test_what_the_disc_saved_shows_the_disc(caught: str, reason: str) -> None:
    scenario = chocolatier.table(2, gold={2: "0"}, holder=1, disc=caught, sf5AcceptsMarker="true")
    events = [event for event in chocolatier.tiling(scenario).events if isinstance(event, FloorCleared)]
    assert made(scenario.with_(_all_tile), events)[reason] == ["seat-1.disc"]


def _all_tile(state: State) -> None:
    state.phase, state.tiling = "tile", [1, 2]


def test_whoever_starts_is_chosen_by_their_board() -> None:
    scenario = given(MASTER_CHOCOLATIER, 3, firstPlayer="host-choice")
    assert list(scenario.game.path(scenario.state, 1, ChooseStart(seat=3))) == ["seat-3"]


# ----------------------------------------------------------------------------------------------------------------- pads


def test_a_pad_shuts_what_can_no_longer_be_entered() -> None:
    scenario = given(AZUL_PAD, 2).when(1, LayTile(line=2, colour=RED)).after
    assert looks(scenario, "seat-1.wall-2-4") == tiles("red")
    assert [_shut(scenario, f"seat-1.wall-{row}-1") for row in range(1, 6)] == [True, True, False, False, False]
    assert not any(_shut(scenario, name) for name in ("seat-2.wall-1-1", "seat-1.floor-0", "seat-1.wall-2-4"))
    assert label(scenario, "seat-1.wall-1-1") == "row 1, column 1: empty, for blue; closed for this round"
    assert drawn(scenario)[1].description == "Wall: row 2: red in column 4. Rows 3–5 are open."
    closed = scenario.when(1, ClearFloor(spaces=3)).after
    assert all(_shut(closed, name) for name in ("seat-1.wall-5-1", "seat-1.floor-0", "seat-1.floor-7", "end"))
    assert drawn(closed)[1].description.endswith(" Round 1 is entered.")
    assert closed.game.projection.situation(closed.state) == "Round 1 · entering what was placed"
    entered = closed.when(2, ClearFloor(spaces=0)).after
    assert not any(_shut(entered, name) for name in ("seat-1.wall-1-1", "seat-1.floor-0", "end"))
    assert entered.game.projection.situation(entered.state) == "Round 2 · entering what was placed"
    over = entered.when(1, StopGame()).after
    assert over.game.projection.situation(over.state) == "Round 1 · game over"
    assert [panel.key for panel in drawn(over)] == ["seat-1", "seat-2"]


def _shut(scenario: Scenario, name: str) -> bool:
    return any("shut" in one.attributes.get("class", "") for one in elements([found(scenario, name)]))


def test_entries_take_a_tap_or_two() -> None:
    coloured, brown = given(AZUL_PAD, 3), given(MASTER_CHOCOLATIER_PAD, 2, boardSide="brown")
    assert list(AZUL_PAD.path(coloured.state, 3, LayTile(line=3, colour=RED))) == ["seat-3.wall-3-5"]
    assert list(AZUL_PAD.path(coloured.state, 1, ClearFloor(spaces=0))) == ["seat-1.floor-0"]
    assert list(AZUL_PAD.path(coloured.state, 1, StopGame())) == ["end"]
    laid = LayTile(line=3, colour=BLACK, column=2)
    assert list(MASTER_CHOCOLATIER_PAD.path(brown.state, 2, laid)) == ["seat-2.black", "seat-2.wall-3-2"]
    assert label(coloured, "seat-1.floor-3") == "3 floor spaces occupied, a loss of 4 points"


def test_points_of_a_pad_show_what_made_them() -> None:
    pad = given(AZUL_PAD, 2, boardSide="grey").when(1, LayTile(line=1, colour=RED, column=2)).after
    entries = pad.when(1, LayTile(line=2, colour=BLACK, column=2))
    assert made(pad, entries.events) == {"tile-placed": ["seat-1.wall-2-2", "seat-1.wall-1-2"]}
    floor = entries.after.when(1, ClearFloor(spaces=2))
    assert made(entries.after, floor.events) == {"floor": ["seat-1.floor-1", "seat-1.floor-2"]}


@pytest.mark.parametrize(
    "scenario",
    [
        table(4, displays=["BBYR"] * 9),
        chocolatier.table(2, gold={4: "<>"}, displays=["BKW", "R", "NNNNB", "BKRR", "WWWNNNKR"]),
        given(AZUL_PAD, 4),
        given(MASTER_CHOCOLATIER_PAD, 2, boardSide="brown"),
    ],
    ids=["azul", "chocolatier", "pad", "brown pad"],
)
def test_whatever_a_move_goes_over_can_be_hit_with_a_finger(scenario: Scenario) -> None:
    game, state = scenario.game, scenario.state
    touched = {name for action in game.rules.legal(state, 1) for name in game.path(state, 1, action)}
    assert touched
    for name in touched:
        left, top, right, bottom = zip(*_boxes(found(scenario, name)), strict=True)
        assert min(max(right) - min(left), max(bottom) - min(top)) >= FINGER, name
