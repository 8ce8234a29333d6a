"""Canonical bytes of envelopes, and the one decoder that reads them back, older shapes included."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Final, Protocol, get_args

import msgspec

from events.azul import AzulEvent
from events.coloretto import ColorettoEvent
from events.core import Actor, Envelope, Event, type_field
from events.dispute import DisputeEvent
from events.master_chocolatier import MasterChocolatierEvent
from events.match import MatchEvent
from events.retired import UPCASTS, RetiredEvent
from events.summer_pavilion import SummerPavilionEvent

AnyEvent = (
    MatchEvent | DisputeEvent | AzulEvent | MasterChocolatierEvent | SummerPavilionEvent | ColorettoEvent | RetiredEvent
)


class _Stored(msgspec.Struct, frozen=True, gc=False):
    """An envelope as the decoder reads it, with the closed union of every event ever written."""

    match: str
    seq: int
    step: int
    at: datetime
    actor: Actor
    event: AnyEvent


class Fact(msgspec.Struct, frozen=True, gc=False):
    """The part of an envelope that folding needs; the rest is skipped without being built."""

    step: int
    event: AnyEvent


class Recorded(Protocol):
    """What projections read: an envelope, or only the fact in it."""

    @property
    def step(self) -> int: ...

    @property
    def event(self) -> Event: ...


event_of: Final = attrgetter("event")
"""The event of a fact or an envelope; mapped over a whole match this is several times quicker than a loop."""

_encoder: Final = msgspec.json.Encoder()
_envelope_decoder: Final = msgspec.json.Decoder(_Stored)
_facts_decoder: Final = msgspec.json.Decoder(list[Fact])


class Undecodable(ValueError):
    """Bytes that are not an envelope this version can read; carries whatever tag could be made out."""

    def __init__(self, tag: str, why: str) -> None:
        super().__init__(why)
        self.tag = tag
        self.why = why


def encode(envelope: Envelope) -> bytes:
    """The canonical bytes of an envelope: compact JSON, fields in declared order, defaults left out of events."""
    return _encoder.encode(envelope)


def decode(data: bytes) -> Envelope:
    """The envelope these bytes stand for, upcast to today's shape. Raises `Undecodable` and nothing else."""
    try:
        stored = _envelope_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Undecodable(_tag_of(data), str(error)) from error
    return Envelope(stored.match, stored.seq, stored.step, stored.at, stored.actor, upcast(stored.event))


def decode_facts(rows: Sequence[bytes]) -> list[Fact]:
    """Step and event of every row, decoded in one go. Raises `Undecodable` naming the first bad row's position."""
    try:
        facts = _facts_decoder.decode(b"[" + b",".join(rows) + b"]")
    except (msgspec.DecodeError, UnicodeDecodeError):
        return [Fact(envelope.step, envelope.event) for envelope in map(decode, rows)]  # type: ignore[arg-type]
    if not UPCASTS.keys().isdisjoint(map(type, map(event_of, facts))):
        return [Fact(fact.step, upcast(fact.event)) for fact in facts]  # type: ignore[arg-type]
    return facts


def is_canonical(envelope: Envelope, data: bytes) -> bool:
    """Whether an envelope was read from the bytes `encode` writes, or wrote when their shape was today's."""
    return _encoder.encode(envelope) == data or _encoder.encode(_envelope_decoder.decode(data)) == data


def upcast(event: Event) -> Event:
    """The event in today's shape."""
    up = UPCASTS.get(type(event))
    return event if up is None else up(event)


def event_types() -> tuple[type[Event], ...]:
    """Every event type the decoder knows, retired ones included."""
    return get_args(AnyEvent)


def tag(event: Event | type[Event]) -> str:
    """The stable tag of an event or of its type."""
    return str((event if isinstance(event, type) else type(event)).__struct_config__.tag)


def _tag_of(data: bytes) -> str:
    try:
        return str(msgspec.json.decode(data)["event"][type_field])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
        return "?"
