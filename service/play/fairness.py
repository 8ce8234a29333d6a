"""Fairness in words: which seats contributed to the draws, and what follows where none did."""

from typing import Final

from events.core import Seat
from projections.fold import Table
from projections.words import joined

_GUESSABLE: Final = 1 << 64
"""Seeds below it can be found by trying them one by one."""


def contributed(table: Table) -> list[Seat]:
    """The seats whose nonce has a part in the draws and was not known when the secret was made.

    A fork keeps the nonces of its parent, so everybody knows them before it begins.
    """
    if table.opened.chance == "recorded" or table.opened.parent is not None:
        return []
    return [seat for seat, nonce in sorted(table.nonces.items()) if nonce]


def words(table: Table) -> str:
    """Which seats contributed, and what follows when none did; empty where draws are entered by hand."""
    opened = table.opened
    if opened.chance == "recorded":
        return ""
    if opened.parent is not None:
        if opened.parent.chance == "same-draws":
            return f"the draws repeat those of match {opened.parent.match}, which were public before this match began"
        return "no seat contributed a new nonce: whoever made the secret could choose among secrets before the fork"
    seats = contributed(table)
    named = f"seat{'s' * (len(seats) > 1)} {joined([str(seat) for seat in seats])} contributed a nonce" if seats else ""
    if opened.chance == "seeded":
        return "; ".join(filter(None, (named, _about_seed(table))))
    if table.status == "open":
        return f"so far {named or 'no seat contributed a nonce'}"
    nobody = "no seat contributed a nonce: whoever made the secret could choose among secrets before the match"
    return named or nobody


def _about_seed(table: Table) -> str:
    """While the match is on, nothing that tells a small seed from a large one."""
    if table.closed is None:
        return "whoever knows or guesses the seed knows every draw, and a small one is easy to guess"
    seed = table.closed.seed
    digits = seed.removeprefix("-")
    # A number longer than the limit is not even read: it may have any length.
    if digits.isdecimal() and len(digits) <= len(str(_GUESSABLE)) and int(digits) < _GUESSABLE:
        return f"the seed {seed} is easy to guess, and whoever guessed it knew every draw"
    return "whoever knew the seed knew every draw"
