"""A ruling cannot be invented, changed, moved or backdated, even by whoever can rewrite the whole chain."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from events.chain import Chain, Row, link, origin
from events.codec import decode, encode
from events.core import Envelope, ScoreLine, Standing
from events.dispute import AppealDecided, DisputeEvent, DisputeOpened, DisputeRuled, ResultFinalised, SignedEvent
from events.match import MatchOpened
from service.disputes import cases as disputes
from service.disputes.procedure import Fault, faults
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.trust.arbiters import is_signed, message, signed
from tests.disputes.people import CLEO, DORA, EVE, closed_match


def settled(ledger: LocalLedger, seed: int = 1) -> Live:
    """A match with a dispute that went all the way."""
    live = closed_match(ledger, seed, dispute_within=600, appeal_within=60)
    disputes.open_dispute(ledger, live, 2, "Words", claim=50)
    disputes.rule(ledger, live, 1, CLEO, rules=["AZ-46"], reason="Because", adjust=[(2, 3, "AZ-46")])
    disputes.appeal(ledger, live, 1, 1, "No")
    disputes.decide(ledger, live, 1, DORA, upholds=False, rules=["AZ-47"], reason="A gap", adjust=[(2, 1, "AZ-47")])
    return live


def found(live: Live, envelopes: list[Envelope]) -> list[Fault]:
    """What the procedure says about a history whose chain was made anew."""
    rows = [Row(number, encode(envelope), b"") for number, envelope in enumerate(envelopes, start=1)]
    return faults(live.id, Chain(live.id, rows).links, [])


def with_event(live: Live, kind: type[Any], change: Callable[[Any], Any]) -> tuple[int, list[Envelope]]:
    """The history with one event changed, and where."""
    envelopes = list(live.envelopes)
    seq = next(envelope.seq for envelope in envelopes if isinstance(envelope.event, kind))
    envelopes[seq - 1] = replace(envelopes[seq - 1], event=change(envelopes[seq - 1].event))
    return seq, envelopes


LINE = ScoreLine(2, "AZ-46", "ruling", 9, 9, {"dispute": 1})
CHANGES: dict[str, tuple[type[Any], Callable[[Any], Any]]] = {
    "reason": (DisputeRuled, lambda event: replace(event, reason="Another")),
    "points": (DisputeRuled, lambda event: replace(event, scores=(LINE,))),
    "no points": (DisputeRuled, lambda event: replace(event, scores=())),
    "rules": (DisputeRuled, lambda event: replace(event, rules=("AZ-46", "AZ-1"))),
    "arbiter": (DisputeRuled, lambda event: replace(event, arbiter="Dora")),
    "key": (DisputeRuled, lambda event: replace(event, key=DORA.key.public)),
    "signature": (DisputeRuled, lambda event: replace(event, signature="00" * 64)),
    "no signature": (DisputeRuled, lambda event: replace(event, signature="")),
    "garbage": (DisputeRuled, lambda event: replace(event, signature="žluť")),
    "upheld": (AppealDecided, lambda event: replace(event, upheld=True, scores=())),
    "decision": (AppealDecided, lambda event: replace(event, scores=(replace(LINE, rule="AZ-47"),))),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_ruling_is_named(ledger: LocalLedger, what: str) -> None:
    live = settled(ledger)
    assert found(live, live.envelopes) == []
    seq, envelopes = with_event(live, *CHANGES[what])
    # Later signatures bind the hash before them, so they fall with it; the first fault is the changed one.
    first = found(live, envelopes)[0]
    assert (first.seq, first.code) == (seq, "dispute/signature")


def test_a_ruling_by_nobody_is_named(ledger: LocalLedger) -> None:
    """Whoever runs the server has a key, too; it is not an arbiter's."""
    live = closed_match(ledger)
    disputes.open_dispute(ledger, live, 2, "Words")
    event = DisputeRuled(1, EVE.name, EVE.key.public, "", ("AZ-46",), "Because", (LINE,))
    forged = signed(EVE, live.id, live.head.seq, live.head.hash, event)
    last = live.envelopes[-1]
    envelopes = [*live.envelopes, Envelope(live.id, last.seq + 1, last.step + 1, last.at, "arbiter", forged)]
    assert [(fault.seq, fault.code) for fault in found(live, envelopes)] == [(last.seq + 1, "dispute/not-arbiter")]


def test_a_ruling_cannot_be_moved_to_another_match_or_past(ledger: LocalLedger) -> None:
    live, other = settled(ledger), closed_match(ledger, 2)
    disputes.open_dispute(ledger, other, 2, "Words", claim=50)
    ruling = next(e.event for e in live.envelopes if isinstance(e.event, DisputeRuled))
    last = other.envelopes[-1]
    moved = [*other.envelopes, Envelope(other.id, last.seq + 1, last.step + 1, last.at, "arbiter", ruling)]
    assert [fault.code for fault in found(other, moved)] == ["dispute/signature"]
    # The same match with one word of the dispute changed before the ruling.
    seq, envelopes = with_event(live, DisputeOpened, lambda event: replace(event, words="Other words"))
    assert {fault.code for fault in found(live, envelopes)} == {"dispute/signature"}
    assert found(live, envelopes)[0].seq == seq + 1


def test_what_is_signed_is_written_down_in_the_docs(ledger: LocalLedger) -> None:
    """docs/arbiters.md describes the message; this is that description, done again by hand."""
    live = settled(ledger)
    opened = live.envelopes[0].event
    assert isinstance(opened, MatchOpened)
    head = origin(live.id, opened.game, opened.ruleset)
    checked = 0
    for row in ledger.store.rows(live.id):
        envelope = decode(row.data)
        event = envelope.event
        if isinstance(event, SignedEvent):
            stored = row.data[row.data.index(b'"event":') + len(b'"event":') : -1]
            emptied = stored.replace(f'"signature":"{event.signature}"'.encode(), b'"signature":""')
            text = f"matchledger ruling 1\n{live.id}\n{envelope.seq - 1}\n{head.hex()}\n".encode() + emptied
            assert text == message(live.id, envelope.seq - 1, head, event)
            assert is_signed(live.id, envelope.seq - 1, head, event)
            assert not is_signed(live.id, envelope.seq, head, event)
            checked += 1
        head = link(head, row.data)
    assert checked == 2


BREACHES: dict[str, Callable[[Live], list[Envelope]]] = {
    "dispute/number": lambda live: with_event(live, DisputeOpened, lambda event: replace(event, number=2))[1],
    "dispute/event": lambda live: with_event(live, DisputeOpened, lambda event: replace(event, about=999))[1],
    "match/seat": lambda live: with_event(live, DisputeOpened, lambda event: replace(event, seat=7))[1],
    "dispute/words": lambda live: with_event(live, DisputeOpened, lambda event: replace(event, words="\n"))[1],
}


@pytest.mark.parametrize("code", BREACHES)
def test_a_breach_of_procedure_is_named(ledger: LocalLedger, code: str) -> None:
    live = settled(ledger)
    opened = next(envelope.seq for envelope in live.envelopes if isinstance(envelope.event, DisputeOpened))
    envelopes = BREACHES[code](live)
    if code == "match/seat":
        envelopes[opened - 1] = replace(envelopes[opened - 1], actor=7)
    first = found(live, envelopes)[0]
    assert (first.seq, first.code) == (opened, code)


def test_somebody_elses_dispute_and_a_dispute_out_of_time_are_named(ledger: LocalLedger) -> None:
    live = settled(ledger)
    seq = next(envelope.seq for envelope in live.envelopes if isinstance(envelope.event, DisputeOpened))
    envelopes = list(live.envelopes)
    envelopes[seq - 1] = replace(envelopes[seq - 1], actor=1)
    assert found(live, envelopes)[0][:2] == (seq, "dispute/actor")
    envelopes = [replace(e, at=e.at + timedelta(days=2)) if e.seq >= seq else e for e in live.envelopes]
    assert found(live, envelopes)[0][:2] == (seq, "dispute/too-late")


def test_a_result_declared_otherwise_than_ruled_is_named(ledger: LocalLedger) -> None:
    live = settled(ledger)
    last = live.envelopes[-1]
    standings = (Standing(1, 1, 99), Standing(2, 2, 1))
    event = ResultFinalised(CLEO.name, CLEO.key.public, "", standings)
    final = signed(CLEO, live.id, live.head.seq, live.head.hash, event)
    at = last.at + timedelta(days=1)
    envelopes = [*live.envelopes, Envelope(live.id, last.seq + 1, last.step + 1, at, "arbiter", final)]
    assert [fault.code for fault in found(live, envelopes)] == ["dispute/standings"]


def test_a_dropped_ruling_is_named_by_what_follows(ledger: LocalLedger) -> None:
    live = settled(ledger)
    seq = next(envelope.seq for envelope in live.envelopes if isinstance(envelope.event, DisputeRuled))
    envelopes = [replace(e, seq=n) for n, e in enumerate((e for e in live.envelopes if e.seq != seq), start=1)]
    first = found(live, envelopes)[0]
    assert (first.seq, first.code) == (seq, "dispute/state")


def test_every_event_of_a_dispute_survives_its_bytes(ledger: LocalLedger) -> None:
    live = settled(ledger)
    events = [envelope for envelope in live.envelopes if isinstance(envelope.event, DisputeEvent)]
    assert len(events) == 4
    assert [decode(encode(envelope)) for envelope in events] == events
