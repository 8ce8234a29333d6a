"""The composition root: a store with a clock, a source of secrets and a maker of ids."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from events.chain import link
from events.codec import encode
from events.core import Actor, Envelope, Event
from service.play.chance import SECRET_BYTES
from service.store.shapes import Head, Row
from service.store.store import Store
from service.trust.keys import Signer

ID_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""No i, l, o or u: nothing to misread, and `last` is never an id."""
ID_LENGTH: Final = 10

Entry = tuple[Actor, Event]


def _now() -> datetime:
    return datetime.now(UTC)


def _new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def new_id() -> str:
    """A match id: short to type by its first letters, too many to guess or to meet twice."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything the use cases need from outside."""

    store: Store
    clock: Callable[[], datetime] = _now
    new_secret: Callable[[], bytes] = _new_secret
    new_id: Callable[[], str] = new_id
    signer: Signer | None = None
    """Signs every head of a closed match; without one, nothing is signed."""


def compose(
    match: str, head: Head, steps: Sequence[Sequence[Entry]], at: datetime
) -> tuple[list[Envelope], list[Row], Head]:
    """Envelopes and rows that continue a match, one step after the other, and the head they lead to."""
    seq, step, hash_ = head.seq, head.step, head.hash
    envelopes: list[Envelope] = []
    rows: list[Row] = []
    for entries in steps:
        step += 1
        for actor, event in entries:
            seq += 1
            envelope = Envelope(match, seq, step, at, actor, event)
            data = encode(envelope)
            hash_ = link(hash_, data)
            envelopes.append(envelope)
            rows.append(Row(seq, data, hash_))
    return envelopes, rows, Head(seq=seq, step=step, hash=hash_)
