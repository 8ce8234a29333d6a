"""Chance that can be checked: a stream of numbers nobody could have steered, specified in docs/fairness.md."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count
from operator import mod
from struct import Struct
from typing import Final

from events.core import Seat
from events.match import ChanceMode, MatchOpened
from service.errors import Refused
from service.games import core
from service.games.core import Outcome, Request

SECRET_BYTES: Final = 32
_COMMITMENT: Final = b"matchledger commitment 1\n"
_SEED: Final = b"matchledger seed 1\n"
_NONCES: Final = b"matchledger nonces 1\n"
DERIVATIONS: Final = (1, 2)
"""The ways in which draws follow from a secret; a match pins one when it opens."""
_WORD: Final = 1 << 32
WORDS_IN_BLOCK: Final = 8
_WORDS: Final = Struct(f">{WORDS_IN_BLOCK}I")
_SECRETS_JUDGED: Final = 1_000
"""Secrets that are remembered with what was found out about them: every action of a match asks for it again."""


def commitment(secret: bytes) -> str:
    """What is published before the match: binds the secret and gives nothing of it away."""
    return sha256(_COMMITMENT + secret).hexdigest()


def secret_from_seed(seed: int) -> bytes:
    """The secret of a seeded match."""
    return sha256(_SEED + str(seed).encode()).digest()


@lru_cache(_SECRETS_JUDGED)
def secret_flaw(mode: ChanceMode, published: str, secret: bytes, seed: str) -> str:
    """What is wrong with the secret a match would draw from, in words that give nothing of it away; or nothing.

    It has to be the one the opening committed to, and where a seed is kept with it, it has to come from the seed.
    """
    if mode == "recorded":
        return "a secret is kept for it, though its draws come from outside"
    if len(secret) != SECRET_BYTES or commitment(secret) != published:
        return "the secret kept for its draws is not the one that event 1 committed to"
    if mode == "seeded" and not seed:
        return "no seed is kept with its secret, though its chance is seeded"
    return "" if not seed or is_seed_of(seed, secret) else "the secret kept for its draws does not come from its seed"


def is_seed_of(seed: str, secret: bytes) -> bool:
    """Whether a seed, as it is written down, leads to this secret."""
    try:
        number = int(seed)
    except ValueError:
        return False
    return str(number) == seed and secret_from_seed(number) == secret


def entropy_of(nonces: Sequence[str]) -> bytes:
    """The seats' share in the draws: one digest over all nonces in seat order, each with its length in front."""
    parts = [nonce.encode() for nonce in nonces]
    return sha256(_NONCES + b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def derivation_for(mode: ChanceMode) -> int:
    """The derivation a new match pins: the newest where chance is fair.

    A seed gives the same draws in every match, so seeded draws cannot be bound to one; recorded ones are not derived.
    """
    return DERIVATIONS[-1] if mode == "fair" else DERIVATIONS[0]


def origin_of(match: str, opened: MatchOpened) -> str:
    """The match that draws are bound to: itself, or for a fork that repeats draws the one their secret was made for."""
    parent = opened.parent
    return parent.origin or parent.match if parent is not None and parent.chance == "same-draws" else match


def context_of(match: str, opened: MatchOpened, nonces: Mapping[Seat, str]) -> bytes:
    """What all draws of a match depend on besides its secret. Refuses a derivation this program does not know."""
    entropy = entropy_of([nonces[seat] for seat in sorted(nonces)])
    if opened.derivation == 1:
        return entropy
    if opened.derivation == 2:
        return f"matchledger draw 2\n{origin_of(match, opened)}\n{opened.ruleset}\n".encode() + entropy
    raise Refused("match/derivation", f"Match {match}: {unknown_derivation(opened.derivation)}")


def unknown_derivation(derivation: int) -> str:
    """What to say of a derivation that is not among ours."""
    known = " and ".join(map(str, DERIVATIONS))
    return f"its draws follow by derivation {derivation}, which is not known here, only {known}."


@lru_cache(maxsize=100)
def _keyed(secret: bytes, context: bytes) -> hmac.HMAC:
    """HMAC over the context, which every block of a match starts from. Keyed anew for each, playouts take 5 % more."""
    return hmac.new(secret, context, "sha256")


def _block(secret: bytes, context: bytes, draw: int, block: int) -> tuple[int, ...]:
    """The eight numbers in one block of a draw."""
    keyed = _keyed(secret, context).copy()
    keyed.update((draw << 32 | block).to_bytes(12, "big"))
    return _WORDS.unpack(keyed.digest())


def words(secret: bytes, context: bytes, draw: int) -> Iterator[int]:
    """The endless stream of 32-bit numbers behind draw number `draw` (counted from 0)."""
    for block in count():
        yield from _block(secret, context, draw, block)


def answer(secret: bytes, context: bytes, draw: int, request: Request) -> Outcome:
    """The pieces drawn for a request: each one uniform over the pieces in the pool at that moment."""
    stages = request.stages
    if len(stages) == 1 and stages[0].draws == 1:
        # One piece takes one number, and one so low is never rejected: no stream and no pool of our own. Without this
        # and the block-wise way below, a playout of Coloretto takes 37 % longer.
        pool = stages[0].adds
        left = sum(pool)
        number = _block(secret, context, draw, 0)[0]
        if number <= _WORD - left:
            return Outcome((core.kind_at(pool, number % left),))
    lefts = core.lefts(request)
    numbers: list[int] = []
    for block in range(-(-len(lefts) // WORDS_IN_BLOCK)):
        numbers += _block(secret, context, draw, block)
    if max(numbers, default=0) <= _WORD - max(lefts, default=0):
        return core.draw(request, map(mod, numbers, lefts))  # so low that none is rejected, as nearly always
    return core.draw(request, _places(words(secret, context, draw), lefts))


def _places(stream: Iterator[int], lefts: Sequence[int]) -> Iterator[int]:
    """A place among so many pieces for each draw."""
    for left in lefts:
        # Numbers from the largest multiple of `left` on are rejected, so no piece is favoured.
        while (number := next(stream)) - (place := number % left) > _WORD - left:
            pass
        yield place
