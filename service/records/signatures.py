"""The one place where records meet keys: heads are signed on export, signatures are checked and kept on import."""

from collections.abc import Sequence

import msgspec

from events.chain import Row
from service.errors import Refused
from service.play.evidence import Evidence
from service.play.ledger import Ledger
from service.trust.keys import verify_head


def with_signature(ledger: Ledger, evidence: Evidence) -> Evidence:
    """The evidence with the ledger's signature over its head, where the ledger signs; never over a broken chain."""
    if ledger.signer is None or not evidence.rows or evidence.is_broken:
        return evidence
    signature = ledger.signer(evidence.match, evidence.count, evidence.head)
    ledger.store.sign([signature], ledger.clock())
    if signature in evidence.signatures:
        return evidence
    return msgspec.structs.replace(evidence, signatures=[*evidence.signatures, signature])


def check_signatures(evidence: Evidence, rows: Sequence[Row]) -> None:
    """Refuse a signature over another history, or one that its key did not make."""
    for signature in evidence.signatures:
        is_about_this = (
            signature.match == evidence.match
            and 1 <= signature.count <= len(rows)
            and signature.head == rows[signature.count - 1].hash.hex()
        )
        if not is_about_this or not verify_head(signature):
            raise Refused(
                "record/signature",
                f"{evidence.source}: the signature over event {signature.count} of match {evidence.match} does not"
                f" hold (key {signature.key[:16]}…); the record was changed, or the signature was.",
            )


def keep_signatures(ledger: Ledger, evidence: Evidence) -> None:
    """Keep the signatures that came with an imported match."""
    if evidence.signatures:
        ledger.store.sign(evidence.signatures, ledger.clock())
