"""The service within the test's own process, and visitors who come with a token or without."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
from litestar.testing import TestClient

from service.games.shelf import find_game
from service.shell.http.app import API, make_app
from service.shell.http.settings import Settings
from tests.shelf import people

PATIENCE = 5_000
"""How often a test looks whether bots have moved before it gives them up."""

DOCUMENT = make_app(Settings(database="")).openapi_schema.to_schema()
ROOT = (*(path for path in DOCUMENT["paths"] if not path.startswith(API)), "/api/openapi.json")
"""What lies beside the interface."""


def check_documented(answer: httpx.Response) -> None:
    """Refuse an answer whose status, or whose media type, the OpenAPI document does not have."""
    path, method = answer.request.url.path, answer.request.method.lower()
    for template, operations in DOCUMENT["paths"].items():
        if method in operations and re.fullmatch(re.sub(r"{[^}]+}", "[^/]+", template), path):
            known = operations[method]["responses"].get(str(answer.status_code))
            assert known is not None, f"{method} {template} is not documented to answer {answer.status_code}"
            media = answer.headers.get("content-type", "").split(";")[0]
            assert not answer.content or media in known["content"], f"{method} {template} is not documented as {media}"
            return


class ApiClient(NamedTuple):
    """Somebody who asks, with a token or with none."""

    client: httpx.Client
    token: str = ""

    def ask(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """An answer of the service; `path` is below the interface, or one of `ROOT`."""
        headers = dict(sent.pop("headers", None) or {})
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        where = path if path in ROOT else API + path
        answer = self.client.request(method, where, headers=headers, **sent)
        check_documented(answer)
        return answer

    def get(self, path: str, **sent: Any) -> httpx.Response:
        """What lies there."""
        return self.ask("GET", path, **sent)

    def post(self, path: str, body: Any = None, **sent: Any) -> httpx.Response:
        """What becomes of a request with a JSON body, or with none."""
        return self.ask("POST", path, **({"json": body} if body is not None else {}), **sent)


class Table(NamedTuple):
    """A match with everybody who has a token of it."""

    id: str
    host: ApiClient
    arbiter: ApiClient
    seats: dict[int, ApiClient]
    spectator: ApiClient
    """Without a token where the match is public."""
    opened: dict[str, Any]
    """The answer to whoever opened it."""

    @property
    def path(self) -> str:
        """Where its routes begin."""
        return f"/matches/{self.id}"

    @property
    def everybody(self) -> dict[str, ApiClient]:
        """By role."""
        seats = {f"seat {seat}": api for seat, api in self.seats.items()}
        return {"host": self.host, "arbiter": self.arbiter, "spectator": self.spectator, **seats}

    def state(self) -> dict[str, Any]:
        """The match as its host sees it."""
        state: dict[str, Any] = good(self.host.get(self.path))
        return state

    def moves(self, seat: int | None = None) -> list[dict[str, Any]]:
        """What a seat may do; whoever's turn it is unless said."""
        query = {} if seat is None else {"seat": seat}
        moves: list[dict[str, Any]] = good(self.host.get(f"{self.path}/legal", params=query))["moves"]
        return moves

    def play(self, times: int = PATIENCE, rng: Random | None = None) -> dict[str, Any]:
        """Let people make so many moves, or all that are left, and bots reply; the match then."""
        rng = rng or Random(0)
        for _ in range(times):
            state = self.settled()
            if state["status"] != "playing":
                break
            seat = state["turn"][0]
            move = rng.choice(self.moves(seat))["move"]
            good(self.seats[seat].post(f"{self.path}/actions", {"move": move}))
        return self.settled()

    def settled(self) -> dict[str, Any]:
        """The match once no bot is on turn."""
        for _ in range(PATIENCE):
            state = self.state()
            if not any(player["bot"] and player["seat"] in state["turn"] for player in state["players"]):
                return state
        raise AssertionError(f"the bots of {self.id} do not move")


def good(answer: httpx.Response) -> Any:
    """What an answer says that is none of refusal."""
    assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:500]}"
    return answer.json() if answer.content else None


def refused(answer: httpx.Response, status: int, code: str) -> Any:
    """The problem that an answer must be."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code), answer.text
    return problem


def open_table(api: ApiClient, game: str = "azul", **wishes: Any) -> Table:
    """A match that was opened just now; unless said for as few people as the game takes, who are all there."""
    wishes.setdefault("players", people(find_game(game)))
    return table_of(api, good(api.post("/matches", {"game": game, **wishes})))


def table_of(api: ApiClient, opened: dict[str, Any]) -> Table:
    """The match of an answer that has tokens."""
    tokens = opened["tokens"]

    def with_token(token: str | None) -> ApiClient:
        return ApiClient(api.client, token or "")

    return Table(
        opened["match"]["match"],
        with_token(tokens["host"]),
        with_token(tokens["arbiter"]),
        {int(seat): with_token(token) for seat, token in tokens["seats"].items()},
        with_token(tokens["spectator"]),
        opened,
    )


@contextmanager
def api_client(database: Path, migrated: Path, **settings: Any) -> Iterator[ApiClient]:
    """Somebody without a token, at a service on a new ledger. Requests are not limited unless settings say so."""
    shutil.copy(migrated, database)
    app = make_app(Settings(database=str(database), **{"rate": 0.0, **settings}))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield ApiClient(client)
