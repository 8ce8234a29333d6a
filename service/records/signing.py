"""The one place where records meet keys: heads are signed on export, signatures are checked and kept on import."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from service.errors import Refused
from service.evidence import Evidence
from service.ledger import Ledger
from service.records.breaks import first_break
from service.store.shapes import Row


def _module(name: str) -> Any:
    """A part of the installation that records work without."""
    return import_module(name) if find_spec(name) else None


def with_signature(ledger: Ledger, evidence: Evidence) -> Evidence:
    """The evidence with the ledger's signature over its head, where the ledger signs; never over a broken chain."""
    signing = _module("service.signing")
    if signing is None or first_break(evidence) is not None:
        return evidence
    signed: Evidence = signing.sign_present_head(ledger, evidence)
    return signed


def check_signatures(evidence: Evidence, rows: Sequence[Row]) -> None:
    """Refuse a signature over another history, or one that its key did not make."""
    keys = _module("service.keys")
    for signature in evidence.signatures:
        is_about_this = (
            signature.match == evidence.match
            and 1 <= signature.count <= len(rows)
            and signature.head == rows[signature.count - 1].hash.hex()
        )
        if not is_about_this or (keys is not None and not keys.verify_head(signature)):
            raise Refused(
                "record/signature",
                f"{evidence.source}: the signature over event {signature.count} of match {evidence.match} does not"
                f" hold (key {signature.key[:16]}…); the record was changed, or the signature was.",
            )


def keep_signatures(ledger: Ledger, evidence: Evidence) -> None:
    """Keep the signatures that came with an imported match."""
    sign = getattr(ledger.store, "sign", None)
    if sign is not None and evidence.signatures:
        sign(evidence.signatures, ledger.clock())
