"""What a search makes of a match: hints for whoever is to move, and a review of one that is over."""

from typing import Annotated, Any, Final

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from service.bots.search import LEVELS
from service.errors import Refused, unknown
from service.play import hints
from service.play.history import Live
from service.questions.review import Inquest
from service.shell.answers.advice import HintAnswer, ReviewAnswer, ReviewUnderWay, hint_answer, review_answer
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.edge import client_of
from service.shell.http.match_cache import CachedMatch
from service.shell.http.problems import refusals
from service.shell.http.routes.responses import IfNoneMatch, MatchId, access_to, ledger_of, looked_up, sent
from service.shell.http.search_jobs import SECONDS, ReviewJob, SearchJobs

Level = Annotated[
    int, QueryParameter(name="level", description="How hard to think, from 1 on.", ge=min(LEVELS), le=max(LEVELS))
]
QUICK: Final = 2
"""The level of a review, unless said."""


def search_jobs_of(request: BoundedRequest) -> SearchJobs:
    """The searches of the application."""
    search_jobs: SearchJobs = request.app.state.search_jobs
    return search_jobs


def _refuse_above(highest: int, level: int) -> None:
    if level > highest:
        offered = [str(known) for known in LEVELS if known <= highest]
        raise unknown("search/level", "a level that is thought at here", str(level), offered)


@get("/matches/{match:str}/hint", responses=refusals(304, 401, 403, 404, 409), summary="The best moves for a seat")
async def get_hint(
    request: BoundedRequest, match: MatchId, level: Level = hints.LEVEL, if_none_match: IfNoneMatch = None
) -> Response[HintAnswer]:
    """What a search finds for the seat whose token is sent, if it is to move: at most three moves, the best first.

    It goes by what everybody at the table may know. A client has one search under way at a time.
    """
    seat = (await access_to(request, match)).member("seat").seat
    served, search_jobs, client = ledger_of(request), search_jobs_of(request), client_of(request.scope)
    _refuse_above(served.settings.hint_level, level)

    async def make(live: Live) -> HintAnswer:
        found = await search_jobs.hint(client, hints.asked_for(live, seat, level))
        return hint_answer(live, seat, level, hints.hints(live, seat, found))

    return await looked_up(request, match, if_none_match, ("hint", seat, level), make)


def refuse_open(live: Live) -> None:
    """Refuse a match that is still on: at home one may review what there is of it."""
    if live.table.closed is None:
        raise Refused("review/open", f"Match {live.id} is still being played; it is reviewed when it is over.")


async def reviewed(request: BoundedRequest, match: str, level: int) -> tuple[CachedMatch, ReviewJob]:
    """A match that is over and the review of it, which is begun unless it was before; for whoever may look at it."""
    await access_to(request, match)
    served, search_jobs = ledger_of(request), search_jobs_of(request)
    _refuse_above(served.settings.review_level, level)
    cached = await served.look(match)
    live = cached.live
    refuse_open(live)
    key = (live.id, level)  # what follows an end, disputes and other names, changes nothing in what was played
    job = search_jobs.known(key)
    if job is None:
        inquest = await served.in_thread(Inquest, live, level)
        job = search_jobs.known(key) or search_jobs.begin(client_of(request.scope), key, inquest)
    return cached, job


@get(
    "/matches/{match:str}/review",
    responses={
        202: ResponseSpec(
            ReviewUnderWay,
            generate_examples=False,
            description="It is under way; Retry-After says when to ask again.",
        ),
        **refusals(401, 404, 409),
    },
    summary="Every decision of a match that is over, and what it lost",
)
async def get_review(request: BoundedRequest, match: MatchId, level: Level = QUICK) -> Response[ReviewAnswer]:
    """At every decision the best move found and the points lost against it, the worst mistakes, the turning point.

    The first request begins the review, and says how far it is; ask again until it is there. It is kept for others.
    """
    cached, job = await reviewed(request, match, level)
    if job.review is not None:
        return sent(review_answer(cached.live, job.review), cached.etag)
    answer: Response[Any] = sent(ReviewUnderWay(cached.live.id, level, job.done, job.decisions), status=202)
    answer.headers["Retry-After"] = str(round(SECONDS))
    return answer


HANDLERS = [get_hint, get_review]
