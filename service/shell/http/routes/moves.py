"""Playing: join, act, deal, undo and redo with consent, resign, abandon."""

from litestar import Response, post
from litestar.params import JSONBody

from service.errors import UsageError
from service.play import matches, moves
from service.play.appending import Call
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.players import read_player
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
    changed,
    done,
    guard,
)
from service.shell.requests import Act, Deal, Join, Steps
from service.store.shapes import PERSON, Appended, Grant
from service.trust.tokens import REVOKED, hashed, new_token

_PLAYING = refusals(401, 403, 404, 409, 412, 413, 422)


@post("/matches/{match:str}/join", status_code=200, responses=_PLAYING, summary="Take a free seat")
async def join(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[Join],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Sit down; the answer has the token of the seat, once. Whoever brings the token of a free seat takes that seat.

    Only the host seats bots. Sent again with the same Idempotency-Key after a lost answer, it gives a new token in
    place of the lost one.
    """
    may = await access_to(request, match)
    own = next((grant for grant in may.held if grant.role == "seat"), None)
    guards, cache = guard(if_match, idempotency_key), cache_of(request)
    seat = own.seat if own is not None and data.seat is None else data.seat
    player = read_player(data.name)._replace(nonce=data.nonce)
    is_bot = player.kind != PERSON
    if is_bot:
        may.host()
    token = "" if is_bot or (own is not None and own.seat == seat) else new_token()
    hash_ = hashed(token) if token else REVOKED if is_bot else None
    receipts: list[Live] = []

    def work(ledger: LocalLedger, live: Live) -> Appended:
        receipts.append(live)
        return matches.join(ledger, live, player, seat, guards.call(live), hash_)

    cached, appended = await changed(request, match, "join", guards, work)
    taken = cached.live.envelopes[appended.first_seq - 1].actor
    assert isinstance(taken, int)
    if appended.repeated and token:
        await cache.grant(match, Grant("seat", taken, hashed(token)))
    return done(cached, appended, taken, token, None if appended.repeated else receipts[-1].receipt)


@post("/matches/{match:str}/actions", status_code=200, responses=_PLAYING, summary="Make a move")
async def act(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[Act],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """Act for one's own seat: with a move as it is written (`move`), or with an action as a value (`action`)."""
    seat = (await access_to(request, match)).seat()
    if (data.move is None) == (data.action is None):
        raise UsageError("http/act", "Send either `move`, as it is written, or `action`, as a value.")

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        if data.action is None:
            return moves.move(ledger, live, seat, data.move or "", call)
        return matches.act(ledger, live, seat, data.action, call)

    return await carried_out(request, match, "act", if_match, idempotency_key, work)


@post("/matches/{match:str}/deal", status_code=200, responses=_PLAYING, summary="Let chance answer")
async def deal(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[Deal],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """By itself where reveals wait for it, or with what was drawn where chance is recorded. Seats and the host may."""
    (await access_to(request, match)).member("seat", "host")

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return moves.deal(ledger, live, data.outcome, call)

    return await carried_out(request, match, "deal", if_match, idempotency_key, work)


@post("/matches/{match:str}/undo", status_code=200, responses=_PLAYING, summary="Take steps back, or ask for it")
async def undo(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[Steps],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """As the policy of the match allows; under `consent` this asks the others."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return moves.take_back(ledger, live, seat, data.steps, call)

    return await carried_out(request, match, "undo", if_match, idempotency_key, work)


@post("/matches/{match:str}/redo", status_code=200, responses=_PLAYING, summary="Play undone steps again")
async def redo(
    request: BoundedRequest,
    match: MatchId,
    data: JSONBody[Steps],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[Done]:
    """As they were."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return moves.play_again(ledger, live, seat, data.steps, call)

    return await carried_out(request, match, "redo", if_match, idempotency_key, work)


@post("/matches/{match:str}/undo/accept", status_code=200, responses=_PLAYING, summary="Agree to an undo")
async def accept(
    request: BoundedRequest, match: MatchId, if_match: IfMatch = None, idempotency_key: IdempotencyKey = None
) -> Response[Done]:
    """The last to agree carries it out. Only opponents of whoever asked may."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return moves.answer_undo(ledger, live, seat, True, call)

    return await carried_out(request, match, "accept", if_match, idempotency_key, work)


@post("/matches/{match:str}/undo/decline", status_code=200, responses=_PLAYING, summary="Refuse an undo")
async def decline(
    request: BoundedRequest, match: MatchId, if_match: IfMatch = None, idempotency_key: IdempotencyKey = None
) -> Response[Done]:
    """One refusal ends the request. Only opponents of whoever asked may."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return moves.answer_undo(ledger, live, seat, False, call)

    return await carried_out(request, match, "decline", if_match, idempotency_key, work)


@post("/matches/{match:str}/resign", status_code=200, responses=_PLAYING, summary="Give up")
async def resign(
    request: BoundedRequest, match: MatchId, if_match: IfMatch = None, idempotency_key: IdempotencyKey = None
) -> Response[Done]:
    """The match closes with the scores as they are and this seat last."""
    seat = (await access_to(request, match)).seat()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return matches.resign(ledger, live, seat, call)

    return await carried_out(request, match, "resign", if_match, idempotency_key, work)


@post("/matches/{match:str}/abandon", status_code=200, responses=_PLAYING, summary="Close a match without a result")
async def abandon(
    request: BoundedRequest, match: MatchId, if_match: IfMatch = None, idempotency_key: IdempotencyKey = None
) -> Response[Done]:
    """Only the host may."""
    (await access_to(request, match)).host()

    def work(ledger: LocalLedger, live: Live, call: Call) -> Appended:
        return matches.abandon(ledger, live, call)

    return await carried_out(request, match, "abandon", if_match, idempotency_key, work)


HANDLERS = [join, act, deal, undo, redo, accept, decline, resign, abandon]
