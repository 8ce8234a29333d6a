"""The audit of a match in plain words, and its disputes from claim to final ruling."""

from typing import Any

from litestar import Response, get

from service.errors import NotFound
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.pages.common import nothing_there, page, page_of
from service.shell.http.problems import refusals
from service.shell.http.routes.common import MatchId, cache_of
from service.shell.http.routes.records import audited
from service.shell.web.audit_page import Case, case_page
from service.trust.arbiters import registered_arbiters
from service.trust.service_arbiter import service_arbiter_key


async def _written(request: BoundedRequest, match: str) -> Case:
    """The page, from an audit of the match as it is stored; a damaged one has a page too."""
    evidence, report = await audited(request, match)
    typed = {name: value for name, value in request.query_params.items() if isinstance(value, str)}
    cache = cache_of(request)

    def write() -> Case:
        registered, now = registered_arbiters(), cache.ledger.clock()
        return case_page(report, evidence, typed, registered=registered, house=service_arbiter_key(), now=now)

    return await cache.in_thread(write)


@get("/matches/{match:str}/case", include_in_schema=False)
async def get_case(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """The page; what is asked of it stands in its address."""
    try:
        case = await _written(request, match)
    except NotFound:
        return nothing_there(request, match, "case")
    return page_of(request, match, "case", case.title, case.main)


@get(
    "/matches/{match:str}/case.html",
    responses=refusals(401, 404),
    media_type="text/html",
    summary="The main part of the page with the audit and the disputes of a match",
)
async def get_case_piece(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """Verdicts, disputes and score sheet; with `claim-1=54` and the like, where such a claim parts from the ledger."""
    return page(request, (await _written(request, match)).main)


HANDLERS = [get_case]
PIECES = [get_case_piece]
