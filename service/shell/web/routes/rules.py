"""The rules in writing, each under its id."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.response import Redirect

from service.errors import NotFound
from service.games.shelf import maybe_game
from service.limits import quoted
from service.questions.rulebook import normal, rulebook, search
from service.shell.http.bounded_requests import BoundedRequest
from service.shell.web.routes.responses import page
from service.shell.web.views.links import rule_address
from service.shell.web.views.rules import rulebook_view, rules_view


@get("/rules", include_in_schema=False)
async def get_rules_page(
    request: BoundedRequest, words: Annotated[str, QueryParameter(name="words", max_length=200)] = ""
) -> Response[Any]:
    """All rulebooks, and a search through them."""
    return page(request, "rules.html", page=rules_view(words, search(words) if words.strip() else []))


@get("/rules/{name:str}", include_in_schema=False)
async def get_rulebook_page(
    request: BoundedRequest, name: Annotated[str, PathParameter(description="A game, or a rule.", max_length=64)]
) -> Response[Any]:
    """The rulebook of a game. The id of a rule leads to it, whichever book it is in."""
    game = maybe_game(name)
    if game is None:
        if address := rule_address(normal(name)):
            return Redirect(address, status_code=303)
        raise NotFound("rules/unknown", f"{quoted(name)} is neither a game nor a rule here.")
    if not rulebook(game.key):
        raise NotFound("rules/none", f"The rules of {game.title} are not in writing here.")
    return page(request, "rulebook.html", page=rulebook_view(game))


HANDLERS: list[HTTPRouteHandler] = [get_rules_page, get_rulebook_page]
PIECES: list[HTTPRouteHandler] = []
