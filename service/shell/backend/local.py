"""A ledger on this machine: every command is carried out here."""

from collections.abc import Sequence

from service import handle
from service.audit.bulk import AuditTerms, audit_stored
from service.audit.report import Report
from service.errors import LedgerError, Refused
from service.play import moves
from service.play.appending import ANY_HEAD, Call
from service.play.commands import Command, Fork, OpenMatch
from service.play.evidence import Evidence, from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.notary import receipt_for
from service.play.simulate import audited
from service.records import import_evidence, write_jsonl, write_text
from service.records.signatures import vouched
from service.shell.backend.backend import Exported, ImportedMatch
from service.shell.backend.reader import LocalReader
from service.store.shapes import Append, Appended
from service.trust.arbiters import registered_arbiters
from service.trust.receipts import Receipt
from service.trust.statements import Signed


def exported(ledger: LocalLedger, match: str, kind: str) -> Exported:
    """A match of a ledger as a record, with the reason where the ledger does not vouch for it."""
    evidence, refusal = vouched(ledger, from_store(ledger.store, match))
    data = write_text(evidence).encode() if kind == "text" else write_jsonl(evidence)
    return Exported(evidence.match, evidence.count, evidence.head, data, _why_unsigned(evidence, refusal), refusal)


def _why_unsigned(evidence: Evidence, refusal: LedgerError | None) -> str:
    if refusal is not None:
        return refusal.message
    return f"Match {evidence.match} is damaged; see: matchledger audit" if evidence.is_broken else ""


class LocalBackend(LocalReader):
    """The ledger of this machine. Everybody shares its keyboard."""

    def evidence(self, text: str) -> Evidence:
        return from_store(self.ledger.store, text)

    def send(self, live: Live, command: Command, call: Call = ANY_HEAD) -> Appended:
        return handle.handle(self.ledger, live, command, call)

    def open_match(self, command: OpenMatch, call: Call = ANY_HEAD) -> Live:
        return self._events_in_hand(handle.open_match(self.ledger, command, call))

    def fork(self, live: Live, command: Fork, call: Call = ANY_HEAD) -> Live:
        return self._events_in_hand(handle.fork(self.ledger, live, command, call))

    def _events_in_hand(self, live: Live) -> Live:
        return live if live.envelopes else self.read(live.id)  # the command had opened it before

    def replied(self, live: Live, appended: Appended | None = None) -> Live:
        return moves.replied(self.ledger, live, appended)

    def export(self, text: str, kind: str) -> Exported:
        return exported(self.ledger, text, kind)

    def import_record(self, evidence: Evidence) -> ImportedMatch:
        was_there = bool(self.ledger.store.rows(evidence.match))
        return ImportedMatch(import_evidence(self.ledger, evidence), was_there)

    def keep(self, append: Append) -> Live:
        notary = self.ledger.notary
        self.ledger.store.append(append if notary is None else audited(notary, append))
        return self.read(append.match)

    def audit(
        self, text: str, keys: Sequence[str], arbiters: Sequence[str], receipts: Sequence[Signed]
    ) -> tuple[Evidence, Report]:
        is_ours = self.ledger.notary is not None
        terms = AuditTerms(keys, [*arbiters, *registered_arbiters()], receipts, is_ours=is_ours)
        return audit_stored(self.ledger.store, text, terms)

    def receipt(self, text: str) -> Receipt:
        if self.ledger.notary is None:
            raise Refused("trust/unsigned", "This ledger is gone when it is closed, and signs nothing.")
        return receipt_for(self.ledger.notary, self.ledger.store, self.evidence(text), self.ledger.clock())

    def own_seats(self, live: Live) -> None:
        return None

    def news(self, live: Live) -> None:
        return None
