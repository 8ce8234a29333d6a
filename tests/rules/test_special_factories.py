"""Master Chocolatier's gold displays (MC-10…MC-46): every constructed test, ruling, option and illegal move."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

import pytest

from events.azul import DisplaysFilled, FloorCleared, LineDropped, LineTiled, StartDrawn, TilesDrafted
from events.core import CHANCE, ScoreLine
from events.master_chocolatier import (
    GoldPlacesDrawn,
    GoldSidesShown,
    Pulled,
    Sent,
    ShieldedLineDropped,
    SpecialDisplaysFilled,
    SpecialTilesDrafted,
)
from projections.azul.state import MARKER, NO_COLOUR
from projections.azul.tiles import counts
from projections.core import Names
from projections.master_chocolatier.state import BLUE_SIDE, EXTRA, PULL, SHIELD, SIDE_NAMES, UNTURNED, State
from projections.story import sentence
from service.errors import IllegalAction
from service.games.azul.rules import DraftTiles
from service.games.azul.tiling import TileLine
from service.games.core import Outcome, Stage
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.master_chocolatier.notation import read, read_outcome, write, write_outcome
from service.games.master_chocolatier.rules import RULES, SpreadTiles, legal, neighbours
from service.games.notation import Malformed
from service.play import chance
from tests.rules.azul_tables import board_of, lay
from tests.rules.master_chocolatier_tables import (
    BLACK,
    BLUE,
    BROWN,
    RED,
    SIDES,
    WHITE,
    heap,
    offer,
    penalties,
    slots,
    table,
    tiling,
)
from tests.scenario import Happened, Scenario, given
from tests.shelf import Shape, Turn, turns

PROJECTION = MASTER_CHOCOLATIER.projection
ANN = Names({1: "Ann", 2: "Ben"})


def dealt(scenario: Scenario, displays: str, extra: str = "") -> Happened:
    """The deal of these displays, and of one more praline."""
    return scenario.when(CHANCE, Outcome(tuple(slots(displays.replace(" ", "") + extra))))


def spread(source: int, colour: int, line: int, *sent: tuple[int, int]) -> SpreadTiles:
    return SpreadTiles(source, colour, line, 0, tuple(Sent(*one) for one in sent))


def spreads(scenario: Scenario, colour: int) -> set[tuple[tuple[int, int], ...]]:
    """Every spread open to the drafting seat with this colour, as pairs of colour and display."""
    actions = [a for a in legal(scenario.state, scenario.state.turn) if isinstance(a, SpreadTiles)]
    found = [tuple((s.colour, s.display) for s in a.spread) for a in actions if (a.colour, a.line) == (colour, 5)]
    assert len(set(found)) == len(found), "a spread is listed twice"
    return set(found)


# --------------------------------------------------------------------------------------------------------- round setup


@pytest.mark.parametrize("seats, displays", [(2, 5), (3, 7), (4, 9)])
def test_mc_t_1_as_many_gold_displays_as_players(seats: int, displays: int) -> None:
    scenario = given(MASTER_CHOCOLATIER, seats, specialFactories="on", firstPlayer="seat:1")
    places = RULES.request(scenario.state)
    assert places is not None
    assert (places.purpose, places.stages) == ("gold places", (Stage((1,) * displays, seats),))
    drawn = tuple(reversed(range(displays)))[:seats]
    after = scenario.when(CHANCE, Outcome(drawn)).then(
        GoldPlacesDrawn(round=1, places=tuple(place + 1 for place in drawn))
    )
    assert [side == UNTURNED for side in after.state.sides].count(True) == seats
    sides = RULES.request(after.state)
    assert sides is not None
    assert (sides.purpose, sides.stages) == ("gold sides", (Stage((1,) * 9, seats),))
    after = after.when(CHANCE, Outcome(tuple(range(4, 4 + seats)))).after
    assert len(after.state.sides) == displays
    assert [side != BLUE_SIDE for side in after.state.sides].count(True) == seats
    deal = RULES.request(after.state)
    assert deal is not None
    assert deal.purpose == "deal"


def test_mc_10_gold_is_drawn_anew_for_every_round() -> None:
    facts = [
        event for turn in turns(Shape(MASTER_CHOCOLATIER, 2, {"specialFactories": "on"}), 9) for event in turn.events
    ]
    places = [event.round for event in facts if isinstance(event, GoldPlacesDrawn)]
    deals = [event.round for event in facts if isinstance(event, DisplaysFilled)]
    assert places == deals == list(range(1, len(deals) + 1))
    assert len({event.sides for event in facts if isinstance(event, GoldSidesShown)}) > 1


def rounds(seats: int, number: int) -> Iterable[State]:
    """Setups of so many rounds, each by another draw."""
    scenario = given(MASTER_CHOCOLATIER, seats, specialFactories="on", firstPlayer="seat:1")
    for draw in range(0, 2 * number, 2):
        state = PROJECTION.copy(scenario.state)
        for step in (draw, draw + 1):
            request = RULES.request(state)
            assert request is not None
            (event,) = RULES.decide(state, CHANCE, chance.answer(b"gold" * 8, b"", step, request))
            PROJECTION.apply[type(event)](state, event)
        yield state


@pytest.mark.parametrize("seats, number", [(2, 3000), (3, 2000), (4, 1500)])
def test_mc_t_2_every_gold_side_and_every_place_is_equally_likely(seats: int, number: int) -> None:
    """MC-14 in every round; over all of them every count is within four standard deviations of its share."""
    shown, places = Counter[int](), Counter[int]()
    for state in rounds(seats, number):
        gold = [side for side in state.sides if side != BLUE_SIDE]
        assert len(gold) == len(set(gold)) == seats
        shown.update(gold)
        places.update(place for place, side in enumerate(state.sides) if side != BLUE_SIDE)
    for found, kinds in ((shown, 9), (places, len(state.sides))):
        share = seats / kinds
        deviation = (number * share * (1 - share)) ** 0.5
        assert set(found) == set(range(kinds))
        assert all(abs(count - number * share) <= 4 * deviation for count in found.values()), found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_mc_t_3_one_more_praline(seats: int) -> None:
    scenario = table(seats, gold={2: "+1"}, phase="deal")
    displays = len(scenario.state.displays)
    request = RULES.request(scenario.state)
    assert request is not None
    after = scenario.when(CHANCE, chance.answer(b"t" * 32, b"", 0, request)).after
    assert [sum(counts(display)) for display in after.state.displays] == [4, 5, *[4] * (displays - 2)]
    assert sum(counts(after.state.bag)) == 100 - (4 * displays + 1)


class TestPullingMc19:
    """MC-T-4, MC-T-5, MC-29, MC-40: one praline of the colour from each neighbour that has one."""

    def test_mc_t_4_from_both(self) -> None:
        happened = dealt(table(gold={2: "R"}, phase="deal"), "RRBK BBBB WWRN KKKK KKKK")
        assert happened.events == [
            SpecialDisplaysFilled(
                round=2,
                starter=1,
                displays=tuple(tuple(slots(tiles)) for tiles in ("RRBK", "BBBB", "WWRN", "KKKK", "KKKK")),
                pulled=(Pulled(RED, 1, 2), Pulled(RED, 3, 2)),
            )
        ]
        assert offer(happened.after) == ["BKR", "BBBBRR", "NWW", "KKKK", "KKKK"]
        told = sentence(PROJECTION, happened.events[0], ANN)
        assert told.endswith("Ann starts. Display 2 pulled 2 red from 1 and 3.")

    def test_mc_t_5_from_one(self) -> None:
        after = dealt(table(gold={2: "R"}, phase="deal"), "BBBK BBBB WWRN KKKK KKKK").after
        assert offer(after)[:3] == ["BBBK", "BBBBR", "NWW"]

    def test_from_none_it_is_a_deal_as_in_azul(self) -> None:
        happened = dealt(table(gold={2: "R"}, phase="deal"), "BBBK RRRR WWWN KKKK KKKK")
        assert [type(event) for event in happened.events] == [DisplaysFilled]

    def test_mc_16_the_circle_is_closed(self) -> None:
        after = dealt(table(gold={1: "N"}, phase="deal"), "BBBB NKKK KKKK KKKK NNKK").after
        assert offer(after) == ["BBBBNN", "KKK", "KKKK", "KKKK", "NKK"]

    def test_mc_40_from_short_and_empty_neighbours(self) -> None:
        scenario = table(4, gold={7: "K", 9: "R"}, phase="deal", bag="K" * 30)
        after = dealt(scenario, "K" * 30).after
        assert [len(tiles) for tiles in offer(after)] == [4, 4, 4, 4, 4, 3, 6, 1, 0]

    def test_mc_29_the_order_of_colour_displays_changes_nothing(self) -> None:
        """Two neighbouring colour displays pull from each other; position by position or the other way round."""
        filled = ["RKRK", "BRKN", "KRBK", "BBNK", "NKRB"]

        def pulled(order: Iterable[tuple[int, int]]) -> list[list[int]]:
            displays = [slots(tiles) for tiles in filled]
            for place, colour in order:
                for origin in ((place - 2) % 5, place % 5):
                    if colour in displays[origin]:
                        displays[origin].remove(colour)
                        displays[place - 1].append(colour)
            return [sorted(display) for display in displays]

        gold = [(1, RED), (2, BLACK), (3, BLUE)]
        results = [pulled(order) for order in permutations(gold)]
        assert all(result == results[0] for result in results)
        ours = dealt(table(gold={1: "R", 2: "K", 3: "B"}, phase="deal"), " ".join(filled)).after
        assert [sorted(slots(tiles)) for tiles in offer(ours)] == results[0]


class TestSetupOrderMc28:
    """MC-T-6: the praline SF1 draws is red, and SF2 (red) lies beside it."""

    deal = "BBBB KKKK WWWW NNNN BKWN"

    def test_mc_t_6_by_kind_it_moves_on_whatever_the_places(self) -> None:
        after = dealt(table(gold={1: "+1", 2: "R"}, phase="deal"), self.deal, "R").after
        assert offer(after)[:2] == ["BBBB", "KKKKR"]
        after = dealt(table(gold={2: "R", 3: "+1"}, phase="deal"), self.deal, "R").after
        assert offer(after)[1:3] == ["KKKKR", "WWWW"]

    def test_mc_t_6_by_position_it_stays_where_the_colour_came_first(self) -> None:
        after = dealt(table(gold={2: "R", 3: "+1"}, phase="deal", sfSetupOrder="by-position"), self.deal, "R").after
        assert offer(after)[1:3] == ["KKKK", "WWWWR"]
        after = dealt(table(gold={1: "+1", 2: "R"}, phase="deal", sfSetupOrder="by-position"), self.deal, "R").after
        assert offer(after)[:2] == ["BBBB", "KKKKR"]


class TestSupplyMc30:
    """MC-30, MC-43: the one more praline when bag and lid run out."""

    def test_it_comes_out_of_the_lid_when_the_bag_is_just_used_up(self) -> None:
        scenario = table(gold={1: "+1"}, phase="deal", bag="B" * 20, lid="R")
        request = RULES.request(scenario.state)
        assert request is not None
        assert request.stages == (Stage(counts(heap("B" * 20)), 20), Stage(counts(heap("R")), 1))
        happened = dealt(scenario, "B" * 20, "R")
        assert happened.events[0] == SpecialDisplaysFilled(
            round=2, starter=1, displays=((BLUE,) * 4,) * 5, poured=True, extra_display=1, extra=RED
        )
        assert happened.after.state.bag == happened.after.state.lid == 0

    @pytest.mark.parametrize("refill", ["when-empty", "when-insufficient"])
    def test_with_bag_and_lid_empty_there_is_none(self, refill: str) -> None:
        scenario = table(gold={1: "+1"}, phase="deal", bag="B" * 20, bagRefill=refill)
        happened = dealt(scenario, "B" * 20)
        assert [type(event) for event in happened.events] == [DisplaysFilled]
        assert offer(happened.after) == ["BBBB"] * 5

    def test_short_displays_come_before_it(self) -> None:
        bag = "B" * 17 + "N" * 17
        after = dealt(table(4, gold={1: "+1"}, phase="deal", bag=bag), bag).after
        assert [len(tiles) for tiles in offer(after)] == [4] * 8 + [2]

    def test_mc_43_two_players_are_never_short(self) -> None:
        shape = Shape(MASTER_CHOCOLATIER, 2, {"specialFactories": "on"})
        needs = []
        for seed in range(4):
            for turn in turns(shape, seed):
                request = RULES.request(turn.state)
                if request is not None and request.purpose == "deal":
                    assert sum(counts(turn.state.bag + turn.state.lid)) >= 40
                    needs.append(sum(stage.draws for stage in request.stages))
        assert set(needs) == {20, 21}


def test_mc_t_18_the_disc_goes_back_and_all_nine_are_shuffled_again() -> None:
    start = lay(table(gold={3: "0", 5: "="}, holder=1, disc="N"), 1, floor="B", score=9)
    after = tiling(start).after
    assert after.state.lid == heap("NBR")
    assert (after.state.holder, after.state.disc) == (0, NO_COLOUR)
    assert after.state.sides == (BLUE_SIDE,) * 5
    after = after.when(CHANCE, Outcome((2, 0))).after
    request = RULES.request(after.state)
    assert request is not None
    assert request.stages == (Stage((1,) * 9, 2),)
    after = after.when(CHANCE, Outcome((SIDES.index("0"), SIDES.index("R")))).then(
        GoldSidesShown(places=(1, 3), sides=(8, 5))
    )
    assert PROJECTION.view(after.state)["sides"] == ["shield", None, "pull red", None, None]


# ------------------------------------------------------------------------------------------------------- SF3: it stays


def test_mc_t_7_leftovers_stay_at_every_pick() -> None:
    start = table(gold={1: "="}, displays=["BBRK", "WWWW"])
    happened = start.when(1, DraftTiles(1, BLUE, 2))
    after = happened.then(
        SpecialTilesDrafted(seat=1, source=1, colour=BLUE, taken=2, line=2, next=2, placed=2, stayed=True)
    )
    assert (offer(after)[:2], after.state.centre) == (["KR", "WWWW"], 0)
    after = after.when(2, DraftTiles(1, RED, 1)).after
    assert (offer(after)[0], after.state.centre) == ("K", 0)
    last = after.when(1, DraftTiles(1, BLACK, 1))
    assert [type(event) for event in last.events] == [TilesDrafted]
    assert (offer(last.after)[0], last.after.state.centre) == ("", 0)


# ----------------------------------------------------------------------------------------------------- SF4: it spreads


class TestSpreadingMc21:
    """MC-T-8 to MC-T-12: display 2 spreads to displays 1 and 3."""

    @pytest.mark.parametrize(
        "leftovers, free, even",
        [
            pytest.param("RRK", 4, {(1, 2), (2, 1)}, id="MC-T-8"),
            pytest.param("RKW", 8, {(1, 2), (2, 1)}, id="MC-T-9"),
            pytest.param("RRR", 2, {(0, 3), (3, 0)}, id="MC-T-10"),
        ],
    )
    def test_splits(self, leftovers: str, free: int, even: set[tuple[int, int]]) -> None:
        start = table(gold={2: "<>"}, displays=["BBBB", "N" + leftovers, "WWWW"])
        assert len(spreads(start, BROWN)) == free
        evenly = table(gold={2: "<>"}, displays=["BBBB", "N" + leftovers, "WWWW"], sf4Split="as-even-as-possible")
        found = spreads(evenly, BROWN)
        assert len(found) == {"RRK": 2, "RKW": 6, "RRR": 2}[leftovers]
        tiles = counts(heap(leftovers))
        sizes = {tuple(sum(tiles[c] for c, to in way if to == place) for place in (1, 3)) for way in found}
        assert sizes == even
        for way in spreads(start, BROWN) - found:
            action = spread(2, BROWN, 5, *way)
            start.when(1, action)
            evenly.refuses(1, action, "master-chocolatier/spread-uneven", "MC-D1")

    def test_mc_22_and_46_pick_split_and_placement_are_one_fact(self) -> None:
        start = table(gold={2: "<>"}, displays=["BBBB", "NRRK", "WWWW"])
        happened = start.when(1, read("2N1>K3R1"))
        after = happened.then(
            SpecialTilesDrafted(
                seat=1,
                source=2,
                colour=BROWN,
                taken=1,
                line=1,
                next=2,
                placed=1,
                spread=(Sent(BLACK, 3), Sent(RED, 1)),
            )
        )
        assert offer(after)[:3] == ["BBBBRR", "", "WWWWK"]
        assert after.state.centre == 0
        assert not happened.events[0].reveals
        assert sentence(PROJECTION, happened.events[0], ANN) == (
            "Ann took 1 brown from display 2, to pattern line 1; "
            "the leftovers went on, black to display 3 and red to display 1."
        )

    def test_mc_31_everything_may_go_to_one_side(self) -> None:
        start = table(gold={2: "<>"}, displays=["BBBB", "NRRK", "WWWW"])
        assert offer(start.when(1, read("2N1>K3R3")).after)[:3] == ["BBBB", "", "WWWWKRR"]

    def test_mc_32_nothing_left_nothing_to_spread(self) -> None:
        start = table(gold={2: "<>"}, displays=["BBBB", "NNNN", "WWWW"])
        assert DraftTiles(2, BROWN, 4) in legal(start.state, 1)
        assert not any(isinstance(action, SpreadTiles) for action in legal(start.state, 1))
        assert [type(event) for event in start.when(1, DraftTiles(2, BROWN, 4)).events] == [TilesDrafted]
        start.refuses(1, SpreadTiles(2, BROWN, 4), "master-chocolatier/spread-unasked", "MC-32")

    def test_mc_t_11_an_emptied_display_is_on_offer_again(self) -> None:
        start = table(gold={2: "<>"}, displays=["", "NK"])
        after = start.when(1, spread(2, BROWN, 1, (BLACK, 3))).after
        assert (after.state.phase, after.state.turn, offer(after)[2]) == ("draft", 2, "K")
        assert {action.source for action in legal(after.state, 2) if isinstance(action, DraftTiles)} == {3}
        assert after.when(2, DraftTiles(3, BLACK, 1)).after.state.phase == "deal"

    def test_mc_27_leftovers_follow_the_display_they_come_to(self) -> None:
        start = table(gold={2: "<>", 3: "="}, displays=["BBBB", "NKK", "WWR"])
        after = start.when(1, spread(2, BROWN, 1, (BLACK, 3))).after.when(2, DraftTiles(3, WHITE, 2)).after
        assert (offer(after)[2], after.state.centre) == ("KKR", 0)
        after = start.when(1, spread(2, BROWN, 1, (BLACK, 1))).after.when(2, DraftTiles(1, BLUE, 4)).after
        assert (offer(after)[0], after.state.centre) == ("", heap("KK"))

    @pytest.mark.parametrize(
        "taken, spreading, sides", [(3, 2, (1, 4)), (1, 2, (5, 3)), (5, 1, (4, 2)), (4, 1, (5, 2))]
    )
    def test_mc_t_12_a_disc_that_was_taken_is_passed_over(
        self, taken: int, spreading: int, sides: tuple[int, int]
    ) -> None:
        displays = ["", "", "", "", ""]
        displays[spreading - 1] = "NK"
        start = table(gold={spreading: "<>", taken: "0"}, displays=displays, holder=2)
        assert neighbours(start.state, spreading) == sides
        assert spreads(start, BROWN) == {((BLACK, side),) for side in sides}
        for side in sides:
            assert offer(start.when(1, spread(spreading, BROWN, 1, (BLACK, side))).after)[side - 1] == "K"
        held = spread(spreading, BROWN, 1, (BLACK, taken))
        start.refuses(1, held, "master-chocolatier/spread-target", "MC-33")

    def test_mc_d2_with_a_token_the_display_stays_in_the_circle(self) -> None:
        start = table(gold={2: "<>", 3: "0"}, displays=["BBBB", "NK"], holder=2, sf5Takes="token")
        assert neighbours(start.state, 2) == (1, 3)
        after = start.when(1, spread(2, BROWN, 1, (BLACK, 3))).after
        assert offer(after)[2] == "K"
        again = after.when(2, DraftTiles(3, BLACK, 1)).events[0]
        assert isinstance(again, TilesDrafted)
        assert not isinstance(again, SpecialTilesDrafted), "an ordinary place gives no second token"


# ----------------------------------------------------------------------------------------------------- SF5: it shields


class TestShieldMc23:
    """MC-T-13 to MC-T-17 and MC-34 to MC-39: the disc takes one praline that falls, and it costs nothing."""

    def test_mc_t_13_mc_34_the_pick_that_wins_the_disc_may_use_it(self) -> None:
        start = lay(table(gold={1: "0"}, displays=["NNNK", "WWWW"]), 1, score=9)
        happened = start.when(1, DraftTiles(1, BROWN, 1))
        after = happened.then(
            SpecialTilesDrafted(
                seat=1,
                source=1,
                colour=BROWN,
                taken=3,
                line=1,
                next=2,
                placed=1,
                fallen=1,
                took_disc=True,
                shielded="tile",
            )
        )
        assert board_of(after, 1).lines[0] == 1
        assert (after.state.holder, after.state.disc, board_of(after, 1).floor) == (1, BROWN, [BROWN])
        assert after.state.centre == heap("K")
        ended = tiling(after)
        assert penalties(ended) == [("AZ-50", -1), ("MC-24", 0)]
        assert board_of(ended.after, 1).score == 9 + 1 - 1

    def test_the_sheet_accounts_for_the_shielded_praline(self) -> None:
        ended = tiling(table(gold={1: "0"}, holder=1, disc="N", starter=2))
        assert penalties(ended, 2) == [("AZ-50", -1)], "the disc is not this seat's"
        cleared = next(event for event in ended.only(FloorCleared) if event.seat == 1)
        assert cleared.scores == (ScoreLine(1, "MC-24", "shielded", 0, 0, {"colour": BROWN}),)
        told = sentence(PROJECTION, cleared, ANN)
        assert told == "Ann cleared the floor: ±0 for a brown praline on the disc."

    def test_an_empty_disc_leaves_no_line(self) -> None:
        assert penalties(tiling(table(gold={1: "0"}, holder=1))) == []

    def test_mc_t_14_mc_35_the_marker_does_not_take_the_disc(self) -> None:
        start = table(gold={1: "0"}, displays=["", "BBBB"], centre="WW", holder=1)
        after = start.when(1, DraftTiles(0, WHITE, 0)).after
        assert board_of(after, 1).floor == slots("MW")
        assert after.state.disc == WHITE
        assert penalties(tiling(after)) == [("AZ-50", -2), ("MC-24", 0)]

    def test_mc_35_the_disc_waits_while_the_marker_falls(self) -> None:
        start = table(gold={1: "0"}, displays=["", "BBBB"], centre="WW", holder=1)
        happened = start.when(1, DraftTiles(0, WHITE, 2))
        assert [type(event) for event in happened.events] == [TilesDrafted]
        assert (happened.after.state.disc, board_of(happened.after, 1).floor) == (NO_COLOUR, [MARKER])

    def test_mc_t_15_the_marker_on_the_disc_by_agreement(self) -> None:
        start = table(gold={1: "0"}, displays=["", "BBBB"], centre="WW", holder=1, sf5AcceptsMarker="true")
        happened = start.when(1, DraftTiles(0, WHITE, 0))
        after = happened.after
        assert (after.state.disc, after.state.marker) == (MARKER, 1)
        assert board_of(after, 1).floor == slots("WW")
        assert "marker (on the disc), to the floor" in sentence(PROJECTION, happened.events[0], ANN)
        ended = tiling(after)
        assert penalties(ended) == [("AZ-50", -2), ("MC-35", 0)]
        assert ended.after.state.marker == 1
        assert ended.after.state.lid == heap("WWR")
        dealing = ended.after.when(CHANCE, Outcome((0, 1))).after.when(CHANCE, Outcome((6, 7))).after
        assert dealt(dealing, "BNWKR" * 4).after.state.starter == 1

    @pytest.mark.parametrize(
        "floor, after_floor, lid",
        [
            pytest.param("KKKKK", "KKKKKWW", "", id="room-for-all-but-the-marker"),
            pytest.param("KKKKKK", "KKKKKKW", "W", id="the-markers-space-goes-to-a-praline"),
            pytest.param("KKKKKKK", "KKKKKKK", "WW", id="full"),
        ],
    )
    def test_mc_t_15_with_little_room(self, floor: str, after_floor: str, lid: str) -> None:
        start = table(gold={1: "0"}, displays=["", "BBBB"], centre="WW", holder=1, sf5AcceptsMarker="true")
        after = lay(start, 1, floor=floor).when(1, DraftTiles(0, WHITE, 0)).after
        assert (after.state.disc, board_of(after, 1).floor) == (MARKER, slots(after_floor))
        assert after.state.lid == heap(lid)

    def test_az_77_a_marker_beside_a_full_floor_leaves_the_disc_to_a_praline(self) -> None:
        start = lay(table(gold={1: "0"}, displays=["", "BBBB"], centre="WW", holder=1), 1, floor="KKKKKKK")
        after = start.when(1, DraftTiles(0, WHITE, 0)).after
        assert (after.state.marker, after.state.disc, after.state.lid) == (1, WHITE, heap("W"))
        assert board_of(after, 1).floor == slots("KKKKKKK")

    def test_mc_t_16_an_occupied_disc_changes_nothing(self) -> None:
        start = lay(table(gold={1: "0"}, displays=["", "BNNN"], holder=1, disc="R"), 1, floor="KKKKKKK", score=30)
        happened = start.when(1, DraftTiles(2, BLUE, 0))
        assert [type(event) for event in happened.events] == [TilesDrafted]
        assert happened.after.state.lid == heap("B")
        assert penalties(tiling(happened.after)) == [("AZ-50", -14), ("MC-24", 0)]

    def test_mc_36_of_several_that_fall_the_first_goes_to_the_disc(self) -> None:
        after = table(gold={1: "0"}, displays=["", "BBBN"], holder=1).when(1, DraftTiles(2, BLUE, 0)).after
        assert (after.state.disc, board_of(after, 1).floor) == (BLUE, slots("BB"))

    def test_mc_37_with_a_full_floor_the_disc_comes_before_the_lid(self) -> None:
        start = lay(table(gold={1: "0"}, displays=["BBNN", "WWWW"]), 1, floor="KKKKKKK")
        after = start.when(1, DraftTiles(1, BLUE, 0)).after
        assert (after.state.holder, after.state.disc, after.state.lid) == (1, BLUE, heap("B"))
        assert board_of(after, 1).floor == slots("KKKKKKK")

    def test_the_disc_waits_for_a_later_turn_and_for_nobody_else(self) -> None:
        start = table(gold={1: "0"}, displays=["BB", "NNK", "WWR"])
        after = start.when(1, DraftTiles(1, BLUE, 2)).after
        assert (after.state.holder, after.state.disc) == (1, NO_COLOUR)
        after = after.when(2, DraftTiles(2, BROWN, 0)).after
        assert (after.state.disc, board_of(after, 2).floor) == (NO_COLOUR, slots("NN"))
        after = after.when(1, DraftTiles(3, WHITE, 1)).after
        assert (after.state.disc, board_of(after, 1).floor) == (WHITE, [])

    def test_mc_t_17_mc_38_an_impossible_line_on_the_brown_side(self) -> None:
        box = {(2, 1): "B", (2, 2): "N", (2, 3): "K", (1, 4): "R", (3, 5): "R"}
        start = lay(table(gold={1: "0"}, holder=1, boardSide="brown"), 1, lines=["", "RR"], tiles=box, score=9)
        happened = tiling(start)
        assert happened.only(ShieldedLineDropped) == [ShieldedLineDropped(seat=1, line=2, colour=RED, fallen=1)]
        assert penalties(happened) == [("AZ-50", -1), ("MC-24", 0)]
        assert happened.after.state.lid == heap("RRR")
        told = sentence(PROJECTION, happened.only(ShieldedLineDropped)[0], ANN)
        assert told == "Ann found no cell for line 2: 2 red fell, 1 of them on the disc."

    def test_mc_38_only_the_first_line_and_also_with_a_full_floor(self) -> None:
        box = {(1, 1): "R", (2, 2): "R", (3, 3): "R"}
        start = lay(table(gold={1: "0"}, holder=1, boardSide="brown"), 1, lines=["R", "RR"], tiles=box)
        happened = tiling(lay(start, 1, lines=["R", "RR"], floor="KKKKKKK"))
        assert [(type(e), e.line, e.fallen, e.discarded) for e in happened.only(LineDropped)] == [
            (ShieldedLineDropped, 1, 0, 0),
            (LineDropped, 2, 0, 2),
        ]

    def test_mc_38_the_disc_of_another_seat_catches_nothing(self) -> None:
        box = {(2, 1): "B", (2, 2): "N", (2, 3): "K", (1, 4): "R", (3, 5): "R"}
        start = lay(table(3, gold={1: "0"}, holder=3, boardSide="brown"), 1, lines=["", "RR"], tiles=box)
        assert tiling(start).only(LineDropped) == [LineDropped(seat=1, line=2, colour=RED, fallen=2)]

    def test_mc_38_a_choice_of_a_column_may_fill_the_disc(self) -> None:
        box = {(2, 1): "B", (2, 2): "N", (2, 3): "K", (3, 5): "R"}
        start = lay(table(gold={1: "0"}, holder=1, boardSide="brown"), 1, lines=["R", "RR"], tiles=box)
        waiting = tiling(start).after
        assert waiting.state.tiling == [1]
        assert waiting.when(1, TileLine(1, 4)).only(ShieldedLineDropped)
        assert waiting.when(1, TileLine(1, 1)).only(LineTiled)

    def test_mc_39_the_disc_is_taken_when_nothing_is_left(self) -> None:
        happened = table(gold={1: "0"}, displays=["BBBB", "WWWW"]).when(1, DraftTiles(1, BLUE, 4))
        happened.then(
            SpecialTilesDrafted(seat=1, source=1, colour=BLUE, taken=4, line=4, next=2, placed=4, took_disc=True)
        )

    def test_mc_26_the_last_pick_may_win_the_disc_and_ends_the_offer(self) -> None:
        happened = table(gold={1: "0"}, displays=["BB"]).when(1, DraftTiles(1, BLUE, 1))
        assert penalties(happened) == [("MC-24", 0)]
        assert happened.after.state.phase == "deal"

    def test_the_picture_shows_disc_and_gap(self) -> None:
        start = table(gold={1: "0", 2: "N"}, displays=["", "BBRK"], holder=2, disc="W")
        rows = ["".join(span.text for span in line) for line in PROJECTION.draw(start.state, ANN)]
        assert rows[2].startswith(" 1 0   → Ben         2 >n<  B  B  K  R ")
        assert "   0   Ben holds the disc of display 1  W " in rows
        assert PROJECTION.view(start.state)["disc"] == {"seat": 2, "holds": "white"}


# ------------------------------------------------------------------------------------------------ the rest of the rules


def test_mc_42_nobody_takes_the_marker() -> None:
    start = table(gold={1: "=", 2: "<>"}, displays=["BK", "NW"], starter=2, turn=2)
    after = start.when(2, spread(2, BROWN, 1, (WHITE, 1))).after
    for seat, draft in ((1, "1B1"), (2, "1K2"), (1, "1W2")):
        after = after.when(seat, read(draft)).after
    assert (after.state.phase, after.state.marker) == ("deal", 0)
    after = after.when(CHANCE, Outcome((3, 4))).after.when(CHANCE, Outcome((6, 7))).after
    assert dealt(after, "BNWKR" * 4).after.state.starter == 2


def test_mc_44_nothing_is_drawn_that_nobody_sees() -> None:
    """Sides are drawn for the displays that are turned, and for no others."""
    for turn in turns(Shape(MASTER_CHOCOLATIER, 3, {"specialFactories": "on"}), 2):
        for event in turn.events:
            if isinstance(event, GoldSidesShown):
                assert len(event.sides) == len(event.places) == 3


def test_mc_45_only_the_setup_of_a_round_reveals() -> None:
    revealing = {kind for kind in MASTER_CHOCOLATIER.events if kind.reveals}
    assert revealing == {StartDrawn, GoldPlacesDrawn, GoldSidesShown, DisplaysFilled, SpecialDisplaysFilled}


def test_az_83_the_game_ends_when_no_praline_is_left_for_a_round() -> None:
    happened = table(gold={1: "0"}, displays=["B"], bag="", lid="").when(1, DraftTiles(1, BLUE, 2))
    assert happened.after.state.phase == "over"
    shielded = table(gold={1: "0"}, displays=["BB"], bag="", lid="").when(1, DraftTiles(1, BLUE, 0))
    assert shielded.after.state.phase == "deal", "the pralines of floor and disc are in the lid for the next round"
    assert shielded.after.state.lid == heap("BB")


# ------------------------------------------------------------------------------------------------------- illegal moves

SPREADING = table(gold={2: "<>", 4: "0"}, displays=["BBBB", "NRRK", "WWWW", "", "KKKK"], holder=2)


@pytest.mark.parametrize(
    "action, code, rule",
    [
        pytest.param(
            spread(2, BROWN, 1, (BLACK, 1), (RED, 1), (RED, 3)), "spread-split", "MC-21", id="one-colour-twice"
        ),
        pytest.param(spread(2, BROWN, 1, (BLACK, 0), (RED, 1)), "spread-target", "MC-21", id="to-the-centre"),
        pytest.param(spread(2, BROWN, 1, (BLACK, 5), (RED, 1)), "spread-target", "MC-21", id="to-no-neighbour"),
        pytest.param(spread(2, BROWN, 1, (BLACK, 4), (RED, 1)), "spread-target", "MC-33", id="to-a-disc-held"),
        pytest.param(spread(2, BROWN, 1, (BLACK, 2), (RED, 1)), "spread-target", "MC-21", id="keeping-them"),
        pytest.param(spread(2, BROWN, 1, (RED, 1)), "spread-missing", "MC-22", id="one-colour-not-spread"),
        pytest.param(DraftTiles(2, BROWN, 1), "spread-missing", "MC-22", id="no-split-given"),
        pytest.param(SpreadTiles(2, BROWN, 1), "spread-missing", "MC-22", id="an-empty-split"),
        pytest.param(spread(2, BROWN, 1, (BLUE, 1), (BLACK, 1)), "spread-colour", "MC-21", id="a-colour-not-there"),
        pytest.param(spread(2, BROWN, 1, (7, 1), (BLACK, 1)), "spread-colour", "MC-21", id="no-such-colour"),
        pytest.param(spread(2, BROWN, 1, (BROWN, 1), (BLACK, 1)), "spread-colour", "MC-21", id="the-colour-taken"),
        pytest.param(spread(2, BROWN, 1, (RED, 1), (BLACK, 1)), "spread-order", "MC-21", id="another-order"),
        pytest.param(spread(1, BLUE, 1, (RED, 2)), "spread-unasked", "MC-21", id="a-display-that-does-not-spread"),
        pytest.param(DraftTiles(4, BLUE, 1), "disc-held", "MC-26", id="a-disc-held-by-a-player"),
    ],
)
def test_illegal_moves(action: DraftTiles, code: str, rule: str) -> None:
    SPREADING.refuses(1, action, f"master-chocolatier/{code}", rule)
    assert action not in legal(SPREADING.state, 1)


@pytest.mark.parametrize("display, name", [(0, "the centre"), (5, "display 5")])
def test_where_leftovers_cannot_go_is_named(display: int, name: str) -> None:
    with pytest.raises(IllegalAction, match=f"go to display 1 or 3, not to {name}"):
        SPREADING.game.rules.decide(SPREADING.state, 1, spread(2, BROWN, 1, (BLACK, display), (RED, 1)))


def test_the_turn_comes_before_everything_else() -> None:
    SPREADING.refuses(2, DraftTiles(4, BLUE, 1), "azul/turn", "AZ-19")
    SPREADING.refuses(2, spread(2, BROWN, 1, (BLACK, 0)), "azul/turn", "AZ-19")
    SPREADING.refuses(CHANCE, spread(2, BROWN, 1, (BLACK, 0)), "azul/actor", "AZ-18")


def test_mc_21_the_centre_does_not_spread() -> None:
    start = table(gold={2: "<>"}, displays=["", "BBBB"], centre="NK")
    start.refuses(1, spread(0, BROWN, 1, (BLACK, 1)), "master-chocolatier/spread-unasked", "MC-21")


def test_mc_24_the_disc_cannot_be_declined() -> None:
    """There is no action without it: the same draft is one action, and it fills the disc before the floor."""
    start = table(gold={1: "0"}, displays=["BBNN", "WWWW"])
    drafts = [a for a in legal(start.state, 1) if isinstance(a, DraftTiles) and (a.source, a.colour) == (1, BLUE)]
    assert [(a.line, a.floor) for a in drafts] == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (0, 0)]
    assert start.when(1, DraftTiles(1, BLUE, 0)).after.state.disc == BLUE


def test_mc_8_no_special_effects_without_the_variant() -> None:
    start = table(displays=["BBBB", "NRRK", "WWWW"])
    start.refuses(1, spread(2, BROWN, 1, (BLACK, 1), (RED, 1)), "master-chocolatier/no-specials", "MC-8")
    start.refuses(2, spread(2, BROWN, 1, (BLACK, 1), (RED, 1)), "azul/turn", "AZ-19")
    assert RULES.request(table(phase="deal").state) is not None
    assert RULES.request(table(phase="deal").state).purpose == "deal"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "phase_sides, outcome, code, rule",
    [
        pytest.param({}, (0, 0), "gold-places-pool", "MC-12", id="a-display-turned-twice"),
        pytest.param({}, (0, 5), "gold-places-pool", "MC-12", id="no-such-display"),
        pytest.param({}, (0, 1, 2), "gold-places-count", "MC-12", id="more-than-players"),
        pytest.param({1: UNTURNED, 2: UNTURNED}, (7, 7), "gold-sides-pool", "MC-13", id="a-side-there-is-once"),
        pytest.param({1: UNTURNED, 2: UNTURNED}, (9, 0), "gold-sides-pool", "MC-13", id="no-such-side"),
        pytest.param({1: UNTURNED, 2: UNTURNED}, (0,), "gold-sides-count", "MC-13", id="a-side-missing"),
    ],
)
def test_impossible_draws(phase_sides: dict[int, int], outcome: tuple[int, ...], code: str, rule: str) -> None:
    start = table(gold={}, phase="deal").with_(
        lambda state: setattr(state, "sides", tuple(phase_sides.get(place, BLUE_SIDE) for place in range(1, 6)))
    )
    start.refuses(CHANCE, Outcome(outcome), f"master-chocolatier/{code}", rule)


# ------------------------------------------------------------------------------------------------------------ notation


class TestNotation:
    """`2N1>K3R1`: brown from display 2 to line 1, leftover black to display 3 and red to display 1."""

    @pytest.mark.parametrize(
        "text", ["2N1>K3R1", "2n1>r1k3", " 2 brown 1 > red 1, black 3 ", "2 N 1 >R1 K3"], ids=lambda text: text.strip()
    )
    def test_lax_to_read_exact_to_write(self, text: str) -> None:
        action = read(text)
        assert action == spread(2, BROWN, 1, (BLACK, 3), (RED, 1))
        assert write(action) == "2N1>K3R1"

    def test_with_a_partial_floor_and_a_wrong_target(self) -> None:
        assert write(read("2N5/1>K3")) == "2N5/1>K3"
        assert read("2N5/1>K3") == SpreadTiles(2, BROWN, 5, 1, (Sent(BLACK, 3),))
        assert write(read("2N5>kC")) == "2N5>KC"

    @pytest.mark.parametrize("text", ["2N1>K", "2N1>3K", "2N1>K3R", "2N1>K3!", "2N1K3", ">K3"])
    def test_malformed(self, text: str) -> None:
        with pytest.raises(Malformed):
            read(text)

    def test_the_draws_of_a_round(self) -> None:
        places = table(gold={}, phase="deal")
        request = RULES.request(places.state)
        assert request is not None
        assert read_outcome("2, 5", places.state, request) == Outcome((1, 4))
        turned = places.when(CHANCE, Outcome((1, 4))).after
        request = RULES.request(turned.state)
        assert request is not None
        assert read_outcome("+1 R", turned.state, request) == Outcome((EXTRA, PULL[RED]))
        assert read_outcome("stay spread", turned.state, request) == read_outcome("= <>", turned.state, request)
        assert read_outcome("shield, pull brown", turned.state, request) == Outcome((8, 2))
        assert [write_outcome(request, Outcome((side,))) for side in range(9)] == list(SIDES)
        with pytest.raises(Malformed, match="gold side"):
            read_outcome("+1 5", turned.state, request)
        with pytest.raises(Malformed, match="nothing more"):
            read_outcome("+1 R R", turned.state, request)
        with pytest.raises(Malformed, match="nothing more"):
            read_outcome("2, 5, 3", places.state, RULES.request(places.state) or request)
        filling = turned.when(CHANCE, Outcome((EXTRA, 7))).after
        request = RULES.request(filling.state)
        assert request is not None
        text = "BNWK BNWK BNWK BNWK BNWK R"
        outcome = read_outcome(text, filling.state, request)
        assert outcome == read_outcome(text.replace(" R", " +R"), filling.state, request)
        assert write_outcome(request, outcome) == text
        assert filling.when(CHANCE, outcome).only(SpecialDisplaysFilled)[0].extra_display == 2

    def test_side_names_and_signs_belong_together(self) -> None:
        assert len(SIDE_NAMES) == len(SIDES) == 9
        assert [SIDE_NAMES[side] for side in PULL] == [
            "pull blue",
            "pull brown",
            "pull white",
            "pull black",
            "pull red",
        ]


# ----------------------------------------------------------------------------------------- rare branches in random play


def branches(turn: Turn) -> Iterable[str]:
    """Which rare branches a decision went through."""
    state: State = turn.state
    for event in turn.events:
        if isinstance(event, SpecialTilesDrafted):
            yield from _draft_branches(state, event)
        if isinstance(event, ShieldedLineDropped):
            yield "the disc filled in Phase B (MC-38)"
        if isinstance(event, TilesDrafted) and event.marker == "beside" and state.disc == NO_COLOUR:
            full = len(state.boards[event.seat - 1].floor) == 7
            yield "marker beside a full floor (AZ-77)" if full else "marker on the disc (MC-35)"
        if isinstance(event, SpecialDisplaysFilled):
            if event.extra_display:
                yield "SF1 drew one more (MC-18)"
            if any(pulled.origin == event.extra_display for pulled in event.pulled):
                yield "SF2 pulled from SF1 (MC-28)"
        if isinstance(event, DisplaysFilled) and len(event.displays[-1]) < 4:
            yield "bag and lid empty (AZ-58)"
            if EXTRA in state.sides:
                yield "SF1 with bag and lid empty (MC-30)"


def _draft_branches(state: State, event: SpecialTilesDrafted) -> Iterable[str]:
    if event.stayed:
        yield "SF3 kept its leftovers (MC-20)"
    if any(not state.sources[sent.display] for sent in event.spread):
        yield "SF4 refilled an emptied display (MC-27)"
    if event.spread and state.gone:
        size = len(state.displays)
        if neighbours(state, event.source) != ((event.source - 2) % size + 1, event.source % size + 1):
            yield "SF4 beside a taken SF5 (MC-33)"
    if state.holder and any(state.sides[sent.display - 1] == SHIELD for sent in event.spread):
        yield "SF4 onto the place of the token (MC-D2)"
    if event.took_disc and event.shielded:
        yield "the disc used by the pick that won it (MC-34)"
    if event.took_disc and len(state.boards[event.seat - 1].floor) == 7:
        yield "the disc won with a full floor (MC-37)"
    if event.shielded == "tile" and event.marker == "floor":
        yield "marker on the floor, praline on the disc (MC-35)"


@pytest.mark.parametrize(
    "seats, seed, options, branch",
    [
        (2, 0, {}, "SF1 drew one more (MC-18)"),
        (2, 0, {}, "SF3 kept its leftovers (MC-20)"),
        (2, 0, {}, "the disc used by the pick that won it (MC-34)"),
        (2, 2, {}, "SF4 refilled an emptied display (MC-27)"),
        (2, 2, {}, "marker on the floor, praline on the disc (MC-35)"),
        (2, 5, {}, "SF2 pulled from SF1 (MC-28)"),
        (2, 12, {}, "SF4 beside a taken SF5 (MC-33)"),
        (2, 1674, {}, "marker beside a full floor (AZ-77)"),
        (3, 22, {}, "the disc won with a full floor (MC-37)"),
        (4, 124, {}, "bag and lid empty (AZ-58)"),
        (4, 124, {}, "SF1 with bag and lid empty (MC-30)"),
        (2, 0, {"sf5AcceptsMarker": "true"}, "marker on the disc (MC-35)"),
        (2, 12, {"sf5Takes": "token"}, "SF4 onto the place of the token (MC-D2)"),
        (4, 34, {"boardSide": "brown"}, "the disc filled in Phase B (MC-38)"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_random_play_comes_by(seats: int, seed: int, options: dict[str, str], branch: str) -> None:
    shape = Shape(MASTER_CHOCOLATIER, seats, {"specialFactories": "on", **options})
    whole = PROJECTION.invariants(shape.initial)
    reached = False
    for turn in turns(shape, seed):
        if branch in branches(turn):
            reached = True
            state = PROJECTION.copy(turn.state)
            for event in turn.events:
                PROJECTION.apply[type(event)](state, event)
                assert PROJECTION.invariants(state) == whole
    assert reached
