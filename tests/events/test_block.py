"""Blocks: every golden log and every match of bots comes out as it went in, and nothing else is taken for one."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.block import envelopes_of, events_of, facts_of, pack, unpack
from events.chain import Chain, Row, linked
from events.codec import Undecodable, decode, decode_facts, encode_all, tag
from events.retired import UPCASTS
from tests.golden import LOGS
from tests.shelf import EVERY_GAME

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

KEYS = [game.key for game in EVERY_GAME]
LOG_FILES = sorted(path for key in KEYS for path in (LOGS / key).glob("*.jsonl"))


def rows_of(path: Path) -> list[bytes]:
    """The canonical bytes in a golden log, which ends with what they lead to."""
    return [line for line in path.read_bytes().splitlines() if line.startswith(b'{"match":')]


@pytest.mark.parametrize("path", LOG_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_golden_log_comes_back_byte_for_byte(path: Path) -> None:
    rows = rows_of(path)
    match = decode(rows[0]).match
    block = pack(match, rows)
    assert not block.startswith(b"["), "the place of each event says enough"
    assert len(block) < 0.6 * sum(map(len, rows))
    assert unpack(match, block) == rows
    assert facts_of(match, block) == decode_facts(rows)
    assert events_of(match, block) == [fact.event for fact in decode_facts(rows)]
    envelopes = envelopes_of(match, block)
    is_older = any(tag(kind).encode() in row for row in rows for kind in UPCASTS)
    assert envelopes == (None if is_older else list(map(decode, rows)))
    assert envelopes is None or encode_all(envelopes) == rows
    chain = Chain(match, [Row(seq, row, b"") for seq, row in enumerate(rows, start=1)])
    assert [row.hash for row in linked(match, rows)] == chain.hashes


ROWS = rows_of(LOGS / "azul" / "coloured-2p.jsonl")
MATCH = decode(ROWS[0]).match


def changed(position: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in ROWS[position]
    return [*ROWS[:position], ROWS[position].replace(old, new, 1), *ROWS[position + 1 :]]


@pytest.mark.parametrize(
    "rows",
    [
        changed(3, b'"match":"', b'"match":"x'),
        changed(3, b'"seq":4', b'"seq":5'),
        changed(3, b'"step":', b'"step":9'),
        changed(3, b'{"match"', b'{ "match"'),
        changed(3, b'"actor"', b'"other":1,"actor"'),
        changed(4, b'"at":"2', b'"at":"1'),
        [b'{"anything":"at all"}'],
    ],
    ids=["another match", "another number", "another step", "a space", "a field more", "another moment", "no event"],
)
def test_what_is_not_as_its_place_says_is_kept_as_it_is(rows: list[bytes]) -> None:
    block = pack(MATCH, rows)
    assert block.startswith(b"[{")
    assert unpack(MATCH, block) == rows


@pytest.mark.parametrize("rows", [[b""], [b"{"], [b"1"], [b"{}, {}"], [b"{}", b" {}"]])
def test_what_is_no_list_of_objects_is_refused(rows: list[bytes]) -> None:
    with pytest.raises(Undecodable):
        pack(MATCH, rows)


columns = msgspec.msgpack.encode
MOMENT = 1_767_323_045_000_000
"""2026-01-02T03:04:05Z in microseconds."""


@given(
    block=st.one_of(
        st.binary(),
        st.lists(st.sampled_from([b"[", b"]", b",", b'""', b"{}", b"1"])).map(b"".join),
        st.recursive(st.one_of(st.integers(-(2**63), 2**63 - 1), st.text(), st.binary()), st.lists).map(columns),
    )
)
def test_whatever_lies_there_reads_or_is_refused(block: bytes) -> None:
    assert not envelopes_of(MATCH, block)
    for read in (unpack, facts_of, events_of):
        try:
            found = read(MATCH, block)
        except Undecodable:
            continue
        assert isinstance(found, list)


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (b'[["2026-01-02T03:04:05Z",[1],[{},{}]]]', "step 1 has 2 events of 1 actors"),
        (columns([[MOMENT], [[1, 1]], [{}]]), "step 1 has more actors than there are events"),
        (columns([[MOMENT], [[1]], [{}, {}]]), "there are more events than actors"),
        (columns([[MOMENT, 0], [[1]], [{}]]), "argument 2 is shorter"),
        (columns([[2**62], [[1]], [{}]]), "date value out of range"),
        (columns([[MOMENT], [[1]], [{"one": msgspec.msgpack.Ext(5, b"")}]]), "unsupported"),
        (columns([[MOMENT], [[1]], [[]]]), "Expected `object`"),
        (columns([[MOMENT], [[1]], [{}], "more"]), "at most length 3"),
    ],
    ids=["pairs", "actors", "events", "moments", "calendar", "value", "kind", "columns"],
)
def test_columns_that_do_not_fit_each_other_are_refused(block: bytes, why: str) -> None:
    for read in (unpack, facts_of):
        with pytest.raises(Undecodable, match=why):
            read(MATCH, block)


def test_a_block_of_columns_says_when_who_and_what() -> None:
    block = columns([[MOMENT, 0, 1], [["ledger"], [1, "chance"], [2]], [{"a": 1}, {}, {"b": "\n"}, {}]])
    assert unpack("m", block) == [
        b'{"match":"m","seq":1,"step":1,"at":"2026-01-02T03:04:05Z","actor":"ledger","event":{"a":1}}',
        b'{"match":"m","seq":2,"step":2,"at":"2026-01-02T03:04:05Z","actor":1,"event":{}}',
        b'{"match":"m","seq":3,"step":2,"at":"2026-01-02T03:04:05Z","actor":"chance","event":{"b":"\\n"}}',
        b'{"match":"m","seq":4,"step":3,"at":"2026-01-02T03:04:05.000001Z","actor":2,"event":{}}',
    ]


SEATS = [{"type": "match.seat_taken", "seat": seat} for seat in (1, 2, 3)]
SAME = [[MOMENT], [[1]], SEATS[:1]]


def test_envelopes_say_when_who_and_what() -> None:
    block = columns([[MOMENT, 0, 1], [["ledger"], [], [1, "chance"]], SEATS])
    assert envelopes_of("m", block) == list(map(decode, unpack("m", block)))


@pytest.mark.parametrize(
    "block",
    [
        columns([[MOMENT], [[1]], [{"seat": 1, "type": "match.seat_taken"}]]),
        columns([[MOMENT], [[1]], [{"type": "match.seat_taken", "seat": 1, "nonce": ""}]]),
        columns(SAME).replace(columns(MOMENT), b"\xd3" + MOMENT.to_bytes(8, "big")),
    ],
    ids=["order", "default", "longer number"],
)
def test_what_would_be_written_otherwise_is_told_by_its_rows(block: bytes) -> None:
    assert list(map(decode, unpack("m", block))) == envelopes_of("m", columns(SAME))
    assert envelopes_of("m", block) is None


@pytest.mark.parametrize(
    "block",
    [
        columns([[MOMENT], [[1, 1]], SEATS[:1]]),
        columns([[MOMENT], [[1]], SEATS[:2]]),
        columns([[MOMENT, 0], [[1]], SEATS[:1]]),
        columns([[2**62], [[1]], SEATS[:1]]),
        columns([[MOMENT], [["nobody"]], SEATS[:1]]),
        columns([*SAME, "more"]),
        columns(SAME) + b"\0",
    ],
    ids=["actors", "events", "moments", "calendar", "actor", "columns", "behind"],
)
def test_columns_that_do_not_fit_each_other_make_no_envelopes(block: bytes) -> None:
    assert envelopes_of("m", columns(SAME)) is not None
    assert envelopes_of("m", block) is None


@pytest.mark.parametrize("actors", [[[1, 1]], [[]]], ids=["one more", "one less"])
def test_actors_that_do_not_fit_the_events_are_refused(actors: list[list[int]]) -> None:
    assert len(facts_of("m", columns(SAME))) == 1
    with pytest.raises(Undecodable, match="actors"):
        facts_of("m", columns([[MOMENT], actors, SEATS[:1]]))


def test_a_block_of_steps_of_an_older_version_still_reads() -> None:
    rows = rows_of(LOGS / "azul" / "floor-scored-shape.jsonl")
    match = decode(rows[0]).match
    block = (LOGS / "azul" / "floor-scored-shape.steps").read_bytes()
    assert unpack(match, block) == rows
    assert facts_of(match, block) == decode_facts(rows)
    assert events_of(match, block) == [fact.event for fact in decode_facts(rows)]


def test_a_retired_shape_is_read_in_todays() -> None:
    rows = rows_of(LOGS / "azul" / "floor-scored-shape.jsonl")
    match = decode(rows[0]).match
    assert any(b"azul.floor_scored" in row for row in rows)
    assert facts_of(match, pack(match, rows)) == decode_facts(rows)
