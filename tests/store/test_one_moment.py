"""Everything that is judged together is read at one moment: while others write, no reader sees two."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from service.audit import audit
from service.audit.bulk import AuditTerms, audit_batch
from service.audit.since import AuditTask
from service.play.evidence import from_store
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.replay import load
from service.play.undo import redo, undo
from service.store import Store
from tests.conftest import TWO, make_ledger, move

LOOKS = 60
"""How often each reader looks; without one snapshot the first false word came within a handful."""


def test_readers_never_call_an_honest_match_damaged(store: Store) -> None:
    ledger = make_ledger(store)
    quiet, match = (open_match(ledger, "azul", 2, players=TWO, undo="free").id for _ in range(2))
    is_over = Event()

    def write() -> int:
        live, writes = load(ledger, match), 0
        while not is_over.is_set():
            move(ledger, live, seed=writes)
            undo(ledger, live, 1)
            redo(ledger, live, 1)
            undo(ledger, live, 1)  # the match stays young, and its history grows
            writes += 4
        return writes

    def read(look: Callable[[LocalLedger], None]) -> int:
        for _ in range(LOOKS):
            look(ledger)
        return LOOKS

    def load_it(ledger: LocalLedger) -> None:
        live = load(ledger, match)
        assert live.head.seq == len(live.envelopes)

    def audit_it(ledger: LocalLedger) -> None:
        report = audit(from_store(ledger.store, match))
        assert report.is_clean, report.findings

    def audit_all_of_them(ledger: LocalLedger) -> None:
        batch = audit_batch(ledger.store, AuditTerms(is_ours=False), AuditTask([quiet, match]))
        assert (batch.matches, batch.findings) == (2, [])

    looks = (load_it, load_it, audit_it, audit_all_of_them)
    with ThreadPoolExecutor(1 + len(looks)) as threads:
        writing = threads.submit(write)
        reading = [threads.submit(read, look) for look in looks]
        try:
            assert [done.result() for done in reading] == [LOOKS] * len(looks)
        finally:
            is_over.set()
        assert writing.result() > 0


def test_a_snapshot_does_not_see_what_comes_after_it(store: Store) -> None:
    ledger = make_ledger(store)
    live = open_match(ledger, "azul", 2, players=TWO)
    with ThreadPoolExecutor(1) as other, store.snapshot():
        before = store.find(live.id).head.seq
        other.submit(move, ledger, live).result()
        assert store.find(live.id).head.seq == before == len(store.rows(live.id))
        with store.snapshot():
            assert store.find(live.id).head.seq == before, "a snapshot inside a snapshot is the same moment"
        assert store.find(live.id).head.seq == before
    assert store.find(live.id).head.seq == live.head.seq > before
