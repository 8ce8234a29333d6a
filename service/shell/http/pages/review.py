"""The review of a match that is over: begun when somebody asks for it, and shown when it is there."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from service.errors import NotFound, Refused
from service.play.hints import refuse_pad
from service.play.history import Live
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.pages.common import nothing_there, page, page_of
from service.shell.http.problems import TooMany, refusals
from service.shell.http.routes.advice import refuse_open, reviewed
from service.shell.http.routes.common import MatchId, access_to, ledger_of
from service.shell.web.review import LEVELS, offer_page, review_page, waiting_page
from service.shell.web.table import title

Asking = Annotated[
    int | None,
    QueryParameter(name="level", description="How hard to think: begins the review.", ge=min(LEVELS), le=max(LEVELS)),
]


async def _written(request: BoundedRequest, match: str, level: int | None) -> tuple[Live, str]:
    """The match and the main part of its page; what is refused is said on it."""
    await access_to(request, match)
    served = ledger_of(request)
    live = (await served.look(match)).live
    try:
        refuse_pad(live)
        refuse_open(live)
        if level is None:
            return live, offer_page(live)
        cached, job = await reviewed(request, match, level)
    except TooMany:
        raise
    except Refused as refusal:
        return live, offer_page(live, refusal.message)
    if job.review is None:
        return cached.live, waiting_page(cached.live, level, job.done, job.decisions)
    return cached.live, await served.in_thread(review_page, cached.live, job.review)


@get("/matches/{match:str}/review", include_in_schema=False)
async def get_review_page(request: BoundedRequest, match: MatchId, level: Asking = None) -> Response[Any]:
    """The page."""
    try:
        live, main = await _written(request, match, level)
    except NotFound:
        return nothing_there(request, match, "review")
    return page_of(request, match, "review", f"Review of {title(live)}", main)


@get(
    "/matches/{match:str}/review.html",
    responses=refusals(401, 404),
    media_type="text/html",
    summary="The main part of the page with the review of a match",
)
async def get_review_piece(request: BoundedRequest, match: MatchId, level: Asking = None) -> Response[Any]:
    """The worst mistakes, the expected lead drawn, and every decision; with `level` it is begun unless it is there."""
    return page(request, (await _written(request, match, level))[1])


HANDLERS = [get_review_page]
PIECES = [get_review_piece]
