"""Dealing: draws from the secret of a match, and the step that is complete with them."""

from collections.abc import Sequence
from typing import NamedTuple

from events.core import CHANCE, LEDGER, Standing
from events.match import CloseReason, MatchClosed
from projections.fold import Table, advance, after
from service.errors import Damaged, Refused, UsageError
from service.games.core import Outcome
from service.play import chance
from service.play.appending import Decided, Entry
from service.play.history import Live
from service.play.ledger import LocalLedger


class Secret(NamedTuple):
    """What the draws of a match come from."""

    secret: bytes
    seed: str = ""


def new_secret(ledger: LocalLedger, mode: str, seed: int | None) -> Secret | None:
    """The secret a new match draws from; recorded chance has none."""
    if (seed is not None) != (mode == "seeded"):
        raise UsageError("match/seed", f"A seed goes with seeded chance and nothing else; chance is {mode!r}.")
    if seed is not None:
        return Secret(chance.secret_from_seed(seed), str(seed))
    return None if mode == "recorded" else Secret(ledger.new_secret())


def secret_of(ledger: LocalLedger, live: Live) -> Secret | None:
    """The secret of a match in the ledger, held to what was committed to; recorded chance has none."""
    stored, opened = ledger.store.secret(live.id), live.opened
    if stored is None and opened.chance != "recorded":
        raise Refused(
            "match/no-secret",
            f"Match {live.id} was imported before it was over: the secret behind its draws is not in this ledger,"
            " so it cannot go on here. Fork it to play on.",
        )
    if stored is None:
        return None
    if flaw := chance.secret_flaw(opened.chance, opened.commitment, *stored):
        raise Damaged("ledger/secret", f"Match {live.id}: {flaw}; nothing is drawn from it.", live.id, 1)
    return Secret(*stored)


def owed(live: Live, table: Table, secret: Secret | None) -> list[Entry]:
    """Everything chance owes a table of this match; nothing where the outcome comes from outside."""
    return _draw(live, after(live.game.projection, table, ()), secret)


def _draw(live: Live, table: Table, secret: Secret | None) -> list[Entry]:
    """The same, written down at the table."""
    game = live.game
    entries: list[Entry] = []
    while secret is not None and game.rules.request(table.state) is not None:
        for event in game.rules.decide(table.state, CHANCE, _drawn(live, table, secret)):
            advance(game.projection, table, event)
            entries.append((CHANCE, event))
    return entries


def _drawn(live: Live, table: Table, secret: Secret) -> Outcome:
    request = live.game.rules.request(table.state)
    assert request is not None
    context = chance.context_of(live.id, table.opened, table.nonces)
    return chance.answer(secret.secret, context, table.draws, request)


def completed(live: Live, entries: list[Entry], secret: Secret | None) -> Decided:
    """A step of these entries with chance's answers and, if the game is over, the closing."""
    projection = live.game.projection
    table = after(projection, live.table, [event for _, event in entries])
    if not table.opened.confirm_reveals:
        entries = [*entries, *_draw(live, table, secret)]
    if standings := projection.standings(table.state):
        end = closing("finished", standings, secret)
        advance(projection, table, end)
        entries = [*entries, (LEDGER, end)]
    return Decided([entries], table=table)


def closing(reason: CloseReason, standings: Sequence[Standing], secret: Secret | None) -> MatchClosed:
    """The end of a match, with what its draws came from."""
    return MatchClosed(
        reason=reason,
        standings=tuple(standings),
        secret=secret.secret.hex() if secret else "",
        seed=secret.seed if secret else "",
    )
