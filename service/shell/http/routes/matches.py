"""Matches as a whole: open, list, fork, rename; and the tokens the host gives, renews and revokes."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Annotated

from litestar import Response, delete, get, post, put
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec.structs import replace

from events.core import Seat
from service.errors import Damaged, NotFound, UsageError, unknown
from service.games.shelf import find_game
from service.limits import quoted
from service.play import fork as forking
from service.play import matches
from service.play.appending import Call, check_seat, identify
from service.play.fork import step_to_fork
from service.play.history import Live
from service.play.ledger import LocalLedger, id_from
from service.play.listing import Listed, listing, read_status
from service.play.players import read_name, read_players
from service.shell.answers.listing import DamagedMatch, ListedMatch, listed_answer
from service.shell.answers.match import MatchAnswer, match_answer
from service.shell.answers.service import GivenToken, MatchPage, Opened, Tokens
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.match_cache import MatchCache
from service.shell.http.problems import refusals
from service.shell.http.routes.common import (
    IdempotencyKey,
    MatchId,
    SeatNumber,
    access_to,
    cache_of,
    guard,
    sent,
)
from service.shell.http.service_arbiter import service_arbiter
from service.shell.requests import Fork, NewMatch, Rename, TokenWish
from service.store.shapes import PERSON, Grant, MatchRow
from service.trust.tokens import REVOKED, ROLES, Role, hashed, new_token

HOUSE = "house"
RoleWord = Annotated[str, PathParameter(description="host, seat, arbiter or spectator.", max_length=20)]


def _new_tokens(seats: Iterable[Seat], is_private: bool) -> Tokens:
    given = {seat: new_token() for seat in seats}
    return Tokens(new_token(), given, new_token(), new_token() if is_private else None)


def _named(ledger: LocalLedger, key: str | None) -> LocalLedger:
    """The ledger with an id for the next match that follows from an Idempotency-Key: sent twice, it is one match."""
    if key is None:
        return ledger
    return replace(ledger, new_id=lambda: id_from(b"matchledger match\n" + key.encode()))


@post("/matches", responses=refusals(401, 403, 409, 413), summary="Open a match")
async def open_match(
    request: BoundedRequest, data: JSONBody[NewMatch], idempotency_key: IdempotencyKey = None
) -> Response[Opened]:
    """Whoever opens a match is its host and gets its tokens, once. Bots move by themselves; free seats wait for `join`.

    Sent again with the same Idempotency-Key after a lost answer, it gives the same match and new tokens in place of
    the lost ones.
    """
    key = guard(None, idempotency_key).key
    game = find_game(data.game)
    players = read_players(data.players)
    count = data.seats or max(len(players), game.rules.seats[0])
    seats = range(1, min(count, game.rules.seats[-1]) + 1)
    people = [seat for seat in seats if seat > len(players) or players[seat - 1].kind == PERSON]
    tokens = _new_tokens(people, data.private)
    arbiters = [
        (await cache_of(request).in_thread(service_arbiter)).key.public if word == HOUSE else word
        for word in data.arbiters
    ]

    def work(ledger: LocalLedger) -> Live:
        return matches.open_match(
            _named(ledger, key),
            data.game,
            data.seats,
            options=data.options,
            undo=data.undo,
            chance_mode=data.chance,
            seed=data.seed,
            confirm_reveals=data.confirm_reveals,
            players=players,
            arbiters=arbiters,
            dispute_within=data.dispute_within,
            appeal_within=data.appeal_within,
            grants=tokens.grants,
            command=identify(Call(None, key), ("open", data)),
        )

    return await _opened(request, work, tokens)


@post("/matches/{match:str}/fork", responses=refusals(401, 404, 409, 413), summary="Go on from a step of another match")
async def fork(
    request: BoundedRequest, match: MatchId, data: JSONBody[Fork], idempotency_key: IdempotencyKey = None
) -> Response[Opened]:
    """A new match of one's own; the other is not touched. Whoever may look at a match may fork it."""
    await access_to(request, match)
    key = guard(None, idempotency_key).key
    parent = (await cache_of(request).look(match)).copy()
    step = step_to_fork(parent) if data.step is None else data.step
    tokens = _new_tokens(range(1, parent.opened.seats + 1), data.private)

    def work(ledger: LocalLedger) -> Live:
        return forking.fork(
            _named(ledger, key),
            parent,
            step,
            chance_mode=data.chance,
            undo=data.undo,
            grants=tokens.grants,
            command=identify(Call(None, key), ("fork", match, data)),
        )

    return await _opened(request, work, tokens)


async def _opened(request: BoundedRequest, work: Callable[[LocalLedger], Live], tokens: Tokens) -> Response[Opened]:
    cache = cache_of(request)
    made: list[Live] = []

    def keeping(ledger: LocalLedger) -> Live:
        made.append(work(ledger))
        return made[-1]

    cached = await cache.opened(keeping)
    if not made[-1].envelopes:  # it was opened before: the tokens of the answer that was lost are worth nothing now
        for grant in tokens.grants:
            await cache.grant(cached.live.id, grant)
    receipt = made[-1].receipt if made[-1].envelopes else None
    return sent(Opened(match_answer(cached.live), tokens, receipt), cached.etag, 201)


# ------------------------------------------------------------------------------------------------------------- listing


@get("/matches", responses=refusals(), summary="Public matches that fit every filter, the one moved last first")
async def list_matches(
    request: BoundedRequest,
    game: Annotated[str | None, QueryParameter(name="game", max_length=64)] = None,
    status: Annotated[
        str | None, QueryParameter(name="status", description="open, playing or closed.", max_length=20)
    ] = None,
    player: Annotated[
        str | None, QueryParameter(name="player", description="A name at the table.", max_length=200)
    ] = None,
    parent: Annotated[
        str | None, QueryParameter(name="parent", description="Forks of this match.", max_length=64)
    ] = None,
    limit: Annotated[int, QueryParameter(name="limit", ge=1, description="At most so many.")] = 20,
    cursor: Annotated[
        str | None, QueryParameter(name="cursor", description="`next` of the last page.", max_length=400)
    ] = None,
) -> MatchPage:
    """Private matches are in no list."""
    cache = cache_of(request)
    most = cache.settings.page_size
    if limit > most:
        raise UsageError("list/limit", f"{limit} is more than one page holds; give 1–{most}.")
    key = find_game(game).key if game is not None else None
    found, following = await listed(
        cache, limit, cursor, game=key, status=read_status(status), player=player, parent=parent
    )
    lines = [listed_answer(line) for line in found]
    return MatchPage(
        [line for line in lines if isinstance(line, ListedMatch)],
        [line for line in lines if isinstance(line, DamagedMatch)],
        following,
    )


async def listed(
    cache: MatchCache,
    limit: int,
    cursor: str | None,
    *,
    game: str | Sequence[str] | None = None,
    status: str | None = None,
    player: str | None = None,
    parent: str | None = None,
) -> tuple[list[Listed | Damaged], str | None]:
    """Public matches that fit every filter, so many of them from a cursor on; and the cursor of those that follow."""
    rows = await cache.in_thread(
        cache.store.matches,
        game=game,
        status=status,
        player=player,
        parent=parent,
        limit=limit + 1,
        before=_read_cursor(cursor) if cursor is not None else None,
        is_public=True,
    )
    shown = rows[:limit]
    last = shown[-1] if len(rows) > limit else None
    following = _write_cursor(last.moved_at, last.id) if isinstance(last, MatchRow) else None
    return await cache.in_thread(listing, cache.store, shown), following


def _write_cursor(moved_at: datetime, match: str) -> str:
    return urlsafe_b64encode(f"{moved_at.isoformat()} {match}".encode()).decode()


def _read_cursor(text: str) -> tuple[datetime, str]:
    try:
        moved_at, match = urlsafe_b64decode(text.encode()).decode().split(" ")
        moment = datetime.fromisoformat(moved_at)
        if moment.tzinfo is None or not match.isprintable():
            raise ValueError
    except ValueError as error:
        raise UsageError("list/cursor", f"{quoted(text)} is no cursor; send `next` of the page before.") from error
    return moment, match


# ------------------------------------------------------------------------------------------------------ names, tokens


@put("/matches/{match:str}/seats/{seat:int}/name", responses=refusals(401, 403, 404, 413), summary="Rename a seat")
async def rename(
    request: BoundedRequest, match: MatchId, seat: SeatNumber, data: JSONBody[Rename]
) -> Response[MatchAnswer]:
    """Names lie outside the chain, so the history stays as it is; an empty one is forgotten. Host and seat may."""
    held = (await access_to(request, match)).member("host", "seat")
    if held.role == "seat" and held.seat != seat:
        (await access_to(request, match)).host()
    cache = cache_of(request)
    name = read_name(data.name) if data.name else ""
    cached = await cache.look(match)
    check_seat(cached.live.opened, seat)
    await cache.in_thread(cache.store.rename, match, seat, name)
    cache.forget(match)
    cached = await cache.look(match)
    return sent(match_answer(cached.live), cached.etag)


@get("/matches/{match:str}/tokens", responses=refusals(401, 403, 404), summary="Which tokens there are")
async def list_tokens(request: BoundedRequest, match: MatchId) -> list[GivenToken]:
    """Only the host may. The tokens themselves are kept nowhere."""
    (await access_to(request, match)).host()
    cache = cache_of(request)
    grants = await cache.ask(cache.store.grants, match)
    return [GivenToken(grant.role, grant.seat, grant.hash != REVOKED) for grant in grants if isinstance(grant, Grant)]


@get("/matches/{match:str}/access", responses=refusals(401, 404), summary="What the token that was sent allows")
async def get_access(request: BoundedRequest, match: MatchId) -> list[GivenToken]:
    """The roles of whoever asks; none without a token."""
    return [GivenToken(grant.role, grant.seat, True) for grant in (await access_to(request, match)).held]


@post("/matches/{match:str}/tokens", responses=refusals(401, 403, 404, 413), summary="Give or renew a token")
async def give_token(request: BoundedRequest, match: MatchId, data: JSONBody[TokenWish]) -> GivenToken:
    """A new token; the one for the same role and seat opens nothing any more. Only the host may."""
    role = await _held_by_others(request, match, data.role, data.seat)
    cache, token = cache_of(request), new_token()
    await cache.grant(match, Grant(role, data.seat, hashed(token)))
    return GivenToken(role, data.seat, True, token)


@delete(
    "/matches/{match:str}/tokens/{role:str}/{seat:int}",
    status_code=204,
    responses=refusals(401, 403, 404),
    summary="Revoke a token",
)
async def revoke_token(request: BoundedRequest, match: MatchId, role: RoleWord, seat: SeatNumber) -> None:
    """From now on it opens nothing. Only the host may."""
    known = await _held_by_others(request, match, role, seat)
    cache = cache_of(request)
    await cache.grant(match, Grant(known, seat, REVOKED))


async def _held_by_others(request: BoundedRequest, match: str, word: str, seat: int) -> Role:
    """A role of this match and one of its seats, for the host to dispose of."""
    may = await access_to(request, match)
    may.host()
    role = next((role for role in ROLES if role == word), None)
    if role is None:
        raise unknown("access/role-unknown", "a role", word, ROLES)
    live = (await cache_of(request).look(match)).live
    if role == "seat":
        check_seat(live.opened, seat)
    elif seat:
        raise UsageError("access/seat", f"Only a seat has a number; the {role} of a match is seat 0, not {seat}.")
    if role == "spectator" and not may.is_private:
        raise NotFound("access/public", f"Match {match} is public; nobody needs a token to look at it.")
    return role


HANDLERS = [open_match, list_matches, fork, rename, list_tokens, get_access, give_token, revoke_token]
