"""How bots sit at a table: whenever it is a bot's turn, it moves."""

from random import Random
from typing import Final

from msgspec import Struct

from events.core import Seat
from projections.core import State
from service.bots.kinds import find_bot
from service.games.core import Action
from service.games.shelf import by_ruleset
from service.play.history import History, Live
from service.play.ledger import Ledger
from service.play.matches import abandon, act

PATIENCE: Final = 2000
"""Actions after which bots give a match up; real ones take a few hundred. Nothing limits the rounds (AZ-87), so bots
could go on for ever in two kinds of free-placement matches: one of `azul/1` in which no tile fits anywhere any more
(AZ-95 ends it since `azul/2`), and one in which the tiles that would fit wait in lines that nobody can complete."""

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


class Question(Struct, frozen=True):
    """What a bot is asked, with all it may know: it can be carried to where there is time to think."""

    ruleset: str
    state: State
    seat: Seat
    bot: str
    seed: str


def question_of(live: Live, seat: Seat) -> Question:
    """What the bot in that seat, whose turn it is, is to answer."""
    bot = live.seats[seat].kind.removeprefix(PREFIX)
    # Seeded by the match and its head: asked again at the same point, a bot answers the same.
    return Question(live.game.rules.ruleset, live.table.state, seat, bot, f"{live.id} {live.head.seq}")


def answer(question: Question) -> Action:
    """What the bot would do."""
    bot = find_bot(question.bot)
    return bot(by_ruleset(question.ruleset), question.state, question.seat, Random(question.seed))


def let_bot_move(ledger: Ledger, live: Live, seat: Seat) -> None:
    """One action of a bot whose turn it is."""
    act(ledger, live, seat, answer(question_of(live, seat)))
