"""`last` on both databases: whatever was opened, moved or imported last, however old its own moves are."""

from pathlib import Path

import pytest

from service.errors import NotFound
from service.play.evidence import from_store
from service.play.matches import open_match
from service.play.notary import receipt_for
from service.records import import_evidence
from service.store.columns import sound
from service.store.shapes import LAST
from service.store.store import Store
from tests.conftest import TWO, make_ledger, move
from tests.records.histories import reread

RECORD = '[Game "azul"]\n[Seat 1 "Ann"]\n[Seat 2 "Ben"]\n[Date "{}"]\n1\nBBBB YYYY RRRR KKKK WWWW\n1B1\n'


def test_what_happened_last(store: Store, tmp_path: Path) -> None:
    ledger = make_ledger(store)
    with pytest.raises(NotFound):
        store.find(LAST)
    live = open_match(ledger, "azul", 2, players=TWO)
    assert store.find(LAST).id == live.id
    old, older = (
        import_evidence(ledger, reread(RECORD.format(date), tmp_path)) for date in ("2001-05-06", "2000-01-01")
    )
    assert store.find(LAST).id == older.id
    assert [row.id for row in sound(store.matches())] == [live.id, old.id, older.id]
    assert ledger.notary is not None
    receipt_for(ledger.notary, store, from_store(store, old.id), ledger.clock())  # is in the journal, and no import
    assert store.find(LAST).id == older.id
    move(ledger, live)
    assert store.find(LAST).id == live.id
    move(ledger, old)
    assert store.find(LAST).id == old.id


def test_far_back_in_the_journal(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much was stated since, as by exporting everything."""
    monkeypatch.setattr("service.store.latest._ENTRIES_PER_QUESTION", 2)
    ledger = make_ledger(store)
    first = import_evidence(ledger, reread(RECORD.format("2001-05-06"), tmp_path))
    assert ledger.notary is not None
    for _ in range(5):
        receipt_for(ledger.notary, store, from_store(store, first.id), ledger.clock())
    assert store.find(LAST).id == first.id
    live = open_match(ledger, "azul", 2, players=TWO)
    for _ in range(3):
        receipt_for(ledger.notary, store, from_store(store, first.id), ledger.clock())
    assert store.find(LAST).id == live.id
