"""The end of Coloretto: the rulebook's example (CO-EX), the constructed tableaus (CO-T-1…7), every end decision."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from events.coloretto import (
    ColoursNamed,
    GameEnded,
    JokerAssigned,
)
from events.core import Event, Standing
from projections.coloretto.state import Options
from projections.coloretto.worth import Decisions, optimal, points, score
from service.errors import IllegalAction
from service.games.coloretto import COLORETTO
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.rules import RULES, DrawCard, TakeRow, legal
from service.games.core import Outcome
from service.play.simulate import make_plan, playout
from tests.rules.coloretto_tables import (
    BLUE,
    EVA,
    GREEN,
    JOKER,
    ORANGE,
    PLUS_TWO,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    counts,
    ended,
    table,
)
from tests.scenario import Scenario
from tests.shelf import Shape, turns

ALL = tuple(range(7))
BROWN = Options(False, False, False, False, False)
VIOLET = Options(True, False, False, False, False)
HELD = Options(True, False, False, True, False)


def lines(events: Sequence[Event], seat: int = 1) -> list[tuple[str, str, int]]:
    """Rule, wording and points of a seat's lines at the end."""
    ending = events[-1]
    assert isinstance(ending, GameEnded)
    reasons = COLORETTO.projection.reasons
    return [(x.rule, reasons[x.reason](x.operands), x.applied) for x in ending.scores if x.seat == seat]


@pytest.mark.parametrize(
    "options, values",
    [
        pytest.param(BROWN, [0, 1, 3, 6, 10, 15, 21, 21, 21, 21], id="CO-EX-2-brown"),
        pytest.param(VIOLET, [0, 1, 4, 8, 7, 6, 5, 5, 5, 5], id="CO-EX-2-violet"),
    ],
)
def test_co_ex_2_table_values(options: Options, values: list[int]) -> None:
    assert [points(options, cards) for cards in range(10)] == values


def test_co_ex_1_eva_through_the_rules() -> None:
    scenario = ended([EVA.replace("+2", ""), "G", "R"])  # seat 3 takes the "+2" of the last row
    scenario = scenario.with_(lambda state: state.tableaus[0].cards.__setitem__(PLUS_TWO, 1))
    scenario = scenario.when(1, AssignJoker(YELLOW)).then(JokerAssigned(seat=1, colour=YELLOW))
    happened = scenario.when(1, NameColours((GREEN, YELLOW, RED)))
    assert happened.events[0] == ColoursNamed(seat=1, colours=(GREEN, YELLOW, RED))
    assert lines(happened.events) == [
        ("CO-50", "6 green, counting plus", 21),
        ("CO-50", "5 yellow with 1 joker, counting plus", 15),
        ("CO-50", "3 red, counting plus", 6),
        ("CO-51", "2 blue, counting minus", -3),
        ("CO-52", '"+2" card 1 of 1', 2),
    ]
    assert COLORETTO.projection.scores(happened.after.state) == (41, 1, 3)
    assert happened.only(GameEnded)[0].standings == (Standing(1, 1, 41), Standing(3, 2, 3), Standing(2, 3, 1))


def test_co_ex_1b_eva_at_her_best() -> None:
    assert optimal(BROWN, counts(EVA), ALL) == Decisions((YELLOW,), (GREEN, YELLOW, RED), 41)
    best = {colour: max(score(BROWN, counts(EVA), (colour,), plus) for plus in combinations(ALL, 3)) for colour in ALL}
    assert best == {YELLOW: 41, RED: 40, GREEN: 36, ORANGE: 35, PURPLE: 35, WHITE: 35, BLUE: 33}


@pytest.mark.parametrize(
    "options, cards, expected",
    [
        pytest.param(VIOLET, EVA, Decisions((BLUE,), (YELLOW, RED, BLUE), 20), id="CO-T-1"),
        pytest.param(VIOLET, "RRR BBB J", Decisions((GREEN,), (GREEN, RED, BLUE), 17), id="CO-T-2-in-play"),
        pytest.param(HELD, "RRR BBB J", Decisions((RED,), (RED, BLUE), 15), id="CO-T-2-held"),
        pytest.param(BROWN, "GYRBOPW", Decisions((), (GREEN, YELLOW, RED), -1), id="CO-T-3"),
        pytest.param(HELD, "GGGGGGGGG JJJ*", Decisions((GREEN,) * 3, (GREEN,), 5), id="twelve-of-a-colour"),
        pytest.param(HELD, "J", Decisions((GREEN,), (GREEN,), 1), id="CO-69-nothing-held"),
        pytest.param(BROWN, "GGGGGGGGG", Decisions((), (GREEN,), 21), id="CO-T-4-brown"),
        pytest.param(VIOLET, "GGGGGGGGG", Decisions((), (GREEN,), 5), id="CO-T-4-violet"),
        pytest.param(BROWN, "GGGGG YYYYY RR B JJ", Decisions((GREEN, YELLOW), (GREEN, YELLOW, RED), 44), id="CO-T-5"),
        pytest.param(
            BROWN,
            "GGGG YYYY RRRR B JJJ* +2+2",
            Decisions((GREEN, GREEN, YELLOW), (GREEN, YELLOW, RED), 49),
            id="CO-T-6",
        ),
        pytest.param(BROWN, "+2+2+2", Decisions((), (), 6), id="CO-T-7"),
        pytest.param(
            VIOLET, "GGG YYY RRR BBB J", Decisions((GREEN,), (YELLOW, RED, BLUE), 17), id="violet-joker-on-minus"
        ),
    ],
)
def test_optimal(options: Options, cards: str, expected: Decisions) -> None:
    best = optimal(options, counts(cards), ALL)
    assert best == expected
    assert score(options, counts(cards), best.jokers, best.plus) == best.total


def test_optimal_is_the_best_of_all_decisions() -> None:
    """CO-72, against every assignment and every naming, one by one; of equals the first in order of colours."""
    rng = Random(72)
    for number in range(60):
        options = (BROWN, VIOLET, HELD)[number % 3]
        cards = [rng.choice((0, 0, 1, 2, 3, 4, 6)) for _ in ALL] + [rng.randrange(3), rng.randrange(3), 0]
        cards[rng.randrange(7)] += 1
        colours = sorted({*rng.sample(ALL, 5), *(colour for colour in ALL if cards[colour])})
        scope = [colour for colour in colours if cards[colour]] if options is HELD else colours
        every = [
            Decisions(jokers, plus, score(options, cards, jokers, plus))
            for jokers in combinations_with_replacement(scope, cards[JOKER])
            for plus in _namings([colour for colour in colours if cards[colour] or colour in jokers])
        ]
        assert optimal(options, cards, colours) == max(every, key=lambda decisions: decisions.total)


def _namings(held: list[int]) -> list[tuple[int, ...]]:
    return list(combinations(held, min(3, len(held))))


class TestEndDecisions:
    """CO-47 to CO-51 and CO-69 to CO-72: who decides what, and what cannot be decided."""

    start = ended(["GGRRBBYY JJ", "GRBY", "GG"], removedColours="white")

    def test_seats_decide_in_any_order(self) -> None:
        assert COLORETTO.projection.to_act(self.start.state) == (1, 2), "seat 3 has nothing to choose (CO-50)"
        second = self.start.when(2, NameColours((GREEN, YELLOW, RED))).after
        assert COLORETTO.projection.to_act(second.state) == (1,)
        first = self.start.when(1, AssignJoker(RED)).after
        assert COLORETTO.projection.to_act(first.state) == (1, 2)

    def test_co_39_jokers_may_get_different_colours(self) -> None:
        scenario = self.start.when(1, AssignJoker(RED)).after.when(1, AssignJoker(BLUE)).after
        assert scenario.state.tableaus[0].assigned == [0, 0, 1, 1, 0, 0, 0]
        scenario.refuses(1, AssignJoker(RED), "coloretto/no-joker", "CO-47")
        assert len(legal(scenario.state, 1)) == 4

    def test_co_69_in_play(self) -> None:
        assert legal(self.start.state, 1) == [AssignJoker(colour) for colour in range(6)]
        assert self.start.when(1, AssignJoker(ORANGE)).events == [JokerAssigned(seat=1, colour=ORANGE)]
        self.start.refuses(1, AssignJoker(WHITE), "coloretto/colour-removed", "CO-69")
        self.start.refuses(1, AssignJoker(7), "coloretto/colour", "CO-3")

    def test_co_69_held(self) -> None:
        start = ended(["GGRRBBYY JJ", "GRBY", "GG"], jokerScope="held")
        assert legal(start.state, 1) == [AssignJoker(colour) for colour in range(4)]
        start.refuses(1, AssignJoker(ORANGE), "coloretto/colour-not-held", "CO-69")

    @pytest.mark.parametrize(
        "colour, why", [(ORANGE, "orange, seat 1 holds none; choose"), (WHITE, "white, it is not in this game; choose")]
    )
    def test_co_69_what_a_joker_cannot_become_and_why(self, colour: int, why: str) -> None:
        start = ended(["GGRRBBYY JJ", "GRBY", "GG"], jokerScope="held")
        with pytest.raises(IllegalAction, match=f"A joker cannot become {why} from: green"):
            RULES.decide(start.state, 1, AssignJoker(colour))

    def test_co_69_held_with_nothing_held(self) -> None:
        start = ended(["JJ", "GRBY", "GG"], jokerScope="held")
        assert legal(start.state, 1) == [AssignJoker(colour) for colour in range(6)]
        one = start.when(1, AssignJoker(ORANGE)).after
        assert legal(one.state, 1) == [AssignJoker(ORANGE)], "now there is something held"

    def test_co_70_no_joker_is_left_without_a_colour(self) -> None:
        self.start.refuses(1, NameColours((GREEN, YELLOW, RED)), "coloretto/joker-left", "CO-70")

    @pytest.mark.parametrize(
        "colours, code, rule",
        [
            ((), "plus-count", "CO-71"),
            ((GREEN, RED), "plus-count", "CO-71"),
            ((GREEN, YELLOW, RED, BLUE), "plus-count", "CO-71"),
            ((GREEN, YELLOW, ORANGE), "plus-not-held", "CO-50"),
            ((GREEN, YELLOW, 9), "plus-not-held", "CO-50"),
            ((GREEN, YELLOW, -1), "plus-not-held", "CO-50"),
            ((GREEN, GREEN, RED), "plus-order", "CO-50"),
            ((RED, GREEN, YELLOW), "plus-order", "CO-50"),
        ],
    )
    def test_co_71_three_colours_are_named(self, colours: tuple[int, ...], code: str, rule: str) -> None:
        self.start.refuses(2, NameColours(colours), f"coloretto/{code}", rule)

    @pytest.mark.parametrize("colour, name", [(-1, "colour -1"), (ORANGE, "orange"), (7, "colour 7")])
    def test_what_is_not_held_is_named(self, colour: int, name: str) -> None:
        with pytest.raises(IllegalAction, match=f"Seat 2 holds no {name}; choose from: green"):
            RULES.decide(self.start.state, 2, NameColours((GREEN, YELLOW, colour)))

    def test_co_50_with_three_colours_or_fewer_all_count_plus(self) -> None:
        start = ended(["GR J", "G", "R"])
        happened = start.when(1, AssignJoker(BLUE))
        assert happened.events[:2] == [
            JokerAssigned(seat=1, colour=BLUE),
            ColoursNamed(seat=1, colours=(GREEN, RED, BLUE)),
        ]
        assert isinstance(happened.events[-1], GameEnded)

    def test_a_decision_is_made_once(self) -> None:
        decided = self.start.when(2, NameColours((GREEN, YELLOW, RED))).after
        decided.refuses(2, NameColours((GREEN, YELLOW, BLUE)), "coloretto/decided", "CO-47")
        decided.refuses(3, AssignJoker(RED), "coloretto/decided", "CO-47")

    def test_the_last_decision_ends_the_game_for_good(self) -> None:
        over = play_out(self.start)
        for action in (DrawCard(), TakeRow(1), AssignJoker(RED), NameColours((0, 1, 2)), Outcome((0,))):
            over.refuses(1, action, "coloretto/over", "CO-54")

    def test_co_72_auto_optimal_asks_nobody(self) -> None:
        last = table(
            3,
            rows=["", "", "+2"],
            taken={1: 1, 2: 2},
            turn=3,
            tableaus=["GGGYYYRRRBBBJ", EVA, "GYRBOP"],
            is_last_round=True,
            scoringSide="violet",
            finalDecisions="auto-optimal",
        )
        events = last.when(3, TakeRow(3)).events
        assert events[2:-1] == [
            JokerAssigned(seat=1, colour=GREEN),
            ColoursNamed(seat=1, colours=(YELLOW, RED, BLUE)),
            JokerAssigned(seat=2, colour=BLUE),
            ColoursNamed(seat=2, colours=(YELLOW, RED, BLUE)),
            ColoursNamed(seat=3, colours=(GREEN, YELLOW, RED)),
        ]
        assert lines(events, 1)[0] == ("CO-51", "4 green with 1 joker, counting minus", -7), "a joker on a minus colour"
        assert lines(events, 3)[-2:] == [("CO-51", "1 purple, counting minus", -1), ("CO-52", '"+2" card 1 of 1', 2)]
        assert [(place.seat, place.score) for place in events[-1].standings] == [(2, 20), (1, 17), (3, 2)]

    def test_auto_optimal_is_never_worse_than_choosing(self) -> None:
        for seed in range(5):
            mine = playout(COLORETTO, make_plan("coloretto", 3, {}, ["random"], 0), seed).state
            auto = make_plan("coloretto", 3, {"finalDecisions": "auto-optimal"}, ["random"], 0)
            best = playout(COLORETTO, auto, seed).state
            assert [tableau.cards for tableau in best.tableaus] == [tableau.cards for tableau in mine.tableaus]
            for own, optimum in zip(mine.tableaus, best.tableaus, strict=True):
                assert own.score <= optimum.score

    def test_co_53_totals_may_be_negative(self) -> None:
        last = table(
            4,
            rows=["", "", "", "G"],
            taken={1: 1, 2: 2, 3: 3},
            turn=4,
            tableaus=["GYRBOPW", "G", "G", "G"],
            is_last_round=True,
            finalDecisions="auto-optimal",
        )
        events = last.when(4, TakeRow(4)).events
        assert events[-1].standings[-1] == Standing(seat=1, rank=4, score=-1)
        assert sum(points for *_, points in lines(events, 1)) == -1

    def test_co_73_a_tie_is_shared(self) -> None:
        standings = play_out(ended(["GGG", "RRR", "B"])).state.standings
        assert [(place.seat, place.rank, place.score) for place in standings] == [(1, 1, 6), (2, 1, 6), (3, 3, 3)]

    def test_nothing_is_scored_before_the_end(self) -> None:
        for turn in turns(Shape(COLORETTO, 4, {}), 3):
            assert COLORETTO.projection.scores(turn.state) == (0, 0, 0, 0)
            assert {place.rank for place in RULES.rank(turn.state)} == {1}


def play_out(scenario: Scenario) -> Scenario:
    """The first decision open to anybody, until there is none."""
    while seats := COLORETTO.projection.to_act(scenario.state):
        scenario = scenario.when(seats[0], legal(scenario.state, seats[0])[0]).after
    return scenario
