"""Hints and reviews over HTTP: who may ask for them, how much of it, and that they are those of the program at home."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.play import hints
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.questions.review import review
from service.shell.answers.advice import hint_answer, review_answer
from service.store.connect import open_store
from tests.http.api_client import PATIENCE, ApiClient, Table, api_client, good, open_table, refused


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def api(database: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(database, migrated_file) as found:
        yield found


def begun(api: ApiClient, game: str = "azul") -> Table:
    """A match in which seat 1 is to move."""
    return open_table(api, game, seed=3, options={"firstPlayer": "seat:1"})


def over(api: ApiClient, game: str = "azul") -> Table:
    """A match that was played to its end."""
    table = begun(api, game)
    table.play()
    return table


def reviewed(somebody: ApiClient, table: Table, level: int = 1) -> Any:
    """The review, once it is there; it never goes back on the way."""
    done = 0
    for _ in range(PATIENCE):
        answer = somebody.get(f"{table.path}/review", params={"level": level})
        if answer.status_code == 200:
            return answer.json()
        under_way = good(answer)
        assert int(answer.headers["retry-after"]) == 1
        assert done <= under_way["done"] <= under_way["decisions"]
        done = under_way["done"]
        good(table.host.get(table.path))  # nobody else waits for it
    raise AssertionError("the review is never done")


def test_a_hint_is_what_the_program_says_at_home(api: ApiClient, database: Path) -> None:
    table = begun(api)
    came = table.seats[1].get(f"{table.path}/hint", params={"level": 2})
    with open_store(str(database), read_only=True) as store:
        live = load(LocalLedger(store), table.id)
    seat, found = hints.hint(live, None, 2)
    assert good(came) == msgspec.to_builtins(hint_answer(live, seat, 2, found))
    legal = {move["move"]: move for move in table.moves()}
    assert 1 < len(came.json()["moves"]) <= 3
    for move in came.json()["moves"]:
        assert move["path"] == legal[move["move"]]["path"]
    expected = [move["expected"] for move in came.json()["moves"]]
    assert expected == sorted(expected, reverse=True)
    known = {"If-None-Match": came.headers["etag"]}
    assert table.seats[1].get(f"{table.path}/hint", params={"level": 2}, headers=known).status_code == 304


def test_a_hint_is_for_who_is_to_move(api: ApiClient) -> None:
    table = begun(api)
    problem = refused(table.seats[2].get(f"{table.path}/hint"), 409, "hint/turn")
    assert problem["detail"] == "Ben (seat 2) is not to move now; it is the turn of Ann (seat 1)."
    refused(api.get(f"{table.path}/hint"), 401, "access/token")
    refused(table.host.get(f"{table.path}/hint"), 403, "access/role")
    waiting = open_table(api, players=["Ann"], seats=2)
    refused(waiting.seats[1].get(f"{waiting.path}/hint"), 409, "match/not-started")
    undealt = open_table(api, chance="recorded")
    refused(undealt.seats[1].get(f"{undealt.path}/hint"), 409, "hint/chance")
    pad = open_table(api, "azul-pad")
    refused(pad.seats[1].get(f"{pad.path}/hint"), 409, "search/pad")
    good(table.seats[1].post(f"{table.path}/resign"))
    refused(table.seats[1].get(f"{table.path}/hint"), 409, "hint/over")


def test_levels_have_a_limit(api: ApiClient) -> None:
    table = over(api, "coloretto")
    for what, level, offered in (("hint", 4, ["1", "2", "3"]), ("review", 4, ["1", "2", "3"])):
        problem = refused(table.seats[1].get(f"{table.path}/{what}", params={"level": level}), 400, "search/level")
        assert problem["choices"] == offered
        refused(table.seats[1].get(f"{table.path}/{what}", params={"level": 6}), 400, "http/400")


@pytest.mark.parametrize("game", ["azul", "coloretto"])
def test_a_review_is_what_the_program_says_at_home(api: ApiClient, database: Path, game: str) -> None:
    table = begun(api, game)
    refused(api.get(f"{table.path}/review"), 409, "review/open")
    table.play()
    came = reviewed(api, table)
    with open_store(str(database), read_only=True) as store:
        live = load(LocalLedger(store), table.id)
    assert came == msgspec.to_builtins(review_answer(live, review(live, 1)), str_keys=True)
    kept = table.spectator.get(
        f"{table.path}/review", params={"level": 1}
    )  # thought about once, and told to whoever asks
    assert (kept.status_code, kept.json()) == (200, came)
    good(table.host.ask("PUT", f"{table.path}/seats/1/name", json={"name": "Anna"}))
    assert good(api.get(f"{table.path}/review", params={"level": 1}))["players"][0]["name"] == "Anna"


def test_nothing_to_review(api: ApiClient) -> None:
    table = begun(api)
    good(table.host.post(f"{table.path}/abandon"))
    refused(api.get(f"{table.path}/review"), 409, "review/nothing")
    pad = open_table(api, "azul-pad")
    good(pad.host.post(f"{pad.path}/abandon"))
    refused(api.get(f"{pad.path}/review"), 409, "search/pad")


def test_a_client_has_one_search_under_way(api: ApiClient) -> None:
    one, other, on = over(api), over(api), begun(api)
    assert one.host.get(f"{one.path}/review", params={"level": 3}).status_code == 202
    assert one.host.get(f"{one.path}/review", params={"level": 3}).status_code == 202  # the same one
    full = one.host.get(f"{one.path}/review", params={"level": 1})
    refused(full, 429, "limit/searches")
    assert full.headers["retry-after"] == "1"
    assert other.host.get(f"{other.path}/review", params={"level": 1}).status_code == 202  # a client of another token
    assert good(on.seats[1].get(f"{on.path}/hint", params={"level": 1}))["moves"]  # and does not wait for them
    for table, level in ((one, 3), (other, 1)):
        reviewed(table.host, table, level)
    assert one.host.get(f"{one.path}/review", params={"level": 1}).status_code == 202


def test_searches_have_a_limit_for_everybody_together(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.shell.http.search_jobs.UNDER_WAY", 1)
    table, on = over(api), begun(api)
    assert api.get(f"{table.path}/review").status_code == 202
    refused(on.seats[1].get(f"{on.path}/hint"), 429, "limit/searches")


def test_a_process_that_is_killed_is_replaced(api: ApiClient) -> None:
    table, finished = begun(api), over(api)
    good(table.seats[1].get(f"{table.path}/hint", params={"level": 1}))
    jobs = api.client.app.state.search_jobs  # type: ignore[attr-defined]
    asking = {"level": 1}
    assert api.get(f"{finished.path}/review", params=asking).status_code == 202
    (process,) = jobs._bot_workers._pool._processes
    os.kill(process, signal.SIGKILL)
    for _ in range(PATIENCE):
        answer = api.get(f"{finished.path}/review", params=asking)
        if answer.status_code != 202:
            break
    refused(answer, 503, "bots/killed")
    assert reviewed(api, finished)["decisions"]
