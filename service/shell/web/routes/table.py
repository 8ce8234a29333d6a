"""The table of a match: to play at, and to watch."""

from typing import Any

from litestar import Response, get

from service.play.history import Live
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.routes.responses import At, MatchId
from service.shell.web.routes.responses import match_page, piece
from service.shell.web.views.drawn_table import DrawnTable, drawn_table
from service.shell.web.views.table import TableView, table_view, title


@get("/matches/{match:str}", include_in_schema=False)
async def get_table(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """The page."""
    return await match_page(request, match, "table", title, table_view)


@piece("table.html", summary="The main part of the page of a match")
def get_table_piece(live: Live) -> TableView:
    """What the page shows to those who may look at a private match."""
    return table_view(live)


@piece("view.html", summary="The table drawn, as it stands or as it stood at any point")
def get_view(live: Live, at: At = None) -> DrawnTable:
    """Whose turn it is, what just happened, and SVG drawings whose parts are marked with `data-part`."""
    return drawn_table(live if at is None else live.at(at))


HANDLERS = [get_table]
PIECES = [get_table_piece, get_view]
