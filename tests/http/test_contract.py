"""The service is held to its own OpenAPI document: whatever is sent, the answer is one the document speaks of."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import Case, GenerationMode, HookContext
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.games.shelf import GAMES
from tests.http.api_client import DOCUMENT
from tests.http.serving import Service, serving
from tests.shelf import people

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MATCHES, MATCH = "/api/v1/matches", "/api/v1/matches/{match}"
ENDLESS = f"GET {MATCH}/live"
"""An answer without an end; tests/http/test_limits.py and the live tests read it."""
BOUNDED = settings(
    max_examples=5,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
WORDS: dict[str, list[Any]] = {
    "game": [game.key for game in GAMES],
    "players": [["Ann", "Ben"], ["Ann", "bot:random"], ["Ann"]],
    "seats": [2, None],
    "options": [{}],
    "undo": ["free", "consent", "strict"],
    "chance": ["fair", "resample", None],
    "arbiters": [["house"], []],
    "name": ["Cleo", "bot:greedy"],
    "role": ["seat", "arbiter", "host"],
    "rules": [["AZ-46"], []],
    "words": ["That was six."],
    "reason": ["So it is."],
    "arbiter": ["Ada"],
    "adjustments": [[]],
    "event": [0],
    "of": [None],
    "claim": [6],
    "steps": [None],
    "step": [2, None],
    "outcome": [None],
    "totals": [{"1": 3}],
    "key": [""],
    "signature": [""],
}
"""Words that mean something: random ones are refused at the door, and nothing behind it would be reached."""


FIELDS = {name for kind in DOCUMENT["components"]["schemas"].values() for name in kind.get("properties", {})}


def _linked(document: dict[str, Any]) -> dict[str, Any]:
    """A copy of the document with links from a match that was opened to everything that can be done with it."""
    document = deepcopy(document)
    opened = [document["paths"][path]["post"]["responses"]["201"] for path in (MATCHES, f"{MATCH}/fork")]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if path.startswith(MATCH) and f"{method.upper()} {path}" != ENDLESS:
                link = {"operationId": operation["operationId"], "parameters": {"match": "$response.body#/match/match"}}
                for response in opened:
                    response.setdefault("links", {})[operation["operationId"]] = link
    return document


SCHEMA = schemathesis.openapi.from_dict(_linked(DOCUMENT))
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)}


@SCHEMA.hook
def map_body(context: HookContext, body: Any) -> Any:
    """Put words that mean something in the place of most random ones."""
    if isinstance(body, dict):
        for name, value in body.items():
            if name in WORDS and (place := len(repr(value)) % 8) != 7:
                body[name] = WORDS[name][place % len(WORDS[name])]
    return body


@SCHEMA.hook
def map_path_parameters(context: HookContext, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Ask about the first dispute, seat and event more often than about any other."""
    for name in ("number", "seat", "seq"):
        if path_parameters and isinstance(path_parameters.get(name), int) and path_parameters[name] % 4:
            path_parameters[name] = 1
    return path_parameters


Known = dict[str, list[str]]
"""Matches, each with the tokens that open something in it."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of its own process, for which nothing is limited."""
    folder = tmp_path_factory.mktemp("contract")
    with serving(str(folder / "ledger.db"), folder) as running:
        yield running


@pytest.fixture(scope="module")
def known(service: Service) -> Known:
    """A match of every game between people, one that waits for somebody, one that bots have played."""
    found: Known = {}
    with httpx.Client(base_url=service.api, timeout=60) as client:
        for game in GAMES:
            names = people(game)
            for wishes in (
                {"players": names, "arbiters": ["house"]},
                {"players": names[:-1], "seats": len(names), "private": True, "undo": "consent"},
                {"players": ["bot:random"] * len(names)},
            ):
                opened = client.post("/matches", json={"game": game.key, **wishes})
                assert opened.status_code == 201, opened.text
                _remember(found, opened.json())
    return found


def _remember(known: Known, opened: dict[str, Any]) -> None:
    tokens = opened["tokens"]
    known[opened["match"]["match"]] = [*tokens["seats"].values(), tokens["host"], tokens["arbiter"]]


def mean(case: Case[Any], token: str) -> None:
    """Bring a token, no guards, and of the body only fields that somebody knows: so it gets past the door."""
    for name in ("If-Match", "Idempotency-Key"):
        case.headers.pop(name, None)
    case.headers["Authorization"] = f"Bearer {token}"
    if isinstance(case.body, dict):
        case.body = {name: value for name, value in case.body.items() if name in FIELDS}


@pytest.mark.parametrize("label", [label for label in OPERATIONS if label != ENDLESS])
def test_every_answer_is_in_the_document(service: Service, known: Known, label: str) -> None:
    """Requests that fit the document and requests that do not, about matches that are there and others."""
    operation = OPERATIONS[label]

    def hold(mode: GenerationMode, *checks: Any) -> None:
        @BOUNDED
        @given(data=st.data())
        def check(data: st.DataObject) -> None:
            case = data.draw(operation.as_strategy(generation_mode=mode))
            if "match" in case.path_parameters and data.draw(st.integers(0, 3)):
                match = data.draw(st.sampled_from(sorted(known)))
                case.path_parameters["match"] = match
                mean(case, data.draw(st.sampled_from(known[match])))
            case.call_and_validate(base_url=service.url, checks=[*CHECKS, *checks])

        check()

    hold(GenerationMode.POSITIVE)
    if "parameters" in operation.definition.raw or "requestBody" in operation.definition.raw:
        hold(GenerationMode.NEGATIVE)


def test_one_request_after_the_other(service: Service) -> None:
    """Matches are opened and forked, and everything that can be done with them is done with their tokens."""
    known: Known = {}

    class Visits(SCHEMA.as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            return {"base_url": service.url}

        def before_call(self, case: Case[Any]) -> None:
            tokens = known.get((case.path_parameters or {}).get("match", ""))
            if tokens:
                mean(case, tokens[len(repr(case.body)) % len(tokens)])

        def after_call(self, response: Any, case: Case[Any]) -> None:
            if response.status_code == 201 and "tokens" in (opened := response.json()):
                _remember(known, opened)

        def validate_response(self, response: Any, case: Case[Any], **kwargs: Any) -> None:
            case.validate_response(response, checks=CHECKS)

    run_state_machine_as_test(Visits, settings=settings(BOUNDED, max_examples=6, stateful_step_count=20))
    assert known, "nothing was opened"
