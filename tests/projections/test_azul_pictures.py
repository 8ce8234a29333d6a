"""Azul and its relatives within a room: one board whole and the others in short, or all whole where there is room."""

import pytest

from projections.azul import PROJECTION
from projections.azul.picture import draw_board
from projections.azul.state import State
from projections.azul_pad import CHOCOLATIER_PROJECTION
from projections.azul_pad import PROJECTION as PAD
from projections.core import SMALL, Names, Projection, Room, fits
from projections.master_chocolatier import PROJECTION as CHOCOLATIER
from service.games.azul_pad import AZUL_PAD
from tests.gallery import plain
from tests.rules import master_chocolatier_tables as chocolatier
from tests.rules.azul_tables import lay, table
from tests.scenario import Scenario, given
from tests.shelf import LONG_NAMES

PEOPLE = Names({1: "Ann", 2: "Ben", 3: "Cleo", 4: "Theodora of Wherever"})
ROOMS = [SMALL, Room(100, 19), Room(120, 35), Room(200, 50)]
DEALT = ["BBYR", "YYRK", "KKWW", "BYRK", "WWWW", "BRKW", "YYYY", "RRKK", "BWBW"]


def shown(projection: Projection, state: object, room: Room, names: Names = PEOPLE) -> list[str]:
    """The picture as text, which must fit."""
    lines = projection.draw(state, names, room)
    assert fits(lines, room), plain(lines)
    return plain(lines).splitlines()


def played(seats: int, side: str = "coloured") -> Scenario:
    """A table at which the boards can be told from each other."""
    scenario = table(seats, displays=DEALT[: 2 * seats + 1], turn=2, lid="BBYK", bag="BYRKW" * 4, boardSide=side)
    scenario = lay(scenario, 1, lines=["R", "Y"], wall=[(1, 1), (2, 5)], floor="MBB", score=12)
    scenario = lay(scenario, 2, lines=["", "KK", "", "", "WWW"], wall=[(3, 3)], score=1)
    return lay(scenario, seats, lines=["", "", "BBB"], wall=[(5, 5)], floor="BBYYRRK", score=107)


def crowded(seats: int, scenario: Scenario) -> Scenario:
    """The most that can lie before everybody, while all of them are placing."""
    for seat in range(1, seats + 1):
        rows = ["B" * size for size in range(1, 6)]
        every = [(row, column) for row in range(1, 6) for column in range(1, 6)]
        scenario = lay(scenario, seat, lines=rows, wall=every, floor="BBBBBBB", score=240)

    def arrange(state: State) -> None:
        state.marker, state.turn, state.phase, state.tiling = seats, 0, "tile", list(range(1, seats + 1))

    return scenario.with_(arrange)


def test_one_board_whole_and_the_others_in_short() -> None:
    assert shown(PROJECTION, played(4).state, SMALL) == [
        "Round 1 · drafting · Ben to move    bag 20 · lid 2B 1Y 1K",
        "",
        " 1  B  B  Y  R   2  Y  Y  R  K   3  K  K  W  W   4  B  Y  R  K   5  W  W  W  W",
        " 6  B  R  K  W   7  Y  Y  Y  Y   8  R  R  K  K   9  B  B  W  W",
        " C  ·",
        "",
        "▶ Ben  1 point                         Ann            Cleo           Theodora o…",
        "                     1  2  3  4  5     12 points      0 points       107 points",
        "1              ·  ▸  b  y  r  k  w         R▸Byrkw        ·▸byrkw        ·▸byrkw",
        "2           K  K  ▸  w  b  y  r  k        ·Y▸wbyrK       ··▸wbyrk       ··▸wbyrk",
        "3        ·  ·  ·  ▸  k  w  B  y  r       ···▸kwbyr      ···▸kwbyr      BBB▸kwbyr",
        "4     ·  ·  ·  ·  ▸  r  k  w  b  y      ····▸rkwby     ····▸rkwby     ····▸rkwby",
        "5  ·  ·  W  W  W  ▸  y  r  k  w  b     ·····▸yrkwb    ·····▸yrkwb    ·····▸yrkwB",
        "floor  −1 −1 −2 −2 −2 −3 −3            sBB···· −4     ·······        BBYYRRK −14",
    ]


def test_fewer_seats_get_more_air() -> None:
    assert shown(PROJECTION, played(3, "grey").state, Room(80, 19, 3))[6:] == [
        "  Cleo  107 points                    Ann                 ▶ Ben",
        "                     1  2  3  4  5    12 points             1 point",
        "1              ·  ▸  ·  ·  ·  ·  ·            R▸B · · · ·           ·▸· · · · ·",
        "2           ·  ·  ▸  ·  ·  ·  ·  ·          · Y▸· · · · K         K K▸· · · · ·",
        "3        B  B  B  ▸  ·  ·  ·  ·  ·        · · ·▸· · · · ·       · · ·▸· · B · ·",
        "4     ·  ·  ·  ·  ▸  ·  ·  ·  ·  ·      · · · ·▸· · · · ·     · · · ·▸· · · · ·",
        "5  ·  ·  ·  ·  ·  ▸  ·  ·  ·  ·  B    · · · · ·▸· · · · ·   · · W W W▸· · · · ·",
        "floor  B  B  Y  Y  R  R  K   −14      s B B · · · · −4      · · · · · · ·",
    ]


@pytest.mark.parametrize("seat", range(5))
@pytest.mark.parametrize("special", [False, True], ids=["plain", "special"])
def test_the_looker_sees_their_own_board(seat: int, special: bool) -> None:
    gold = {1: "0", 2: "N", 5: "<>", 9: "+1"} if special else None
    scenario = lay(chocolatier.table(4, gold=gold, turn=3), seat or 3, lines=["", "KK"], floor="RM", score=33)
    picture = shown(CHOCOLATIER, scenario.state, Room(80, 19, seat))
    title, *rest = plain(draw_board(scenario.state, seat or 3, PEOPLE)).splitlines()
    whole = [line for line in picture if line.startswith(title)]
    assert len(whole) == 1, "whoever looks, and otherwise whoever is to move"
    below = picture[picture.index(whole[0]) + 2 :]
    assert [line[: len(row)] for line, row in zip(below, rest, strict=True)] == rest


@pytest.mark.parametrize("room", ROOMS, ids=str)
@pytest.mark.parametrize("side", ["coloured", "grey"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whatever_lies_on_the_table_fits(seats: int, side: str, room: Room) -> None:
    centre = "B" * 3 * (2 * seats + 1)
    heaped = crowded(seats, table(seats, centre=centre, round_=12, lid="BYRKW" * 20, bag="BYRKW" * 20, boardSide=side))
    for seat in range(seats + 1):
        text = "\n".join(shown(PROJECTION, heaped.state, room._replace(seat=seat), LONG_NAMES))
        assert text.count("B") >= len(centre) + 25 * seats


@pytest.mark.parametrize("room", ROOMS, ids=str)
@pytest.mark.parametrize("holder", [0, 4])
def test_gold_displays_fit_with_all_that_is_said_of_them(holder: int, room: Room) -> None:
    gold = {2: "0", 4: "<>", 6: "N", 8: "K"}
    displays = ["BNWK", "" if holder else "BNWK", "RRRR", "BNWK", "R", "NNNNNNBB", "R", "KKKKKKBB", "R"]
    scenario = chocolatier.table(4, gold=gold, displays=displays, centre="BNWKR" * 3, holder=holder, lid="BNWKR" * 12)
    for seat in range(5):
        rows = shown(CHOCOLATIER, crowded_boards(scenario).state, room._replace(seat=seat), LONG_NAMES)
        assert sum(row.startswith(("   0   ", "   <>  ", "   >n< ", "   >k< ")) for row in rows) == 4


def crowded_boards(scenario: Scenario) -> Scenario:
    """Full boards, while drafting goes on."""
    phase, turn = scenario.state.phase, scenario.state.turn

    def arrange(state: State) -> None:
        state.phase, state.turn, state.tiling = phase, turn, []

    return crowded(4, scenario).with_(arrange)


@pytest.mark.parametrize("room", [Room(80), Room(120, 35)], ids=str)
def test_more_room_shows_every_board(room: Room) -> None:
    rows = shown(PROJECTION, played(4).state, room)
    assert sum(row.count("floor") for row in rows) == 4


def test_lines_break_between_displays_and_tiles() -> None:
    rows = shown(PROJECTION, table(4, displays=DEALT, centre="B" * 27, lid="BYRKW" * 10).state, Room(60))
    assert rows[:8] == [
        "Round 1 · drafting · Ann to move",
        "bag 100 · lid 10B 10Y 10R 10K 10W",
        "",
        " 1  B  B  Y  R   2  Y  Y  R  K   3  K  K  W  W",
        " 4  B  Y  R  K   5  W  W  W  W   6  B  R  K  W",
        " 7  Y  Y  Y  Y   8  R  R  K  K   9  B  B  W  W",
        " C  starts   B  B  B  B  B  B  B  B  B  B  B  B  B  B  B  B",
        "    B  B  B  B  B  B  B  B  B  B  B",
    ]


@pytest.mark.parametrize("room", [SMALL, Room(80)], ids=str)
def test_the_marker_says_who_starts_until_all_is_over(room: Room) -> None:
    in_centre, on_floor = table(4, centre="B"), lay(table(4, centre="B", turn=2), 1, floor="M")
    beside = lay(table(4, centre="B", turn=2, marker=1), 1, floor="BBBBBBB")

    def end(state: State) -> None:
        state.phase, state.turn = "over", 0

    chips = [
        [span.text for line in PROJECTION.draw(state, PEOPLE, room) for span in line if span.style == "marker"]
        for state in (in_centre.state, on_floor.state, beside.state, beside.with_(end).state)
    ]
    short = room.height is not None
    assert chips == [[" starts "], ["s" if short else " st"], ["st" if short else " starts "], []]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_pad_fits_as_it_is(seats: int) -> None:
    state = given(AZUL_PAD, seats).state
    assert shown(PAD, state, SMALL, LONG_NAMES) == shown(PAD, state, Room(80), LONG_NAMES)


def test_colours_have_a_key() -> None:
    azul, boxes = (
        " B  blue   Y  yellow   R  red   K  black   W  white",
        " B  blue   N  brown   W  white   K  black   R  red",
    )
    state = given(AZUL_PAD, 2).state
    for projection, key in ((PROJECTION, azul), (PAD, azul), (CHOCOLATIER, boxes), (CHOCOLATIER_PROJECTION, boxes)):
        assert plain([projection.colour_key(state)]) == key
