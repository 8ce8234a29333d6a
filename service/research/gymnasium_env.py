"""The Gymnasium environment: one seat of a table; bots play the others."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from events.core import Seat
from service.bots.kinds import find_bot
from service.errors import Unavailable, UsageError

from .env import Env
from .numbers import np, npt

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ImportError as error:
    raise Unavailable(
        "research/gymnasium",
        "GymnasiumEnv needs Gymnasium, which is not installed here; in the repository: pip install '.[gymnasium]'",
    ) from error

ILLEGAL = -1.0
"""What an illegal action costs: as much as the last place, and the episode is over."""

Observation = npt.NDArray[np.float32]


class GymnasiumEnv(gymnasium.Env[Observation, np.int64]):
    """A match from one seat. The reward is the return at the end; `info["action_mask"]` says what is legal."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "azul",
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        bots: Sequence[str] = ("greedy",),
        seat: Seat = 1,
        render_mode: str | None = None,
    ) -> None:
        self.match = Env(game, seats, options)
        """The table itself; `matchledger.Ledger.keep` writes it down."""
        if not 1 <= seat <= self.match.seats:
            raise UsageError("research/seat", f"There is no seat {seat}; choose 1–{self.match.seats}.")
        for bot in bots:
            find_bot(bot)
        if len(bots) not in (1, self.match.seats - 1):
            rivals = self.match.seats - 1
            raise UsageError("research/bots", f"{len(bots)} bots for {rivals} other seats; name one, or one for each.")
        self._seat, self._rng = seat, Random(0)
        others = [other for other in range(1, self.match.seats + 1) if other != seat]
        self._bots = {other: bots[place % len(bots)] for place, other in enumerate(others)}
        self.render_mode = render_mode
        self.action_space = Discrete(self.match.size)
        self.observation_space = Box(*self.match.bounds, dtype=np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew; the options of the table are those it was made with, because the spaces depend on them."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(1 << 62))
        self._rng = Random(chosen)
        self.match.reset(chosen)
        self._let_bots_move()
        return self.match.observe(self._seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One action of this seat, and the others until it is its turn again."""
        number = int(action)
        if number not in self.match.legal():
            said = {"illegal": self.match.describe(number), **self._info()}
            return self.match.observe(self._seat), ILLEGAL, True, False, said
        self.match.step(number)
        self._let_bots_move()
        reward = self.match.returns()[self._seat - 1]
        is_given_up = self.match.is_given_up
        is_over = self.match.is_over and not is_given_up
        return self.match.observe(self._seat), reward, is_over, is_given_up, self._info()

    def _let_bots_move(self) -> None:
        match = self.match
        while match.seat not in (0, self._seat):
            match.step(match.ask(self._bots[match.seat], self._rng))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "scores": self.match.scores}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """What is legal now, as maskable agents and `Discrete.sample` ask for it."""
        return self.match.legal_mask().astype(np.int8)

    def render(self) -> str | None:
        """The table as text."""
        return str(self.match) if self.render_mode == "ansi" else None


gymnasium.register("matchledger/Seat-v0", entry_point=GymnasiumEnv)  # type: ignore[arg-type]
