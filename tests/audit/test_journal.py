"""The ledger held to its own journal: nothing is signed, and nothing passes, that was not checked."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.chain import link
from events.codec import decode, encode
from service.audit.bulk import AuditTerms, audit_all, audit_stored
from service.audit.report import Report
from service.errors import Damaged, Refused
from service.play.evidence import from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, join, open_match, resign
from service.play.notary import adopt, draft, given, take_over
from service.play.players import NewPlayer
from service.play.replay import load
from service.records import import_evidence, read_evidence, write_text
from service.records.signatures import vouched
from service.store.connect import open_store
from service.trust.folder import KEYS_VARIABLE, load_server_key, rotate
from service.trust.journal import read_entry
from service.trust.statements import Statement
from tests.conftest import TWO, finish, make_ledger, move
from tests.play.test_matches import refused
from tests.signing import KEY, STRANGER, notary_of

ANY = AuditTerms()


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key folder of its own for every ledger here."""
    (tmp_path / "keys").mkdir(mode=0o700)
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
def finished(ledger: LocalLedger) -> Live:
    return finish(ledger, open_match(ledger, "azul", 2, players=TWO))


@contextmanager
def tampering(ledger: LocalLedger) -> Iterator[sqlite3.Connection]:
    """The file in somebody's hands, without its triggers."""
    file = sqlite3.connect(ledger.store.where.strip("'"))
    for (trigger,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        file.execute(f"DROP TRIGGER {trigger}")
    file.execute("PRAGMA foreign_keys = OFF")
    yield file
    file.commit()
    file.close()


def rewrite(ledger: LocalLedger, match: str, seq: int, change: Callable[[bytes], bytes]) -> None:
    """Change one event and compute every hash after it anew, head included."""
    with tampering(ledger) as file:
        rows = file.execute("SELECT seq, data, hash FROM event WHERE match_id = ? ORDER BY seq", (match,)).fetchall()
        before = rows[seq - 2][2]
        for number, data, _ in rows[seq - 1 :]:
            changed = change(data) if number == seq else data
            before = link(before, changed)
            where = "WHERE match_id = ? AND seq = ?"
            file.execute(f"UPDATE event SET data = ?, hash = ? {where}", (changed, before, match, number))
        file.execute("UPDATE match SET head_hash = ? WHERE id = ?", (before, match))


def later(data: bytes) -> bytes:
    """The same event a microsecond later: nothing that the rules could object to."""
    envelope = decode(data)
    return encode(replace(envelope, at=envelope.at.replace(microsecond=(envelope.at.microsecond + 1) % 1_000_000)))


def by_another(data: bytes) -> bytes:
    """The same move by the other seat."""
    envelope = decode(data)
    return encode(replace(envelope, actor=3 - int(envelope.actor)))


def said(ledger: LocalLedger, match: str) -> list[tuple[str, str, int]]:
    """Kind, claim and count of everything the journal says of a match."""
    statements = [read_entry(row) for row in ledger.store.entries(match)]
    return [(said.kind, said.claim, said.count) for said in statements if said is not None]


def one(ledger: LocalLedger, match: str, terms: AuditTerms = ANY) -> Report:
    return audit_stored(ledger.store, match, terms)[1]


def everything(ledger: LocalLedger, terms: AuditTerms = ANY) -> dict[str, list[str]]:
    """The checks that fail, match by match; the journal's own under the empty name."""
    batches = audit_all(ledger.store.where.strip("'"), terms)
    return {
        report.match: [verdict.check for verdict in report.findings] for batch in batches for report in batch.findings
    }


class TestWhatIsStated:
    """Every opening, seat, end and addition, as what it is."""

    def test_the_life_of_a_match(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO[:1])
        join(ledger, live, TWO[1])
        assert live.receipt is not None
        assert live.receipt.commitment == live.opened.commitment != ""
        joined = live.head.seq
        move(ledger, live, 3)
        assert live.receipt is None, "a move is nothing to keep"
        resign(ledger, live, 1)
        assert [kind for kind, _, _ in said(ledger, live.id)] == ["opened", "joined", "closed"]
        assert {claim for _, claim, _ in said(ledger, live.id)} == {"hosted"}
        assert [events for _, _, events in said(ledger, live.id)] == [2, joined, live.head.seq]
        report = one(ledger, live.id)
        assert report.is_clean
        assert report["journal"].why.startswith("hosted here: this ledger decided every step; 3 entries of 4")

    def test_an_import_is_witnessed_and_stays_so(self, ledger: LocalLedger, finished: Live, tmp_path: Path) -> None:
        """Given a friend's match, signed by the friend: it passes, and goes out again as it came."""
        path = tmp_path / "friend.mlr"
        path.write_text(write_text(vouched(ledger, from_store(ledger.store, finished.id)).evidence), encoding="utf-8")
        with open_store(str(tmp_path / "other.db")) as store:
            other = replace_notary(make_ledger(store))
            [evidence] = read_evidence(path)
            import_evidence(other, evidence)
            report = audit_stored(store, finished.id, AuditTerms(is_ours=False))[1]
            assert report.is_clean, report.findings
            assert report["journal"].why.startswith("witnessed: it came from elsewhere")
            friend = load_server_key()
            assert f"{friend.fingerprint} (hosted, a key that is not ours)" in report["signature"].why
            again, refusal = vouched(other, from_store(store, finished.id))
            assert (write_text(again), refusal) == (path.read_text(encoding="utf-8"), None)
            child = fork(other, load(other, finished.id), 10)
            assert said(other, child.id)[0][:2] == ("opened", "witnessed"), "its first steps were decided elsewhere"
            assert one(other, child.id, AuditTerms(is_ours=False)).is_clean

    def test_what_does_not_audit_clean_is_only_kept(self, ledger: LocalLedger, finished: Live, tmp_path: Path) -> None:
        evidence = from_store(ledger.store, finished.id)
        text = write_text(evidence).replace('[Result "1. ', '[Result "9. Zoe 999; 1. ')
        (tmp_path / "odd.mlr").write_text(text, encoding="utf-8")
        with open_store(str(tmp_path / "other.db")) as store:
            other = replace_notary(make_ledger(store))
            [odd] = read_evidence(tmp_path / "odd.mlr")
            assert odd.remarks
            import_evidence(other, odd)
            assert said(other, finished.id) == [("imported", "kept", finished.head.seq)]
            assert vouched(other, from_store(store, finished.id)).evidence.signatures[-1].claim == "witnessed"  # type: ignore[union-attr]

    def test_an_import_that_contradicts_the_journal_is_refused(self, ledger: LocalLedger, finished: Live) -> None:
        evidence = from_store(ledger.store, finished.id)
        rewrite(ledger, finished.id, 8, later)
        other = from_store(ledger.store, finished.id)
        with tampering(ledger) as file:
            for table in ("event", "seat", "secret", "command", "remark", "signature", "statement"):
                file.execute(f"DELETE FROM {table} WHERE match_id = ?", (finished.id,))
            file.execute("DELETE FROM match WHERE id = ?", (finished.id,))
        with refused("trust/contradiction") as refusal:
            import_evidence(ledger, replace(other, entries=()))
        assert evidence.head in refusal.value.message
        assert other.head in refusal.value.message
        import_evidence(ledger, evidence)
        assert one(ledger, finished.id).is_clean, "what the journal knows comes back"


def replace_notary(ledger: LocalLedger) -> LocalLedger:
    """The same ledger with a key of its own."""
    ids = count(1)
    return LocalLedger(ledger.store, ledger.clock, ledger.new_secret, lambda: f"other{next(ids)}", notary_of(STRANGER))


class TestNothingIsSignedUnchecked:
    """A head that contradicts what was signed before is refused with both named."""

    def test_a_rewritten_match_with_a_chain_computed_anew(self, ledger: LocalLedger, finished: Live) -> None:
        before = finished.head.hash.hex()
        rewrite(ledger, finished.id, 8, later)
        evidence = from_store(ledger.store, finished.id)
        exported, refusal = vouched(ledger, evidence)
        assert refusal is not None
        assert refusal.code == "trust/unclean"
        assert before in refusal.message
        assert evidence.head in refusal.message
        assert ledger.notary is not None
        with pytest.raises(Damaged, match="does not audit clean"):
            given(ledger.notary, ledger.store, evidence, ledger.clock())
        assert len(said(ledger, finished.id)) == 2, "nothing was signed"
        assert {signature.head for signature in exported.signatures} & {before}, "what speaks against it goes along"

    @pytest.mark.parametrize("name", ["", "another", b""], ids=repr)
    def test_a_match_whose_opening_is_listed_under_another_name(
        self, ledger: LocalLedger, finished: Live, name: str | bytes
    ) -> None:
        """The rest of what is said of it reads like that of a match that was stated when it closed."""
        opening = ledger.store.entries(finished.id)[0].place
        with tampering(ledger) as file:
            file.execute("UPDATE journal SET match_id = ? WHERE place = ?", (name, opening))
        assert one(ledger, finished.id)["journal"].outcome == "failed"
        assert ledger.notary is not None
        with pytest.raises(Damaged, match="does not audit clean"):
            given(ledger.notary, ledger.store, from_store(ledger.store, finished.id), ledger.clock())

    def test_an_open_match_somebody_changed_cannot_be_closed(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO)
        move(ledger, live, 6)
        rewrite(ledger, live.id, 6, by_another)
        changed = load(ledger, live.id)
        with pytest.raises(Damaged, match="event 6"):
            abandon(ledger, changed)
        assert ledger.store.find(live.id).status == "playing"
        assert [kind for kind, *_ in said(ledger, live.id)] == ["opened"]

    def test_a_rewritten_match_that_the_journal_was_made_to_forget(self, ledger: LocalLedger, finished: Live) -> None:
        """Its own entries are gone and its events fit each other: only the gap in the journal speaks against it."""
        finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=5)
        rewrite(ledger, finished.id, finished.head.seq, later)
        with tampering(ledger) as file:
            moved_at = decode(ledger.store.rows(finished.id)[-1].data).at.isoformat(" ", "microseconds")
            file.execute("UPDATE match SET moved_at = ? WHERE id = ?", (moved_at, finished.id))
            file.execute("DELETE FROM journal WHERE match_id = ?", (finished.id,))
        assert not one(ledger, finished.id).is_clean
        evidence = from_store(ledger.store, finished.id)
        assert ledger.notary is not None
        with pytest.raises(Damaged, match="The journal has no entry about this match"):
            given(ledger.notary, ledger.store, evidence, ledger.clock())
        assert vouched(ledger, evidence).evidence.signatures == []

    def test_an_open_match_the_journal_was_made_to_forget_is_not_closed(self, ledger: LocalLedger) -> None:
        """Moves taken back by hand to before what a receipt says, and the receipt's entry deleted."""
        live = open_match(ledger, "azul", 2, players=TWO)
        move(ledger, live, 3)
        before = live.head
        move(ledger, live, 3)
        assert ledger.notary is not None
        place = given(ledger.notary, ledger.store, from_store(ledger.store, live.id), ledger.clock()).place
        open_match(ledger, "azul", 2, players=TWO)
        with tampering(ledger) as file:
            file.execute("DELETE FROM event WHERE match_id = ? AND seq > ?", (live.id, before.seq))
            moved_at = live.envelopes[before.seq - 1].at.isoformat(" ", "microseconds")
            values = (before.seq, before.step, before.hash, moved_at, live.id)
            file.execute(
                "UPDATE match SET head_seq = ?, head_step = ?, head_hash = ?, moved_at = ? WHERE id = ?", values
            )
            file.execute("DELETE FROM journal WHERE place = ?", (place,))
        changed = load(ledger, live.id)
        with pytest.raises(Damaged, match="it is missing"):
            resign(ledger, changed, 1)
        assert ledger.store.find(live.id).status == "playing"

    def test_a_join_the_journal_was_made_to_forget(self, ledger: LocalLedger) -> None:
        """The entry about the last seat deleted, so that its nonce, and with it every draw, could be another."""
        live = open_match(ledger, "azul", 2, players=TWO[:1])
        join(ledger, live, TWO[1])
        assert one(ledger, live.id).is_clean
        with tampering(ledger) as file:
            file.execute("DELETE FROM journal WHERE place = (SELECT max(place) FROM journal)")
        verdict = one(ledger, live.id)["journal"]
        assert (verdict.outcome, verdict.seq) == ("failed", 3)
        assert "a seat was taken in event 3: that entry is missing" in verdict.why
        with pytest.raises(Damaged, match="that entry is missing"):
            resign(ledger, load(ledger, live.id), 1)

    def test_a_fork_of_such_a_match_is_refused_too(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO)
        move(ledger, live, 6)
        rewrite(ledger, live.id, 6, by_another)
        changed = load(ledger, live.id)
        with pytest.raises(Damaged):
            fork(ledger, changed, changed.head.step)
        assert fork(ledger, changed, 4).opened.parent is not None, "from before the damage it can go on"

    def test_a_fork_of_what_was_rewritten_by_the_rules_is_not_hosted(self, ledger: LocalLedger, finished: Live) -> None:
        whole = fork(ledger, finished, 20)
        assert said(ledger, whole.id)[0][:2] == ("opened", "hosted")
        rewrite(ledger, finished.id, 8, later)
        forged = fork(ledger, load(ledger, finished.id), 20)
        assert said(ledger, forged.id)[0][:2] == ("opened", "witnessed")
        with tampering(ledger) as file:
            file.execute("DELETE FROM journal WHERE match_id = ? AND place > 2", (finished.id,))
        forged = fork(ledger, load(ledger, finished.id), 20)
        assert said(ledger, forged.id)[0][:2] == ("opened", "witnessed")


class TestTheJournalRemembers:
    """Whatever is deleted or put there by another way is named, by one audit and by all."""

    def test_winner_reversed_chain_recomputed_signatures_deleted(self, ledger: LocalLedger, finished: Live) -> None:
        rewrite(ledger, finished.id, 8, later)
        with tampering(ledger) as file:
            file.execute("DELETE FROM signature")
            file.execute("DELETE FROM journal WHERE match_id = ?", (finished.id,))
        assert "journal" in everything(ledger)[finished.id]
        assert "has no entry about this match" in one(ledger, finished.id)["journal"].why

    def test_all_of_it_wiped(self, ledger: LocalLedger, finished: Live) -> None:
        with tampering(ledger) as file:
            file.execute("DELETE FROM journal")
        assert everything(ledger) == {"": ["journal"], finished.id: ["journal"]}
        assert "1 match and no journal" in one(ledger, finished.id)["journal"].why
        with refused("trust/no-journal"):
            open_match(ledger, "azul", 2, players=TWO)

    def test_rebuilt_whole_with_another_key(self, ledger: LocalLedger, finished: Live) -> None:
        with tampering(ledger) as file:
            file.execute("DELETE FROM journal")
        notary = notary_of(STRANGER)
        adopt(notary, ledger.store, ledger.clock())
        assert f"kept by key {STRANGER.fingerprint}" in one(ledger, finished.id)["journal"].why
        assert everything(ledger) == {"": ["journal"], finished.id: ["journal"]}
        with refused("trust/other-key"):
            open_match(ledger, "azul", 2, players=TWO)

    def test_its_end_cut_off(self, ledger: LocalLedger, finished: Live) -> None:
        with tampering(ledger) as file:
            file.execute("DELETE FROM journal WHERE place = (SELECT max(place) FROM journal)")
        report = one(ledger, finished.id)
        assert report["journal"].outcome == "failed"
        assert "matchledger did not add this one" in report["journal"].why

    def test_a_match_that_is_gone(self, ledger: LocalLedger, finished: Live) -> None:
        kept = open_match(ledger, "azul", 2, players=TWO)
        with tampering(ledger) as file:
            for table in ("event", "seat", "secret", "signature"):
                file.execute(f"DELETE FROM {table} WHERE match_id = ?", (finished.id,))
            file.execute("DELETE FROM match WHERE id = ?", (finished.id,))
        assert everything(ledger) == {finished.id: ["journal"]}
        assert one(ledger, kept.id).is_clean

    def test_a_match_that_came_by_no_way_of_ours(self, ledger: LocalLedger, finished: Live) -> None:
        unsigned = LocalLedger(ledger.store, ledger.clock, ledger.new_secret, lambda: "stray")
        stray = open_match(unsigned, "azul", 2, players=TWO)
        assert everything(ledger) == {stray.id: ["journal"]}
        assert "has no entry about this match" in one(ledger, stray.id)["journal"].why

    def test_a_last_entry_that_is_not_ours_is_not_followed(self, ledger: LocalLedger, finished: Live) -> None:
        with tampering(ledger) as file:
            last = "(SELECT max(place) FROM journal)"
            file.execute(f"UPDATE journal SET signature = ? WHERE place = {last}", (b"x" * 64,))
        with pytest.raises(Damaged, match="the last of the journal"):
            open_match(ledger, "azul", 2, players=TWO)
        assert "not genuine" in one(ledger, finished.id)["journal"].why

    @pytest.mark.parametrize("junk", [b"{}", "garbage", 1.5])
    def test_an_entry_whose_place_is_no_number(self, ledger: LocalLedger, finished: Live, junk: object) -> None:
        """SQLite keeps whatever a hand put there."""
        with tampering(ledger) as file:
            file.execute("UPDATE journal SET place = ? WHERE place = (SELECT max(place) FROM journal)", (junk,))
        assert one(ledger, finished.id)["journal"].outcome == "failed"
        assert everything(ledger)[""] == ["journal"]

    def test_one_and_all_agree(self, ledger: LocalLedger) -> None:
        """Given matches hurt in several ways, with the same options either way."""
        ids = [finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=n).id for n in range(5)]
        rewrite(ledger, ids[1], 8, later)
        with tampering(ledger) as file:
            file.execute("UPDATE event SET data = X'00' WHERE match_id = ? AND seq = 9", (ids[2],))
            file.execute("DELETE FROM event WHERE match_id = ? AND seq > 20", (ids[3],))
        key = load_server_key().public
        for terms in (AuditTerms(), AuditTerms([key]), AuditTerms([KEY.public]), AuditTerms(arbiters=[KEY.public])):
            found = everything(ledger, terms)
            for match in ids:
                report = one(ledger, match, terms)
                assert found.get(match, []) == [verdict.check for verdict in report.findings]


class TestReceipts:
    """What somebody kept holds against whoever owns everything."""

    def kept(self, ledger: LocalLedger, match: str) -> Statement:
        assert ledger.notary is not None
        return given(ledger.notary, ledger.store, from_store(ledger.store, match), ledger.clock())

    def test_a_rollback_of_everything(self, ledger: LocalLedger, tmp_path: Path) -> None:
        live = open_match(ledger, "azul", 2, players=TWO)
        file = sqlite3.connect(ledger.store.where.strip("'"))
        file.execute("VACUUM INTO ?", (str(tmp_path / "yesterday.db"),))
        file.close()
        move(ledger, live, 2)
        receipt = self.kept(ledger, live.id)
        assert one(ledger, live.id, AuditTerms(receipts=[receipt])).is_clean
        with open_store(str(tmp_path / "yesterday.db")) as store:
            yesterday = LocalLedger(store, ledger.clock, ledger.new_secret, lambda: "another", ledger.notary)
            assert one(yesterday, live.id).is_clean, "by itself it cannot be seen"
            report = one(yesterday, live.id, AuditTerms(receipts=[receipt]))
            assert [verdict.check for verdict in report.findings] == ["receipt"]
            assert "" in everything(yesterday, AuditTerms(receipts=[receipt]))
            # Whoever goes on from there makes another entry of the same number.
            other = open_match(yesterday, "azul", 2, players=TWO)
            move(yesterday, load(yesterday, live.id), 2)
            self.kept(yesterday, other.id)
            found = everything(yesterday, AuditTerms(receipts=[receipt]))
            assert found[""] == ["journal"]
            why = next(batch.findings[0] for batch in audit_all(store.where.strip("'"), AuditTerms(receipts=[receipt])))
            assert f"entry {receipt.place} is not the one" in why["journal"].why

    def test_an_earlier_entry_rewritten_by_the_owner_of_the_key(self, ledger: LocalLedger) -> None:
        first = open_match(ledger, "azul", 2, players=TWO)
        second = open_match(ledger, "azul", 2, players=TWO)
        receipt = self.kept(ledger, second.id)
        assert ledger.notary is not None
        with tampering(ledger) as file:
            file.execute("DELETE FROM journal WHERE place > 1")
        for live in (first, second, second):  # the program would refuse; the owner of the key needs no program
            said = draft("receipt", "hosted", from_store(ledger.store, live.id))
            ledger.store.enter(ledger.notary.entries([said], ledger.clock()))
        report = one(ledger, second.id, AuditTerms(receipts=[receipt]))
        assert report["receipt"].why == "The journal was rewritten: entry 3, or one before it, is not what it was."

    def test_from_another_ledger(self, ledger: LocalLedger, finished: Live) -> None:
        receipt = self.kept(ledger, finished.id)
        forged = replace(receipt, key=STRANGER.public)
        forged = replace(forged, signature=STRANGER.sign(forged.text))
        assert "is not the one" in one(ledger, finished.id, AuditTerms(receipts=[forged]))["receipt"].why


class TestKeys:
    """One key at a time, each for its own entries."""

    def test_given_ones_are_the_only_ones(self, ledger: LocalLedger, finished: Live) -> None:
        own = load_server_key().public
        assert one(ledger, finished.id, AuditTerms([own])).is_clean
        report = one(ledger, finished.id, AuditTerms([KEY.public]))
        assert [verdict.check for verdict in report.findings] == ["signature"]
        assert report["journal"].outcome == "skipped"

    def test_rotated_each_answers_for_its_time(self, ledger: LocalLedger, finished: Live) -> None:
        assert ledger.notary is not None
        old, _ = rotate()
        assert one(ledger, finished.id).is_clean, "until the new key is entered, the old one's word is the last"
        take_over(ledger.notary, ledger.store, old.public, ledger.clock())
        newer = finish(ledger, open_match(ledger, "azul", 2, players=TWO))
        assert everything(ledger) == {}
        assert one(ledger, newer.id)["journal"].why.endswith(f"kept by key {load_server_key().fingerprint}")

    def test_a_retired_key_cannot_go_on(self, ledger: LocalLedger, finished: Live) -> None:
        """Given somebody who read the old private key before it was replaced."""
        stolen = load_server_key()
        rotate()
        thief = LocalLedger(ledger.store, new_id=lambda: "stolen", notary=notary_of(stolen))
        open_match(thief, "azul", 2, players=TWO)
        assert "was retired by then" in one(ledger, "stolen")["journal"].why

    def test_adopted_it_goes_on_and_says_so(
        self, ledger: LocalLedger, finished: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "elsewhere"))
        with refused("trust/other-key") as refusal:
            open_match(ledger, "azul", 2, players=TWO)
        assert "key adopt" in refusal.value.message
        assert one(ledger, finished.id)["journal"].outcome == "failed"
        assert ledger.notary is not None
        assert adopt(ledger.notary, ledger.store, ledger.clock()) == 0
        newer = open_match(ledger, "azul", 2, players=TWO)
        assert everything(ledger) == {}
        assert one(ledger, newer.id).is_clean

    def test_a_ledger_from_before_the_journal(self, tmp_path: Path) -> None:
        with open_store(str(tmp_path / "old.db")) as store:
            made = make_ledger(store)
            old = LocalLedger(store, made.clock, made.new_secret, made.new_id)
            closed = finish(old, open_match(old, "azul", 2, players=TWO))
            still_on = open_match(old, "azul", 2, players=TWO)
            with pytest.raises(Refused, match="2 matches and no journal"):
                join(made, open_match(old, "azul", 3, players=TWO), NewPlayer("Cleo"))
            assert made.notary is not None
            assert adopt(made.notary, store, made.clock()) == 3
            assert one(made, closed.id).is_clean
            assert one(made, closed.id)["journal"].why.startswith("kept: ")
            assert vouched(made, from_store(store, closed.id)).evidence.signatures[-1].claim == "witnessed"  # type: ignore[union-attr]
            finish(made, load(made, still_on.id))
            assert said(made, still_on.id)[-1][:2] == ("closed", "witnessed")
            assert everything(made) == {}
