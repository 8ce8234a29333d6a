"""Files in other people's hands: exports, receipts, the database file itself, and everything that is read."""

from random import Random

from tests.attack.conftest import assert_nothing_wrong
from tests.attack.exports import changed_exports, changed_receipts
from tests.attack.files import flipped
from tests.attack.readers import fuzzed
from tests.attack.victim import Victim


def test_changed_exports(victim: Victim) -> None:
    tally = assert_nothing_wrong(changed_exports(victim, Random(1), 160))
    assert tally.number("named") > 100


def test_changed_receipts(victim: Victim) -> None:
    assert assert_nothing_wrong(changed_receipts(victim, Random(2), 60)).number("named") > 30


def test_flipped_bytes(victim: Victim) -> None:
    tally = assert_nothing_wrong(flipped(victim, Random(3), 24))
    assert tally.number("named") >= 5


def test_every_reader(victim: Victim) -> None:
    tally = assert_nothing_wrong(fuzzed(victim, Random(4), 550))
    assert len(tally.kinds) == 11
    assert tally.number("named") > 200
