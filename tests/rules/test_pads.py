"""Score pads rule by rule: the rulebooks' scoring examples by id, entered as people write them, and what is refused."""

from collections.abc import Sequence

import pytest

from events.azul import GameEnded
from events.azul_pad import FloorCounted, GameStopped, TileLaid
from events.coloretto import ColoursNamed
from events.core import Event, ScoreLine
from events.summer_pavilion_pad import SpaceBuilt, TilesLeft
from projections.azul_pad.state import State as AzulPad
from projections.summer_pavilion_pad.state import State as PavilionPad
from service.games.azul_pad import AZUL_PAD, MASTER_CHOCOLATIER_PAD
from service.games.coloretto_pad import COLORETTO_PAD
from service.games.game import Game
from service.games.notation import Malformed
from service.games.summer_pavilion_pad import SUMMER_PAVILION_PAD
from tests.rules.azul_tables import put
from tests.rules.summer_pavilion_tables import build
from tests.scenario import Scenario, given


def enter(scenario: Scenario, *lines: str) -> tuple[Scenario, list[Event]]:
    """The pad after lines such as `1: 1B 2R floor 2`, and everything that happened on the way."""
    assert scenario.game.notation.read_line is not None
    events: list[Event] = []
    for line in lines:
        seat, _, text = line.partition(":")
        for action in scenario.game.notation.read_line(text):
            happened = scenario.when(int(seat), action)
            events += happened.events
            scenario = happened.after
    return scenario, events


def points(events: Sequence[Event], seat: int = 1) -> list[int]:
    """What a seat got, line by line."""
    return [line.applied for event in events for line in event.scores if line.seat == seat]


def refuse(scenario: Scenario, line: str, code: str, rule: str) -> None:
    """The last entry of a line is refused."""
    assert scenario.game.notation.read_line is not None
    seat, _, text = line.partition(":")
    *before, last = scenario.game.notation.read_line(text)
    for action in before:
        scenario = scenario.when(int(seat), action).after
    scenario.refuses(int(seat), last, code, rule)


# -------------------------------------------------------------------------------------- Azul and Master Chocolatier


def azul(wall: Sequence[tuple[int, int]] = (), score: int = 0, game: Game = AZUL_PAD, **options: str) -> Scenario:
    """A pad on which seat 1 has tiles on printed cells."""

    def arrange(state: AzulPad) -> None:
        state.boards[0].score = score
        for row, column in wall:
            put(state.boards[0], row, column, (column - row) % 5)

    return given(game, 2, **options).with_(arrange)


@pytest.mark.parametrize(
    "wall, entry, expected",
    [
        pytest.param([], "2R", 1, id="AZ-EX-4"),
        pytest.param([(1, 3), (3, 5)], "2R", 1, id="AZ-EX-4-diagonals-never-count-AZ-47"),
        pytest.param([(1, 1), (1, 3)], "1Y", 3, id="AZ-EX-5"),
        pytest.param([(1, 3), (2, 3)], "3B", 3, id="AZ-EX-6"),
        pytest.param([(3, 2), (3, 3), (3, 5), (2, 4), (4, 4)], "3Y", 7, id="AZ-EX-7"),
    ],
)
def test_a_tile_scores_as_in_azul(wall: list[tuple[int, int]], entry: str, expected: int) -> None:
    _, events = enter(azul(wall), f"1: {entry}")
    assert [(type(event), event.round) for event in events] == [(TileLaid, 1)]
    assert points(events) == [expected]


@pytest.mark.parametrize(
    "wall, entry, expected",
    [
        pytest.param([], "2K", 1, id="MC-EX-4"),
        pytest.param([(1, 1), (1, 3)], "1N", 3, id="MC-EX-5"),
        pytest.param([(1, 3), (2, 3)], "3B", 3, id="MC-EX-6"),
        pytest.param([(3, 2), (3, 3), (3, 5), (2, 4), (4, 4)], "3N", 7, id="MC-EX-7"),
    ],
)
def test_a_praline_scores_as_in_master_chocolatier(wall: list[tuple[int, int]], entry: str, expected: int) -> None:
    assert points(enter(azul(wall, game=MASTER_CHOCOLATIER_PAD), f"1: {entry}")[1]) == [expected]


@pytest.mark.parametrize(
    "spaces, score, requested, applied",
    [(1, 9, -1, -1), (2, 9, -2, -2), (3, 9, -4, -4), (5, 9, -8, -8), (7, 20, -14, -14), (7, 9, -14, -9)],
)
def test_az_50_the_floor_costs_what_is_printed_and_stops_at_0(
    spaces: int, score: int, requested: int, applied: int
) -> None:
    _, events = enter(azul(score=score), f"1: floor {spaces}")
    line = ScoreLine(1, "AZ-50", "floor", requested, applied, {"spaces": spaces})
    assert events == [FloorCounted(seat=1, scores=(line,), spaces=spaces, round=1)]


def test_ap_2_and_3_seats_enter_in_any_order_and_the_last_floor_ends_the_round() -> None:
    scenario, events = enter(azul(), "2: 1B", "1: 1Y floor 0", "2: 2R floor 1")
    assert [event.round for event in events if event.round] == [1]
    assert AZUL_PAD.projection.to_act(scenario.state) == (1, 2)
    _, events = enter(scenario, "1: done")
    assert events == [FloorCounted(seat=1, round=2)]


def test_az_59_a_complete_row_ends_the_game_with_its_bonuses() -> None:
    four = [(1, column) for column in range(1, 5)]
    scenario, events = enter(azul(four, score=10), "1: 1W floor 0", "2: floor 0")
    (ended,) = [event for event in events if isinstance(event, GameEnded)]
    assert (ended.reason, ended.scores) == ("row", (ScoreLine(1, "AZ-61", "row-bonus", 2, 2, {"row": 1}),))
    assert [(place.seat, place.score, place.tiebreak) for place in ended.standings] == [(1, 17, 1), (2, 0, 0)]
    scenario.refuses(1, AZUL_PAD.notation.read("1B"), "azul-pad/over", "AZ-59")


def test_ap_7_the_table_may_say_that_there_is_no_further_round() -> None:
    column = [(row, 1) for row in range(1, 6)]
    scenario, _ = enter(azul(column), "1: floor 0", "2: floor 0")
    _, events = enter(scenario, "2: end")
    assert isinstance(events[0], GameStopped)
    assert points(events) == [7]
    refuse(azul(), "1: end", "azul-pad/end", "AP-7")
    refuse(azul(), "1: 1B end", "azul-pad/end", "AP-7")


@pytest.mark.parametrize(
    "wall, line, code, rule",
    [
        ([(1, 1)], "1: 1B", "row-colour", "AZ-30"),
        ([], "1: 2B 2Y", "order", "AZ-38"),
        ([], "1: 2B 1Y", "order", "AZ-38"),
        ([], "1: 1B@1", "column", "AP-4"),
        ([], "1: floor 8", "floor", "AZ-7"),
        ([], "1: floor 0 1B", "closed", "AP-2"),
        ([], "3: 1B", "actor", "AP-1"),
        ([], "1: 1B 2Y 3R 4K 5W floor 7", "too-many", "AP-6"),
    ],
)
def test_what_cannot_have_happened_is_refused(wall: list[tuple[int, int]], line: str, code: str, rule: str) -> None:
    refuse(azul(wall), line, f"azul-pad/{code}", rule)


@pytest.mark.parametrize(
    "line, code, rule",
    [
        ("1: 2B", "column-missing", "AP-4"),
        ("1: 1R@1", "cell-taken", "AZ-69"),
        ("1: 2B@1", "column-colour", "AZ-70"),
    ],
)
def test_the_grey_side_wants_a_column_that_fits(line: str, code: str, rule: str) -> None:
    refuse(azul([(1, 1)], boardSide="grey"), line, f"azul-pad/{code}", rule)


def test_az_10_there_are_twenty_tiles_of_a_colour() -> None:
    scenario = azul(maxRounds="none").with_(lambda state: setattr(state, "pieces", -100))  # the deal is not the matter
    scenario, _ = enter(scenario, "1: 1B 2B 3B 4B 5B")  # 15 of them
    refuse(scenario, "2: 2B 5B", "azul-pad/colour-count", "AZ-10")


# --------------------------------------------------------------------------------------------------- Summer Pavilion


def pavilion(spaces: str = "", score: int | None = None, **options: str) -> Scenario:
    """A pad in round 1 on which seat 1 has built."""

    def arrange(state: PavilionPad) -> None:
        build(state, 1, spaces)
        if score is not None:
            state.boards[0].score = score

    return enter(given(SUMMER_PAVILION_PAD, 2, **options), "2: left 0")[0].with_(arrange)


@pytest.mark.parametrize(
    "spaces, entry, expected",
    [
        pytest.param("", "SW4", 1, id="SP-EX5"),
        pytest.param("", "W3", 1, id="SP-EX6"),
        pytest.param("", "C4=G", 1, id="SP-EX7"),
        pytest.param("", "C3=P", 1, id="SP-EX8"),
        pytest.param("", "E6", 1, id="SP-EX10"),
        pytest.param("NE.6 NE.1", "NE3", 1, id="SP-EX11"),
        pytest.param("E.1 E.2", "E6", 3, id="SP-EX12"),
        pytest.param("NW.3 NW.5", "NW4", 3, id="SP-EX13"),
        pytest.param("W.1 W.3", "purple 2", 3, id="SP-EX15"),
        pytest.param("C.2=Y C.3=G C.5=R", "C4=blue", 4, id="SP-EX17"),
    ],
)
def test_a_space_scores_as_in_summer_pavilion(spaces: str, entry: str, expected: int) -> None:
    _, events = enter(pavilion(spaces), f"1: {entry}")
    assert [type(event) for event in events] == [SpaceBuilt]
    assert points(events) == [expected]


@pytest.mark.parametrize(
    "entry, score, line",
    [
        pytest.param("marker 4", 5, ScoreLine(1, "SP-27", "marker-loss", -4, -4, {"tiles": 4}), id="SP-EX3"),
        pytest.param("marker 7", 3, ScoreLine(1, "SP-27", "marker-loss", -7, -2, {"tiles": 7}), id="SP-TV17"),
        pytest.param("left 2", 5, ScoreLine(1, "SP-60", "surplus-loss", -2, -2, {"tiles": 2}), id="SP-EX16"),
    ],
)
def test_what_is_lost_costs_a_point_a_tile(entry: str, score: int, line: ScoreLine) -> None:
    assert enter(pavilion(score=score), f"1: {entry}")[1][0].scores == (line,)


def test_sp_67_the_sixth_round_ends_the_game_with_its_stars() -> None:
    scenario = pavilion("E.1 E.2 E.3 E.4 E.5 E.6")
    scenario, events = enter(scenario, "1: done", *["1: done", "2: done"] * 4, "1: left 1", "2: done")
    assert isinstance(events[-3], TilesLeft)
    assert [(line.rule, line.applied) for line in events[-3].scores] == [("SP-61", -1)]
    assert [line.applied for line in events[-1].scores] == [15]
    assert [(place.seat, place.score) for place in events[-1].standings] == [(1, 19), (2, 5)]
    scenario.refuses(1, SUMMER_PAVILION_PAD.notation.read("E6"), "summer-pavilion-pad/over", "SP-18")


@pytest.mark.parametrize(
    "line, code, rule",
    [
        ("1: E1 E1", "summer-pavilion/space-taken", "SP-37"),
        ("1: C1=P C2=P", "summer-pavilion/centre-colour", "SP-40"),
        ("1: E1=B", "summer-pavilion-pad/colour-named", "PP-4"),
        ("1: C1", "summer-pavilion-pad/colour-missing", "PP-4"),
        ("1: E6 W6 NW6 SE6", "summer-pavilion-pad/too-many", "PP-6"),
        ("1: left 21", "summer-pavilion-pad/too-many", "PP-6"),
        ("1: marker 16", "summer-pavilion-pad/marker-tiles", "PP-7"),
        ("1: marker 2 marker 2", "summer-pavilion-pad/marker", "PP-7"),
        ("1: E1 marker 2", "summer-pavilion-pad/marker-late", "PP-2"),
        ("2: E1", "summer-pavilion-pad/closed", "PP-2"),
    ],
)
def test_what_cannot_have_been_built_is_refused(line: str, code: str, rule: str) -> None:
    refuse(pavilion(), line, code, rule)


def test_sp_73_a_colourless_star_is_held_to_its_kind() -> None:
    scenario, _ = enter(pavilion(boardSide="colourless"), "1: E3=R E2=R")
    refuse(scenario, "1: E1=B", "summer-pavilion/star-kind", "SP-73")


def test_sp_3_there_are_22_tiles_of_a_colour() -> None:
    def arrange(state: PavilionPad) -> None:
        state.boards[1].spaces = [4] * 22 + state.boards[1].spaces[22:]

    refuse(pavilion().with_(arrange), "1: E1", "summer-pavilion-pad/colour-count", "SP-3")


# --------------------------------------------------------------------------------------------------------- Coloretto


@pytest.mark.parametrize(
    "collection, decisions, expected, options",
    [
        pytest.param("G6 Y4 R3 B2 J1 +2", ["J=Y", "+GYR"], [21, 15, 6, -3, 2], {}, id="CO-EX-1"),
        pytest.param("G6 Y4 R3 B2 J1 +2", ["J=B", "+YRB"], [-5, 7, 8, 8, 2], {"scoringSide": "violet"}, id="CO-T-1"),
        pytest.param("R3 B3 J1", ["J=R"], [7, 8], {"scoringSide": "violet", "jokerScope": "held"}, id="CO-T-2-held"),
        pytest.param("G1 Y1 R1 B1 O1 P1 W1", ["+GYR"], [1, 1, 1, -1, -1, -1, -1], {}, id="CO-T-3"),
        pytest.param("G9", [], [21], {}, id="CO-T-4-brown"),
        pytest.param("G9", [], [5], {"scoringSide": "violet"}, id="CO-T-4-violet"),
    ],
)
def test_a_collection_scores_as_in_coloretto(
    collection: str, decisions: list[str], expected: list[int], options: dict[str, str]
) -> None:
    decided = [f"1: {decision}" for decision in decisions]
    _, events = enter(given(COLORETTO_PAD, 2, **options), "2: done", f"1: {collection} done", *decided)
    assert points(events) == expected


def test_co_72_the_best_decisions_are_made_where_that_was_agreed() -> None:
    pad = given(COLORETTO_PAD, 2, finalDecisions="auto-optimal")
    _, events = enter(pad, "1: green 6, yellow 4, red 3, 2 blue, jokers 1, +2 done", "2: done")
    assert sum(points(events)) == 41
    assert [event.colours for event in events if isinstance(event, ColoursNamed)] == [(0, 1, 2), ()]


@pytest.mark.parametrize(
    "line, code, rule",
    [
        ("1: G10", "coloretto-pad/too-many", "CO-7"),
        ("1: J4", "coloretto-pad/too-many", "CO-7"),
        ("1: G2 G1", "coloretto-pad/twice", "CP-2"),
        ("1: W1", "coloretto-pad/removed", "CO-11"),
        ("1: done G1", "coloretto-pad/closed", "CP-2"),
        ("1: J1 J=G", "coloretto/too-early", "CO-38"),
        ("3: G1", "coloretto-pad/actor", "CP-1"),
    ],
)
def test_what_nobody_can_have_is_refused(line: str, code: str, rule: str) -> None:
    refuse(given(COLORETTO_PAD, 2, removedColours="purple,white"), line, code, rule)


# --------------------------------------------------------------------------------------------------------- in writing


@pytest.mark.parametrize(
    "pad, text, exact",
    [
        (AZUL_PAD, "row 1 blue, 3 red column 2 floor 2", "1B 3R@2 floor 2"),
        (AZUL_PAD, "1b 2k done", "1B 2K floor 0"),
        (AZUL_PAD, "5W -1", "5W floor 1"),
        (MASTER_CHOCOLATIER_PAD, "1 brown 2N clean", "1N 2N floor 0"),
        (SUMMER_PAVILION_PAD, "marker 4 blue 6, c.3=purple left 2", "marker 4 E6 C3=P left 2"),
        (COLORETTO_PAD, "blue 4 red 2 jokers 1 +2", "B4 R2 J1 +2x1"),
        (COLORETTO_PAD, "4 blue 3 +2 2 joker done", "B4 +2x3 J2 done"),
        (COLORETTO_PAD, "joker=green plus red green", "J=G +GR"),
    ],
)
def test_lines_are_read_laxly(pad: Game, text: str, exact: str) -> None:
    assert pad.notation.read_line is not None
    assert " ".join(map(pad.notation.write, pad.notation.read_line(text))) == exact


@pytest.mark.parametrize(
    "pad, text",
    [(AZUL_PAD, "1B 6R"), (AZUL_PAD, "floor"), (SUMMER_PAVILION_PAD, "E7"), (COLORETTO_PAD, "B"), (COLORETTO_PAD, "4")],
)
def test_what_does_not_read_is_refused(pad: Game, text: str) -> None:
    assert pad.notation.read_line is not None
    with pytest.raises(Malformed):
        pad.notation.read_line(text)
