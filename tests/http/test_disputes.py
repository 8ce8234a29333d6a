"""Disputes over HTTP, from the first word to the final result."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from events.core import ScoreLine
from events.dispute import DisputeRuled
from projections.disputes import RULING
from service.trust.arbiters import message
from service.trust.keys import Key
from tests.http.api_client import ApiClient, Table, api_client, good, open_table, refused
from tests.signing import STRANGER

REASON = "The row was complete."
RULES = {"rules": ["AZ-46"], "reason": REASON}


@pytest.fixture
def api(tmp_path: Path, migrated_file: Path) -> Iterator[ApiClient]:
    """Somebody without a token."""
    with api_client(tmp_path / "ledger.db", migrated_file) as found:
        yield found


def closed_table(api: ApiClient, arbiter: str) -> Table:
    """A match that is over and that seat 1 disputes."""
    table = open_table(api, arbiters=[arbiter])
    good(table.seats[2].post(f"{table.path}/resign"))
    good(table.seats[1].post(f"{table.path}/disputes", {"words": "My row gave five.", "claim": 5}))
    return table


def test_the_arbiter_of_the_house_rules_decides_and_settles(api: ApiClient) -> None:
    table = closed_table(api, "house")
    case = f"{table.path}/disputes/1"
    points = [{"seat": 1, "points": 5}]
    good(table.arbiter.post(f"{case}/ruling", {"arbiter": "Ada", **RULES, "adjustments": points}))
    docket = good(api.get(f"{table.path}/disputes"))
    assert (docket["disputes"][0]["ruling"]["arbiter"], docket["pending"]) == ("Ada", [])
    scores = {one["seat"]: one["score"] for one in docket["computed"]}
    assert {one["seat"]: one["score"] for one in docket["ruled"]} == {1: scores[1] + 5, 2: scores[2]}
    good(table.seats[2].post(f"{case}/appeal", {"words": "It was not."}))
    good(table.arbiter.post(f"{case}/decision", {"arbiter": "Ada", **RULES, "upheld": False}))
    good(table.arbiter.post(f"{table.path}/final", {"arbiter": "Ada"}))
    docket = good(api.get(f"{table.path}/disputes"))
    assert (docket["is_final"], docket["ruled"]) == (True, docket["computed"])
    assert good(api.get(f"{table.path}/audit"))["clean"]
    late = table.seats[1].post(f"{table.path}/disputes", {"words": "Once more."})
    assert late.status_code == 409, late.text


def test_an_arbiter_signs_elsewhere(api: ApiClient) -> None:
    """The signature fits the ruling at one head and nothing else."""
    key = STRANGER
    table = closed_table(api, key.public)
    page = good(api.get(f"{table.path}/events"))
    body = {"arbiter": "Zoe", "key": key.public, **RULES, "adjustments": [{"seat": 1, "points": 2}]}
    signature = _signature(key, table.id, page["head"], bytes.fromhex(page["hashes"][-1]))
    case = f"{table.path}/disputes/1/ruling"
    house = table.arbiter.post(case, {"arbiter": "house", **RULES})
    assert house.status_code == 409, house.text
    for wrong in ({"signature": "00" * 64}, {"signature": signature, "reason": "Another."}, {"signature": ""}):
        refused(table.arbiter.post(case, {**body, **wrong}), 409, "dispute/signature")
    good(table.arbiter.post(case, {**body, "signature": signature}))
    assert good(api.get(f"{table.path}/audit"))["clean"]


def _signature(key: Key, match: str, seq: int, head: bytes) -> str:
    line = ScoreLine(1, "AZ-46", RULING, 2, 2, {"dispute": 1})
    ruled = DisputeRuled(
        number=1, arbiter="Zoe", key=key.public, signature="", rules=("AZ-46",), reason=REASON, scores=(line,)
    )
    return key.sign(message(match, seq, head, msgspec.structs.replace(ruled, signature="")))


def test_only_who_opened_a_dispute_takes_it_back(api: ApiClient) -> None:
    table = closed_table(api, "house")
    other = table.seats[2].post(f"{table.path}/disputes/1/withdraw")
    assert other.status_code in (403, 409), other.text
    good(table.seats[1].post(f"{table.path}/disputes/1/withdraw"))
    gone = table.arbiter.post(f"{table.path}/disputes/1/ruling", {"arbiter": "house", **RULES})
    assert gone.status_code == 409, gone.text
    assert table.seats[1].post(f"{table.path}/disputes/7/withdraw").status_code in (404, 409)
