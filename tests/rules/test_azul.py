"""Azul against its rules: every worked example (AZ-EX), every constructed test (AZ-T), every illegal move."""

from collections.abc import Sequence
from random import Random

import pytest

from events.azul import (
    DisplaysFilled,
    FloorCleared,
    GameEnded,
    LineDropped,
    LineTiled,
    StartChosen,
    StartDrawn,
    TilesDrafted,
)
from events.core import CHANCE, ScoreLine, Standing
from projections.azul.state import EMPTY_ROW, MARKER, Board, State, initial
from projections.azul.tiles import counts
from service.errors import IllegalAction, UsageError
from service.games.azul import AZUL
from service.games.azul.notation import read
from service.games.azul.rules import RULES, DraftTiles, legal
from service.games.azul.tiling import TileLine, bonuses, has_open_cell, open_cells, printed_column, tile_points
from service.games.core import Outcome, Stage, ranked
from service.games.first_player import ChooseStart
from service.games.notation import Malformed
from service.games.options import read_options
from service.games.shelf import by_ruleset
from service.play import chance
from tests.rules.azul_tables import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    YELLOW,
    board_of,
    cells,
    heap,
    lay,
    put,
    slots,
    table,
    takes,
)
from tests.scenario import Happened, Scenario, given
from tests.shelf import PLAIN, SHAPES, turns

LAST = "W"
"""A centre of one white tile: whoever takes it ends the drafting."""


def tiling(scenario: Scenario, seat: int = 1) -> Happened:
    """End the drafting by dropping the last tile of the centre to the floor of the other seat."""
    other = seat % scenario.state.seats + 1

    def arrange(state: State) -> None:
        state.sources, state.turn = [heap(LAST)] + [0] * len(state.displays), other
        state.marker = state.marker or other

    return scenario.with_(arrange).when(other, DraftTiles(source=0, colour=WHITE, line=0))


def placements(happened: Happened, seat: int = 1) -> list[tuple[int, int, int]]:
    return [(e.line, e.column, e.scores[0].applied) for e in happened.only(LineTiled) if e.seat == seat]


def penalty(happened: Happened, seat: int = 1) -> tuple[int, int]:
    lines: Sequence[ScoreLine] = next(e.scores for e in happened.only(FloorCleared) if e.seat == seat)
    return (lines[0].requested, lines[0].applied) if lines else (0, 0)


# ------------------------------------------------------------------------------------------------- components and setup


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 9])
def test_az_1_other_seat_counts_are_rejected(seats: int) -> None:
    with pytest.raises(UsageError, match=r"choose from: 2, 3, 4"):
        read_options(RULES, {}, seats)


@pytest.mark.parametrize("seats, displays", [(2, 5), (3, 7), (4, 9)])
def test_az_3_and_14_displays_and_tiles(seats: int, displays: int) -> None:
    state = given(AZUL, seats).state
    assert len(state.displays) == displays
    assert counts(state.bag) == (20,) * 5
    assert state.lid == state.centre == 0
    assert [board.score for board in state.boards] == [0] * seats


def test_az_8_and_9_the_printed_wall() -> None:
    names = "BYRKW"
    rows = [
        "".join(names[next(c for c in range(5) if printed_column(r, c) == x)] for x in range(5)) for r in range(1, 6)
    ]
    assert rows == ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]
    assert all(len(set(line)) == 5 for line in [*rows, *zip(*rows, strict=True)])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_az_16_every_display_gets_four_tiles(seats: int) -> None:
    scenario = given(AZUL, seats, firstPlayer="seat:2")
    request = AZUL.rules.request(scenario.state)
    assert request is not None
    after = scenario.when(CHANCE, chance.answer(b"s" * 32, b"", 0, request)).after
    assert [sum(counts(display)) for display in after.state.displays] == [4] * len(after.state.displays)
    assert sum(counts(after.state.bag)) == 100 - 4 * len(after.state.displays)
    assert (after.state.round, after.state.turn, after.state.starter, after.state.marker) == (1, 2, 2, 0)


class TestFirstPlayerAz15:
    """AZ-15: by lot, by agreement, or by the host's word; the setup event records who it is."""

    def test_by_lot(self) -> None:
        scenario = given(AZUL, 3)
        request = AZUL.rules.request(scenario.state)
        assert request is not None
        assert request.stages[0].adds == (1, 1, 1)
        after = scenario.when(CHANCE, Outcome((2,))).then(StartDrawn(seat=3))
        dealt = after.when(CHANCE, Outcome(tuple(index % 5 for index in range(28)))).events[0]
        assert isinstance(dealt, DisplaysFilled)
        assert dealt.starter == 3

    def test_by_agreement(self) -> None:
        assert given(AZUL, 2, firstPlayer="seat:2").state.starter == 2

    def test_by_the_host(self) -> None:
        scenario = given(AZUL, 3, firstPlayer="host-choice")
        assert legal(scenario.state, 1) == [ChooseStart(1), ChooseStart(2), ChooseStart(3)]
        assert legal(scenario.state, 2) == []
        scenario.refuses(2, ChooseStart(2), "azul/host", "AZ-15")
        scenario.refuses(1, ChooseStart(4), "azul/seat", "AZ-15")
        after = scenario.when(1, ChooseStart(3)).then(StartChosen(seat=3))
        after.refuses(1, ChooseStart(1), "azul/phase", "AZ-15")

    @pytest.mark.parametrize("value", ["seat:0", "seat:3", "seat:x", "seat:", "nobody", "seat:01"])
    def test_other_values_are_refused(self, value: str) -> None:
        with pytest.raises(UsageError, match="firstPlayer"):
            read_options(RULES, {"firstPlayer": value}, 2)


# -------------------------------------------------------------------------------------------- worked examples: drafting


class TestFirstMovesAzEx1:
    """AZ-EX-1a to 1c: three first moves at a table of three."""

    start = table(3, displays=["KKBW", "YRRR"])

    def after_1a(self) -> Scenario:
        return self.start.when(1, DraftTiles(source=1, colour=BLACK, line=2)).then(
            TilesDrafted(seat=1, source=1, colour=BLACK, taken=2, line=2, next=2, placed=2)
        )

    def after_1b(self) -> Scenario:
        return (
            self.after_1a()
            .when(2, DraftTiles(source=2, colour=YELLOW, line=1))
            .then(TilesDrafted(seat=2, source=2, colour=YELLOW, taken=1, line=1, next=3, placed=1))
        )

    def test_az_ex_1a(self) -> None:
        state = self.after_1a().state
        assert state.displays[0] == 0
        assert state.centre == heap("BW")
        assert state.marker == 0

    def test_az_ex_1b(self) -> None:
        assert self.after_1b().state.centre == heap("BWRRR")

    def test_az_ex_1c(self) -> None:
        after = self.after_1b().when(3, DraftTiles(source=0, colour=RED, line=3)).after
        assert board_of(after, 3).lines[2] == 3
        assert board_of(after, 3).floor == [MARKER]
        assert after.state.marker == 3
        assert after.state.centre == heap("BW")

    def test_az_25_later_centre_picks_involve_no_marker(self) -> None:
        after = self.after_1b().when(3, DraftTiles(source=0, colour=RED, line=3)).after
        again = after.when(1, DraftTiles(source=0, colour=BLUE, line=1)).after
        assert board_of(again, 1).floor == []
        assert again.state.marker == 3


class TestPlacingAzEx2:
    """AZ-EX-2: two yellow tiles, and exactly three places for them."""

    start = lay(table(displays=["YYBB", "RRRR"]), 1, lines=["", "", "", "B"], wall=[(2, 3), (3, 4)])

    def test_az_ex_2(self) -> None:
        lines = [
            a.line
            for a in legal(self.start.state, 1)
            if isinstance(a, DraftTiles) and (a.source, a.colour) == (1, YELLOW)
        ]
        assert lines == [1, 5, 0]
        for line, code, rule in ((2, "azul/wall-colour", "AZ-30"), (3, "azul/wall-colour", "AZ-30")):
            self.start.refuses(1, DraftTiles(1, YELLOW, line), code, rule)
        self.start.refuses(1, DraftTiles(1, YELLOW, 4), "azul/line-colour", "AZ-29")

    @pytest.mark.parametrize(
        "line, lines, floor",
        [
            pytest.param(1, [1, 0, 0, 1, 0], "Y", id="AZ-EX-2A"),
            pytest.param(5, [0, 0, 0, 1, 2], "", id="AZ-EX-2B"),
            pytest.param(0, [0, 0, 0, 1, 0], "YY", id="AZ-EX-2C"),
        ],
    )
    def test_the_three_choices(self, line: int, lines: list[int], floor: str) -> None:
        board = board_of(self.start.when(1, DraftTiles(1, YELLOW, line)).after, 1)
        assert board.lines == lines
        assert board.floor == slots(floor)


# ---------------------------------------------------------------------------------------------- worked examples: tiling


def test_az_ex_3_complete_lines_move_and_the_rest_goes_to_the_lid() -> None:
    happened = tiling(lay(table(), 1, lines=["", "RR", "K", "BBBB", "YY"]))
    assert placements(happened) == [(2, 4, 1), (4, 4, 1)]
    board = board_of(happened.after, 1)
    assert (board.wall[1][3], board.wall[3][3]) == (RED, BLUE)
    assert board.lines == [0, 0, 1, 0, 2]
    assert happened.after.state.lid == heap("RBBB" + LAST)
    assert board.score == 2


@pytest.mark.parametrize(
    "filled, cell, across, down, points",
    [
        pytest.param([], (2, 4), 1, 1, 1, id="AZ-EX-4"),
        pytest.param([(1, 3), (3, 5)], (2, 4), 1, 1, 1, id="AZ-EX-4-diagonals-never-count-AZ-47"),
        pytest.param([(1, 1), (1, 3)], (1, 2), 3, 1, 3, id="AZ-EX-5"),
        pytest.param([(1, 3), (2, 3)], (3, 3), 1, 3, 3, id="AZ-EX-6"),
        pytest.param([(3, 2), (3, 3), (3, 5), (2, 4), (4, 4)], (3, 4), 4, 3, 7, id="AZ-EX-7"),
        pytest.param([(1, 1), (1, 2), (1, 4)], (1, 5), 2, 1, 2, id="AZ-T-7-runs-stop-at-a-gap"),
        pytest.param([(1, 1), (1, 2), (1, 4), (1, 5)], (1, 3), 5, 1, 5, id="AZ-T-7-whole-row"),
        pytest.param(
            [(3, c) for c in (1, 2, 4, 5)] + [(r, 3) for r in (1, 2, 4, 5)], (3, 3), 5, 5, 10, id="AZ-T-8-AZ-49-most"
        ),
    ],
)
def test_points_of_a_placed_tile(
    filled: list[tuple[int, int]], cell: tuple[int, int], across: int, down: int, points: int
) -> None:
    board = board_of(lay(table(), 1, wall=filled), 1)
    line = tile_points(1, board.wall, cell[0] - 1, cell[1] - 1)
    assert line.requested == line.applied == points
    assert (line.operands["row_run"], line.operands["column_run"]) == (across, down)
    assert line.rule == ("AZ-45" if points == 1 else "AZ-46")


def test_az_ex_8_the_floor_is_paid_and_the_marker_stays_with_its_owner() -> None:
    happened = tiling(lay(table(), 1, floor="MBRKY", score=20))
    assert penalty(happened) == (-8, -8)
    assert board_of(happened.after, 1).score == 12
    assert board_of(happened.after, 1).floor == []
    assert happened.after.state.lid == heap("BRKY" + LAST)
    assert happened.after.state.marker == 1


# ---------------------------------------------------------------------------------------------------- constructed tests


def test_az_t_1_the_score_never_drops_below_zero() -> None:
    happened = tiling(lay(table(), 1, floor="BRKYW", score=3))
    assert penalty(happened) == (-8, -3)
    assert board_of(happened.after, 1).score == 0


def test_az_t_2_placement_comes_before_the_floor() -> None:
    happened = tiling(lay(table(), 1, lines=["B"], floor="R"))
    assert placements(happened) == [(1, 1, 1)]
    assert penalty(happened) == (-1, -1)
    assert board_of(happened.after, 1).score == 0


def test_az_t_3_what_the_floor_cannot_hold_goes_to_the_lid_for_free() -> None:
    start = lay(table(displays=["KKKB"], turn=1), 1, floor="RRRRRR")
    after = start.when(1, DraftTiles(1, BLACK, 0)).after
    assert board_of(after, 1).floor == slots("RRRRRRK")
    assert after.state.lid == heap("KK")
    assert penalty(tiling(after)) == (-14, 0)


def test_az_t_4_the_marker_beside_a_full_floor() -> None:
    start = lay(table(centre="B", displays=["RRRR"]), 1, floor="RRRRRRR")
    after = start.when(1, DraftTiles(0, BLUE, 1)).after
    assert board_of(after, 1).floor == slots("RRRRRRR")
    assert after.state.marker == 1
    happened = after.when(2, DraftTiles(1, RED, 0))
    assert penalty(happened)[0] == -14
    dealt = happened.after.when(CHANCE, Outcome(tuple(index % 5 for index in range(20)))).events[0]
    assert isinstance(dealt, DisplaysFilled)
    assert dealt.starter == 1


def test_az_t_5_the_marker_falls_before_the_tiles() -> None:
    after = table(centre="RRR", displays=["BBBB"]).when(1, DraftTiles(0, RED, 1)).after
    assert board_of(after, 1).floor == [MARKER, RED, RED]
    assert board_of(after, 1).lines[0] == 1


def test_az_t_6_a_tile_of_the_same_phase_is_a_neighbour() -> None:
    happened = tiling(lay(table(), 1, lines=["", "WW", "KKK"], wall=[(1, 1)]))
    assert placements(happened) == [(2, 1, 2), (3, 1, 3)]


def test_az_t_8_row_and_column_completed_at_once_end_the_game() -> None:
    filled = [(3, c) for c in (1, 2, 4, 5)] + [(r, 3) for r in (1, 2, 4, 5)]
    happened = tiling(lay(table(round_=5), 1, lines=["", "", "BBB"], wall=filled))
    assert placements(happened) == [(3, 3, 10)]
    assert happened.only(GameEnded)[0].reason == "row"
    assert happened.after.state.phase == "over"
    assert AZUL.rules.request(happened.after.state) is None


def test_the_operands_of_a_tile_are_stored_under_these_names() -> None:
    board = board_of(lay(table(), 1, wall=[(2, 3), (2, 4), (1, 5)]), 1)
    operands = {"row": 2, "column": 5, "row_run": 3, "column_run": 2}
    assert tile_points(1, board.wall, 1, 4) == ScoreLine(1, "AZ-46", "tile-placed", 5, 5, operands)


@pytest.mark.parametrize("holder, floors, markers", [(0, "", 1), (1, "", 1), (1, "1", 1), (2, "1", 3), (1, "12", 3)])
def test_a_marker_too_many_is_counted(holder: int, floors: str, markers: int) -> None:
    """Audits count pieces after every event, also of histories that nobody could have played."""
    scenario = table()
    for seat in floors:
        scenario = lay(scenario, int(seat), floor="M")
    state = scenario.with_(lambda state: setattr(state, "marker", holder)).state
    assert AZUL.projection.invariants(state)["marker"] == markers


def test_az_t_9_end_bonuses() -> None:
    row, column = [(1, c) for c in range(1, 6)], [(r, 1) for r in range(1, 6)]
    blue = [(r, r) for r in range(1, 6)]
    board = board_of(lay(table(), 1, wall=[*row, *column, *blue]), 1)
    lines = list(bonuses(1, board))
    assert [(line.rule, line.applied) for line in lines] == [("AZ-61", 2), ("AZ-62", 7), ("AZ-63", 10)]


@pytest.mark.parametrize("number", range(1, 6))
def test_az_61_to_63_a_bonus_for_every_row_column_and_colour(number: int) -> None:
    full = range(1, 6)
    row = [(number, column) for column in full]
    column = [(row, number) for row in full]
    colour = [(row, (row + number - 2) % 5 + 1) for row in full]
    for wall, line in (
        (row, ScoreLine(1, "AZ-61", "row-bonus", 2, 2, {"row": number})),
        (column, ScoreLine(1, "AZ-62", "column-bonus", 7, 7, {"column": number})),
        (colour, ScoreLine(1, "AZ-63", "colour-bonus", 10, 10, {"colour": number - 1})),
    ):
        assert list(bonuses(1, board_of(lay(table(), 1, wall=wall), 1))) == [line]


@pytest.mark.parametrize(
    "rows, expected",
    [
        pytest.param([2, 1], [(1, 1), (2, 2)], id="AZ-T-10"),
        pytest.param([1, 1], [(1, 1), (2, 1)], id="AZ-T-11"),
        pytest.param([1, 2], [(2, 1), (1, 2)], id="AZ-65-other-way-round"),
    ],
)
def test_ties(rows: list[int], expected: list[tuple[int, int]]) -> None:
    assert [(place.seat, place.rank) for place in ranked([60, 60], rows)] == expected


def test_az_64_to_66_ranks_with_three_seats() -> None:
    assert ranked([10, 30, 30], [0, 1, 1]) == (Standing(2, 1, 30, 1), Standing(3, 1, 30, 1), Standing(1, 3, 10))


class TestRefillAzD1:
    """AZ-T-12, AZ-82 and AZ-D1: when exactly the lid goes into the bag."""

    def dealing(self, bag: str, lid: str, seats: int = 2, refill: str = "when-empty") -> Scenario:
        scenario = table(seats, bag=bag, lid=lid, bagRefill=refill)

        def arrange(state: State) -> None:
            state.phase, state.turn = "deal", 0

        return scenario.with_(arrange)

    def test_az_t_12_when_empty_the_last_tiles_come_first(self) -> None:
        lid = "B" * 20 + "Y" * 20 + "K" * 10
        scenario = self.dealing("RR", lid)
        request = AZUL.rules.request(scenario.state)
        assert request is not None
        assert [(stage.adds, stage.draws) for stage in request.stages] == [
            (counts(heap("RR")), 2),
            (counts(heap(lid)), 18),
        ]
        after = scenario.when(CHANCE, Outcome((RED, RED, *[BLUE] * 18))).after
        assert after.state.displays[0] == heap("RRBB")
        assert after.state.lid == 0
        assert after.state.bag == heap(lid[18:])
        scenario.refuses(CHANCE, Outcome((BLUE, RED, RED, *[BLUE] * 17)), "azul/deal-pool", "AZ-56")

    def test_when_insufficient_the_lid_is_poured_before_the_display_that_would_be_short(self) -> None:
        scenario = self.dealing("RRRRRR", "B" * 20, refill="when-insufficient")
        request = AZUL.rules.request(scenario.state)
        assert request is not None
        assert request.stages == (Stage(counts(heap("RRRRRR")), 4), Stage(counts(heap("B" * 20)), 16))
        scenario.when(CHANCE, Outcome((*[RED] * 4, *[BLUE] * 14, RED, RED)))
        scenario.refuses(CHANCE, Outcome((BLUE, *[RED] * 4, *[BLUE] * 15)), "azul/deal-pool", "AZ-56")

    @pytest.mark.parametrize("policy", ["when-empty", "when-insufficient"])
    def test_az_82_a_bag_that_is_just_enough_is_not_refilled(self, policy: str) -> None:
        after = self.dealing("R" * 20, "B", refill=policy).when(CHANCE, Outcome((RED,) * 20)).after
        assert after.state.lid == heap("B")
        assert after.state.bag == 0

    @pytest.mark.parametrize("policy", ["when-empty", "when-insufficient"])
    def test_an_empty_lid_is_not_poured(self, policy: str) -> None:
        """Six tiles and nothing to refill them with: one display whole, one short, and no pouring to tell of."""
        scenario = self.dealing("R" * 6, "", refill=policy)
        filled = DisplaysFilled(round=2, starter=1, displays=((RED,) * 4, (RED,) * 2, (), (), ()), poured=False)
        assert scenario.when(CHANCE, Outcome((RED,) * 6)).events == [filled]

    @pytest.mark.parametrize(
        "text, said",
        [
            ("RRRRR RRRR RRRR RRRR RRRR", r"nothing more \(display 1 takes 4 tiles\)"),
            ("RRRR RRRR RRRR RRRR RRRRR", r"nothing more \(display 5 takes 4 tiles\)"),
            ("RRRR RRR RRRR RRRR RRRR", "expected a colour"),
        ],
    )
    def test_a_display_that_is_written_too_long_is_named(self, text: str, said: str) -> None:
        state = self.dealing("R" * 20, "").state
        request = AZUL.rules.request(state)
        assert request is not None
        with pytest.raises(Malformed, match=said):
            AZUL.notation.read_outcome(text, state, request)

    def test_az_t_13_az_81_the_last_displays_stay_short(self) -> None:
        scenario = self.dealing("R" * 15, "B" * 15, seats=4)
        after = scenario.when(CHANCE, Outcome((*[RED] * 15, *[BLUE] * 15))).after
        assert [sum(counts(display)) for display in after.state.displays] == [4] * 7 + [2, 0]

    def test_az_83_no_tile_at_all_ends_the_game(self) -> None:
        scenario = table(4, bag="", lid="")
        for seat in range(1, 5):
            # Nothing is left outside the walls and lines: the last white tile lies on an incomplete line.
            scenario = lay(
                scenario, seat, lines=["", "", "", "", "W"], wall=[(r, c) for r in range(1, 6) for c in range(1, 5)]
            )

        def arrange(state: State) -> None:
            state.sources[0], state.marker = heap("K"), 1
            board = state.boards[0]
            board.row_colours[4] &= ~(1 << BLACK)
            board.wall[4] = EMPTY_ROW
            board.lines[4], board.colours[4] = 3, BLACK
            board.takes = takes(board)

        happened = scenario.with_(arrange).when(1, DraftTiles(0, BLACK, 5))
        ended = happened.only(GameEnded)
        assert [event.reason for event in ended] == ["supply"]


def test_az_t_14_az_78_nobody_takes_the_marker() -> None:
    scenario = table(displays=["BBBB", "KKKK"], starter=2, turn=2)
    after = scenario.when(2, DraftTiles(1, BLUE, 4)).after.when(1, DraftTiles(2, BLACK, 4)).after
    assert after.state.phase == "deal"
    assert after.state.marker == 0
    dealt = after.when(CHANCE, Outcome(tuple(index % 5 for index in range(20)))).events[0]
    assert isinstance(dealt, DisplaysFilled)
    assert dealt.starter == 2


class TestGreySide:
    """AZ-69 to AZ-76: free placement, chosen line by line from the top."""

    def test_az_t_15_an_impossible_line_falls(self) -> None:
        wall = {(2, 1): "B", (2, 2): "Y", (2, 3): "K", (1, 4): "R", (3, 5): "R"}
        happened = tiling(lay(table(boardSide="grey"), 1, lines=["", "RR"], tiles=wall, floor="W", score=9))
        assert happened.only(LineDropped) == [LineDropped(seat=1, line=2, colour=RED, fallen=2)]
        assert penalty(happened) == (-4, -4)

    def test_az_t_16_an_earlier_choice_decides_a_later_line(self) -> None:
        wall = {(2, 1): "B", (2, 2): "Y", (2, 3): "K", (3, 5): "R"}
        start = tiling(lay(table(boardSide="grey"), 1, lines=["R", "RR"], tiles=wall)).after
        assert start.state.tiling == [1]
        assert legal(start.state, 1) == [TileLine(1, column) for column in (1, 2, 3, 4)]
        dropped = start.when(1, TileLine(1, 4))
        assert dropped.only(LineDropped) == [LineDropped(seat=1, line=2, colour=RED, fallen=2)]
        placed = start.when(1, TileLine(1, 1))
        assert placements(placed) == [(1, 1, 2), (2, 4, 4)]

    def test_az_73_a_line_without_a_future_may_still_be_filled(self) -> None:
        wall = {(2, 1): "B", (2, 2): "Y", (2, 3): "K", (1, 4): "R", (3, 5): "R"}
        start = lay(table(displays=["RRBB"], boardSide="grey"), 1, tiles=wall)
        assert DraftTiles(1, RED, 2) in legal(start.state, 1)

    def test_illegal_cells(self) -> None:
        wall = {(1, 1): "B", (3, 2): "R"}
        start = tiling(lay(table(boardSide="grey"), 1, lines=["R", "KK", "B"], tiles=wall)).after
        start.refuses(1, TileLine(1, 1), "azul/cell-taken", "AZ-69")
        start.refuses(1, TileLine(1, 6), "azul/cell", "AZ-69")
        start.refuses(1, TileLine(1, 2), "azul/column-colour", "AZ-70")
        start.refuses(1, TileLine(1, 0), "azul/must-place", "AZ-74")
        start.refuses(1, TileLine(2, 1), "azul/line-order", "AZ-75")
        start.refuses(1, TileLine(3, 3), "azul/line-incomplete", "AZ-38")
        start.refuses(2, TileLine(1, 3), "azul/turn", "AZ-38")
        start.refuses(1, DraftTiles(1, BLUE, 1), "azul/phase", "AZ-18")

    def test_seats_choose_in_any_order_with_one_result(self) -> None:
        scenario = table(boardSide="grey")
        for seat in (1, 2):
            scenario = lay(scenario, seat, lines=["R", "KK"], floor="B", score=5)
        start = tiling(scenario).after
        assert start.state.tiling == [1, 2]

        def played(order: Sequence[int]) -> State:
            now = start
            for seat in order:
                line = 1 if board_of(now, seat).lines[0] else 2
                now = now.when(seat, TileLine(line, 2 + line)).after
            state: State = now.state
            return state

        assert played([1, 1, 2, 2]) == played([2, 1, 2, 1]) == played([2, 2, 1, 1])

    def test_az_76_a_column_bonus_needs_five_tiles_in_one_column(self) -> None:
        tiles = dict(zip([(row, 2) for row in range(1, 6)], "BYRKW", strict=True))
        board = board_of(lay(table(boardSide="grey"), 1, tiles=tiles), 1)
        assert [line.rule for line in bonuses(1, board)] == ["AZ-62"]


DEAD = "BY... YB... ..RKW ..WRK ..KWR"
"""No row is complete, and every empty cell sees all five colours in its row and its column."""
DEAD_WITH_BONUSES = ".YBKR .RWYB RKYW. W.KRY KBR.W"
"""Dead with a complete column (3) and all five red tiles."""
ONE_OPEN = "B..WK .RY.W .W.KB RYW.. K.RBY"
"""Nothing fits but yellow at row 3, column 1; and when it is there, nothing fits at all."""


class TestDeadPositionAz95:
    """From `azul/2` on, a round that ends when no tile fits any wall any more ends the game."""

    @staticmethod
    def walled(*walls: str, side: str = "grey", last_round: str = "none") -> Scenario:
        """A table in round 9 with these walls, seat 1 first, and 20 points each."""
        scenario = table(len(walls), round_=9, boardSide=side, maxRounds=last_round)
        for seat, rows in enumerate(walls, start=1):
            scenario = lay(scenario, seat, tiles=cells(rows), score=20)
        return scenario

    @staticmethod
    def reasons(happened: Happened) -> list[str]:
        return [event.reason for event in happened.only(GameEnded)]

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_a_round_that_ends_dead_ends_the_game(self, seats: int) -> None:
        happened = tiling(self.walled(*[DEAD] * seats))
        assert self.reasons(happened) == ["dead"]
        assert happened.after.state.phase == "over"
        happened.after.refuses(CHANCE, Outcome(()), "azul/over", "AZ-59")

    def test_azul_1_goes_on_in_the_same_position(self) -> None:
        scenario = self.walled(DEAD, DEAD)
        first = by_ruleset("azul/1")
        assert first.rules.ruleset == "azul/1"
        happened = tiling(Scenario(first, scenario.state))
        assert self.reasons(happened) == []
        assert happened.after.state.phase == "deal"
        assert happened.events == tiling(scenario).events[:-1], "nothing but the end is different"

    def test_one_wall_that_takes_a_tile_keeps_the_game_alive(self) -> None:
        for walls in ((DEAD, "....."), (".....", DEAD), (DEAD, DEAD, ONE_OPEN)):
            assert self.reasons(tiling(self.walled(*walls))) == []

    def test_one_cell_open_to_one_colour_is_not_dead_until_it_is_filled(self) -> None:
        scenario = self.walled(ONE_OPEN, DEAD)
        assert self.reasons(tiling(scenario)) == []
        other_colour = tiling(lay(scenario, 1, lines=["", "", "RRR"]))
        assert (len(other_colour.only(LineDropped)), self.reasons(other_colour)) == (1, [])
        last_tile = tiling(lay(scenario, 1, lines=["", "", "YYY"]))
        assert placements(last_tile) == [(3, 1, 5)]
        assert self.reasons(last_tile) == ["dead"]

    def test_tiles_waiting_in_pattern_lines_do_not_keep_it_alive(self) -> None:
        scenario = lay(self.walled(DEAD, DEAD), 1, lines=["", "R", "BB", "BBB", "Y"])
        assert self.reasons(tiling(scenario)) == ["dead"]

    def test_a_choice_can_end_it(self) -> None:
        """Black may go to two cells of row 2: in column 4 it leaves the other one open to red, in column 1 nothing."""
        scenario = self.walled("YWRB. .BY.W W.KYR BKW.Y .YBRK", DEAD)
        choosing = tiling(lay(scenario, 1, lines=["", "KK"])).after
        assert legal(choosing.state, 1) == [TileLine(2, 1), TileLine(2, 4)]
        assert self.reasons(choosing.when(1, TileLine(2, 4))) == []
        assert self.reasons(choosing.when(1, TileLine(2, 1))) == ["dead"]

    def test_the_coloured_side_is_never_dead(self) -> None:
        scenario = self.walled("BYRK. WBYR. KWBY. RKWB. YRKW.", "BYRK. WBYR. KWBY. RKWB. YRKW.", side="coloured")
        assert self.reasons(tiling(scenario)) == []
        # Not even where the tiles lie as they never could on a printed wall.
        assert self.reasons(tiling(self.walled(DEAD, DEAD, side="coloured"))) == []

    def test_bonuses_are_scored_and_most_points_win(self) -> None:
        happened = tiling(self.walled(DEAD, DEAD_WITH_BONUSES))
        [ended] = happened.only(GameEnded)
        assert [(line.seat, line.rule, line.applied) for line in ended.scores] == [(2, "AZ-62", 7), (2, "AZ-63", 10)]
        # Seat 2 paid 1 for the last white tile.
        assert ended.standings == (Standing(2, 1, 36), Standing(1, 2, 20))
        assert [board.score for board in happened.after.state.boards] == [20, 36]

    def test_equal_points_are_shared_because_nobody_has_a_row(self) -> None:
        scenario = lay(self.walled(DEAD, DEAD), 2, tiles=cells(DEAD), score=21)
        [ended] = tiling(scenario).only(GameEnded)
        assert ended.standings == (Standing(1, 1, 20), Standing(2, 1, 20))

    def test_a_complete_row_comes_first(self) -> None:
        last_cell = ".YRKW WBYRK KWBYR RKWBY YRKWB"
        happened = tiling(lay(self.walled(last_cell, DEAD), 1, lines=["B"], tiles=cells(last_cell)))
        assert not any(has_open_cell(board) for board in happened.after.state.boards)
        assert self.reasons(happened) == ["row"]

    @pytest.mark.parametrize("bag, reason", [("B", "rounds"), ("", "supply")])
    def test_every_end_azul_1_knows_keeps_its_reason(self, bag: str, reason: str) -> None:
        def arrange(state: State) -> None:
            state.bag, state.sources[0], state.marker = heap(bag), heap("W"), 1

        scenario = self.walled(DEAD, DEAD, last_round="9").with_(arrange)
        last_tile = DraftTiles(0, WHITE, 2)  # it stays in its line, so that the lid is empty as well
        happened = scenario.when(1, last_tile)
        assert self.reasons(happened) == [reason]
        assert happened.events == Scenario(by_ruleset("azul/1"), scenario.state).when(1, last_tile).events

    def test_an_open_cell_is_one_where_some_line_could_be_tiled(self) -> None:
        rng = Random(95)
        found = {True: 0, False: 0}
        for _ in range(400):
            board = board_of(table(boardSide="grey"), 1)
            places = [(row, column) for row in range(5) for column in range(5)]
            rng.shuffle(places)
            for row, column in places:
                if fitting := [colour for colour in range(5) if column in self.open_to(board, row, colour)]:
                    put(board, row + 1, column + 1, rng.choice(fitting))
                if rng.random() < 0.02:
                    break
            alive = any(self.open_to(board, row, colour) for row in range(5) for colour in range(5))
            assert has_open_cell(board) == alive
            found[alive] += 1
        assert min(found.values()) > 50

    @staticmethod
    def open_to(board: Board, row: int, colour: int) -> list[int]:
        """The columns a complete line of the colour could go to."""
        board.colours[row] = colour
        return open_cells(board, row + 1)


def test_az_t_17_everybody_is_resolved_before_the_bonuses() -> None:
    scenario = lay(table(round_=5), 1, lines=["W"], wall=[(1, c) for c in range(1, 5)], score=30)
    happened = tiling(lay(scenario, 2, floor="RRRRRRR", score=40))
    assert penalty(happened, 2) == (-14, -14)
    kinds = [type(event) for event in happened.events]
    assert kinds[-1] is GameEnded
    assert kinds.count(FloorCleared) == 2
    assert [board.score for board in happened.after.state.boards] == [30 + 5 + 2, 26]


def test_az_87_an_agreed_last_round() -> None:
    happened = tiling(table(round_=2, maxRounds="2"))
    assert [event.reason for event in happened.only(GameEnded)] == ["rounds"]
    assert not tiling(table(round_=1, maxRounds="2")).only(GameEnded)


def test_az_88_tiling_goes_in_turn_order_from_the_starting_player() -> None:
    scenario = table(3, starter=2)
    for seat in (1, 2, 3):
        scenario = lay(scenario, seat, lines=["B"])
    happened = tiling(scenario)
    assert [event.seat for event in happened.only(LineTiled)] == [2, 3, 1]


# -------------------------------------------------------------------------------------------------------- illegal moves

DRAFTING = lay(table(displays=["BBRY", "KKKK"], centre="W"), 1, lines=["B", "", "", "Y"], wall=[(2, 2)])


@pytest.mark.parametrize(
    "seat, action, code, rule",
    [
        pytest.param(2, DraftTiles(1, BLUE, 3), "azul/turn", "AZ-19", id="out-of-turn"),
        pytest.param(1, TileLine(1, 1), "azul/phase", "AZ-18", id="wrong-phase"),
        pytest.param(1, DraftTiles(3, BLUE, 3), "azul/source-empty", "AZ-21", id="empty-display"),
        pytest.param(1, DraftTiles(6, BLUE, 3), "azul/source", "AZ-21", id="no-such-display"),
        pytest.param(1, DraftTiles(1, WHITE, 3), "azul/colour-absent", "AZ-21", id="colour-not-on-display"),
        pytest.param(1, DraftTiles(0, BLUE, 3), "azul/colour-absent", "AZ-22", id="colour-not-in-centre"),
        pytest.param(1, DraftTiles(1, 5, 3), "azul/colour", "AZ-2", id="no-such-colour"),
        pytest.param(1, DraftTiles(1, -1, 3), "azul/colour", "AZ-2", id="no-colour"),
        pytest.param(1, DraftTiles(-1, BLUE, 3), "azul/source", "AZ-21", id="no-display"),
        pytest.param(1, DraftTiles(1, BLUE, -1), "azul/line", "AZ-27", id="no-line"),
        pytest.param(1, DraftTiles(1, BLUE, 3, floor=-1), "azul/partial-floor", "AZ-79", id="less-than-none"),
        pytest.param(0, DraftTiles(1, BLUE, 3), "azul/actor", "AZ-18", id="no-seat"),
        pytest.param(1, DraftTiles(1, RED, 4), "azul/line-colour", "AZ-29", id="line-of-another-colour"),
        pytest.param(1, DraftTiles(1, BLUE, 2), "azul/wall-colour", "AZ-30", id="colour-in-the-wall-row"),
        pytest.param(1, DraftTiles(1, BLUE, 1), "azul/line-complete", "AZ-80", id="complete-line"),
        pytest.param(1, DraftTiles(1, BLUE, 6), "azul/line", "AZ-27", id="no-such-line"),
        pytest.param(1, DraftTiles(1, BLUE, 3, floor=1), "azul/partial-floor", "AZ-79", id="voluntary-partial-floor"),
        pytest.param(9, DraftTiles(1, BLUE, 3), "azul/actor", "AZ-18", id="no-such-seat"),
        pytest.param(1, Outcome(()), "azul/actor", "AZ-91", id="a-seat-that-draws"),
        pytest.param(CHANCE, Outcome((1,)), "azul/deal-unasked", "AZ-56", id="an-unasked-deal"),
        pytest.param(CHANCE, DraftTiles(1, BLUE, 3), "azul/actor", "AZ-18", id="chance-that-drafts"),
        pytest.param(1, ChooseStart(1), "azul/phase", "AZ-15", id="choosing-the-start-late"),
    ],
)
def test_illegal_moves(seat: int, action: DraftTiles, code: str, rule: str) -> None:
    DRAFTING.refuses(seat, action, code, rule)


def test_az_26_the_marker_alone_is_not_a_source() -> None:
    start = table(displays=["BBBB"])
    start.refuses(1, DraftTiles(0, BLUE, 1), "azul/source-empty", "AZ-26")
    assert all(action.source == 1 for action in legal(start.state, 1) if isinstance(action, DraftTiles))


def test_az_20_there_is_no_pass() -> None:
    with pytest.raises(IllegalAction, match="Passing") as refusal:
        read("pass")
    assert (refusal.value.code, refusal.value.rule) == ("azul/pass", "AZ-20")


def test_az_59_nothing_goes_after_the_end() -> None:
    def end(state: State) -> None:
        state.phase, state.standings = "over", (Standing(1, 1, 5), Standing(2, 2, 3))

    over = table().with_(end)
    over.refuses(1, DraftTiles(1, BLUE, 1), "azul/over", "AZ-59")
    over.refuses(CHANCE, Outcome(()), "azul/over", "AZ-59")


def test_az_79_partial_floor_by_agreement() -> None:
    start = lay(table(displays=["BBBR", "KKKK"], partialFloor="true"), 1)
    options = [a for a in legal(start.state, 1) if isinstance(a, DraftTiles) and (a.colour, a.line) == (BLUE, 3)]
    assert options == [DraftTiles(1, BLUE, 3, floor) for floor in (0, 1, 2)]
    board = board_of(start.when(1, DraftTiles(1, BLUE, 3, floor=2)).after, 1)
    assert (board.lines[2], board.floor) == (1, slots("BB"))
    start.refuses(1, DraftTiles(1, BLUE, 3, floor=3), "azul/partial-floor", "AZ-79")
    start.refuses(1, DraftTiles(1, BLUE, 0, floor=1), "azul/partial-floor", "AZ-79")


# ------------------------------------------------------------------------------------------------------- derived rules


@pytest.mark.parametrize("filled, cost", list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_az_7_cumulative_penalties(filled: int, cost: int) -> None:
    assert penalty(tiling(lay(table(), 1, floor="R" * filled, score=50))) == (-cost, -cost)


def test_az_35_two_lines_may_hold_the_same_colour() -> None:
    start = lay(table(displays=["BBRY", "KKKK"]), 1, lines=["", "B"])
    assert DraftTiles(1, BLUE, 3) in legal(start.state, 1)


def test_az_36_and_86_two_players_are_never_short() -> None:
    """AZ-86: at least 40 tiles are left for a new round of two, whatever was played."""
    for shape in (shape for shape in SHAPES if shape.seats == 2 and shape.game is AZUL):
        for turn in turns(shape, 1):
            if turn.actor == CHANCE and turn.state.phase == "deal":
                assert sum(counts(turn.state.bag + turn.state.lid)) >= 40


def test_az_67_no_game_ends_before_round_five() -> None:
    for seed in range(10):
        last = None
        for turn in turns(PLAIN[0], seed):
            last = turn.state
        assert last is not None
        assert last.round >= 5


def test_initial_reads_every_option() -> None:
    values = {"boardSide": "grey", "bagRefill": "when-insufficient", "partialFloor": "true", "maxRounds": "12"}
    options = initial(2, read_options(RULES, values, 2)).options
    assert (options.is_grey, options.pours_early, options.may_floor_part, options.max_rounds) == (True, True, True, 12)
