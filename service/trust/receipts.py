"""Receipts: statements that a player can keep, so that the ledger cannot take them back."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.words import count
from service.errors import Damaged, UsageError
from service.files import read_file
from service.store.shapes import Signature
from service.trust.statements import Signed, Statement

RECEIPT: Final = "receipt/2"
_BARE_RECEIPT: Final = "receipt/1"
"""A signature over a head, as ledgers without a journal gave it; read for ever."""


class Receipt(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a player keeps: proof that the ledger held these events at some moment. The words are for people."""

    matchledger: str
    words: str
    commitment: str = ""
    """To the secret behind the draws, in full; it is in the first event, and so in the head."""
    statement: Statement


class _BareReceipt(Struct, frozen=True, forbid_unknown_fields=True):
    matchledger: str
    words: str
    match: str
    count: int
    head: str
    key: str
    signature: str


class _Any(Struct, frozen=True):
    matchledger: str


def make_receipt(statement: Statement, commitment: str) -> Receipt:
    """The receipt for a statement."""
    words = (
        f"Match {statement.match} has {count(statement.count, 'event')}, and the journal"
        f" {count(statement.place, 'entry', 'entries')}; this receipt proves it for as long as you keep it:"
        f" matchledger audit {statement.match} --receipt FILE"
    )
    return Receipt(matchledger=RECEIPT, words=words, commitment=commitment, statement=statement)


def write_receipt(receipt: Receipt) -> bytes:
    """A receipt as text: JSON, one field a line."""
    return msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n"


def read_receipt(path: Path) -> Signed:
    """What is signed in a receipt; whether the signature is good is for the audit to say."""
    text = read_file(path, "receipt", "receipt/unreadable", missing="receipt/missing")
    try:
        version = msgspec.json.decode(text, type=_Any).matchledger
        if version == RECEIPT:
            return msgspec.json.decode(text, type=Receipt).statement
        if version == _BARE_RECEIPT:
            bare = msgspec.json.decode(text, type=_BareReceipt)
            return Signature(bare.match, bare.count, bare.head, bare.key, bare.signature)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Damaged("receipt/damaged", f"{str(path)!r} is not a readable receipt: {error}.", "", 0) from error
    raise UsageError(
        "receipt/version", f"{str(path)!r} is a {version!r}; this program reads {RECEIPT!r} and {_BARE_RECEIPT!r}."
    )
