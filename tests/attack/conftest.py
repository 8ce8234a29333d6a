"""Ledgers to attack, on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack.__main__ import Arena
from tests.attack.verdicts import Outcome, Tally
from tests.attack.victim import Victim, victim_at
from tests.postgres import running_server


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with running_server() as server:
        yield Arena(tmp_path_factory.mktemp("arena"), server)


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    """A ledger in a file; whoever changes it puts everything back."""
    folder = tmp_path_factory.mktemp("victim")
    with victim_at(str(folder / "ledger.db"), folder / "outside") as victim:
        yield victim


def assert_nothing_wrong(outcomes: Iterator[Outcome]) -> Tally:
    """Nothing missed outside the list, no traceback, no false alarm; gives the tally, to see that it was a fight."""
    tally = Tally(outcomes)
    assert not tally.wrong, "\n".join(map(str, tally.wrong))
    return tally


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key folder of its own."""
    (tmp_path / "keys").mkdir(mode=0o700)
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"
