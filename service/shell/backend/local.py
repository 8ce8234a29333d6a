"""A house whose ledger is on this machine: every request is a use case, called."""

from collections.abc import Sequence

from events.core import Seat
from service.audit.bulk import AuditTerms, audit_stored
from service.audit.report import Report
from service.disputes import cases
from service.disputes.cases import Adjust
from service.errors import LedgerError, UsageError
from service.play import fork, matches, moves
from service.play.appending import ANY_HEAD, Call
from service.play.evidence import Evidence, from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.notary import receipt_for
from service.play.players import read_player, read_players
from service.records import import_evidence, write_jsonl, write_text
from service.records.signatures import vouched
from service.shell.backend.backend import Exported, ImportedMatch, say_who
from service.shell.backend.reader import LocalReader
from service.shell.requests import NewMatch
from service.store.shapes import Appended
from service.trust.arbiters import Arbiter, registered_arbiters
from service.trust.receipts import Receipt
from service.trust.statements import Signed


def exported(ledger: LocalLedger, match: str, kind: str) -> Exported:
    """A match of a ledger as a record, with the reason where the ledger does not vouch for it."""
    evidence, refusal = vouched(ledger, from_store(ledger.store, match))
    data = write_text(evidence).encode() if kind == "text" else write_jsonl(evidence)
    return Exported(evidence.match, evidence.count, evidence.head, data, _why_unsigned(evidence, refusal))


def _why_unsigned(evidence: Evidence, refusal: LedgerError | None) -> str:
    if refusal is not None:
        return refusal.message
    return f"Match {evidence.match} is damaged; see: matchledger audit" if evidence.is_broken else ""


class LocalBackend(LocalReader):
    """The ledger of this machine. Everybody shares its keyboard."""

    def evidence(self, text: str) -> Evidence:
        return from_store(self.ledger.store, text)

    def open_match(self, wish: NewMatch) -> Live:
        if wish.private:
            raise UsageError("match/private", "Only a server keeps private matches; --server names one.")
        return matches.open_match(
            self.ledger,
            wish.game,
            wish.seats,
            options=wish.options,
            undo=wish.undo,
            chance_mode=wish.chance,
            seed=wish.seed,
            confirm_reveals=wish.confirm_reveals,
            players=read_players(wish.players),
            arbiters=wish.arbiters,
            dispute_within=wish.dispute_within,
            appeal_within=wish.appeal_within,
        )

    def join(self, live: Live, name: str, seat: Seat | None, nonce: str) -> Appended:
        return matches.join(self.ledger, live, read_player(name)._replace(nonce=nonce), seat)

    def rename(self, text: str, seat: Seat, name: str) -> Live:
        found = self.ledger.store.find(text).id
        self.ledger.store.rename(found, seat, name)
        return self.load(found)

    def move(self, live: Live, seat: Seat | None, text: str, call: Call = ANY_HEAD) -> Appended:
        return moves.move(self.ledger, live, seat, text, call)

    def deal(self, live: Live, text: str | None, call: Call = ANY_HEAD) -> Appended:
        return moves.deal(self.ledger, live, text, call)

    def take_back(self, live: Live, seat: Seat | None, steps: int | None, call: Call = ANY_HEAD) -> Appended:
        return moves.take_back(self.ledger, live, seat, steps, call)

    def play_again(self, live: Live, seat: Seat | None, steps: int | None, call: Call = ANY_HEAD) -> Appended:
        return moves.play_again(self.ledger, live, seat, steps, call)

    def answer_undo(self, live: Live, seat: Seat | None, accepts: bool, call: Call = ANY_HEAD) -> Appended:
        return moves.answer_undo(self.ledger, live, seat, accepts, call)

    def resign(self, live: Live, seat: Seat | None) -> Appended:
        return matches.resign(self.ledger, live, say_who() if seat is None else seat)

    def abandon(self, live: Live) -> Appended:
        return matches.abandon(self.ledger, live)

    def replied(self, live: Live, appended: Appended | None = None) -> Live:
        return moves.replied(self.ledger, live, appended)

    def fork(self, live: Live, step: int, chance: str, undo: str) -> Live:
        return fork.fork(self.ledger, live, step, chance_mode=chance, undo=undo)

    def export(self, text: str, kind: str) -> Exported:
        return exported(self.ledger, text, kind)

    def bring_in(self, evidence: Evidence) -> ImportedMatch:
        was_there = bool(self.ledger.store.rows(evidence.match))
        return ImportedMatch(import_evidence(self.ledger, evidence), was_there)

    def audit(
        self, text: str, keys: Sequence[str], arbiters: Sequence[str], receipts: Sequence[Signed]
    ) -> tuple[Evidence, Report]:
        return audit_stored(self.ledger.store, text, AuditTerms(keys, [*arbiters, *registered_arbiters()], receipts))

    def receipt(self, text: str) -> Receipt:
        evidence = self.evidence(text)
        assert self.ledger.notary is not None
        return receipt_for(self.ledger.notary, self.ledger.store, evidence, self.ledger.clock())

    def open_dispute(
        self, live: Live, seat: Seat | None, words: str, about: int, of: Seat | None, claim: int | None, call: Call
    ) -> Appended:
        return cases.open_dispute(
            self.ledger, live, say_who() if seat is None else seat, words, about=about, of=of, claim=claim, call=call
        )

    def appeal(self, live: Live, number: int, seat: Seat | None, words: str, call: Call) -> Appended:
        return cases.appeal(self.ledger, live, number, say_who() if seat is None else seat, words, call)

    def withdraw(self, live: Live, number: int, seat: Seat | None, call: Call) -> Appended:
        return cases.withdraw(self.ledger, live, number, say_who() if seat is None else seat, call)

    def rule(
        self, live: Live, number: int, by: Arbiter, rules: Sequence[str], reason: str, adjust: Adjust, call: Call
    ) -> Appended:
        known = registered_arbiters()
        return cases.rule(
            self.ledger, live, number, by, rules=rules, reason=reason, adjust=adjust, registered=known, call=call
        )

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
        return cases.decide(
            self.ledger,
            live,
            number,
            by,
            upholds=upholds,
            rules=rules,
            reason=reason,
            adjust=adjust,
            registered=registered_arbiters(),
            call=call,
        )

    def finalise(self, live: Live, by: Arbiter, call: Call) -> Appended:
        return cases.finalise(self.ledger, live, by, registered=registered_arbiters(), call=call)

    def own_seats(self, live: Live) -> None:
        return None

    def news(self, live: Live) -> None:
        return None
