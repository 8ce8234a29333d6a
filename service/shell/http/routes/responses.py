"""What every route of a match goes through: who asks, the match they ask about, and the answer that is sent."""

from collections.abc import Awaitable, Callable, Sequence
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, PathParameter, QueryParameter

from events.core import Seat
from service.errors import Conflict, LedgerError
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.shell.answers.match import told
from service.shell.answers.service import Done
from service.shell.http.access import Access, access, read_token
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.match_cache import AnswerKey, CachedMatch
from service.shell.http.metrics import steps
from service.shell.http.problems import Stale, refusals
from service.shell.http.routes.guards import Guard
from service.shell.http.served_ledger import ServedLedger
from service.store.shapes import Appended
from service.trust.receipts import Receipt
from service.visible import visible_json

Answer = TypeVar("Answer")
JSON: Final = "application/json"
ANSWERS_KEPT: Final = 32
"""Answers made from one match at one head that are kept ready."""

MatchId = Annotated[str, PathParameter(description="The id of a match, whole.", max_length=64)]
SeatNumber = Annotated[int, PathParameter(description="A seat; 0 where a role has none.", ge=0, le=99)]
IfNoneMatch = Annotated[
    str | None,
    HeaderParameter(name="If-None-Match", description="An ETag; 304 when it is still the one.", max_length=2000),
]
At = Annotated[
    str | None,
    QueryParameter(name="at", description="As it stood after event 57, or after step s12.", max_length=20),
]


def ledger_of(request: BoundedRequest) -> ServedLedger:
    """The ledger of the application."""
    served: ServedLedger = request.app.state.ledger
    return served


async def access_to(request: BoundedRequest, match: str) -> Access:
    """What whoever asks may do in a match; refused if that is nothing at all."""
    served = ledger_of(request)
    grants = await served.tokens.grants(match)
    return access(match, grants, read_token(request.headers.get("authorization")))


def encoded(value: Any) -> bytes:
    """A value as JSON in which every character can be seen."""
    data = msgspec.json.encode(value)
    return data if data.isascii() and b"\x7f" not in data else visible_json(data.decode()).encode()


def sent(value: Answer, etag: str = "", status: int = 200) -> Response[Answer]:
    """A value as a response."""
    return _response(encoded(value), etag, status)


def _response(data: bytes, etag: str, status: int) -> Response[Any]:
    return Response(data, media_type=JSON, status_code=status, headers={"ETag": etag} if etag else None)


def is_known(if_none_match: str | None, etag: str) -> bool:
    """Whether whoever asks has seen it already."""
    if not if_none_match:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return etag in tags or "*" in tags


async def looked_at(
    request: BoundedRequest, match: str, if_none_match: str | None, key: AnswerKey, make: Callable[[Live], Answer]
) -> Response[Answer]:
    """An answer made from a match, once for each head; nothing for whoever has it already."""

    async def made(live: Live) -> Answer:
        return make(live)

    return await looked_up(request, match, if_none_match, key, made)


async def looked_up(
    request: BoundedRequest,
    match: str,
    if_none_match: str | None,
    key: AnswerKey,
    make: Callable[[Live], Awaitable[Answer]],
) -> Response[Answer]:
    """The same for an answer that needs something else of the store."""

    async def encode(live: Live) -> bytes:
        return encoded(await make(live))

    data, etag = await kept_ready(request, match, if_none_match, key, encode)
    return unchanged(etag) if data is None else _response(data, etag, 200)


LookedAt = Callable[[BoundedRequest, str, str | None, AnswerKey, Callable[[Live], Any]], Awaitable[Response[Any]]]
"""Answers with what is made of a match, in the form it is sent in: `looked_at` does it in JSON."""


def question(
    path: str, *statuses: int, summary: str, look_at: LookedAt = looked_at, is_page: bool = False
) -> Callable[[Callable[..., Any]], HTTPRouteHandler]:
    """The route of a question about a match: a function answers it from the match and from what was asked besides."""

    def handler(make: Callable[..., Any]) -> HTTPRouteHandler:
        async def respond(
            request: BoundedRequest, match: str, if_none_match: str | None, **asked: Any
        ) -> Response[Any]:
            key = (make.__name__, *(asked[one.name] for one in own))
            return await look_at(request, match, if_none_match, key, lambda live: make(live, **asked))

        seen = signature(make)
        _, *own = seen.parameters.values()
        takes = [
            parameter("request", BoundedRequest),
            parameter("match", MatchId),
            *(parameter(one.name, one.annotation, one.default) for one in own),
            parameter("if_none_match", IfNoneMatch, None),
        ]
        answer: Any = Any if is_page else seen.return_annotation
        made: HTTPRouteHandler = get(
            f"/matches/{{match:str}}{path}",
            responses=refusals(304, 401, 404, *statuses),
            media_type="text/html" if is_page else None,
            summary=summary,
        )(presented_as(respond, make.__name__, make.__doc__, takes, Response[answer]))
        return made

    return handler


def parameter(name: str, annotation: Any, default: Any = Parameter.empty) -> Parameter:
    """Something that a route takes."""
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def presented_as(
    respond: Callable[..., Any], name: str, about: str | None, parameters: Sequence[Parameter], answer: Any
) -> Callable[..., Any]:
    """A function as Litestar is to see it, which reads what a route takes and gives from the signature."""
    respond.__name__, respond.__doc__ = name, about
    respond.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": answer}
    respond.__signature__ = Signature(parameters, return_annotation=answer)  # type: ignore[attr-defined]
    return respond


async def kept_ready(
    request: BoundedRequest,
    match: str,
    if_none_match: str | None,
    key: AnswerKey,
    make: Callable[[Live], Awaitable[bytes]],
) -> tuple[bytes | None, str]:
    """The bytes of an answer made from a match, and its ETag; None for whoever has it already."""
    await access_to(request, match)
    served = ledger_of(request)
    if if_none_match:
        etag = await served.etag(match)
        if is_known(if_none_match, etag):
            return None, etag
    cached = await served.look(match)
    served.wake_bots(cached)
    data = cached.answers.get(key)
    if data is None:
        if len(cached.answers) >= ANSWERS_KEPT:
            cached.answers.clear()
        data = cached.answers[key] = await make(cached.live)
    return data, cached.etag


def unchanged(etag: str) -> Response[Any]:
    """That whoever asks has it already."""
    return Response(None, status_code=304, headers={"ETag": etag})


async def changed(
    request: BoundedRequest, match: str, what: str, guards: Guard, work: Callable[[LocalLedger, Live], Appended]
) -> tuple[CachedMatch, Appended]:
    """Carry out a request that adds to a match."""
    served = ledger_of(request)
    try:
        cached, appended = await served.change(match, work)
    except LedgerError as error:
        steps(what, error.code).inc()
        if isinstance(error, Conflict) and guards.head is not None:
            raise Stale(error, await served.etag(match)) from error
        raise
    steps(what, "repeated" if appended.repeated else "done").inc()
    return cached, appended


def done(
    cached: CachedMatch, appended: Appended, seat: Seat = 0, token: str = "", receipt: Receipt | None = None
) -> Response[Done]:
    """What a request did, as a response."""
    live = cached.live
    table, projection, envelopes = live.table, live.game.projection, live.envelopes
    status = table.status
    answer = Done(
        match=live.id,
        head=envelopes[-1].seq,
        first=appended.first_seq,
        last=appended.last_seq,
        repeated=appended.repeated,
        told=[told(live, entry) for entry in envelopes[appended.first_seq - 1 : appended.last_seq]],
        status=status,
        turn=list(projection.to_act(table.state)) if status == "playing" else [],
        scores=list(projection.scores(table.state)),
        seat=seat,
        token=token,
        receipt=receipt,
    )
    return sent(answer, cached.etag)
