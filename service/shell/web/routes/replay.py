"""A match step by step, from the ledger or from a record that is stored nowhere."""

from collections.abc import Callable
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import QueryParameter

from service.play.history import Live
from service.shell.http.bounded_requests import BoundedRequest, taking
from service.shell.http.problems import refusals
from service.shell.http.rendering import rendered
from service.shell.http.routes.responses import At, MatchId, ledger_of
from service.shell.web.routes.responses import match_page, page, piece, sent
from service.shell.web.uploads import OFFERED, Upload, UploadCache
from service.shell.web.views.replay import ReplayView, replay_view, step_view, upload_view
from service.shell.web.views.table import title

Number = Annotated[int, QueryParameter(name="match", description="Which match of the file.", ge=1, le=OFFERED)]
_TAKES = taking("text/plain", "A text record or JSON lines.")
_UPLOADS = UploadCache()


@get("/matches/{match:str}/replay", include_in_schema=False)
async def get_replay(request: BoundedRequest, match: MatchId, at: At = None) -> Response[Any]:
    """The page."""

    def called(live: Live) -> str:
        return f"Replay of {title(live)}"

    return await match_page(request, match, "replay", called, lambda live: replay_view(live, at), at)


@piece("replay.html", summary="The main part of the page that replays a match")
def get_replay_piece(live: Live, at: At = None) -> ReplayView:
    """The table at a point, the moves, the scores over the steps, and the score sheet."""
    return replay_view(live, at)


@get("/read", include_in_schema=False)
async def get_read(request: BoundedRequest) -> Response[Any]:
    """The page that takes a record."""
    return page(request, "read.html", most=ledger_of(request).settings.record_bytes)


@post(
    "/records/replay.html",
    status_code=200,
    responses=refusals(404, 409, 413),
    operation_class=_TAKES,
    media_type="text/html",
    summary="A record read, audited and replayed, and not stored",
)
async def replay_record(request: BoundedRequest, at: At = None, match: Number = 1) -> Response[Any]:
    """What an audit says of it, and the same as of a match of the ledger; of one match, where the file has several."""
    return await _uploaded(request, "replay.html", match, lambda upload: upload_view(upload, at))


@post(
    "/records/view.html",
    status_code=200,
    responses=refusals(404, 409, 413),
    operation_class=_TAKES,
    media_type="text/html",
    summary="The table of a record drawn, as it stood at any point",
)
async def view_record(request: BoundedRequest, at: At = None, match: Number = 1) -> Response[Any]:
    """The same as of a match of the ledger. The record is sent each time, and read the first time only."""
    return await _uploaded(request, "view.html", match, lambda upload: step_view(upload.sound_history, at))


async def _uploaded(
    request: BoundedRequest, template: str, number: int, make: Callable[[Upload], object]
) -> Response[Any]:
    """A piece of a page made from a match of the record that was sent."""
    data = await request.body()

    def made() -> bytes:
        return rendered(request, template, page=make(_UPLOADS.find(data, number)))

    return sent(request, await ledger_of(request).in_thread(made))


HANDLERS = [get_replay, get_read]
PIECES = [get_replay_piece]
UPLOADS = [replay_record, view_record]
"""Those that take more than other routes do."""
