"""Keys of tests, what they sign, and ledgers that sign with them."""

from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.audit.judge import judge
from service.play.notary import Notary
from service.store.shapes import Signature
from service.trust.keys import Key, head_message

STARTED = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
KEY = Key(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), STARTED)
STRANGER = Key(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))), STARTED)


def sign_head(key: Key, match: str, count: int, head: str) -> Signature:
    """A bare signature over a head, as ledgers made them before they made statements."""
    return Signature(match, count, head, key.public, key.sign(head_message(match, count, head)))


def notary_of(key: Key = KEY, former: tuple[str, ...] = ()) -> Notary:
    """Signs with a key of ours whatever audits clean."""
    return Notary(lambda: key, lambda: former, judge)
