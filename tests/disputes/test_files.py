"""Disputes in record files: they come back with the same hashes, and can be judged from the file alone."""

from pathlib import Path

import pytest

from events.chain import Chain, Row, link, origin
from events.codec import decode, encode
from projections.disputes import docket_of
from service.disputes import cases as disputes
from service.disputes.procedure import faults
from service.play.evidence import from_store
from service.play.history import Live, of_evidence
from service.play.ledger import LocalLedger
from service.questions.bisect import bisect
from service.records import read_evidence, write_jsonl, write_text
from tests.disputes.people import CLEO, DORA, closed_match


def settled(ledger: LocalLedger) -> Live:
    live = closed_match(ledger, dispute_within=60, appeal_within=30)
    disputes.open_dispute(ledger, live, 2, 'A run — "mine" — was missed; see event 40.', about=40, claim=5)
    disputes.rule(ledger, live, 1, CLEO, rules=["AZ-46"], reason="It was", adjust=[(2, 3, "AZ-46")])
    disputes.appeal(ledger, live, 1, 1, "It was not!")
    disputes.decide(ledger, live, 1, DORA, upholds=True, rules=["AZ-47"], reason="It was")
    return live


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_settled_match_survives_a_file(ledger: LocalLedger, tmp_path: Path, form: str) -> None:
    live = settled(ledger)
    stored = from_store(ledger.store, live.id)
    path = tmp_path / f"match.{form}"
    path.write_bytes(write_text(stored).encode() if form == "text" else write_jsonl(stored))
    (evidence,) = read_evidence(path)
    assert [row.data for row in evidence.rows] == [row.data for row in stored.rows]
    history = of_evidence(evidence)
    hash_ = origin(live.id, history.opened.game, history.opened.ruleset)
    for row in evidence.rows:
        hash_ = link(hash_, row.data)
    assert hash_.hex() == stored.head
    assert faults(evidence.match, evidence.chain.links, []) == []
    assert docket_of(history.envelopes).ruled == docket_of(live.envelopes).ruled
    assert bisect(history, of_evidence(stored)).is_same


def test_a_stored_docket_still_reads() -> None:
    """Stored data is for ever: the shapes and signatures of the first disputed match ever kept."""
    rows = (Path(__file__).parents[1] / "logs" / "azul" / "disputed-2p.jsonl").read_bytes().splitlines()[1:]
    stored = [Row(seq, data, b"") for seq, data in enumerate(rows, start=1)]
    envelopes = [decode(row.data) for row in stored]
    assert [encode(envelope) for envelope in envelopes] == rows
    assert faults(envelopes[0].match, Chain(envelopes[0].match, stored).links, []) == []
    docket = docket_of(envelopes)
    assert [dispute.status for dispute in docket.disputes.values()] == ["overturned", "withdrawn", "ruled"]
    moved = {place.seat: place.score for place in docket.computed}
    assert {place.seat: place.score for place in docket.ruled} == {1: moved[1], 2: moved[2] + 1}
    assert docket.final is not None
    assert docket.final.standings == docket.ruled
