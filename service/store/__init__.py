"""The ledger on disk: steps are appended whole under the head the caller saw, and stored events never change."""

from events.chain import Row
from service.store.connect import differences, open_store, upgrade_store
from service.store.shapes import LAST, Append, Appended, CommandKey, Head, MatchRow, NewMatchRow, SeatRow, Signature
from service.store.store import Store

__all__ = [
    "LAST",
    "Append",
    "Appended",
    "CommandKey",
    "Head",
    "MatchRow",
    "NewMatchRow",
    "Row",
    "SeatRow",
    "Signature",
    "Store",
    "differences",
    "open_store",
    "upgrade_store",
]
