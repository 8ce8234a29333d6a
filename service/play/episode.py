"""A match in memory, one action after the other: same rules, same events, every draw decided by its seed."""

from collections.abc import Mapping

from events.core import CHANCE, Seat
from service.games.core import Action, Request
from service.games.game import Game
from service.play import chance
from service.play.appending import Entry


class Episode:
    """A match as it is played, with its steps as the ledger would store them."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, str], seed: int) -> None:
        self.game = game
        self.state = game.projection.lay_out(seats, options)
        self.steps: list[list[Entry]] = []
        """The steps of play, the setup first where there is anything to set up."""
        self.draws = 0
        """What chance has answered so far."""
        self._apply, self._request, self._decide = game.projection.apply, game.rules.request, game.rules.decide
        self._enact = game.rules.enact
        self._context = chance.entropy_of([""] * seats)
        self.draw_from(seed)
        setup: list[Entry] = []
        if (wanted := self._request(self.state)) is not None:
            self._draw(wanted, setup)
            self.steps.append(setup)

    def draw_from(self, seed: int) -> None:
        """Let every draw from here on follow from this seed."""
        self._secret = chance.secret_from_seed(seed)

    def act(self, seat: Seat, action: Action) -> None:
        """One step: the action of a seat and all that follows, chance included. Raises IllegalAction."""
        state, apply, enact = self.state, self._apply, self._enact
        entries: list[Entry] = []
        for event in (enact or self._decide)(state, seat, action):
            if enact is None:
                apply[type(event)](state, event)
            entries.append((seat, event))
        if (wanted := self._request(state)) is not None:
            self._draw(wanted, entries)
        self.steps.append(entries)

    def _draw(self, wanted: Request | None, entries: list[Entry]) -> None:
        """Everything chance owes now, written down at the table and behind the entries of a step."""
        state, apply = self.state, self._apply
        while wanted is not None:
            outcome = chance.answer(self._secret, self._context, self.draws, wanted)
            for event in self._decide(state, CHANCE, outcome):
                apply[type(event)](state, event)
                entries.append((CHANCE, event))
            self.draws += 1
            wanted = self._request(state)

    def copy(self) -> "Episode":
        """An independent copy, from which both go on alike."""
        twin = Episode.__new__(Episode)
        vars(twin).update(vars(self))
        twin.state, twin.steps = self.game.projection.copy(self.state), self.steps[:]
        return twin
