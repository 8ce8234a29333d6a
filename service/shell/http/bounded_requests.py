"""Bodies: JSON that is measured before anything is built of it, and texts that are none."""

from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, RequestBody, Schema

from service.errors import UsageError
from service.limits import excess


class BoundedRequest(Request[Any, Any, Any]):
    """A request whose body may be anything that people send."""

    async def json(self) -> Any:
        """The body, refused if it is nested beyond measure, has endless numbers, or is not UTF-8."""
        data = await self.body()
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise UsageError("http/encoding", f"The body is not UTF-8 text: byte {error.start + 1} is none.") from error
        if why := excess(data):
            raise UsageError("http/body", f"The body does not read: {why}.")
        return await super().json()


def taking(media_type: str, description: str) -> type[Operation]:
    """The description of a route that takes a text. Litestar would read a typed body as JSON, whatever it is."""

    @dataclass
    class TakingText(Operation):
        def __post_init__(self) -> None:
            content = {media_type: OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))}
            self.request_body = RequestBody(required=True, description=description, content=content)

    return TakingText


def giving(*media_types: str) -> type[Operation]:
    """The description of a route that gives a text in one of several forms."""

    @dataclass
    class GivingText(Operation):
        def __post_init__(self) -> None:
            given = (self.responses or {})["200"]
            assert isinstance(given, OpenAPIResponse)
            given.content = {form: OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING)) for form in media_types}

    return GivingText
