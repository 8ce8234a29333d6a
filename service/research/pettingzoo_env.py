"""The PettingZoo environment: a whole table; agents act one after the other."""

from collections.abc import Mapping
from random import Random
from typing import Any

from service.errors import Unavailable

from .env import Env
from .numbers import np

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
except ImportError as error:
    raise Unavailable(
        "research/pettingzoo",
        "PettingZooEnv needs PettingZoo, which is not installed here; in the repository: pip install '.[pettingzoo]'",
    ) from error


class PettingZooEnv(AECEnv):  # type: ignore[misc]
    """A match of agents `seat_1`, `seat_2`, …; what is legal is the `action_mask` of an observation."""

    def __init__(
        self,
        game: str = "azul",
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.match = Env(game, seats, options)
        """The table itself; `matchledger.Ledger.keep` writes it down."""
        name = f"matchledger_{self.match.game}_v0"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self.match.seats + 1)]
        seen: dict[str, Space[Any]] = {
            "observation": Box(*self.match.bounds, dtype=np.float32),
            "action_mask": Box(0, 1, (self.match.size,), np.int8),
        }
        self.observation_spaces = {agent: Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.match.size) for agent in self.possible_agents}
        self._seeds = Random()

    def observation_space(self, agent: str) -> Any:
        """What the agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What the agent can try."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin anew; the options of the table are those it was made with, because the spaces depend on them."""
        if seed is not None:
            self._seeds.seed(seed)
        self.match.reset(self._seeds.getrandbits(62))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.match.seat - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees; nothing is legal for those whose turn it is not."""
        seat = self.possible_agents.index(agent) + 1
        mask = self.match.legal_mask() & (seat == self.match.seat)
        return {"observation": self.match.observe(seat), "action_mask": mask.astype(np.int8)}

    def step(self, action: Any) -> None:
        """One action of the agent whose turn it is; raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.match.step(action)
        if self.match.is_over:
            given_up = self.match.is_given_up
            self.rewards = dict(zip(self.agents, self.match.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, not given_up)
            self.truncations = dict.fromkeys(self.agents, given_up)
        else:
            self.agent_selection = self.agents[self.match.seat - 1]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table as text."""
        return str(self.match) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
