"""Texts that are no JSON, for the OpenAPI document: what Litestar cannot know about a route."""

from dataclasses import dataclass

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, RequestBody, Schema


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
