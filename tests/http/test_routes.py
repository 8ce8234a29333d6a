"""Every route as it is meant to be used, for every game where that matters."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.games.shelf import GAMES, find_game
from service.play.ledger import ID_LENGTH
from tests.http.api_client import DOCUMENT, ApiClient, api_client, good, open_table, refused, table_of
from tests.shelf import EVERY_GAME, people

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

KEYS = [game.key for game in EVERY_GAME]
POLICIES = ("strict", "consent", "free")


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


@pytest.mark.parametrize("game", KEYS)
def test_a_match_opens_with_whatever_a_table_may_agree_on(api: ApiClient, game: str) -> None:
    """Every choice of every option, every policy, every kind of chance, people and bots, public and private."""
    answer = good(api.get(f"/games/{game}"))
    assert good(api.get("/games"))[KEYS.index(game)] == answer
    for seats in answer["seats"]:
        most = max((len(option["choices_by_seats"][str(seats)]) for option in answer["options"]), default=3)
        for turn in range(most):
            options: dict[str, str] = {}
            for option in answer["options"]:
                choices = [choice for choice in option["choices_by_seats"][str(seats)] if "<" not in choice]
                options |= {option["name"]: choices[turn % len(choices)]} if choices else {}
            wishes: dict[str, Any] = {"options": options, "undo": POLICIES[turn % 3], "private": bool(turn % 2)}
            chance = ("fair", "seeded", "recorded")[turn % 3]
            wishes |= {"chance": chance, **({"seed": turn} if chance == "seeded" else {})}
            opened = api.post("/matches", {"game": game, "seats": seats, "players": ["Ann"], **wishes})
            assert opened.status_code == 201, opened.text
            match, tokens = opened.json()["match"], opened.json()["tokens"]
            assert len(match["match"]) == ID_LENGTH
            assert {name: match["options"].get(name, value) for name, value in options.items()} == options
            assert (match["game"], match["undo"], match["chance"]) == (game, wishes["undo"], chance)
            assert (match["status"], match["turn"]) == ("open", [])
            assert set(tokens["seats"]) == {str(seat) for seat in range(1, seats + 1)}
            assert (tokens["spectator"] is not None) == wishes["private"]
            assert opened.json()["receipt"]["statement"]["match"] == match["match"]
            assert opened.headers["etag"]


def test_free_seats_are_joined_with_a_nonce(api: ApiClient) -> None:
    """By whoever comes first, by the bearer of a seat's token, or by a bot that the host seats."""
    table = open_table(api, players=["Ann"], seats=4)
    joined = good(api.post(f"{table.path}/join", {"name": "Ben", "nonce": "my own words"}))
    assert joined["token"] not in ("", table.seats[2].token)
    assert joined["receipt"]["statement"]["kind"] == "joined"
    ben = ApiClient(api.client, joined["token"])
    refused(table.seats[2].get(table.path), 401, "access/unknown")
    reserved = good(table.seats[4].post(f"{table.path}/join", {"name": "Dora"}))
    assert "token" not in reserved
    refused(api.post(f"{table.path}/join", {"name": "bot:random"}), 401, "access/token")
    good(table.host.post(f"{table.path}/join", {"name": "bot:random", "seat": 3}))
    state = table.settled()
    assert [player["name"] for player in state["players"]][:2] == ["Ann", "Ben"]
    assert state["status"] == "playing"
    assert 2 in state["contributed"]
    good(ben.get(table.path))
    assert api.post(f"{table.path}/join", {"name": "Eve"}).status_code == 409


@pytest.mark.parametrize("game", KEYS)
def test_every_legal_action_is_accepted_as_a_value_and_as_written(api: ApiClient, game: str) -> None:
    """Each on a fork of its own, so that it is tried on the very table it was offered at."""
    rng = Random(game)
    table = open_table(api, game)
    for turns in (0, 9, 14):
        state = table.play(turns, rng)
        if state["status"] != "playing":
            break
        legal = good(api.get(f"{table.path}/legal", params={"seat": state["turn"][0]}))
        assert (legal["head"], legal["seat"]) == (state["head"], state["turn"][0])
        offered = legal["moves"]
        for move in rng.sample(offered, min(6, len(offered))):
            told = set()
            # The types of the service are those of the shelf: a game that is tried out is played by notation alone.
            for body in ({"move": move["move"]}, {"action": move["action"]})[: 2 if GAMES.get(game) else 1]:
                fork = table_of(api, good(api.post(f"{table.path}/fork", {"step": state["step"]})))
                done = good(fork.seats[legal["seat"]].post(f"{fork.path}/actions", body))
                told.add(done["told"][0])
            assert len(told) == 1, f"{move['move']} and its action are not the same"
            assert move["words"] not in told, f"“{move['words']}” was offered as if it had happened"


@pytest.mark.parametrize("game", KEYS)
def test_a_match_is_looked_at_from_every_side(api: ApiClient, game: str) -> None:
    """Table, story, scores, events and explanations tell of one history, at the head and at every point before."""
    *humans, _ = names = people(find_game(game))
    seats = range(1, len(names) + 1)
    table = open_table(api, game, players=[*humans, "bot:random"])
    state = table.play()
    assert (state["status"], state["closed"]["reason"]) == ("closed", "finished")
    page = good(api.get(f"{table.path}/events"))
    events = page["events"]
    assert [entry["seq"] for entry in events] == list(range(1, state["head"] + 1))
    assert page["head"] == len(page["hashes"]) == state["head"]
    assert page["kinds"] == {**{str(seat): "person" for seat in seats}, str(seats[-1]): "bot:random"}
    middle = len(events) // 2
    assert good(api.get(f"{table.path}/events", params={"after": middle}))["events"] == events[middle:]
    story = good(api.get(f"{table.path}/story"))
    assert [line["seq"] for line in story] == [entry["seq"] for entry in events]
    scores = good(api.get(f"{table.path}/scores"))
    assert scores["scores"] == state["scores"]
    assert [sum(line["applied"] for line in scores["lines"] if line["seat"] == seat) for seat in seats] == state[
        "scores"
    ]
    step = events[middle]["step"]
    last = max(entry["seq"] for entry in events if entry["step"] == step)
    at_step, at_event = (good(api.get(table.path, params={"at": at})) for at in (f"s{step}", str(last)))
    assert at_step == at_event
    assert (at_step["head"], at_step["status"]) == (last, "playing")
    explained = good(api.get(f"{table.path}/events/{last}"))
    assert (explained["envelope"], explained["sentence"]) == (events[last - 1], story[last - 1]["sentence"])
    assert explained["after"] == at_step["state"]
    for path in ("", "/scores"):
        assert api.get(table.path + path, params={"at": "s99999"}).status_code in (400, 404)
    assert api.get(f"{table.path}/events/99999").status_code in (400, 404)
    totals = {str(seat): score for seat, score in zip(seats, state["scores"], strict=True)}
    assert good(api.post(f"{table.path}/claims", {"totals": totals}))["agrees"]
    claimed = good(api.post(f"{table.path}/claims", {"totals": {**totals, "1": totals["1"] + 1}}))
    assert (claimed["agrees"], claimed["findings"][0]["difference"]) == (False, 1)
    paper = f"round,{','.join([*humans, 'Bot'])}\nend,{','.join(map(str, totals.values()))}\n"
    compared = api.ask("POST", f"{table.path}/paper", content=paper, headers={"Content-Type": "text/csv"})
    assert compared.status_code in (200, 400), compared.text
    audit = good(api.get(f"{table.path}/audit"))
    assert audit["clean"], audit
    assert "<script" not in api.get(f"{table.path}/audit.html").text


@pytest.mark.parametrize("game", KEYS)
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_record_goes_to_another_service_with_the_same_hashes(
    api: ApiClient, tmp_path: Path, migrated_file: Path, game: str, form: str
) -> None:
    table = open_table(api, game)
    if table.play(12, Random(form))["status"] == "playing":
        good(table.seats[1].post(f"{table.path}/resign"))
    record = api.get(f"{table.path}/record", params={"format": form})
    assert record.headers["content-disposition"].startswith(f'attachment; filename="{table.id}.')
    with api_client(tmp_path / "other.db", migrated_file) as elsewhere:
        sent = {"content": record.content, "headers": {"Content-Type": "text/plain"}}
        (imported,) = good(elsewhere.ask("POST", "/imports", **sent))
        assert (imported["outcome"], imported["match"]) == ("imported", table.id), imported
        there, here = (good(one.get(f"{table.path}/events")) for one in (elsewhere, api))
        assert (there["hashes"], there["names"]) == (here["hashes"], here["names"])
        assert good(elsewhere.get(f"{table.path}/audit"))["clean"]
        (again,) = good(elsewhere.ask("POST", "/imports", **sent))
        assert (again["outcome"], "token" in again) == ("present", False)
        host = ApiClient(elsewhere.client, imported["token"])
        assert [grant["role"] for grant in good(host.get(f"{table.path}/tokens"))] == ["host"]


def test_what_is_no_record_is_refused_within_the_answer(api: ApiClient) -> None:
    for content in (b"", b"\xff\xfe\x00", b"{" * 100, b'{"matchledger": 1}', b'[Game "azul"]\n\n1. nonsense\n'):
        answer = api.ask("POST", "/imports", content=content, headers={"Content-Type": "text/plain"})
        if answer.status_code == 200:
            assert [one["outcome"] for one in answer.json()] in (["refused"], []), answer.text
        else:
            assert answer.status_code == 400, answer.text


def test_chance_is_recorded_from_a_real_table(api: ApiClient) -> None:
    table = open_table(api, chance="recorded")
    assert table.state()["awaits"]
    refusal = table.seats[1].post(f"{table.path}/deal", {})
    assert refusal.status_code in (400, 409), refusal.text
    start = good(table.seats[1].post(f"{table.path}/deal", {"outcome": "2"}))
    assert start["told"]
    tiles = good(table.host.post(f"{table.path}/deal", {"outcome": "BBYY RRKK WWBB YYRR KKWW"}))
    assert tiles["turn"] == [2]
    assert table.seats[1].post(f"{table.path}/deal", {"outcome": "BBYY RRKK WWBB YYRR KKWW"}).status_code == 409


def test_steps_are_undone_and_redone_with_consent(api: ApiClient) -> None:
    table = open_table(api, undo="consent")
    turn = table.state()["turn"][0]
    own, other = table.seats[turn], table.seats[3 - turn]
    table.play(1)
    after = table.state()
    good(own.post(f"{table.path}/undo", {"steps": 1}))
    assert table.state()["undo_request"]["seat"] == turn
    good(other.post(f"{table.path}/undo/decline"))
    assert table.state()["undo_request"] is None
    good(own.post(f"{table.path}/undo", {}))
    good(other.post(f"{table.path}/undo/accept"))
    assert table.state()["turn"] == [turn]
    assert [line["undone"] for line in good(api.get(f"{table.path}/story"))].count(True) >= 1
    redone = own.post(f"{table.path}/redo", {})
    if redone.status_code == 200:
        assert table.state()["state"] == after["state"]
    else:
        assert redone.status_code == 409, redone.text


def test_steps_are_undone_and_redone_freely(api: ApiClient) -> None:
    table = open_table(api, undo="free")
    turn, before = table.state()["turn"][0], table.state()
    table.play(1)
    after = table.state()
    good(table.seats[turn].post(f"{table.path}/undo", {}))
    assert table.state()["state"] == before["state"]
    good(table.seats[turn].post(f"{table.path}/redo", {}))
    assert table.state()["state"] == after["state"]


def test_a_fork_leaves_the_other_alone(api: ApiClient) -> None:
    table = open_table(api)
    state = table.play(4)
    fork = table_of(api, good(api.post(f"{table.path}/fork", {"step": state["step"] - 1})))
    assert fork.opened["match"]["parent"]["match"] == table.id
    fork.play(2)
    assert table.state() == state
    listed = good(api.get("/matches", params={"parent": table.id}))["matches"]
    assert [line["id"] for line in listed] == [fork.id]
    assert api.post(f"{table.path}/fork", {"step": 999}).status_code in (400, 404)


def test_matches_end_by_hand(api: ApiClient) -> None:
    table = open_table(api)
    good(table.seats[2].post(f"{table.path}/resign"))
    closed = table.state()["closed"]
    assert (closed["reason"], closed["standings"][-1]["seat"]) == ("resigned", 2)
    assert table.seats[1].post(f"{table.path}/actions", {"move": "1B1"}).status_code == 409
    other = open_table(api)
    good(other.host.post(f"{other.path}/abandon"))
    assert other.state()["closed"]["reason"] == "abandoned"


def test_receipts_are_signed(api: ApiClient) -> None:
    table = open_table(api)
    for somebody in (table.seats[1], table.host, table.arbiter):
        receipt = good(somebody.post(f"{table.path}/receipts"))
        assert (receipt["statement"]["kind"], receipt["statement"]["count"]) == ("receipt", table.state()["head"])


def test_names_change_and_the_history_stays(api: ApiClient) -> None:
    table = open_table(api)
    before = good(api.get(f"{table.path}/events"))
    etag = api.get(table.path).headers["etag"]
    good(table.seats[1].ask("PUT", f"{table.path}/seats/1/name", json={"name": "Anna"}))
    after = good(api.get(f"{table.path}/events"))
    assert (after["hashes"], after["names"]["1"]) == (before["hashes"], "Anna")
    assert api.get(table.path).headers["etag"] != etag
    good(table.host.ask("PUT", f"{table.path}/seats/1/name", json={"name": ""}))
    assert good(api.get(f"{table.path}/events"))["names"]["1"] != "Anna"


def test_every_match_is_listed_once_while_others_move(api: ApiClient) -> None:
    """Pages are walked while matches that were not reached yet are left alone, and seen ones move to the front."""
    opened = [good(api.post("/matches", {"game": "azul", "players": ["Ann", "Ben"]})) for _ in range(250)]
    tables = {one["match"]["match"]: table_of(api, one) for one in opened}
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": 40, **({"cursor": cursor} if cursor else {})}
        page = good(api.get("/matches", params=query))
        assert page["total"] == (None if cursor else 250)
        seen += [line["id"] for line in page["matches"]]
        for match in (seen[0], seen[-1]):
            tables[match].play(1)
        if (cursor := page["next"]) is None:
            break
    assert len(seen) == len(set(seen)) == 250
    assert set(seen) == set(tables)


def test_filters_narrow_the_list(api: ApiClient) -> None:
    table, other = (
        open_table(api, players=["Ann", "Zoe"]),
        open_table(api, "coloretto", players=["Ann"], seats=2),
    )
    good(table.host.post(f"{table.path}/abandon"))

    def found(**query: str) -> list[str]:
        return [line["id"] for line in good(api.get("/matches", params=query))["matches"]]

    assert found(game="azul") == found(status="closed") == found(player="Zoe") == [table.id]
    assert found(game="coloretto") == found(status="open") == [other.id]
    assert set(found(player="Ann")) == {table.id, other.id}
    assert found(game="azul", status="open") == found(player="Nobody") == []


def test_rules_are_found_by_game_id_and_words(api: ApiClient) -> None:
    for game in KEYS:
        rules = good(api.get(f"/games/{game}/rules"))
        assert rules
        assert good(api.get(f"/rules/{rules[0]['id']}")) == rules[0]
        assert rules[0]["id"] in api.get(f"/games/{game}/rulebook").text
    assert good(api.get("/rules", params={"words": "floor line"}))
    assert api.get("/rules/XX-1").status_code == api.get("/games/chess").status_code == 404


def test_the_document_is_served_as_it_is_tested(api: ApiClient) -> None:
    served = good(api.get("/api/openapi.json"))
    assert served["paths"].keys() == DOCUMENT["paths"].keys()
