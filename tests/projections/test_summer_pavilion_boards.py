"""Summer Pavilion drawn: stars that fit together as on the printed board, and paths that lead to one move quickly."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import dist, hypot

import pytest

from projections.drawing import Element, Panel, elements, parts_of
from projections.summer_pavilion import PROJECTION
from projections.summer_pavilion.stars import FEATURES, NUMBERS
from projections.summer_pavilion.state import State
from projections.summer_pavilion_pad import PROJECTION as PAD
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion_pad import SUMMER_PAVILION_PAD
from tests.rules.summer_pavilion_tables import acquiring, build, heap, move, placing, star
from tests.scenario import Happened, Scenario, given
from tests.shelf import Shape, turns

Corner = tuple[float, float]
SIDES = tuple(NUMBERS)
TOUCHABLE = 24
"""Units a part needs in every direction to be touched."""


def panel_of(state: object, seat: int = 1) -> Panel:
    """What lies before a seat, of the game or of its pad."""
    projection = PROJECTION if isinstance(state, State) else PAD
    return next(panel for panel in projection.board(state) if panel.seat == seat)


def named(panel: Panel, name: str) -> Element:
    """The part of this name."""
    return next(element for element in elements(panel.children) if element.part == name)


def label(panel: Panel, name: str) -> str:
    """What somebody is told who points at a part."""
    (words,) = named(panel, name).children[0].children  # type: ignore[union-attr]
    return str(words)


def letters(element: Element) -> list[str]:
    """The texts of a part in the order they are drawn."""
    return [str(child.children[0]) for child in elements(element.children) if child.tag == "text"]


def outline(element: Element) -> list[Corner]:
    """The corners of the outermost shape of a part."""
    shape = next(child for child in elements(element.children) if child.tag == "polygon")
    return [(float(x), float(y)) for x, y in (corner.split(",") for corner in shape.attributes["points"].split())]


def middle(corners: Sequence[Corner]) -> Corner:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def spreads(corners: Sequence[Corner], others: Sequence[Corner]) -> Iterator[tuple[float, float, float, float]]:
    """Seen along each of their sides, where two shapes begin and end."""
    for shape in (corners, others):
        for (x, y), (to_x, to_y) in zip(shape, [*shape[1:], shape[0]], strict=True):
            length = hypot(to_x - x, to_y - y)
            across = (y - to_y) / length, (to_x - x) / length
            one, other = ([x * across[0] + y * across[1] for x, y in each] for each in (corners, others))
            yield min(one), max(one), min(other), max(other)


# ------------------------------------------------------------------------------------------------------------ the stars


@pytest.mark.parametrize("side", SIDES)
def test_shapes_lie_beside_each_other_and_can_be_touched(side: str) -> None:
    panel = panel_of(placing("", boardSide=side).state)
    shapes = {
        element.part: outline(element)
        for element in elements(panel.children)
        if element.part and next(elements(element.children[1:])).tag == "polygon"
    }
    assert len(shapes) == 42 + 18
    for corners in shapes.values():
        assert all(0 <= x <= panel.width and 0 <= y <= panel.height for x, y in corners)
        assert min(end - begin for begin, end, *_ in spreads(corners, corners)) >= TOUCHABLE
    for (name, corners), (other, others) in combinations(shapes.items(), 2):
        apart = [end < begins or ends < begin for begin, end, begins, ends in spreads(corners, others)]
        assert any(apart), f"{name} lies over {other}"


@pytest.mark.parametrize(("feature", "reward", "spaces"), FEATURES, ids=[name for name, *_ in FEATURES])
def test_a_feature_is_drawn_between_the_spaces_that_surround_it(
    feature: str, reward: int, spaces: Sequence[str]
) -> None:
    panel = panel_of(placing("").state)
    place = middle(outline(named(panel, f"seat-1.{feature}")))
    middles = {
        element.part.removeprefix("seat-1.star-"): middle(outline(element))
        for element in elements(panel.children)
        if element.part.startswith("seat-1.star-") and element.part[-1].isdigit()
    }
    assert set(sorted(middles, key=lambda name: dist(middles[name], place))[: len(spaces)]) == set(spaces)


def test_a_space_shows_its_number_and_its_colour_and_a_tile_stands_out() -> None:
    panel = panel_of(placing("", "E.6 C.2=R").state)
    empty, built = named(panel, "seat-1.star-E.5"), named(panel, "seat-1.star-E.6")
    assert (letters(empty), empty.attributes["class"]) == (["5", "b"], "space kind-blue")
    assert (letters(built), built.attributes["class"]) == (["B", "6"], "tile kind-blue")
    assert label(panel, "seat-1.star-E.5") == "E.5, number 5: empty, for blue"
    assert label(panel, "seat-1.star-E.6") == "E.6, number 6: blue"
    assert letters(named(panel, "seat-1.star-C.1")) == ["1"]
    assert letters(named(panel, "seat-1.star-C.2")) == ["R", "2"]
    assert label(panel, "seat-1.star-E") == "star E, blue: 1 of 6 spaces built, worth 15 when complete"


def test_the_colourless_side_shows_other_numbers_and_no_colours() -> None:
    panel = panel_of(placing("", "NW.1=B", boardSide="colourless").state)
    assert [letters(named(panel, f"seat-1.star-NW.{slot}")) for slot in range(1, 7)] == [
        ["B", "3"],
        ["2"],
        ["1"],
        ["4"],
        ["5"],
        ["6"],
    ]
    assert named(panel, "seat-1.star-E.6").attributes["class"] == "space"
    assert "Slots built: NW 1 blue." in panel.description


def test_a_feature_says_whether_it_is_surrounded() -> None:
    before, after = (panel_of(placing("", spaces).state) for spaces in ("E.5", "E.5 E.6"))
    assert label(before, "seat-1.window-E") == "window E: gives 3 bonus tiles once surrounded"
    assert letters(named(before, "seat-1.window-E")) == ["+3"]
    assert label(after, "seat-1.window-E") == "window E: surrounded"
    assert letters(named(after, "seat-1.window-E")) == ["✓"]
    assert after.description.startswith("Slots built: E (blue) 5 and 6. Surrounded: window-E. Hand: empty.")


# ------------------------------------------------------------------------------------------------------------ the table


def test_everything_else_before_a_seat_is_drawn_and_told() -> None:
    def arrange(state: State) -> None:
        state.boards[1].corners, state.boards[1].hand, state.boards[1].passed = heap("GGR"), heap(""), True
        state.marker = 2

    table = placing("PPB").with_(arrange)
    own, other = panel_of(table.state), panel_of(table.state, 2)
    assert letters(named(own, "seat-1.hand")) == ["hand: 3 tiles", "P", "P", "B"]
    assert "passed" not in letters(Element("g", {}, own.children))
    assert [label(other, f"seat-2.corner-{corner}") for corner in range(1, 5)] == [
        "corner 1: green is kept",
        "corner 2: green is kept",
        "corner 3: red is kept",
        "corner 4: empty",
    ]
    assert "passed" in letters(Element("g", {}, other.children))
    assert "seat-2.marker" in set(parts_of([other]))
    assert other.description.endswith("Hand: empty. Corners: 2 green, 1 red. Has the start-player marker. Has passed.")


def test_the_offer_shows_what_comes_along_and_what_is_due() -> None:
    def owe(state: State) -> None:
        state.owed = 2

    offer, *_ = PROJECTION.board(acquiring("PPBR", "GGGG", centre="PPYY").with_(owe).state)
    assert label(offer, "display-1.blue") == "1 blue and a wild purple on display 1"
    assert label(offer, "display-1.purple") == "2 wild purple on display 1"
    assert label(offer, "display-2.green") == "4 green on display 2"
    assert label(offer, "centre.yellow") == "2 yellow and a wild purple in the centre"
    assert letters(named(offer, "supply"))[0] == "supply · 2 bonus tiles to take"
    assert label(offer, "round-1") == "round 1, now: purple is wild"
    assert offer.description == (
        "Round 1 of 6, purple is wild. Display 1: 2 purple, 1 blue, 1 red; display 2: 4 green; "
        "centre: the start-player marker and 2 purple, 2 yellow; "
        "supply: 2 purple, 2 green, 2 orange, 2 yellow, 2 blue. Bag: 132; tower: 0. 2 bonus tiles to take."
    )


def test_a_large_hand_keeps_to_its_two_rows() -> None:
    panel = panel_of(placing("G" * 20 + "O" * 20).state)
    tiles = [element for element in elements(named(panel, "seat-1.hand").children) if element.tag == "rect"]
    assert len({(tile.attributes["x"], tile.attributes["y"]) for tile in tiles}) == 40
    assert len({tile.attributes["y"] for tile in tiles}) == 2


@pytest.mark.parametrize("game", [SUMMER_PAVILION, SUMMER_PAVILION_PAD], ids=lambda game: game.key)
@pytest.mark.parametrize("seats", [2, 4])
def test_no_step_moves_the_page(game: object, seats: int) -> None:
    shape = Shape(game, seats, {})  # type: ignore[arg-type]
    sizes = {
        tuple((panel.key, panel.height) for panel in shape.game.projection.board(turn.state))
        for turn in turns(shape, 24)
    }
    assert len(sizes) == 1


def test_situations() -> None:
    assert PROJECTION.situation(placing("P", round_=3).state) == "Round 3 of 6 · placing · orange is wild"
    waiting = given(SUMMER_PAVILION, firstPlayer="host-choice").state
    assert PROJECTION.situation(waiting) == "choosing who starts"
    owing = placing("BB" + "P" * 9, "E.5").when(1, move("2B+4@E6")).after
    assert PROJECTION.situation(owing.state) == "Round 1 of 6 · choosing 3 bonus tiles · purple is wild"
    assert PAD.situation(given(SUMMER_PAVILION_PAD).state) == "Round 1"


# ---------------------------------------------------------------------------------------------------------------- paths


def touched(table: Scenario, text: str) -> list[str]:
    """The parts of a move as people write it."""
    action = table.game.notation.read(text)
    assert action in table.game.rules.legal(table.state, 1)
    return list(table.game.path(table.state, 1, action))


def test_moves_are_short_paths() -> None:
    offered = acquiring("BBRR", "PPPP", centre="RRG")
    assert touched(offered, "1B") == ["display-1.blue"]
    assert touched(offered, "CR") == ["centre.red"]
    table = placing("BBBPPPG", "E.5")
    assert touched(table, "3B+3@E6") == ["seat-1.star-E.6"]
    assert touched(table, "1B+1@C2") == ["seat-1.star-C.2", "seat-1.hand.blue"]
    assert touched(table, "pass") == ["seat-1.keep-0"]
    assert touched(table, "pass PBB") == [
        "seat-1.keep-3",
        "seat-1.hand.purple-1",
        "seat-1.hand.blue-1",
        "seat-1.hand.blue-2",
    ]
    owing = table.when(1, move("3B+3@E6")).after
    assert touched(owing, "+PPG") == ["supply.purple-1", "supply.purple-2", "supply.green-1"]
    colourless = placing("BBB", boardSide="colourless")
    assert touched(colourless, "1B@E3") == ["seat-1.star-E.3", "seat-1.hand.blue"]


@pytest.mark.parametrize("side", SIDES)
def test_paths_leave_little_to_ask(side: str) -> None:
    """Of hundreds of moves a path leaves the ways to pay for one tile, and no path ends where another goes on."""
    table = placing("PPPPPPGGGOOYYBBBRR", boardSide=side)
    paths = Counter(tuple(table.game.path(table.state, 1, action)) for action in table.game.rules.legal(table.state, 1))
    assert paths.total() > 250
    assert max(paths.values()) <= 5
    assert all(times == 1 for path, times in paths.items() if "keep" in path[0])
    begun = {path[:length] for path in paths for length in range(1, len(path))}
    assert not begun & set(paths)


@pytest.mark.parametrize("table", [placing("PPG"), given(SUMMER_PAVILION_PAD)], ids=["game", "pad"])
def test_whatever_is_touched_has_a_face_that_lights_up(table: Scenario) -> None:
    panel = panel_of(table.state)
    moves = table.game.rules.legal(table.state, 1)
    for name in {name for action in moves for name in table.game.path(table.state, 1, action)}:
        faces = [one for one in elements(named(panel, name).children) if one.attributes.get("class") == "face"]
        assert faces, name


def test_nothing_can_be_kept_in_the_last_round() -> None:
    drawn = set(parts_of([panel_of(placing("PPP", round_=6).state)]))
    assert {part for part in drawn if "keep" in part} == {"seat-1.keep-0"}
    drawn = set(parts_of([panel_of(placing("PP", round_=5).state)]))
    assert {part for part in drawn if "keep" in part} == {"seat-1.keep-0", "seat-1.keep-1", "seat-1.keep-2"}


def test_entries_of_a_pad_are_tapped() -> None:
    pad = given(SUMMER_PAVILION_PAD, 4)
    assert touched(pad, "E6") == ["seat-1.star-E.6"]
    assert touched(pad, "C3=P") == ["seat-1.star-C.3", "seat-1.colours.purple"]
    assert touched(pad, "marker 4") == ["seat-1.marker-tiles.4"]
    assert touched(pad, "marker 10") == touched(pad, "marker 23") == ["seat-1.marker-tiles.more"]
    assert touched(pad, "left 0") == ["seat-1.left.0"]
    assert touched(pad, "left 9") == touched(pad, "left 30") == ["seat-1.left.more"]
    colourless = given(SUMMER_PAVILION_PAD, boardSide="colourless")
    assert touched(colourless, "E6=B") == ["seat-1.star-E.6", "seat-1.colours.blue"]


# ----------------------------------------------------------------------------------------------------- what made points


def made(happened: Happened, seat: int = 1) -> list[list[str]]:
    """The parts behind each score line of a seat, without the seat's own prefix."""
    found = []
    scenario = happened.after
    projection = scenario.game.projection
    for event in happened.events:
        for line in event.scores:
            if line.seat == seat:
                parts = projection.scored_parts[line.reason](event, line, scenario.state)
                found.append([name.removeprefix(f"seat-{seat}.") for name in parts])
    return found


def test_a_placement_was_made_by_its_group() -> None:
    table = placing("PPPPPP", "W.5 W.1 W.3")
    assert made(table.when(1, move("6P@W6"))) == [["star-W.5", "star-W.6", "star-W.1"]]


def test_losses_show_where_they_came_from() -> None:
    taken = acquiring("PPPP", centre="BBP").when(1, move("CB"))
    assert made(taken) == [["marker", "hand.blue", "hand.purple"]]
    assert made(placing("PPG").when(1, move("pass P"))) == [["hand"]]


def end(side: str, spaces: str) -> Happened:
    """The last pass of a match in which seat 1 has built these spaces."""
    return placing("P", spaces, others="", round_=6, boardSide=side).when(1, move("pass"))


def test_the_end_shows_complete_stars_and_numbers() -> None:
    every_four = " ".join(f"{name}.4" for name in ("NW", "NE", "SE", "SW", "W", "C"))
    _, whole_star, numbers = made(end("coloured", f"{star('E')} {every_four}"))
    assert whole_star == [f"star-E.{slot}" for slot in range(1, 7)]
    assert sorted(numbers) == sorted(f"star-{name}.4" for name in ("NW", "NE", "E", "SE", "SW", "W", "C"))
    outer = " ".join(f"{name}.1=B" for name in ("NW", "NE", "E", "SE", "SW", "W"))
    *_, numbers = made(end("colourless", f"{star('C', 'B')} {outer}"))
    assert sorted(numbers) == sorted(
        space.removesuffix("=B")
        for space in [*(f"star-{word}" for word in outer.split()), *(f"star-C.{slot}" for slot in range(1, 7))]
    )


def test_a_pad_shows_what_made_its_points() -> None:
    def arrange(pad: object) -> None:
        build(pad, 1, "E.5")  # type: ignore[arg-type]

    pad = given(SUMMER_PAVILION_PAD).with_(arrange)

    def entered(text: str) -> Happened:
        return pad.when(1, SUMMER_PAVILION_PAD.notation.read(text))

    assert made(entered("E6")) == [["seat-1"], ["star-E.5", "star-E.6"]]
    assert made(entered("marker 4")) == [["seat-1"], ["marker", "marker-tiles.4"]]
    assert made(entered("left 2")) == [["seat-1"], ["seat-1", "left.2"]]
    assert made(entered("left 2"), 2) == [["seat-2"]]


def test_a_pad_says_who_is_done_and_who_took_the_marker() -> None:
    pad = given(SUMMER_PAVILION_PAD)
    for seat, text in ((1, "marker 2"), (1, "left 0")):
        pad = pad.when(seat, SUMMER_PAVILION_PAD.notation.read(text)).after
    done, open_ = panel_of(pad.state), panel_of(pad.state, 2)
    assert done.description.endswith("Took the start-player marker. Is done with round 1.")
    assert open_.description.endswith("Surrounded: nothing.")
