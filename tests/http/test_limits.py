"""How much anybody may ask: bodies, records, seats, pages, requests and streams; each as `Settings` says."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from service.limits import NESTING
from service.shell.http.app import API
from service.shell.http.edge import RateLimiter
from service.shell.http.settings import Settings
from service.trust.tokens import new_token
from tests.http.api_client import ApiClient, api_client, good, open_table, refused
from tests.http.serving import Service, serving

DEFAULT = Settings(database="")
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


def parts(size: int) -> Iterator[bytes]:
    """A body that does not say beforehand how long it is."""
    for _ in range(0, size, 1 << 14):
        yield b" " * (1 << 14)


@pytest.mark.parametrize("is_chunked", [False, True], ids=["with its length", "chunked"])
def test_a_body_has_a_limit(api: ApiClient, is_chunked: bool) -> None:
    def body(size: int) -> bytes | Iterator[bytes]:
        return parts(size) if is_chunked else b" " * size

    answer = api.ask("POST", "/matches", content=body(DEFAULT.body_bytes + (1 << 14)), headers=JSON)
    refused(answer, 413, "http/413")
    assert api.ask("POST", "/matches", content=body(DEFAULT.body_bytes), headers=JSON).status_code == 400
    text = {"Content-Type": "text/plain"}
    larger = api.ask("POST", "/imports", content=body(DEFAULT.body_bytes * 2), headers=text)
    assert larger.status_code in (200, 400), larger.text
    refused(api.ask("POST", "/imports", content=body(DEFAULT.record_bytes + (1 << 14)), headers=text), 413, "http/413")
    table = open_table(api)
    answer = api.ask("POST", f"{table.path}/paper", content=body(DEFAULT.record_bytes + (1 << 14)), headers=text)
    refused(answer, 413, "http/413")


def test_seats_pages_and_lists_have_limits(api: ApiClient) -> None:
    for seats in (0, 5, 100):
        answer = api.post("/matches", {"game": "azul", "seats": seats, "players": ["Ann"]})
        assert answer.status_code == 400, answer.text
    many = api.post("/matches", {"game": "azul", "players": ["Ann"] * 21})
    assert [error["field"] for error in refused(many, 400, "http/400")["errors"]] == ["players"]
    good(api.get("/matches", params={"limit": DEFAULT.page_size}))
    refused(api.get("/matches", params={"limit": DEFAULT.page_size + 1}), 400, "list/limit")
    for limit in (0, -1, "x", 10**30):
        assert api.get("/matches", params={"limit": limit}).status_code == 400


def test_a_page_of_events_ends(tmp_path: Path, migrated_file: Path) -> None:
    with api_client(tmp_path / "ledger.db", migrated_file, page_size=1) as api:
        table = open_table(api, "coloretto", players=["bot:random", "bot:random", "Ann"])
        state = table.play()
        assert state["head"] > 100
        page = good(api.get(f"{table.path}/events"))
        rest = good(api.get(f"{table.path}/events", params={"after": 100}))
        assert (len(page["events"]), page["head"]) == (100, state["head"])
        assert rest["events"][0]["seq"] == 101


ODD_BODIES = {
    "nested": b"[" * 100_00 + b"]" * 100_00,
    "nested value": b'{"game":' + b"[" * (NESTING * 100) + b"]" * (NESTING * 100) + b"}",
    "not UTF-8": b'{"game": "\xff\xfe"}',
    "half a character": b'{"game": "azul", "players": ["\\ud800", "Ben"]}',
    "NUL": b'{"game": "az\\u0000ul"}',
    "huge number": b'{"game": "azul", "seed": ' + b"9" * 5_000 + b"}",
    "infinite": b'{"game": "azul", "seed": 1e999}',
    "no number": b'{"game": "azul", "seed": NaN}',
    "truncated": b'{"game": "azul"',
    "twice": b'{"game": "azul", "gaem": 1}',
    "a list": b"[]",
    "nothing": b"",
    "null": b"null",
}


@pytest.mark.parametrize("name", ODD_BODIES)
def test_odd_bodies_are_refused(api: ApiClient, name: str) -> None:
    answer = api.ask("POST", "/matches", content=ODD_BODIES[name], headers=JSON)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json"), answer.text


def test_odd_actions_are_refused(api: ApiClient) -> None:
    table = open_table(api)
    seat = table.seats[table.state()["turn"][0]]
    for body in (
        {},
        {"move": "1B1", "action": {"type": "azul.draft_tiles", "source": 1, "colour": 0, "line": 1}},
        {"action": {"type": "azul.nonsense"}},
        {"action": {"type": "azul.draft_tiles", "source": 10**17, "colour": -(10**17), "line": 0}},
        {"action": {"type": "azul.draft_tiles", "source": -1, "colour": -1, "line": -1}},
        {"action": {"type": "azul.tile_line", "line": 99, "column": -99}},
        {"action": {"type": "coloretto.place_card", "row": 1}},
        {"action": {"type": "summer_pavilion.place_tile", "star": -7, "slot": 99, "colour": 9, "own": -3}},
        {"move": "\x00"},
        {"move": "9" * 200},
    ):
        answer = seat.ask("POST", f"{table.path}/actions", content=json.dumps(body), headers=JSON)
        assert answer.status_code in (400, 409, 422), f"{body}: {answer.text}"
    assert (
        seat.ask("POST", f"{table.path}/actions", content=b"<xml/>", headers={"Content-Type": "text/xml"}).status_code
        == 400
    )


@pytest.mark.parametrize("number", ["-1", "0", "1" * 30, "1.5", "x", "%00"])
def test_odd_numbers_in_paths_are_refused(api: ApiClient, number: str) -> None:
    table = open_table(api)
    for method, path in (
        ("GET", f"/events/{number}"),
        ("PUT", f"/seats/{number}/name"),
        ("DELETE", f"/tokens/seat/{number}"),
        ("POST", f"/disputes/{number}/withdraw"),
    ):
        answer = table.host.ask(method, table.path + path, json={"name": "Ann"})
        assert answer.status_code in (400, 403, 404), f"{method} {path}: {answer.text}"


def test_requests_have_a_limit_for_each_client(tmp_path: Path, migrated_file: Path) -> None:
    with api_client(tmp_path / "ledger.db", migrated_file, rate=0.001, burst=5) as api:
        table = open_table(api)
        for _ in range(4):
            good(api.get("/games"))
        for path in ("/games", "/nowhere", table.path):
            answer = api.get(path)
            refused(answer, 429, "limit/requests")
            assert int(answer.headers["retry-after"]) >= 1
            assert answer.headers["x-request-id"]
        for root in ("/healthz", "/readyz", "/metrics"):
            assert api.get(root).status_code == 200
        for _ in range(5):
            good(table.host.get(table.path))
        refused(table.host.get(table.path), 429, "limit/requests")
        good(table.seats[1].get(table.path))


@pytest.mark.parametrize("is_private", [False, True], ids=["public", "private"])
def test_made_up_tokens_are_counted_together(tmp_path: Path, migrated_file: Path, is_private: bool) -> None:
    with api_client(tmp_path / "ledger.db", migrated_file, rate=0.001, burst=5) as api:
        table = open_table(api, private=is_private)
        tried = [ApiClient(api.client, new_token()).get(table.path).status_code for _ in range(7)]
        assert tried == [404 if is_private else 401] * 5 + [429] * 2
        good(api.get("/games"))


def test_tokens_made_up_where_none_is_asked_for_are_counted_together(tmp_path: Path, migrated_file: Path) -> None:
    """As many as eight players behind one address may send at once, and no more."""
    with api_client(tmp_path / "ledger.db", migrated_file, rate=0.001, burst=5) as api:
        tried = [ApiClient(api.client, new_token()).get("/games").status_code for _ in range(40)]
        assert tried == [200] * 33 + [429] * 7
        good(api.get("/games"))


def test_a_budget_fills_up_again() -> None:
    now = 0.0
    budgets = RateLimiter(DEFAULT.rate, DEFAULT.burst, lambda: now)
    assert [budgets.take("Ann") for _ in range(DEFAULT.burst)] == [0.0] * DEFAULT.burst
    assert 0 < budgets.take("Ann") <= 1 / DEFAULT.rate
    assert budgets.take("Ben") == 0.0
    now += 1
    assert [budgets.take("Ann") for _ in range(int(DEFAULT.rate))] == [0.0] * int(DEFAULT.rate)
    assert budgets.take("Ann") > 0
    now += 1_000_000
    assert [budgets.take("Ann") for _ in range(DEFAULT.burst)] == [0.0] * DEFAULT.burst
    assert budgets.take("Ann") > 0


# ------------------------------------------------------------------------------------------------------------- streams


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that allows two streams."""
    folder = tmp_path_factory.mktemp("limits")
    with serving(str(folder / "ledger.db"), folder, "--streams", "2") as running:
        yield running


def test_streams_have_a_limit_for_each_client_and_are_freed(service: Service) -> None:
    """The third is refused until one of two has ended; others have their own two."""
    with httpx.Client(base_url=service.url, timeout=60) as client:
        table = open_table(ApiClient(client), private=True)
        live = f"{API}{table.path}/live"
        received: list[Iterator[bytes]] = []

        def watch(somebody: ApiClient, open_streams: ExitStack) -> httpx.Response:
            headers = {"Authorization": f"Bearer {somebody.token}"}
            answer = open_streams.enter_context(client.stream("GET", live, headers=headers))
            if answer.status_code == 200:
                assert answer.headers["content-type"].startswith("text/event-stream")
                received.append(answer.iter_raw())  # to let go of it would end the stream
                assert next(received[-1]).startswith(b"retry:")
            else:
                answer.read()
            return answer

        for somebody in table.everybody.values():
            with ExitStack() as first, ExitStack() as second, ExitStack() as third:
                watch(somebody, first)
                watch(somebody, second)
                full = watch(somebody, third)
                refused(full, 429, "limit/streams")
                assert int(full.headers["retry-after"]) >= 1
                first.close()
                for _ in range(1_000):  # the service learns of it when it next writes to the stream
                    with ExitStack() as again:
                        if watch(somebody, again).status_code == 200:
                            break
                else:
                    raise AssertionError("the stream that ended is still counted")
