"""Canonical bytes of envelopes, and the one decoder that reads them back, older shapes included."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import attrgetter, or_
from typing import Any, Final, Generic, NamedTuple, Protocol, get_args

import msgspec

from events.azul import AzulEvent
from events.azul_pad import AzulPadEvent
from events.coloretto import ColorettoEvent
from events.coloretto_pad import ColorettoPadEvent
from events.core import Envelope, Event, Kind, type_field
from events.dispute import DisputeEvent
from events.master_chocolatier import MasterChocolatierEvent
from events.match import MatchEvent
from events.retired import UPCASTS, RetiredEvent
from events.summer_pavilion import SummerPavilionEvent
from events.summer_pavilion_pad import SummerPavilionPadEvent

AnyEvent = (
    MatchEvent
    | DisputeEvent
    | AzulEvent
    | MasterChocolatierEvent
    | SummerPavilionEvent
    | ColorettoEvent
    | AzulPadEvent
    | SummerPavilionPadEvent
    | ColorettoPadEvent
    | RetiredEvent
)
"""The closed union of every event ever written. A new game adds its own here, and nowhere else in this room."""


class Fact(msgspec.Struct, Generic[Kind], frozen=True, gc=False):
    """The part of an envelope that folding needs; the rest is skipped without being built."""

    step: int
    event: Kind


class Recorded(Protocol):
    """What projections read: an envelope, or only the fact in it."""

    @property
    def step(self) -> int: ...

    @property
    def event(self) -> Event: ...


event_of: Final = attrgetter("event")
"""The event of a fact or an envelope; mapped over a whole match this is several times quicker than a loop."""


class _Decoders(NamedTuple):
    """What reads stored bytes, for a closed union of events; building it takes longer than reading a match."""

    kinds: tuple[type[Event], ...]
    envelope: msgspec.json.Decoder[Envelope]
    facts: msgspec.json.Decoder[list[Fact[Event]]]


def _decoders_for(kinds: tuple[type[Event], ...]) -> _Decoders:
    envelope: Any = Envelope
    fact: Any = Fact
    union: Any = reduce(or_, kinds)
    return _Decoders(kinds, msgspec.json.Decoder(envelope[union]), msgspec.json.Decoder(list[fact[union]]))


UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What the decoder raises on bytes that are none of ours; the last for what is nested too deeply."""
_encoder: Final = msgspec.json.Encoder()
_decoders = _decoders_for(get_args(AnyEvent))


@contextmanager
def reading_also(kinds: Sequence[type[Event]]) -> Iterator[None]:
    """Read these kinds of event as well, as long as the context lasts and in this process alone.

    For a game that is tried out before it has its entry in `AnyEvent`, such as the one docs/adding-a-game.md writes.
    """
    global _decoders
    before = _decoders
    if more := tuple(kind for kind in kinds if kind not in before.kinds):
        _decoders = _decoders_for((*before.kinds, *more))
    try:
        yield
    finally:
        _decoders = before


class Undecodable(ValueError):
    """Bytes that are not an envelope this version can read; carries whatever tag could be made out."""

    def __init__(self, tag: str, why: str) -> None:
        super().__init__(why)
        self.tag = tag
        self.why = why


def encode(envelope: Envelope) -> bytes:
    """The canonical bytes of an envelope: compact JSON, fields in declared order, defaults left out of events."""
    return _encoder.encode(envelope)


def encode_all(envelopes: Sequence[Envelope]) -> list[bytes]:
    """What `encode` makes of each of them, in a third of the time."""
    return _encoder.encode_lines(envelopes).split(b"\n")[:-1]  # it writes a newline behind each, and none within


def decode(data: bytes) -> Envelope:
    """The envelope these bytes stand for, upcast to today's shape. Raises `Undecodable` and nothing else."""
    try:
        envelope = _decoders.envelope.decode(data)
    except UNREADABLE as error:
        raise Undecodable(_tag_of(data), str(error)) from error
    return _today(envelope) if type(envelope.event) in UPCASTS else envelope


def decode_all(rows: Iterable[bytes]) -> list[Envelope] | None:
    """What `decode` makes of every row; None where one cannot be read."""
    # Each row is read for itself: joined by newlines, two in one row and none in the next would read as well.
    try:
        envelopes = list(map(_decoders.envelope.decode, rows))
    except UNREADABLE:
        return None
    return envelopes if is_current(map(event_of, envelopes)) else list(map(_today, envelopes))


def are_canonical(envelopes: Sequence[Envelope], rows: Sequence[bytes]) -> bool:
    """Whether every row holds the bytes `encode` writes for what it says; older shapes are asked one by one."""
    # In half the time of row by row, and as sure: `encode` writes no newline, so with as many lines as rows, a row with
    # one in it would make one too many.
    return len(envelopes) == len(rows) and _encoder.encode_lines(envelopes) == b"\n".join((*rows, b""))


def decode_facts(rows: Sequence[bytes]) -> list[Fact[Event]]:
    """Step and event of every row, decoded in one go. Raises `Undecodable` naming the first bad row's tag."""
    try:
        return decode_joined(b",".join(rows))
    except Undecodable:
        return [Fact(envelope.step, envelope.event) for envelope in map(decode, rows)]


def decode_joined(rows: bytes) -> list[Fact[Event]]:
    """The same of rows that were joined by commas. Which of them cannot be read is for them to say, one by one."""
    return upcast_all(_joined(rows))


def decode_events(rows: bytes) -> list[Event]:
    """The events of such rows alone, which is all that most matches need to be folded."""
    events = list(map(event_of, _joined(rows)))
    return events if is_current(events) else list(map(upcast, events))


def _joined(rows: bytes) -> list[Fact[Event]]:
    try:
        return _decoders.facts.decode(b"[" + rows + b"]")
    except UNREADABLE as error:
        raise Undecodable("?", str(error)) from error


def upcast_all(facts: list[Fact[Event]]) -> list[Fact[Event]]:
    """The same facts in today's shape; as they are where none of them is older, which is nearly always."""
    if is_current(map(event_of, facts)):
        return facts
    return [Fact(fact.step, upcast(fact.event)) for fact in facts]


def is_current(events: Iterable[Event]) -> bool:
    """Whether all of them have today's shape."""
    return UPCASTS.keys().isdisjoint(map(type, events))


def is_canonical(envelope: Envelope, data: bytes) -> bool:
    """Whether an envelope was read from the bytes `encode` writes, or wrote when their shape was today's."""
    return _encoder.encode(envelope) == data or _encoder.encode(_decoders.envelope.decode(data)) == data


def _today(envelope: Envelope) -> Envelope:
    return msgspec.structs.replace(envelope, event=upcast(envelope.event))


def upcast(event: Event) -> Event:
    """The event in today's shape."""
    up = UPCASTS.get(type(event))
    return event if up is None else up(event)


def event_types() -> tuple[type[Event], ...]:
    """Every event type the decoder knows, retired ones included."""
    return _decoders.kinds


def tag(event: Event | type[Event]) -> str:
    """The stable tag of an event or of its type."""
    return str((event if isinstance(event, type) else type(event)).__struct_config__.tag)


def _tag_of(data: bytes) -> str:
    try:
        return str(msgspec.json.decode(data)["event"][type_field])
    except (*UNREADABLE, KeyError, TypeError):
        return "?"
