"""What every request passes first and every answer last: an id, limits, headers that keep browsers careful, the log."""

import logging
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from random import getrandbits
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.status_codes import HTTP_401_UNAUTHORIZED, HTTP_404_NOT_FOUND
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.shell.http.metrics import LATENCY
from service.shell.http.problems import TooMany, refused
from service.trust.tokens import hashed
from service.visible import visible, visible_json

LOG: Final = logging.getLogger("matchledger.access")
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_CLIENTS: Final = 10_000
"""How many clients' budgets are remembered; whoever was away longest begins with a full one."""
_SHARE: Final = 0.125
"""What a request with a token costs the address it comes from: eight busy players may sit behind one."""
_UNLIMITED: Final = ("/healthz", "/readyz", "/metrics")
SECURITY: Final = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        b" form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class RateLimiter:
    """How many requests each client may still make: so many at once, and so many a second for long."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def take(self, client: object, cost: float = 1.0) -> float:
        """Take what a request costs; gives the seconds to wait when not a whole one is left, else 0."""
        if not self._rate:
            return 0.0
        now = self._clock()
        left, since = self._left.pop(client, (float(self._burst), now))
        left = min(float(self._burst), left + (now - since) * self._rate)
        is_allowed = left >= 1
        self._left[client] = (left - cost if is_allowed else left, now)
        if len(self._left) > _CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if is_allowed else (1 - left) / self._rate


def client_of(scope: Scope) -> object:
    """Who asks, as limits count: the bearer of a token, or else an address. The token itself is not kept."""
    authorization = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    if authorization:
        return hashed(authorization.decode("latin-1"))
    return _address(scope)


def _address(scope: Scope) -> str:
    address = scope.get("client")
    return address[0] if address else ""


class EdgeMiddleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, rate_limiter: RateLimiter) -> None:
        self._app = app
        self._rate_limiter = rate_limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its client has used up what it may ask for."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"x-request-id"), "")
        request_id = given if _ID.fullmatch(given) else f"{getrandbits(64):016x}"
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name.lower() for name, _ in message["headers"]}
                extra = [(name, value) for name, value in SECURITY if name not in known]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode()), *extra]
            await send(message)

        try:
            client, address = client_of(scope), _address(scope)
            per_address = (address, "with tokens")  # a budget of its own, however many tokens somebody has or makes up
            seconds = 0.0
            if scope["path"] not in _UNLIMITED:
                seconds = self._rate_limiter.take(client)
                if not seconds and client != address:
                    seconds = self._rate_limiter.take(per_address, _SHARE)
            if seconds:
                response = refused(TooMany("limit/requests", "Too many requests; wait a moment.", seconds))
                await response.to_asgi_response(None, None)(scope, receive, answer)  # type: ignore[arg-type]
            else:
                await self._app(scope, receive, answer)
        finally:
            if status in (HTTP_401_UNAUTHORIZED, HTTP_404_NOT_FOUND) and client != address:
                self._rate_limiter.take(per_address, 1 - _SHARE)  # what opens nothing costs as much as no token
            seconds = time.perf_counter() - started
            route = str(scope.get("path_template") or "other")
            if not route.endswith("/live"):  # a stream takes as long as somebody watches
                LATENCY.labels(scope["method"], route, status).observe(seconds)
            _log(scope, request_id, status, seconds)


def _log(scope: HTTPScope, request_id: str, status: int, seconds: float) -> None:
    if not LOG.isEnabledFor(logging.INFO):
        return
    LOG.info(
        "request",
        extra={
            "request": request_id,
            "method": scope["method"],
            "path": visible(scope["path"]),  # without the query: what somebody looks for is nobody's business
            "match": (scope.get("path_params") or {}).get("match"),
            "status": status,
            "ms": round(seconds * 1000, 2),
        },
    )


class JsonLines(logging.Formatter):
    """One JSON object a line, with whatever was said beside the message."""

    _OWN: Final = frozenset((*vars(logging.makeLogRecord({})), "color_message"))

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "message": visible(record.getMessage()),
        }
        line |= {key: value for key, value in vars(record).items() if key not in self._OWN and value is not None}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return visible_json(msgspec.json.encode(line, enc_hook=str).decode())
