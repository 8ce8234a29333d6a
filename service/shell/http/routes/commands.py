"""The routes of commands, made of the table of command routes: who may send one, and what is answered."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated, Any, Final

from litestar import Response, route
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter
from msgspec import Struct
from msgspec.structs import asdict, replace

from events.core import Seat
from service import handle
from service.games.shelf import find_game
from service.limits import NUMBER
from service.play.appending import Call
from service.play.commands import Command, Fork, Join, OpenMatch, Rename
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.players import read_player, read_players
from service.shell.answers.match import match_answer
from service.shell.answers.service import Opened, Tokens
from service.shell.command_routes import COMMAND_ROUTES, CommandRoute
from service.shell.http.access import Access
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.match_cache import CachedMatch
from service.shell.http.problems import refusals
from service.shell.http.routes.guards import Guard, IdempotencyKey, IfMatch, guard
from service.shell.http.routes.responses import (
    MatchId,
    SeatNumber,
    access_to,
    changed,
    done,
    ledger_of,
    parameter,
    presented_as,
    sent,
)
from service.shell.requests import SignedBody
from service.store.shapes import PERSON, Appended, Grant
from service.trust.arbiters import Arbiter
from service.trust.keys import public_key
from service.trust.service_arbiter import SERVICE_ARBITER, PresentedKey, service_arbiter
from service.trust.tokens import REVOKED, hashed, new_token


class ReceivedCommand(Struct, frozen=True):
    """A command as a request brought it."""

    row: CommandRoute
    request: BoundedRequest
    match: str
    """The match it is for; empty for one that opens a match."""
    command: Any
    guards: Guard
    call: Call
    """Who sends it."""


Respond = Callable[[ReceivedCommand], Awaitable[Response[Any]]]
"""Carries a command out for whoever sent a request, and answers it."""

_IN_PATH: Final[dict[str, Any]] = {
    "number": Annotated[int, PathParameter(ge=1, le=NUMBER, description="The number of a dispute in this match.")],
    "seat": SeatNumber,
}


def handler_of(row: CommandRoute) -> HTTPRouteHandler:
    """The route of a row. Litestar reads what a request has from the signature that is made here."""
    body = row.body
    takes = [parameter("request", BoundedRequest)]
    if "{match:str}" in row.path:
        takes.append(parameter("match", MatchId))
    takes += [parameter(name, _IN_PATH[name]) for name in row.in_path]
    if body is not None:
        takes.append(parameter("data", JSONBody[body]))  # type: ignore[misc, valid-type]
    if row.takes_if_match:
        takes.append(parameter("if_match", IfMatch, None))
    takes.append(parameter("idempotency_key", IdempotencyKey, None))

    async def respond(**values: Any) -> Response[Any]:
        sent_fields = asdict(values["data"]) if body is not None else {}
        fields = {name: value for name, value in sent_fields.items() if name in row.command.__struct_fields__}
        in_path = {name: values[name] for name in row.in_path}
        command = row.command(**fields, **in_path, **row.fixed)
        request, match = values["request"], values.get("match", "")
        guards = guard(values.get("if_match"), values["idempotency_key"])
        call = await _caller(row, request, match, values, values.get("data"))
        respond_to = RESPONDERS.get(row.command, _carried_out)
        return await respond_to(ReceivedCommand(row, request, match, command, guards, call))

    made: HTTPRouteHandler = route(
        row.path,
        http_method=HttpMethod(row.method),
        status_code=201 if row.answer is Opened else 200,
        responses=refusals(*_refused_with(row)),
        summary=row.summary,
    )(presented_as(respond, row.name, row.about, takes, Response[row.answer]))  # type: ignore[name-defined]
    return made


def _refused_with(row: CommandRoute) -> Iterable[int]:
    yield from (401, 409)
    if row.command is not Fork:  # whoever may look may fork
        yield 403
    if "{match:str}" in row.path:
        yield 404
    if row.takes_if_match:
        yield 412
    yield 413
    if row.rules_may_forbid:
        yield 422


async def _caller(row: CommandRoute, request: BoundedRequest, match: str, values: dict[str, Any], data: Any) -> Call:
    """Who sends a command, by the token of the request; refused where the token does not allow it."""
    if not match:
        return Call()
    may = await access_to(request, match)
    if row.command is Rename:
        return Call(seat=_may_rename(may, values["seat"]))
    if row.roles == ("seat",):
        return Call(seat=may.member("seat").seat)
    if row.roles:
        may.member(*row.roles)
    if isinstance(data, SignedBody):
        return Call(arbiter=await _arbiter(request, data))
    return Call()


def _may_rename(may: Access, seat: Seat) -> Seat:
    held = may.member("host", "seat")
    if held.role == "seat" and held.seat != seat:
        may.member("host")
    return seat


async def _arbiter(request: BoundedRequest, data: SignedBody) -> Arbiter:
    """Whoever signs: the arbiter whose signature was sent, or the service for the bearer of the arbiter's token."""
    if not data.key:
        return await ledger_of(request).in_thread(service_arbiter, data.arbiter)
    return Arbiter(data.arbiter, PresentedKey(public_key(data.key, "dispute/key"), data.signature))


# ----------------------------------------------------------------------------------------------------------- answering


async def _carried_out(received: ReceivedCommand) -> Response[Any]:
    """Carry out a command that adds to a match, and tell what it did."""
    return done(*await _changed(received))


async def _changed(received: ReceivedCommand) -> tuple[CachedMatch, Appended]:
    def work(ledger: LocalLedger, live: Live) -> Appended:
        return handle.handle(ledger, live, received.command, received.guards.on(received.call, live))

    what = received.row.counted_as or received.row.name
    return await changed(received.request, received.match, what, received.guards, work)


async def _joined(received: ReceivedCommand) -> Response[Any]:
    command: Join = received.command
    may = await access_to(received.request, received.match)
    own = next((grant for grant in may.held if grant.role == "seat"), None)
    seat = own.seat if own is not None and command.seat is None else command.seat
    is_bot = read_player(command.name).kind != PERSON
    if is_bot:
        may.member("host")
    token = "" if is_bot or (own is not None and own.seat == seat) else new_token()
    token_hash = hashed(token) if token else REVOKED if is_bot else None
    command, call = replace(command, seat=seat), replace(received.call, token_hash=token_hash)
    receipts: list[Live] = []

    def work(ledger: LocalLedger, live: Live) -> Appended:
        receipts.append(live)
        return handle.handle(ledger, live, command, received.guards.on(call, live))

    cached, appended = await changed(received.request, received.match, received.row.name, received.guards, work)
    taken = cached.live.envelopes[appended.first_seq - 1].actor
    assert isinstance(taken, int)
    if appended.repeated and token:
        await ledger_of(received.request).tokens.grant(received.match, Grant("seat", taken, hashed(token)))
    return done(cached, appended, taken, token, None if appended.repeated else receipts[-1].receipt)


async def _renamed(received: ReceivedCommand) -> Response[Any]:
    await _changed(received)
    served = ledger_of(received.request)
    served.forget(received.match)
    cached = await served.look(received.match)
    return sent(match_answer(cached.live), cached.etag)


async def _opened(received: ReceivedCommand) -> Response[Any]:
    command: OpenMatch = received.command
    game = find_game(command.game)
    players = read_players(command.players)
    count = command.seats or max(len(players), game.rules.seats[0])
    seats = range(1, min(count, game.rules.seats[-1]) + 1)
    people = [seat for seat in seats if seat > len(players) or players[seat - 1].kind == PERSON]
    if SERVICE_ARBITER in command.arbiters:  # its key is made here, beside the event loop
        await ledger_of(received.request).in_thread(service_arbiter)
    tokens = _new_tokens(people, command.private)
    call = replace(received.call, command=received.guards.key, grants=tokens.grants)
    return await _new_match(received.request, lambda ledger: handle.open_match(ledger, command, call), tokens)


async def _forked(received: ReceivedCommand) -> Response[Any]:
    command: Fork = received.command
    parent = (await ledger_of(received.request).look(received.match)).copy()
    tokens = _new_tokens(range(1, parent.opened.seats + 1), command.private)
    call = received.guards.on(replace(received.call, grants=tokens.grants), parent)
    return await _new_match(received.request, lambda ledger: handle.fork(ledger, parent, command, call), tokens)


def _new_tokens(seats: Iterable[Seat], is_private: bool) -> Tokens:
    given = {seat: new_token() for seat in seats}
    return Tokens(new_token(), given, new_token(), new_token() if is_private else None)


async def _new_match(request: BoundedRequest, work: Callable[[LocalLedger], Live], tokens: Tokens) -> Response[Opened]:
    served = ledger_of(request)
    made: list[Live] = []

    def keeping(ledger: LocalLedger) -> Live:
        made.append(work(ledger))
        return made[-1]

    cached = await served.open_match(keeping)
    if not made[-1].envelopes:  # it was opened before: the tokens of the answer that was lost are worth nothing now
        for grant in tokens.grants:
            await served.tokens.grant(cached.live.id, grant)
    receipt = made[-1].receipt if made[-1].envelopes else None
    return sent(Opened(match_answer(cached.live), tokens, receipt), cached.etag, 201)


RESPONDERS: Final[dict[type[Command], Respond]] = {
    OpenMatch: _opened,
    Fork: _forked,
    Join: _joined,
    Rename: _renamed,
}
"""How those commands are answered whose answer is another than what was added to the match."""

HANDLERS = [handler_of(row) for row in COMMAND_ROUTES]
