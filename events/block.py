"""A whole match as one block of bytes: what the place of an event says already is left out, and put back to the byte.

A block is a list of steps, `["2026-…Z",[1,"chance"],[{…},{…}]]`: when, who, what. Match, seq and step follow from the
place, and a moment that is that of the step before is left empty. Events that were not written like that, by whatever
hand, make a block of plain envelopes instead.
"""

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, Final, Generic

import msgspec

from events.codec import (
    UNREADABLE,
    Fact,
    Undecodable,
    decode_facts,
    event_of,
    event_types,
    is_current,
    upcast,
    upcast_all,
)
from events.core import Event, Kind

_PLAIN: Final = b"[{"
"""How a block of plain envelopes begins; one of steps begins with a list."""
_SAME: Final = b'""'
"""A moment that is that of the step before."""


class _Envelope(msgspec.Struct, frozen=True, gc=False):
    """An envelope whose parts are kept as they are written."""

    match: str
    seq: int
    step: int
    at: msgspec.Raw
    actor: msgspec.Raw
    event: msgspec.Raw


class _Step(msgspec.Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A step whose parts are kept as they are written."""

    at: msgspec.Raw
    actors: list[msgspec.Raw]
    events: list[msgspec.Raw]


class _Told(msgspec.Struct, Generic[Kind], frozen=True, gc=False, array_like=True):
    """The part of a step that folding needs; the rest is skipped without being built."""

    at: msgspec.Raw
    actors: msgspec.Raw
    events: list[Kind]


_envelope: Final = msgspec.json.Decoder(_Envelope)
_steps: Final = msgspec.json.Decoder(list[_Step])
_plain: Final = msgspec.json.Decoder(list[msgspec.Raw])


def pack(match: str, rows: Sequence[bytes]) -> bytes:
    """The canonical bytes of a match's events as a block; Undecodable where they are not even JSON."""
    try:
        block = _packed(rows)
    except UNREADABLE:
        block = b""
    if block and unpack(match, block) == rows:
        return block
    plain = b"[" + b",".join(rows) + b"]"
    if not plain.startswith(_PLAIN) or unpack(match, plain) != rows:
        raise Undecodable("?", "the events are not JSON objects, one a row")
    return plain


def _packed(rows: Sequence[bytes]) -> bytes:
    steps: list[bytes] = []
    actors: list[bytes] = []
    events: list[bytes] = []
    at = before = b""
    number = 0
    for envelope in map(_envelope.decode, rows):
        if envelope.step != number:
            if number:
                steps.append(_step(at, before, actors, events))
            number, before, at = envelope.step, at, bytes(envelope.at)
            actors, events = [], []
        actors.append(bytes(envelope.actor))
        events.append(bytes(envelope.event))
    steps.append(_step(at, before, actors, events))
    return b"[" + b",".join(steps) + b"]"


def _step(at: bytes, before: bytes, actors: Sequence[bytes], events: Sequence[bytes]) -> bytes:
    return b"[%b,[%b],[%b]]" % (_SAME if at == before else at, b",".join(actors), b",".join(events))


def unpack(match: str, block: bytes) -> list[bytes]:
    """The canonical bytes of every event, in order. Raises `Undecodable` and nothing else."""
    try:
        if block.startswith(_PLAIN):
            return list(map(bytes, _plain.decode(block)))
        steps = _steps.decode(block)
    except UNREADABLE as error:
        raise Undecodable("?", str(error)) from error
    name = msgspec.json.encode(match)
    rows: list[bytes] = []
    at = b""
    for number, step in enumerate(steps, start=1):
        told = bytes(step.at)
        at = at if told == _SAME else told
        if len(step.actors) != len(step.events):
            raise Undecodable("?", f"step {number} has {len(step.events)} events of {len(step.actors)} actors")
        for actor, event in zip(step.actors, step.events, strict=True):
            rows.append(
                b'{"match":%b,"seq":%d,"step":%d,"at":%b,"actor":%b,"event":%b}'
                % (name, len(rows) + 1, number, at, actor, event)
            )
    return rows


def facts_of(match: str, block: bytes) -> list[Fact[Event]]:
    """Step and event of every row of a block, decoded in one go. Raises `Undecodable` naming the first bad row."""
    steps = _told(block)
    if steps is None:
        return decode_facts(unpack(match, block))
    return upcast_all([Fact(number, event) for number, step in enumerate(steps, 1) for event in step.events])


def events_of(match: str, block: bytes) -> list[Event]:
    """The event of every row of a block alone, which is all that most matches need to be folded."""
    steps = _told(block)
    if steps is None:
        return list(map(event_of, decode_facts(unpack(match, block))))
    events = [event for step in steps for event in step.events]
    return events if is_current(events) else list(map(upcast, events))


def _told(block: bytes) -> "list[_Told[Event]] | None":
    """The steps of a block; None where it has none, or where its rows have to tell which of them does not read."""
    if block.startswith(_PLAIN):
        return None
    try:
        return _told_for(event_types()).decode(block)
    except UNREADABLE:
        return None


@cache
def _told_for(kinds: tuple[type[Event], ...]) -> "msgspec.json.Decoder[list[_Told[Event]]]":
    told: Any = _Told
    union: Any = reduce(or_, kinds)
    return msgspec.json.Decoder(list[told[union]])
