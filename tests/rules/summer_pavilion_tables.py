"""Tables of Summer Pavilion laid out by hand, for tests: tiles as letters, spaces as `E.6` or `C.1=P`."""

from collections.abc import Callable

from projections.summer_pavilion.stars import CENTRE, LETTERS, SLOTS, STAR_COLOURS, STARS
from projections.summer_pavilion.stars import COLOURS as NAMES
from projections.summer_pavilion.state import COLOURS, State
from projections.tiles import ONE, Tiles, colours_of
from service.games.core import Action, Outcome
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion.notation import read
from service.games.summer_pavilion.rules import Pavilions
from tests.scenario import Scenario, given

PURPLE, GREEN, ORANGE, YELLOW, BLUE, RED = range(COLOURS)


def colours(tiles: str) -> tuple[int, ...]:
    """`PPG` as colours, one by one."""
    return tuple(LETTERS.index(letter) for letter in tiles)


def heap(tiles: str) -> Tiles:
    """`PPG` as tiles in one place."""
    return sum(ONE[colour] for colour in colours(tiles))


def letters(tiles: Tiles) -> str:
    """Tiles in one place as letters."""
    return "".join(LETTERS[colour] for colour in colours_of(tiles))


def with_hand(seat: int, tiles: str) -> Callable[[State], None]:
    """How to put these tiles in a hand, whatever it held."""

    def arrange(state: State) -> None:
        state.boards[seat - 1].hand = heap(tiles)

    return arrange


def drawn(tiles: str) -> Outcome:
    """These tiles as chance's answer."""
    return Outcome(drawn=colours(tiles.replace(" ", "")))


def move(text: str) -> Action:
    """The action a person would write so."""
    return read(text)


def build(state: Pavilions, seat: int, spaces: str) -> None:
    """Put tiles on a board. Without a colour a coloured star gets its own and centre slot n the nth colour."""
    board = state.boards[seat - 1]
    for word in spaces.split():
        place, _, letter = word.partition("=")
        name, slot = place.split(".")
        star = STARS.index(name)
        if letter:
            colour = LETTERS.index(letter)
        else:
            colour = int(slot) - 1 if star == CENTRE else NAMES.index(STAR_COLOURS[star])
        space = star * SLOTS + int(slot) - 1
        board.spaces[space] = colour
        board.occupied |= 1 << space
        board.star_colours[star] |= 1 << colour


def star(name: str, kind: str = "", slots: str = "123456") -> str:
    """The spaces of a star in words: one letter for all of them, six for one each, none for its own colours."""
    letters_ = kind * len(slots) if len(kind) == 1 else kind
    return " ".join(f"{name}.{slot}" + (f"={letters_[at]}" if letters_ else "") for at, slot in enumerate(slots))


def acquiring(
    *displays: str, centre: str = "", marker: int = 0, score: int = 5, round_: int = 1, turn: int = 1, seats: int = 3
) -> Scenario:
    """Phase 1 with these tiles on offer. Every seat has the same score."""

    def arrange(state: State) -> None:
        for source, tiles in enumerate((centre, *displays)):
            state.sources[source] = heap(tiles)
        state.phase, state.round, state.wild = "acquire", round_, round_ - 1
        state.turn, state.marker = turn, marker
        state.supply = heap("PPGGOOYYBB")
        for board in state.boards:
            board.score = score

    return given(SUMMER_PAVILION, seats, firstPlayer="seat:1").with_(arrange)


def placing(
    hand: str,
    spaces: str = "",
    *,
    others: str = "R",
    score: int = 5,
    round_: int = 1,
    supply: str = "PPGGOOYYBB",
    bag: str = "PPPPPGGGGGOOOOOYYYYYBBBBBRRRRR",
    tower: str = "",
    seats: int = 2,
    **options: str,
) -> Scenario:
    """Phase 2 with seat 1 to move; `others` is what each other seat holds."""

    def arrange(state: State) -> None:
        state.phase, state.round, state.wild = "place", round_, round_ - 1
        state.turn = state.marker = 1
        state.supply, state.bag, state.tower = heap(supply), heap(bag), heap(tower)
        for board in state.boards:
            board.score = score
            board.hand = heap(others)
        state.boards[0].hand = heap(hand)
        build(state, 1, spaces)

    return given(SUMMER_PAVILION, seats, firstPlayer="seat:1", **options).with_(arrange)
