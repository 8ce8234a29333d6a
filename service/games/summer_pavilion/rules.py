"""The rules of Summer Pavilion (docs/rules/summer-pavilion.md): what chance owes, and what every action leads to."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from events.core import Actor, Event, ScoreLine, Seat, Standing
from events.summer_pavilion import (
    BonusTaken,
    Colour,
    DisplaysFilled,
    SeatPassed,
    SupplyFilled,
    TilePlaced,
    TilesAcquired,
)
from projections.copying import copied
from projections.summer_pavilion.stars import COLOURS as COLOUR_NAMES
from projections.summer_pavilion.stars import (
    ROUNDS,
    space_name,
)
from projections.summer_pavilion.state import APPLY, COLOURS, NO_COLOUR, Board, Pavilion, State
from projections.tiles import ONE, Tiles, count_of, counts, how_many
from service.errors import IllegalAction
from service.games.core import Action, Outcome, Request, Rules, Stage, check_drawn, ranked
from service.games.first_player import ChooseStart, ask_for_start
from service.games.summer_pavilion.actions import (
    CORNERS,
    OPTIONS,
    STARTING,
    AcquireTiles,
    Pass,
    PlaceTile,
    TakeBonus,
    bonuses,
    legal,
)
from service.games.summer_pavilion.scoring import (
    ended,
    marker_loss,
    placement_points,
    start_points,
    surplus_loss,
)
from service.games.summer_pavilion.spaces import REFUSALS, check_colour, check_space, completed_by, illegal

DISPLAY_SIZE: Final = 4
SUPPLY_SIZE: Final = 10

# ------------------------------------------------------------------------------------------------ what chance owes


def request(state: State) -> Request | None:
    """A starting seat by lot, tiles for the supply, or tiles for the displays."""
    if state.phase == "supply":
        return Request("supply", _stages(state, SUPPLY_SIZE - how_many(state.supply)))
    if state.phase == "deal":
        return Request("deal", _stages(state, DISPLAY_SIZE * (len(state.sources) - 1)))
    if state.phase == "start" and not state.options.host_chooses:
        return ask_for_start(state.seats)
    return None


def _stages(state: State, wanted: int) -> tuple[Stage, ...]:
    """One tile after the other from the bag; the tower goes in only when a tile is needed and none is left (SP-R3)."""
    bag, tower = counts(state.bag), counts(state.tower)
    first = min(wanted, sum(bag))
    rest = min(wanted - first, sum(tower))
    return (Stage(bag, first), Stage(tower, rest)) if rest else (Stage(bag, first),)


# ------------------------------------------------------------------------------------------------------- decisions


def decide(state: State, actor: Actor, action: Action) -> list[Event]:
    """The events of an action, or IllegalAction with the rule that forbids it."""
    seat = REFUSALS.acting_seat(state, actor, action)
    if isinstance(action, Outcome):
        return _decide_chance(state, action)
    if isinstance(action, PlaceTile):
        return _decide_place(state, seat, action)
    if isinstance(action, AcquireTiles):
        return _decide_acquire(state, seat, action)
    if isinstance(action, Pass):
        return _decide_pass(state, seat, action)
    if isinstance(action, TakeBonus):
        return _decide_bonus(state, seat, action)
    if isinstance(action, ChooseStart):
        is_asked = state.phase == "start" and state.options.host_chooses
        return STARTING.choose(state.seats, seat, action, is_asked=is_asked)
    raise REFUSALS.unknown_action(action)


_PHASE_RULES: Final = {"start": "SP-R17", "supply": "SP-55", "deal": "SP-63", "acquire": "SP-21", "place": "SP-35"}
_PHASE_WORDS: Final = {
    "start": "the first player is still to be named",
    "supply": "the supply is to be filled first",
    "deal": "the displays are to be filled first",
    "acquire": "tiles are being acquired, and there is no passing",
    "place": "tiles are being placed",
}


def _check_turn(state: State, seat: Seat, phase: str, what: str) -> None:
    if state.phase == "bonus" != phase:
        raise illegal("bonus-first", "SP-51", f"Seat {state.turn} has to take its bonus tiles first: {state.owed}.")
    if state.phase != phase:
        rule = "SP-50" if phase == "bonus" else _PHASE_RULES[state.phase]
        raise illegal("phase", rule, f"{what} is not possible now: {_PHASE_WORDS[state.phase]}.")
    if state.turn == seat:
        return
    if phase == "acquire":
        raise REFUSALS.not_on_turn(seat, (state.turn,), "SP-21")
    board = state.boards[seat - 1]
    if board.passed:
        raise illegal("passed", "SP-36", f"Seat {seat} has passed and takes no more turns this round.")
    if not board.hand:
        raise illegal("passed", "SP-R11", f"Seat {seat} has no tiles left and takes no more turns this round.")
    raise REFUSALS.not_on_turn(seat, (state.turn,))


def _decide_chance(state: State, outcome: Outcome) -> list[Event]:
    wanted = request(state)
    if state.phase == "start":
        return STARTING.draw(state.seats, wanted, outcome)
    if state.phase == "supply":
        check_drawn(wanted, outcome, "summer-pavilion/supply", "SP-55", COLOUR_NAMES)
        lines = () if state.round else tuple(map(start_points, range(1, state.seats + 1)))
        return [SupplyFilled(tiles=outcome.drawn, poured=_pours(wanted), scores=lines)]
    check_drawn(wanted, outcome, "summer-pavilion/deal", "SP-63", COLOUR_NAMES)
    return _begin_round(state, outcome.drawn, _pours(wanted))


def _pours(wanted: Request | None) -> bool:
    return wanted is not None and len(wanted.stages) > 1


def _begin_round(state: State, drawn: tuple[Colour, ...], poured: bool) -> list[Event]:
    displays = tuple(
        drawn[position : position + DISPLAY_SIZE]
        for position in range(0, DISPLAY_SIZE * (len(state.sources) - 1), DISPLAY_SIZE)
    )
    # SP-R1: a marker nobody took leaves the starting seat as it was.
    starter = state.marker or state.starter
    first = starter
    if not drawn:  # SP-R5: nothing to acquire, so the round opens with placing what was kept
        holding = [bool(board.corners) for board in state.boards]
        first = next((seat for seat in _from(starter, state.seats) if holding[seat - 1]), 0)
    event = DisplaysFilled(state.round + 1, starter, displays, first, poured)
    return [event] if first or event.round < ROUNDS else _with_ending(state, event)


def _from(seat: Seat, seats: int) -> Iterator[Seat]:
    """Every seat once, clockwise from this one."""
    return ((seat + turn - 1) % seats + 1 for turn in range(seats))


# ------------------------------------------------------------------------------------------------ phase 1: acquiring


def _decide_acquire(state: State, seat: Seat, action: AcquireTiles) -> list[Event]:
    source, colour, wild = action.source, action.colour, state.wild
    _check_turn(state, seat, "acquire", "Acquiring tiles")
    if not 0 <= source < len(state.sources):
        choice = f"choose 1–{len(state.sources) - 1}, or C for the centre"
        raise illegal("source", "SP-22", f"There is no display {source}; {choice}.")
    check_colour(colour)
    tiles = counts(state.sources[source])
    taken = tiles[colour]
    if not taken:
        raise _nothing_there(tiles, source, colour)
    wild_taken = 0
    if colour != wild:
        wild_taken = min(tiles[wild], 1)
    elif taken == sum(tiles):
        taken = 1
    else:
        others = _listed(tiles, wild)
        raise illegal(
            "wild-named",
            "SP-24",
            f"{COLOUR_NAMES[wild].capitalize()} is wild and may be named only where it lies alone; here: {others}.",
        )
    takes_marker = source == 0 and state.marker == 0
    lines: tuple[ScoreLine, ...] = ()
    if takes_marker:
        lines = (marker_loss(seat, state.boards[seat - 1].score, taken + wild_taken),)
    is_last = state.offered == ONE[colour] * taken + ONE[wild] * wild_taken
    return [
        TilesAcquired(
            seat=seat,
            source=source,
            colour=colour,
            taken=taken,
            next=_first_to_place(state, seat, takes_marker) if is_last else seat % state.seats + 1,
            wild=wild_taken,
            marker=takes_marker,
            last=is_last,
            scores=lines,
        )
    ]


def _first_to_place(state: State, seat: Seat, takes_marker: bool) -> Seat:
    """The marker holder, else the round's starter (SP-34, SP-R1), or the next seat that has tiles (SP-R11)."""
    first = seat if takes_marker else state.marker or state.starter
    return next(other for other in _from(first, state.seats) if other == seat or state.boards[other - 1].hand)


def _nothing_there(tiles: Sequence[int], source: int, colour: Colour) -> IllegalAction:
    place = f"Display {source}" if source else "The centre"
    if not any(tiles):
        return illegal("source-empty", "SP-22" if source else "SP-R2", f"{place} holds no tiles.")
    return illegal("colour-absent", "SP-22", f"{place} holds no {COLOUR_NAMES[colour]}, only {_listed(tiles)}.")


def _listed(tiles: Sequence[int], but: Colour = NO_COLOUR) -> str:
    return ", ".join(COLOUR_NAMES[colour] for colour in range(COLOURS) if tiles[colour] and colour != but)


# -------------------------------------------------------------------------------------------------- phase 2: placing


def _decide_place(state: State, seat: Seat, action: PlaceTile) -> list[Event]:
    _check_turn(state, seat, "place", "Placing a tile")
    board = state.boards[seat - 1]
    star, slot = action.star, action.slot
    number = _check_placement(state, board, action)
    features: tuple[str, ...] = ()
    owed = forfeited = 0
    completed = completed_by(board, star, slot)
    if completed:
        features = tuple(feature.name for feature in completed)
        reward = sum(feature.reward for feature in completed)  # SP-R8: one choice for all of them
        owed = min(reward, how_many(state.supply))
        forfeited = reward - owed
    has_more = how_many(board.hand) > number
    following = seat if owed else _next_to_place(state, seat, has_more)
    event = TilePlaced(
        seat=seat,
        star=star,
        slot=slot,
        colour=action.colour,
        own=action.own,
        next=following,
        scores=(placement_points(seat, board, star, slot),),
        wild=action.wild,
        features=features,
        owed=owed,
        forfeited=forfeited,
        refill=not owed and _refills(state, following, how_many(state.supply), number - 1),
    )
    if not owed:
        return _unless_over(state, event)
    ways = bonuses(state.supply, owed)
    return [event] if len(ways) > 1 else [event, _bonus(state, seat, ways[0].tiles, number - 1)]


def _check_placement(state: State, board: Board, action: PlaceTile) -> int:
    """The number of the space, once everything about the placement is in order."""
    star, slot, colour = action.star, action.slot, action.colour
    number = check_space(board, state.options.side, star, slot, colour, state.wild)
    own, wild = action.own, action.wild
    name, where = COLOUR_NAMES[colour], f"{space_name(star, slot)} (number {number})"
    if own < 1:
        rule = "SP-44" if number == 1 else "SP-42"
        raise illegal("payment-own", rule, f"{where} needs at least one real {name} tile, not {own}.")
    if wild and colour == state.wild:
        raise illegal("payment-wild", "SP-43", f"{name.capitalize()} is wild itself; nothing replaces it.")
    if wild < 0 or own + wild != number:
        raise illegal("payment-count", "SP-38", f"{where} takes exactly {number}, not {own} {name} + {wild} wild.")
    hand = counts(board.hand)
    if hand[colour] < own or hand[state.wild] < wild:
        held = f"{hand[colour]} {name} and {hand[state.wild]} {COLOUR_NAMES[state.wild]} (wild)"
        raise illegal("payment-hand", "SP-45", f"The hand holds {held}, not {own} + {wild}.")
    return number


def _decide_bonus(state: State, seat: Seat, action: TakeBonus) -> list[Event]:
    _check_turn(state, seat, "bonus", "Taking bonus tiles")
    _check_tiles(action.tiles)
    if len(action.tiles) != state.owed:
        raise illegal("bonus-count", "SP-51", f"Exactly {state.owed} bonus tiles are due, not {len(action.tiles)}.")
    if not _holds(state.supply, action.tiles):
        raise illegal("bonus-absent", "SP-52", f"The supply does not hold {_words(action.tiles)}.")
    return [_bonus(state, seat, action.tiles, 0)]


def _bonus(state: State, seat: Seat, tiles: tuple[Colour, ...], paid: int) -> BonusTaken:
    """The taking of these tiles; `paid` tiles of the same step lie in the tower besides those in the state (SP-R9).

    With bonus tiles in hand the seat has another turn to come, so the round never ends here.
    """
    following = _next_to_place(state, seat, True)
    refill = _refills(state, following, how_many(state.supply) - len(tiles), paid)
    return BonusTaken(seat=seat, tiles=tiles, next=following, refill=refill)


def _decide_pass(state: State, seat: Seat, action: Pass) -> list[Event]:
    _check_turn(state, seat, "place", "Passing")
    board, kept = state.boards[seat - 1], action.kept
    _check_tiles(kept)
    is_last_round = state.round == ROUNDS
    if kept and is_last_round:
        raise illegal("keep-last-round", "SP-61", f"Nothing can be kept in round {ROUNDS}, not even {_words(kept)}.")
    if len(kept) > CORNERS:
        raise illegal("keep-count", "SP-59", f"Up to {CORNERS} tiles can be kept, not {len(kept)}.")
    if not _holds(board.hand, kept):
        raise illegal("keep-hand", "SP-59", f"The hand does not hold {_words(kept)}.")
    surplus = how_many(board.hand) - len(kept)
    following = _next_to_place(state, seat, False)
    lines = (surplus_loss(seat, board.score, surplus, is_last_round),) if surplus else ()
    refill = _refills(state, following, how_many(state.supply), surplus)
    return _unless_over(state, SeatPassed(seat=seat, next=following, kept=kept, scores=lines, refill=refill))


def _check_tiles(tiles: Sequence[Colour]) -> None:
    for colour in tiles:
        check_colour(colour)
    if list(tiles) != sorted(tiles):
        order = ", ".join(COLOUR_NAMES)
        raise illegal("tile-order", "SP-R19", f"Tiles are named in the order {order}, not as {_words(tiles)}.")


def _holds(place: Tiles, tiles: Sequence[Colour]) -> bool:
    return all(tiles.count(colour) <= count_of(place, colour) for colour in tiles)


def _words(tiles: Sequence[Colour]) -> str:
    return ", ".join(f"{tiles.count(colour)} {COLOUR_NAMES[colour]}" for colour in sorted(set(tiles)))


def _next_to_place(state: State, seat: Seat, goes_on: bool) -> Seat:
    """The next seat with a turn left in this phase; `goes_on` says whether this one still has any. 0 for none."""
    boards, seats = state.boards, state.seats
    for turn in range(seat, seat + seats - 1):
        other = boards[turn % seats]
        if not other.passed and other.hand:  # SP-R11: without tiles there is no turn
            return turn % seats + 1
    return seat if goes_on else 0


def _refills(state: State, following: Seat, supply: int, discarded: int) -> bool:
    """Whether the supply is short and can be refilled at the end of this turn (SP-55, SP-R6)."""
    if supply == SUPPLY_SIZE or (not following and state.round == ROUNDS):  # nobody would see it after the last turn
        return False
    return discarded > 0 or bool(state.bag or state.tower)


# -------------------------------------------------------------------------------------------------- end of the game


class Pavilions(Protocol):
    """A table as far as its boards go: the game's, or a score pad's."""

    @property
    def boards(self) -> Sequence[Pavilion]: ...


def _unless_over(state: State, event: TilePlaced | SeatPassed) -> list[Event]:
    """The event, with the end of the game if it was the last turn of the last round."""
    return [event] if event.next or state.round < ROUNDS else _with_ending(state, event)


def _with_ending(state: State, event: Event) -> list[Event]:
    after = copied(state)
    APPLY[type(event)](after, event)
    return [event, ended(after.boards, state.options.side)]


def rank(state: Pavilions) -> tuple[Standing, ...]:
    """The standings if play stopped now: scores as they are; there is no tie-break (SP-70)."""
    return ranked([board.score for board in state.boards], [0] * len(state.boards))


RULES: Final = Rules(
    ruleset="summer-pavilion/1",
    seats=range(2, 5),
    options=OPTIONS,
    actions=(ChooseStart, AcquireTiles, PlaceTile, TakeBonus, Pass),
    legal=legal,
    request=request,
    decide=decide,
    rank=rank,
)
