"""Nothing of the secret, the seed or what lies in the bag leaves the service before the match is closed."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from events.codec import event_types, tag
from service.games.shelf import GAMES, find_game
from service.shell.http.app import API
from service.store.connect import open_store
from tests.http.api_client import DOCUMENT, ApiClient, Table, good, open_table
from tests.http.serving import Service, serving
from tests.shelf import people

KINDS = {tag(kind): kind for kind in event_types()}
NO_DIGIT = re.compile(rb"[^0-9]+")
SEED = 8_421_337_907_112_345
STRIDE = 15
"""So many moves lie between two crawls; the stream tells every one."""
AHEAD = 20
"""So many coming draws in a row are not there by accident."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of its own process: what leaves it has gone over the network."""
    folder = tmp_path_factory.mktemp("secrets")
    with serving(str(folder / "ledger.db"), folder) as running:
        yield running


def crawled(api: ApiClient, table: Table) -> Iterator[tuple[str, bytes]]:
    """Every answer to a question that the OpenAPI document knows, but for the stream, which has no end."""
    state = table.state()
    values = {"match": table.id, "key": state["game"], "rule": "AZ-46", "seq": state["head"]}
    for path, operations in DOCUMENT["paths"].items():
        if "get" not in operations or path.endswith("/live"):
            continue
        parameters = operations["get"].get("parameters", [])
        places = {one["name"]: values[one["name"]] for one in parameters if one["in"] == "path"}
        queries: list[dict[str, Any]] = [{"words": "tile"}] if path.endswith("/rules") else [{}]
        names = {one["name"] for one in parameters}
        queries = [{"seat": 1}] if "seat" in names else queries
        queries += [{"format": "jsonl"}] if "format" in names else []
        queries += [{"at": f"s{state['step']}"}] if "at" in names else []
        asker, expected = api, [200]
        if path.endswith("/hint"):  # for the seat that is to move, where there is anything to choose
            asker, expected = table.seats.get(next(iter(state["turn"]), 0), api), [200, 403, 409]
            queries = [{"level": 1}]
        elif path.endswith("/review"):
            expected = [409]  # the match is on
        for query in queries:
            answer = asker.ask("GET", path.format(**places).removeprefix(API), params=query)
            assert answer.status_code in expected, f"{path}: {answer.text}"
            yield path, answer.content + repr(answer.headers.multi_items()).encode()


def encodings(secret: bytes) -> list[bytes]:
    """Some bytes in every way they could be written down."""
    written = [secret.hex(), b64encode(secret).decode().rstrip("="), urlsafe_b64encode(secret).decode().rstrip("=")]
    numbers = [str(int.from_bytes(secret, order)) for order in ("big", "little")]
    lists = [separator.join(map(str, secret)) for separator in (",", ", ")]
    texts = [*written, secret.hex().upper(), *numbers, *lists, quote(secret), json.dumps(secret.decode("latin-1"))]
    return [secret, *(text.encode() for text in texts)]


def draws_of(event: dict[str, Any]) -> list[int]:
    """What chance drew, in its order; nothing for an event of another kind."""
    kind = KINDS[event["type"]]
    drawn = [value for name, value in event.items() if isinstance(value, list) or name == "card"]
    return list(_numbers(drawn)) if kind.by_chance else []


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        yield from chain.from_iterable(map(_numbers, value))
    elif isinstance(value, int):
        yield value


def tells(answer: bytes, numbers: list[int]) -> bool:
    """Whether these numbers stand in an answer in their order: in lists within lists, in one text, as bytes."""
    data = bytes(numbers)
    digits = "".join(map(str, numbers)).encode()
    return digits in NO_DIGIT.sub(b"", answer) or any(
        form in answer for form in (data, data.hex().encode(), b64encode(data).rstrip(b"="))
    )


def test_the_search_finds_what_it_looks_for() -> None:
    order = [number * 7 % 5 for number in range(AHEAD)]
    displays = [order[place : place + 4] for place in range(0, AHEAD, 4)]
    for leak in (json.dumps({"displays": displays}), bytes(order).hex(), b64encode(bytes(order)).decode()):
        assert tells(leak.encode(), order)
    assert not tells(json.dumps(displays[::-1]).encode(), order)


@pytest.mark.parametrize("chance", ["fair", "seeded"])
@pytest.mark.parametrize("game", [game.key for game in GAMES])
def test_no_answer_tells_what_will_come(service: Service, game: str, chance: str) -> None:
    """Every route and the stream at every stage of a match; once it is closed, the same search finds the secret."""
    rng, seen = Random(game), []
    wishes = {"seed": SEED} if chance == "seeded" else {}
    with httpx.Client(base_url=service.url, timeout=60) as client:
        players = [*people(find_game(game), 3)[:-1], "bot:random"]
        table = open_table(ApiClient(client), game, chance=chance, players=players, **wishes)
        with open_store(service.database) as store:
            found = store.secret(table.id)
        assert found is not None
        needles = [*encodings(found[0]), *([str(SEED).encode()] if wishes else [])]
        while (state := table.settled())["status"] == "playing":
            for path, answer in crawled(table.host, table):
                assert not [needle for needle in needles if needle in answer], path
                seen.append((state["head"], path, answer))
            table.play(STRIDE, rng)
        stream = streamed(table, state["head"])
        closing = stream.rindex(b"event: step")
        assert not [needle for needle in needles if needle in stream[:closing]]
        assert found[0].hex().encode() in stream[closing:], "the closing tells the secret, and the search finds it"
        events = [entry["event"] for entry in good(table.host.get(f"{table.path}/events"))["events"]]
    draws = [draws_of(event) for event in events]
    compared = 0
    for head, path, answer in seen:
        coming = [number for drawn in draws[head:] for number in drawn][:AHEAD]
        if len(coming) == AHEAD:
            compared += 1
            assert not tells(answer, coming), f"{path} at event {head} has {coming}"
    assert bool(compared) == any(draws), "there was something to come, but on a score pad"
    hints = [answer for _, path, answer in seen if path.endswith("/hint") and b'"moves"' in answer]
    assert bool(hints) == any(draws), "somebody was given a hint, but on a score pad"
    log = service.log.read_bytes()
    assert not [needle for needle in needles if needle in log]


def streamed(table: Table, head: int) -> bytes:
    """Every step of a match as the stream tells it."""
    received = bytearray()
    url = f"{API}{table.path}/live"
    with table.host.client.stream("GET", url, params={"after": 0}) as answer:
        for part in answer.iter_raw():
            received += part
            if f"id: {head}\n".encode() in received and received.endswith(b"\n\n"):
                break
    return bytes(received)
