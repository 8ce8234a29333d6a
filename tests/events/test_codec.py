"""Bytes in and out, older shapes, and the chain over them."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from events.azul import FloorCleared, TilesDrafted
from events.chain import link, origin
from events.codec import Fact, Undecodable, decode, decode_facts, encode, event_types, tag
from events.core import Envelope, Event, Number, ScoreLine
from events.retired import UPCASTS, FloorScored
from projections.fold import fold
from service.games.azul import AZUL

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
OLD_LOG = Path(__file__).parents[1] / "logs" / "azul" / "floor-scored-shape.jsonl"


def envelope(event: Event, seq: int = 1) -> Envelope:
    return Envelope("match00001", seq, 1, NOW, 1, event)


@given(st.data())
def test_decode_undoes_encode(data: st.DataObject) -> None:
    """Promise 5, over every event type with arbitrary field values."""
    kind = data.draw(st.sampled_from([kind for kind in event_types() if kind not in UPCASTS]))
    event = kind(**{field.name: data.draw(_values(field.type)) for field in fields(kind)})
    wrapped = Envelope(
        data.draw(st.text(max_size=12)),
        data.draw(_values(Number)),
        data.draw(_values(Number)),
        data.draw(st.datetimes(min_value=datetime(2000, 1, 1), timezones=st.just(UTC))),  # noqa: DTZ001 - a bound, made aware by timezones
        data.draw(st.one_of(st.integers(1, 9), st.sampled_from(["chance", "ledger", "arbiter"]))),
        event,
    )
    row = encode(wrapped)
    assert decode(row) == wrapped
    assert encode(decode(row)) == row
    assert decode_facts([row, row]) == [Fact(wrapped.step, event)] * 2


def _values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value a field of this type may hold."""
    info = msgspec.inspect.type_info(kind)
    return _of(info)


def _of(info: Any) -> st.SearchStrategy[Any]:
    inspect = msgspec.inspect
    match info:
        case inspect.IntType():
            return st.integers(info.ge, info.le)
        case inspect.StrType():
            return st.text(max_size=8)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.UnionType():
            return st.one_of([_of(member) for member in info.types])
        case inspect.DictType():
            return st.dictionaries(_of(info.key_type), _of(info.value_type), max_size=3)
        case inspect.VarTupleType():
            return st.lists(_of(info.item_type), max_size=3).map(tuple)
        case inspect.StructType():
            return st.builds(info.cls, **{field.name: _of(field.type) for field in info.fields})
    raise TypeError(info)


def test_canonical_bytes_are_pinned() -> None:
    """Stored data is for ever: these bytes may never change."""
    event = TilesDrafted(seat=1, source=2, colour=3, taken=2, line=4, next=2, placed=2)
    assert encode(envelope(event)) == (
        b'{"match":"match00001","seq":1,"step":1,"at":"2026-01-02T03:04:05.678901Z","actor":1,'
        b'"event":{"type":"azul.tiles_drafted","seat":1,"source":2,"colour":3,"taken":2,"line":4,"next":2,"placed":2}}'
    )


def test_tags_are_unique_and_well_formed() -> None:
    tags = [tag(kind) for kind in event_types()]
    assert len(set(tags)) == len(tags)
    assert all(word.replace("_", "").isalpha() and word.islower() for name in tags for word in name.split("."))


def raw(event: str, at: str = "2026-01-02T00:00:00Z", actor: str = "1") -> bytes:
    return f'{{"match":"m","seq":1,"step":1,"at":"{at}","actor":{actor},"event":{event}}}'.encode()


UNDONE = '{"type":"match.step_undone","step":1}'


@pytest.mark.parametrize(
    "row, tag_",
    [
        pytest.param(b"", "?", id="empty"),
        pytest.param(b"{", "?", id="cut"),
        pytest.param(b"[]", "?", id="list"),
        pytest.param(b"\xff\xfe", "?", id="not-text"),
        pytest.param(raw('{"type":"azul.unheard_of"}'), "azul.unheard_of", id="unknown-tag"),
        pytest.param(raw('{"type":"match.step_undone"}'), "match.step_undone", id="missing-field"),
        pytest.param(raw('{"type":"match.step_undone","step":1,"why":2}'), "match.step_undone", id="unknown-field"),
        pytest.param(raw('{"type":"match.step_undone","step":"1"}'), "match.step_undone", id="wrong-type"),
    ],
)
def test_what_does_not_read_names_its_tag(row: bytes, tag_: str) -> None:
    with pytest.raises(Undecodable) as error:
        decode(row)
    assert error.value.tag == tag_
    with pytest.raises(Undecodable):
        decode_facts([encode(envelope(FloorCleared(1))), row])


@pytest.mark.parametrize("row", [raw(UNDONE, at="yesterday"), raw(UNDONE, actor='"me"')], ids=["time", "actor"])
def test_an_envelope_is_read_as_strictly_as_its_event(row: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(row)


class TestOlderShapes:
    """`azul.floor_scored` is no longer written and still means what it meant."""

    def test_upcast(self) -> None:
        line = ScoreLine(1, "AZ-50", "floor", -2, -1, {"spaces": 2})
        for old, new in ((FloorScored(1, line), FloorCleared(1, (line,))), (FloorScored(2), FloorCleared(2))):
            row = encode(envelope(old))
            assert decode(row).event == new
            assert decode_facts([row])[0].event == new

    def test_a_whole_log_in_the_old_shape_replays(self) -> None:
        expected, *rows = OLD_LOG.read_bytes().splitlines()
        assert sum(b"azul.floor_scored" in row for row in rows) > 5
        assert not any(b"azul.floor_cleared" in row for row in rows)
        state = fold(AZUL.projection, decode_facts(rows)).state
        assert list(AZUL.projection.scores(state)) == json.loads(expected)["scores"]

    def test_every_retired_type_is_upcast_to_a_living_one(self) -> None:
        for kind in UPCASTS:
            assert kind in event_types()
            assert kind not in AZUL.events


def test_the_chain_is_plain_sha_256() -> None:
    start = origin("m", "azul", "azul/1")
    assert start == sha256(b"matchledger/1\nm\nazul\nazul/1").digest()
    assert link(start, b"data") == sha256(start + b"data").digest()


def test_a_field_added_later_does_not_change_old_bytes() -> None:
    """Defaults are left out, so an event re-encodes to the bytes it was stored with."""

    class Older(Event, frozen=True, gc=False, tag="test.thing"):
        seat: int

    class Newer(Event, frozen=True, gc=False, tag="test.thing"):
        seat: int
        extra: int = 0

    assert msgspec.json.encode(Older(1)) == msgspec.json.encode(Newer(1))


@pytest.mark.parametrize("junk", [b"[" * 100_000, b'{"event":' * 100_000, b'{"match":"m","x":' + b"[" * 100_000])
def test_bytes_nested_deeper_than_anybody_reads(junk: bytes) -> None:
    for read in (decode, lambda data: decode_facts([data])):
        with pytest.raises(Undecodable) as error:
            read(junk)
        assert error.value.tag == "?"
