"""The composition root: a store with a clock, a source of secrets and nonces, and a maker of ids."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from service.errors import UsageError
from service.limits import quoted
from service.play.chance import SECRET_BYTES
from service.store.columns import is_id
from service.store.shapes import LAST
from service.store.store import Store

if TYPE_CHECKING:  # only loaded where something is signed or a program is seated
    from service.bots.programs import Programs
    from service.play.notary import Notary

ID_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""No i, l, o or u: nothing to misread, and `last` is never an id."""
ID_LENGTH: Final = 10
NONCE_BYTES: Final = 16


def _now() -> datetime:
    return datetime.now(UTC)


def _new_secret() -> bytes:
    return os.urandom(SECRET_BYTES)


def _new_nonce() -> str:
    return os.urandom(NONCE_BYTES).hex()


def new_id() -> str:
    """A match id: short to type by its first letters, too many to guess or to meet twice."""
    return id_from(os.urandom(ID_LENGTH))


def id_from(content: bytes) -> str:
    """The match id that follows from something: the same each time, and for nothing else."""
    number = int.from_bytes(sha256(content).digest())
    return "".join(ID_LETTERS[number >> 5 * place & 31] for place in range(ID_LENGTH))


def check_id(match: str) -> None:
    """Refuse an id of a match from elsewhere that is none: it becomes the name of a file and a word of commands."""
    if not is_id(match):
        raise UsageError(
            "match/id",
            f"{quoted(match)} is not the id of a match; it has 1 to 64 letters (a to z), digits, '-' and '_', begins"
            f" with a letter or a digit, and is not {LAST!r}.",
        )


class LocalLedger(Struct, frozen=True):
    """Everything the use cases need from outside."""

    store: Store
    clock: Callable[[], datetime] = _now
    new_secret: Callable[[], bytes] = _new_secret
    new_id: Callable[[], str] = new_id
    notary: "Notary | None" = None
    """Signs what the ledger states and enters it into the journal; without one, nothing is signed."""
    new_nonce: Callable[[], str] = _new_nonce
    """The share in the draws of a person who sits down and brings none."""
    programs: "Programs | None" = None
    """Lets bots from outside play; None where whoever asks may not run programs on this machine."""
