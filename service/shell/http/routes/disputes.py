"""Disputes end to end: seats open, appeal and withdraw; an arbiter rules, decides and settles."""

from collections.abc import Sequence
from typing import Annotated

from litestar import Response, post
from litestar.params import JSONBody, PathParameter

from service.disputes import cases
from service.disputes.cases import Adjust
from service.limits import NUMBER
from service.play.appending import Call
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.shell.answers.service import Done
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.problems import refusals
from service.shell.http.routes.common import (
    IdempotencyKey,
    IfMatch,
    MatchId,
    access_to,
    cache_of,
    carried_out,
)
from service.shell.http.service_arbiter import PresentedKey, service_arbiter
from service.shell.requests import Adjustment, Appeal, AppealRuling, Final, NewDispute, Ruling, SignedBody
from service.store.shapes import Appended
from service.trust.arbiters import Arbiter, registered_arbiters
from service.trust.keys import public_key

_COURSE = refusals(401, 403, 404, 409, 412, 413)
Number = Annotated[int, PathParameter(ge=1, le=NUMBER, description="The number of a dispute in this match.")]


@post("/matches/{match:str}/disputes", status_code=200, responses=_COURSE, summary="Dispute an event or a total")
async def open_dispute(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[NewDispute],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Any time in play, and as long as was agreed after the closing; for one's own seat."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return cases.open_dispute(
            ledger, live, seat, data.words, about=data.event, of=data.of, claim=data.claim, call=call
        )

    return await carried_out(request, match, "dispute", if_match, idempotency_key, work)


@post(
    "/matches/{match:str}/disputes/{number:int}/appeal",
    status_code=200,
    responses=_COURSE,
    summary="Appeal against a ruling",
)
async def appeal(
    request: BoundedRequest,
    match: MatchId,
    number: Number,
    data: JSONBody[Appeal],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Any seat may, for a ruling touches all of them; it stays in force until it is overturned."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return cases.appeal(ledger, live, number, seat, data.words, call)

    return await carried_out(request, match, "appeal", if_match, idempotency_key, work)


@post(
    "/matches/{match:str}/disputes/{number:int}/withdraw",
    status_code=200,
    responses=_COURSE,
    summary="Take a dispute back",
)
async def withdraw(
    request: BoundedRequest,
    match: MatchId,
    number: Number,
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Before it is ruled; only the seat that opened it may."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return cases.withdraw(ledger, live, number, seat, call)

    return await carried_out(request, match, "withdraw", if_match, idempotency_key, work)


@post(
    "/matches/{match:str}/disputes/{number:int}/ruling", status_code=200, responses=_COURSE, summary="Rule on a dispute"
)
async def rule(
    request: BoundedRequest,
    match: MatchId,
    number: Number,
    data: JSONBody[Ruling],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """With adjustments or without. It takes the arbiter's token, and the signature of an arbiter of this match."""
    by = await _arbiter(request, match, data)

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return cases.rule(
            ledger,
            live,
            number,
            by,
            rules=data.rules,
            reason=data.reason,
            adjust=_adjust(data.adjustments, data.rules),
            registered=registered_arbiters(),
            call=call,
        )

    return await carried_out(request, match, "rule", if_match, idempotency_key, work)


@post(
    "/matches/{match:str}/disputes/{number:int}/decision",
    status_code=200,
    responses=_COURSE,
    summary="Decide an appeal",
)
async def decide(
    request: BoundedRequest,
    match: MatchId,
    number: Number,
    data: JSONBody[AppealRuling],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Overturned, the ruling's adjustments are replaced by those given here, or by none."""
    by = await _arbiter(request, match, data)

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return cases.decide(
            ledger,
            live,
            number,
            by,
            upholds=data.upheld,
            rules=data.rules,
            reason=data.reason,
            adjust=_adjust(data.adjustments, data.rules),
            registered=registered_arbiters(),
            call=call,
        )

    return await carried_out(request, match, "decide", if_match, idempotency_key, work)


@post("/matches/{match:str}/final", status_code=200, responses=_COURSE, summary="Declare the ruled result final")
async def finalise(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[Final],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Once nothing is pending and every time limit has passed; nothing can be disputed afterwards."""
    by = await _arbiter(request, match, data)

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return cases.finalise(ledger, live, by, registered=registered_arbiters(), call=call)

    return await carried_out(request, match, "final", if_match, idempotency_key, work)


async def _arbiter(request: BoundedRequest, match: str, data: SignedBody) -> Arbiter:
    """Whoever signs: the arbiter whose signature was sent, or the arbiter of the house for the bearer of the token."""
    (await access_to(request, match)).arbiter()
    if not data.key:
        return await cache_of(request).in_thread(service_arbiter, data.arbiter)
    return Arbiter(data.arbiter, PresentedKey(public_key(data.key, "dispute/key"), data.signature))


def _adjust(adjustments: Sequence[Adjustment], rules: Sequence[str]) -> Adjust:
    """Adjustments as a use case takes them; one without a rule rests on the first that is cited."""
    return [(line.seat, line.points, line.rule or (rules[0] if rules else "")) for line in adjustments]


HANDLERS = [open_dispute, appeal, withdraw, rule, decide, finalise]
