"""The list of public matches, and the tokens that the host of a match gives, renews and revokes."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Annotated

from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from service.errors import Damaged, NotFound, UsageError, unknown
from service.games.shelf import find_game
from service.limits import quoted
from service.play.appending import check_seat
from service.play.listing import Listed, listing, read_status
from service.shell.answers.listing import DamagedMatch, ListedMatch, listed_answer
from service.shell.answers.service import GivenToken, MatchPage
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.problems import refusals
from service.shell.http.routes.responses import MatchId, SeatNumber, access_to, ledger_of
from service.shell.http.served_ledger import ServedLedger
from service.shell.requests import TokenWish
from service.store.filters import Filters
from service.store.shapes import Grant, MatchRow
from service.trust.tokens import REVOKED, ROLES, Role, hashed, new_token

RoleWord = Annotated[str, PathParameter(description="host, seat, arbiter or spectator.", max_length=20)]


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
    served = ledger_of(request)
    most = served.settings.page_size
    if limit > most:
        raise UsageError("list/limit", f"{limit} is more than one page holds; give 1–{most}.")
    key = find_game(game).key if game is not None else None
    read = read_status(status)
    filters = Filters(game=key, status=read, player=player, parent=parent, is_public=True)
    found, following = await listed(served, limit, cursor, filters)
    total = len(found) if cursor is None else None
    if following is not None and cursor is None:
        total = await served.in_thread(served.store.count_matches, **filters)
    lines = [listed_answer(line) for line in found]
    return MatchPage(
        [line for line in lines if isinstance(line, ListedMatch)],
        [line for line in lines if isinstance(line, DamagedMatch)],
        following,
        total,
    )


async def listed(
    served: ServedLedger, limit: int, cursor: str | None, filters: Filters
) -> tuple[list[Listed | Damaged], str | None]:
    """Matches that fit every filter, so many of them from a cursor on; and the cursor of those that follow."""
    before = _read_cursor(cursor) if cursor is not None else None
    rows = await served.in_thread(served.store.matches, **filters | {"limit": limit + 1, "before": before})
    shown = rows[:limit]
    last = shown[-1] if len(rows) > limit else None
    following = _write_cursor(last.moved_at, last.id) if isinstance(last, MatchRow) else None
    return await served.in_thread(listing, served.store, shown), following


def _write_cursor(moved_at: datetime, match: str) -> str:
    return urlsafe_b64encode(f"{moved_at.isoformat()} {match}".encode()).decode()


def _read_cursor(text: str) -> tuple[datetime, str]:
    try:
        moved_at, match = urlsafe_b64decode(text.encode()).decode().split(" ")
        moment = datetime.fromisoformat(moved_at)
        if moment.tzinfo is None or not match.isprintable():
            raise ValueError
    except ValueError as error:
        raise UsageError("list/cursor", f"{quoted(text)} is not a cursor; send `next` of the page before.") from error
    return moment, match


# ------------------------------------------------------------------------------------------------------------- tokens


@get("/matches/{match:str}/tokens", responses=refusals(401, 403, 404), summary="Which tokens there are")
async def list_tokens(request: BoundedRequest, match: MatchId) -> list[GivenToken]:
    """Only the host may. The tokens themselves are kept nowhere."""
    (await access_to(request, match)).member("host")
    served = ledger_of(request)
    grants = await served.ask(served.store.grants, match)
    return [GivenToken(grant.role, grant.seat, grant.hash != REVOKED) for grant in grants if isinstance(grant, Grant)]


@get("/matches/{match:str}/access", responses=refusals(401, 404), summary="What the token that was sent allows")
async def get_access(request: BoundedRequest, match: MatchId) -> list[GivenToken]:
    """The roles of whoever asks; none without a token."""
    return [GivenToken(grant.role, grant.seat, True) for grant in (await access_to(request, match)).held]


@post("/matches/{match:str}/tokens", responses=refusals(401, 403, 404, 413), summary="Give or renew a token")
async def give_token(request: BoundedRequest, match: MatchId, data: JSONBody[TokenWish]) -> GivenToken:
    """A new token; the one for the same role and seat opens nothing any more. Only the host may."""
    role = await _held_by_others(request, match, data.role, data.seat)
    served, token = ledger_of(request), new_token()
    await served.tokens.grant(match, Grant(role, data.seat, hashed(token)))
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
    served = ledger_of(request)
    await served.tokens.grant(match, Grant(known, seat, REVOKED))


async def _held_by_others(request: BoundedRequest, match: str, word: str, seat: int) -> Role:
    """A role of this match and one of its seats, for the host to dispose of."""
    may = await access_to(request, match)
    may.member("host")
    role = next((role for role in ROLES if role == word), None)
    if role is None:
        raise unknown("access/role-unknown", "a role", word, ROLES)
    live = (await ledger_of(request).look(match)).live
    if role == "seat":
        check_seat(live.opened, seat)
    elif seat:
        raise UsageError("access/seat", f"Only a seat has a number; the {role} of a match is seat 0, not {seat}.")
    if role == "spectator" and not may.is_private:
        raise NotFound("access/public", f"Match {match} is public; nobody needs a token to look at it.")
    return role


HANDLERS = [list_matches, list_tokens, get_access, give_token, revoke_token]
