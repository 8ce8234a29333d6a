"""Signatures of records: heads are stated on export, signatures are checked and kept on import."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from events.chain import Row
from service.errors import Damaged, LedgerError, Refused
from service.play.evidence import Evidence
from service.play.ledger import LocalLedger
from service.play.notary import state
from service.store.shapes import Hearsay, Signature
from service.trust.statements import Signed, Statement, as_hearsay, is_genuine


class Vouched(NamedTuple):
    """A match as it is exported, and why the ledger does not vouch for it, if it does not."""

    evidence: Evidence
    refusal: LedgerError | None = None


def vouched(ledger: LocalLedger, evidence: Evidence) -> Vouched:
    """The match with the ledger's statement about its head beside what others signed.

    A head that somebody has signed already goes out as it is, so that a match from elsewhere stays what it was, byte
    for byte. Whatever does not audit clean, contradicts what was signed before, or cannot be signed now, goes out with
    all that speaks for it and against it, and with the reason.
    """
    if ledger.notary is None:
        return Vouched(evidence)
    foreign = list(evidence.signatures)
    if not evidence.is_broken and any(_is_over_head(signature, evidence) for signature in foreign):
        return Vouched(evidence)
    stated = next((said for said in reversed(evidence.stated) if _is_over_head(said, evidence)), None)
    if stated is None or evidence.is_broken:
        try:
            stated = state(ledger.notary, ledger.store, "exported", evidence, ledger.clock())
        except (Damaged, Refused) as refusal:
            return Vouched(replace(evidence, signatures=[*foreign, *evidence.stated]), refusal)
    return Vouched(replace(evidence, signatures=foreign if stated is None else [*foreign, stated]))


def _is_over_head(signature: Signed, evidence: Evidence) -> bool:
    is_claim = not isinstance(signature, Statement) or signature.claim != "kept"
    return is_claim and (signature.count, signature.head) == (evidence.count, evidence.head)


def check_signatures(evidence: Evidence, rows: Sequence[Row]) -> None:
    """Refuse a signature over another history, or one that its key did not make."""
    for signature in evidence.signatures:
        is_about_this = (
            signature.match == evidence.match
            and 1 <= signature.count <= len(rows)
            and signature.head == rows[signature.count - 1].hash.hex()
        )
        if not is_about_this or not is_genuine(signature):
            raise Refused(
                "record/signature",
                f"{evidence.source}: the signature over event {signature.count} of match {evidence.match} does not"
                f" hold (key {signature.key[:16]}…); the record was changed, or the signature was.",
            )


class SaidByOthers(NamedTuple):
    """What others signed about a match: bare signatures over its heads, and statements."""

    signatures: list[Signature]
    hearsay: list[Hearsay]


def said_by_others(ledger: LocalLedger, evidence: Evidence) -> SaidByOthers:
    """What others signed about a match that comes in; what this ledger stated itself is in its journal."""
    bare = [signature for signature in evidence.signatures if isinstance(signature, Signature)]
    own = {(entry.data, entry.signature) for entry in ledger.store.entries(evidence.match)}
    stated = [as_hearsay(signature) for signature in evidence.signatures if isinstance(signature, Statement)]
    return SaidByOthers(bare, [said for said in stated if (said.data, said.signature) not in own])
