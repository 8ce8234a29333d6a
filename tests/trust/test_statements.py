"""Statements: canonical bytes that anybody can make again, and nothing that only looks like them."""

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from service.store.shapes import JournalRow
from service.trust.journal import Journal, Period, walk
from service.trust.keys import Key
from service.trust.statements import NOBODY, Statement, is_genuine, moment, read_statement, signed
from tests.signing import KEY, STARTED, STRANGER, sign_head

ROOT = Path(__file__).parents[2]
HEAD = "ab" * 32
SAID = Statement("closed", "m1", "hosted", "azul", "azul/2", 12, HEAD, moment(STARTED), KEY.public, 7, "cd" * 32)


def test_the_published_vector() -> None:
    text = (ROOT / "docs" / "integrity.md").read_text(encoding="utf-8")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    [vector] = [block for block in blocks if "statement" in block]
    key = Key(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private"])), STARTED)
    said = read_statement(vector["statement"].encode(), vector["signature"])
    assert said is not None
    assert said.key == key.public
    assert signed(key, said) == said
    assert said.hash.hex() == vector["hash"]
    assert is_genuine(said)


def test_bytes_come_back_as_they_were() -> None:
    said = signed(KEY, SAID)
    assert read_statement(said.text, said.signature) == said
    assert is_genuine(said)
    assert not is_genuine(replace(said, signature=STRANGER.sign(said.text)))


@pytest.mark.parametrize(
    "field, value",
    [
        ("kind", "opened"), ("match", "m2"), ("claim", "witnessed"), ("game", "coloretto"), ("ruleset", "azul/1"),
        ("count", 13), ("head", "ba" * 32), ("at", moment(STARTED + timedelta(seconds=1))), ("place", 8),
        ("previous", "dc" * 32), ("key", STRANGER.public),
    ],
)  # fmt: skip
def test_every_field_is_bound(field: str, value: object) -> None:
    assert not is_genuine(replace(signed(KEY, SAID), **{field: value}))


@pytest.mark.parametrize(
    "before, after",
    [
        (b"count 12", b"count 012"), (b"count 12", b"count  12"), (b"count 12", b"count -1"), (b"place 7", b"place 0"),
        (b"kind closed", b"kind signed"), (b"claim hosted", b"claim owned"), (b"match m1", b"match m1\nx"),
        (b"match m1", b"match m 1"), (b"match m1", b"match "), (HEAD.encode(), HEAD.upper().encode()),
        (b"Z\n", b"+00:00\n"), (b"statement 2", b"statement 3"), (b"key ", b"Key "), (b"m1", b"\xff"),
        (b"\nprevious", b"\nmore x\nprevious"),
        (b"cd" * 32 + b"\n", b"cd" * 32), (b"cd" * 32 + b"\n", b"cd" * 32 + b"\n\n"), (b"\n", b"\r\n"),
    ],
)  # fmt: skip
def test_what_is_not_canonical_is_no_statement(before: bytes, after: bytes) -> None:
    changed = SAID.text.replace(before, after, 1)
    assert changed != SAID.text
    assert read_statement(changed, "") is None


def test_a_match_id_cannot_carry_lines_into_the_bytes() -> None:
    """Given fields that render to the canonical bytes of another statement's lines."""
    crafted = replace(SAID, match="m1\nclaim hosted")
    assert not is_genuine(signed(KEY, crafted))


def test_moments_are_utc_and_of_one_width() -> None:
    assert moment(datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)) == "2026-01-02T03:04:05.000006Z"
    assert moment(datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2)))) == "2026-01-02T01:00:00.000000Z"
    assert len(moment(datetime(1, 1, 1, tzinfo=UTC))) == 27


def test_bare_signatures_are_read_for_ever() -> None:
    bare = sign_head(KEY, "m1", 3, HEAD)
    assert is_genuine(bare)
    assert not is_genuine(replace(bare, count=4))


# ----------------------------------------------------------------------------------------------------------- the walk


def entry(place: int, previous: str, key: Key = KEY, by: Key | None = None, **fields: object) -> JournalRow:
    said = replace(SAID, place=place, previous=previous, key=key.public, **fields)
    said = replace(said, signature=(by or key).sign(said.text))
    about = "" if said.match == "-" else said.match
    return JournalRow(place, about, said.text, bytes.fromhex(said.signature), said.hash)


def about_keys(
    place: int, previous: str, key: Key, before: str, kind: str = "began", by: Key | None = None
) -> JournalRow:
    nothing = {"match": "-", "claim": "-", "game": "-", "ruleset": "-", "count": 0}
    return entry(place, previous, key, by, kind=kind, head=before, **nothing)


def journal() -> list[JournalRow]:
    """Two keys, one after the other, and four statements about two matches."""
    rows = [about_keys(1, NOBODY, KEY, NOBODY)]
    for match in ("m1", "m2"):
        rows.append(entry(len(rows) + 1, rows[-1].hash.hex(), match=match))
    rows.append(about_keys(4, rows[-1].hash.hex(), STRANGER, KEY.public))
    for match in ("m1", "m2"):
        rows.append(entry(len(rows) + 1, rows[-1].hash.hex(), STRANGER, match=match))
    return rows


def test_a_journal_that_holds() -> None:
    rows = journal()
    found = walk(rows, wanted={2, 6})
    assert found.flaw is None
    assert (found.count, found.head, found.key) == (6, rows[-1].hash.hex(), STRANGER.public)
    assert [(period.key, period.first) for period in found.periods] == [(KEY.public, 1), (STRANGER.public, 4)]
    assert found.hashes == {2: rows[1].hash.hex(), 6: rows[5].hash.hex()}
    assert [found.answers(KEY.public, place) for place in (1, 3, 4, 6)] == [True, True, False, False]
    assert [found.answers(STRANGER.public, place) for place in (3, 4, 600)] == [False, True, True]
    assert walk([]) == Journal()


def test_a_key_that_goes_on_by_itself_is_said_to() -> None:
    rows = journal()[:3]
    rows.append(about_keys(4, rows[-1].hash.hex(), STRANGER, KEY.public, "adopted"))
    assert walk(rows).periods[-1] == Period(STRANGER.public, 4, 10**9, is_adopted=True)
    assert str(walk(rows).periods[-1]) == f"key {STRANGER.fingerprint} adopted at entry 4"


def with_row(place: int, row: JournalRow) -> list[JournalRow]:
    rows = journal()
    rows[place - 1] = row
    return rows


def previous(place: int) -> str:
    return journal()[place - 2].hash.hex()


@pytest.mark.parametrize(
    "rows, place, why",
    [
        (journal()[1:], 1, "missing"),
        (journal()[:2] + journal()[3:], 3, "missing"),
        (journal()[:3] + journal()[2:], 4, "entry 3 is there instead"),
        (with_row(3, journal()[2]._replace(data=b"junk")), 3, "no readable statement"),
        (with_row(3, journal()[2]._replace(data=b"")), 3, "no readable statement"),
        (with_row(3, journal()[2]._replace(hash=b"h" * 32)), 3, "its hash"),
        (with_row(3, journal()[2]._replace(match="m1")), 3, "listed under, 'm1'"),
        (with_row(3, entry(3, previous(3), count=13)), 4, "does not follow"),
        (with_row(3, entry(3, "00" * 32)), 3, "does not follow"),
        (with_row(3, entry(3, previous(3), STRANGER)), 3, "was not the ledger's"),
        (with_row(6, entry(6, previous(6), KEY)), 6, "was not the ledger's"),
        (with_row(6, entry(6, previous(6), STRANGER, by=KEY)), 6, "not genuine"),
        (with_row(4, about_keys(4, previous(4), STRANGER, KEY.public, by=KEY)), 4, "not genuine"),
        (with_row(4, about_keys(4, previous(4), STRANGER, NOBODY)), 4, "not the one before"),
        (with_row(1, about_keys(1, NOBODY, KEY, NOBODY, "adopted")), 1, "not the one before"),
        (with_row(1, entry(1, NOBODY)), 1, "was not the ledger's"),
    ],
)  # fmt: skip
def test_the_first_entry_that_is_not_what_it_should_be(rows: list[JournalRow], place: int, why: str) -> None:
    found = walk(rows)
    assert found.flaw is not None
    assert found.flaw[0] == place
    assert why in found.flaw[1]
    assert found.count == place - 1 if "genuine" not in why or place == 4 else True
