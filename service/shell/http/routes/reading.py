"""Looking at a match: where it stands, what may be done, what has happened, live and at any point."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.response import Stream
from msgspec import Raw

from service.errors import UsageError
from service.limits import NUMBER, quoted
from service.play.history import Live
from service.play.moves import seat_to_act
from service.questions.explain import explain
from service.shell.answers.disputes import DocketAnswer, docket_answer
from service.shell.answers.match import (
    LegalAnswer,
    MatchAnswer,
    ScoresAnswer,
    Told,
    legal_answer,
    match_answer,
    scores_answer,
    story_answer,
)
from service.shell.answers.questions import ExplainedAnswer, explained_answer
from service.shell.answers.service import EventPage
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.edge import client_of
from service.shell.http.problems import TooMany, refusals
from service.shell.http.routes.responses import At, IfNoneMatch, MatchId, access_to, ledger_of, looked_up, question

EventNumber = Annotated[int, PathParameter(description="The number of an event.", ge=1, le=NUMBER)]
WhoseTurn = Annotated[int | None, QueryParameter(name="seat", ge=1, le=99, description="Whose turn it is unless said.")]
EVENTS_PER_PAGE = 100
"""Events for each match that a page of matches could hold."""


@question("", summary="A match as it stands, or as it stood at any point")
def get_match(live: Live, at: At = None) -> MatchAnswer:
    """Everything public about a match: the table, whose turn it is, the scores."""
    return match_answer(live if at is None else live.at(at))


@question("/legal", 409, summary="Every legal action of a seat")
def get_legal(live: Live, seat: WhoseTurn = None) -> LegalAnswer:
    """The legal actions as values, as they are written, in words, and with the points they change at once."""
    return legal_answer(live, seat_to_act(live, seat))


@question("/story", summary="What happened, one sentence for each event")
def get_story(live: Live) -> list[Told]:
    """The story; steps that were undone are told as well, and marked."""
    return story_answer(live)


@question("/scores", summary="The score sheet")
def get_scores(live: Live, at: At = None) -> ScoresAnswer:
    """Every point with its rule, its reason and the running total."""
    return scores_answer(live if at is None else live.at(at))


@get("/matches/{match:str}/events", responses=refusals(304, 401, 404), summary="Events behind a number")
async def get_events(
    request: BoundedRequest,
    match: MatchId,
    after: Annotated[int, QueryParameter(name="after", ge=0, le=NUMBER, description="The last event you have.")] = 0,
    if_none_match: IfNoneMatch = None,
) -> Response[EventPage]:
    """The history itself; ask again with the number of the last event until it is the head."""
    served = ledger_of(request)
    most = served.settings.page_size * EVENTS_PER_PAGE

    async def make(live: Live) -> EventPage:
        # As they are stored: an event of a shape that is no longer written would not chain if it were written anew.
        rows = await served.ask(served.store.rows, match, after)
        shown = [row for row in rows if row.seq <= live.head.seq][:most]
        return EventPage(
            match=live.id,
            head=live.head.seq,
            events=[Raw(row.data) for row in shown],
            hashes=[row.hash.hex() for row in shown],
            names={seat: row.name for seat, row in live.seats.items()},
            kinds={seat: row.kind for seat, row in live.seats.items()},
        )

    return await looked_up(request, match, if_none_match, ("events", after), make)


@question("/events/{seq:int}", summary="One event explained")
def get_explained(live: Live, seq: EventNumber) -> ExplainedAnswer:
    """The table before and after, every point added up, the rules in full."""
    return explained_answer(live, explain(live, seq))


@question("/disputes", summary="The disputes of a match and both results")
def get_disputes(live: Live) -> DocketAnswer:
    """Every dispute with its course so far, what play led to, and what holds after the rulings."""
    return docket_answer(live)


@get(
    "/matches/{match:str}/live",
    responses=refusals(401, 404),
    media_type="text/event-stream",
    summary="Every step as it happens, as server-sent events",
)
async def live_stream(
    request: BoundedRequest,
    match: MatchId,
    last_event_id: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", description="The last event you have.", max_length=20),
    ] = None,
    after: Annotated[
        int | None,
        QueryParameter(
            name="after", ge=0, le=NUMBER, description="The same for a first request; the head unless said."
        ),
    ] = None,
) -> Stream:
    """A message a step: `id` is its last event, `event` is `step`, or `past` where steps were undone or redone.

    Comments come while nothing happens. When the connection is lost, send the last `id` as `Last-Event-ID`.
    """
    await access_to(request, match)
    served = ledger_of(request)
    seen = _read_id(last_event_id) if last_event_id else after
    client = client_of(request.scope)
    open_streams: dict[object, int] = request.app.state.streams
    if open_streams.get(client, 0) >= served.settings.streams:
        message = f"You have {served.settings.streams} streams open, and that is all one client may have."
        raise TooMany("limit/streams", message, served.settings.heartbeat)
    cached = await served.look(match)
    served.wake_bots(cached)
    first = min(cached.live.head.seq if seen is None else seen, cached.live.head.seq)

    async def stream() -> Any:
        open_streams[client] = open_streams.get(client, 0) + 1
        try:
            async for message in served.feeds.stream(cached, first, served.settings.heartbeat):
                yield message
        finally:
            open_streams[client] -= 1
            if not open_streams[client]:
                del open_streams[client]

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "ETag": cached.etag}
    return Stream(stream(), media_type="text/event-stream", headers=headers)


def _read_id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise UsageError("live/last-event-id", f"{quoted(text)} is no event; send the last id you were given.")
    return int(text)


HANDLERS = [get_match, get_legal, get_story, get_scores, get_events, get_explained, get_disputes, live_stream]
