"""A house at a server: what is done goes over the client, and whatever is shown is made here."""

from collections.abc import Collection, Sequence
from secrets import token_hex

from msgspec.structs import replace

from events.core import Seat
from events.dispute import SignedEvent
from events.match import StepUndone
from service.audit import audit
from service.audit.report import Report
from service.disputes import cases
from service.disputes.cases import Adjust
from service.errors import Damaged
from service.play import moves
from service.play.appending import ANY_HEAD, Call
from service.play.bots import bot_to_act
from service.play.evidence import Evidence
from service.play.history import Live
from service.play.ledger import NONCE_BYTES
from service.play.players import read_player
from service.records import write_jsonl
from service.records.files import evidence_in
from service.shell import requests
from service.shell.answers.questions import report_of
from service.shell.answers.refusals import refusal_of
from service.shell.backend.backend import Exported, ImportedMatch, say_who
from service.shell.backend.http_reader import HttpReader
from service.shell.backend.step_stream import StepStream
from service.shell.backend.token_file import ARBITER, HOST, Right
from service.store.shapes import PERSON, Appended
from service.trust.arbiters import Arbiter, signed
from service.trust.receipts import Receipt
from service.trust.statements import Signed


class HttpBackend(HttpReader):
    """A server as commands see it."""

    # ------------------------------------------------------------------------------------------------------- playing

    def open_match(self, wish: requests.NewMatch) -> Live:
        return self._opened(self.client.open_match(wish))

    def join(self, live: Live, name: str, seat: Seat | None, nonce: str) -> Appended:
        player, held = read_player(name), self.tokens.held(live.id)
        own = [right.seat for right in held if right.role == "seat" and right.seat not in live.table.nonces]
        if player.kind != PERSON:
            asking = self._with(live.id, HOST)
        elif held:  # who has the token of a free seat takes that one, and whoever may look at a private match may join
            wanted = seat if seat is not None else (own or [0])[0]
            asking = self._with(live.id, Right("seat", wanted), *held)
        else:
            asking = self.client
        if not nonce and player.kind == PERSON and live.opened.chance == "fair":
            nonce = token_hex(NONCE_BYTES)  # a share in the draws that the server did not choose
        done = asking.join(live.id, requests.Join(name=name, seat=seat, nonce=nonce))
        appended = self._done(live, done)
        taken = live.envelopes[done.first - 1].actor
        if done.token and isinstance(taken, int):
            self.tokens.keep(live.id, {Right("seat", taken): done.token})
        return appended

    def rename(self, text: str, seat: Seat, name: str) -> Live:
        match = self.load(text).id
        self._with(match, HOST, Right("seat", seat)).rename(match, seat, requests.Rename(name=name))
        return self._fetched(match)

    def move(self, live: Live, seat: Seat | None, text: str, call: Call = ANY_HEAD) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, lambda: moves.seat_to_act(live))
        return self._done(live, asking.act(live.id, requests.Act(move=text), **guards), call)

    def deal(self, live: Live, text: str | None, call: Call = ANY_HEAD) -> Appended:
        guards = self._guards(live, call)
        asking = self._member(live.id)
        return self._done(live, asking.deal(live.id, requests.Deal(outcome=text), **guards), call)

    def take_back(self, live: Live, seat: Seat | None, steps: int | None, call: Call = ANY_HEAD) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, lambda: moves.seat_to_take_back(live, steps))
        return self._done(live, asking.undo(live.id, requests.Steps(steps=steps), **guards), call)

    def play_again(self, live: Live, seat: Seat | None, steps: int | None, call: Call = ANY_HEAD) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, lambda: moves.seat_to_play_again(live))
        return self._done(live, asking.redo(live.id, requests.Steps(steps=steps), **guards), call)

    def answer_undo(self, live: Live, seat: Seat | None, accepts: bool, call: Call = ANY_HEAD) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, lambda: moves.seat_to_answer(live))
        answer = asking.accept if accepts else asking.decline
        return self._done(live, answer(live.id, **guards), call)

    def resign(self, live: Live, seat: Seat | None) -> Appended:
        return self._done(live, self._as_seat(live, seat, say_who).resign(live.id))

    def abandon(self, live: Live) -> Appended:
        return self._done(live, self._with(live.id, HOST).abandon(live.id))

    def replied(self, live: Live, appended: Appended | None = None) -> Live:
        now = self._fetched(live.id)
        if _awaits_bot(now):
            for _ in self._looking(live.id).live(live.id, now.head.seq):
                now = self._fetched(live.id)
                if not _awaits_bot(now):
                    break
        return now

    def fork(self, live: Live, step: int, chance: str, undo: str) -> Live:
        wish = requests.Fork(step=step, chance=chance, undo=undo)
        return self._opened(self._looking(live.id).fork(live.id, wish))

    # ---------------------------------------------------------------------------------------------- records and audits

    def _record(self, match: str, kind: str) -> tuple[bytes, Evidence]:
        data = self._looking(match).record(match, kind)
        return data, next(evidence_in(data, match))

    def export(self, text: str, kind: str) -> Exported:
        match = self.find(text)
        data, evidence = self._record(match, kind)
        return Exported(match, evidence.count, evidence.head, data)

    def bring_in(self, evidence: Evidence) -> ImportedMatch:
        (imported,) = self.client.import_record(write_jsonl(evidence))
        if imported.problem is not None:
            problem = replace(imported.problem, detail=imported.problem.detail.replace("record", evidence.source, 1))
            raise refusal_of(problem)
        if imported.token:
            self.tokens.keep(imported.match, {HOST: imported.token})
        self.tokens.touch(imported.match)
        return ImportedMatch(self._fetched(imported.match), imported.outcome == "present")

    def audit(
        self, text: str, keys: Sequence[str], arbiters: Sequence[str], receipts: Sequence[Signed]
    ) -> tuple[Evidence, Report]:
        """The server's own verdicts; held to keys, arbiters and receipts of one's own, a record is audited here."""
        match = self.find(text)
        if keys or arbiters or receipts:
            _, evidence = self._record(match, "jsonl")
            return evidence, audit(evidence, keys, receipts=receipts, arbiters=arbiters)
        report = report_of(self._looking(match).audit(match))
        try:
            return self.evidence(match), report
        except Damaged:  # the report says why
            return Evidence(match, match, [], 0, ""), report

    def receipt(self, text: str) -> Receipt:
        match = self.find(text)
        return self._member(match).give_receipt(match)

    # ------------------------------------------------------------------------------------------------------- disputes

    def open_dispute(
        self, live: Live, seat: Seat | None, words: str, about: int, of: Seat | None, claim: int | None, call: Call
    ) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, say_who)
        wish = requests.NewDispute(words=words, event=about, of=of, claim=claim)
        return self._done(live, asking.open_dispute(live.id, wish, **guards), call)

    def appeal(self, live: Live, number: int, seat: Seat | None, words: str, call: Call) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, say_who)
        return self._done(live, asking.appeal(live.id, number, requests.Appeal(words=words), **guards), call)

    def withdraw(self, live: Live, number: int, seat: Seat | None, call: Call) -> Appended:
        guards = self._guards(live, call)
        asking = self._as_seat(live, seat, say_who)
        return self._done(live, asking.withdraw(live.id, number, **guards), call)

    def rule(
        self, live: Live, number: int, by: Arbiter, rules: Sequence[str], reason: str, adjust: Adjust, call: Call
    ) -> Appended:
        event = cases.ruling(by, number, rules, reason, adjust)
        wish = requests.Ruling(
            **_signed_by(live, by, event), rules=list(rules), reason=reason, adjustments=_adjustments(adjust)
        )
        guards = self._guards(live, _at_head(live, call))
        asking = self._with(live.id, ARBITER)
        return self._done(live, asking.rule(live.id, number, wish, **guards), call)

    def decide(
        self,
        live: Live,
        number: int,
        by: Arbiter,
        upholds: bool,
        rules: Sequence[str],
        reason: str,
        adjust: Adjust,
        call: Call,
    ) -> Appended:
        event = cases.decision(by, number, upholds, rules, reason, adjust)
        wish = requests.AppealRuling(
            **_signed_by(live, by, event),
            rules=list(rules),
            reason=reason,
            adjustments=_adjustments(adjust),
            upheld=upholds,
        )
        guards = self._guards(live, _at_head(live, call))
        asking = self._with(live.id, ARBITER)
        return self._done(live, asking.decide(live.id, number, wish, **guards), call)

    def finalise(self, live: Live, by: Arbiter, call: Call) -> Appended:
        wish = requests.Final(**_signed_by(live, by, cases.final_result(by, live)))
        guards = self._guards(live, _at_head(live, call))
        return self._done(live, self._with(live.id, ARBITER).finalise(live.id, wish, **guards), call)

    # -------------------------------------------------------------------------------------------------------- company

    def own_seats(self, live: Live) -> Collection[Seat] | None:
        """The seats whose tokens this user has; whichever opens nothing any more is forgotten."""
        held = [(right, token) for right, token in self.tokens.held(live.id).items() if right.role == "seat"]
        return [right.seat for right, token in held if self._opens(live.id, right, token)]

    def news(self, live: Live) -> StepStream:
        return StepStream(self._looking(live.id).live(live.id, live.head.seq))

    # --------------------------------------------------------------------------------------------------------- tokens

    def give(self, match: str, right: Right) -> str:
        """A new token for somebody else; the one before opens nothing any more, and is not kept."""
        wish = requests.TokenWish(role=right.role, seat=right.seat)
        given = self._with(match, HOST).give_token(match, wish)
        self.tokens.forget(match, right)
        return given.token

    def revoke(self, match: str, right: Right) -> None:
        """Let a token open nothing any more."""
        self._with(match, HOST).revoke_token(match, right.role, right.seat)
        self.tokens.forget(match, right)

    def add(self, match: str, token: str) -> list[Right]:
        """Keep a token somebody gave, under what it allows."""
        rights = [Right(given.role, given.seat) for given in self.client.bearing(token).access(match)]
        self.tokens.keep(match, dict.fromkeys(rights, token))
        return rights


def _awaits_bot(live: Live) -> bool:
    """Whether bots are about to move; where somebody has just gone back, they wait."""
    return bot_to_act(live) is not None and not isinstance(live.envelopes[-1].event, StepUndone)


def _at_head(live: Live, call: Call) -> Call:
    """A signature is over the head that was looked at, and holds for no other."""
    return call if call.expected is not None else Call(live.head.seq, call.command)


def _signed_by(live: Live, by: Arbiter, event: SignedEvent) -> dict[str, str]:
    whole = signed(by, live.id, live.head.seq, live.head.hash, event)
    return {"arbiter": by.name, "key": by.key.public, "signature": whole.signature}


def _adjustments(adjust: Adjust) -> list[requests.Adjustment]:
    return [requests.Adjustment(seat=seat, points=points, rule=rule) for seat, points, rule in adjust]
