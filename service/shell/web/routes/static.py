"""Modules, the style sheet and the icon: kept by browsers for ever, each version under an address of its own."""

from gzip import compress
from typing import Annotated, Final

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter

from service.errors import NotFound
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.web.routes.responses import takes_packed
from service.shell.web.static_files import DIGEST, STATIC

_TYPES: Final = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
_FILES: Final = {name: text.encode() for name, text in STATIC.items()}
_PACKED: Final = {name: compress(data, mtime=0) for name, data in _FILES.items()}

Word = Annotated[str, PathParameter(max_length=64)]


@get("/static/{digest:str}/{name:str}", include_in_schema=False)
async def get_static(request: BoundedRequest, digest: Word, name: Word) -> Response[bytes]:
    """A file. Another version than this one is never sent under an old address."""
    if name not in _FILES or digest != DIGEST:
        raise NotFound("page/static", f"There is no {name} of that version here.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    is_packed = takes_packed(request)
    if is_packed:
        headers["Content-Encoding"] = "gzip"
    data = (_PACKED if is_packed else _FILES)[name]
    return Response(data, media_type=_TYPES[name.rpartition(".")[2]], headers=headers)


HANDLERS: list[HTTPRouteHandler] = [get_static]
PIECES: list[HTTPRouteHandler] = []
