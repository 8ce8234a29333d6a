"""What tests of records share: two ledgers, so that a match can be carried from one to the other."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest

from service.play.ledger import LocalLedger
from service.store.connect import open_store
from tests.conftest import make_ledger


@pytest.fixture
def jumpy(ledger: LocalLedger) -> LocalLedger:
    """A ledger whose clock gives microseconds, stands still at times and even goes back."""
    rng = Random(4)
    moment = [datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)]

    def clock() -> datetime:
        moment[0] += timedelta(microseconds=rng.choice([0, 1, 10, 1_000_000, 61_500_000, -2_000_001]))
        return moment[0]

    return LocalLedger(
        ledger.store, clock=clock, new_secret=ledger.new_secret, new_id=ledger.new_id, notary=ledger.notary
    )


@pytest.fixture
def other(tmp_path: Path, migrated_file: Path) -> Iterator[LocalLedger]:
    """Another ledger, in another file."""
    with open_store(str(shutil.copy(migrated_file, tmp_path / "other.db"))) as store:
        made, ids = make_ledger(store), count(1)
        yield LocalLedger(store, made.clock, made.new_secret, new_id=lambda: f"other{next(ids):05}", notary=made.notary)


@pytest.fixture(scope="session")
def examples() -> Path:
    """The records in the documentation."""
    return Path(__file__).parents[2] / "docs" / "examples"
