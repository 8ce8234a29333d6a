"""For those who run the service: whether it lives, whether it is ready, and what it measures."""

from litestar import Response, get
from msgspec import Struct

from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.metrics import exposition
from service.shell.http.problems import refusals
from service.shell.http.routes.responses import ledger_of


class Health(Struct, frozen=True):
    """How the service is."""

    status: str


WELCOME = """\
This is matchledger, a ledger of board game matches.
  /api/openapi.json   every route, for programs
  /api/v1/games       what can be played
  /api/v1/matches     what is being played
The guide for people with curl is docs/http.md.
"""
"""For programs that open the address; people get the lobby."""


@get("/healthz", responses=refusals(), summary="Whether the process answers")
async def healthz() -> Health:
    """The process answers; nothing else is looked at."""
    return Health("alive")


@get("/readyz", responses=refusals(), summary="Whether the database is reachable and migrated")
async def readyz(request: BoundedRequest) -> Health:
    """503 with the reason when it is not."""
    served = ledger_of(request)
    await served.in_thread(served.store.check_ready)
    return Health("ready")


@get("/metrics", media_type="text/plain", responses=refusals(), summary="What is measured, for Prometheus")
async def metrics() -> Response[bytes]:
    """Actions by outcome, latencies, streams, batch sizes, conflicts."""
    data, media_type = exposition()
    return Response(data, media_type=media_type)


HANDLERS = [healthz, readyz, metrics]
