"""Coloretto against its rules: setup, turns, special cards, two players (CO-T-8…21) and every illegal move."""

import pytest

from events.coloretto import (
    BonusDrawn,
    CardDrawn,
    CardPlaced,
    CardRevealed,
    ColoursNamed,
    ColoursRemoved,
    GameEnded,
    LastRoundEnded,
    RoundBegun,
    RowRemoved,
    RowTaken,
    StartCardChosen,
    StartCardsDealt,
    StartDrawn,
)
from events.core import CHANCE, Actor
from projections.coloretto.state import KINDS, State
from service.errors import IllegalAction, UsageError
from service.games.coloretto import COLORETTO
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.notation import read
from service.games.coloretto.rules import RULES, ChooseStartCard, DrawCard, PlaceCard, TakeRow, legal
from service.games.core import Action, Outcome, Stage
from service.games.options import read_options
from tests.rules.coloretto_tables import (
    BLUE,
    GOLDEN,
    GREEN,
    JOKER,
    ORANGE,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    counts,
    ended,
    history,
    kinds,
    play,
    plenty,
    request_of,
    set_up,
    table,
)
from tests.scenario import Scenario, given
from tests.shelf import Shape, turns

ALL = tuple(range(7))


# ------------------------------------------------------------------------------------------------ components and setup


@pytest.mark.parametrize("seats", [-1, 0, 1, 6])
def test_co_1_other_seat_counts_are_rejected(seats: int) -> None:
    with pytest.raises(UsageError, match=r"choose from: 2, 3, 4, 5"):
        read_options(RULES, {}, seats)


def test_co_2_and_3_the_cards() -> None:
    assert given(COLORETTO, 4).state.deck == [9] * 7 + [10, 2, 1]
    assert len({name[0] for name in KINDS[:7]}) == 7, "the letters of the colours differ"


@pytest.mark.parametrize(
    "seats, colours, deck, above, below, sizes",
    [
        (2, 5, 54, 38, 16, (1, 2, 3)),
        (3, 6, 64, 48, 16, (3, 3, 3)),
        (4, 7, 72, 56, 16, (3, 3, 3, 3)),
        (5, 7, 71, 55, 16, (3, 3, 3, 3, 3)),
    ],
)
def test_co_18_deck_sizes(seats: int, colours: int, deck: int, above: int, below: int, sizes: tuple[int, ...]) -> None:
    state = set_up(seats).state
    assert (len(state.colours), sum(state.deck), state.above, state.below) == (colours, deck, above, below)
    assert state.capacities == sizes
    assert (state.phase, state.round, state.turn) == ("turn", 1, 1)


def test_co_t_20_three_players_setup() -> None:
    scenario = given(COLORETTO, 3)
    assert request_of(scenario).stages == (Stage((1,) * 7, 1),)
    scenario = scenario.when(CHANCE, Outcome((ORANGE,))).then(ColoursRemoved(colours=(ORANGE,)))
    scenario = scenario.when(CHANCE, Outcome((1,))).then(StartDrawn(seat=2))
    pool = (1, 1, 1, 1, 0, 1, 1)
    assert request_of(scenario).stages == (Stage(pool, 1),)
    scenario = scenario.when(CHANCE, Outcome((RED,))).then(StartCardsDealt(seat=2, colours=(RED,), next=3))
    scenario = scenario.when(CHANCE, Outcome((BLUE,))).then(StartCardsDealt(seat=3, colours=(BLUE,), next=1))
    scenario.refuses(CHANCE, Outcome((RED,)), "coloretto/start-cards-pool", "CO-13")
    scenario = scenario.when(CHANCE, Outcome((WHITE,))).then(
        StartCardsDealt(seat=1, colours=(WHITE,), next=0), RoundBegun(round=1, starter=2)
    )
    state = scenario.state
    assert state.colours == (GREEN, YELLOW, RED, BLUE, PURPLE, WHITE)
    assert state.removed == [0, 0, 0, 0, 9, 0, 0, 0, 0, 0]
    assert [state.deck[colour] for colour in (RED, BLUE, WHITE)] == [8, 8, 8]  # CO-15
    for _ in range(48):
        scenario = scenario.with_(_empty_rows)
        revealed = _draw(scenario)
        assert not revealed.last_round
        scenario = scenario.applied(CardDrawn(seat=2), revealed, CardPlaced(seat=2, row=1, card=revealed.card, next=2))
    assert _draw(scenario.with_(_empty_rows)).last_round, "the last-round card is the 49th from the top"


def _empty_rows(state: State) -> None:
    """Put the placed cards away, to draw on without caring about rows."""
    for row in state.rows:
        for card in row:
            state.removed[card] += 1
        row.clear()
    state.open, state.filled = 0b111, 0


def _draw(scenario: Scenario) -> CardRevealed:
    drawing = scenario.when(scenario.state.turn, DrawCard()).after
    card = kinds(plenty(drawing.state))[0]
    event = drawing.when(CHANCE, Outcome((card,))).events[0]
    assert isinstance(event, CardRevealed)
    return event


class TestTwoPlayersSetup:
    """CO-55 to CO-57: two colours out, two start cards each."""

    def test_two_colours_leave(self) -> None:
        scenario = given(COLORETTO, 2, firstPlayer="seat:2")
        after = scenario.when(CHANCE, Outcome((WHITE, GREEN))).then(ColoursRemoved(colours=(WHITE, GREEN)))
        assert after.state.colours == (YELLOW, RED, BLUE, ORANGE, PURPLE)
        assert sum(after.state.removed) == 18
        scenario.refuses(CHANCE, Outcome((WHITE, WHITE)), "coloretto/removed-pool", "CO-11")
        scenario.refuses(CHANCE, Outcome((WHITE,)), "coloretto/removed-count", "CO-11")

    def test_all_four_start_cards_differ(self) -> None:
        scenario = given(COLORETTO, 2, firstPlayer="seat:2", removedColours="purple,white")
        assert request_of(scenario).purpose == "start cards of seat 2"
        scenario = scenario.when(CHANCE, Outcome((RED, BLUE))).then(
            StartCardsDealt(seat=2, colours=(RED, BLUE), next=1)
        )
        assert request_of(scenario).stages == (Stage((1, 1, 0, 0, 1, 0, 0), 2),)
        scenario.refuses(CHANCE, Outcome((RED, GREEN)), "coloretto/start-cards-pool", "CO-13")

    def test_distinct_per_player_only(self) -> None:
        scenario = given(
            COLORETTO, 2, firstPlayer="seat:1", removedColours="purple,white", twoPlayerStart="distinct-per-player"
        )
        scenario.refuses(CHANCE, Outcome((RED, RED)), "coloretto/start-cards-pool", "CO-13")
        scenario = scenario.when(CHANCE, Outcome((RED, BLUE))).after
        assert request_of(scenario).stages == (Stage((1, 1, 1, 1, 1, 0, 0), 2),)
        assert scenario.when(CHANCE, Outcome((RED, GREEN))).after.state.deck[:3] == [8, 9, 7]


class TestChosenStartCards:
    """CO-14: start cards chosen in seat order from the starting player."""

    def test_in_seat_order(self) -> None:
        scenario = given(COLORETTO, 4, firstPlayer="seat:3", startCards="choose")
        assert COLORETTO.projection.to_act(scenario.state) == (3,)
        assert legal(scenario.state, 3) == [ChooseStartCard(colour) for colour in ALL]
        assert legal(scenario.state, 1) == ()
        scenario.refuses(1, ChooseStartCard(RED), "coloretto/turn", "CO-14")
        scenario.refuses(3, DrawCard(), "coloretto/setup", "CO-13")
        scenario = scenario.when(3, ChooseStartCard(RED)).then(StartCardChosen(seat=3, colour=RED, next=4))
        scenario.refuses(4, ChooseStartCard(RED), "coloretto/start-colour", "CO-13")
        scenario = scenario.when(4, ChooseStartCard(GREEN)).after.when(1, ChooseStartCard(BLUE)).after
        scenario.when(2, ChooseStartCard(WHITE)).then(
            StartCardChosen(seat=2, colour=WHITE, next=0), RoundBegun(round=1, starter=3)
        ).refuses(3, ChooseStartCard(YELLOW), "coloretto/phase", "CO-14")

    @pytest.mark.parametrize("colour, name", [(-1, "Colour -1"), (RED, "Red"), (7, "Colour 7")])
    def test_what_cannot_be_chosen_is_named(self, colour: int, name: str) -> None:
        scenario = given(COLORETTO, 4, firstPlayer="seat:1", startCards="choose").when(1, ChooseStartCard(RED)).after
        with pytest.raises(IllegalAction, match=f"{name} cannot be chosen; choose from: green"):
            RULES.decide(scenario.state, 2, ChooseStartCard(colour))

    @pytest.mark.parametrize("start, may_share", [("all-distinct", False), ("distinct-per-player", True)])
    def test_two_players_choose_two_each(self, start: str, may_share: bool) -> None:
        scenario = given(
            COLORETTO,
            2,
            firstPlayer="seat:1",
            removedColours="green,yellow",
            startCards="choose",
            twoPlayerStart=start,
        )
        scenario.refuses(1, ChooseStartCard(GREEN), "coloretto/start-colour", "CO-57")
        scenario = scenario.when(1, ChooseStartCard(RED)).then(StartCardChosen(seat=1, colour=RED, next=1))
        scenario.refuses(1, ChooseStartCard(RED), "coloretto/start-colour", "CO-57")
        scenario = scenario.when(1, ChooseStartCard(BLUE)).then(StartCardChosen(seat=1, colour=BLUE, next=2))
        assert (ChooseStartCard(RED) in legal(scenario.state, 2)) is may_share
        assert (ChooseStartCard(ORANGE) in legal(scenario.state, 2)) is True

    def test_dealt_ones_are_not_chosen(self) -> None:
        given(COLORETTO, 4, firstPlayer="seat:1").refuses(1, ChooseStartCard(RED), "coloretto/phase", "CO-14")


class TestOptions:
    """The words a table may agree on, and what is said about others."""

    @pytest.mark.parametrize("given_, kept", [("white,green", "green,white"), (" White, GREEN ", "green,white")])
    def test_co_11_an_agreed_list_of_colours(self, given_: str, kept: str) -> None:
        assert read_options(RULES, {"removedColours": given_}, 2)["removedColours"] == kept
        state = given(COLORETTO, 2, removedColours=given_).state
        assert state.colours == (YELLOW, RED, BLUE, ORANGE, PURPLE)
        assert (state.phase, sum(state.deck), state.above) == ("start", 58, 42)

    @pytest.mark.parametrize(
        "seats, value, choices",
        [
            (2, "green", "2 different of green/yellow"),
            (2, "green,green", "2 different of"),
            (2, "green,pink", "2 different of"),
            (2, "", "choose from: random, 2 different of"),
            (2, "<list>", "choose from: random, 2 different of"),
            (3, "green,white", "one of green/yellow"),
            (4, "green", r"at 4 seats; choose from: random\."),
            (5, "none", r"at 5 seats; choose from: random\."),
        ],
    )
    def test_co_11_other_lists_are_refused(self, seats: int, value: str, choices: str) -> None:
        with pytest.raises(UsageError, match=rf"'{value}' is not a value of removedColours.*{choices}") as refusal:
            read_options(RULES, {"removedColours": value}, seats)
        assert refusal.value.code == "match/option-value"

    @pytest.mark.parametrize(
        "name, value",
        [
            ("scoringSide", "grey"),
            ("cardsUnderLastRound", "14"),
            ("goldenJoker", "yes"),
            ("tieBreak", "fewest-cards"),
            ("greenRowCapacities", "3,3,3"),
            ("firstPlayer", "seat:4"),
        ],
    )
    def test_other_values_are_refused(self, name: str, value: str) -> None:
        with pytest.raises(UsageError, match=name):
            read_options(RULES, {name: value}, 3)

    def test_co_d2_without_a_golden_joker_there_are_three_ordinary_ones(self) -> None:
        assert given(COLORETTO, 4, goldenJoker="false").state.deck[JOKER:] == [3, 0]

    def test_co_16_fifteen_cards_under_the_last_round_card(self) -> None:
        state = set_up(5, cardsUnderLastRound="15").state
        assert (state.above, state.below) == (56, 15)

    def test_co_17_by_lot(self) -> None:
        scenario = given(COLORETTO, 5)
        assert request_of(scenario).stages == (Stage((1,) * 5, 1),)
        scenario.refuses(CHANCE, Outcome((5,)), "coloretto/start-pool", "CO-17")
        assert scenario.when(CHANCE, Outcome((4,))).then(StartDrawn(seat=5)).state.turn == 5


# ---------------------------------------------------------------------------------------------------- turns and rounds


def test_co_t_8_the_first_action_of_a_round_is_a_draw() -> None:
    scenario = set_up(4)
    assert legal(scenario.state, 1) == (DrawCard(),)
    for row in range(1, 5):
        scenario.refuses(1, TakeRow(row), "coloretto/row-empty", "CO-28")


def test_co_t_9_every_row_full() -> None:
    scenario = table(3, rows=["GGR", "BB+2", "YJO"], turn=2)
    scenario.refuses(2, DrawCard(), "coloretto/rows-full", "CO-26")
    assert legal(scenario.state, 2) == (TakeRow(1), TakeRow(2), TakeRow(3))
    scenario.when(2, TakeRow(3)).then(RowTaken(seat=2, row=3, cards=(YELLOW, JOKER, ORANGE), next=3))


def test_co_t_10_the_lone_player_goes_on() -> None:
    scenario = table(4, rows=["", "", "", "R"], taken={1: 1, 2: 2, 3: 3}, turn=4)
    scenario = play(scenario, "D:G P4 D:B P4")
    assert scenario.state.turn == 4
    scenario.refuses(4, DrawCard(), "coloretto/rows-full", "CO-26")  # CO-76
    assert legal(scenario.state, 4) == (TakeRow(4),)
    after = scenario.when(4, TakeRow(4)).then(
        RowTaken(seat=4, row=4, cards=(RED, GREEN, BLUE), next=0), RoundBegun(round=4, starter=4)
    )
    assert after.state.holders == [0, 0, 0, 0]
    assert (after.state.open, after.state.filled, after.state.out, after.state.turn) == (0b1111, 0, 0, 4)


def test_co_t_21_turns_skip_who_is_out() -> None:
    scenario = table(3, rows=["", "", "G"], taken={1: 2}, turn=1)
    assert play(scenario, "D:G P2").state.turn == 3
    assert play(scenario, "T3").state.turn == 3


def test_co_27_and_30_a_row_goes_to_the_tableau_and_its_taker_is_out() -> None:
    scenario = table(3, rows=["GG+2", "R"], tableaus=["G", "Y", "R"], turn=2)
    after = scenario.when(2, TakeRow(1)).after
    assert after.state.tableaus[1].cards == counts("YGG+2")
    assert after.state.holders == [2, 0, 0]
    assert after.state.rows[0] == []
    after.refuses(2, TakeRow(2), "coloretto/out", "CO-30")
    after.refuses(3, TakeRow(1), "coloretto/row-taken", "CO-31")


def test_co_34_who_took_last_starts() -> None:
    scenario = set_up(3)
    after, events = history(scenario, "D:G P1 D:R P2 D:B P3 T2 T1 T3")
    assert events[-1] == RoundBegun(round=2, starter=3)
    after, events = history(after, "D:G P1 T1 D:B P2 D:B P2 D:R P3 T3 T2")
    assert events[-1] == RoundBegun(round=3, starter=2)
    assert after.state.turn == 2


def test_co_35_rows_in_the_centre_equal_seats_not_out() -> None:
    for seats in (3, 4, 5):
        for turn in turns(Shape(COLORETTO, seats, {}), 1):
            if turn.state.phase in ("turn", "place"):
                assert turn.state.holders.count(0) == seats - turn.state.out.bit_count()


def test_co_36_a_player_on_turn_always_has_an_action() -> None:
    for seats in (2, 3, 4, 5):
        for turn in turns(Shape(COLORETTO, seats, {"cardsUnderLastRound": "15"}), 2):
            for seat in COLORETTO.projection.to_act(turn.state):
                assert legal(turn.state, seat)


# ------------------------------------------------------------------------------------------------------- special cards


def test_co_t_11_the_last_round_card_drawn_with_a() -> None:
    scenario = table(3, rows=["G"], turn=2, above=0)
    drawing = scenario.when(2, DrawCard()).then(CardDrawn(seat=2))
    assert request_of(drawing).purpose == "card after the last-round card"
    after = drawing.when(CHANCE, Outcome((RED,))).then(CardRevealed(seat=2, card=RED, last_round=True))
    assert after.state.is_last_round
    assert COLORETTO.projection.view(after.state)["last_round"] is True
    assert (after.state.turn, after.state.drawn) == (2, RED)
    after = after.when(2, PlaceCard(2)).then(CardPlaced(seat=2, row=2, card=RED, next=3))
    after, events = history(after, "T1 D:G P2 T2 D:B P3")
    assert not any(event.last_round for event in events if isinstance(event, CardRevealed))
    assert LastRoundEnded() in after.when(1, TakeRow(3)).events


class TestGoldenJoker:
    """CO-40 to CO-43: the bonus card comes with the take, and with nothing else."""

    row = table(4, rows=["J*GR", "B"], turn=1, tableaus=["O", "Y", "G", "R"])

    def test_co_t_12(self) -> None:
        taken = self.row.when(1, TakeRow(1)).then(
            RowTaken(seat=1, row=1, cards=(GOLDEN, GREEN, RED), next=2, bonus=True)
        )
        assert taken.state.tableaus[0].cards == counts("OJ*GR"), "the row comes first (CO-75)"
        assert request_of(taken).purpose == "bonus card"
        after = taken.when(CHANCE, Outcome((BLUE,))).then(BonusDrawn(seat=1, card=BLUE))
        assert after.state.tableaus[0].cards == counts("OJ*GRB")
        assert (after.state.turn, after.state.phase) == (2, "turn")
        after.refuses(1, DrawCard(), "coloretto/out", "CO-30")

    def test_co_42_the_bonus_card_cannot_be_declined(self) -> None:
        taken = self.row.when(1, TakeRow(1)).after
        for seat, action in ((1, DrawCard()), (2, DrawCard()), (1, PlaceCard(2)), (2, TakeRow(2))):
            taken.refuses(seat, action, "coloretto/bonus", "CO-42")
        assert COLORETTO.projection.to_act(taken.state) == ()

    @pytest.mark.parametrize("card", ["G", "+2", "J"])
    def test_co_43_any_card_is_a_bonus_card(self, card: str) -> None:
        assert play(self.row, f"T1:{card}").state.tableaus[0].cards == counts("OJ*GR" + card)

    def test_co_t_13_the_bonus_card_is_the_last_round_card(self) -> None:
        """CO-64."""
        scenario = table(4, rows=["J*GR", "B"], turn=1, above=0, tableaus=["", "Y", "G", "R"])
        taken = scenario.when(1, TakeRow(1)).after
        assert request_of(taken).purpose == "bonus card after the last-round card"
        after = taken.when(CHANCE, Outcome((YELLOW,))).then(BonusDrawn(seat=1, card=YELLOW, last_round=True))
        assert after.state.is_last_round
        assert after.state.tableaus[0].cards == counts("J*GRY")
        assert (after.state.turn, after.state.phase) == (2, "turn")

    def test_co_t_14_and_the_take_ends_the_round(self) -> None:
        """CO-65: the game ends immediately."""
        scenario = table(3, rows=["", "", "J*GR"], taken={1: 1, 2: 2}, turn=3, above=0, tableaus=["GGRB", "Y", ""])
        taken = scenario.when(3, TakeRow(3)).then(
            RowTaken(seat=3, row=3, cards=(GOLDEN, GREEN, RED), next=0, bonus=True)
        )
        after = taken.when(CHANCE, Outcome((YELLOW,))).then(
            BonusDrawn(seat=3, card=YELLOW, last_round=True),
            LastRoundEnded(),
            ColoursNamed(seat=1, colours=(GREEN, RED, BLUE)),
            ColoursNamed(seat=2, colours=(YELLOW,)),
        )
        assert COLORETTO.projection.to_act(after.state) == (3,)

    def test_co_65_without_a_decision_left_chance_ends_the_game(self) -> None:
        scenario = table(
            3,
            rows=["", "", "J*GR"],
            taken={1: 1, 2: 2},
            turn=3,
            above=0,
            tableaus=["G", "Y", "R"],
            finalDecisions="auto-optimal",
        )
        events = scenario.when(3, TakeRow(3)).after.when(CHANCE, Outcome((YELLOW,))).events
        assert isinstance(events[-1], GameEnded)
        assert [place.score for place in events[-1].standings] == [8, 1, 1]

    def test_co_t_15_drawing_and_placing_it_brings_nothing(self) -> None:
        drawn = play(table(4), "D:J*")
        assert COLORETTO.rules.request(drawn.state) is None
        placed = drawn.when(1, PlaceCard(1)).then(CardPlaced(seat=1, row=1, card=GOLDEN, next=2))
        assert COLORETTO.rules.request(placed.state) is None

    def test_co_41_a_row_without_it_brings_nothing(self) -> None:
        assert self.row.when(1, TakeRow(2)).events == [RowTaken(seat=1, row=2, cards=(BLUE,), next=2)]


# --------------------------------------------------------------------------------------------------------- two players


def test_co_t_18_green_rows_hold_1_2_and_3() -> None:
    scenario = table(2, rows=["G", "RR", "BB"], hand="Y")
    scenario.refuses(1, PlaceCard(1), "coloretto/row-full", "CO-59")
    scenario.refuses(1, PlaceCard(2), "coloretto/row-full", "CO-59")
    assert legal(scenario.state, 1) == (PlaceCard(3),)


def test_co_t_19_the_third_row_leaves_with_the_golden_joker_in_it() -> None:
    """CO-60, CO-61."""
    scenario = table(2, rows=["", "R", "GJ*"], taken={1: 1}, turn=2)
    after = scenario.when(2, TakeRow(2)).then(
        RowTaken(seat=2, row=2, cards=(RED,), next=0),
        RowRemoved(row=3, cards=(GREEN, GOLDEN)),
        RoundBegun(round=4, starter=2),
    )
    assert COLORETTO.rules.request(after.state) is None, "nobody gets a bonus card"
    assert after.state.removed[GREEN] == 1
    assert after.state.removed[GOLDEN] == 1
    assert (after.state.rows, after.state.open, after.state.holders) == ([[], [], []], 0b111, [0, 0, 0])


def test_co_61_the_third_row_may_be_empty() -> None:
    scenario = table(2, rows=["", "R", ""], taken={1: 1}, turn=2)
    assert RowRemoved not in map(type, scenario.when(2, TakeRow(2)).events)


def test_co_62_the_lone_player_has_two_rows_to_choose_from() -> None:
    scenario = play(table(2, rows=["", "R", "B"], taken={1: 1}, turn=2), "D:G P2 D:Y P3 D:O P3")
    assert legal(scenario.state, 2) == (TakeRow(2), TakeRow(3))
    scenario.refuses(2, DrawCard(), "coloretto/rows-full", "CO-26")


def test_co_60_the_third_row_leaves_in_the_last_round_too() -> None:
    scenario = table(2, rows=["", "R", "GG"], taken={1: 1}, turn=2, is_last_round=True)
    events = scenario.when(2, TakeRow(2)).events
    assert events[1:3] == [RowRemoved(row=3, cards=(GREEN, GREEN)), LastRoundEnded()]


# ------------------------------------------------------------------------------------------------------- illegal moves

CENTRE = table(3, rows=["GGR", "B", ""], turn=2, taken={})
HOLDING = table(3, rows=["GGR", "B", ""], turn=2, hand="Y")
ONE_OUT = table(3, rows=["", "B", ""], taken={1: 1}, turn=2)
DRAWING = CENTRE.when(2, DrawCard()).after


@pytest.mark.parametrize(
    "scenario, actor, action, code, rule",
    [
        pytest.param(CENTRE, 1, DrawCard(), "turn", "CO-19", id="draw out of turn"),
        pytest.param(CENTRE, 3, TakeRow(1), "turn", "CO-19", id="take out of turn"),
        pytest.param(HOLDING, 1, PlaceCard(2), "turn", "CO-19", id="place another's card"),
        pytest.param(ONE_OUT, 1, DrawCard(), "out", "CO-30", id="draw while out"),
        pytest.param(ONE_OUT, 1, TakeRow(2), "out", "CO-30", id="take a second row"),
        pytest.param(CENTRE, 0, DrawCard(), "actor", "CO-19", id="no such seat"),
        pytest.param(CENTRE, CHANCE, DrawCard(), "actor", "CO-19", id="chance takes no turns"),
        pytest.param(CENTRE, 2, Action(), "action", "CO-19", id="not an action"),
        pytest.param(HOLDING, 2, PlaceCard(1), "row-full", "CO-25", id="place in a full row"),
        pytest.param(play(ONE_OUT, "D:G"), 2, PlaceCard(1), "row-taken", "CO-31", id="place in a taken row"),
        pytest.param(HOLDING, 2, PlaceCard(0), "row", "CO-31", id="place in the tableau"),
        pytest.param(HOLDING, 2, PlaceCard(4), "row", "CO-31", id="place in no row"),
        pytest.param(CENTRE, 2, PlaceCard(2), "no-card", "CO-21", id="place without drawing"),
        pytest.param(CENTRE, 2, TakeRow(3), "row-empty", "CO-28", id="take an empty row"),
        pytest.param(ONE_OUT, 2, TakeRow(1), "row-taken", "CO-31", id="take a taken row"),
        pytest.param(CENTRE, 2, TakeRow(-1), "row", "CO-31", id="take no row"),
        pytest.param(HOLDING, 2, TakeRow(1), "card-in-hand", "CO-23", id="take with a card in hand"),
        pytest.param(HOLDING, 2, DrawCard(), "card-in-hand", "CO-19", id="draw twice"),
        pytest.param(DRAWING, 2, TakeRow(1), "reveal", "CO-21", id="take before the card is shown"),
        pytest.param(DRAWING, CHANCE, Outcome((10,)), "card-pool", "CO-21", id="place the last-round card"),
        pytest.param(DRAWING, CHANCE, Outcome(()), "card-count", "CO-21", id="no card"),
        pytest.param(DRAWING, CHANCE, Outcome((0, 0)), "card-count", "CO-21", id="two cards"),
        pytest.param(DRAWING, CHANCE, Outcome((6,)), "card-pool", "CO-21", id="a card of a colour left out"),
        pytest.param(DRAWING, 2, Outcome((0,)), "actor", "CO-84", id="a seat says what it drew"),
        pytest.param(CENTRE, CHANCE, Outcome((0,)), "card-unasked", "CO-21", id="a card nobody drew"),
        pytest.param(CENTRE, 2, AssignJoker(0), "too-early", "CO-38", id="a joker before the end"),
        pytest.param(CENTRE, 2, NameColours((0, 1, 2)), "too-early", "CO-50", id="plus colours before the end"),
        pytest.param(ended(["GRBY", "G", "G"]), 1, DrawCard(), "last-round-over", "CO-46", id="draw after the end"),
        pytest.param(given(COLORETTO, 3), 1, DrawCard(), "setup", "CO-13", id="draw before the setup"),
    ],
)
def test_illegal_moves(scenario: Scenario, actor: Actor, action: Action, code: str, rule: str) -> None:
    scenario.refuses(actor, action, f"coloretto/{code}", rule)


def test_passing_is_a_word_with_a_refusal() -> None:
    with pytest.raises(IllegalAction) as refusal:
        read("pass")
    assert (refusal.value.code, refusal.value.rule) == ("coloretto/pass", "CO-19")


def test_refusals_quote_the_value_and_the_choices() -> None:
    with pytest.raises(IllegalAction, match=r"Row 1 is full with 3; choose from: rows 2 and 3\."):
        RULES.decide(HOLDING.state, 2, PlaceCard(1))
    with pytest.raises(IllegalAction, match=r"Row 3 holds no card; choose from: rows 1 and 2\."):
        RULES.decide(CENTRE.state, 2, TakeRow(3))
    with pytest.raises(IllegalAction, match=r"There is no row 9 in the centre; choose from: rows 2 and 3\."):
        RULES.decide(ONE_OUT.state, 2, TakeRow(9))
