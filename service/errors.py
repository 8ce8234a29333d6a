"""Everything the ledger refuses, with a stable code `area/reason` and a message that quotes the offending value.

LedgerError
├── UsageError        the request makes no sense: unknown game, option, seat count, malformed move   (exit 2)
│   └── FileTrouble   a file somebody named is missing, or cannot be read or written
├── Refused           the request is understood and not allowed                                      (exit 1)
│   ├── IllegalAction the rules of the game forbid it; carries the rule id
│   ├── NotFound      no such match, seat or step
│   ├── Unidentified  it takes a token, and none was brought, or one that opens nothing here
│   ├── Forbidden     the token that was brought does not allow it
│   ├── Conflict      the match moved on since the caller looked
│   └── Unavailable   the database is missing, locked, read-only, unmigrated or newer than this program
└── Damaged           stored data no longer reads, or its chain is broken                            (exit 3)
"""

import copyreg
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, ClassVar, Final

from service.limits import quoted, shortened
from service.visible import visible

LONGEST_MESSAGE: Final = 2_000
"""Messages quote what they refuse, and somebody else may have written it: so they are short, and safe to show."""


class LedgerError(Exception):
    """A refusal with a code for programs and a message for people. Nothing was appended."""

    exit_code: ClassVar[int] = 1
    heading: ClassVar[str] = "Refused"
    """What a person reads first."""

    def __init__(self, code: str, message: str) -> None:
        message = visible(shortened(message, LONGEST_MESSAGE))
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = ""
        """What could be said or done instead, on a line of its own."""
        self.choices: tuple[str, ...] = ()
        """Every word that would have been understood, where there are only so many."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Refusals come from other processes too, and what is made by its words would be made of the message alone.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class UsageError(LedgerError):
    """The request makes no sense as it stands."""

    exit_code = 2
    heading = "Not understood"


class FileTrouble(UsageError):
    """A file that was named is out of reach; the message names it and says why."""

    heading = "Out of reach"


class Refused(LedgerError):
    """The request is understood and not allowed now."""


class IllegalAction(Refused):
    """The rules forbid the action; `rule` is the id of the rule that does."""

    def __init__(self, code: str, rule: str, message: str) -> None:
        super().__init__(code, message)
        self.rule = rule


class NotFound(Refused):
    """There is no such thing in this ledger."""


class Unidentified(Refused):
    """Nobody may do this without a token, and there was none, or one that opens nothing here."""


class Forbidden(Refused):
    """Whoever asks is known and may not do this; somebody else may."""


class Conflict(Refused):
    """The head the caller expected is no longer the head."""


class Unavailable(Refused):
    """The database cannot be used as it is."""


class Damaged(LedgerError):
    """Stored data cannot be read or does not chain; names the match and the event."""

    exit_code = 3
    heading = "Damaged"

    def __init__(self, code: str, message: str, match: str, seq: int, tag: str = "?") -> None:
        super().__init__(code, message)
        self.match = match
        self.seq = seq
        self.tag = tag


def unknown(code: str, what: str, value: str, choices: Iterable[str], others: Iterable[str] = ()) -> UsageError:
    """The refusal for a word that is not among the choices, with the nearest one if there is one.

    Others are words that would have been understood too, but are not worth listing.
    """
    listed = [str(choice) for choice in choices]
    near = get_close_matches(value, listed, n=1) or get_close_matches(value.lower(), [*listed, *others], n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    refusal = UsageError(code, f"{quoted(value)} is not {what}; choose from: {', '.join(listed)}.{hint}")
    refusal.choices = tuple(listed)
    return refusal
