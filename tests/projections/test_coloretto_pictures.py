"""Coloretto within a room: one tableau whole and a line for each of the others, or all whole where there is room."""

import pytest

from projections.coloretto import PROJECTION
from projections.coloretto.state import State
from projections.coloretto_pad import PROJECTION as PAD
from projections.core import SMALL, Names, Projection, Room, fits
from service.games.coloretto.ending import NameColours
from service.games.coloretto_pad import COLORETTO_PAD
from tests.gallery import plain
from tests.rules.coloretto_tables import BLUE, EVA, RED, YELLOW, counts, ended, table
from tests.scenario import given

LONG = Names({1: "Eva", 2: "Benedict the Younger", 3: "Theodora, who never thought of names as short", 4: "山" * 40})
MOST = "GGGGGGGGG YYYYYYYYY RRRRRRRRR BBBBBBBBB OOOOOOOOO PPPPPPPPP WWWWWWWWW JJJ* +2+2+2+2+2+2+2+2+2+2"
"""All cards there are."""


def shown(projection: Projection, state: object, room: Room) -> list[str]:
    """The picture as text, which must fit."""
    lines = projection.draw(state, LONG, room)
    assert fits(lines, room), plain(lines)
    return plain(lines).splitlines()


def test_one_tableau_whole_and_the_others_in_short() -> None:
    tableaus = [EVA, "GYRBO", "", "GGGJ*JWW", "+2+2"]
    rows = ["GJ*", "", "+2", "", "RYW"]
    state = table(5, rows=rows, taken={2: 3, 4: 5}, turn=1, hand="R", tableaus=tableaus, above=5).state
    assert shown(PROJECTION, state, SMALL) == [
        "Round 3 · Eva to place    deck 76, 5 above the last-round card",
        "",
        " 1    G   J*  ·",
        " 2   taken by Theodora, who never thought of names as…",
        " 3    +2  ·   ·",
        " 4   taken by Seat 5",
        " 5    R   Y   W",
        "Eva drew  R  red",
        "▶ Eva  +41 as it stands",
        "    GGGGGG  YYYYj  RRR  BB  J     +2",
        "    +21     +15    +6   −3  free  +2",
        "",
        "                           G   Y   R   B   O   P   W   J   +2  as it stands",
        "  Benedict the Younger     1   1   1   1   1   ·   ·   ·   ·   +1",
        "  Theodora, who never th…  ·   ·   ·   ·   ·   ·   ·   ·   ·   ±0    out",
        "  山山山山山山山山山山山…  3   ·   ·   ·   ·   ·   2   2   ·   +18",
        "  Seat 5                   ·   ·   ·   ·   ·   ·   ·   ·   2   +4    out",
        "",
        "brown side, cards and points: 1 1 · 2 3 · 3 6 · 4 10 · 5 15 · 6+ 21",
    ]


def test_a_drawn_card_moves_nothing() -> None:
    before, after = (shown(PROJECTION, table(5, hand=hand, tableaus=[EVA] * 5).state, SMALL) for hand in ("", "R"))
    assert [line for line in after if line not in before] == [
        "Round 3 · Eva to place    deck 76, 60 above the last-round card",
        "Eva drew  R  red",
    ]
    assert len(before) == len(after)


def test_the_looker_sees_their_own_tableau() -> None:
    tableaus = ["G", "YY", "RRR", "BBBB", "OOOOO"]
    state = table(5, turn=2, tableaus=tableaus).state
    for seat, own in enumerate([tableaus[1], *tableaus]):
        lines = shown(PROJECTION, state, SMALL._replace(seat=seat))
        assert [cards for cards in tableaus if f"    {cards}" in lines] == [own]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("side", ["brown", "violet"])
@pytest.mark.parametrize("room", [SMALL, Room(80, 24), Room(80), Room(120, 35)], ids=str)
def test_whatever_lies_on_the_table_fits(seats: int, side: str, room: Room) -> None:
    for phase in ("turn", "place", "draw", "bonus", "cards", "final", "over"):

        def arrange(state: State, phase: str = phase) -> None:
            state.phase, state.is_last_round, state.round = phase, phase == "bonus", 12
            state.deciding = list(range(1, seats + 1))
            for tableau in state.tableaus:
                tableau.score = -104

        scenario = table(seats, rows=["+2+2+2"], turn=seats, hand="J*", tableaus=[MOST] * seats, scoringSide=side)
        for looker in range(seats + 1):
            shown(PROJECTION, scenario.with_(arrange).state, room._replace(seat=looker))


def test_a_tableau_too_wide_counts_its_cards() -> None:
    state = table(2, tableaus=[MOST, ""]).state
    lines = shown(PROJECTION, state, SMALL)
    assert lines[7:9] == [
        "    9G3j  9Y   9R   9B   9O   9P   9W   J J J*  10×+2",
        "    +21   +21  +21  −21  −21  −21  −21  free    +20",
    ]


def test_more_room_shows_every_tableau() -> None:
    state = table(5, tableaus=["GGYY"] * 5).state
    assert sum(line.endswith("GG  YY") for line in shown(PROJECTION, state, SMALL)) == 1
    assert sum(line.endswith("GG  YY") for line in shown(PROJECTION, state, Room(120, 35))) == 5


def test_a_seat_that_has_decided_shows_what_its_colours_score() -> None:
    scenario = ended(["GGG YY R B", "GYRB", ""])
    decided = scenario.when(1, NameColours((YELLOW, RED, BLUE))).after
    lines = shown(PROJECTION, decided.state, Room())
    assert "  Eva  has decided  −1 as it stands" in lines


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_pad_fits_as_it_is(seats: int) -> None:
    def arrange(state: State) -> None:
        for tableau in state.tableaus:
            tableau.cards = counts(MOST)

    lines = shown(PAD, given(COLORETTO_PAD, seats).with_(arrange).state, SMALL)
    assert lines[0].endswith(" to count")
    assert sum("as it stands" in line for line in lines) == seats


def test_colours_in_the_match_have_a_key() -> None:
    keys = [plain([projection.colour_key(table(3).state)]) for projection in (PROJECTION, PAD)]
    assert keys == ["G green  Y yellow  R red  B blue  O orange  P purple  J joker"] * 2
