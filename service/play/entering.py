"""Entering whole lines on a score pad: each action is a step of its own; all of them are appended, or none."""

from collections.abc import Sequence

from events.core import LEDGER, Seat
from projections.fold import advance, after
from service.errors import LedgerError
from service.games.core import Action
from service.play.appending import ANY_HEAD, Call, Decided, Entry, carry_out, check_seat, refuse_unplayable
from service.play.dealing import closing, secret_of
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.store.shapes import Appended

Entered = tuple[Seat, Action]
"""Who entered what."""


def enter(ledger: LocalLedger, live: Live, entries: Sequence[Entered], call: Call = ANY_HEAD) -> Appended:
    """Carry out several actions of a game in which chance has no part; undo takes them back one by one."""
    return carry_out(
        ledger, live, call, ("enter", entries), refuse_unplayable, lambda at: _entered(ledger, live, entries)
    )


def _entered(ledger: LocalLedger, live: Live, entries: Sequence[Entered]) -> Decided:
    game = live.game
    table = after(game.projection, live.table, ())
    steps: list[list[Entry]] = []
    for seat, action in entries:
        check_seat(live.opened, seat)
        try:
            events = game.rules.decide(table.state, seat, action)
        except LedgerError as refusal:
            if len(entries) > 1:
                refusal.hint = f"It was {game.notation.write(action)!r} that was refused; nothing was entered."
            raise
        for event in events:
            advance(game.projection, table, event)
        steps.append([(seat, event) for event in events])
    if standings := game.projection.standings(table.state):
        steps[-1].append((LEDGER, closing("finished", standings, secret_of(ledger, live))))
    return Decided(steps)
