"""The block format: a whole match as one block of bytes, from which every event is restored byte for byte.

A block is three columns in MessagePack: when each step was taken, as microseconds since the step before; who acted in
it, an actor for each of its events; and every event. Match, seq and step are left out, because they follow from the
place. Events that do not fit these columns make a block of plain envelopes instead, a list in JSON. Blocks of steps, a
list of `["2026-…Z",[1,"chance"],[{…},{…}]]` in JSON, are what older versions made.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache, reduce
from itertools import chain, count, groupby, pairwise, repeat
from operator import attrgetter, or_
from typing import Any, Final, Generic

import msgspec

from events.codec import (
    UNREADABLE,
    Fact,
    Undecodable,
    decode_facts,
    event_of,
    event_types,
)
from events.core import Actor, Envelope, Event, Kind
from events.retired import UPCASTS

_PLAIN: Final = b"[{"
"""How a block of plain envelopes begins."""
_STEPS: Final = b"["
"""How one of steps begins; one of columns begins otherwise."""
_SAME: Final = b'""'
"""In a block of steps, the same moment as that of the step before."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_NOT_OURS: Final = (*UNREADABLE, TypeError, ValueError, OverflowError)
"""What reading columns raises that this program did not write: values that JSON does not have, impossible moments."""

_Actor = int | str


class _Envelope(msgspec.Struct, frozen=True, gc=False):
    """An envelope whose event is whatever stands there."""

    step: int
    at: datetime
    actor: _Actor
    event: dict[str, Any]


class _Columns(msgspec.Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A block, column by column."""

    moments: list[int]
    """By step."""
    actors: list[list[_Actor]]
    """By step, one for each event."""
    events: list[dict[str, Any]]


class _Told(msgspec.Struct, Generic[Kind], frozen=True, gc=False, array_like=True):
    """The part of a block that folding needs; the rest is skipped without being built."""

    moments: msgspec.Raw
    actors: msgspec.Raw
    events: list[Kind]


class _Whole(msgspec.Struct, Generic[Kind], frozen=True, gc=False, array_like=True):
    """A block of columns, its events of the kinds we know."""

    moments: list[int]
    actors: list[list[Actor]]
    events: list[Kind]


class _Step(msgspec.Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A step of a block of steps, its parts kept as they are written."""

    at: msgspec.Raw
    actors: list[msgspec.Raw]
    events: list[msgspec.Raw]


_json: Final = msgspec.json.Encoder()
_msgpack: Final = msgspec.msgpack.Encoder()
_envelope: Final = msgspec.json.Decoder(_Envelope)
_columns: Final = msgspec.msgpack.Decoder(_Columns)
_actors: Final = msgspec.msgpack.Decoder(list[list[msgspec.Raw]])
_steps: Final = msgspec.json.Decoder(list[_Step])
_plain: Final = msgspec.json.Decoder(list[msgspec.Raw])


def pack(match: str, rows: Sequence[bytes]) -> bytes:
    """The canonical bytes of a match's events as a block; Undecodable where they are not even JSON."""
    try:
        block = _packed(rows)
        if unpack(match, block) == rows:
            return block
    except _NOT_OURS:
        pass
    plain = b"[" + b",".join(rows) + b"]"
    if not plain.startswith(_PLAIN) or unpack(match, plain) != rows:
        raise Undecodable("?", "the events are not JSON objects, one a row")
    return plain


def _packed(rows: Sequence[bytes]) -> bytes:
    envelopes = list(map(_envelope.decode, rows))
    steps = [list(group) for _, group in groupby(envelopes, key=attrgetter("step"))]
    moments = [0, *((step[0].at - _EPOCH) // _MICROSECOND for step in steps)]
    return _msgpack.encode(
        _Columns(
            moments=[later - sooner for sooner, later in pairwise(moments)],
            actors=[[envelope.actor for envelope in step] for step in steps],
            events=[envelope.event for envelope in envelopes],
        )
    )


def unpack(match: str, block: bytes) -> list[bytes]:
    """The canonical bytes of every event, in order. Raises `Undecodable` and nothing else."""
    try:
        if block.startswith(_PLAIN):
            return list(map(bytes, _plain.decode(block)))
        rows = _from_steps(block) if block.startswith(_STEPS) else _from_columns(block)
        name = _json.encode(match)
        return [
            b'{"match":%b,"seq":%d,"step":%d,"at":%b,"actor":%b,"event":%b}' % (name, seq, *row)
            for seq, row in enumerate(rows, start=1)
        ]
    except _NOT_OURS as error:
        raise Undecodable("?", str(error)) from error


_Written = tuple[int, bytes, bytes, bytes]
"""What a block says of one event: its step, when, who and what, each as it stands in the row."""


def _from_columns(block: bytes) -> Iterator[_Written]:
    columns = _columns.decode(block)
    events = map(_json.encode, columns.events)
    moment, at = _EPOCH, _json.encode(_EPOCH)
    for number, (since, actors) in enumerate(zip(columns.moments, columns.actors, strict=True), start=1):
        if since:
            moment += since * _MICROSECOND
            at = _json.encode(moment)
        for actor in actors:
            event = next(events, b"")
            if not event:
                raise ValueError(f"step {number} has more actors than there are events")
            yield number, at, _json.encode(actor), event
    if next(events, b""):
        raise ValueError("there are more events than actors")


def _from_steps(block: bytes) -> Iterator[_Written]:
    at = b""
    for number, step in enumerate(_steps.decode(block), start=1):
        told = bytes(step.at)
        at = at if told == _SAME else told
        if len(step.actors) != len(step.events):
            raise ValueError(f"step {number} has {len(step.events)} events of {len(step.actors)} actors")
        for actor, event in zip(step.actors, step.events, strict=True):
            yield number, at, bytes(actor), bytes(event)


def envelopes_of(match: str, block: bytes) -> list[Envelope] | None:
    """What the rows of a block say, in a third of the time it takes to make and to read them.

    None where only the rows can tell: where they hold an older shape, or anything else than we would write.
    """
    if block.startswith(_STEPS):
        return None
    try:
        whole = _whole_for(event_types()).decode(block)
        if _msgpack.encode(whole) != block:  # the rows would say the same, and not in canonical bytes
            return None
        steps: list[int] = []
        moments: list[datetime] = []
        moment = _EPOCH
        for number, (since, actors) in enumerate(zip(whole.moments, whole.actors, strict=True), start=1):
            if since:
                moment += since * _MICROSECOND
            steps += [number] * len(actors)
            moments += [moment] * len(actors)
    except _NOT_OURS:
        return None
    if len(steps) != len(whole.events):
        return None
    return list(map(Envelope, repeat(match), count(1), steps, moments, chain.from_iterable(whole.actors), whole.events))


def facts_of(match: str, block: bytes) -> list[Fact[Event]]:
    """Step and event of every row of a block. Raises `Undecodable` naming the first bad row."""
    told = _told(block)
    if told is not None:
        with suppress(*UNREADABLE):
            steps = [number for number, actors in enumerate(_actors.decode(told.actors), start=1) for _ in actors]
            if len(steps) == len(told.events):
                return list(map(Fact, steps, told.events))
    return decode_facts(unpack(match, block))


def events_of(match: str, block: bytes) -> list[Event]:
    """The event of every row of a block alone, which is all that most matches need to be folded."""
    told = _told(block)
    return list(map(event_of, decode_facts(unpack(match, block)))) if told is None else told.events


def _told(block: bytes) -> _Told[Event] | None:
    """The events of a block of columns, all of today's shapes; None where rows have to tell more."""
    if block.startswith(_STEPS):
        return None
    try:
        return _told_for(event_types()).decode(block)
    except UNREADABLE:
        return None


@cache
def _told_for(kinds: tuple[type[Event], ...]) -> msgspec.msgpack.Decoder[_Told[Event]]:
    told: Any = _Told
    return msgspec.msgpack.Decoder(told[_current(kinds)])


@cache
def _whole_for(kinds: tuple[type[Event], ...]) -> msgspec.msgpack.Decoder[_Whole[Event]]:
    whole: Any = _Whole
    return msgspec.msgpack.Decoder(whole[_current(kinds)])


def _current(kinds: tuple[type[Event], ...]) -> Any:
    """Without older shapes nobody has to look for one among the events that were read."""
    return reduce(or_, (kind for kind in kinds if kind not in UPCASTS))
