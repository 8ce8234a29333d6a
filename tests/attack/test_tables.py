"""Tampering × re-chaining × re-signing × deleting through SQL, on both databases."""

from random import Random

from tests.attack.__main__ import Arena
from tests.attack.conftest import assert_nothing_wrong
from tests.attack.doors import tampered
from tests.attack.tampering import FAMILIES
from tests.attack.verdicts import Tally
from tests.attack.victim import Victim, victim_at


def fought(tally: Tally, rounds: int) -> None:
    """Every family had its turns, and most of what they did was seen."""
    tried = {
        kind: sum(tally.number(verdict, kind) for verdict in ("named", "harmless", "by design")) for kind in tally.kinds
    }
    assert len(tried) == len(FAMILIES)
    assert set(tried.values()) == {rounds}
    assert tally.number("named") > 0.6 * sum(tried.values())


def test_on_sqlite(victim: Victim) -> None:
    fought(assert_nothing_wrong(tampered(victim, Random(7), 6 * len(FAMILIES))), 6)


def test_on_postgresql(arena: Arena) -> None:
    with victim_at(arena.new_postgres(), arena.new_folder()) as victim:
        fought(assert_nothing_wrong(tampered(victim, Random(70), 3 * len(FAMILIES))), 3)
