"""Receipts: signed heads that a player can keep."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from service.errors import Damaged, UsageError
from service.files import read_file
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
    text = read_file(path, "receipt", "receipt/unreadable", missing="receipt/missing")
    try:
        receipt = msgspec.json.decode(text, type=Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged("receipt/damaged", f"{str(path)!r} is not a receipt that reads: {error}.", "", 0) from error
    if receipt.matchledger != RECEIPT:
        raise UsageError(
            "receipt/version", f"{str(path)!r} is a {receipt.matchledger!r}; this program reads {RECEIPT!r}."
        )
    return Signature(receipt.match, receipt.count, receipt.head, receipt.key, receipt.signature)
