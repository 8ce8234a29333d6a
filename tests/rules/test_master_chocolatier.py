"""Master Chocolatier without gold: Azul rule for rule (MC-1), under this edition's names (MC-2…MC-9, MC-EX)."""

import json

import pytest

from events.azul import GameEnded, LineDropped, LineTiled, TilesDrafted
from events.core import CHANCE, Standing
from projections.azul.state import MARKER
from projections.core import Names
from projections.master_chocolatier.state import EDITION, State
from projections.story import sentence
from service.errors import IllegalAction, UsageError
from service.games.azul import AZUL
from service.games.azul.rules import DraftTiles
from service.games.azul.tiling import TileLine, bonuses, printed_column, tile_points
from service.games.core import Outcome
from service.games.first_player import ChooseStart
from service.games.game import Game
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.master_chocolatier.notation import read, read_outcome, write
from service.games.master_chocolatier.rules import RULES, legal
from service.games.notation import Malformed
from service.games.options import read_options
from service.games.shelf import by_ruleset
from service.play import chance
from tests.rules.azul_tables import board_of, cells, lay
from tests.rules.master_chocolatier_tables import (
    BLACK,
    BLUE,
    BROWN,
    RED,
    WHITE,
    heap,
    penalties,
    slots,
    table,
    tiling,
)
from tests.scenario import Happened, Scenario, given
from tests.shelf import Shape, turns

PLAYERS = Names({1: "Jitka", 2: "Jarda", 3: "Míša"})


def placements(happened: Happened, seat: int = 1) -> list[tuple[int, int, int]]:
    return [(e.line, e.column, e.scores[0].applied) for e in happened.only(LineTiled) if e.seat == seat]


# ---------------------------------------------------------------------------------------------- Azul under other names


@pytest.mark.parametrize("side, grey", [("coloured", "coloured"), ("brown", "grey")])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_mc_1_and_9_the_same_moves_lead_to_the_same_facts_as_in_azul(seats: int, side: str, grey: str) -> None:
    """Facts hold slots, so a whole match of Azul is a match of this edition, event for event."""
    options = read_options(RULES, {"boardSide": side}, seats)
    for seed in range(2):
        state = MASTER_CHOCOLATIER.projection.initial(seats, options)
        for turn in turns(Shape(AZUL, seats, {"boardSide": grey}), seed):
            assert MASTER_CHOCOLATIER.rules.request(state) == AZUL.rules.request(turn.state)
            if turn.actor != CHANCE:
                assert isinstance(turn.actor, int)
                assert list(legal(state, turn.actor)) == list(AZUL.rules.legal(turn.state, turn.actor))
            assert MASTER_CHOCOLATIER.rules.decide(state, turn.actor, turn.action) == turn.events
            for event in turn.events:
                MASTER_CHOCOLATIER.projection.apply[type(event)](state, event)
        assert state.phase == "over"


def test_mc_3_the_printed_box() -> None:
    rows = [
        [EDITION.colours[next(c for c in range(5) if printed_column(row, c) == column)] for column in range(5)]
        for row in range(1, 6)
    ]
    assert rows == [
        ["blue", "brown", "white", "black", "red"],
        ["red", "blue", "brown", "white", "black"],
        ["black", "red", "blue", "brown", "white"],
        ["white", "black", "red", "blue", "brown"],
        ["brown", "white", "black", "red", "blue"],
    ]


class TestNamesMc4:
    """MC-4: red is slot 2 in Azul and slot 4 here; every word a person reads or writes is this edition's."""

    start = lay(table(displays=["RRWB", "KKKK"]), 1, lines=["", "R", "W"], wall=[(4, 3)])

    def test_the_same_word_is_another_slot_in_azul(self) -> None:
        assert (read("2R3"), AZUL.notation.read("2R3")) == (DraftTiles(2, 4, 3), DraftTiles(2, 2, 3))
        assert (read("2W3"), AZUL.notation.read("2W3")) == (DraftTiles(2, 2, 3), DraftTiles(2, 4, 3))
        assert read("2 brown 3") == read("2n3") == DraftTiles(2, BROWN, 3)
        with pytest.raises(Malformed, match="N brown"):
            read("2Y3")
        with pytest.raises(Malformed):
            AZUL.notation.read("2N3")

    @pytest.mark.parametrize(
        "action, message",
        [
            (DraftTiles(1, BLACK, 1), "Display 1 holds no black, only blue, white, red."),
            (DraftTiles(1, WHITE, 2), "Pattern line 2 holds red; it does not take white."),
            (DraftTiles(1, RED, 4), "Box row 4 already has red; line 4 is closed to it."),
            (DraftTiles(3, RED, 4), "Display 3 holds no pralines."),
            (DraftTiles(1, RED, 5, floor=1), "1 pralines that fit line 5 may not go to the floor by choice."),
        ],
        ids=lambda value: write(value) if isinstance(value, DraftTiles) else None,
    )
    def test_refusals(self, action: DraftTiles, message: str) -> None:
        with pytest.raises(IllegalAction) as refusal:
            RULES.decide(self.start.state, 1, action)
        assert refusal.value.message == message

    def test_a_deal_that_cannot_be(self) -> None:
        dealing = table(phase="deal", bag="B" * 20)
        with pytest.raises(IllegalAction, match="cannot be red"):
            RULES.decide(dealing.state, CHANCE, Outcome((RED,) * 20))

    def test_nothing_of_the_other_edition_is_shown(self) -> None:
        """Yellow is not in this box, and what Azul calls a tile is a praline."""
        for options in ({}, {"specialFactories": "on", "boardSide": "brown"}):
            shape = Shape(MASTER_CHOCOLATIER, 3, options)
            shown = ""
            for turn in turns(shape, 12):
                shown += json.dumps(shape.game.projection.view(turn.state))
                picture = shape.game.projection.draw(turn.state, PLAYERS)
                shown += "".join(f"{span.style} {span.text}" for line in picture for span in line if span.style)
                shown += "".join(sentence(shape.game.projection, event, PLAYERS) for event in turn.events)
            assert "yellow" not in shown
            assert "tile.brown" in shown
            for phrase in ("a tile ", "tiles ", "wall row"):
                assert phrase not in shown

    def test_the_picture_is_printed_in_this_edition(self) -> None:
        picture = MASTER_CHOCOLATIER.projection.draw(table(displays=["RNWK"]).state, PLAYERS)
        rows = ["".join(span.text for span in line) for line in picture]
        assert any(row.startswith("1              ·  ▸  b  n  w  k  r ") for row in rows)
        assert any(row.startswith("5  ·  ·  ·  ·  ·  ▸  n  w  k  r  b ") for row in rows)
        styles = {span.text.strip(): span.style for line in picture for span in line if span.style.startswith("tile.")}
        assert styles == {"R": "tile.red", "N": "tile.brown", "W": "tile.white", "K": "tile.black"}

    def test_words_of_the_end(self) -> None:
        board = board_of(lay(table(), 1, wall=[(row, printed_column(row, RED) + 1) for row in range(1, 6)]), 1)
        (line,) = bonuses(1, board)
        assert MASTER_CHOCOLATIER.projection.reasons[line.reason](line.operands) == "all five red"


def test_mc_6_the_first_player() -> None:
    scenario = given(MASTER_CHOCOLATIER, 3, firstPlayer="host-choice")
    assert legal(scenario.state, 1) == [ChooseStart(1), ChooseStart(2), ChooseStart(3)]
    assert scenario.when(1, ChooseStart(3)).after.state.starter == 3
    by_lot = given(MASTER_CHOCOLATIER, 3, specialFactories="on")
    request = RULES.request(by_lot.state)
    assert request is not None
    assert request.purpose == "starting seat"
    assert by_lot.when(CHANCE, Outcome((1,))).after.state.starter == 2


def test_mc_8_a_normal_game_has_only_blue_displays() -> None:
    for turn in turns(Shape(MASTER_CHOCOLATIER, 2, {}), 3):
        view = MASTER_CHOCOLATIER.projection.view(turn.state)
        assert view["sides"] == [None] * 5
        assert view["disc"] is None


@pytest.mark.parametrize(
    "options",
    [
        {"boardSide": "grey"},
        {"specialFactories": "yes"},
        {"sf4Split": "even"},
        {"sf5Takes": "disc"},
        {"sf5AcceptsMarker": "no"},
        {"sfSetupOrder": "by-name"},
        {"firstPlayer": "seat:3"},
    ],
    ids=lambda options: "-".join(f"{name}={value}" for name, value in options.items()),
)
def test_other_values_of_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        read_options(RULES, options, 2)


def test_every_option_is_read() -> None:
    plain = given(MASTER_CHOCOLATIER).state.options
    values = {
        "boardSide": "brown",
        "specialFactories": "on",
        "sf4Split": "as-even-as-possible",
        "sf5Takes": "token",
        "sf5AcceptsMarker": "true",
        "sfSetupOrder": "by-position",
        "bagRefill": "when-insufficient",
        "partialFloor": "true",
        "maxRounds": "7",
    }
    changed = given(MASTER_CHOCOLATIER, 2, **values).state.options
    names = ["is_grey", "has_specials", "splits_evenly", "takes_token", "shields_marker", "by_position"]
    names += ["pours_early", "may_floor_part"]
    assert [(getattr(plain, name), getattr(changed, name)) for name in names] == [(False, True)] * len(names)
    assert (plain.max_rounds, changed.max_rounds) == (0, 7)


# ------------------------------------------------------------------------------------------------------ worked examples


class TestFirstMovesMcEx1:
    """MC-EX-1a to 1c: three first moves at a table of three."""

    start = table(3, displays=["KKBR", "NWWW"])

    def after_1a(self) -> Scenario:
        return self.start.when(1, DraftTiles(1, BLACK, 2)).then(
            TilesDrafted(seat=1, source=1, colour=BLACK, taken=2, line=2, next=2, placed=2)
        )

    def after_1b(self) -> Scenario:
        return (
            self.after_1a()
            .when(2, DraftTiles(2, BROWN, 1))
            .then(TilesDrafted(seat=2, source=2, colour=BROWN, taken=1, line=1, next=3, placed=1))
        )

    def test_mc_ex_1a(self) -> None:
        assert self.after_1a().state.centre == heap("BR")

    def test_mc_ex_1b(self) -> None:
        assert self.after_1b().state.centre == heap("BRWWW")

    def test_mc_ex_1c(self) -> None:
        happened = self.after_1b().when(3, DraftTiles(0, WHITE, 3))
        told = sentence(MASTER_CHOCOLATIER.projection, happened.events[0], PLAYERS)
        assert told == "Míša took 3 white from the centre and the starting-player marker, to pattern line 3."
        assert board_of(happened.after, 3).lines[2] == 3
        assert board_of(happened.after, 3).floor == [MARKER]
        assert happened.after.state.centre == heap("BR")


class TestPlacingMcEx2:
    """MC-EX-2: two brown pralines, and exactly three places for them."""

    start = lay(table(displays=["NNBB", "RRRR"]), 1, lines=["", "", "", "B"], wall=[(2, 3), (3, 4)])

    def test_mc_ex_2(self) -> None:
        drafts = [a for a in legal(self.start.state, 1) if isinstance(a, DraftTiles)]
        assert [a.line for a in drafts if (a.source, a.colour) == (1, BROWN)] == [1, 5, 0]
        self.start.refuses(1, DraftTiles(1, BROWN, 2), "azul/wall-colour", "AZ-30")
        self.start.refuses(1, DraftTiles(1, BROWN, 3), "azul/wall-colour", "AZ-30")
        self.start.refuses(1, DraftTiles(1, BROWN, 4), "azul/line-colour", "AZ-29")

    @pytest.mark.parametrize(
        "line, lines, floor",
        [
            pytest.param(1, [1, 0, 0, 1, 0], "N", id="MC-EX-2-line-1"),
            pytest.param(5, [0, 0, 0, 1, 2], "", id="MC-EX-2-line-5"),
            pytest.param(0, [0, 0, 0, 1, 0], "NN", id="MC-EX-2-floor"),
        ],
    )
    def test_the_three_choices(self, line: int, lines: list[int], floor: str) -> None:
        board = board_of(self.start.when(1, DraftTiles(1, BROWN, line)).after, 1)
        assert board.lines == lines
        assert board.floor == slots(floor)


def test_mc_ex_3_complete_lines_move_and_the_rest_goes_to_the_lid() -> None:
    happened = tiling(lay(table(), 1, lines=["", "WW", "K", "BBBB", "NN"]))
    assert placements(happened) == [(2, 4, 1), (4, 4, 1)]
    board = board_of(happened.after, 1)
    assert (board.wall[1][3], board.wall[3][3]) == (WHITE, BLUE)
    assert board.lines == [0, 0, 1, 0, 2]
    assert happened.after.state.lid == heap("WBBBR")
    assert board.score == 2


@pytest.mark.parametrize(
    "filled, colour, cell, points",
    [
        pytest.param([], WHITE, (2, 4), 1, id="MC-EX-4"),
        pytest.param([], RED, (3, 2), 1, id="MC-EX-4-MC-D6-as-the-other-book-has-it"),
        pytest.param([(1, 1), (1, 3)], BROWN, (1, 2), 3, id="MC-EX-5"),
        pytest.param([(1, 3), (2, 3)], BLUE, (3, 3), 3, id="MC-EX-6"),
        pytest.param([(3, 2), (3, 3), (3, 5), (2, 4), (4, 4)], BROWN, (3, 4), 7, id="MC-EX-7"),
    ],
)
def test_points_of_a_placed_praline(
    filled: list[tuple[int, int]], colour: int, cell: tuple[int, int], points: int
) -> None:
    row, column = cell
    assert printed_column(row, colour) == column - 1
    board = board_of(lay(table(), 1, wall=filled), 1)
    assert tile_points(1, board.wall, row - 1, column - 1).applied == points


def test_mc_ex_8_the_floor_is_paid_and_the_marker_stays_with_its_owner() -> None:
    happened = tiling(lay(table(), 1, floor="MBRKN", score=20))
    assert penalties(happened) == [("AZ-50", -8)]
    assert board_of(happened.after, 1).score == 12
    assert happened.after.state.lid == heap("BRKNR")
    assert happened.after.state.marker == 1


@pytest.mark.parametrize("filled, cost", list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_mc_5_floor_penalties(filled: int, cost: int) -> None:
    expected = [("AZ-50", -cost)] if cost else []
    assert penalties(tiling(lay(table(), 1, floor="R" * filled, score=50))) == expected


# ----------------------------------------------------------------------------------------------------------- brown side


class TestBrownSideMc9:
    """MC-9: free placement within the row, as on Azul's grey side."""

    def test_a_line_nobody_can_place_falls_when_its_turn_comes(self) -> None:
        box = {(2, 1): "B", (2, 2): "N", (2, 3): "K", (1, 4): "R", (3, 5): "R"}
        happened = tiling(lay(table(boardSide="brown"), 1, lines=["", "RR"], tiles=box, floor="W", score=9))
        assert happened.only(LineDropped) == [LineDropped(seat=1, line=2, colour=RED, fallen=2)]
        assert penalties(happened) == [("AZ-50", -4)]

    def test_cells(self) -> None:
        start = tiling(lay(table(boardSide="brown"), 1, lines=["R", "KK"], tiles={(1, 1): "B", (3, 2): "R"})).after
        assert legal(start.state, 1) == [TileLine(1, column) for column in (3, 4, 5)]
        start.refuses(1, TileLine(1, 1), "azul/cell-taken", "AZ-69")
        start.refuses(1, TileLine(1, 2), "azul/column-colour", "AZ-70")
        start.refuses(1, TileLine(1, 0), "azul/must-place", "AZ-74")
        start.refuses(1, TileLine(2, 1), "azul/line-order", "AZ-75")


@pytest.mark.parametrize("gold", [None, {2: "0", 4: "="}], ids=["plain", "special-factories"])
class TestDeadPositionMc48:
    """MC-48: from `master-chocolatier/2` on, a round that ends when no praline fits any box ends the game (AZ-95)."""

    DEAD = "BN... NB... ..WKR ..RWK ..KRW"

    def ended(self, gold: dict[int, str] | None, first: str, game: Game = MASTER_CHOCOLATIER) -> list[GameEnded]:
        """The end of the game, if there is one after a round with this box for seat 1 and a dead one for seat 2."""
        scenario = table(gold=gold, holder=1 if gold else 0, boardSide="brown", round_=9)
        scenario = lay(lay(scenario, 1, tiles=cells(first), score=5), 2, tiles=cells(self.DEAD), score=9)
        return tiling(Scenario(game, scenario.state)).only(GameEnded)

    def test_two_dead_boxes_end_the_game(self, gold: dict[int, str] | None) -> None:
        [ended] = self.ended(gold, self.DEAD)
        assert (ended.reason, [place.seat for place in ended.standings]) == ("dead", [2, 1])
        assert sentence(MASTER_CHOCOLATIER.projection, ended, PLAYERS) == (
            "The game ended: no praline fits any box any more. Bonuses: none."
        )

    def test_one_open_box_keeps_it_alive(self, gold: dict[int, str] | None) -> None:
        assert self.ended(gold, "BN... NB... ..WKR ..RWK ..KR.") == []

    def test_master_chocolatier_1_goes_on(self, gold: dict[int, str] | None) -> None:
        assert self.ended(gold, self.DEAD, by_ruleset("master-chocolatier/1")) == []


# ------------------------------------------------------------------------------------------------------- illegal moves

DRAFTING = lay(table(displays=["BBRN", "KKKK"], centre="W"), 1, lines=["B", "", "", "N"], wall=[(2, 2)])


@pytest.mark.parametrize(
    "seat, action, code, rule",
    [
        pytest.param(2, DraftTiles(1, BLUE, 3), "azul/turn", "AZ-19", id="out-of-turn"),
        pytest.param(1, TileLine(1, 1), "azul/phase", "AZ-18", id="wrong-phase"),
        pytest.param(1, DraftTiles(3, BLUE, 3), "azul/source-empty", "AZ-21", id="empty-display"),
        pytest.param(1, DraftTiles(0, BLUE, 3), "azul/colour-absent", "AZ-22", id="colour-not-in-centre"),
        pytest.param(1, DraftTiles(1, RED, 4), "azul/line-colour", "AZ-29", id="line-of-another-colour"),
        pytest.param(1, DraftTiles(1, BLUE, 2), "azul/wall-colour", "AZ-30", id="colour-in-the-box-row"),
        pytest.param(1, DraftTiles(1, BLUE, 1), "azul/line-complete", "AZ-80", id="complete-line"),
        pytest.param(9, DraftTiles(1, BLUE, 3), "azul/actor", "AZ-18", id="no-such-seat"),
        pytest.param(1, Outcome(()), "azul/actor", "AZ-91", id="a-seat-that-draws"),
        pytest.param(CHANCE, Outcome((1,)), "azul/deal-unasked", "AZ-56", id="an-unasked-deal"),
    ],
)
def test_azuls_illegal_moves(seat: int, action: DraftTiles, code: str, rule: str) -> None:
    DRAFTING.refuses(seat, action, code, rule)


def test_there_is_no_pass() -> None:
    with pytest.raises(IllegalAction, match="pralines") as refusal:
        read("pass")
    assert (refusal.value.code, refusal.value.rule) == ("azul/pass", "AZ-20")


def test_nothing_goes_after_the_end() -> None:
    def end(state: State) -> None:
        state.standings = (Standing(1, 1, 5), Standing(2, 2, 3))

    over = table(gold={1: "="}, phase="over").with_(end)
    over.refuses(1, DraftTiles(1, BLUE, 1), "azul/over", "AZ-59")
    over.refuses(CHANCE, Outcome(()), "azul/over", "AZ-59")


def test_a_deal_is_entered_in_this_editions_letters() -> None:
    state = table(phase="deal").state
    request = RULES.request(state)
    assert request is not None
    outcome = read_outcome("BNWK RRBN WWWW KKKK NRBW", state, request)
    assert outcome.drawn[:6] == (BLUE, BROWN, WHITE, BLACK, RED, RED)
    with pytest.raises(Malformed, match="N brown"):
        read_outcome("BYRK BBBB BBBB BBBB BBBB", state, request)
    with pytest.raises(UsageError, match="such as BNWK NWKR"):
        read_outcome("BNWK", state, request)
    answer = chance.answer(b"s" * 32, b"", 0, request)
    assert read_outcome(MASTER_CHOCOLATIER.notation.write_outcome(request, answer), state, request) == answer
