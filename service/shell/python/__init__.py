"""What people who write Python meet: ledgers and matches as objects. `import matchledger` offers exactly these names.

Thin on purpose: everything here is a use case of the rooms below, called with what a Python program has at hand. The
types that such a program sees are imported relatively, because a type checker that reads the installed package knows
nothing of the names the rooms have at run time.
"""

from typing import TYPE_CHECKING, Any

from ...audit.bulk import Batch
from ...audit.report import Report, Verdict
from ...errors import (
    Conflict,
    Damaged,
    FileTrouble,
    IllegalAction,
    LedgerError,
    NotFound,
    Refused,
    Unavailable,
    UsageError,
)
from ...games.core import Action
from ...games.options import Option
from .ledger import Ledger, audit, games, open
from .match import Match, Position
from .values import Decision, Game, Hint, Place, Points, Review

if TYPE_CHECKING:
    from .. import requests as requests
    from ..client import Client as Client

__all__ = [
    "Action",
    "Batch",
    "Conflict",
    "Damaged",
    "Decision",
    "FileTrouble",
    "Game",
    "Hint",
    "IllegalAction",
    "Ledger",
    "LedgerError",
    "Match",
    "NotFound",
    "Option",
    "Place",
    "Points",
    "Position",
    "Refused",
    "Report",
    "Review",
    "Unavailable",
    "UsageError",
    "Verdict",
    "audit",
    "games",
    "open",
]


def __getattr__(name: str) -> Any:
    """The client of a server and what it sends: loaded when somebody asks, because most never do."""
    if name == "Client":
        from ..client import Client

        return Client
    if name == "requests":
        from .. import requests

        return requests
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
