"""Kills, copies made in the middle of writing, and audits while others write."""

from pathlib import Path
from random import Random

import pytest

from tests.attack.__main__ import Arena
from tests.attack.conftest import assert_nothing_wrong
from tests.attack.processes import killed, raced, snapshots

pytestmark = pytest.mark.usefixtures("keys")


@pytest.mark.parametrize("where, kills", [("sqlite", 3), ("postgres", 2)])
def test_killed_at_work(arena: Arena, where: str, kills: int) -> None:
    assert_nothing_wrong(killed(getattr(arena, f"new_{where}"), Random(1), kills))


def test_copied_at_work(arena: Arena, tmp_path: Path) -> None:
    assert_nothing_wrong(snapshots(arena.new_sqlite, tmp_path, Random(2), 5))


@pytest.mark.parametrize("where", ["sqlite", "postgres"])
def test_audited_at_work(arena: Arena, where: str) -> None:
    tally = assert_nothing_wrong(raced(getattr(arena, f"new_{where}"), Random(3), 60))
    assert tally.number("harmless") == 60
