"""Summer Pavilion over whole matches: legal moves by brute force, the digest's invariants, notation and pictures."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from events.core import CHANCE
from events.summer_pavilion import BonusTaken, DisplaysFilled, SupplyFilled, TilePlaced
from projections.core import Names
from projections.story import sentence
from projections.summer_pavilion.stars import STARS
from projections.summer_pavilion.state import State
from projections.tiles import how_many
from service.errors import IllegalAction, UsageError
from service.games.core import Action, Outcome, Request, Stage
from service.games.notation import Malformed
from service.games.options import read_options
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion.actions import AcquireTiles, Pass, PlaceTile, TakeBonus
from service.games.summer_pavilion.notation import read_outcome, write_outcome
from service.play import chance
from service.play.simulate import make_plan, playout
from tests.rules.summer_pavilion_tables import acquiring, colours, drawn, move, placing, star
from tests.shelf import Turn

SIDES = ("coloured", "colourless")
PROJECTION, RULES = SUMMER_PAVILION.projection, SUMMER_PAVILION.rules
each_shape = pytest.mark.parametrize("seats, side", list(product((2, 3, 4), SIDES)))


def eager(seats: int, side: str, seed: int) -> Iterator[Turn]:
    """A match whose seats place as long as they can, cheap spaces first; random seats mostly pass and never get far."""
    state = PROJECTION.initial(seats, read_options(RULES, {"boardSide": side}, seats))
    rng, secret, draws = Random(seed), chance.secret_from_seed(seed), 0
    while True:
        request = RULES.request(state)
        if request is not None:
            actor: int | str = CHANCE
            action: Action = chance.answer(secret, b"", draws, request)
            draws += 1
        else:
            if not PROJECTION.to_act(state):
                return
            actor = PROJECTION.to_act(state)[0]
            legal = RULES.legal(state, actor)
            wanted = sorted((move for move in legal if not isinstance(move, Pass)), key=_cost) or list(legal)
            action = wanted[int(rng.random() ** 2 * len(wanted))]
        events = RULES.decide(state, actor, action)  # type: ignore[arg-type]
        yield Turn(state, actor, action, events)  # type: ignore[arg-type]
        for event in events:
            PROJECTION.apply[type(event)](state, event)


def _cost(action: Action) -> int:
    return action.own + action.wild if isinstance(action, PlaceTile) else 0


# -------------------------------------------------------------------------------------------------------- what is legal


@cache
def _every_action() -> tuple[Action, ...]:
    """Whatever could be asked for, sensible or not."""
    multisets = [tiles for size in range(6) for tiles in combinations_with_replacement(range(6), size)]
    return (
        *(AcquireTiles(source, colour) for source, colour in product(range(11), range(7))),
        *(
            PlaceTile(star_, slot, colour, own, wild)
            for star_, slot, colour, own, wild in product(range(8), range(8), range(6), range(8), range(-1, 7))
        ),
        *(Pass(tiles) for tiles in multisets),
        *(TakeBonus(tiles) for tiles in multisets),
    )


@pytest.mark.parametrize("side", SIDES)
def test_legal_is_what_decide_accepts_of_everything_there_is(side: str) -> None:
    checked = Counter[str]()
    rng = Random(side)
    for turn in (turn for seed in range(3) for turn in eager(2, side, seed)):
        state, seat = turn.state, turn.actor
        if isinstance(seat, int) and rng.random() < (0.5 if state.phase == "bonus" else 0.02):
            accepted = {action for action in _every_action() if _accepts(state, seat, action)}
            legal = RULES.legal(state, seat)
            assert set(legal) == accepted
            assert len(legal) == len(accepted)
            checked[state.phase] += 1
    assert min(checked[phase] for phase in ("acquire", "place", "bonus")) >= 2


def _accepts(state: State, seat: int, action: Action) -> bool:
    try:
        RULES.decide(state, seat, action)
    except IllegalAction:
        return False
    return True


def test_passes_are_every_multiset_of_at_most_four() -> None:
    table = placing("GGGGGGRB")
    kept = sorted(action.kept for action in RULES.legal(table.state, 1) if isinstance(action, Pass))
    expected = {
        tiles
        for size in range(5)
        for tiles in combinations_with_replacement(colours("GBR"), size)
        if tiles.count(4) <= 1 and tiles.count(5) <= 1
    }
    assert kept == sorted(expected)


# ----------------------------------------------------------------------------------------------------------- invariants


@each_shape
def test_invariants_of_the_digest(seats: int, side: str) -> None:
    for seed in range(3):
        features: set[tuple[int, str]] = set()
        rounds = 0
        for turn in eager(seats, side, seed):
            state = PROJECTION.copy(turn.state)
            for event in turn.events:
                hands = [how_many(board.hand) for board in state.boards]
                was_placing = state.phase in ("place", "bonus")
                PROJECTION.apply[type(event)](state, event)
                assert how_many(state.supply) <= 10
                if state.round:
                    assert min(PROJECTION.scores(state)) >= 1  # SP-28
                for seat, board in enumerate(state.boards, start=1):
                    assert how_many(board.corners) <= 4
                    assert board.passed or not board.corners
                    if was_placing and not isinstance(event, DisplaysFilled):
                        grew = how_many(board.hand) > hands[seat - 1]
                        assert not grew or (isinstance(event, BonusTaken) and event.seat == seat)
                if isinstance(event, TilePlaced):
                    for feature in event.features:
                        assert (event.seat, feature) not in features  # SP-54
                        features.add((event.seat, feature))
                    assert event.owed + event.forfeited <= 3  # SP-57
                if isinstance(event, DisplaysFilled):
                    rounds += 1
                    assert event.round == rounds
                    assert state.wild == rounds - 1  # T1
        assert rounds == 6  # SP-18
        assert features


@each_shape
def test_supply_is_full_at_every_turn_while_tiles_last(seats: int, side: str) -> None:
    for turn in eager(seats, side, 9):
        if turn.state.phase in ("acquire", "place"):
            assert how_many(turn.state.supply) == 10 or how_many(turn.state.bag) + how_many(turn.state.tower) == 0


def test_two_seats_can_never_run_short() -> None:
    """At most 84 tiles on boards, 8 kept and 10 in the supply leave 30 for 20 display spaces."""
    for seed in range(6):
        for turn in eager(2, "coloured", seed):
            for event in turn.events:
                if isinstance(event, DisplaysFilled):
                    assert all(len(tiles) == 4 for tiles in event.displays)


def test_sp_64_four_greedy_seats_do_run_short() -> None:
    plan = make_plan("summer-pavilion", 4, {}, ["greedy"], 0)
    short = [
        [len(tiles) for tiles in event.displays]
        for seed in range(10)
        for step in playout(SUMMER_PAVILION, plan, seed).steps
        for _, event in step
        if isinstance(event, DisplaysFilled) and not all(len(tiles) == 4 for tiles in event.displays)
    ]
    assert short
    assert all(sizes == sorted(sizes, reverse=True) for sizes in short)  # SP-R4


def test_two_features_at_once_and_the_tower_poured_for_the_supply_happen_in_play() -> None:
    events = [event for seed in range(12) for turn in eager(4, "colourless", seed) for event in turn.events]
    assert any(isinstance(event, TilePlaced) and len(event.features) == 2 for event in events)
    assert any(isinstance(event, SupplyFilled) and event.poured for event in events)


def test_a_perfect_board_is_worth_304_points() -> None:
    """The digest's ceiling: 5 to start, 21 for filling each star slot by slot, 152 at the end."""
    total = 5
    for name in STARS:
        for slot in range(1, 7):
            hand = "PPPPPPGGGGGGOOOOOOYYYYYYBBBBBBRRRRRR"
            before = star(name, slots="123456"[: slot - 1]) if slot > 1 else ""
            offered = RULES.legal(placing(hand, before, round_=6).state, 1)
            action = next(
                action
                for action in offered
                if isinstance(action, PlaceTile) and (STARS[action.star], action.slot) == (name, slot)
            )
            (event, *_) = placing(hand, before, round_=6).when(1, action).events
            total += event.scores[0].applied
    full = placing("", " ".join(map(star, STARS)), others="R", round_=6)
    full = full.with_(lambda state: setattr(state, "turn", 2))
    ended = full.when(2, move("pass")).events[-1]
    assert total + sum(line.applied for line in ended.scores) == 304


# ------------------------------------------------------------------------------------------------------------- notation


@pytest.mark.parametrize(
    "text, same",
    [
        ("2 blue", "2B"),
        ("centre red", "CR"),
        ("center R", "CR"),
        ("3B + 3 @ E.6", "3B+3@E6"),
        ("3 blue + 3 wild @ blue 6", "3B+3@E6"),
        ("1g+3@g4", "1G+3@SW4"),
        ("2R @ centre 2", "2R@C2"),
        ("+ red purple P", "+PPR"),
        ("pass keep 4G", "pass GGGG"),
        ("PASS R, 2G", "pass GGR"),
        ("first 2", "FIRST2"),
    ],
)
def test_moves_are_read_laxly(text: str, same: str) -> None:
    assert move(text) == move(same)


@pytest.mark.parametrize("text, meaning", SUMMER_PAVILION.notation.examples)
def test_examples_are_written_as_they_read(text: str, meaning: str) -> None:
    assert SUMMER_PAVILION.notation.write(move(text)) == text
    assert meaning


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", "a display (1–9) or C"),
        ("2", "a colour (P purple"),
        ("2B3", "nothing more"),
        ("B@E6", "how many tiles of the placed colour"),
        ("3B+@E6", "how many wild tiles"),
        ("3B 3@E6", "@ and a space"),
        ("3B@X6", "a star (NW, NE, E, SE, SW, W, C)"),
        ("3B@E7", "a slot (1–6)"),
        ("pass 4", "a colour"),
        ("+X", "a colour"),
        ("first", "the number of the seat"),
    ],
)
def test_malformed_moves_say_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(Malformed) as refusal:
        move(text)
    assert expected in refusal.value.message


def test_outcomes_of_a_real_table() -> None:
    setup = acquiring(seats=2).with_(lambda state: setattr(state, "phase", "deal"))
    request = RULES.request(setup.state)
    assert request is not None
    tiles = "PGOY BRPG OYBR PPPP GGGG"
    assert read_outcome(tiles.lower().replace(" ", " | "), setup.state, request) == drawn(tiles)
    assert write_outcome(request, drawn(tiles)) == tiles
    with pytest.raises(UsageError, match="needs 5, such as PGOY"):
        read_outcome("PGOY BRPG", setup.state, request)
    with pytest.raises(Malformed, match="display 2 takes 4 tiles"):
        read_outcome("PGOY BRPGG OYBR PPPP GGGG", setup.state, request)
    short = Request("deal", (Stage((3, 3, 0, 0, 0, 0), 6),))
    assert read_outcome("PPPG GG", setup.state, short) == drawn("PPPGGG")
    with pytest.raises(Malformed, match="display 2 takes 2 tiles"):
        read_outcome("PPPG GGG", setup.state, short)


def test_outcomes_for_the_supply_and_for_no_tile_at_all() -> None:
    waiting = placing("BBBBBB", "E.5").when(1, move("6B@E6")).after.when(1, move("+PPG")).after
    request = RULES.request(waiting.state)
    assert request is not None
    assert read_outcome("P G, O", waiting.state, request) == drawn("PGO")
    assert write_outcome(request, drawn("PGO")) == "PGO"
    empty = waiting.with_(_emptied)
    request = RULES.request(empty.state)
    assert request is not None
    assert write_outcome(request, Outcome(drawn=())) == "-"
    assert read_outcome("-", empty.state, request) == read_outcome("", empty.state, request) == Outcome(drawn=())


def _emptied(state: State) -> None:
    state.phase, state.bag, state.tower = "deal", 0, 0


# --------------------------------------------------------------------------------------------------- words and pictures


def test_the_greedy_bot_counts_one_wild_tile_and_all_of_the_colour() -> None:
    """Whatever is wild there, one comes along; where nothing else is left, one is all."""
    estimate = SUMMER_PAVILION.estimate
    mixed, wild = acquiring("PPGG").state, acquiring("PPPP").state
    assert estimate(wild, 1, move("1P")) < estimate(mixed, 1, move("1G"))
    assert estimate(wild, 1, move("1P")) == estimate(acquiring("P").state, 1, move("1P"))
    gain = estimate(mixed, 1, move("1G")) - estimate(wild, 1, move("1P"))
    assert gain == pytest.approx(2 * (estimate(acquiring("G").state, 1, move("1G"))))


def test_the_story_tells_what_was_forfeited() -> None:
    placed, taken = placing("BBBBBB", "E.5", supply="RR", bag="", tower="").when(1, move("6B@E6")).events
    names = Names({1: "Ann"})
    assert sentence(PROJECTION, placed, names) == (
        "Ann placed blue on E.6 for 6 blue: +2 for a group of 2 on star E (5-6); "
        "window-E completed, 2 bonus tiles due and 1 forfeited, the supply is too small."
    )
    assert sentence(PROJECTION, taken, names) == "Ann took RR from the supply."
    (placed,) = placing("BBBBBBB", "E.5", supply="", bag="", tower="").when(1, move("6B@E6")).events
    assert sentence(PROJECTION, placed, names).endswith("; window-E completed, 3 forfeited, the supply is too small.")


def test_the_story_tells_a_group_round_the_corner() -> None:
    (event,) = placing("PPPBBB", "E.1 E.2").when(1, move("3B+3@E6")).events
    assert sentence(PROJECTION, event, Names()) == (
        "Seat 1 placed blue on E.6 for 3 blue and 3 wild: +3 for a group of 3 on star E (6-1-2)."
    )


def test_the_story_tells_a_floored_loss() -> None:
    (event,) = acquiring("RRRR", centre="BBBBBBPP", score=3).when(1, move("CB")).events
    assert sentence(PROJECTION, event, Names()) == (
        "Seat 1 took 6 blue, a wild tile and the start-player marker from the centre: "
        "−2 (of −7, the score stops there) for 7 tiles taken with the marker."
    )


@pytest.mark.parametrize("side", SIDES)
def test_the_picture_shows_every_space_and_feature_once(side: str) -> None:
    state = placing("GG", "W.5 W.6" if side == "coloured" else "W.5=R W.6=R", boardSide=side).state
    spans = [span for line in PROJECTION.draw(state, Names({1: "Ann", 2: "Bob"})) for span in line]
    printed = Counter(span.text.strip() for span in spans)
    assert [printed[f"+{reward}"] for reward in (1, 2, 3)] == [12, 12, 11]
    assert printed["ok"] == 1
    if side == "coloured":
        assert [printed[f"b{number}"] for number in range(1, 7)] == [2] * 6
        assert printed["p5"] == printed["p6"] == 1
        assert Counter(span.style for span in spans)["print.purple"] == 10
    else:
        assert printed["3·1"] == 12  # slot 3 costs 1 on the outer stars of both boards
        assert printed["3·3"] == 2  # and 3 in the middle


def test_the_picture_is_the_board_turned_right_way_up() -> None:
    """Orange and red on top, 5 and 6 outside, 2 and 3 towards the centre star, every star around its name."""
    rows = ["".join(span.text for span in line) for line in PROJECTION.draw(placing("GG").state, Names())]
    board = [row[:49].rstrip() for row in rows[7:21]]
    assert board == [
        "           +3  o6              r5   +3",
        "           o5  NW  o1   +2 r4  NE  r6",
        "           o4      o2      r3      r1",
        "               o3              r2",
        "            +2      +1      +1      +2",
        "       p1              ·1              b4",
        "+3 p6   W  p2      ·6   C  ·2      b3   E  b5  +3",
        "   p5      p3   +1 ·5      ·3   +1 b2      b6",
        "       p4              ·4              b1",
        "            +2      +1      +1      +2",
        "               g2              y3",
        "           g1  SW  g3      y2  SE  y4",
        "           g6      g4   +2 y1      y5",
        "           +3  g5              y6   +3",
    ]


def test_the_view_shows_no_colours_of_bag_and_tower() -> None:
    shown = PROJECTION.view(placing("GG", bag="PP", tower="R").state)
    assert (shown["bag"], shown["tower"]) == (2, 1)
    assert (shown["wild"], shown["boards"][0]["hand"]) == ("purple", ["green", "green"])
