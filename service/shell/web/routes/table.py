"""The table of a match: to play at, and to watch."""

from typing import Any

from litestar import Response, get

from service.play.history import Live
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.problems import refusals
from service.shell.http.routes.common import At, IfNoneMatch, MatchId
from service.shell.web.routes.responses import match_page, piece
from service.shell.web.views.drawn_table import DrawnTable, drawn_table
from service.shell.web.views.table import table_view, title


@get("/matches/{match:str}", include_in_schema=False)
async def get_table(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """The page."""
    return await match_page(request, match, "table", title, table_view)


@get(
    "/matches/{match:str}/table.html",
    responses=refusals(304, 401, 404),
    media_type="text/html",
    summary="The main part of the page of a match",
)
async def get_table_piece(request: BoundedRequest, match: MatchId, if_none_match: IfNoneMatch = None) -> Response[Any]:
    """What the page shows to those who may look at a private match."""
    return await piece(request, match, if_none_match, "table.html", table_view)


@get(
    "/matches/{match:str}/view.html",
    responses=refusals(304, 401, 404),
    media_type="text/html",
    summary="The table drawn, as it stands or as it stood at any point",
)
async def get_view(
    request: BoundedRequest, match: MatchId, at: At = None, if_none_match: IfNoneMatch = None
) -> Response[Any]:
    """Whose turn it is, what just happened, and SVG drawings whose parts are marked with `data-part`."""

    def make(live: Live) -> DrawnTable:
        return drawn_table(live if at is None else live.at(at))

    return await piece(request, match, if_none_match, "view.html", make, at)


HANDLERS = [get_table]
PIECES = [get_table_piece, get_view]
