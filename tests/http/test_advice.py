"""Hints and reviews over HTTP: who may ask for them, how much of it, and that they are those of the program at home."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.play import hinting
from service.play.ledger import Ledger
from service.play.replay import load
from service.questions.review import review
from service.shell.answers.advice import hint_answer, review_answer
from service.store.connect import open_store
from tests.http.visiting import PATIENCE, Table, Visitor, good, open_table, refused, visiting


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def visitor(database: Path, migrated_file: Path) -> Iterator[Visitor]:
    """Somebody without a token."""
    with visiting(database, migrated_file) as found:
        yield found


def begun(visitor: Visitor, game: str = "azul") -> Table:
    """A match in which seat 1 is to move."""
    return open_table(visitor, game, seed=3, options={"firstPlayer": "seat:1"})


def over(visitor: Visitor, game: str = "azul") -> Table:
    """A match that was played to its end."""
    table = begun(visitor, game)
    table.play()
    return table


def reviewed(somebody: Visitor, table: Table, level: int = 1) -> Any:
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


def test_a_hint_is_what_the_program_says_at_home(visitor: Visitor, database: Path) -> None:
    table = begun(visitor)
    came = table.seats[1].get(f"{table.path}/hint", params={"level": 2})
    with open_store(str(database), read_only=True) as store:
        live = load(Ledger(store), table.id)
    seat, found = hinting.hint(live, None, 2)
    assert good(came) == msgspec.to_builtins(hint_answer(live, seat, 2, found))
    legal = {move["move"]: move for move in table.moves()}
    assert 1 < len(came.json()["moves"]) <= 3
    for move in came.json()["moves"]:
        assert move["path"] == legal[move["move"]]["path"]
    expected = [move["expected"] for move in came.json()["moves"]]
    assert expected == sorted(expected, reverse=True)
    known = {"If-None-Match": came.headers["etag"]}
    assert table.seats[1].get(f"{table.path}/hint", params={"level": 2}, headers=known).status_code == 304


def test_a_hint_is_for_who_is_to_move(visitor: Visitor) -> None:
    table = begun(visitor)
    problem = refused(table.seats[2].get(f"{table.path}/hint"), 409, "hint/turn")
    assert problem["detail"] == "Ben (seat 2) is not to move now, but Ann (seat 1)."
    refused(visitor.get(f"{table.path}/hint"), 401, "access/token")
    refused(table.host.get(f"{table.path}/hint"), 403, "access/role")
    waiting = open_table(visitor, players=["Ann"], seats=2)
    refused(waiting.seats[1].get(f"{waiting.path}/hint"), 409, "match/not-started")
    undealt = open_table(visitor, chance="recorded")
    refused(undealt.seats[1].get(f"{undealt.path}/hint"), 409, "hint/chance")
    pad = open_table(visitor, "azul-pad")
    refused(pad.seats[1].get(f"{pad.path}/hint"), 409, "search/pad")
    good(table.seats[1].post(f"{table.path}/resign"))
    refused(table.seats[1].get(f"{table.path}/hint"), 409, "hint/over")


def test_levels_have_a_limit(visitor: Visitor) -> None:
    table = over(visitor, "coloretto")
    for what, level, offered in (("hint", 4, ["1", "2", "3"]), ("review", 4, ["1", "2", "3"])):
        problem = refused(table.seats[1].get(f"{table.path}/{what}", params={"level": level}), 400, "search/level")
        assert problem["choices"] == offered
        refused(table.seats[1].get(f"{table.path}/{what}", params={"level": 6}), 400, "http/400")


@pytest.mark.parametrize("game", ["azul", "coloretto"])
def test_a_review_is_what_the_program_says_at_home(visitor: Visitor, database: Path, game: str) -> None:
    table = begun(visitor, game)
    refused(visitor.get(f"{table.path}/review"), 409, "review/open")
    table.play()
    came = reviewed(visitor, table)
    with open_store(str(database), read_only=True) as store:
        live = load(Ledger(store), table.id)
    assert came == msgspec.to_builtins(review_answer(live, review(live, 1)), str_keys=True)
    kept = table.spectator.get(
        f"{table.path}/review", params={"level": 1}
    )  # thought about once, and told to whoever asks
    assert (kept.status_code, kept.json()) == (200, came)
    good(table.host.ask("PUT", f"{table.path}/seats/1/name", json={"name": "Anna"}))
    assert good(visitor.get(f"{table.path}/review", params={"level": 1}))["players"][0]["name"] == "Anna"


def test_nothing_to_review(visitor: Visitor) -> None:
    table = begun(visitor)
    good(table.host.post(f"{table.path}/abandon"))
    refused(visitor.get(f"{table.path}/review"), 409, "review/nothing")
    pad = open_table(visitor, "azul-pad")
    good(pad.host.post(f"{pad.path}/abandon"))
    refused(visitor.get(f"{pad.path}/review"), 409, "search/pad")


def test_a_client_has_one_search_under_way(visitor: Visitor) -> None:
    one, other, on = over(visitor), over(visitor), begun(visitor)
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


def test_searches_have_a_limit_for_everybody_together(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.shell.http.searches.UNDER_WAY", 1)
    table, on = over(visitor), begun(visitor)
    assert visitor.get(f"{table.path}/review").status_code == 202
    refused(on.seats[1].get(f"{on.path}/hint"), 429, "limit/searches")


def test_a_process_that_is_killed_is_replaced(visitor: Visitor) -> None:
    table, finished = begun(visitor), over(visitor)
    good(table.seats[1].get(f"{table.path}/hint", params={"level": 1}))
    searches = visitor.client.app.state.searches  # type: ignore[attr-defined]
    asking = {"level": 1}
    assert visitor.get(f"{finished.path}/review", params=asking).status_code == 202
    (process,) = searches._thinkers._pool._processes
    os.kill(process, signal.SIGKILL)
    for _ in range(PATIENCE):
        answer = visitor.get(f"{finished.path}/review", params=asking)
        if answer.status_code != 202:
            break
    refused(answer, 503, "bots/killed")
    assert reviewed(visitor, finished)["decisions"]
