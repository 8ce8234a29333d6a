"""The games, their options and their rules in writing."""

from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from service.errors import NotFound, UsageError
from service.games.shelf import find_game, known_games
from service.questions.rulebook import Rule, find_rule, rulebook, rules_of, search
from service.shell.answers.games import GameAnswer, game_answer
from service.shell.http.problems import refusals

Key = Annotated[str, PathParameter(description="A game, such as azul.", max_length=64)]


def _game(key: str) -> GameAnswer:
    try:
        return game_answer(find_game(key))
    except UsageError as refusal:
        missing = NotFound(refusal.code, refusal.message)
        missing.choices = refusal.choices
        raise missing from refusal


@get("/games", responses=refusals(), summary="Every game with its options and how its moves are written")
async def list_games() -> list[GameAnswer]:
    """What can be played here."""
    return [game_answer(game) for game in known_games()]


@get("/games/{key:str}", responses=refusals(404), summary="One game")
async def get_game(key: Key) -> GameAnswer:
    """One game."""
    return _game(key)


@get("/games/{key:str}/rules", responses=refusals(404), summary="The rules of a game, by their ids")
async def get_rules(key: Key) -> list[Rule]:
    """The rules of a game."""
    return list(rules_of(_game(key).key).values())


@get(
    "/games/{key:str}/rulebook",
    responses=refusals(404),
    media_type="text/markdown",
    summary="The rules of a game as one document",
)
async def get_rulebook(key: Key) -> Response[str]:
    """The whole rulebook."""
    return Response(rulebook(_game(key).key), media_type="text/markdown; charset=utf-8")


@get("/rules/{rule:str}", responses=refusals(404), summary="One rule by its id, such as AZ-46")
async def get_rule(rule: Annotated[str, PathParameter(max_length=40)]) -> Rule:
    """One rule."""
    try:
        return find_rule(rule)
    except UsageError as refusal:
        raise NotFound(refusal.code, refusal.message) from refusal


@get("/rules", responses=refusals(), summary="Every rule that has all of these words")
async def find_rules(words: Annotated[str, QueryParameter(name="words", min_length=1, max_length=200)]) -> list[Rule]:
    """Rules by their words."""
    return search(words)


HANDLERS = [list_games, get_game, get_rules, get_rulebook, get_rule, find_rules]
