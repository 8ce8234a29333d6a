"""What an audit says in cases an arbiter meets: which check speaks, about which event, and in which words."""

from collections.abc import Callable
from datetime import timedelta
from itertools import cycle

import msgspec
import pytest
from msgspec.structs import replace

from events.azul import DisplaysFilled, GameEnded, LineTiled, TilesDrafted
from events.codec import encode
from events.core import ARBITER, LEDGER, Actor, Envelope, Event
from events.dispute import DisputeOpened, DisputeWithdrawn, ResultFinalised
from events.match import MatchClosed, MatchOpened, SeatTaken, StepUndone, UndoAccepted
from projections.core import State
from service.audit import Report, audit
from service.games.shelf import find_game, on_the_shelf
from service.play.evidence import Evidence, from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.undo import answer, undo
from tests.audit.matches import envelopes_of, rehashed, renumbered, signed, simulated
from tests.conftest import THREE, TWO, finish, move
from tests.pebbles import PEBBLES
from tests.pebbles.events import HandSpilled, PebblesKept
from tests.shelf import PLAIN, Shape
from tests.signing import KEY, STRANGER, sign_head

AZUL = simulated(next(shape for shape in PLAIN if shape.game.key == "azul"), 1)


def with_event(evidence: Evidence, seq: int, event: Event) -> Evidence:
    """The match with another event in that place, and a chain that fits."""
    old = envelopes_of(evidence)[seq - 1]
    new = encode(Envelope(old.match, seq, old.step, old.at, old.actor, event))
    datas = [row.data for row in evidence.rows]
    return rehashed(evidence, [*datas[: seq - 1], new, *datas[seq:]], signatures=())


def with_more(evidence: Evidence, *steps: tuple[Actor, Event]) -> Evidence:
    """The match with these steps appended."""
    envelopes = envelopes_of(evidence)
    last = envelopes[-1]
    for number, (actor, event) in enumerate(steps, start=1):
        envelopes.append(Envelope(last.match, 0, last.step + number, last.at, actor, event))
    return rehashed(evidence, renumbered(envelopes), signatures=())


def find(evidence: Evidence, kind: type[Event], position: int = 0) -> tuple[int, Event]:
    """The place of an event of that kind, and the event."""
    found = [(seq, e.event) for seq, e in enumerate(envelopes_of(evidence), 1) if isinstance(e.event, kind)]
    return found[position]


def failed(report: Report) -> dict[str, int]:
    """The failed checks with the event each names."""
    return {verdict.check: verdict.seq for verdict in report.findings}


def _tiled(state: State) -> dict[str, int]:
    return {"tiled": sum(colours > 0 for board in state.boards for colours in board.row_colours)}


class TestScores:
    """A point too many, and who notices."""

    def test_a_richer_line_is_named_by_the_rules_and_by_the_books(self) -> None:
        seq, event = find(AZUL, LineTiled)
        assert isinstance(event, LineTiled)
        line = msgspec.structs.replace(event.scores[0], applied=event.scores[0].applied + 1)
        report = audit(with_event(AZUL, seq, msgspec.structs.replace(event, scores=(line,))))
        end, _ = find(AZUL, GameEnded)
        assert failed(report) == {"facts": seq, "sums": seq}
        assert report["facts"].why == (
            f"The rules say scores: 1: applied: {line.applied - 1}, the record says {line.applied}."
        )
        # One point more in what was due as well: the line agrees with itself, and the result no longer with the lines.
        line = msgspec.structs.replace(line, requested=line.applied)
        report = audit(with_event(AZUL, seq, msgspec.structs.replace(event, scores=(line,))))
        assert failed(report) == {"facts": seq, "sums": end}
        assert report["result"].outcome == "passed", "the result is still the one the rules lead to"

    def test_a_tile_from_nowhere_is_a_matter_of_invariants(self) -> None:
        seq, event = find(AZUL, TilesDrafted)
        assert isinstance(event, TilesDrafted)
        richer = msgspec.structs.replace(event, taken=event.taken + 1, placed=event.placed + 1)
        assert failed(audit(with_event(AZUL, seq, richer)))["invariants"] == seq

    def test_rules_that_conserve_nothing_are_found_out(self) -> None:
        """The record is what the rules decide, to the letter, and yet a count has changed that never may."""
        turning = replace(PEBBLES.projection, invariants=lambda state: {"turn": state.turn})
        with on_the_shelf(replace(PEBBLES, projection=turning)):
            evidence = simulated(Shape(PEBBLES, 3, {}), 1)
            report = audit(evidence)
            seq = next(e.seq for e in envelopes_of(evidence) if isinstance(e.event, HandSpilled | PebblesKept))
        assert failed(report) == {"invariants": seq}
        assert report["invariants"].why == "turn: 2 after it, not 1."

    def test_in_the_middle_of_a_step_the_first_event_is_named_after_which_a_count_is_another(self) -> None:
        game = find_game("azul")
        tiled = replace(game.projection, invariants=_tiled)
        with on_the_shelf(replace(game, projection=tiled)):
            report = audit(AZUL)
        found = envelopes_of(AZUL)
        seq = next(e.seq for e in found if isinstance(e.event, LineTiled))
        assert found[seq - 2].step == found[seq - 1].step == found[seq].step
        assert failed(report) == {"invariants": seq}
        assert report["invariants"].why == "tiled: 1 after it, not 0."

    def test_scores_that_are_not_the_sums_of_their_lines_are_found_out(self) -> None:
        turning = replace(PEBBLES.projection, scores=lambda state: (state.turn, 0, 0))
        with on_the_shelf(replace(PEBBLES, projection=turning)):
            evidence = simulated(Shape(PEBBLES, 3, {}), 1)
            report = audit(evidence)
            seq = next(e.seq for e in envelopes_of(evidence) if isinstance(e.event, HandSpilled | PebblesKept))
        assert (report["sums"].seq, report["sums"].why) == (
            seq,
            "The scores at the table are not the sums of their lines.",
        )


class TestResults:
    """Another winner."""

    def test_in_the_closing_alone(self) -> None:
        seq, event = find(AZUL, MatchClosed)
        assert isinstance(event, MatchClosed)
        turned = tuple(msgspec.structs.replace(p, rank=3 - p.rank) for p in event.standings)
        assert failed(audit(with_event(AZUL, seq, msgspec.structs.replace(event, standings=turned)))) == {"result": seq}

    def test_closed_as_something_else(self) -> None:
        seq, event = find(AZUL, MatchClosed)
        other = msgspec.structs.replace(event, reason="abandoned", standings=())
        assert failed(audit(with_event(AZUL, seq, other))) == {"result": seq}

    def test_play_after_the_closing(self) -> None:
        _, event = find(AZUL, TilesDrafted)
        assert failed(audit(with_more(AZUL, (1, event)))) == {"result": AZUL.count + 1}


class TestSteps:
    """What belongs together, and to whom."""

    def test_an_event_of_another_match(self) -> None:
        envelopes = envelopes_of(AZUL)
        e = envelopes[9]
        envelopes[9] = Envelope("another", e.seq, e.step, e.at, e.actor, e.event)
        assert failed(audit(rehashed(AZUL, renumbered(envelopes), signatures=()))) == {"format": 10}

    def test_a_deal_that_came_a_step_late(self) -> None:
        seq, _ = find(AZUL, DisplaysFilled, 1)
        envelopes = envelopes_of(AZUL)
        late = [Envelope(e.match, e.seq, e.step + 1, e.at, e.actor, e.event) for e in envelopes[seq - 1 :]]
        report = audit(rehashed(AZUL, renumbered([*envelopes[: seq - 1], *late]), signatures=()))
        assert failed(report) == {"actions": seq}
        assert report["actions"].why == "The deal was due and is not there."

    def test_a_deal_before_anybody_said_so(self) -> None:
        seq, _ = find(AZUL, DisplaysFilled, 1)
        _, event = find(AZUL, MatchOpened)
        patient = with_event(AZUL, 1, msgspec.structs.replace(event, confirm_reveals=True))
        report = audit(patient)
        assert failed(report) == {"actions": seq}
        assert report["actions"].why == "It was drawn before anybody asked for the deal."

    def test_a_time_before_the_last(self) -> None:
        envelopes = envelopes_of(AZUL)
        e = envelopes[9]
        for at in (e.at - timedelta(microseconds=1), e.at.replace(tzinfo=None)):
            envelopes[9] = Envelope(e.match, e.seq, e.step, at, e.actor, e.event)
            assert failed(audit(rehashed(AZUL, renumbered(envelopes), signatures=())))["format"] == 10

    @pytest.mark.parametrize(
        "kind, actor",
        [(MatchOpened, 1), (SeatTaken, 2), (MatchClosed, 1), (TilesDrafted, "ledger"), (TilesDrafted, 9)],
    )
    def test_somebody_who_cannot_have_done_it(self, kind: type[Event], actor: Actor) -> None:
        seq, event = find(AZUL, kind)
        envelopes = envelopes_of(AZUL)
        e = envelopes[seq - 1]
        envelopes[seq - 1] = Envelope(e.match, e.seq, e.step, e.at, actor, event)
        assert failed(audit(rehashed(AZUL, renumbered(envelopes), signatures=())))["format"] == seq

    def test_two_actions_in_one_step(self) -> None:
        seq, event = find(AZUL, TilesDrafted, 1)
        assert isinstance(event, TilesDrafted)
        envelopes = envelopes_of(AZUL)
        joined = [Envelope(e.match, e.seq, e.step - 1, e.at, e.actor, e.event) for e in envelopes[seq - 1 :]]
        report = audit(rehashed(AZUL, renumbered([*envelopes[: seq - 1], *joined]), signatures=()))
        assert failed(report) == {"actions": seq}


class TestDraws:
    """The secret, the seed and the share of a parent."""

    def test_another_deal_is_held_against_the_one_that_was_due(self) -> None:
        seq, event = find(AZUL, DisplaysFilled, 1)
        assert isinstance(event, DisplaysFilled)
        verdict = audit(with_event(AZUL, seq, msgspec.structs.replace(event, displays=event.displays[::-1])))["draws"]
        due = "Draw 2 (deal) gives RRBK BBYW BRYY KWWW KRYB; the record says KRYB KWWW BRYY BBYW RRBK."
        assert (verdict.seq, verdict.why) == (seq, due)

    @pytest.mark.parametrize("seed", ["77", "", "one", "01"])
    def test_a_seed_that_is_not_the_secrets(self, seed: str) -> None:
        seq, event = find(AZUL, MatchClosed)
        assert isinstance(event, MatchClosed)
        assert event.seed == "1"
        report = audit(with_event(AZUL, seq, msgspec.structs.replace(event, seed=seed)))
        assert failed(report) == {"draws": seq}
        assert report["draws"].why == f"The secret does not come from the seed {seed!r}."

    def test_a_seed_nobody_asked_for(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        evidence = from_store(ledger.store, finish(ledger, azul()).id)
        seq, event = find(evidence, MatchClosed)
        report = audit(with_event(evidence, seq, msgspec.structs.replace(event, seed="77")))
        assert failed(report) == {"draws": seq}
        assert report["draws"].why == "Chance is fair, yet a seed was revealed."

    @pytest.mark.parametrize("draws, check", [(9, "draws"), (-1, "format")])
    def test_a_fork_that_says_it_took_over_more_than_was_there(
        self, ledger: LocalLedger, azul: Callable[..., Live], draws: int, check: str
    ) -> None:
        parent = azul()
        move(ledger, parent, 5)
        evidence = from_store(ledger.store, finish(ledger, fork(ledger, parent, parent.head.step)).id)
        assert audit(evidence).is_clean
        _, event = find(evidence, MatchOpened)
        assert isinstance(event, MatchOpened)
        assert event.parent is not None
        claims = msgspec.structs.replace(event, parent=msgspec.structs.replace(event.parent, draws=draws))
        assert failed(audit(with_event(evidence, 1, claims)))[check] == 1

    def test_a_fork_that_says_it_took_over_its_own_first_draw(
        self, ledger: LocalLedger, azul: Callable[..., Live]
    ) -> None:
        """It would be held to no secret."""
        parent = azul(confirm_reveals=True)
        while parent.game.rules.request(parent.table.state) is None:
            move(ledger, parent)
        evidence = from_store(ledger.store, fork(ledger, parent, parent.head.step).id)
        *envelopes, drawn = envelopes_of(evidence)
        later = Envelope(drawn.match, drawn.seq, drawn.step, drawn.at + timedelta(1), drawn.actor, drawn.event)
        evidence = rehashed(evidence, renumbered([*envelopes, later]))
        assert audit(evidence).is_clean
        _, event = find(evidence, MatchOpened)
        assert isinstance(event, MatchOpened)
        assert event.parent is not None
        more = msgspec.structs.replace(event.parent, draws=event.parent.draws + 1)
        report = audit(with_event(evidence, 1, msgspec.structs.replace(event, parent=more)))
        assert failed(report) == {"draws": 1}
        assert report["draws"].why == "3 draws are said to be inherited; 2 were there at the opening."

    @pytest.mark.parametrize("rest", [(), (MatchClosed("abandoned"),)], ids=["nothing", "closing"])
    def test_a_fork_that_lost_what_it_took_over(
        self, ledger: LocalLedger, azul: Callable[..., Live], rest: tuple[Event, ...]
    ) -> None:
        """The event is named that stands in its place, or would."""
        parent = azul()
        move(ledger, parent, 5)
        evidence = from_store(ledger.store, fork(ledger, parent, parent.head.step).id)
        seated = envelopes_of(evidence)[:3]
        last = seated[-1]
        later = [Envelope(last.match, 4, last.step + 1, last.at + timedelta(1), LEDGER, event) for event in rest]
        verdict = audit(rehashed(evidence, renumbered([*seated, *later]), signatures=()))["draws"]
        assert (verdict.seq, verdict.why) == (4, "2 draws are said to be inherited; 0 were there at the opening.")

    def test_a_fork_of_which_not_everything_reads(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        """How much was taken over cannot be said, so nobody is accused of having made it up."""
        parent = azul()
        move(ledger, parent, 5)
        evidence = from_store(ledger.store, fork(ledger, parent, parent.head.step).id)
        datas = [row.data for row in evidence.rows]
        assert failed(audit(rehashed(evidence, [*datas[:3], b"{}", *datas[4:]]))) == {"format": 4}

    def test_a_deal_of_a_fork_that_was_its_own(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        parent = azul()
        move(ledger, parent, 5)
        evidence = from_store(ledger.store, finish(ledger, fork(ledger, parent, parent.head.step)).id)
        seq, event = find(evidence, DisplaysFilled, -1)
        assert isinstance(event, DisplaysFilled)
        turned = msgspec.structs.replace(event, displays=event.displays[::-1])
        assert failed(audit(with_event(evidence, seq, turned)))["draws"] == seq


class TestUndo:
    """The policy is gone through again: who undid what, and who had agreed."""

    def test_somebody_elses_step(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="strict")
        seat = move(ledger, live)[0]
        undo(ledger, live, seat)
        clean = from_store(ledger.store, live.id)
        assert audit(clean).is_clean
        envelopes = envelopes_of(clean)
        last = envelopes[-1]
        envelopes[-1] = Envelope(last.match, last.seq, last.step, last.at, 3 - seat, last.event)
        report = audit(rehashed(clean, renumbered(envelopes)))
        assert failed(report) == {"undo": clean.count}
        assert "strict match undoes only one's own" in report["undo"].why

    def test_consent_that_was_never_given(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 3, players=THREE, undo="consent")
        move(ledger, live, 5)
        undo(ledger, live, 1, steps=2)
        answer(ledger, live, 2, True)
        asked = from_store(ledger.store, live.id)
        answer(ledger, live, 3, True)
        clean = from_store(ledger.store, live.id)
        assert audit(clean).is_clean
        without = [e for e in envelopes_of(clean) if not (isinstance(e.event, UndoAccepted) and e.event.seat == 3)]
        report = audit(rehashed(clean, renumbered(without)))
        assert failed(report)["undo"] == asked.count + 1
        first = live.timeline.undone[0]
        forged = with_more(asked, (1, StepUndone(step=first)))
        assert failed(audit(forged)) == {"undo": asked.count + 1}

    def test_consent_that_undid_nothing(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="consent")
        move(ledger, live, 3)
        undo(ledger, live, 1)
        answer(ledger, live, 2, True)
        clean = from_store(ledger.store, live.id)
        assert audit(clean).is_clean
        *rest, undone = envelopes_of(clean)
        report = audit(rehashed(clean, renumbered(rest)))
        assert failed(report) == {"undo": clean.count}
        due = msgspec.json.encode(undone.event).decode()
        assert report["undo"].why == f"Undo is consent here, and that leads to {due} by seat {undone.actor}."

    def test_undone_as_soon_as_asked(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="consent")
        move(ledger, live, 3)
        step = live.head.step
        undo(ledger, live, 1)
        asked = from_store(ledger.store, live.id)
        assert audit(asked).is_clean
        last = envelopes_of(asked)[-1]
        undone = Envelope(last.match, 0, last.step, last.at, last.actor, StepUndone(step=step))
        report = audit(rehashed(asked, renumbered([*envelopes_of(asked), undone])))
        assert failed(report) == {"undo": asked.count + 1}
        assert report["undo"].why == "Undo is consent here, and that leads to nothing more."

    def test_consent_to_a_request_that_had_lapsed(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 3, players=THREE, undo="consent")
        move(ledger, live, 5)
        undo(ledger, live, 1, steps=2)
        move(ledger, live)
        clean = from_store(ledger.store, live.id)
        assert audit(clean).is_clean
        report = audit(with_more(clean, (2, UndoAccepted(seat=2))))
        assert failed(report) == {"undo": clean.count + 1}
        assert "Nobody has asked for an undo" in report["undo"].why

    def test_a_step_that_is_not_the_latest(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul(undo="free")
        move(ledger, live, 3)
        evidence = from_store(ledger.store, live.id)
        done = live.timeline.done
        assert audit(with_more(evidence, (1, StepUndone(step=done[-1])))).is_clean
        assert failed(audit(with_more(evidence, (1, StepUndone(step=done[-2]))))) == {"undo": evidence.count + 1}


class TestSignatures:
    """Whose word it is."""

    def test_without_a_trusted_key_a_signature_is_only_genuine(self) -> None:
        report = audit(signed(AZUL, STRANGER))
        assert report.is_clean
        assert "find out yourself" in report["signature"].why

    def test_with_one_it_must_be_that_key(self) -> None:
        assert audit(AZUL, [KEY.public]).is_clean
        report = audit(signed(AZUL, STRANGER), [KEY.public])
        assert failed(report) == {"signature": 1}
        assert STRANGER.fingerprint in report["signature"].why

    def test_a_strangers_signature_beside_ours_does_no_harm(self) -> None:
        both = [*AZUL.signatures, *signed(AZUL, STRANGER).signatures]
        assert audit(msgspec.structs.replace(AZUL, signatures=both), [KEY.public]).is_clean

    def test_a_closed_match_without_signature(self) -> None:
        bare = msgspec.structs.replace(AZUL, signatures=())
        assert audit(bare)["signature"].outcome == "skipped"
        assert failed(audit(bare, [KEY.public])) == {"signature": 1}
        early = sign_head(KEY, AZUL.match, 40, AZUL.rows[39].hash.hex())
        partly = msgspec.structs.replace(AZUL, signatures=[early])
        assert failed(audit(partly, [KEY.public])) == {"signature": 41}
        assert "events 41–" in audit(partly)["signature"].why

    def test_a_stranger_covers_nothing(self) -> None:
        """Ours over the first 40 events and a stranger's over all of them: the rest is as good as unsigned."""
        early = sign_head(KEY, AZUL.match, 40, AZUL.rows[39].hash.hex())
        partly = msgspec.structs.replace(AZUL, signatures=[early, *signed(AZUL, STRANGER).signatures])
        report = audit(partly, [KEY.public])
        assert failed(report) == {"signature": 41}
        assert f"signed by {STRANGER.fingerprint}, which is not a trusted key" in report["signature"].why

    def test_a_rewriting_is_put_between_two_signed_heads(self) -> None:
        early = sign_head(KEY, AZUL.match, 40, AZUL.rows[39].hash.hex())
        evidence = msgspec.structs.replace(AZUL, signatures=[early, *AZUL.signatures])
        seq, event = find(AZUL, LineTiled, -1)
        assert seq > 40
        assert isinstance(event, LineTiled)
        changed = with_event(evidence, seq, msgspec.structs.replace(event, column=event.column % 5 + 1))
        report = audit(msgspec.structs.replace(changed, signatures=evidence.signatures), [KEY.public])
        assert f"Events 41–{AZUL.count}" in report["signature"].why


class TestReceipts:
    """A player's proof."""

    RECEIPT = sign_head(KEY, AZUL.match, 30, AZUL.rows[29].hash.hex())

    def test_it_is_contained(self) -> None:
        report = audit(AZUL, [KEY.public], receipts=[self.RECEIPT])
        assert report["receipt"].outcome == "passed"

    def test_history_rewritten_before_it(self) -> None:
        seq, event = find(AZUL, TilesDrafted)
        assert seq <= 30
        assert isinstance(event, TilesDrafted)
        forged = with_event(AZUL, seq, msgspec.structs.replace(event, discarded=event.discarded + 1))
        assert failed(audit(forged, receipts=[self.RECEIPT]))["receipt"] == 30

    def test_history_cut_off_before_it(self) -> None:
        cut = rehashed(AZUL, [row.data for row in AZUL.rows[:10]], signatures=())
        assert failed(audit(cut)) == {}, "cut between two steps, nothing else shows it"
        assert failed(audit(cut, receipts=[self.RECEIPT])) == {"receipt": 11}

    def test_one_we_never_gave(self) -> None:
        forged = sign_head(STRANGER, AZUL.match, 30, AZUL.rows[29].hash.hex())
        assert failed(audit(AZUL, [KEY.public], receipts=[forged])) == {"receipt": 0}


class TestDisputes:
    """The order of a dispute."""

    OPENED = DisputeOpened(number=1, seat=2, words="I have 5.", of=2, claim=5)

    def test_opened_and_withdrawn(self) -> None:
        report = audit(with_more(AZUL, (2, self.OPENED), (2, DisputeWithdrawn(number=1, seat=2))))
        assert report.is_clean
        assert report["disputes"].why == "1 dispute"

    @pytest.mark.parametrize(
        "steps, offset",
        [
            ([(2, DisputeWithdrawn(number=1, seat=2))], 1),
            ([(2, OPENED), (2, OPENED)], 2),
            ([(2, OPENED), (1, DisputeWithdrawn(number=1, seat=1))], 2),
            ([(2, OPENED), (ARBITER, ResultFinalised("Ada", "", "", ()))], 2),
        ],
    )
    def test_out_of_order(self, steps: list[tuple[Actor, Event]], offset: int) -> None:
        assert failed(audit(with_more(AZUL, *steps))) == {"disputes": AZUL.count + offset}


class TestWhatCannotBeChecked:
    """An audit says what it could not look at, and why."""

    def test_an_open_match(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul()
        move(ledger, live, 4)
        report = audit(from_store(ledger.store, live.id))
        assert report.is_clean
        assert {v.check for v in report.verdicts if v.outcome == "skipped"} == {"draws", "result"}
        assert "events 6–9 are not signed" in report["signature"].why
        assert "secret hidden" in report["draws"].why

    def test_an_event_that_does_not_read(self) -> None:
        datas = [row.data for row in AZUL.rows]
        datas[49] = b"{}"
        report = audit(rehashed(AZUL, datas, signatures=()))
        assert failed(report) == {"format": 50}
        assert report["facts"].outcome == "skipped"
        assert report["facts"].why == "event 50 cannot be read; it and what follows were not checked"
        assert report.is_readable

    def test_rules_nobody_knows(self) -> None:
        datas = [row.data for row in AZUL.rows]
        datas[0] = datas[0].replace(b'"azul/2"', b'"azul/9"')
        report = audit(rehashed(AZUL, datas, signatures=()))
        assert failed(report) == {"format": 1}
        assert "'azul/9'" in report["format"].why
        assert not report.is_readable

    def test_a_source_without_hashes(self) -> None:
        rows = [row._replace(hash=b"") for row in AZUL.rows]
        report = audit(msgspec.structs.replace(AZUL, rows=rows, head="", signatures=()))
        assert report.is_clean
        assert report["chain"].outcome == "skipped"

    def test_the_events_after_an_illegal_one(self) -> None:
        seq, event = find(AZUL, TilesDrafted)
        assert isinstance(event, TilesDrafted)
        report = audit(with_event(AZUL, seq, msgspec.structs.replace(event, source=9)))
        assert failed(report) == {"actions": seq}
        assert "There is no display 9" in report["actions"].why
        assert report["facts"].why == f"not checked after event {seq}, where the record leaves the rules"

    def test_a_remark_of_the_reader_is_a_finding(self) -> None:
        report = audit(msgspec.structs.replace(AZUL, remarks=["line 40: the total says 12, the lines 11"]))
        assert failed(report) == {"record": 0}

    def test_lines_of_a_file_are_named(self) -> None:
        seq, event = find(AZUL, TilesDrafted)
        assert isinstance(event, TilesDrafted)
        forged = with_event(AZUL, seq, msgspec.structs.replace(event, source=9))
        assert audit(msgspec.structs.replace(forged, lines={seq: 31}))["actions"].line == 31


def test_a_finished_match_of_the_ledger_is_clean_whatever_the_clock_did(ledger: LocalLedger) -> None:
    """A clock set back does not make a history go back."""
    early, late = ledger.clock(), ledger.clock()
    ticks = cycle([late, early, early, late])
    jumping = LocalLedger(ledger.store, lambda: next(ticks))
    live = finish(jumping, open_match(jumping, "azul", 2, players=TWO))
    assert audit(from_store(ledger.store, live.id)).is_clean
