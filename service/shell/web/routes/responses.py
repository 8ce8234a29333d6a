"""What the routes of pages share: how a page is made of a template and sent, and what those get who may not see it."""

from collections.abc import Callable
from gzip import compress
from typing import Any, Final

from litestar import Response
from litestar.handlers import HTTPRouteHandler

from service.errors import NotFound
from service.play.history import Live
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.match_cache import AnswerKey
from service.shell.http.rendering import rendered
from service.shell.http.routes.responses import kept_ready, question, unchanged
from service.store.refusals import unknown_match

HTML: Final = "text/html; charset=utf-8"
_WORTH_PACKING: Final = 1_000
"""Bytes."""


def sent(request: BoundedRequest, data: bytes, *, etag: str = "", status: int = 200) -> Response[Any]:
    """A page, or a piece of one, as a response; packed for whoever takes that."""
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Authorization"}
    if etag:
        headers["ETag"] = etag
    if len(data) > _WORTH_PACKING and takes_packed(request):
        data = compress(data, 1, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(data, media_type=HTML, status_code=status, headers=headers)


def takes_packed(request: BoundedRequest) -> bool:
    """Whether whoever asks takes an answer that is packed."""
    return "gzip" in request.headers.get("accept-encoding", "")


def page(request: BoundedRequest, template: str, *, status: int = 200, **values: Any) -> Response[Any]:
    """A page from a template."""
    return sent(request, rendered(request, template, **values), status=status)


def piece(template: str, *, summary: str) -> Callable[[Callable[..., Any]], HTTPRouteHandler]:
    """The route of a piece of a page: what a function makes of a match, in the template of the same name."""

    async def look_at(
        request: BoundedRequest, match: str, if_none_match: str | None, key: AnswerKey, make: Callable[[Live], object]
    ) -> Response[Any]:
        async def written(live: Live) -> bytes:
            return rendered(request, template, page=make(live))

        data, etag = await kept_ready(request, match, if_none_match, key, written)
        return unchanged(etag) if data is None else sent(request, data, etag=etag)

    return question(f"/{template}", summary=summary, look_at=look_at, is_page=True)


async def match_page(
    request: BoundedRequest,
    match: str,
    name: str,
    title: Callable[[Live], str],
    make: Callable[[Live], object],
    *details: object,
) -> Response[Any]:
    """A page about a match, made once for each head; its main part is the piece `/api/v1/matches/{match}/{name}.html`.

    Whoever follows a link sends no token. Of a private match they get a page without its main part, which the module
    fetches with the token it keeps; so it is for a match that does not exist, and nobody learns which it was.
    """

    async def written(live: Live) -> bytes:
        return framed(request, match, name, title(live), make(live))

    try:
        data, _ = await kept_ready(request, match, None, (name, *details), written)
    except NotFound:
        return nothing_there(request, match, name)
    return sent(request, data or b"")


def framed(request: BoundedRequest, match: str, name: str, title: str, view: object, address: str = "") -> bytes:
    """The whole page around a main part; `address` is that of its piece where it is not its name."""
    values = {"match": match, "name": name, "address": address, "title": title, "page": view}
    return rendered(request, "match_page.html", **values)


def nothing_there(request: BoundedRequest, match: str, name: str, address: str = "") -> Response[Any]:
    """The page of a match that whoever asks may not see, or that does not exist."""
    # The module asks again with its token, for an id that can be one.
    asked = "".join(letter for letter in match if letter.isalnum() or letter in "-_")
    values = {"match": asked, "name": name, "address": address, "words": unknown_match(match).message}
    return page(request, "missing_match.html", status=404, **values)
