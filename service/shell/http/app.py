"""The application: routes, limits, errors and the OpenAPI document put together."""

import asyncio
import gc
import logging
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from typing import Any

from litestar import Litestar, Router
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from service.errors import LedgerError
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.edge import EdgeMiddleware, RateLimiter
from service.shell.http.problems import on_failure, on_http, on_refusal
from service.shell.http.rendering import template_config
from service.shell.http.routes import advice, commands, games, health, matches, reading, records
from service.shell.http.search_jobs import SearchJobs
from service.shell.http.served_ledger import ServedLedger
from service.shell.http.settings import Settings, from_environment
from service.shell.web.routes import audit, lobby, replay, review, rules, static, table

API = "/api/v1"
PAGES = (static, lobby, table, replay, review, audit, rules)
_OUR_HEADERS = ("If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID")


def make_app(settings: Settings, others: Sequence[HTTPRouteHandler] = ()) -> Litestar:
    """The service on one ledger; with other routes beside its own, such as a benchmark's."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with ServedLedger(settings) as served:
            app.state.ledger = served
            app.state.streams = {}
            app.state.search_jobs = search_jobs = SearchJobs()
            with _ending_streams(served.feeds.end):
                try:
                    yield
                finally:
                    await search_jobs.close()

    rooms = (games, matches, commands, reading, advice, records)
    routes = [handler for room in rooms for handler in room.HANDLERS]
    routes += [handler for room in PAGES for handler in room.PIECES]
    bringing = [*records.BRINGING, *replay.UPLOADS]
    bringing_records = Router("/", route_handlers=bringing, request_max_body_size=settings.record_bytes)
    api = Router(API, route_handlers=[*routes, bringing_records])
    rendered = [handler for room in PAGES for handler in room.HANDLERS]
    cors = CORSConfig(
        allow_origins=list(settings.origins),
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["Authorization", "Content-Type", *_OUR_HEADERS],
        expose_headers=["ETag", "Retry-After", "X-Request-ID"],
    )
    app = Litestar(
        route_handlers=[api, *health.HANDLERS, *rendered, *others],
        lifespan=[lifespan],
        request_class=BoundedRequest,
        exception_handlers={LedgerError: on_refusal, HTTPException: on_http, Exception: on_failure},
        request_max_body_size=settings.body_bytes,
        template_config=template_config(),
        cors_config=cors if settings.origins else None,
        openapi_config=OpenAPIConfig(
            title="matchledger",
            version=version("matchledger"),
            description="A ledger of board game matches: play, watch, replay, audit and dispute them.",
            path="/api",
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
            security=[{}, {"token": []}],  # what a token is needed for depends on the match
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
        debug=False,
    )
    # outside of everything: Litestar's own middleware sees no request for which there is no route
    app.asgi_handler = EdgeMiddleware(app.asgi_handler, RateLimiter(settings.rate, settings.burst))
    return app


def from_worker() -> Litestar:
    """The service as a worker process makes it."""
    leave_the_old_alone()
    return make_app(from_environment())


def leave_the_old_alone() -> None:
    """Let the collector look at what was loaded no more, and seldom at the rest.

    Matches that are kept in memory are many objects that live long; reading through them again and again took a
    quarter of the time of every action.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@contextmanager
def _ending_streams(end: Callable[[], None]) -> Any:
    """Let streams end as soon as the process is told to stop: the server waits for every open answer."""
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}

    def stop(number: int, frame: Any) -> None:
        loop.call_soon_threadsafe(end)
        previous = before[signal.Signals(number)]
        if callable(previous):
            previous(number, frame)

    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            before[number] = signal.getsignal(number)
            signal.signal(number, stop)
    except ValueError:  # not in the main thread, as in tests: whoever runs it ends it another way
        logging.getLogger("matchledger").debug("signals are somebody else's")
    try:
        yield
    finally:
        for known, handler in before.items():
            if signal.getsignal(known) is stop:
                signal.signal(known, handler)
