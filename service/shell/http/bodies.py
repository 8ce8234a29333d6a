"""Bodies that are no JSON, for the OpenAPI document: a route reads them as they are."""

from dataclasses import dataclass

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema


def taking(media_type: str, description: str) -> type[Operation]:
    """The description of a route that takes a text. Litestar would read a typed body as JSON, whatever it is."""

    @dataclass
    class TakingText(Operation):
        def __post_init__(self) -> None:
            content = {media_type: OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))}
            self.request_body = RequestBody(required=True, description=description, content=content)

    return TakingText
