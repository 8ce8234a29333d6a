"""Arbiters with keys that are the same on every run, and matches that are over."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import Row
from events.codec import decode, encode
from events.core import LEDGER, Envelope
from events.match import MatchClosed, MatchOpened
from service.games.azul import AZUL
from service.games.game import Game
from service.play import chance
from service.play.dealing import Secret
from service.play.evidence import Evidence
from service.play.history import History, Live, of_evidence
from service.play.ledger import LocalLedger
from service.play.matches import start
from service.play.simulate import as_append, make_plan, playout
from service.store.store import Store
from service.trust.arbiters import Arbiter
from service.trust.keys import Key
from tests.conftest import TWO
from tests.shelf import names


def private_key(name: str) -> Ed25519PrivateKey:
    """The private key of an arbiter of that name."""
    return Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())


def arbiter(name: str) -> Arbiter:
    """An arbiter of that name."""
    return Arbiter(name, Key(private_key(name), datetime(2026, 1, 1, tzinfo=UTC)))


CLEO, DORA, EVE = arbiter("Cleo"), arbiter("Dora"), arbiter("Eve")
PINNED = (CLEO.key.public, DORA.key.public)


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: int) -> None:
        """Let time pass."""
        self.now += timedelta(**time)


def ledger_with(store: Store, clock: Clock) -> LocalLedger:
    """A ledger on that clock."""
    return LocalLedger(store, clock=clock)


def closed_match(
    ledger: LocalLedger,
    seed: int = 1,
    arbiters: Sequence[str] = PINNED,
    dispute_within: int = 0,
    appeal_within: int = 0,
) -> Live:
    """An Azul match for two that is over, appended whole."""
    plan = make_plan("azul", 2, {}, ["greedy", "random"], 0)
    done = playout(AZUL, plan, seed)
    secret = Secret(chance.secret_from_seed(seed), str(seed))
    opened = MatchOpened(
        game="azul",
        ruleset=AZUL.rules.ruleset,
        seats=2,
        options=dict(plan.options),
        undo="free",
        chance="seeded",
        commitment=chance.commitment(secret.secret),
        arbiters=tuple(arbiters),
        dispute_within=dispute_within,
        appeal_within=appeal_within,
    )
    standings = tuple(AZUL.projection.standings(done.state))
    closing = MatchClosed("finished", standings, secret.secret.hex(), secret.seed)
    return start(ledger, AZUL, opened, secret, TWO, [*done.steps[:-1], [*done.steps[-1], (LEDGER, closing)]])


def played(game: Game, seed: int, seats: int | None = None, bots: Sequence[str] = ("greedy", "random")) -> History:
    """A whole match between bots as a history."""
    plan = make_plan(game.key, seats, {}, list(bots), 0)
    return history_of(game, envelopes_of(game, plan, seed))


def envelopes_of(game: Game, plan: object, seed: int) -> list[Envelope]:
    """The events of a simulated match."""
    done = playout(game, plan, seed)  # type: ignore[arg-type]
    append = as_append(game, plan, seed, done, datetime(2026, 1, 2, tzinfo=UTC))  # type: ignore[arg-type]
    return [decode(row.data) for row in append.rows]


def history_of(game: Game, envelopes: Sequence[Envelope]) -> History:
    """A history of these events, Ann, Ben and so on sitting at the table."""
    match, opened = envelopes[0].match, envelopes[0].event
    assert isinstance(opened, MatchOpened)
    rows = [Row(envelope.seq, encode(envelope), b"") for envelope in envelopes]
    called = {seat: names(opened.seats)[seat] for seat in range(1, opened.seats + 1)}
    return msgspec.structs.replace(of_evidence(Evidence(match, match, rows, len(rows), "", called)), game=game)
