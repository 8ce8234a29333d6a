"""What the routes of pages share: how a page is sent, and what is shown to whoever may not see it."""

from collections.abc import Callable
from gzip import compress
from typing import Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter

from service.errors import NotFound
from service.play.history import History, Live
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.http.match_cache import AnswerKey
from service.shell.http.routes.common import access_to, kept_ready, ledger_of, unchanged
from service.shell.web.layout import ADDRESS, STATIC, document, notice
from service.store.refusals import unknown_match

HTML = "text/html; charset=utf-8"
_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
_WORTH_PACKING = 1_000
"""Bytes."""
_STATIC = {name: text.encode() for name, text in STATIC.items()}
_PACKED = {name: compress(data, mtime=0) for name, data in _STATIC.items()}


def page(request: BoundedRequest, text: str | bytes, *, etag: str = "", status: int = 200) -> Response[Any]:
    """A page, or a piece of one, as a response; packed for whoever takes that."""
    data = text.encode() if isinstance(text, str) else text
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Authorization"}
    if etag:
        headers["ETag"] = etag
    if len(data) > _WORTH_PACKING and _takes_packed(request):
        data = compress(data, 1, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(data, media_type=HTML, status_code=status, headers=headers)


def _takes_packed(request: BoundedRequest) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


async def piece(
    request: BoundedRequest, match: str, if_none_match: str | None, key: AnswerKey, make: Callable[[Live], str]
) -> Response[Any]:
    """A piece of a page made from a match, once for each head; nothing for whoever has it already."""

    async def written(live: Live) -> bytes:
        return make(live).encode()

    data, etag = await kept_ready(request, match, if_none_match, key, written)
    return unchanged(etag) if data is None else page(request, data, etag=etag)


async def match_page(
    request: BoundedRequest, match: str, *, name: str, make: Callable[[Live], str], title: Callable[[History], str]
) -> Response[Any]:
    """A page about a match whose main part is also the piece `/api/v1/matches/{match}/{name}.html`.

    Whoever follows a link sends no token. Of a private match they get a page without its main part, which the module
    fetches with the token it keeps; so it is for a match that does not exist, and nobody learns which it was.
    """
    served = ledger_of(request)
    try:
        await access_to(request, match)
        cached = await served.look(match)
    except NotFound:
        return nothing_there(request, match, name)
    served.wake_bots(cached)
    return page_of(request, match, name, title(cached.live), make(cached.live))


def page_of(request: BoundedRequest, match: str, name: str, title: str, main: str) -> Response[Any]:
    """The page with that main part."""
    framed = f'<div id="page" data-match="{_plain(match)}" data-page="{name}">{main}</div>'
    return page(request, document(f"{title} – matchledger", framed, module=name))


def nothing_there(request: BoundedRequest, match: str, name: str) -> Response[Any]:
    """The page of a match that whoever asks may not see, or that does not exist."""
    error = unknown_match(match)
    body = notice("Nothing to see here", f"{error.message} It may be private: open the link you were sent.")
    main = f'<div id="page" data-match="{_plain(match)}" data-page="{name}" data-missing>{body}</div>'
    return page(request, document("Not found – matchledger", main, module=name), status=404)


def _plain(match: str) -> str:
    return "".join(letter for letter in match if letter.isalnum() or letter in "-_")


Word = Annotated[str, PathParameter(max_length=64)]


@get("/static/{digest:str}/{name:str}", include_in_schema=False)
async def get_static(request: BoundedRequest, digest: Word, name: Word) -> Response[bytes]:
    """A module, the style sheet or the icon. Another version than this one is never sent under an old address."""
    data = _STATIC.get(name)
    if data is None or not ADDRESS.endswith(digest):
        raise NotFound("page/static", f"There is no {name} of that version here.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if _takes_packed(request):
        data = _PACKED[name]
        headers["Content-Encoding"] = "gzip"
    return Response(data, media_type=_TYPES[name.rpartition(".")[2]], headers=headers)


HANDLERS = [get_static]
PIECES: list[HTTPRouteHandler] = []
