"""The worked examples and test vectors of Summer Pavilion; every test carries the id it has in the rules digest."""

import pytest

from events.core import CHANCE, ScoreLine
from events.summer_pavilion import (
    BonusTaken,
    DisplaysFilled,
    GameEnded,
    SeatPassed,
    StartChosen,
    StartDrawn,
    SupplyFilled,
    TilePlaced,
    TilesAcquired,
)
from projections.summer_pavilion.stars import STARS
from projections.summer_pavilion.state import State
from projections.tiles import counts, how_many
from service.games.core import Outcome
from service.games.first_player import ChooseStart
from service.games.options import read_options
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion.actions import PlaceTile
from service.games.summer_pavilion.rules import rank
from tests.rules.summer_pavilion_tables import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    YELLOW,
    acquiring,
    build,
    colours,
    drawn,
    heap,
    letters,
    move,
    placing,
    star,
    with_hand,
)
from tests.scenario import Scenario, given

# ------------------------------------------------------------------------------------------------------------ setup


@pytest.mark.parametrize("seats, displays, bag", [(2, 5, 102), (3, 7, 94), (4, 9, 86)], ids=["2p", "3p", "4p"])
def test_sp_10_to_16_setup(seats: int, displays: int, bag: int) -> None:
    empty = given(SUMMER_PAVILION, seats, firstPlayer="seat:2")
    assert counts(empty.state.bag) == (22,) * 6
    supplied = empty.when(CHANCE, drawn("PPGGOOYYBB"))
    supplied.then(
        SupplyFilled(
            tiles=colours("PPGGOOYYBB"),
            scores=tuple(ScoreLine(seat, "SP-11", "start", 5, 5) for seat in range(1, seats + 1)),
        )
    )
    dealt = supplied.after.when(CHANCE, drawn("PGOY" * displays))
    dealt.then(DisplaysFilled(round=1, starter=2, displays=((0, 1, 2, 3),) * displays, next=2))
    state = dealt.after.state
    assert how_many(state.bag) == bag
    assert (state.phase, state.round, state.wild, state.turn, state.marker) == ("acquire", 1, PURPLE, 2, 0)
    assert (how_many(state.supply), how_many(state.tower), how_many(state.centre)) == (10, 0, 0)
    assert all(board.score == 5 and not board.hand and not board.occupied for board in state.boards)


def test_sp_r17_first_player_by_lot() -> None:
    table = given(SUMMER_PAVILION, 3)
    table.when(CHANCE, Outcome(drawn=(2,))).then(StartDrawn(seat=3))
    assert SUMMER_PAVILION.projection.to_act(table.state) == ()
    table.refuses(1, ChooseStart(seat=2), "summer-pavilion/phase", "SP-R17")
    table.refuses(CHANCE, Outcome(drawn=(3,)), "summer-pavilion/start-pool", "SP-R17")


def test_sp_r17_first_player_named_by_the_host() -> None:
    table = given(SUMMER_PAVILION, 3, firstPlayer="host-choice")
    assert table.when(1, move("first 3")).then(StartChosen(seat=3)).state.starter == 3
    table.refuses(2, ChooseStart(seat=2), "summer-pavilion/host", "SP-R17")
    table.refuses(1, ChooseStart(seat=4), "summer-pavilion/seat", "SP-R17")


# -------------------------------------------------------------------------------------------------------- acquiring

ACQUIRING = [
    # the table · who · move · their hand · the centre · their score
    pytest.param(acquiring("RRYY", "GYPP"), 1, "1R", "RR", "YY", 5, id="SP-EX1"),
    pytest.param(acquiring("", "GYPP", centre="YY", turn=2), 2, "2G", "PG", "PYYY", 5, id="SP-EX2"),
    pytest.param(acquiring("", "", "RRRR", centre="YYYP", turn=3), 3, "CY", "PYYY", "", 1, id="SP-EX3"),
    pytest.param(acquiring("PPPP"), 1, "1P", "P", "PPP", 5, id="SP-TV13"),
    pytest.param(acquiring("PPPR"), 1, "1R", "PR", "PP", 5, id="SP-TV15"),
    pytest.param(acquiring("RRRR", centre="PPP"), 1, "CP", "P", "PP", 4, id="SP-TV16"),
    pytest.param(acquiring("RRRR", centre="BBBBBBPP", score=3), 1, "CB", "PBBBBBB", "P", 1, id="SP-TV17"),
    pytest.param(acquiring(centre="P", marker=3), 1, "CP", "P", "", 5, id="SP-TV18"),
    pytest.param(acquiring("RRRR", centre="PP", score=1), 1, "CP", "P", "P", 1, id="SP-29"),
    pytest.param(acquiring("RRRR", centre="PP", score=9), 1, "CP", "P", "P", 8, id="SP-R21"),
    pytest.param(acquiring("GGRO", round_=2), 1, "1R", "GR", "GO", 5, id="SP-20-green-is-wild-in-round-2"),
    pytest.param(acquiring("PPRO", round_=2), 1, "1P", "PP", "OR", 5, id="SP-20-purple-is-not"),
]


@pytest.mark.parametrize("table, seat, text, hand, centre, score", ACQUIRING)
def test_acquiring(table: Scenario, seat: int, text: str, hand: str, centre: str, score: int) -> None:
    before = table.state
    happened = table.when(seat, move(text))
    after = happened.after.state
    assert letters(after.boards[seat - 1].hand) == hand
    assert letters(after.centre) == centre
    assert after.boards[seat - 1].score == score
    source = move(text).source  # type: ignore[attr-defined]
    assert not source or not after.displays[source - 1]
    assert how_many(after.offered) == how_many(before.offered) - len(hand)
    assert after.marker == (before.marker or (0 if source else seat))
    assert after.phase == ("acquire" if after.offered else "place")


def test_sp_ex4_after_black_white_is_to_move_again() -> None:
    table = acquiring("", "", "RRRR", centre="YYYP", turn=3)
    assert table.when(3, move("CY")).after.state.turn == 1


def test_sp_tv17_the_loss_stops_at_one_and_both_numbers_are_kept() -> None:
    (event,) = acquiring("RRRR", centre="BBBBBBPP", score=3).when(1, move("CB")).events
    assert event.scores == (ScoreLine(1, "SP-27", "marker-loss", -7, -2, {"tiles": 7}),)


def test_sp_tv18_later_takers_lose_nothing_and_the_last_one_ends_the_phase() -> None:
    table = acquiring(centre="P", marker=3)
    event = TilesAcquired(seat=1, source=0, colour=PURPLE, taken=1, next=1, last=True)
    # Seat 3 holds the marker but no tiles in this fixture, so seat 1 is the first that can place (SP-R11).
    assert table.when(1, move("CP")).then(event).state.phase == "place"
    holding = table.with_(with_hand(3, "R"))
    assert holding.when(1, move("CP")).after.state.turn == 3  # SP-34


def test_sp_tv19_a_marker_nobody_took_leaves_the_starter() -> None:
    def arrange(state: State) -> None:
        state.starter = 2
        state.boards[1].hand = heap("G")

    table = acquiring("", "RRRR", turn=3).with_(arrange)
    placing_ = table.when(3, move("2R")).after
    assert (placing_.state.phase, placing_.state.turn, placing_.state.marker) == ("place", 2, 0)
    assert placing_.state.boards[2].score == 5
    passed = placing_.when(2, move("pass G")).after.when(3, move("pass RRRR")).after
    assert passed.state.phase == "deal"
    dealt = passed.when(CHANCE, drawn("PGOY" * 7)).after
    assert (dealt.state.starter, dealt.state.turn, dealt.state.round) == (2, 2, 2)  # SP-R1


def test_sp_65_the_marker_holder_starts_the_next_round() -> None:
    def arrange(state: State) -> None:
        state.phase, state.turn, state.marker, state.round = "deal", 0, 3, 1

    table = acquiring().with_(arrange)
    state = table.when(CHANCE, drawn("PGOY" * 7)).after.state
    assert (state.turn, state.starter, state.marker) == (3, 3, 0)


def test_sp_34_the_last_pick_of_all_may_take_the_marker() -> None:
    table = acquiring(centre="R", turn=3).with_(with_hand(1, "G"))
    state = table.when(3, move("CR")).after.state
    assert (state.phase, state.turn, state.marker) == ("place", 3, 3)


# ----------------------------------------------------------------------------------------------- placing and scoring

PLACING = [
    # the table · move · points · hand and tower afterwards
    pytest.param(placing("GPPP"), "1G+3@SW4", 1, "", "PPP", id="SP-EX5"),
    pytest.param(placing("GPPP"), "3P@W3", 1, "G", "PP", id="SP-EX6"),
    pytest.param(placing("GPPP"), "1G+3@C4", 1, "", "PPP", id="SP-EX7"),
    pytest.param(placing("GPPP"), "3P@C3", 1, "G", "PP", id="SP-EX8"),
    pytest.param(placing("BBBBBBB"), "6B@E6", 1, "B", "BBBBB", id="SP-EX10"),
    pytest.param(placing("RRR", "NE.6 NE.1"), "3R@NE3", 1, "", "RR", id="SP-EX11"),
    pytest.param(placing("PPPBBB", "E.1 E.2"), "3B+3@E6", 3, "", "PPPBB", id="SP-EX12"),
    pytest.param(placing("OGPPP", "NW.3 NW.5"), "1O+3@NW4", 3, "G", "PPP", id="SP-EX13"),
    pytest.param(placing("GGGGRRPP", "W.1 W.3"), "2P@W2", 3, "GGGGRR", "P", id="SP-EX15"),
    pytest.param(placing("BBBBR", "C.2=Y C.3=G C.5=R"), "4B@C4", 4, "R", "BBB", id="SP-EX17"),
    pytest.param(placing("GGGPP"), "2G+2@SW4", 1, "G", "PPG", id="SP-TV20"),
    pytest.param(placing("R", boardSide="colourless"), "1R@NW3", 1, "", "", id="SP-TV42"),
    pytest.param(placing("PPPPPP"), "6P@C6", 1, "", "PPPPP", id="SP-43-wild-as-itself"),
    pytest.param(placing("GGGRR", round_=2), "2R+2@NE4", 1, "G", "GGR", id="SP-20-green-pays-in-round-2"),
]


@pytest.mark.parametrize("table, text, points, hand, tower", PLACING)
def test_placing(table: Scenario, text: str, points: int, hand: str, tower: str) -> None:
    action = move(text)
    assert isinstance(action, PlaceTile)
    assert action in SUMMER_PAVILION.rules.legal(table.state, 1)
    after = table.when(1, action).after.state
    board = after.boards[0]
    assert board.score == 5 + points
    assert letters(board.hand) == hand
    assert letters(after.tower) == tower
    assert board.spaces[action.star * 6 + action.slot - 1] == action.colour
    assert after.turn == 2


def test_sp_ex12_as_pictured_also_completes_the_window() -> None:
    happened = placing("PPPBBB", "E.4 E.5").when(1, move("3B+3@E6"))
    (event,) = happened.events
    assert isinstance(event, TilePlaced)
    assert (event.scores[0].applied, event.features, event.owed, event.next) == (3, ("window-E",), 3, 1)


def test_sp_r10_every_mix_is_offered_once() -> None:
    table = placing("GGGPP")
    mixes = [
        (action.own, action.wild)
        for action in SUMMER_PAVILION.rules.legal(table.state, 1)
        if isinstance(action, PlaceTile) and (STARS[action.star], action.slot, action.colour) == ("SW", 3, GREEN)
    ]
    assert sorted(mixes) == [(1, 2), (2, 1), (3, 0)]


RING = {
    "SP-TV1": ("", "3", 1),
    "SP-TV2": ("6", "1", 2),
    "SP-TV3": ("12", "6", 3),
    "SP-TV4": ("1245", "3", 5),
    "SP-TV5": ("1245", "6", 5),
    "SP-TV6": ("2356", "4", 5),
    "SP-TV7": ("135", "2", 3),
    "SP-TV8": ("23456", "1", 6),
    "SP-TV9": ("13", "5", 1),
    "SP-TV10": ("1234", "6", 5),
    "SP-TV11": ("14", "6", 2),
    "SP-TV12": ("1235", "4", 5),
}


@pytest.mark.parametrize("name", ["NW", "NE", "E", "SE", "SW", "W", "C"])
@pytest.mark.parametrize("occupied, new, points", RING.values(), ids=RING)
def test_ring_scoring(occupied: str, new: str, points: int, name: str) -> None:
    """On every star, for the ring is data and not seven pieces of code."""
    table = placing("PPPPPPGGGGGGOOOOOOYYYYYYBBBBBBRRRRRR", star(name, slots=occupied) if occupied else "")
    for action in SUMMER_PAVILION.rules.legal(table.state, 1):
        if isinstance(action, PlaceTile) and STARS[action.star] == name and action.slot == int(new) and not action.wild:
            event = table.when(1, action).events[0]
            assert isinstance(event, TilePlaced)
            (line,) = event.scores
            assert (line.rule, line.reason, line.applied) == ("SP-47", "placement", points)
            group = {(line.operands["first"] + step - 1) % 6 + 1 for step in range(points)}
            assert int(new) in group <= {int(new), *map(int, occupied)}
            return
    raise AssertionError("the placement was not offered")


def test_sp_46_neighbouring_stars_do_not_touch() -> None:
    table = placing("O", "NE.3 NE.4 W.1 W.2")
    assert table.when(1, move("1O@NW1")).after.state.boards[0].score == 6


# ------------------------------------------------------------------------------------------------------------ bonuses

FEATURES = [
    # hand · occupied before · move · points · features · bonus tiles
    pytest.param("OO", "NW.1 NW.3 NE.3 NE.4 C.1 C.6", "2O@NW2", 3, {"statue-NW-NE", "pillar-NW"}, 3, id="SP-TV23"),
    pytest.param("O", "NW.2 NW.3 NE.2 NE.3 C.2=G C.6=R", "1O@C1", 3, {"pillar-NW", "pillar-NE"}, 2, id="SP-TV24"),
    pytest.param("BBBBBB", "E.5", "6B@E6", 2, {"window-E"}, 3, id="SP-TV25"),
    pytest.param("GG", "W.3 W.4 SW.1", "2G@SW2", 2, {"statue-SW-W"}, 2, id="SP-TV26"),
]


@pytest.mark.parametrize("hand, spaces, text, points, features, tiles", FEATURES)
def test_features(hand: str, spaces: str, text: str, points: int, features: set[str], tiles: int) -> None:
    table = placing(hand, spaces, supply="PPPGOYBRRR")
    happened = table.when(1, move(text))
    (event,) = happened.events
    assert isinstance(event, TilePlaced)
    assert (event.scores[0].applied, set(event.features), event.owed, event.next) == (points, features, tiles, 1)
    choosing = happened.after
    assert choosing.state.phase == "bonus"
    offered = SUMMER_PAVILION.rules.legal(choosing.state, 1)
    assert all(len(action.tiles) == tiles for action in offered)  # type: ignore[attr-defined]
    wild = move("+" + "P" * tiles)  # SP-52: all of them may be wild
    assert wild in offered
    taken = choosing.when(1, wild)
    taken.then(BonusTaken(seat=1, tiles=(PURPLE,) * tiles, next=2, refill=True))
    waiting = taken.after
    assert letters(waiting.state.boards[0].hand) == "P" * tiles  # SP-53
    assert waiting.state.boards[0].score == 5 + points  # SP-48
    refill = SUMMER_PAVILION.rules.request(waiting.state)
    assert refill is not None
    assert sum(stage.draws for stage in refill.stages) == tiles  # SP-R8: one refill for both features
    refilled = waiting.when(CHANCE, drawn("O" * tiles)).after
    assert (refilled.state.phase, refilled.state.turn, how_many(refilled.state.supply)) == ("place", 2, 10)


def test_sp_54_a_feature_pays_once() -> None:
    table = placing("BBBBBBB", "E.5 E.6")
    assert table.when(1, move("1B@E1")).only(TilePlaced)[0].features == ()


def test_sp_tv27_a_bonus_larger_than_the_supply() -> None:
    table = placing("BBBBBB", "E.5", supply="RR", bag="", tower="")
    happened = table.when(1, move("6B@E6"))
    placed, taken = happened.events  # SP-R7: no choice, so the taking follows by itself
    assert isinstance(placed, TilePlaced)
    assert (placed.owed, placed.forfeited) == (2, 1)
    assert taken == BonusTaken(seat=1, tiles=(RED, RED), next=2, refill=True)
    waiting = happened.after
    assert letters(waiting.state.tower) == "BBBBB"  # SP-R9: this turn's payment is there already
    refilled = waiting.when(CHANCE, drawn("BBBBB"))
    assert refilled.events == [SupplyFilled(tiles=(BLUE,) * 5, poured=True)]
    state = refilled.after.state
    assert (letters(state.supply), state.bag, state.tower, state.turn) == ("BBBBB", 0, 0, 2)


def test_sp_r7_a_bonus_from_an_empty_supply_is_forfeited_and_the_refill_still_comes() -> None:
    happened = placing("BBBBBBB", "E.5", supply="", bag="", tower="").when(1, move("6B@E6"))
    (event,) = happened.events
    assert isinstance(event, TilePlaced)
    assert (event.features, event.owed, event.forfeited, event.refill) == (("window-E",), 0, 3, True)
    assert happened.after.when(CHANCE, drawn("BBBBB")).after.state.turn == 2


def test_a_supply_of_one_colour_leaves_no_choice() -> None:
    happened = placing("BBBBBB", "E.5", supply="RRRRRRRRRR").when(1, move("6B@E6"))
    assert happened.only(BonusTaken) == [BonusTaken(seat=1, tiles=(RED,) * 3, next=2, refill=True)]


def test_sp_56_an_empty_bag_is_refilled_from_what_the_tower_held_before() -> None:
    # Number 1 sends nothing to the tower, so the refill can only come from earlier payments.
    choosing = placing("OG", "NW.2 NE.3 NE.4", bag="", tower="BBB").when(1, move("1O@NW1")).after
    waiting = choosing.when(1, move("+PP"))
    waiting.then(BonusTaken(seat=1, tiles=(PURPLE, PURPLE), next=2, refill=True))
    waiting.after.when(CHANCE, drawn("BB")).then(SupplyFilled(tiles=(BLUE, BLUE), poured=True))


def test_sp_tv28_an_exactly_used_up_bag_is_not_refilled() -> None:
    choosing = placing("GG", "W.3 W.4 SW.1", bag="RY", tower="GGG").when(1, move("2G@SW2")).after
    waiting = choosing.when(1, move("+PP")).after
    assert letters(waiting.state.tower) == "GGGG"
    refilled = waiting.when(CHANCE, drawn("YR"))
    refilled.then(SupplyFilled(tiles=(YELLOW, RED)))
    assert letters(refilled.after.state.tower) == "GGGG"
    assert not refilled.after.state.bag


def test_sp_tv29_the_tower_goes_into_the_bag_when_the_next_tile_is_needed() -> None:
    def arrange(state: State) -> None:
        state.supply, state.bag, state.tower = heap("PGOYBRR"), heap("R"), heap("GGGG")
        state.phase, state.turn = "supply", 2

    waiting = placing("").with_(arrange)
    waiting.refuses(CHANCE, drawn("GRG"), "summer-pavilion/supply-pool", "SP-55")  # the bag's tile comes first
    refilled = waiting.when(CHANCE, drawn("RGG"))
    refilled.then(SupplyFilled(tiles=(RED, GREEN, GREEN), poured=True))
    state = refilled.after.state
    assert (letters(state.bag), letters(state.tower)) == ("GG", "")


# ------------------------------------------------------------------------------------------------------------ passing


def test_sp_ex14_a_kept_tile_is_wild_in_its_own_round() -> None:
    table = placing("G", others="")
    happened = table.when(1, move("pass G"))
    happened.then(SeatPassed(seat=1, next=0, kept=(GREEN,)))
    assert letters(happened.after.state.boards[0].corners) == "G"
    second = happened.after.when(CHANCE, drawn("PPPPPGGGGGOOOOOYYYYY")).after.state
    assert (letters(second.boards[0].hand), letters(second.boards[0].corners), second.wild) == ("G", "", GREEN)


def test_sp_ex16_surplus_tiles_cost_a_point_each() -> None:
    happened = placing("GGGGRR").when(1, move("pass GGGG"))
    loss = ScoreLine(1, "SP-60", "surplus-loss", -2, -2, {"tiles": 2})
    happened.then(SeatPassed(seat=1, next=2, kept=(GREEN,) * 4, scores=(loss,)))
    state = happened.after.state
    assert (letters(state.boards[0].corners), letters(state.tower), state.boards[0].score) == ("GGGG", "RR", 3)
    happened.after.refuses(1, move("pass"), "summer-pavilion/passed", "SP-36")


PASSING = [
    # hand · round · score · move · requested and applied loss
    pytest.param("GOYBR", 3, 10, "pass GOYB", -1, -1, id="SP-TV31-keeping-4"),
    pytest.param("GOYBR", 3, 10, "pass", -5, -5, id="SP-TV31-keeping-0"),
    pytest.param("GGGGGGGGG", 2, 3, "pass GGGG", -5, -2, id="SP-TV32"),
    pytest.param("GYB", 6, 40, "pass", -3, -3, id="SP-TV33"),
    pytest.param("GG", 1, 8, "pass", -2, -2, id="SP-R12"),
]


@pytest.mark.parametrize("hand, round_, score, text, requested, applied", PASSING)
def test_passing(hand: str, round_: int, score: int, text: str, requested: int, applied: int) -> None:
    happened = placing(hand, round_=round_, score=score).when(1, move(text))
    (event,) = happened.events
    assert isinstance(event, SeatPassed)
    (line,) = event.scores
    assert (line.requested, line.applied) == (requested, applied)
    assert line.rule == ("SP-61" if round_ == 6 else "SP-60")
    assert happened.after.state.boards[0].score == score + applied


def test_sp_59_full_corners_come_back_whole() -> None:
    passed = placing("GOYBRP", others="").when(1, move("pass GOYB")).after
    assert letters(passed.state.boards[0].corners) == "GOYB"
    assert passed.state.boards[0].passed
    board = passed.when(CHANCE, drawn("PPPPPGGGGGOOOOOYYYYY")).after.state.boards[0]
    assert (letters(board.hand), letters(board.corners), board.passed) == ("GOYB", "", False)


def test_sp_r11_a_seat_without_tiles_takes_no_turn() -> None:
    table = placing("RR", others="", seats=3).with_(with_hand(3, "B"))
    after_first = table.when(1, move("1R@NE1")).after
    assert after_first.state.turn == 3  # seat 2 has nothing to place
    after_first.refuses(2, move("pass"), "summer-pavilion/passed", "SP-R11")
    emptied = after_first.when(3, move("1B@E1")).after.when(1, move("1R@C1")).after
    assert (emptied.state.phase, emptied.state.turn) == ("deal", 0)  # and nobody has to say pass


def test_sp_58_without_a_placement_only_passes_are_left() -> None:
    # Every 1 is taken and a single tile pays for nothing else.
    ones = " ".join(f"{name}.1" for name in ("NW", "NE", "E", "SE", "SW", "W")) + " C.1=P"
    table = placing("R", ones)
    assert [type(action).__name__ for action in SUMMER_PAVILION.rules.legal(table.state, 1)] == ["Pass", "Pass"]


# ------------------------------------------------------------------------------------------------------ final scoring

FULL = " ".join(star(name) for name in STARS)
ONES = "NW.1 NE.1 E.1 SE.1 SW.1"
FINAL = [
    pytest.param("coloured", FULL, [20, 18, 17, 16, 15, 14, 12, 4, 8, 12, 16], id="SP-TV35"),
    pytest.param("coloured", f"{star('W')} {star('C')} {ONES}", [20, 12, 4], id="SP-TV36"),
    pytest.param("coloured", f"{star('W')} {star('C', slots='23456')} {ONES}", [20], id="SP-TV37"),
    pytest.param("colourless", f"{star('NW', 'R')} {star('C', 'R')} {star('E', 'PGOYBR')}", [14, 14, 12], id="SP-TV38"),
    pytest.param(
        "colourless",
        " ".join(f"{name}.1=R" for name in STARS[:6]) + " " + star("C", "R", slots="12345"),
        [],
        id="SP-TV39",
    ),
    pytest.param(
        "colourless",
        " ".join(f"{name}.1=R" for name in STARS[:6]) + " " + star("C", "R"),
        [14, 12],
        id="SP-69-twelve-3s",
    ),
]


@pytest.mark.parametrize("side, spaces, expected", FINAL)
def test_final_scoring(side: str, spaces: str, expected: list[int]) -> None:
    table = placing("R", spaces, others="", round_=6, score=40, boardSide=side)
    ended = table.when(1, move("pass")).only(GameEnded)[0]
    assert sorted(line.applied for line in ended.scores) == sorted(expected)
    assert {line.rule for line in ended.scores} <= {"SP-67"}
    totals = {place.seat: place.score for place in ended.standings}
    assert totals == {1: 39 + sum(expected), 2: 40}


def test_sp_tv34_the_discard_of_the_last_round_comes_before_the_final_scoring() -> None:
    table = placing("GGGGG", star("C"), others="", round_=6, score=2)
    happened = table.when(1, move("pass"))
    passed, ended = happened.events
    assert isinstance(passed, SeatPassed)
    assert isinstance(ended, GameEnded)
    assert [(line.rule, line.requested, line.applied) for line in passed.scores] == [("SP-61", -5, -1)]
    assert [line.applied for line in ended.scores] == [12]
    assert happened.after.state.boards[0].score == 13


def test_sp_tv43_equal_totals_share_the_victory() -> None:
    def arrange(state: State) -> None:
        for board, score in zip(state.boards, (70, 70, 55), strict=True):
            board.score = score

    table = placing("R", others="", round_=6, seats=3).with_(arrange)
    table = table.with_(lambda state: setattr(state.boards[0], "score", 71))
    ended = table.when(1, move("pass")).only(GameEnded)[0]
    assert [(place.seat, place.rank, place.score) for place in ended.standings] == [(1, 1, 70), (2, 1, 70), (3, 3, 55)]
    assert [place.rank for place in rank(table.state)] == [1, 2, 3]


def test_the_game_also_ends_with_a_placement_that_empties_the_last_hand() -> None:
    happened = placing("R", others="", round_=6, supply="PPGG").when(1, move("1R@NE1"))
    assert [type(event) for event in happened.events] == [TilePlaced, GameEnded]
    assert happened.events[0].refill is False  # type: ignore[attr-defined]  # nobody would see a refill now
    assert happened.after.state.phase == "over"
    happened.after.refuses(1, move("pass"), "summer-pavilion/over", "SP-18")


# ----------------------------------------------------------------------------------------------------- colourless side


def test_sp_tv40_a_star_with_two_equal_tiles_is_one_coloured() -> None:
    table = placing("BR", "NW.1=R NW.2=R", boardSide="colourless")
    table.refuses(1, move("1B@NW3"), "summer-pavilion/star-kind", "SP-73")
    assert table.when(1, move("1R@NW3")).after.state.boards[0].score == 8


def test_sp_tv41_a_star_with_two_different_tiles_is_multicoloured() -> None:
    table = placing("GR", "NW.1=R NW.2=B", boardSide="colourless")
    table.refuses(1, move("1R@NW3"), "summer-pavilion/star-kind", "SP-73")
    table.when(1, move("1G@NW3"))


@pytest.mark.parametrize("name", STARS)
def test_sp_r15_one_tile_decides_nothing(name: str) -> None:
    slot, cost = (3, 1) if name != "C" else (3, 3)
    table = placing("BBBRRR", f"{name}.1=R", boardSide="colourless")
    for colour in (BLUE, RED):
        table.when(1, PlaceTile(star=STARS.index(name), slot=slot, colour=colour, own=cost))


def test_sp_r15_only_placed_tiles_count() -> None:
    # Red paid with wild purple: the star shows red and purple never stood on it.
    table = placing("RPPB", "NW.1=R", boardSide="colourless")
    after = table.when(1, move("1R+1@NW2")).after
    back = after.with_(lambda state: setattr(state, "turn", 1))
    back.refuses(1, move("1P@NW3"), "summer-pavilion/star-kind", "SP-73")


def test_sp_r22_the_centre_of_the_coloured_side_never_becomes_one_coloured() -> None:
    table = placing("RRB", "C.1=R")
    table.refuses(1, move("2R@C2"), "summer-pavilion/centre-colour", "SP-40")


def test_sp_71_the_sides_differ_in_their_numbers_only() -> None:
    coloured, colourless = placing("OOO"), placing("OOO", boardSide="colourless")
    assert coloured.when(1, move("3O@NW3")).after.state.boards[0].score == 6
    coloured.refuses(1, move("1O@NW3"), "summer-pavilion/payment-count", "SP-38")
    colourless.when(1, move("1O@NW3"))
    colourless.refuses(1, move("3O@NW3"), "summer-pavilion/payment-count", "SP-38")


# ------------------------------------------------------------------------------------------------- tiles run out


def short_deal(seats: int, round_: int, bag: str, tower: str = "", corners: tuple[str, ...] = ()) -> Scenario:
    """After the last pass of a round, with these tiles left."""

    def arrange(state: State) -> None:
        state.phase, state.round, state.wild, state.turn = "deal", round_, round_ - 1, 0
        state.bag, state.tower = heap(bag), heap(tower)
        for board, tiles in zip(state.boards, corners, strict=False):
            board.corners = heap(tiles)

    return acquiring(seats=seats).with_(arrange)


def test_sp_64_displays_are_filled_in_order_until_nothing_is_left() -> None:
    happened = short_deal(4, 5, bag="GGGGGGGGGG", tower="RRRR").when(CHANCE, drawn("G" * 10 + "RRRR"))
    (event,) = happened.events
    assert isinstance(event, DisplaysFilled)
    assert [len(tiles) for tiles in event.displays] == [4, 4, 4, 2, 0, 0, 0, 0, 0]  # SP-R4
    assert event.poured
    state = happened.after.state
    assert (state.phase, how_many(state.offered), how_many(state.bag), how_many(state.tower)) == ("acquire", 14, 0, 0)


def test_sp_r5_without_any_tile_the_round_opens_with_placing() -> None:
    table = short_deal(3, 4, bag="", corners=("", "BB", "R"))
    happened = table.when(CHANCE, Outcome(drawn=()))
    happened.then(DisplaysFilled(round=5, starter=1, displays=((),) * 7, next=2))
    state = happened.after.state
    assert (state.phase, state.turn, state.wild, letters(state.boards[1].hand)) == ("place", 2, BLUE, "BB")


def test_sp_r5_a_round_nobody_can_play_passes_by_itself() -> None:
    after = short_deal(3, 4, bag="").when(CHANCE, Outcome(drawn=())).after
    assert (after.state.phase, after.state.round, after.state.turn) == ("deal", 5, 0)
    last = after.when(CHANCE, Outcome(drawn=()))
    assert [type(event) for event in last.events] == [DisplaysFilled, GameEnded]
    assert last.after.state.standings


def test_sp_r6_a_short_supply_is_retried_after_every_later_turn() -> None:
    # Number 1 is paid by the placed tile alone, so nothing reaches the tower and the supply stays short.
    table = placing("OGG", "NW.2 NE.3 NE.4", others="RRB", bag="", tower="")
    short = table.when(1, move("1O@NW1")).after.when(1, move("+PP"))
    short.then(BonusTaken(seat=1, tiles=(PURPLE, PURPLE), next=2))
    assert how_many(short.after.state.supply) == 8
    # Seat 2 completes nothing, but its payment can go to the supply.
    placed = short.after.when(2, move("2R@NE2"))
    assert placed.only(TilePlaced)[0].refill
    refilled = placed.after.when(CHANCE, drawn("R")).after
    assert (how_many(refilled.state.supply), refilled.state.turn) == (9, 1)
    # And so can what a pass throws away, before the next turn.
    passed = refilled.when(1, move("pass PPG"))
    assert passed.only(SeatPassed)[0].refill
    whole = passed.after.when(CHANCE, drawn("G")).after
    assert (how_many(whole.state.supply), whole.state.phase, whole.state.turn) == (10, "place", 2)


def test_sp_r6_the_supply_is_served_before_the_displays() -> None:
    table = placing("GGG", others="", supply="PPGGOOYY", bag="", tower="")
    passed = table.when(1, move("pass")).after
    assert (passed.state.phase, passed.state.turn) == ("supply", 0)
    served = passed.when(CHANCE, drawn("GG")).after
    assert (served.state.phase, letters(served.state.bag)) == ("deal", "G")
    dealt = served.when(CHANCE, drawn("G")).after.state
    assert [how_many(display) for display in dealt.displays] == [1, 0, 0, 0, 0]


def test_while_a_refill_is_owed_nobody_can_act() -> None:
    waiting = placing("BBBBBB", "E.5").when(1, move("6B@E6")).after.when(1, move("+PPG")).after
    assert waiting.state.phase == "supply"
    assert SUMMER_PAVILION.projection.to_act(waiting.state) == ()
    for seat in (1, 2):
        assert not SUMMER_PAVILION.rules.legal(waiting.state, seat)
        waiting.refuses(seat, move("pass"), "summer-pavilion/phase", "SP-55")


def test_options_have_their_defaults() -> None:
    assert read_options(SUMMER_PAVILION.rules, {}, 2) == {"boardSide": "coloured", "firstPlayer": "random"}


def test_build_is_what_the_reducers_would_have_built() -> None:
    """The fixtures' own check: tiles put on a board by hand and by events give the same board."""
    by_hand = placing("", "NE.1 C.2=B").state.boards[0]
    played = placing("RBB").when(1, move("1R@NE1")).after.with_(lambda state: setattr(state, "turn", 1))
    by_events = played.when(1, move("2B@C2")).after.state.boards[0]
    assert (by_hand.spaces, by_hand.occupied, by_hand.star_colours) == (
        by_events.spaces,
        by_events.occupied,
        by_events.star_colours,
    )
    assert by_hand.spaces.count(ORANGE) == 0
    again = placing("").with_(lambda state: build(state, 1, "NW.1"))
    assert again.state.boards[0].spaces.count(ORANGE) == 1
