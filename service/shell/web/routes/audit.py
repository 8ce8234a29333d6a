"""The audit of a match in plain words, and its disputes from claim to final ruling."""

from collections.abc import Callable
from typing import Any, Final

from litestar import Response, get

from service.errors import NotFound
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.problems import refusals
from service.shell.http.rendering import rendered
from service.shell.http.routes.records import audited
from service.shell.http.routes.responses import MatchId, ledger_of
from service.shell.web.routes.responses import framed, nothing_there, sent
from service.shell.web.views.audit import AuditView, PageQuery, audit_view
from service.trust.arbiters import registered_arbiters
from service.trust.service_arbiter import service_arbiter_key

_PAGE: Final = "audit"
_ADDRESS: Final = "case"
"""The last word of its address: people have links to it, and programs know the piece under it."""


async def _made(request: BoundedRequest, match: str, write: Callable[[AuditView], bytes]) -> Response[Any]:
    """The page, from an audit of the match as it is stored; a damaged one has a page too."""
    evidence, report = await audited(request, match)
    typed = {name: value for name, value in request.query_params.items() if isinstance(value, str)}
    served = ledger_of(request)

    def made() -> bytes:
        query = PageQuery(typed, registered_arbiters(), service_arbiter_key())
        return write(audit_view(report, evidence, served.ledger.clock(), query=query))

    return sent(request, await served.in_thread(made))


@get("/matches/{match:str}/case", include_in_schema=False)
async def get_audit(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """The page; what is asked of it stands in its address."""
    try:
        return await _made(
            request, match, lambda view: framed(request, match, _PAGE, f"Audit of {view.title}", view, _ADDRESS)
        )
    except NotFound:
        return nothing_there(request, match, _PAGE, _ADDRESS)


@get(
    "/matches/{match:str}/case.html",
    responses=refusals(401, 404),
    media_type="text/html",
    operation_id="ApiV1MatchesCaseHtmlGetCasePiece",
    summary="The main part of the page with the audit and the disputes of a match",
)
async def get_audit_piece(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """Verdicts, disputes and score sheet; with `claim-1=54` and the like, where such a claim parts from the ledger."""
    return await _made(request, match, lambda view: rendered(request, "audit.html", page=view))


HANDLERS = [get_audit]
PIECES = [get_audit_piece]
