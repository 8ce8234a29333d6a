"""What people who write Python meet: ledgers and matches as objects. `import matchledger` offers exactly these names.

Thin on purpose: everything here is a use case of the rooms below, called with what a Python program has at hand. The
types that such a program sees are imported relatively, because a type checker that reads the installed package knows
nothing of the names the rooms have at run time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

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
from .ledger import Ledger, audit, connect, games, open
from .match import Match
from .position import Position
from .values import Decision, GameInfo, Hint, Place, Points, Review

if TYPE_CHECKING:
    from ...research.env import Env as Env
    from ...research.gymnasium_env import GymnasiumEnv as GymnasiumEnv
    from ...research.pettingzoo_env import PettingZooEnv as PettingZooEnv
    from ...research.vector import VectorEnv as VectorEnv

__all__ = [
    "Action",
    "Batch",
    "Conflict",
    "Damaged",
    "Decision",
    "FileTrouble",
    "GameInfo",
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
    "connect",
    "games",
    "open",
]


_LATE: Final = {
    "Env": "service.research.env",
    "GymnasiumEnv": "service.research.gymnasium_env",
    "PettingZooEnv": "service.research.pettingzoo_env",
    "VectorEnv": "service.research.vector",
}
"""Where those names are found that most programs never ask for: what takes NumPy."""


def __getattr__(name: str) -> Any:
    """What is loaded when somebody asks."""
    if name in _LATE:
        return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
