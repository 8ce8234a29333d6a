"""Who may do what: every route for everybody, tokens that are renewed and revoked, and where no token is ever seen."""

import logging
import re
from collections.abc import Iterator
from hmac import compare_digest
from pathlib import Path
from typing import Any

import pytest

from service.shell.http.edge import JsonLines
from service.trust import tokens as trusted
from service.trust.tokens import hashed, new_token
from tests.http.api_client import DOCUMENT, ApiClient, Table, api_client, good, open_table, refused

MATCH = "/api/v1/matches/{match}"
ALL = {"nobody", "spectator", "seat 1", "seat 2", "arbiter", "host"}
SEATS = {"seat 1", "seat 2"}
RULING = {"arbiter": "house", "rules": ["AZ-46"], "reason": "So it is."}
WHO: dict[str, tuple[set[str], Any]] = {
    "GET": (ALL, None),
    "GET /access": (ALL, None),
    "GET /legal": (ALL, None),
    "GET /hint": (SEATS, None),
    "GET /review": (ALL, None),
    "GET /review.html": (ALL, None),
    "GET /story": (ALL, None),
    "GET /scores": (ALL, None),
    "GET /events": (ALL, None),
    "GET /events/{seq}": (ALL, None),
    "GET /disputes": (ALL, None),
    "GET /live": (ALL, None),
    "GET /record": (ALL, None),
    "GET /audit": (ALL, None),
    "GET /audit.html": (ALL, None),
    "GET /line.html": (ALL, None),
    "GET /replay.html": (ALL, None),
    "GET /table.html": (ALL, None),
    "GET /view.html": (ALL, None),
    "GET /case.html": (ALL, None),
    "POST /claims": (ALL, {"totals": {"1": 3}}),
    "POST /paper": (ALL, "round,Ann,Ben\n1,2,3\n"),
    "POST /fork": (ALL, {"step": 2}),
    "POST /join": (ALL, {"name": "Cleo"}),
    "POST /receipts": (SEATS | {"host", "arbiter"}, None),
    "POST /deal": (SEATS | {"host"}, {}),
    "POST /actions": (SEATS, {"move": "1A1"}),
    "POST /undo": (SEATS, {}),
    "POST /redo": (SEATS, {}),
    "POST /undo/accept": (SEATS, None),
    "POST /undo/decline": (SEATS, None),
    "POST /disputes": (SEATS, {"words": "That was six."}),
    "POST /disputes/{number}/appeal": (SEATS, {"words": "It was."}),
    "POST /disputes/{number}/withdraw": (SEATS, None),
    "POST /disputes/{number}/ruling": ({"arbiter"}, RULING),
    "POST /disputes/{number}/decision": ({"arbiter"}, {**RULING, "upheld": True}),
    "POST /final": ({"arbiter"}, {"arbiter": "house"}),
    "PUT /seats/{seat}/name": ({"seat 1", "host"}, {"name": "Anna"}),
    "GET /tokens": ({"host"}, None),
    "POST /resign": (SEATS, None),
    "POST /abandon": ({"host"}, None),
    "POST /tokens": ({"host"}, {"role": "seat", "seat": 2}),
    "DELETE /tokens/{role}/{seat}": ({"host"}, None),
}
"""For every route of a match, who may and what is sent; what takes tokens away comes last."""
ENDLESS = "GET /live"
PLACES = {"{seq}": "1", "{number}": "1", "{seat}": "1", "{role}": "seat"}


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


def ask(api: ApiClient, table: Table, route: str) -> Any:
    """The answer of a route of the matrix."""
    method, _, path = route.partition(" ")
    body = WHO[route][1]
    sent = {"content": body.encode(), "headers": {"Content-Type": "text/csv"}} if isinstance(body, str) else {}
    for place, value in PLACES.items():
        path = path.replace(place, value)
    return api.ask(method, table.path + path, **(sent or ({"json": body} if body is not None else {})))


def test_the_matrix_has_every_route_of_a_match() -> None:
    routes = {
        f"{method.upper()} {path.removeprefix(MATCH)}".strip()
        for path, operations in DOCUMENT["paths"].items()
        for method in operations
        if path.startswith(MATCH)
    }
    assert set(WHO) == routes


@pytest.mark.parametrize("is_private", [False, True], ids=["public", "private"])
def test_every_route_for_everybody(api: ApiClient, is_private: bool) -> None:
    """Who may not is told so exactly, and nothing happens; a private match is not there for who has no token of it."""
    table = open_table(api, undo="consent", arbiters=["house"], private=is_private)
    strangers = {"nobody": api, "stranger": ApiClient(api.client, new_token())}
    everybody = {**table.everybody, **strangers}
    before = good(table.host.get(f"{table.path}/events"))["hashes"]
    for route, (allowed, _) in WHO.items():
        for role, somebody in everybody.items():
            may = allowed - {"nobody"} if is_private else allowed
            if role in may:
                continue
            answer = ask(somebody, table, route)
            if is_private and role in strangers:
                expected = (404, "match/unknown")
            elif role == "stranger":
                expected = (401, "access/unknown")
            elif not somebody.token:
                expected = (401, "access/token")
            else:
                expected = (403, "access/role")
            problem = refused(answer, *expected)
            assert ("www-authenticate" in answer.headers) == (expected[0] == 401)
            assert somebody.token not in answer.text or not somebody.token, problem
    assert good(table.host.get(f"{table.path}/events"))["hashes"] == before
    for route, (allowed, _) in WHO.items():
        for role in sorted(allowed - {"nobody"} if is_private else allowed):
            if route != ENDLESS:  # whoever may look may watch as well: tests/http/test_limits.py does
                answer = ask(everybody[role], table, route)
                assert answer.status_code not in (401, 403, 404) or "dispute/" in answer.json()["code"], (
                    f"{role} may {route}: {answer.text}"
                )


def test_a_private_match_is_in_no_list_and_no_query_opens_it(api: ApiClient) -> None:
    hidden, shown = open_table(api, private=True), open_table(api)
    assert [line["id"] for line in good(api.get("/matches"))["matches"]] == [shown.id]
    for name in ("token", "access_token", "authorization"):
        refused(api.get(hidden.path, params={name: hidden.host.token}), 404, "match/unknown")
    unknown = refused(api.get("/matches/nosuchmatch"), 404, "match/unknown")
    assert unknown["detail"].replace("nosuchmatch", "") == refused(api.get(hidden.path), 404, unknown["code"])[
        "detail"
    ].replace(hidden.id, "")


@pytest.mark.parametrize("header", ["Basic QW5uOg==", "Bearer", "Bearer  ", "token"])
def test_only_bearers_are_understood(api: ApiClient, header: str) -> None:
    table = open_table(api)
    answer = api.get(table.path, headers={"Authorization": header})
    refused(answer, 401, "access/scheme")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_seat_acts_for_itself_and_only_on_its_turn(api: ApiClient) -> None:
    table = open_table(api)
    move = table.moves()[0]["move"]
    turn = table.state()["turn"][0]
    waiting = table.seats[3 - turn].post(f"{table.path}/actions", {"move": move})
    refused(waiting, 422, "azul/turn")
    good(table.seats[turn].post(f"{table.path}/actions", {"move": move}))


def test_only_opponents_consent(api: ApiClient) -> None:
    table = open_table(api, undo="consent")
    turn = table.state()["turn"][0]
    table.play(1)
    good(table.seats[turn].post(f"{table.path}/undo", {}))
    for answer in ("accept", "decline"):
        own = table.seats[turn].post(f"{table.path}/undo/{answer}")
        assert own.status_code == 409, own.text
    good(table.seats[3 - turn].post(f"{table.path}/undo/accept"))
    assert table.state()["undo_request"] is None


def test_renewed_and_revoked_tokens_stop_working_at_once(api: ApiClient) -> None:
    table = open_table(api, private=True)
    for role, seat, holder in (
        ("seat", 1, table.seats[1]),
        ("arbiter", 0, table.arbiter),
        ("spectator", 0, table.spectator),
    ):
        good(holder.get(table.path))
        renewed = good(table.host.post(f"{table.path}/tokens", {"role": role, "seat": seat}))["token"]
        refused(holder.get(table.path), 404, "match/unknown")
        again = ApiClient(api.client, renewed)
        good(again.get(table.path))
        assert table.host.ask("DELETE", f"{table.path}/tokens/{role}/{seat}").status_code == 204
        refused(again.get(table.path), 404, "match/unknown")
        listed = {(grant["role"], grant["seat"]): grant for grant in good(table.host.get(f"{table.path}/tokens"))}
        assert listed[role, seat] == {"role": role, "seat": seat, "is_active": False}
    successor = good(table.host.post(f"{table.path}/tokens", {"role": "host"}))["token"]
    refused(table.host.get(table.path), 404, "match/unknown")
    good(ApiClient(api.client, successor).get(f"{table.path}/tokens"))


def test_a_match_that_lost_its_spectator_stays_private(api: ApiClient) -> None:
    table = open_table(api, private=True)
    assert table.host.ask("DELETE", f"{table.path}/tokens/spectator/0").status_code == 204
    refused(api.get(table.path), 404, "match/unknown")


def test_tokens_are_seen_once_and_kept_nowhere(api: ApiClient, tmp_path: Path) -> None:
    """Not in the files of the ledger, in no line of the log, in no answer but the first, in no header."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonLines().format(record))

    logger, handler = logging.getLogger("matchledger"), Lines()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        table = open_table(api, private=True, arbiters=["house"])
        secret = {somebody.token for somebody in table.everybody.values()}
        assert len(secret) == 5
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in secret)
        for route in WHO:
            if route == ENDLESS:
                continue
            for somebody in (table.seats[1], table.seats[2], table.arbiter, table.spectator, table.host):
                answer = ask(somebody, table, route)
                seen = answer.text + repr(answer.headers.multi_items()) + str(answer.url)
                assert not [token for token in secret if token in seen], route
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    assert len(lines) > len(WHO)
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    for token in secret:
        assert not [line for line in lines if token in line]
        assert not [data for data in files if token.encode() in data]
    assert any(hashed(table.host.token) in data for data in files), "the search finds what is kept"


def test_every_grant_is_compared_in_constant_time(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first that fits ends nothing: how long it takes says nothing about which one it was."""
    table = open_table(api, private=True)
    compared: list[bytes] = []

    def counting(kept: bytes, wanted: bytes) -> bool:
        compared.append(kept)
        return compare_digest(kept, wanted)

    monkeypatch.setattr(trusted, "compare_digest", counting)
    for somebody in (*table.everybody.values(), ApiClient(api.client, new_token())):
        compared.clear()
        somebody.get(table.path)
        assert len(set(compared)) == 5
