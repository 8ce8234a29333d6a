"""Other people's text: through whichever way it came in, nothing of it comes out raw; and browsers are kept careful."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from service.shell.http.app import API
from service.shell.http.edge import JsonLines
from tests.http.api_client import DOCUMENT, ApiClient, Table, api_client, good, open_table
from tests.shell.test_visible import FORBIDDEN, HOSTILE

MARKUP = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;"
WORDS = f"{HOSTILE}{MARKUP}"
NAME = f"{HOSTILE[:20]}\u202e<script>alert(1)</script>"
ORIGIN = "https://tables.example"


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """The log as it would be written."""
    written: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(JsonLines().format(record))

    logger, handler = logging.getLogger("matchledger"), Lines()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(level)


def check(answer: httpx.Response) -> None:
    """Refuse an answer in which something is raw."""
    said = answer.content.decode()
    found = FORBIDDEN.search(said)
    assert found is None, (answer.url, found, said[:300])
    for value in answer.headers.values():
        assert not FORBIDDEN.search(value)
        assert "<" not in value
    kind = answer.headers.get("content-type", "")
    if "html" in kind:
        assert "<script" not in said
        assert "<img src=x" not in said
    elif "json" in kind and "ndjson" not in kind:
        json.loads(said)
    assert answer.headers["x-content-type-options"] == "nosniff"


def looked_at(api: ApiClient, table: Table) -> None:
    """Every answer about a match is fit to be shown."""
    values = {"match": table.id, "key": "azul", "rule": "AZ-46", "seq": 1}
    for path, operations in DOCUMENT["paths"].items():
        if "get" in operations and not path.endswith("/live") and path.startswith(f"{API}/matches"):
            for query in ({}, {"format": "jsonl"}) if path.endswith("/record") else ({},):
                check(api.ask("GET", path.format(**values).removeprefix(API), params=query))


def test_names_words_and_remarks_come_out_visible(api: ApiClient, lines: list[str]) -> None:
    """Sent as names at the opening, at the table, in a dispute and in a ruling; what is not refused is made visible."""
    for name in (NAME, "\u202eBen", "Ann\x1b[2J", "A\nB", "<script>alert(1)</script>", "A\x00B", "\ud800"):
        body = json.dumps({"game": "azul", "players": [name, "Ben"]})
        headers = {"Content-Type": "application/json"}
        answer = api.ask("POST", "/matches", content=body, headers=headers)
        check(answer)
        assert answer.status_code in (201, 400), answer.text
    table = open_table(api, players=["<b>Ann</b>", "Ben & 'Co'"], seats=3, arbiters=["house"])
    check(api.post(f"{table.path}/join", {"name": WORDS[:200], "nonce": WORDS[:64]}))
    api.post(f"{table.path}/join", {"name": "<i>Cleo</i>", "nonce": WORDS[:64]})
    check(table.seats[1].ask("PUT", f"{table.path}/seats/1/name", json={"name": WORDS[:200]}))
    check(table.seats[1].post(f"{table.path}/actions", {"move": WORDS[:200]}))
    good(table.seats[2].post(f"{table.path}/resign"))
    check(table.seats[1].post(f"{table.path}/disputes", {"words": WORDS}))
    good(table.seats[1].post(f"{table.path}/disputes", {"words": MARKUP}))
    ruling = {"arbiter": MARKUP, "rules": ["AZ-46"], "reason": MARKUP}
    for field in ("arbiter", "reason"):
        check(table.arbiter.post(f"{table.path}/disputes/1/ruling", {**ruling, field: WORDS[:200]}))
    check(table.arbiter.post(f"{table.path}/disputes/1/ruling", ruling))
    looked_at(table.host, table)
    assert not [line for line in lines if FORBIDDEN.search(line)]


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_record_full_of_it_keeps_its_hashes(api: ApiClient, tmp_path: Path, migrated_file: Path, form: str) -> None:
    table = open_table(api, players=["Ann"], seats=2)
    good(table.seats[2].post(f"{table.path}/join", {"name": "Ben", "nonce": WORDS[:64]}))
    good(table.seats[2].post(f"{table.path}/resign"))
    record = api.get(f"{table.path}/record", params={"format": form})
    check(record)
    with api_client(tmp_path / "other.db", migrated_file) as elsewhere:
        sent = {"content": record.content, "headers": {"Content-Type": "text/plain"}}
        (imported,) = good(elsewhere.ask("POST", "/imports", **sent))
        assert imported["outcome"] == "imported", imported
        here, there = (good(one.get(f"{table.path}/events")) for one in (api, elsewhere))
        assert here["hashes"] == there["hashes"]


def test_a_crafted_record_comes_out_visible(api: ApiClient, lines: list[str]) -> None:
    table = open_table(api)
    good(table.seats[1].post(f"{table.path}/resign"))
    text = api.get(f"{table.path}/record").text
    crafted = text.replace('"Ann"', '"' + re.sub(r'["\n\r\\]', "", WORDS)[:150] + '"')
    assert crafted != text
    crafted = re.sub(r"^\[(Match|Head|Signature|Statement|Key)[^\n]*\n", "", crafted, flags=re.MULTILINE)
    answer = api.ask("POST", "/imports", content=crafted.encode(), headers={"Content-Type": "text/plain"})
    check(answer)
    for imported in answer.json() if answer.status_code == 200 else []:
        if imported["outcome"] == "imported":
            looked_at(api, table._replace(id=imported["match"], host=ApiClient(api.client, imported["token"])))
    assert not [line for line in lines if FORBIDDEN.search(line)]


ODD = [
    "\x1b[2J",
    "\u202egnp",
    "<script>alert(1)</script>",
    "a\nb",
    "\x00",
    "..%2f..%2fetc%2fpasswd",
    "'; DROP TABLE match;--",
]


@pytest.mark.parametrize("odd", ODD, ids=map(ascii, ODD))
def test_paths_queries_and_headers_come_back_visible(api: ApiClient, lines: list[str], odd: str) -> None:
    there = quote(odd, safe="")
    for path in (f"/matches/{there}", f"/games/{there}", f"/rules/{there}", f"/{there}", f"/matches/x/events/{there}"):
        answer = api.client.get(API + path)
        check(answer)
        assert answer.status_code in (400, 404), answer.text
    for query in ("game", "status", "player", "parent", "cursor", "limit"):
        check(api.get("/matches", params={query: odd}))
    table = open_table(api)
    for name in ("at", "format", "after", "seat"):
        for path in ("", "/record", "/events", "/legal"):
            check(api.get(table.path + path, params={name: odd}))
    raw = odd.encode().replace(b"\n", b"\t").replace(b"\x00", b"\x01")  # those two end a header, or the request
    content = (b"Content-Type", b"application/json")
    for header in (b"X-Request-ID", b"Idempotency-Key", b"If-Match", b"If-None-Match", b"Authorization"):
        where = f"{API}{table.path}/actions"
        answer = api.client.post(where, headers=[(header, raw), content], json={"move": "1B1"})
        check(answer)
        assert answer.headers["x-request-id"].isalnum()
        assert answer.status_code in (400, 401)
    answer = api.client.get(f"{API}{table.path}/live", headers=[(b"Last-Event-ID", raw)])
    check(answer)
    assert answer.status_code == 400
    assert lines
    assert not [line for line in lines if FORBIDDEN.search(line)]


def test_a_request_id_is_taken_over_if_it_is_one(api: ApiClient, lines: list[str]) -> None:
    table = open_table(api)
    answer = api.get(table.path, headers={"X-Request-ID": "trace-1.a_b"})
    assert answer.headers["x-request-id"] == "trace-1.a_b"
    line = json.loads(lines[-1])
    assert (line["request"], line["match"], line["status"], line["method"]) == ("trace-1.a_b", table.id, 200, "GET")
    assert {"at", "level", "message", "path", "ms"} <= set(line)


def test_browsers_are_kept_careful(api: ApiClient) -> None:
    """On every answer, refusals of the router included; the audit's page has its own policy and no script."""
    table = open_table(api)
    for answer in (
        api.get(table.path),
        api.get("/nowhere"),
        api.ask("PUT", "/games"),
        api.get("/healthz"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    page = api.get(f"{table.path}/audit.html")
    assert "script-src" not in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text


def test_other_origins_are_let_in_only_if_configured(api: ApiClient, tmp_path: Path, migrated_file: Path) -> None:
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "If-Match"}
    for answer in (
        api.get("/games", headers={"Origin": ORIGIN}),
        api.ask("OPTIONS", "/matches", headers=asked),
    ):
        assert "access-control-allow-origin" not in answer.headers
    with api_client(tmp_path / "open.db", migrated_file, origins=(ORIGIN,)) as elsewhere:
        allowed = elsewhere.get("/games", headers={"Origin": ORIGIN})
        assert allowed.headers["access-control-allow-origin"] == ORIGIN
        assert "access-control-allow-credentials" not in allowed.headers
        preflight = elsewhere.ask("OPTIONS", "/matches", headers=asked)
        assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (204, ORIGIN)
        for other in ("https://evil.example", f"{ORIGIN}.evil.example", "null"):
            answer = elsewhere.get("/games", headers={"Origin": other})
            assert "access-control-allow-origin" not in answer.headers
            assert elsewhere.ask("OPTIONS", "/matches", headers={**asked, "Origin": other}).status_code == 400
