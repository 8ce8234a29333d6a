"""Attacks on the tables: tampering × re-chaining × re-signing × deleting, all families of them in turn."""

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Final

from tests.attack.meddling import (
    cells,
    journal_cut,
    journal_meddled_with,
    match_rows,
    matches_swapped,
    outside_the_chain,
    secrets,
    whole_matches,
)
from tests.attack.rewriting import (
    chained_anew,
    entries_deleted,
    left_as_it_is,
    signed_by_a_stranger,
    signed_by_the_owner,
)
from tests.attack.scene import Attack, Family, Scene
from tests.attack.sealing import sealed_over

FAMILIES: Final[tuple[Family, ...]] = (
    left_as_it_is,
    chained_anew,
    entries_deleted,
    signed_by_a_stranger,
    signed_by_the_owner,
    journal_meddled_with,
    journal_cut,
    whole_matches,
    match_rows,
    secrets,
    matches_swapped,
    outside_the_chain,
    cells,
    sealed_over,
)


def attacks(scene: Scene, rng: Random) -> Iterator[Attack]:
    """Attacks without end, of all families in turn; those of a family that has no more to give are made anew."""
    running = {family: family(scene, rng) for family in FAMILIES}
    for family in cycle(FAMILIES):
        attack = next(running[family], None)
        if attack is None:
            running[family] = family(scene, rng)
            attack = next(running[family])
        yield attack
