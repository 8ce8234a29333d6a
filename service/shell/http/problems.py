"""Refusals as RFC 9457 problem documents, with our stable codes; and what every route may be refused with."""

import logging
import re
from math import ceil
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import HTTP_412_PRECONDITION_FAILED

from service.audit.blame import unsound
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
from service.limits import shortened
from service.play.evidence import from_store
from service.shell.answers.refusals import FieldProblem, Problem
from service.shell.http.rendering import rendered
from service.visible import visible, visible_json

_LOG: Final = logging.getLogger("matchledger")
MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 2
"""After which it is worth trying again when the database is away."""


_STATUS: Final[tuple[tuple[type[LedgerError], int], ...]] = (
    (Damaged, 500),
    (Unavailable, 503),
    (NotFound, 404),
    (Unidentified, 401),
    (Forbidden, 403),
    (IllegalAction, 422),
    (Conflict, 409),
    (Refused, 409),
    (UsageError, 400),
)


class Stale(Conflict):
    """The head that a request named with If-Match is no longer the head; carries the ETag of the present one."""

    def __init__(self, conflict: Conflict, head: str) -> None:
        super().__init__(conflict.code, conflict.message)
        self.head = head


class TooMany(Refused):
    """More than one may ask for; carries the seconds after which it may be tried again."""

    def __init__(self, code: str, message: str, after: float) -> None:
        super().__init__(code, message)
        self.after = after


def problem_of(error: LedgerError) -> Problem:
    """A refusal as a document."""
    if isinstance(error, Stale):
        status = HTTP_412_PRECONDITION_FAILED
    elif isinstance(error, TooMany):
        status = 429
    else:
        status = next(status for kind, status in _STATUS if isinstance(error, kind))
    kind = next(known for known in type(error).__mro__ if known.__module__ == LedgerError.__module__)
    return Problem(
        type=f"urn:matchledger:{error.code}",
        title=error.heading,
        status=status,
        detail=error.message,
        code=error.code,
        kind=kind.__name__,
        rule=error.rule if isinstance(error, IllegalAction) else "",
        hint=visible(error.hint),
        choices=list(error.choices),
        head=error.head if isinstance(error, Stale) else "",
        match=error.match if isinstance(error, Damaged) else "",
        event=error.seq if isinstance(error, Damaged) else 0,
    )


def answer_with(problem: Problem, headers: dict[str, str] | None = None) -> Response[bytes]:
    """A problem as a response."""
    extra = dict(headers or {})
    if problem.status == 401:
        extra["WWW-Authenticate"] = "Bearer"
    if problem.status == 503:
        extra["Retry-After"] = str(RETRY_SECONDS)
    if problem.head:
        extra["ETag"] = problem.head
    content = visible_json(msgspec.json.encode(problem).decode()).encode()
    return Response(content, status_code=problem.status, media_type=MEDIA_TYPE, headers=extra)


def refused(error: LedgerError) -> Response[bytes]:
    """A refusal as a response."""
    return answer_with(problem_of(error), _waiting(error))


def _waiting(error: LedgerError) -> dict[str, str]:
    return {"Retry-After": str(max(1, ceil(error.after)))} if isinstance(error, TooMany) else {}


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Whether a browser asks for something to look at; programs, and modules of our pages, get documents."""
    return "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith("/api/")


def _answer_to(
    request: Request[Any, Any, Any], problem: Problem, headers: dict[str, str] | None = None
) -> Response[bytes]:
    """A problem as a response; to a browser a page: what is wrong, and where to go from here."""
    response = answer_with(problem, headers)
    if wants_page(request):
        title, words = problem.title, problem.detail
        if problem.code == "http/404":
            title, words = "There is no such page", "The address is mistyped, or what was there is gone."
        response.content = rendered(request, "problem.html", title=title, words=words)
        response.media_type = "text/html; charset=utf-8"
    return response


def on_refusal(request: Request[Any, Any, Any], error: LedgerError) -> Response[bytes]:
    """One of our own refusals."""
    return _answer_to(request, problem_of(error), _waiting(error))


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What Litestar refuses before a handler sees it."""
    status = error.status_code
    errors = _fields(error) if isinstance(error, ValidationException) else []
    detail = "; ".join(f"{wrong.field}: {wrong.message}" for wrong in errors) or error.detail
    problem = Problem(
        type=f"urn:matchledger:http/{status}",
        title="Not understood" if status < 500 else "Failed",
        status=status,
        detail=visible(shortened(detail, 500)),
        code=f"http/{status}",
        kind="NotFound" if status == 404 else "UsageError",
        errors=errors,
    )
    headers = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    return _answer_to(request, problem, headers)


_NAMED: Final = re.compile(r"field `([^`]+)`")
"""How a message names a field that is missing, or one that nobody knows."""


def _fields(error: ValidationException) -> list[FieldProblem]:
    found = []
    for extra in error.extra if isinstance(error.extra, list) else []:
        if isinstance(extra, dict):
            message = visible(shortened(str(extra.get("message", "")), 500))
            named = _NAMED.search(message)
            found.append(FieldProblem(named[1] if named else visible(str(extra.get("key", ""))), message))
    return found


def on_failure(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Whatever nobody foresaw: the fault of a match that does not audit clean, or our own."""
    _LOG.error("failed", exc_info=error, extra={"path": visible(request.scope["path"])})
    if (damage := _blamed(request, error)) is not None:
        return on_refusal(request, damage)
    message = "Something went wrong here; the log of the service has it under the id of this request."
    problem = Problem(
        type="urn:matchledger:http/500", title="Failed", status=500, detail=message, code="http/500", kind="Refused"
    )
    return _answer_to(request, problem)


def _blamed(request: Request[Any, Any, Any], error: Exception) -> Damaged | None:
    match = request.path_params.get("match")
    if match is None:
        return None
    try:
        return unsound(from_store(request.app.state.ledger.store, match), error)
    except LedgerError:
        return None


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """What a route may be refused with, for the OpenAPI document."""
    words = {
        400: "The request does not read, or makes no sense as it stands.",
        401: "It takes a token, and none was sent, or one that opens nothing here.",
        403: "The token sent does not allow it.",
        404: "There is no such thing, or it is private.",
        409: "The request is understood and not allowed now.",
        412: "The match has moved on since the head named with If-Match.",
        413: "The body is larger than this route takes.",
        415: "The body is of another media type than this route takes.",
        422: "The rules of the game forbid it.",
        429: "Too many requests, or too many streams; Retry-After says when to come back.",
        500: "What is stored does not read, or we made a mistake.",
        503: "The database is away; Retry-After says when to come back.",
    }
    always = (400, 429, 500, 503)
    unchanged = {304: ResponseSpec(None, description="It is still as you know it.")} if 304 in statuses else {}
    return unchanged | {
        status: ResponseSpec(Problem, generate_examples=False, description=words[status], media_type=MEDIA_TYPE)
        for status in sorted({*always, *statuses} - {304})
    }
