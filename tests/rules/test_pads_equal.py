"""The proof that a pad counts like its game: what was laid, built or collected in whole matches, entered again."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import azul, summer_pavilion
from events.coloretto import LastRoundEnded
from events.core import Event, ScoreLine, Seat, Standing
from projections.coloretto.state import COLOUR_NAMES, GOLDEN, JOKER
from projections.coloretto.state import State as ColorettoState
from projections.core import State
from projections.summer_pavilion.stars import CENTRE
from projections.summer_pavilion.state import NO_COLOUR
from service.games.azul import AZUL
from service.games.azul_pad import AZUL_PAD, MASTER_CHOCOLATIER_PAD
from service.games.azul_pad.rules import ClearFloor, LayTile, StopGame
from service.games.coloretto import COLORETTO
from service.games.coloretto_pad import COLORETTO_PAD
from service.games.coloretto_pad.rules import CloseCollection, CountCards
from service.games.core import Action
from service.games.game import Game
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.options import read_options
from service.games.shelf import GAMES, find_game
from service.games.summer_pavilion import SUMMER_PAVILION
from service.games.summer_pavilion_pad import SUMMER_PAVILION_PAD
from service.games.summer_pavilion_pad.rules import BuildSpace, LeaveTiles, TakeMarker
from service.play.simulate import make_plan, playout

Entry = tuple[Seat, Action]


class Kept(NamedTuple):
    """What a match or a pad comes to."""

    lines: list[ScoreLine]
    standings: tuple[Standing, ...]


def played(game: Game, seats: int, options: dict[str, str], bot: str, seed: int) -> list[list[Event]]:
    """A match between bots, step by step."""
    steps = playout(game, make_plan(game.key, seats, options, [bot], 0), seed).steps
    return [[event for _, event in step] for step in steps]


def kept(events: Iterable[Event]) -> Kept:
    """The points of a match and its result. What a disc caught costs nothing, and is on no pad (MP-2)."""
    facts = list(events)
    lines = [line for event in facts for line in event.scores if not line.reason.startswith("shielded")]
    return Kept(lines, next((event.standings for event in facts if event.standings), ()))


def entered(pad: Game, seats: int, options: dict[str, str], entries: Iterable[Entry]) -> Kept:
    """The same of a pad after these entries, each of which must be legal."""
    agreed = {option.name: options[option.name] for option in pad.rules.options if option.name in options}
    state = pad.projection.initial(seats, read_options(pad.rules, agreed, seats))
    events: list[Event] = []
    for seat, action in entries:
        assert action in pad.rules.legal(state, seat), (seat, action)
        for event in pad.rules.decide(state, seat, action):
            pad.projection.apply[type(event)](state, event)
            events.append(event)
    result = kept(events)
    assert list(pad.projection.scores(state)) == _totals(seats, result.lines)
    return result


def _totals(seats: int, lines: Iterable[ScoreLine]) -> list[int]:
    totals = [0] * seats
    for line in lines:
        totals[line.seat - 1] += line.applied
    return totals


seeds = st.integers(0, 10_000)
bots = st.sampled_from(["random", "greedy"])


def test_every_game_that_is_played_has_a_pad() -> None:
    assert [game.pad_of for game in GAMES if game.pad_of] == [game.key for game in GAMES if not game.pad_of]


# -------------------------------------------------------------------------------------- Azul and Master Chocolatier


def walls(events: Iterable[Event], is_free: bool) -> Iterator[Entry]:
    """The tiles and floors of a match as entries of a pad."""
    for event in events:
        if isinstance(event, azul.LineTiled):
            yield event.seat, LayTile(event.line, event.colour, event.column if is_free else 0)
        elif isinstance(event, azul.FloorCleared):
            floor = [line.operands["spaces"] for line in event.scores if line.reason == "floor"]
            yield event.seat, ClearFloor(sum(floor))
        elif isinstance(event, azul.GameEnded) and event.reason == "supply":
            yield 1, StopGame()


@settings(max_examples=40)
@given(st.integers(2, 4), st.sampled_from(["coloured", "grey"]), st.sampled_from(["none", "3"]), bots, seeds)
def test_azul(seats: int, side: str, rounds: str, bot: str, seed: int) -> None:
    options = {"boardSide": side, "maxRounds": rounds}
    events = [event for step in played(AZUL, seats, options, bot, seed) for event in step]
    assert entered(AZUL_PAD, seats, options, walls(events, side == "grey")) == kept(events)


@settings(max_examples=40)
@given(
    st.integers(2, 4),
    st.sampled_from(["coloured", "brown"]),
    st.sampled_from(["off", "on"]),
    st.sampled_from(["false", "true"]),
    bots,
    seeds,
)
def test_master_chocolatier(seats: int, side: str, special: str, shields: str, bot: str, seed: int) -> None:
    options = {"boardSide": side, "specialFactories": special, "sf5AcceptsMarker": shields}
    events = [event for step in played(MASTER_CHOCOLATIER, seats, options, bot, seed) for event in step]
    assert entered(MASTER_CHOCOLATIER_PAD, seats, options, walls(events, side == "brown")) == kept(events)


@settings(max_examples=10)
@given(st.integers(2, 4), st.sampled_from(["coloured", "grey"]), st.integers(1, 4), seeds)
def test_an_end_that_the_pad_cannot_see_is_said(seats: int, side: str, last: int, seed: int) -> None:
    """A match with an agreed last round, on a pad that nobody told of it; a supply that ran out is the same (AZ-83)."""
    options = {"boardSide": side, "maxRounds": str(last)}
    events = [event for step in played(AZUL, seats, options, "greedy", seed) for event in step]
    entries = [*walls(events, side == "grey"), (seats, StopGame())]
    assert entered(AZUL_PAD, seats, {"boardSide": side}, entries) == kept(events)


# --------------------------------------------------------------------------------------------------- Summer Pavilion


def pavilions(events: Iterable[Event], seats: int, side: str) -> Iterator[Entry]:
    """What was built and lost in a match as entries of a pad; who never passed had nothing left (SP-R11)."""
    open_: list[Seat] = []
    for event in events:
        if isinstance(event, summer_pavilion.DisplaysFilled | summer_pavilion.GameEnded):
            yield from ((seat, LeaveTiles(0)) for seat in open_)
            open_ = list(range(1, seats + 1))
        elif isinstance(event, summer_pavilion.TilesAcquired) and event.marker:
            yield event.seat, TakeMarker(event.taken + event.wild)
        elif isinstance(event, summer_pavilion.TilePlaced):
            is_named = side == "colourless" or event.star == CENTRE
            yield event.seat, BuildSpace(event.star, event.slot, event.colour if is_named else NO_COLOUR)
        elif isinstance(event, summer_pavilion.SeatPassed):
            yield event.seat, LeaveTiles(sum(line.operands["tiles"] for line in event.scores))
            open_.remove(event.seat)


@settings(max_examples=40)
@given(st.integers(2, 4), st.sampled_from(["coloured", "colourless"]), bots, seeds)
def test_summer_pavilion(seats: int, side: str, bot: str, seed: int) -> None:
    options = {"boardSide": side}
    events = [event for step in played(SUMMER_PAVILION, seats, options, bot, seed) for event in step]
    assert entered(SUMMER_PAVILION_PAD, seats, options, pavilions(events, seats, side)) == kept(events)


# --------------------------------------------------------------------------------------------------------- Coloretto


def collections(steps: Iterable[list[Event]], state: ColorettoState) -> Iterator[Entry]:
    """What everybody had after the last round, and the end decisions that were made by choice."""
    is_over = False
    for events in steps:
        if is_over and not isinstance(events[0], LastRoundEnded):
            yield events[0].seat, COLORETTO.notation.recall(state, events)  # type: ignore[attr-defined]
        for event in events:
            if isinstance(event, LastRoundEnded):
                is_over = True
                yield from _counted(state)
            COLORETTO.projection.apply[type(event)](state, event)


def _counted(state: ColorettoState) -> Iterator[Entry]:
    for seat, tableau in enumerate(state.tableaus, start=1):
        cards = [*tableau.cards[:JOKER], tableau.cards[JOKER] + tableau.cards[GOLDEN]]
        yield from ((seat, CountCards(card, number)) for card, number in enumerate(cards) if number)
        yield seat, CloseCollection()


@settings(max_examples=60)
@given(
    st.integers(2, 5),
    st.sampled_from(["brown", "violet"]),
    st.sampled_from(["in-play", "held"]),
    st.sampled_from(["player", "auto-optimal"]),
    bots,
    seeds,
)
def test_coloretto(seats: int, side: str, scope: str, decisions: str, bot: str, seed: int) -> None:
    options = {"scoringSide": side, "jokerScope": scope, "finalDecisions": decisions}
    steps = played(COLORETTO, seats, options, bot, seed)
    whole = read_options(COLORETTO.rules, options, seats)
    initial: State = COLORETTO.projection.initial(seats, whole)
    entries = list(collections(steps, initial))
    out = ",".join(name for colour, name in enumerate(COLOUR_NAMES) if colour not in initial.colours)
    agreed = {**options, "removedColours": out or "open"}
    assert entered(COLORETTO_PAD, seats, agreed, entries) == kept(event for step in steps for event in step)


@pytest.mark.parametrize("pad", [game for game in GAMES if game.pad_of], ids=lambda game: game.key)
def test_a_pad_is_agreed_on_like_its_game(pad: Game) -> None:
    """An option that points depend on has the same choices on the pad; only the colours left out cannot be drawn."""
    game = find_game(pad.pad_of)
    shared = {option.name: option for option in game.rules.options}
    assert pad.rules.seats == game.rules.seats
    assert [option for option in pad.rules.options if option != shared[option.name]] == [
        option for option in pad.rules.options if option.name == "removedColours"
    ]
