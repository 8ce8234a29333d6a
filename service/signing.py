"""Signed heads at work: the ledger's own signer, signatures on export, and receipts a player can keep."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from service.errors import Damaged, NotFound, UsageError
from service.evidence import Evidence
from service.keys import key_folder, known_keys, load_server_key, sign_head
from service.ledger import Ledger, Signer
from service.store.shapes import Signature

RECEIPT: Final = "receipt/1"


class Receipt(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player keeps: proof that the ledger held these events at some moment. The words are for people."""

    matchledger: str
    words: str
    match: str
    count: int
    head: str
    key: str
    signature: str


def server_signer(folder: Path | None = None) -> Signer:
    """Signs with the key of this ledger, which is loaded, and made if there is none, when it is first needed."""

    def sign(match: str, count: int, head: str) -> Signature:
        return sign_head(load_server_key(folder), match, count, head)

    return sign


def sign_present_head(ledger: Ledger, evidence: Evidence) -> Evidence:
    """The same evidence with the head signed and the signature stored; as it was when the ledger does not sign."""
    if ledger.signer is None or not evidence.rows:
        return evidence
    signature = ledger.signer(evidence.match, evidence.count, evidence.head)
    ledger.store.sign([signature], ledger.clock())
    if signature in evidence.signatures:
        return evidence
    return msgspec.structs.replace(evidence, signatures=[*evidence.signatures, signature])


def write_receipt(signature: Signature) -> bytes:
    """A receipt as text: JSON, one field a line."""
    words = (
        f"Match {signature.match} has {signature.count} events; this receipt proves it for as long as you keep it: "
        f"matchledger audit {signature.match} --receipt FILE"
    )
    receipt = Receipt(
        RECEIPT, words, signature.match, signature.count, signature.head, signature.key, signature.signature
    )
    return msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n"


def read_receipt(path: Path) -> Signature:
    """The signed head in a receipt; whether the signature is good is for the audit to say."""
    try:
        receipt = msgspec.json.decode(path.read_bytes(), type=Receipt)
    except FileNotFoundError as error:
        raise NotFound("receipt/missing", f"There is no receipt {str(path)!r}.") from error
    except OSError as error:
        raise UsageError("receipt/unreadable", f"Receipt {str(path)!r} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged("receipt/damaged", f"{str(path)!r} is not a receipt that reads: {error}.", "", 0) from error
    if receipt.matchledger != RECEIPT:
        raise UsageError(
            "receipt/version", f"{str(path)!r} is a {receipt.matchledger!r}; this program reads {RECEIPT!r}."
        )
    return Signature(receipt.match, receipt.count, receipt.head, receipt.key, receipt.signature)


def own_public_keys(folder: Path | None = None) -> Sequence[str]:
    """The public keys this ledger has signed with, present and retired; none where it never signed."""
    return [key.public for key in known_keys(folder)] if key_folder(folder).is_dir() else []
