"""The review of a match that is over: begun when somebody asks for it, and shown when it is there."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from service.errors import NotFound, Refused
from service.play.hints import refuse_pad
from service.play.history import Live
from service.shell.answers.advice import ReviewUnderWay
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.problems import TooMany, refusals
from service.shell.http.routes.advice import refuse_open, reviewed
from service.shell.http.routes.responses import MatchId, access_to, ledger_of
from service.shell.web.routes.responses import framed, nothing_there, page, sent
from service.shell.web.views.review import LEVELS, ReviewView, finished_view
from service.shell.web.views.table import title

Level = Annotated[
    int | None,
    QueryParameter(name="level", description="How hard to think: begins the review.", ge=min(LEVELS), le=max(LEVELS)),
]


async def _view(request: BoundedRequest, match: str, level: int | None) -> tuple[Live, ReviewView]:
    """The match and its page; what is refused is said on it."""
    await access_to(request, match)
    served = ledger_of(request)
    live = (await served.look(match)).live
    try:
        refuse_pad(live)
        refuse_open(live)
        if level is None:
            return live, ReviewView(live)
        cached, job = await reviewed(request, match, level)
    except TooMany:
        raise
    except Refused as refusal:
        return live, ReviewView(live, refusal.message)
    if job.review is None:
        under_way = ReviewUnderWay(live.id, level, job.done, job.decisions)
        return cached.live, ReviewView(cached.live, under_way=under_way)
    return cached.live, await served.in_thread(finished_view, cached.live, job.review)


@get("/matches/{match:str}/review", include_in_schema=False)
async def get_review_page(request: BoundedRequest, match: MatchId, level: Level = None) -> Response[Any]:
    """The page."""
    try:
        live, view = await _view(request, match, level)
    except NotFound:
        return nothing_there(request, match, "review")
    return sent(request, framed(request, match, "review", f"Review of {title(live)}", view))


@get(
    "/matches/{match:str}/review.html",
    responses=refusals(401, 404),
    media_type="text/html",
    summary="The main part of the page with the review of a match",
)
async def get_review_piece(request: BoundedRequest, match: MatchId, level: Level = None) -> Response[Any]:
    """The worst mistakes, the expected lead drawn, and every decision; with `level` it is begun unless it is there."""
    _, view = await _view(request, match, level)
    return page(request, "review.html", page=view)


HANDLERS = [get_review_page]
PIECES = [get_review_piece]
