"""The bots every game has, and how they sit at a table: whenever it is a bot's turn, it moves."""

from collections.abc import Callable
from random import Random
from typing import Final

from events.core import Seat
from projections.core import State
from service.errors import unknown
from service.games.core import Action
from service.games.game import Game
from service.play.history import History, Live
from service.play.ledger import Ledger
from service.play.matches import abandon, act

PATIENCE: Final = 2000
"""Actions after which bots give a match up; real ones take a few hundred. Nothing limits the rounds (AZ-87), so bots
could go on for ever in two kinds of free-placement matches: one of `azul/1` in which no tile fits anywhere any more
(AZ-95 ends it since `azul/2`), and one in which the tiles that would fit wait in lines that nobody can complete."""

Bot = Callable[[Game, State, Seat, Random], Action]


def random_bot(game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """Any legal action, each as likely as the next."""
    actions = game.rules.legal(state, seat)
    return actions[int(rng.random() * len(actions))]


def greedy_bot(game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """The action with the best immediate change of score, penalties included; equals are drawn by lot."""
    actions = game.rules.legal(state, seat)
    values = [game.estimate(state, seat, action) for action in actions]
    best = max(values)
    candidates = [action for action, value in zip(actions, values, strict=True) if value == best]
    return candidates[int(rng.random() * len(candidates))]


BOTS: Final[dict[str, Bot]] = {"random": random_bot, "greedy": greedy_bot}


def find_bot(name: str) -> Bot:
    """The bot of that name, or a refusal listing the choices."""
    if name not in BOTS:
        raise unknown("bot/unknown", "a bot", name, BOTS)
    return BOTS[name]


# ---------------------------------------------------------------------------------------------------------- at a table

PREFIX = "bot:"


def is_bot(live: History, seat: Seat) -> bool:
    """Whether a program sits there."""
    return seat in live.seats and live.seats[seat].kind.startswith(PREFIX)


def let_bots_move(ledger: Ledger, live: Live, patience: int = PATIENCE) -> int:
    """Let the bots act until a person must or the match is over; the number of actions they took."""
    actions = 0
    while (seat := bot_to_act(live)) is not None:
        if actions == patience:
            abandon(ledger, live)
            break
        let_bot_move(ledger, live, seat)
        actions += 1
    return actions


def bot_to_act(live: History) -> Seat | None:
    """The seat of the bot whose turn it is; None where a person must act or chance is awaited, and when it is over."""
    if live.table.closed is not None or not live.table.is_full:
        return None
    return next((seat for seat in live.game.projection.to_act(live.table.state) if is_bot(live, seat)), None)


def let_bot_move(ledger: Ledger, live: Live, seat: Seat) -> None:
    """One action of a bot whose turn it is."""
    bot = find_bot(live.seats[seat].kind.removeprefix(PREFIX))
    # Seeded by the match and its head: asked again at the same point, a bot answers the same.
    rng = Random(f"{live.id} {live.head.seq}")
    act(ledger, live, seat, bot(live.game, live.table.state, seat, rng))
