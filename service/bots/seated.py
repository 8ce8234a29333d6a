"""Bots that sit at a table: whenever it is a bot's turn, it moves."""

from random import Random

from events.core import Seat
from service.bots.core import PATIENCE, find_bot
from service.ledger import Ledger
from service.matches import abandon, act
from service.replay import Live

PREFIX = "bot:"


def is_bot(live: Live, seat: Seat) -> bool:
    """Whether a program sits there."""
    return seat in live.seats and live.seats[seat].kind.startswith(PREFIX)


def let_bots_move(ledger: Ledger, live: Live) -> int:
    """Let the bots act until a person must or the match is over; the number of actions they took."""
    actions = 0
    while live.table.closed is None and live.table.is_full:
        bots = [seat for seat in live.game.projection.to_act(live.table.state) if is_bot(live, seat)]
        if not bots:
            break
        if actions == PATIENCE:
            abandon(ledger, live)
            break
        seat = bots[0]
        bot = find_bot(live.seats[seat].kind.removeprefix(PREFIX))
        # Seeded by the match and its head: asked again at the same point, a bot answers the same.
        rng = Random(f"{live.id} {live.head.seq}")
        act(ledger, live, seat, bot(live.game, live.table.state, seat, rng))
        actions += 1
    return actions
