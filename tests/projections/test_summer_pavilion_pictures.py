"""Summer Pavilion within a room: one board whole and the others in short, or all of them where there is room."""

import pytest

from projections.core import SMALL, Names, Projection, Room, fits
from projections.summer_pavilion import PROJECTION
from projections.summer_pavilion.stars import NUMBERS, STARS
from projections.summer_pavilion.state import State
from projections.summer_pavilion_pad import PROJECTION as PAD
from service.games.summer_pavilion_pad import SUMMER_PAVILION_PAD
from tests.gallery import plain
from tests.rules.summer_pavilion_tables import acquiring, build, heap, placing, star
from tests.scenario import Scenario, given

LONG = Names({1: "Ann", 2: "Benedict the Younger", 3: "Theodora, who never thought of names as short", 4: "山" * 40})
SIDES = tuple(NUMBERS)
EVERY_STAR = " ".join(map(star, STARS))


def shown(projection: Projection, state: object, room: Room, names: Names = LONG) -> list[str]:
    """The picture as text, which must fit."""
    lines = projection.draw(state, names, room)
    assert fits(lines, room), plain(lines)
    return plain(lines).splitlines()


def crowded(seats: int, side: str) -> Scenario:
    """More on a table than there can ever be at once."""

    def arrange(state: State) -> None:
        state.sources = [heap("P" * 12 + "G" * 11 + "OYBR"), *(heap("PGOY") for _ in state.displays)]
        state.phase, state.turn, state.owed, state.marker = "acquire", seats, 3, 0
        state.round, state.wild = 6, 5
        for number, board in enumerate(state.boards, start=1):
            build(state, number, EVERY_STAR)
            board.hand = heap("PGOYBR" * 12)
            board.score, board.passed = 240, number % 2 == 0
            board.corners = heap("PGOY") if board.passed else board.corners

    return placing("", seats=seats, boardSide=side).with_(arrange)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("room", [SMALL, Room(80, 24), Room(100, 30), Room(120, 35)], ids=str)
def test_whatever_lies_on_the_table_fits(seats: int, side: str, room: Room) -> None:
    for looker in range(seats + 1):
        shown(PROJECTION, crowded(seats, side).state, room._replace(seat=looker))
    for phase in ("start", "supply", "deal", "place", "bonus", "over"):
        state = crowded(seats, side).state
        state.phase = phase
        shown(PROJECTION, state, room)


def test_one_board_whole_and_the_others_in_short() -> None:
    def arrange(state: State) -> None:
        build(state, 1, "W.1 W.2 C.1")
        build(state, 2, "NW.1 NW.3")
        build(state, 4, "E.5 E.6 C.6=R")
        state.boards[1].hand = heap("PPPGOYBBR")
        state.marker, state.boards[3].passed, state.boards[3].corners = 4, True, heap("GG")

    table = acquiring("PGOY", "", "BBRR", "", "YYYY", "", "", "", "PPGO", centre="GGGB", seats=4).with_(arrange)
    assert shown(PROJECTION, table.state, SMALL) == [
        "Round 1 · wild  P  · acquiring · Ann to move    bag 132 · tower 0",
        " 1  P  G  O  Y   2  ·            3  B  B  R  R   4  ·            5  Y  Y  Y  Y",
        " 6  ·            7  ·            8  ·            9  P  P  G  O",
        " C 3G 1B   supply 2P 2G 2O 2Y 2B",
        "▶ Ann  5 points                                         Bened…  Theod…  山山…",
        "           +3  o6              r5   +3             pts  5       5       5",
        "           o5  NW  o1   +2 r4  NE  r6                                   starts",
        "           o4      o2      r3      r1              NW   O·O···  ······  ······",
        "            +2 o3              r2   +2             NE   ······  ······  ······",
        "        P           +1  P   +1         b4          E    ······  ······  ····BB",
        "+3 p6   W   P      ·6   C  ·2      b3   E  b5  +3  SE   ······  ······  ······",
        "   p5      p3   +1 ·5      ·3   +1 b2      b6      SW   ······  ······  ······",
        "       p4           +1 ·4   +1         b1          W    ······  ······  ······",
        "            +2 g2              y3   +2             C    ······  ······  ·····R",
        "           g1  SW  g3      y2  SE  y4              hand 3P 1G   ·       2G",
        "           g6      g4   +2 y1      y5                   1O 1Y",
        "           +3  g5              y6   +3                  2B 1R",
        "hand  ·",
        "b3: slot 3, costs 3   bonus tiles: +1 pillar, +2 statue, +3 window, ok complete",
    ]


def test_the_looker_sees_their_own_board() -> None:
    state = acquiring("PGOY", seats=3, turn=2).state
    names = Names({1: "Ann", 2: "Ben", 3: "Cleo"})
    titles = [
        next(line for line in shown(PROJECTION, state, SMALL._replace(seat=seat), names) if "5 points" in line)
        for seat in range(4)
    ]
    assert [title.split() for title in titles] == [
        ["▶", "Ben", "5", "points", "Ann", "Cleo"],
        ["Ann", "5", "points", "▶Ben", "Cleo"],
        ["▶", "Ben", "5", "points", "Ann", "Cleo"],
        ["Cleo", "5", "points", "Ann", "▶Ben"],
    ]


def test_a_board_stays_while_its_supply_is_refilled() -> None:
    def wait(state: State) -> None:
        state.phase, state.turn = "supply", 3

    assert any(
        "Theodora, who never…  5 points" in line
        for line in shown(PROJECTION, placing("", seats=4).with_(wait).state, SMALL)
    )


def boards_whole(lines: list[str]) -> int:
    return sum(line.count("points") for line in lines)


@pytest.mark.parametrize(
    "room, whole", [(SMALL, 1), (Room(80, 24), 1), (Room(100, 35), 4), (Room(120, 35), 4), (Room(80), 4)]
)
def test_more_room_shows_more_boards(room: Room, whole: int) -> None:
    assert boards_whole(shown(PROJECTION, acquiring("PGOY", seats=4).state, room)) == whole
    assert boards_whole(shown(PAD, given(SUMMER_PAVILION_PAD, 4).state, room)) == whole


@pytest.mark.parametrize("seats, height", [(2, 19), (2, 20), (4, 19), (4, 21), (4, 34), (4, 35)])
def test_boards_keep_their_form_from_phase_to_phase(seats: int, height: int) -> None:
    """What is left of the offer must not change how everything else looks."""

    def board(state: State) -> list[str]:
        lines = shown(PROJECTION, state, Room(100, height))
        first = next(number for number, line in enumerate(lines) if "5 points" in line)
        return lines[first + 1 :][:14]

    assert board(acquiring("PGOY", seats=seats).state)[:12] == board(placing("", others="", seats=seats).state)[:12]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("room", [Room(), SMALL])
def test_stars_are_named_and_signs_explained(side: str, room: Room) -> None:
    text = "\n".join(shown(PROJECTION, placing("", boardSide=side, seats=4).state, room))
    assert all(f" {name} " in text for name in STARS)
    assert "+1 pillar, +2 statue, +3 window" in text
    assert ("b3: slot 3, costs 3" if side == "coloured" else "3·1: slot 3, costs 1") in text


@pytest.mark.parametrize("room", [Room(), SMALL])
def test_the_marker_says_who_starts_until_all_is_over(room: Room) -> None:
    def at(seat: int, phase: str) -> list[str]:
        table = acquiring("PGOY", marker=seat, seats=4).with_(lambda state: setattr(state, "phase", phase))
        return [line.strip() for line in shown(PROJECTION, table.state, room) if "starts" in line]

    assert at(0, "acquire")[0].startswith("C  starts")
    assert at(1, "acquire")[0].startswith("▶ Ann  5 points   starts")
    assert len(at(3, "acquire")) == 1
    assert at(0, "over") == at(3, "over") == []


@pytest.mark.parametrize("room", [Room(), SMALL])
def test_nobody_has_passed_when_all_is_over(room: Room) -> None:
    def passed(state: State) -> None:
        for board in state.boards:
            board.passed = True

    table = placing("", seats=4).with_(passed)
    over = table.with_(lambda state: setattr(state, "phase", "over"))
    counted = ["\n".join(shown(PROJECTION, state, room)).count("passed") for state in (table.state, over.state)]
    assert counted == [4, 0]


def test_full_hands_keep_apart() -> None:
    hands = placing("", others="PPPGOYYY", seats=3).state
    assert any(line.endswith("hand 3P 1G 1O    3P 1G 1O") for line in shown(PROJECTION, hands, SMALL))


def test_bonus_tiles_to_choose_are_in_the_heading() -> None:
    def owe(state: State) -> None:
        state.phase, state.owed = "bonus", 3

    heading = shown(PROJECTION, placing("", seats=4).with_(owe).state, SMALL)[0]
    assert heading == "Round 1 · wild  P  · Ann to choose 3 bonus tiles    bag 30 · tower 0"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("side", SIDES)
def test_a_pad_fits(seats: int, side: str) -> None:
    def arrange(state: object) -> None:
        for seat in range(1, seats + 1):
            build(state, seat, EVERY_STAR)  # type: ignore[arg-type]  # a pad has boards too

    state = given(SUMMER_PAVILION_PAD, seats, boardSide=side).with_(arrange).state
    for looker in range(seats + 1):
        shown(PAD, state, SMALL._replace(seat=looker))


@pytest.mark.parametrize("projection", [PROJECTION, PAD])
def test_colours_have_a_key(projection: Projection) -> None:
    key = plain([projection.colour_key(None)])
    assert key == " P  purple   G  green   O  orange   Y  yellow   B  blue   R  red"
