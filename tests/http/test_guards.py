"""ETags, If-Match and Idempotency-Keys: nobody overwrites what they have not seen, and a retry changes nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events.azul import DisplaysFilled
from events.core import Event
from service.games.azul import AZUL
from service.games.shelf import on_the_shelf
from tests.http.api_client import ApiClient, Table, api_client, good, open_table, refused, table_of

KEY = {"Idempotency-Key": "a key that nobody else has"}
LOOKS = ("", "/legal", "/story", "/scores", "/events", "/events/1", "/disputes")


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


def turn_of(table: Table) -> tuple[ApiClient, str]:
    """Whose turn it is, and a move."""
    return table.seats[table.state()["turn"][0]], table.moves()[0]["move"]


def test_a_stale_head_is_refused_with_the_present_one(api: ApiClient) -> None:
    table = open_table(api)
    stale = api.get(table.path).headers["etag"]
    seat, move = turn_of(table)
    done = seat.post(f"{table.path}/actions", {"move": move}, headers={"If-Match": stale})
    assert good(done)["first"] == int(stale.strip('"').split("-")[0]) + 1
    seat, move = turn_of(table)
    answer = seat.post(f"{table.path}/actions", {"move": move}, headers={"If-Match": stale})
    problem = refused(answer, 412, "store/stale-head")
    assert problem["head"] == answer.headers["etag"] == done.headers["etag"] == api.get(table.path).headers["etag"]
    good(seat.post(f"{table.path}/actions", {"move": move}, headers={"If-Match": problem["head"]}))
    seat, move = turn_of(table)
    good(seat.post(f"{table.path}/actions", {"move": move}, headers={"If-Match": "*"}))


@pytest.mark.parametrize("etag", ["nonsense", '"1"', '"99999999999-0123456789abcdef"', '"1-0123456789ABCDEF"'])
def test_what_is_no_etag_is_refused(api: ApiClient, etag: str) -> None:
    table = open_table(api)
    seat, move = turn_of(table)
    refused(seat.post(f"{table.path}/actions", {"move": move}, headers={"If-Match": etag}), 400, "http/if-match")


def test_another_history_of_the_same_length_is_stale(api: ApiClient) -> None:
    table = open_table(api)
    seat, move = turn_of(table)
    head = table.state()["head"]
    headers = {"If-Match": f'"{head}-0123456789abcdef"'}
    refused(seat.post(f"{table.path}/actions", {"move": move}, headers=headers), 412, "store/stale-head")


def test_who_has_it_already_gets_nothing_and_nothing_is_folded(tmp_path: Path, migrated_file: Path) -> None:
    folds: list[int] = []

    def filled(state: Any, event: DisplaysFilled) -> None:
        folds.append(event.round)
        AZUL.projection.apply[DisplaysFilled](state, event)

    apply: dict[type[Event], Any] = {**AZUL.projection.apply, DisplaysFilled: filled}
    watched = replace(AZUL, projection=replace(AZUL.projection, apply=apply))
    with on_the_shelf(watched), api_client(tmp_path / "ledger.db", migrated_file, cached_matches=0) as api:
        table = open_table(api)
        etag = api.get(table.path).headers["etag"]
        assert folds, "the watch works"
        folds.clear()
        for path in LOOKS:
            for sent in (etag, f"W/{etag}", f'"other", {etag}', "*"):
                answer = api.get(table.path + path, headers={"If-None-Match": sent})
                assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", etag)
        assert folds == []
        good(api.get(table.path, headers={"If-None-Match": '"other"'}))
        assert folds, "nothing is kept in memory here"


def test_a_retry_of_a_move_gives_the_first_outcome(api: ApiClient) -> None:
    table = open_table(api)
    seat, move = turn_of(table)
    first = good(seat.post(f"{table.path}/actions", {"move": move}, headers=KEY))
    again = good(seat.post(f"{table.path}/actions", {"move": move}, headers=KEY))
    assert again == {**first, "repeated": True}
    other = seat.post(f"{table.path}/actions", {"move": "something else"}, headers=KEY)
    assert other.status_code == 409, other.text
    assert table.state()["head"] == first["head"]


def test_a_retry_of_an_opening_gives_the_same_match_and_new_tokens(api: ApiClient) -> None:
    wish = {"game": "azul", "players": ["Ann", "Ben"]}
    first, again = (table_of(api, good(api.post("/matches", wish, headers=KEY))) for _ in range(2))
    assert (first.id, len(good(api.get("/matches"))["matches"])) == (again.id, 1)
    refused(first.host.get(first.path), 401, "access/unknown")
    good(again.host.get(again.path))
    other = api.post("/matches", {**wish, "game": "coloretto"}, headers=KEY)
    assert other.status_code == 409, other.text
    good(again.host.get(again.path))


def test_a_retry_of_a_fork_gives_the_same_match(api: ApiClient) -> None:
    table = open_table(api)
    table.play(2)
    first, again = (table_of(api, good(api.post(f"{table.path}/fork", {"step": 3}, headers=KEY))) for _ in "12")
    assert first.id == again.id
    assert api.post(f"{table.path}/fork", {"step": 2}, headers=KEY).status_code == 409


def test_a_retry_of_sitting_down_gives_the_same_seat_and_a_new_token(api: ApiClient) -> None:
    table = open_table(api, players=["Ann"], seats=3)
    first, again = (good(api.post(f"{table.path}/join", {"name": "Ben"}, headers=KEY)) for _ in range(2))
    assert (again["first"], again["repeated"]) == (first["first"], True)
    refused(ApiClient(api.client, first["token"]).get(table.path), 401, "access/unknown")
    good(ApiClient(api.client, again["token"]).get(table.path))
    assert api.post(f"{table.path}/join", {"name": "Eve"}, headers=KEY).status_code == 409


@pytest.mark.parametrize("key", ["short", "x" * 201])
def test_what_is_no_key_is_refused(api: ApiClient, key: str) -> None:
    answer = api.post("/matches", {"game": "azul"}, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) in ((400, "http/idempotency-key"), (400, "http/400"))
