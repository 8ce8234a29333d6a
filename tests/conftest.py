"""What tests share: a ledger on a real SQLite file with a clock that ticks and secrets that repeat."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from service.audit.judge import own_notary
from service.games.shelf import on_the_shelf
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match
from service.play.players import NewPlayer
from service.store.connect import open_store
from tests.shelf import EXAMPLES

settings.register_profile("untimed", deadline=None)  # how long a step takes says more about the machine than about us
settings.load_profile("untimed")

TWO = (NewPlayer("Ann"), NewPlayer("Ben"))
THREE = (*TWO, NewPlayer("Cleo"))


@pytest.hookimpl(optionalhook=True)  # the mutants run without xdist
def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are cores: much of the time tests wait for processes, servers and browsers."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture(scope="session", autouse=True)
def keys_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test signs with the keys of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        keys = tmp_path_factory.mktemp("user") / "keys"
        keys.mkdir(mode=0o700)
        patch.setenv("MATCHLEDGER_KEYS", str(keys))
        yield


@pytest.fixture(scope="module")
def examples_on_the_shelf() -> Iterator[None]:
    """The examples of docs/adding-a-game.md are played like the games of the shelf, in modules that ask for it."""
    with on_the_shelf(*EXAMPLES):
        yield


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty ledger to copy, because migrating takes longer than most tests."""
    path = tmp_path_factory.mktemp("migrated") / "ledger.db"
    open_store(str(path)).close()
    return path


@pytest.fixture
def ledger(tmp_path: Path, migrated_file: Path) -> Iterator[LocalLedger]:
    """A ledger whose matches are the same on every run."""
    with open_store(str(shutil.copy(migrated_file, tmp_path / "ledger.db"))) as store:
        yield make_ledger(store)


def make_ledger(store: object) -> LocalLedger:
    """A ledger with a ticking clock, repeatable secrets, readable ids and nonces."""
    ticks, numbers, ids, nonces = count(), count(), count(1), count(1)
    return LocalLedger(
        store,  # type: ignore[arg-type]
        clock=lambda: datetime(2026, 1, 2, tzinfo=UTC) + timedelta(seconds=next(ticks)),
        new_secret=lambda: sha256(str(next(numbers)).encode()).digest(),
        new_id=lambda: f"match{next(ids):05}",
        notary=own_notary(),
        new_nonce=lambda: f"nonce{next(nonces):05}",
    )


@pytest.fixture
def azul(ledger: LocalLedger) -> Callable[..., Live]:
    """Opens an Azul match for two; keywords as in `open_match`."""

    def open_azul(**keywords: object) -> Live:
        return open_match(ledger, "azul", 2, players=TWO, **keywords)  # type: ignore[arg-type]

    return open_azul


def move(ledger: LocalLedger, live: Live, times: int = 1, seed: int = 0) -> list[int]:
    """Let whoever's turn it is make random legal moves, until the match is over; the seats that moved."""
    rng = Random(seed)
    seats: list[int] = []
    for _ in range(times):
        if live.table.closed is not None:
            break
        seat = live.game.projection.to_act(live.table.state)[0]
        act(ledger, live, seat, rng.choice(list(live.game.rules.legal(live.table.state, seat))))
        seats.append(seat)
    return seats


def finish(ledger: LocalLedger, live: Live, seed: int = 0) -> Live:
    """Play a match to its end."""
    rng = Random(seed)
    while live.table.closed is None:
        move(ledger, live, seed=rng.randrange(1 << 30))
    return live
