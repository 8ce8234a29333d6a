"""A refusal as programs see it: an RFC 9457 problem document, and the way back to the refusal."""

from typing import Final

from msgspec import Struct

from service.errors import (
    Conflict,
    Damaged,
    Forbidden,
    IllegalAction,
    LedgerError,
    NotFound,
    Refused,
    Unavailable,
    Unidentified,
    UsageError,
)

_KINDS: Final = {
    kind.__name__: kind for kind in (UsageError, Refused, NotFound, Unidentified, Forbidden, Conflict, Unavailable)
}


class FieldProblem(Struct, frozen=True):
    """What is wrong with one field of a request."""

    field: str
    message: str


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Why a request was refused; nothing was changed."""

    type: str
    """`urn:matchledger:` and the code."""
    title: str
    status: int
    detail: str
    """What is wrong, with the offending value."""
    code: str
    """Stable, for programs: an area and a reason."""
    kind: str
    """The kind of refusal: UsageError, Refused, IllegalAction, NotFound, Conflict, Damaged and their like."""
    rule: str = ""
    """The rule of the game that forbids it."""
    hint: str = ""
    """What could be said or done instead."""
    choices: list[str] = []
    """Every word that would have been understood."""
    errors: list[FieldProblem] = []
    """For a request that does not read: each field with what is wrong with it."""
    head: str = ""
    """For a stale `If-Match`: the ETag of the match as it stands."""
    match: str = ""
    """For damage: the match."""
    event: int = 0
    """For damage: the event."""


def refusal_of(problem: Problem) -> LedgerError:
    """The refusal that a problem document tells of, as the use case raised it."""
    words = "; ".join(f"{wrong.field}: {wrong.message}" for wrong in problem.errors)
    message = f"{problem.detail} {words}" if words else problem.detail
    refusal: LedgerError
    if problem.kind == Damaged.__name__:
        refusal = Damaged(problem.code, message, problem.match, problem.event)
    elif problem.kind == IllegalAction.__name__:
        refusal = IllegalAction(problem.code, problem.rule, message)
    else:
        refusal = _KINDS.get(problem.kind, Refused)(problem.code, message)
    refusal.hint = problem.hint
    refusal.choices = tuple(problem.choices)
    return refusal
