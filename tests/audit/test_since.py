"""`audit --all --since`: matches unchanged since the last clean audit are skipped, and nothing else is."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from service.audit.bulk import AuditTerms, Batch, audit_all
from service.audit.judge import own_notary
from service.audit.since import program, state_clean
from service.audit.storage import check_stored
from service.disputes.cases import open_dispute
from service.play.evidence import from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.notary import adopt, given, take_over
from service.trust.folder import KEYS_VARIABLE, rotate
from service.trust.journal import Journal, read_entry, walk
from service.trust.statements import NOTHING, Draft
from tests.audit.test_journal import later, rewrite, tampering
from tests.conftest import TWO, finish, move


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key folder of its own for every ledger here."""
    (tmp_path / "keys").mkdir(mode=0o700)
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
def closed(ledger: LocalLedger) -> list[Live]:
    """Three matches that are over."""
    return [finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=seed) for seed in range(3)]


def where(ledger: LocalLedger) -> str:
    return ledger.store.where.strip("'")


def audited(ledger: LocalLedger, *, since: bool = True, terms: AuditTerms | None = None) -> Batch:
    """What `audit --all --since` comes to, or with `since` off `--full`."""
    total = Batch()
    for batch in audit_all(where(ledger), terms or AuditTerms(), notary=own_notary(), since=since):
        total.merge(batch)
    return total


def numbers(batch: Batch) -> tuple[int, int, int]:
    """How many matches were audited, passed over, and found unclean."""
    return batch.matches, batch.unchanged, batch.unclean


def entries(ledger: LocalLedger) -> int:
    return sum(1 for _ in ledger.store.journal())


def test_what_did_not_change_is_passed_over(ledger: LocalLedger, closed: list[Live]) -> None:
    before = entries(ledger)
    first, second, full = audited(ledger), audited(ledger), audited(ledger, since=False)
    assert [numbers(batch) for batch in (first, second, full)] == [(3, 0, 0), (0, 3, 0), (3, 0, 0)]
    assert (first.rests_on, full.rests_on) == (None, None)
    assert second.rests_on == first.stated
    assert [str(batch) for batch in (first, second)] == ["3 matches: all clean."] * 2
    stated = [batch.stated for batch in (first, second, full)]
    assert [(said.kind, said.place, said.count, said.ruleset) for said in stated if said is not None] == [
        ("audited", before + number + 1, before + number, program()) for number in range(3)
    ]
    assert check_stored(where(ledger)).findings == []


def test_where_everything_is_new_everything_is_audited(ledger: LocalLedger) -> None:
    assert numbers(audited(ledger)) == (0, 0, 0)
    finish(ledger, open_match(ledger, "azul", 2, players=TWO))
    found = audited(ledger)
    assert numbers(found) == (1, 0, 0)
    assert found.rests_on is not None


def test_without_being_asked_to_nothing_is_written(ledger: LocalLedger, closed: list[Live]) -> None:
    before = Path(where(ledger)).read_bytes(), entries(ledger)
    assert sum(batch.matches for batch in audit_all(where(ledger), AuditTerms())) == 3
    assert (Path(where(ledger)).read_bytes(), entries(ledger)) == before


def test_whatever_moved_on_is_audited_again(ledger: LocalLedger, closed: list[Live]) -> None:
    going, waiting = (open_match(ledger, "azul", 2, players=TWO) for _ in range(2))
    move(ledger, going)
    assert numbers(audited(ledger)) == (5, 0, 0)
    # The journal has not said how far the one that goes on has come; the other stands where it was opened.
    assert numbers(audited(ledger)) == (1, 4, 0)
    finish(ledger, going)
    assert numbers(audited(ledger)) == (1, 4, 0)
    assert numbers(audited(ledger)) == (0, 5, 0)
    open_dispute(ledger, closed[0], 1, "The marker was mine.")
    move(ledger, waiting)
    open_match(ledger, "coloretto", 3, players=[*TWO, TWO[0]])
    assert numbers(audited(ledger)) == (3, 3, 0)


def test_what_is_closed_while_the_audit_goes_on_is_left_to_the_next(ledger: LocalLedger, closed: list[Live]) -> None:
    going = open_match(ledger, "azul", 2, players=TWO)
    batches = audit_all(where(ledger), AuditTerms(), notary=own_notary(), since=True)
    next(batches)  # the journal is done
    finish(ledger, going)
    assert sum(batch.matches for batch in batches) == 4
    assert numbers(audited(ledger)) == (1, 3, 0)


Tamper = Callable[[LocalLedger, str], None]


def sql(*statements: str) -> Tamper:
    def tamper(ledger: LocalLedger, match: str) -> None:
        with tampering(ledger) as file:
            for statement in statements:
                file.execute(statement.replace("MATCH", f"'{match}'"))

    return tamper


def rewritten(ledger: LocalLedger, match: str) -> None:
    rewrite(ledger, match, 5, later)


def cut_off(ledger: LocalLedger, match: str) -> None:
    """Put back as it was one event before, with a head that fits."""
    last = ledger.store.rows(match)[-2]
    with tampering(ledger) as file:
        file.execute("DELETE FROM event WHERE match_id = ? AND seq > ?", (match, last.seq))
        file.execute("UPDATE match SET head_seq = ?, head_hash = ? WHERE id = ?", (last.seq, last.hash, match))


@pytest.mark.parametrize(
    "tamper",
    [
        rewritten,
        cut_off,
        sql("UPDATE match SET head_hash = zeroblob(32) WHERE id = MATCH"),
        sql("UPDATE match SET head_seq = head_seq - 1 WHERE id = MATCH"),
        sql("UPDATE match SET head_seq = 'many' WHERE id = MATCH"),
        sql("UPDATE match SET id = 'another' WHERE id = MATCH"),
        sql("DELETE FROM match WHERE id = MATCH"),
        sql("UPDATE journal SET match_id = 'another' WHERE match_id = MATCH"),
        sql("UPDATE journal SET data = CAST(replace(data, 'hosted', 'kept') AS BLOB) WHERE match_id = MATCH"),
    ],
    ids=["rewritten", "cut-off", "hash", "count", "no-count", "renamed", "gone", "unknown", "said"],
)
def test_what_was_changed_behind_its_back_is_not_passed_over(
    ledger: LocalLedger, closed: list[Live], tamper: Tamper
) -> None:
    assert audited(ledger).is_clean
    tamper(ledger, closed[1].id)
    before = entries(ledger)
    assert not audited(ledger).is_clean
    assert entries(ledger) == before, "and nothing is stated"


def test_what_lies_under_an_unchanged_head_is_found_by_a_full_audit_alone(
    ledger: LocalLedger, closed: list[Live]
) -> None:
    """Given an event whose bytes no longer give its hash: docs/integrity.md says who finds it."""
    assert audited(ledger).is_clean
    sql("UPDATE event SET data = replace(data, 'seat', 'seal') WHERE match_id = MATCH AND seq = 5")(
        ledger, closed[1].id
    )
    assert numbers(audited(ledger)) == (0, 3, 0)
    assert numbers(audited(ledger, since=False)) == (3, 0, 1)
    assert any(closed[1].id in finding for finding in check_stored(where(ledger)).findings)


def test_after_a_failure_the_last_clean_audit_counts(ledger: LocalLedger, closed: list[Live]) -> None:
    clean = audited(ledger).stated
    finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=9)
    sql("UPDATE match SET undo = 'free' WHERE id = 'match00004'")(ledger, "")
    failed = audited(ledger)
    assert (numbers(failed), failed.rests_on, failed.stated) == ((1, 3, 1), clean, None)
    sql("UPDATE match SET undo = 'strict' WHERE id = 'match00004'")(ledger, "")
    mended = audited(ledger)
    assert (numbers(mended), mended.rests_on) == ((1, 3, 0), clean)


def test_an_audit_by_another_version_is_not_rested_on(ledger: LocalLedger, closed: list[Live]) -> None:
    journal = walk(ledger.store.journal())
    older = Draft("audited", NOTHING, NOTHING, NOTHING, "matchledger/0.0.1", journal.count, journal.head)
    ledger.store.enter(own_notary().entries([older], datetime.now(UTC)))
    assert numbers(audited(ledger)) == (3, 0, 0)
    assert numbers(audited(ledger)) == (0, 3, 0)


@pytest.mark.parametrize("count, head", [(3, "ab" * 32), (400, "ab" * 32)])
def test_an_audit_of_another_journal_is_not_rested_on(
    ledger: LocalLedger, closed: list[Live], count: int, head: str
) -> None:
    state_clean(own_notary(), ledger.store, Journal(count, head))
    assert numbers(audited(ledger)) == (3, 0, 0)


def test_a_key_that_follows_rests_on_the_one_before_and_one_that_adopts_does_not(
    ledger: LocalLedger, closed: list[Live], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert audited(ledger).is_clean
    old = walk(ledger.store.journal()).key
    rotate()
    take_over(own_notary(), ledger.store, old, datetime.now(UTC))
    assert numbers(audited(ledger)) == (0, 3, 0)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "elsewhere"))
    adopt(own_notary(), ledger.store, datetime.now(UTC))
    assert numbers(audited(ledger)) == (3, 0, 0)
    assert numbers(audited(ledger)) == (0, 3, 0)


@pytest.mark.parametrize(
    "statement, why",
    [
        ("UPDATE journal SET signature = zeroblob(64) WHERE match_id = ''", "its signature is not genuine"),
        ("UPDATE journal SET match_id = 'match00001' WHERE match_id = ''", "listed under match 'match00001'"),
        (
            "UPDATE journal SET data = CAST(replace(data, 'match -', 'match m1') AS BLOB) WHERE match_id = ''",
            "its hash is not",
        ),
    ],
)
def test_a_statement_of_an_audit_is_held_to_the_journal(
    ledger: LocalLedger, closed: list[Live], statement: str, why: str
) -> None:
    assert_not_rested_on(ledger, closed[0].id, f"{statement} AND place = {{}}")
    assert why in str(walk(ledger.store.journal()).flaw)


@pytest.mark.parametrize("where_off", [-1, 1], ids=["before", "behind"])
def test_a_journal_that_does_not_hold_is_not_rested_on(ledger: LocalLedger, closed: list[Live], where_off: int) -> None:
    assert_not_rested_on(
        ledger, closed[0].id, f"UPDATE journal SET hash = zeroblob(32) WHERE place = {{}} + {where_off}"
    )


def assert_not_rested_on(ledger: LocalLedger, match: str, statement: str) -> None:
    """Nothing is passed over after a clean audit whose entry, the last but one, has its place put into a statement."""
    assert audited(ledger).is_clean
    last = entries(ledger)
    given(own_notary(), ledger.store, from_store(ledger.store, match), datetime.now(UTC))
    with tampering(ledger) as file:
        file.execute(statement.format(last))
    found = audited(ledger)
    assert (found.rests_on, found.matches, found.stated) == (None, 3, None)


def test_what_is_passed_over_is_told_some_at_a_time(
    ledger: LocalLedger, closed: list[Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert audited(ledger).is_clean
    finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=9)
    monkeypatch.setattr("service.audit.since._PASSED_AT_ONCE", 2)
    batches = audit_all(where(ledger), AuditTerms(), since=True)
    assert [(batch.matches, batch.unchanged) for batch in batches] == [(0, 0), (0, 2), (1, 1)]


def test_a_match_with_a_receipt_is_always_audited(ledger: LocalLedger, closed: list[Live]) -> None:
    receipt = given(own_notary(), ledger.store, from_store(ledger.store, closed[0].id), datetime.now(UTC))
    assert numbers(audited(ledger)) == (3, 0, 0)
    assert numbers(audited(ledger, terms=AuditTerms(receipts=[receipt]))) == (1, 2, 0)


def test_the_statement_reads_as_the_documents_say(ledger: LocalLedger, closed: list[Live]) -> None:
    stated = audited(ledger).stated
    assert stated is not None
    assert stated.text.decode().splitlines()[1:8] == [
        "kind audited",
        "match -",
        "claim -",
        "game -",
        f"ruleset {program()}",
        f"count {stated.place - 1}",
        f"head {stated.previous}",
    ]
    [row] = ledger.store.journal(after=stated.place - 1)
    assert (row.match, read_entry(row)) == ("", stated)
