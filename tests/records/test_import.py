"""Importing: whole or not at all, harmless twice, and never over another history."""

from pathlib import Path

import pytest

from service.errors import LedgerError
from service.play.evidence import from_store
from service.play.fork import fork
from service.play.ledger import LocalLedger
from service.play.matches import act, deal, open_match, resign
from service.play.replay import load
from service.records import import_evidence, write_jsonl, write_text
from service.store.columns import sound
from service.store.shapes import Signature
from tests.conftest import TWO, finish, make_ledger, move
from tests.records.histories import of_rows, reread


def refused(ledger: LocalLedger, text: str, folder: Path) -> LedgerError:
    with pytest.raises(LedgerError) as caught:
        import_evidence(ledger, reread(text, folder))
    return caught.value


def test_twice_is_harmless(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO))
    for written in (write_text(from_store(ledger.store, live.id)), write_jsonl(from_store(ledger.store, live.id))):
        for _ in range(2):
            import_evidence(other, reread(written, tmp_path))
        import_evidence(ledger, reread(written, tmp_path))
    assert [row.id for row in sound(other.store.matches())] == [live.id]
    assert other.store.rows(live.id) == ledger.store.rows(live.id)


def test_another_history_is_refused_and_nothing_changes(
    ledger: LocalLedger, other: LocalLedger, tmp_path: Path
) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    early = write_text(from_store(ledger.store, live.id))
    move(ledger, live, 3, seed=1)
    later = write_text(from_store(ledger.store, live.id))
    import_evidence(other, reread(early, tmp_path))
    before = other.store.rows(live.id)
    assert "goes on from where the ledger stops at event 5, to event 8" in refused(other, later, tmp_path).message
    assert other.store.rows(live.id) == before
    error = refused(ledger, early, tmp_path)
    assert (error.code, error.exit_code) == ("record/other-history", 1)
    assert "the ledger goes on from where the record stops, to event 8" in error.message


def test_histories_that_part(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    """Two ledgers with ids of the same making: the same id, another match."""
    other = make_ledger(other.store)
    ours, theirs = open_match(ledger, "azul", 2, players=TWO), open_match(other, "azul", 2, players=TWO, undo="free")
    assert ours.id == theirs.id
    message = refused(other, write_text(from_store(ledger.store, ours.id)), tmp_path).message
    assert "they part at event 1" in message


def test_an_unfinished_fair_match_can_be_read_and_forked_but_not_played_on(
    ledger: LocalLedger, other: LocalLedger, tmp_path: Path
) -> None:
    """Its secret stays where it was made: no record shows it before the end."""
    live = open_match(ledger, "azul", 2, players=TWO)
    move(ledger, live, 4)
    stored = ledger.store.secret(live.id)
    assert stored is not None
    text = write_text(from_store(ledger.store, live.id))
    assert stored[0].hex() not in text
    copy = import_evidence(other, reread(text, tmp_path))
    assert copy.table == live.table
    seat = copy.game.projection.to_act(copy.table.state)[0]
    with pytest.raises(LedgerError) as caught:
        act(other, copy, seat, copy.game.rules.legal(copy.table.state, seat)[0])
    assert caught.value.code == "match/no-secret"
    with pytest.raises(LedgerError) as caught:
        resign(other, copy, 1)
    assert caught.value.code == "match/no-secret"
    child = fork(other, copy, copy.head.step)
    move(other, child, 2)
    assert load(other, copy.id).head == copy.head


def test_a_recorded_match_goes_on(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    live = open_match(ledger, "azul", 2, players=TWO, chance_mode="recorded")
    copy = import_evidence(other, reread(write_text(from_store(ledger.store, live.id)), tmp_path))
    request = copy.game.rules.request(copy.table.state)
    assert request is not None
    deal(other, copy, copy.game.notation.read_outcome("2", copy.table.state, request))


def test_a_closed_match_keeps_its_secret_for_forks(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO))
    copy = import_evidence(other, reread(write_text(from_store(ledger.store, live.id)), tmp_path))
    assert other.store.secret(live.id) == ledger.store.secret(live.id)
    again = fork(other, copy, 6, chance_mode="same-draws")
    assert again.table.opened.commitment == live.table.opened.commitment


def test_a_signature_over_something_else_is_refused(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO))
    evidence = from_store(ledger.store, live.id)
    for signature in (
        Signature(live.id, evidence.count, "00" * 32, "ab" * 32, "cd" * 64),
        Signature(live.id, evidence.count + 1, evidence.head, "ab" * 32, "cd" * 64),
    ):
        text = write_text(of_rows(evidence, list(evidence.rows), signatures=[signature]))
        assert refused(other, text, tmp_path).code == "record/signature"
    assert other.store.matches() == []
