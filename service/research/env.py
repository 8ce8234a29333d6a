"""One environment over every game that is played: actions are numbers, tables are arrays, the rules are the ledger's.

What the numbers mean is told in docs/research.md.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from random import Random
from secrets import randbits
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

from events.core import Seat, Standing
from projections.core import Names
from service.bots.kinds import find_bot
from service.errors import UsageError
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import by_ruleset, find_game, known_games
from service.limits import quoted
from service.play.bots import PATIENCE
from service.play.episode import Episode
from service.play.players import NewPlayer
from service.play.simulate import Played, written
from service.store.shapes import Append

from ..games.core import Action
from ..games.encoding import Field
from .numbers import np, npt

_SEED_BITS: Final = 63
_FORMAT: Final = 1
"""Of serialized episodes."""


class Saved(Struct, frozen=True, forbid_unknown_fields=True):
    """An episode as it is kept outside: everything follows from its seeds and the numbers that were played."""

    ruleset: str
    seats: int
    options: dict[str, str]
    seeds: list[tuple[int, int]]
    """From which draw on which seed decides."""
    actions: list[int]
    format: int = _FORMAT


class Env:
    """A table that a program plays at, seat by seat; `seat` says whose turn it is.

    >>> env = matchledger.Env("azul", seats=2)
    >>> env.reset(seed=1)
    >>> rng = Random(1)
    >>> while not env.is_over:
    ...     env.step(env.ask("greedy", rng))
    >>> env.scores, env.returns()
    ((48, 53), (-1.0, 1.0))
    """

    def __init__(self, game: str, seats: int | None = None, options: Mapping[str, str] | None = None) -> None:
        self._settle(find_game(game), seats, options or {})
        self.reset(seed=0)

    def _settle(self, game: Game, seats: int | None, options: Mapping[str, str]) -> None:
        """What stays the same from episode to episode."""
        if game.encoding is None:
            played = [other.key for other in known_games() if other.encoding is not None]
            raise UsageError("research/game", f"{game.key!r} is not played here; choose from: {', '.join(played)}.")
        self.seats: int = game.rules.seats[0] if seats is None else seats
        self.options: dict[str, str] = read_options(game.rules, options, self.seats)
        """Every option with its value."""
        self.layout: tuple[Field, ...] = game.encoding.layout(self.seats, self.options)
        """What stands in an observation, from its first number on."""
        self._game = game
        self._to_act, self._legal_actions = game.projection.to_act, game.rules.legal
        self._encoding = game.encoding
        self._index = game.encoding.actions(self.seats, self.options)
        self.size: int = len(self._index)
        """How many actions there are; they are numbered from 0."""
        self._nothing = bytes(self.size)
        self._own_mask()

    def _own_mask(self) -> None:
        # The array looks at these bytes: setting them one by one takes half the time of an assignment through NumPy.
        self._marks = bytearray(self.size)
        self._mask: npt.NDArray[np.bool_] = np.frombuffer(self._marks, dtype=np.bool_)

    def reset(self, seed: int | None = None, options: Mapping[str, str] | None = None) -> None:
        """Begin anew: every draw follows from the seed, of which there is a random one if none is given.

        Options take the place of those agreed before, and what the numbers mean follows them.
        """
        if options is not None:
            self._settle(self._game, self.seats, options)
        chosen = randbits(_SEED_BITS) if seed is None else int(seed)
        self._seeds = [(0, chosen)]
        self._episode = Episode(self._game, self.seats, self.options, chosen)
        self._numbers: list[int] = []
        self._arrive()

    def _arrive(self) -> None:
        """Find out who acts in the state that was reached."""
        waiting = self._to_act(self._episode.state)
        self.seat: Seat = waiting[0] if waiting and len(self._numbers) < PATIENCE else 0
        """Whose turn it is; 0 when the episode is over."""
        self._legal: tuple[int, ...] | None = None
        """What `legal` answers, once somebody has asked in this state."""

    def __str__(self) -> str:
        lines = self._game.projection.draw(self._episode.state, Names())
        return "\n".join("".join(span.text for span in line).rstrip() for line in lines)

    # ------------------------------------------------------------------------------------------------------ looking

    @property
    def game(self) -> str:
        """The key of the game."""
        return self._game.key

    @property
    def ruleset(self) -> str:
        """The version of the rules it is played by."""
        return self._game.rules.ruleset

    @property
    def is_over(self) -> bool:
        """Whether nobody acts any more."""
        return not self.seat

    @property
    def is_given_up(self) -> bool:
        """Whether it went on for so long that it was stopped without a result."""
        return self.is_over and not self.standings

    @property
    def seed(self) -> int | None:
        """What every draw follows from; None once the draws to come were drawn anew."""
        return self._seeds[0][1] if len(self._seeds) == 1 else None

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, seat 1 first."""
        return tuple(self._game.projection.scores(self._episode.state))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The result, best first; empty while the match is on."""
        return tuple(self._game.projection.standings(self._episode.state))

    @property
    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The least and the most that each number of an observation can be."""
        sizes = [field.size for field in self.layout]
        least, most = ([getattr(field, name) for field in self.layout] for name in ("least", "most"))
        return np.repeat(np.array(least, np.float32), sizes), np.repeat(np.array(most, np.float32), sizes)

    @property
    def played(self) -> tuple[int, ...]:
        """The numbers of all actions so far."""
        return tuple(self._numbers)

    def returns(self) -> tuple[float, ...]:
        """What each seat made of it, seat 1 first: 1 for the best place, −1 for the last, evenly between.

        Those who share a place share what their places are worth, so that the sum is always 0; all are 0 until there
        is a result.
        """
        result, last = [0.0] * self.seats, max(1, self.seats - 1)
        standings = self.standings
        for standing in standings:
            sharing = sum(other.rank == standing.rank for other in standings)
            result[standing.seat - 1] = 1 - (2 * (standing.rank - 1) + sharing - 1) / last
        return tuple(result)

    def legal(self) -> tuple[int, ...]:
        """The numbers of everything the seat whose turn it is may do; none when it is over."""
        if self._legal is None:
            state = self._episode.state
            self._legal = self._index.numbers(state, self._legal_actions(state, self.seat)) if self.seat else ()
        return self._legal

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """The same as one truth value for each action. The array is used again: copy it to keep it beyond a step."""
        marks = self._marks
        marks[:] = self._nothing
        for number in self.legal():
            marks[number] = 1
        return self._mask

    def observe(self, seat: Seat | None = None) -> npt.NDArray[np.float32]:
        """Everything public as a seat sees it, by default the one whose turn it is; `layout` says what stands where."""
        viewer = (self.seat or 1) if seat is None else seat
        if not 1 <= viewer <= self.seats:
            raise UsageError("research/seat", f"There is no seat {viewer}; choose 1–{self.seats}.")
        seen = self._encoding.observe(self._episode.state, viewer)
        return np.frombuffer(bytearray(seen), dtype=np.float32)  # the bytes become the caller's own, to change at will

    # ------------------------------------------------------------------------------------------------------- acting

    def step(self, number: int) -> None:
        """Let the seat whose turn it is do this, with all that follows from it; raises IllegalAction."""
        if not self.seat:
            raise UsageError("research/over", "The episode is over; reset the environment to play another.")
        self._episode.act(self.seat, self.action(number))
        self._numbers.append(int(number))  # NumPy's are welcome
        self._arrive()

    def action(self, number: int) -> Action:
        """What a number stands for now."""
        if not 0 <= number < self.size:
            raise UsageError("research/action", f"There is no action {number}; choose 0–{self.size - 1}.")
        return self._index.action(self._episode.state, number)

    def number(self, action: Action) -> int:
        """The number of an action that is legal now."""
        with suppress(KeyError):
            return self._index.numbers(self._episode.state, [action])[0]
        raise UsageError("research/action", f"{action!r} is not an action of this table.")

    def describe(self, number: int) -> str:
        """An action as people write it."""
        return self._game.notation.write(self.action(number))

    def ask(self, bot: str, rng: Random) -> int:
        """The number of what the bot of that name would do now."""
        return self.number(find_bot(bot)(self._game, self._episode.state, self.seat, rng))

    # ------------------------------------------------------------------------------------------------- other worlds

    def clone(self) -> Self:
        """An independent copy, from which both go on alike, draws included."""
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        twin._episode, twin._numbers, twin._seeds = self._episode.copy(), self._numbers[:], self._seeds[:]
        twin._own_mask()
        return twin

    def determinize(self, rng: Random) -> Self:
        """A copy in which whatever is still to be drawn is drawn anew, from what everybody may know is left.

        Whoever thinks ahead thinks in these: a clone draws what the match itself will draw.
        """
        twin = self.clone()
        twin._draw_from(rng.getrandbits(_SEED_BITS))
        return twin

    def _draw_from(self, seed: int) -> None:
        """Let this seed decide every draw that is still to come."""
        draws = self._episode.draws
        self._episode.draw_from(seed)
        self._seeds = [*(earlier for earlier in self._seeds if earlier[0] < draws), (draws, seed)]

    def serialize(self) -> bytes:
        """The episode as bytes, from which `restore` makes the same environment again, here or anywhere else."""
        saved = Saved(self.ruleset, self.seats, self.options, self._seeds, self._numbers)
        return msgspec.json.encode(saved)

    @classmethod
    def restore(cls, data: bytes) -> Self:
        """The environment that was serialized, played by the rules it was played by then."""
        try:
            saved = msgspec.json.decode(data, type=Saved)
        except msgspec.DecodeError as error:
            raise UsageError("research/saved", f"{quoted(repr(data))} is not a serialized episode: {error}.") from error
        env = cls.__new__(cls)
        env._settle(by_ruleset(saved.ruleset), saved.seats, saved.options)
        later = dict(saved.seeds)
        if saved.format != _FORMAT or 0 not in later:
            raise UsageError("research/saved", f"Only format {_FORMAT} with its first seed is read, not {saved}.")
        env.reset(later.pop(0))
        for number in [*saved.actions, None]:
            if env._episode.draws in later:
                env._draw_from(later.pop(env._episode.draws))
            if number is not None:
                env.step(number)
        return env

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).restore, (self.serialize(),)

    # -------------------------------------------------------------------------------------------------- in a ledger

    def as_append(self, players: Sequence[NewPlayer], at: datetime) -> Append:
        """The episode as the ledger stores it: seeded or, where draws were drawn anew, as one recorded elsewhere."""
        if len(players) != self.seats:
            raise UsageError("research/players", f"{len(players)} players for {self.seats} seats; name one for each.")
        episode = self._episode
        played = Played(episode.steps, episode.state, len(self._numbers))
        return written(self._game, self.options, players, self.seed, played, at)
