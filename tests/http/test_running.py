"""For those who run the service: health, readiness, what is measured and logged, and how it stops."""

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.shell.http.app import API
from service.store import upgrade_store
from tests.http.api_client import ApiClient, api_client, good, open_table
from tests.http.serving import Service, serving
from tests.postgres import running_server

NAMES = (
    "matchledger_actions_total",
    "matchledger_request_seconds_bucket",
    "matchledger_streams",
    "matchledger_append_batch_bucket",
    "matchledger_conflicts_total",
)


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


def test_a_ready_service_says_so(api: ApiClient) -> None:
    assert (good(api.get("/healthz")), good(api.get("/readyz"))) == ({"status": "alive"}, {"status": "ready"})


def test_a_service_without_its_file_is_alive_and_not_ready(api: ApiClient, tmp_path: Path) -> None:
    (tmp_path / "ledger.db").unlink()
    answer = api.get("/readyz")
    assert (answer.status_code, answer.json()["kind"]) == (503, "Unavailable"), answer.text
    assert int(answer.headers["retry-after"]) >= 1
    good(api.get("/healthz"))


@pytest.mark.parametrize("revision, status", [("0001_ledger", 503), ("from the future", 200)])
def test_a_service_is_ready_unless_its_database_lacks_something(
    api: ApiClient, tmp_path: Path, revision: str, status: int
) -> None:
    """Migrations only add: who was served before the database was brought further still is."""
    with sqlite3.connect(tmp_path / "ledger.db") as hand:
        hand.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    hand.close()
    assert api.get("/readyz").status_code == status
    good(api.get("/healthz"))


def measured(api: ApiClient, name: str, **labels: str) -> float:
    """The sum of what is measured under a name."""
    text = api.get("/metrics").text
    found = 0.0
    for line in text.splitlines():
        if line.startswith(name) and all(f'{label}="{value}"' in line for label, value in labels.items()):
            found += float(line.split()[-1])
    return found


def test_what_is_measured_moves(api: ApiClient) -> None:
    text = api.get("/metrics").text
    assert [name for name in NAMES if name not in text] == []
    table = open_table(api)
    before = {
        outcome: measured(api, "matchledger_actions_total", what="act", outcome=outcome)
        for outcome in ("done", "repeated", "azul/turn")
    }
    batches = measured(api, "matchledger_append_batch_count")
    requests = measured(api, "matchledger_request_seconds_count", method="POST", status="200")
    seat = table.state()["turn"][0]
    body, key = {"move": table.moves()[0]["move"]}, {"Idempotency-Key": "0123456789abcdef"}
    for _ in range(2):
        good(table.seats[seat].post(f"{table.path}/actions", body, headers=key))
    assert table.seats[seat].post(f"{table.path}/actions", body).status_code == 422
    for outcome, count in before.items():
        assert measured(api, "matchledger_actions_total", what="act", outcome=outcome) == count + 1
    assert measured(api, "matchledger_append_batch_count") == batches + 1
    assert measured(api, "matchledger_request_seconds_count", method="POST", status="200") == requests + 2
    assert table.id not in api.get("/metrics").text


# ----------------------------------------------------------------------------------------------- a process of its own


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service that a test may stop."""
    upgrade_store(str(tmp_path / "ledger.db"))
    with serving(str(tmp_path / "ledger.db"), tmp_path) as running:
        yield running


def test_it_stops_when_it_is_told_to(service: Service) -> None:
    """Streams end, writes that were acknowledged are kept, the exit code is 0, and every line of the log is JSON."""
    acknowledged: list[int] = []
    with httpx.Client(base_url=service.url, timeout=60) as client:
        table = open_table(ApiClient(client), players=["Ann", "Ben"], undo="free")
        seat = table.state()["turn"][0]
        body = {"move": table.moves(seat)[0]["move"]}
        has_written = threading.Event()

        def write() -> None:
            with httpx.Client(base_url=service.url, timeout=60) as writing:
                own = ApiClient(writing, table.seats[seat].token)
                try:
                    while True:
                        for path, sent in (("actions", body), ("undo", {})):
                            acknowledged.append(good(own.post(f"{table.path}/{path}", sent))["last"])
                            has_written.set()
                except httpx.TransportError:
                    return

        writer = threading.Thread(target=write)
        with client.stream("GET", f"{API}{table.path}/live") as stream:
            received = stream.iter_raw()
            assert next(received).startswith(b"retry:")
            writer.start()
            assert has_written.wait(60)
            assert service.stop() == 0
            told = b"".join(received)
        writer.join(60)
    assert b"event: step" in told
    with serving(service.database, service.log.parent) as again, httpx.Client(base_url=again.url, timeout=60) as client:
        events = good(ApiClient(client).get(f"{table.path}/events"))
        assert events["head"] >= acknowledged[-1]
        assert good(ApiClient(client).get(f"{table.path}/audit"))["clean"]
    written = service.log.read_text().splitlines()
    # what is said to whoever started it is no line of the log
    lines = [json.loads(line) for line in written if not line.startswith("matchledger is at")]
    requests = [line for line in lines if line["message"] == "request"]
    assert {line["match"] for line in requests if re.search("/matches/.", line["path"])} == {table.id}
    assert all(line["request"] for line in requests)
    assert table.seats[1].token not in service.log.read_text()


def test_a_database_server_that_is_down_is_said(tmp_path: Path) -> None:
    """503 while it is away; ready again when it is back."""
    with running_server() as server:
        database = server.migrated_database()
        with serving(database, tmp_path) as service, httpx.Client(base_url=service.url, timeout=60) as client:
            api = ApiClient(client)
            table = open_table(api)
            with server.stopped():
                good(api.get("/healthz"))
                for path in ("/readyz", table.path):
                    answer = api.get(path)
                    assert (answer.status_code, answer.json()["kind"]) == (503, "Unavailable"), answer.text
                    assert int(answer.headers["retry-after"]) >= 1
            good(api.get("/readyz"))
            good(api.get(table.path))
