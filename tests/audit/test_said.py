"""What an audit says, to the word: how much was checked where nothing was found, and what is wrong elsewhere."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from events.azul import FloorCleared, LineTiled
from events.codec import encode
from events.coloretto import RoundBegun
from events.core import ARBITER, CHANCE, LEDGER, Standing
from events.dispute import DisputeOpened, DisputeWithdrawn, ResultFinalised
from events.match import MatchClosed, MatchOpened
from service.audit import Report, Verdict, audit
from service.audit.bulk import BATCH, AuditTerms, Batch, audit_all, audit_batch, audit_beside
from service.audit.since import AuditTask
from service.errors import Unavailable
from service.games.azul import AZUL
from service.play.evidence import Evidence, from_store
from service.play.fork import fork
from service.play.ledger import LocalLedger
from service.play.matches import abandon, deal, open_match, resign
from service.play.moves import deal as deal_in_words
from service.play.simulate import make_plan, simulate
from service.play.undo import redo, undo
from service.store.connect import open_store
from service.store.shapes import Signature
from tests.audit.matches import envelopes_of, rehashed, renumbered, simulated
from tests.audit.test_verdicts import find, with_event, with_more
from tests.conftest import TWO, finish, move
from tests.shelf import Shape
from tests.signing import KEY, sign_head

WHOLE = simulated(Shape(AZUL, 2, {}), 5)
OPENED, COUNT = envelopes_of(WHOLE)[0].event, len(WHOLE.rows)
DRAWS = sum(1 for link in WHOLE.chain.links if link.envelope is not None and link.envelope.actor == CHANCE)


def recorded(ledger: LocalLedger) -> Evidence:
    """A match entered by hand and given up."""
    live = open_match(ledger, "azul", players=TWO, chance_mode="recorded")
    deal_in_words(ledger, live, "2")
    resign(ledger, live, 1)
    return from_store(ledger.store, live.id)


class TestDraws:
    """Where chance has a secret, and where it must have none."""

    def test_derived_again(self) -> None:
        guessed = "the seed 5 is easy to guess, and whoever guessed it knew every draw"
        assert audit(WHOLE)["draws"].why == f"{DRAWS} draws derived again from the secret; {guessed}"

    def test_entered_by_hand(self, ledger: LocalLedger) -> None:
        assert audit(recorded(ledger))["draws"].why == "1 draw entered by hand, each possible when it was made"

    def test_recorded_chance_commits_to_nothing(self, ledger: LocalLedger) -> None:
        evidence = recorded(ledger)
        seq, opened = find(evidence, MatchOpened)
        verdict = audit(with_event(evidence, seq, msgspec.structs.replace(opened, commitment="00" * 32)))["draws"]
        assert (verdict.outcome, verdict.seq, verdict.why) == ("failed", 1, "Recorded chance has no secret.")

    def test_recorded_chance_reveals_nothing(self, ledger: LocalLedger) -> None:
        evidence = recorded(ledger)
        seq, closed = find(evidence, MatchClosed)
        verdict = audit(with_event(evidence, seq, msgspec.structs.replace(closed, secret="00" * 32)))["draws"]
        assert (verdict.outcome, verdict.seq, verdict.why) == ("failed", seq, "Recorded chance has no secret.")

    def test_a_commitment_put_there_later_is_blamed_on_the_opening(self) -> None:
        seq, opened = find(WHOLE, MatchOpened)
        verdict = audit(with_event(WHOLE, seq, msgspec.structs.replace(opened, commitment="00" * 32)))["draws"]
        closing, _ = find(WHOLE, MatchClosed)
        assert (verdict.seq, verdict.why) == (
            1,
            f"The commitment is not that of the secret revealed by event {closing}.",
        )

    @pytest.mark.parametrize("commitment", ["", "0" * 63, "0" * 65])
    def test_a_commitment_that_is_none(self, commitment: str) -> None:
        seq, opened = find(WHOLE, MatchOpened)
        verdict = audit(with_event(WHOLE, seq, msgspec.structs.replace(opened, commitment=commitment)))["draws"]
        assert (verdict.seq, verdict.why) == (1, "Chance is seeded, but there is no commitment to a secret.")

    def test_another_secret_is_blamed_on_the_closing(self) -> None:
        seq, closed = find(WHOLE, MatchClosed)
        verdict = audit(with_event(WHOLE, seq, msgspec.structs.replace(closed, secret="00" * 32, seed="")))["draws"]
        assert verdict.seq == seq

    def test_a_secret_that_is_none(self) -> None:
        seq, closed = find(WHOLE, MatchClosed)
        for secret in ("", "00", "zz" * 32):
            verdict = audit(with_event(WHOLE, seq, msgspec.structs.replace(closed, secret=secret)))["draws"]
            assert (verdict.seq, verdict.why) == (seq, f"No secret of 32 bytes was revealed: {secret!r}.")

    def test_a_fork_says_what_it_inherited(self, ledger: LocalLedger) -> None:
        parent = finish(ledger, open_match(ledger, "azul", players=TWO, seed=3))
        child = fork(ledger, parent, 30)
        inherited = child.table.draws
        finish(ledger, child)
        report = audit(from_store(ledger.store, child.id))
        assert report.is_clean
        own = child.table.draws - inherited
        assert own > 0
        assert report["draws"].why == (
            f"{own} draws derived again from the secret, {inherited} inherited; "
            "no seat contributed a new nonce: whoever made the secret could choose among secrets before the fork"
        )

    def test_an_abandoned_match_that_drew_nothing_of_its_own(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", players=TWO[:1], seats=2)
        abandon(ledger, live)
        assert audit(from_store(ledger.store, live.id))["draws"].why == (
            "0 draws derived again from the secret; seat 1 contributed a nonce"
        )

    def test_an_open_match(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", players=TWO)
        verdict = audit(from_store(ledger.store, live.id))["draws"]
        assert verdict.outcome == "skipped"
        assert verdict.why == (
            "the match is open and its secret hidden; 2 draws possible; seats 1 and 2 contributed a nonce"
        )


class TestRecord:
    """What a reader noticed stands first."""

    @pytest.mark.parametrize(
        "remarks, why",
        [((), None), (("one",), "one"), (("one", "two"), "one (1 more)"), (("one", "two", "three"), "one (2 more)")],
    )
    def test_remarks(self, remarks: tuple[str, ...], why: str | None) -> None:
        report = audit(msgspec.structs.replace(WHOLE, remarks=remarks))
        found = [verdict.why for verdict in report.verdicts if verdict.check == "record"]
        assert found == ([why] if why else [])


class TestOpening:
    """A match that could not have been opened so is gone through no further."""

    @pytest.mark.parametrize(
        "change, why",
        [
            ({"seats": 7}, "7 seats is not possible here; choose from: 2, 3, 4."),
            (
                {"options": {"boardSide": "golden"}},
                "'golden' is not a value of boardSide; choose from: coloured, grey.",
            ),
            ({"options": {}}, "No match of Azul opens with these options: {}."),
        ],
    )
    def test_impossible(self, change: dict[str, object], why: str) -> None:
        seq, opened = find(WHOLE, MatchOpened)
        report = audit(with_event(WHOLE, seq, msgspec.structs.replace(opened, **change)))
        assert (report["actions"].seq, report["actions"].why) == (1, why)
        for check in ("draws", "facts", "invariants", "undo", "sums", "result", "disputes"):
            assert report[check].why == "the match could not have been opened like this", check


class TestDisputes:
    """How many there were."""

    def test_none(self) -> None:
        assert audit(WHOLE)["disputes"].why == "none"

    def test_some(self) -> None:
        first = (1, DisputeOpened(number=1, seat=1, of=1, words="Mine"))
        back = (1, DisputeWithdrawn(number=1, seat=1))
        second = (2, DisputeOpened(number=2, seat=2, of=1, words="Not so"))
        assert audit(with_more(WHOLE, first))["disputes"].why == "1 dispute"
        assert audit(with_more(WHOLE, first, back, second))["disputes"].why == "2 disputes"


def test_a_ledger_of_several_batches_is_audited_whole_by_any_number_of_processes(tmp_path: Path) -> None:
    path, matches = str(tmp_path / "ledger.db"), 7 * BATCH + 3
    assert len(list(simulate(make_plan("azul", 2, {}, ["random"], 0), matches, database=path))) == matches
    for jobs in (1, 2):
        batches = list(audit_all(path, AuditTerms(), jobs))
        found = [batch.matches for batch in batches]
        assert (found[0], sum(found)) == (0, matches), "the journal comes first"
        assert max(found) <= BATCH
        assert not any(batch.findings for batch in batches)


def test_batches_add_up_and_a_match_that_is_gone_is_a_finding(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger.db")
    assert len(list(simulate(make_plan("azul", 2, {}, ["random"], 0), 2, database=path))) == 2
    with open_store(path) as store:
        [ids] = store.ids(2)
        events = sum(store.find(match).head.seq for match in ids)
        clean, gone = (
            audit_batch(store, AuditTerms(), AuditTask(ids)),
            audit_batch(store, AuditTerms(), AuditTask(["gone"])),
        )
    verdict = Verdict("format", "failed", why="No match 'gone' is in this ledger.")
    assert gone.findings == [Report("gone", "gone", 0, [verdict], is_readable=False)]
    total = Batch()
    total.merge(clean)
    total.merge(gone)
    assert (total.matches, total.events, total.findings) == (3, events, gone.findings)
    assert (total.outcomes["format", "passed"], total.outcomes["format", "failed"]) == (2, 1)
    assert (str(clean), clean.is_clean) == ("2 matches: all clean.", True)
    assert (str(gone), gone.is_clean) == ("1 match: 1 not clean.", False)
    assert (str(total), total.is_clean) == ("3 matches: 1 not clean.", False)


def test_a_match_that_is_refused_leaves_those_beside_it_audited(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger.db")
    assert len(list(simulate(make_plan("azul", 2, {}, ["random"], 0), 3, database=path))) == 3
    with open_store(path) as store:
        [[one, two, three]] = store.ids(3)
        batch = audit_batch(store, AuditTerms(), AuditTask([one, "gone", two, "last", three, one]))
    assert [report.match for report in batch.findings] == ["gone"]
    assert (batch.matches, batch.outcomes["draws", "passed"]) == (6, 5), "everything is audited, and nothing twice"


@pytest.mark.parametrize(
    "attempt",
    [
        lambda path: list(audit_all(path, AuditTerms())),
        lambda path: audit_beside(path, AuditTerms(), AuditTask(["m1"])),
    ],
    ids=["all", "batch"],
)
def test_an_audit_makes_no_ledger(tmp_path: Path, attempt: Callable[[str], object]) -> None:
    with pytest.raises(Unavailable, match="There is no ledger"):
        attempt(str(tmp_path / "ledger.db"))
    assert list(tmp_path.iterdir()) == []


def test_dealing_is_named_in_the_same_words(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", players=TWO, confirm_reveals=True)
    while live.game.rules.request(live.table.state) is None:
        move(ledger, live)
    deal(ledger, live)
    assert audit(from_store(ledger.store, live.id)).is_clean


class TestFormat:
    """Where an event stands, and where it says it stands."""

    def test_rules_of_another_game(self) -> None:
        seq, opened = find(WHOLE, MatchOpened)
        report = audit(with_event(WHOLE, seq, msgspec.structs.replace(opened, game="coloretto")))
        assert (report["format"].seq, report["format"].why) == (
            1,
            "Rules 'azul/2' belong to 'azul', not to 'coloretto'.",
        )
        assert not report.is_readable

    @pytest.mark.parametrize(
        "change, why",
        [
            ({"seq": 9}, "It is numbered 9."),
            ({"match": "another"}, "It is an event of match 'another'."),
            ({"step": 9}, "It belongs to step 9, right after step 5."),
            ({"step": 7}, "It belongs to step 7, right after step 5."),
            ({"step": 4}, "It belongs to step 4, right after step 5."),
            ({"actor": 3}, "3 cannot be the one who did this."),
            ({"actor": "ledger"}, "'ledger' cannot be the one who did this."),
            ({"actor": 0}, "0 cannot be the one who did this."),
            ({"event": OPENED}, "A match is opened once, by its first event."),
            ({"event": RoundBegun(1, 1)}, "'coloretto.round_begun' is not a fact of Azul."),
        ],
    )
    def test_an_event_out_of_place(self, change: dict[str, object], why: str) -> None:
        links = WHOLE.chain.links
        place = next(link.position for link in links if link.envelope is not None and link.envelope.step == 6)
        datas = [row.data for row in WHOLE.rows]
        envelope = links[place - 1].envelope
        assert envelope is not None
        datas[place - 1] = encode(msgspec.structs.replace(envelope, **change))
        verdict = audit(rehashed(WHOLE, datas))["format"]
        assert (verdict.seq, verdict.why) == (place, why)

    def test_a_row_stored_under_another_number(self) -> None:
        rows = [*WHOLE.rows[:6], WHOLE.rows[6]._replace(seq=70), *WHOLE.rows[7:]]
        verdict = audit(msgspec.structs.replace(WHOLE, rows=rows))["format"]
        assert (verdict.seq, verdict.why) == (7, "It is numbered 70.")

    def test_bytes_that_are_not_canonical(self) -> None:
        datas = [row.data for row in WHOLE.rows]
        datas[4] = datas[4].replace(b'{"match"', b'{ "match"', 1)
        verdict = audit(rehashed(WHOLE, datas))["format"]
        assert (verdict.seq, verdict.why) == (5, "Its bytes are not the canonical ones for what they say.")

    def test_how_much_was_read(self) -> None:
        last = WHOLE.chain.links[-1].envelope
        assert last is not None
        assert audit(WHOLE)["format"].why == f"{len(WHOLE.rows)} events in {last.step} steps"
        assert audit(WHOLE)["chain"].why == f"{len(WHOLE.rows)} links to head {WHOLE.head[:16]}…"

    @pytest.mark.parametrize("head", ["", "00" * 32])
    def test_nothing_at_all(self, head: str) -> None:
        report = audit(Evidence("a file", "m1", [], 0, head))
        assert (report["format"].seq, report["format"].why) == (1, "There is no event at all.")
        assert not report.is_readable

    def test_another_beginning(self) -> None:
        report = audit(rehashed(WHOLE, [row.data for row in WHOLE.rows[1:]], signatures=()))
        assert (report["format"].seq, report["format"].why) == (
            1,
            "The first event is 'match.seat_taken'; a match begins with 'match.opened'.",
        )
        assert not report.is_readable
        for check in ("draws", "actions", "facts", "invariants", "undo", "sums", "result", "disputes"):
            assert report[check].outcome == "skipped"
            assert report[check].why == "there is no opening of a match to replay"

    def test_an_empty_step_that_simulations_once_counted_after_the_seats(self) -> None:
        """Matches stored before that was mended have it, in that place and in no other."""
        envelopes = [link.envelope for link in WHOLE.chain.links if link.envelope is not None]
        later = [msgspec.structs.replace(e, step=e.step + (e.step > 3)) for e in envelopes]
        assert audit(rehashed(WHOLE, [encode(e) for e in later], signatures=()))["format"].outcome == "passed"

    @pytest.mark.parametrize(
        "promised, seq, why",
        [
            (COUNT + 3, COUNT + 1, f"It is missing: {COUNT + 3} events are promised, {COUNT} are here."),
            (COUNT - 1, COUNT, f"It lies beyond the head, which names {COUNT - 1}."),
            (0, 1, "It lies beyond the head, which names 0."),
            (-2, 1, "It lies beyond the head, which names -2."),
        ],
    )
    def test_more_or_fewer_events_than_promised(self, promised: int, seq: int, why: str) -> None:
        verdict = audit(msgspec.structs.replace(WHOLE, count=promised))["chain"]
        assert (verdict.outcome, verdict.seq, verdict.why) == ("failed", seq, why)

    def test_the_first_hash_that_does_not_follow(self) -> None:
        rows = [row._replace(hash=bytes(32)) if row.seq in (7, 9) else row for row in WHOLE.rows]
        verdict = audit(msgspec.structs.replace(WHOLE, rows=rows))["chain"]
        why = "Its hash does not follow from its bytes and the hash before it."
        assert (verdict.outcome, verdict.seq, verdict.why) == ("failed", 7, why)

    def test_a_head_alone_holds_every_event(self) -> None:
        bare = msgspec.structs.replace(WHOLE, rows=[row._replace(hash=b"") for row in WHOLE.rows])
        assert audit(bare)["chain"] == audit(WHOLE)["chain"]

    def test_a_head_that_is_not_the_last_hash(self) -> None:
        verdict = audit(msgspec.structs.replace(WHOLE, head="00" * 32, signatures=()))["chain"]
        assert (verdict.seq, verdict.why) == (
            len(WHOLE.rows),
            "The hash after it is not the head that the source names.",
        )


class TestPlay:
    """What was done, held to the rules."""

    def test_how_many_lines_were_added_up(self) -> None:
        lines = [line for link in WHOLE.chain.links if link.envelope for line in link.envelope.event.scores]
        totals = [sum(line.applied for line in lines if line.seat == seat) for seat in (1, 2)]
        assert audit(WHOLE)["sums"].why == f"{len(lines)} score lines: {totals[0]}, {totals[1]}"

    def test_how_much_was_gone_through(self) -> None:
        report = audit(WHOLE)
        assert {check: report[check].why for check in ("actions", "facts", "invariants", "undo", "result")} == {
            "actions": "69 actions",
            "facts": "114 events of play",
            "invariants": "6 counts, the same after every step",
            "undo": "0 steps undone, 0 redone",
            "result": "finished: 1. seat 2 with 13, 2. seat 1 with 4",
        }

    def test_how_much_was_undone(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", players=TWO, undo="free")
        move(ledger, live, 3)
        undo(ledger, live, 1, steps=2)
        redo(ledger, live, 1)
        move(ledger, live)
        report = audit(from_store(ledger.store, live.id))
        assert report.is_clean
        assert (report["undo"].why, report["result"].why) == ("2 steps undone, 1 redone", "the match is open")
        abandon(ledger, live)
        assert audit(from_store(ledger.store, live.id))["result"].why == "abandoned: no result"

    def test_a_fact_left_out_of_a_step_is_missed_there_and_nowhere_else(self) -> None:
        """What chance answered in the same step is still found where it stands."""
        envelopes = [link.envelope for link in WHOLE.chain.links if link.envelope is not None]
        gone = next(n for n, e in enumerate(envelopes) if isinstance(e.event, FloorCleared))
        while envelopes[gone + 1].actor != CHANCE:
            gone += 1
        assert envelopes[gone + 1].step == envelopes[gone].step
        report = audit(rehashed(WHOLE, renumbered([*envelopes[:gone], *envelopes[gone + 1 :]]), signatures=()))
        assert report["facts"].seq == gone + 1
        assert {report[check].outcome for check in ("actions", "draws", "undo", "result")} == {"passed"}

    @pytest.mark.parametrize(
        "closed, why",
        [
            (MatchClosed("finished"), "The match was closed in the middle of play, yet with the reason 'finished'."),
            (
                MatchClosed("abandoned", (Standing(1, 1, 0), Standing(2, 1, 0))),
                "The match was closed in the middle of play, yet with a result.",
            ),
        ],
        ids=["finished", "with-a-result"],
    )
    def test_closed_in_the_middle_of_play(self, ledger: LocalLedger, closed: MatchClosed, why: str) -> None:
        live = open_match(ledger, "azul", players=TWO, chance_mode="recorded")
        report = audit(with_more(from_store(ledger.store, live.id), (LEDGER, closed)))
        assert (report["result"].seq, report["result"].why) == (live.head.seq + 1, why)

    def test_chance_that_owes_a_fork_something_is_missed_there(self, ledger: LocalLedger) -> None:
        """What was taken over may stop anywhere; what a fork did by itself may not."""
        child = fork(ledger, finish(ledger, open_match(ledger, "azul", players=TWO, seed=3)), 20)
        inherited = child.table.draws
        while not child.envelopes[-1].event.by_chance or child.table.draws < inherited + 2:
            move(ledger, child)
        evidence = from_store(ledger.store, child.id)
        report = audit(rehashed(evidence, [row.data for row in evidence.rows[:-1]], signatures=()))
        assert (report["actions"].seq, report["actions"].why) == (child.head.seq, "The deal was due and is not there.")


class TestSums:
    """The books, where a line or a result is not what it should be."""

    @pytest.mark.parametrize(
        "change, why",
        [
            ({"seat": 3}, "It gives points to seat 3, who is not at the table."),
            ({"applied": 2}, "It applies 2 where 1 was due."),
            ({"applied": -1}, "It applies -1 where 1 was due."),
        ],
    )
    def test_a_line(self, change: dict[str, int], why: str) -> None:
        seq, tiled = find(WHOLE, LineTiled)
        assert [(line.requested, line.applied) for line in tiled.scores] == [(1, 1)]
        scores = (msgspec.structs.replace(tiled.scores[0], **change),)
        verdict = audit(with_event(WHOLE, seq, msgspec.structs.replace(tiled, scores=scores)))["sums"]
        assert (verdict.outcome, verdict.seq, verdict.why) == ("failed", seq, why)

    @pytest.mark.parametrize("is_seated", [True, False])
    def test_a_result(self, is_seated: bool) -> None:
        seq, closed = find(WHOLE, MatchClosed)
        first, *others = closed.standings
        wrong = msgspec.structs.replace(first, seat=first.seat if is_seated else 3, score=99)
        verdict = audit(with_event(WHOLE, seq, msgspec.structs.replace(closed, standings=(wrong, *others))))["sums"]
        total = first.score if is_seated else "nothing"
        assert (verdict.outcome, verdict.seq) == ("failed", seq)
        assert verdict.why == f"Seat {wrong.seat}'s lines add up to {total}; the result says 99."

    def test_what_an_arbiter_ruled_is_no_matter_of_the_books(self) -> None:
        ruled = ResultFinalised("Ada", "", "", (Standing(1, 1, 99), Standing(2, 2, 13)))
        assert audit(with_more(WHOLE, (ARBITER, ruled)))["sums"] == audit(WHOLE)["sums"]


OURS = f"key {KEY.fingerprint}"


def head(count: int, hash_: str = "") -> Signature:
    """Our signature over a head of that match: the real one, unless another is given."""
    return sign_head(KEY, WHOLE.match, count, hash_ or WHOLE.rows[count - 1].hash.hex())


class TestSigned:
    """Signatures that came with a match, and receipts that somebody kept: the same flaws, in the same words."""

    @pytest.mark.parametrize(
        "signature, seq, why",
        [
            (sign_head(KEY, "another", 40, "00" * 32), 0, f"What {OURS} signed is match 'another'."),
            (
                head(COUNT + 2, "00" * 32),
                COUNT + 1,
                f"It was cut off: {OURS} signed {COUNT + 2} events, {COUNT} are here.",
            ),
            (
                head(40, "00" * 32),
                40,
                f"Events 1–40 are not those that {OURS} signed: something was rewritten"
                f" (signed head {'00' * 32}, here {WHOLE.rows[39].hash.hex()}).",
            ),
            (msgspec.structs.replace(head(40), signature="00" * 64), 40, f"The signature by {OURS} is not genuine."),
            (msgspec.structs.replace(head(40), count=999), COUNT, f"The signature by {OURS} is not genuine."),
            (head(0, "00" * 32), 0, f"The signature by {OURS} is not genuine."),
            (head(-1, "00" * 32), 0, f"The signature by {OURS} is not genuine."),
        ],
        ids=["another-match", "cut-off", "rewritten", "forged", "forged-beyond", "over-nothing", "over-less"],
    )
    @pytest.mark.parametrize("check", ["signature", "receipt"])
    def test_flaws(self, check: str, signature: Signature, seq: int, why: str) -> None:
        signatures, receipts = ([signature], []) if check == "signature" else ([], [signature])
        verdict = audit(msgspec.structs.replace(WHOLE, signatures=signatures), receipts=receipts)[check]
        assert (verdict.outcome, verdict.seq, verdict.why) == ("failed", seq, why)

    @pytest.mark.parametrize("is_trusted", [True, False])
    def test_how_much_is_signed(self, is_trusted: bool) -> None:
        evidence = msgspec.structs.replace(WHOLE, signatures=[head(40), head(30)])
        report = audit(evidence, [KEY.public] if is_trusted else [], receipts=[head(40), head(30)])
        whose = "" if is_trusted else "; find out yourself whose key this is"
        signed = f"40 events signed by {KEY.fingerprint}{whose}; events 41–{COUNT} are not signed"
        missing = "From here to the closing no trusted key has signed anything."
        assert (report["signature"].seq, report["signature"].why) == ((41, missing) if is_trusted else (0, signed))
        assert report["receipt"].why == f"the first 40, 30 events are those of the receipt{whose}"

    def test_all_of_it(self) -> None:
        assert audit(WHOLE, [KEY.public])["signature"].why == f"{COUNT} events signed by {KEY.fingerprint}"
        assert "receipt" not in [verdict.check for verdict in audit(WHOLE).verdicts]

    def test_the_opening_alone(self) -> None:
        verdict = audit(msgspec.structs.replace(WHOLE, signatures=[head(1)]))["signature"]
        assert (verdict.outcome, verdict.why.partition("; events")[0]) == (
            "passed",
            f"1 event signed by {KEY.fingerprint}; find out yourself whose key this is",
        )

    def test_none_of_it(self, ledger: LocalLedger) -> None:
        bare = msgspec.structs.replace(WHOLE, signatures=())
        assert audit(bare)["signature"].why == "no head was signed"
        verdict = audit(bare, [KEY.public])["signature"]
        assert (verdict.seq, verdict.why) == (1, "From here to the closing no trusted key has signed anything.")
        live = open_match(ledger, "azul", players=TWO)
        evidence = msgspec.structs.replace(from_store(ledger.store, live.id), entries=())
        verdict = audit(evidence, [KEY.public])["signature"]
        assert verdict.outcome == "skipped"
        assert verdict.why == "the match is open; heads are signed on closing and on export"


class TestSteps:
    """Steps are counted from 1, without gaps but for one that was once made."""

    @pytest.mark.parametrize("after, more, why", [(0, 1, "2, right after step 0."), (3, 2, "6, right after step 3.")])
    def test_gaps(self, after: int, more: int, why: str) -> None:
        envelopes = [link.envelope for link in WHOLE.chain.links if link.envelope is not None]
        later = [msgspec.structs.replace(e, step=e.step + more * (e.step > after)) for e in envelopes]
        verdict = audit(rehashed(WHOLE, [encode(e) for e in later], signatures=()))["format"]
        assert verdict.why == f"It belongs to step {why}"


PASSED, SKIPPED = Verdict("format", "passed", why="all of it"), Verdict("draws", "skipped", why="there are none")
NOWHERE, EARLY, LATE = (Verdict("chain", "failed", seq, "It is wrong.", line=seq + 2) for seq in (0, 7, 9))


@pytest.mark.parametrize(
    "verdict, words",
    [
        (PASSED, "✓ format     all of it"),
        (SKIPPED, "– draws      there are none"),
        (EARLY, "✗ chain      event 7, line 9: It is wrong."),
        (Verdict("chain", "failed", 7, "It is wrong."), "✗ chain      event 7: It is wrong."),
        (NOWHERE, "✗ chain      It is wrong."),
    ],
)
def test_a_verdict_in_words(verdict: Verdict, words: str) -> None:
    assert str(verdict) == words


@pytest.mark.parametrize(
    "verdicts, first, conclusion",
    [
        ([PASSED], None, "Clean."),
        ([PASSED, SKIPPED], None, "Clean, with 1 check skipped."),
        ([SKIPPED, NOWHERE], NOWHERE, "1 finding."),
        ([NOWHERE, LATE, EARLY], EARLY, "3 findings. First bad event: 7."),
    ],
)
def test_what_a_report_comes_to(verdicts: list[Verdict], first: Verdict | None, conclusion: str) -> None:
    report = Report("a file", "m1", 12, verdicts)
    assert (report.first, report.conclusion) == (first, conclusion)
    assert str(report) == "\n".join(["a file  12 events", *map(str, verdicts), conclusion])
