"""What a Coloretto tableau is worth: the tables, the score of given end decisions, and the best decisions there are."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from events.coloretto import Colour
from projections.coloretto.state import COLOURS, GOLDEN, JOKER, PLUS_TWO, Options, State, Tableau, jokers_left

BROWN: Final = (0, 1, 3, 6, 10, 15, 21)
VIOLET: Final = (0, 1, 4, 8, 7, 6, 5)
"""The points of 0–6 cards of a colour, and of any more (CO-49)."""
PLUS_COLOURS: Final = 3
_MOST_CARDS: Final = 12
"""Nine of a colour and three jokers."""


def _table(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(values[min(cards, 6)] for cards in range(_MOST_CARDS + 1))


_BROWN: Final = _table(BROWN)
_VIOLET: Final = _table(VIOLET)


class Decisions(NamedTuple):
    """End decisions and the total they lead to."""

    jokers: tuple[Colour, ...]
    """A colour for each joker, in ascending order."""
    plus: tuple[Colour, ...]
    total: int


def points(options: Options, cards: int) -> int:
    """The table value v(n) of so many cards of one colour (CO-49)."""
    return (_VIOLET if options.is_violet else _BROWN)[cards]


def table_of(options: Options) -> tuple[str, dict[str, int]]:
    """The side of the score cards in use, and the points of `1` to `6+` cards of a colour (CO-49)."""
    side, values = ("violet", VIOLET) if options.is_violet else ("brown", BROWN)
    return side, {f"{cards}{'+' * (cards == len(values) - 1)}": values[cards] for cards in range(1, len(values))}


def score(options: Options, cards: Sequence[int], jokers: Sequence[Colour], plus: Sequence[Colour]) -> int:
    """The total of a tableau (cards by kind) with these decisions (CO-53)."""
    total = 2 * cards[PLUS_TWO]
    for colour in range(COLOURS):
        value = points(options, cards[colour] + jokers.count(colour))
        total += value if colour in plus else -value
    return total


def optimal(options: Options, cards: Sequence[int], colours: Sequence[Colour]) -> Decisions:
    """The best decisions for a tableau in a game with these colours; of equals, the lowest colours (CO-72)."""
    return _best(
        tuple(cards[:COLOURS]),
        cards[JOKER] + cards[GOLDEN],
        cards[PLUS_TWO],
        tuple(colours),
        options.is_violet,
        options.is_scope_held,
    )


def optimum(state: State, tableau: Tableau) -> Decisions:
    """The best decisions from here on: jokers that have a colour keep it."""
    counts = [cards + jokers for cards, jokers in zip(tableau.cards, tableau.assigned, strict=False)]
    return optimal(state.options, [*counts, tableau.cards[PLUS_TWO], jokers_left(tableau), 0], state.colours)


class Pile(NamedTuple):
    """The cards of one colour in a tableau, and what they score as it stands."""

    colour: Colour
    own: int
    jokers: int
    """Jokers that were given this colour."""
    hoped: int
    """Jokers without a colour that are worth most here."""
    value: int
    """Below 0 where the colour counts minus."""

    @property
    def cards(self) -> int:
        """All that count."""
        return self.own + self.jokers + self.hoped


def piles(state: State, tableau: Tableau) -> list[Pile]:
    """Every colour of a tableau that counts, with the decisions made so far and the best ones for the rest."""
    best = optimum(state, tableau)
    plus = tableau.plus or best.plus
    found = []
    for colour in range(COLOURS):
        own, jokers, hoped = tableau.cards[colour], tableau.assigned[colour], best.jokers.count(colour)
        if cards := own + jokers + hoped:
            value = points(state.options, cards)
            found.append(Pile(colour, own, jokers, hoped, value if colour in plus else -value))
    return found


def worth(state: State, tableau: Tableau) -> int:
    """What a tableau scores as it stands."""
    return sum(pile.value for pile in piles(state, tableau)) + 2 * tableau.cards[PLUS_TWO]


@lru_cache(maxsize=1 << 14)
def _best(
    counts: tuple[int, ...], jokers: int, twos: int, colours: tuple[Colour, ...], is_violet: bool, is_held: bool
) -> Decisions:
    table = _VIOLET if is_violet else _BROWN
    scope = ([colour for colour in colours if counts[colour]] or colours) if is_held else colours  # CO-69
    best: Decisions | None = None
    # In ascending order, and only a better total replaces an earlier one: the lowest colours win ties.
    for given in combinations_with_replacement(scope, jokers):
        held = list(counts)
        for colour in given:
            held[colour] += 1
        values = [table[cards] for cards in held]
        # Every value is positive, so the three largest are the best plus colours.
        total = 2 * sum(sorted(values)[-PLUS_COLOURS:]) - sum(values) + 2 * twos
        if best is None or total > best.total:
            best = Decisions(given, _largest(values), total)
    assert best is not None, "there is always a colour in the game"
    return best


def _largest(values: Sequence[int]) -> tuple[Colour, ...]:
    held = [colour for colour, value in enumerate(values) if value]
    return tuple(sorted(sorted(held, key=lambda colour: (-values[colour], colour))[:PLUS_COLOURS]))
