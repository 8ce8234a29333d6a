"""The judge of what may be signed: only what audits clean."""

from service.audit.engine import audit
from service.play.evidence import Evidence
from service.play.notary import Finding, Notary
from service.trust.arbiters import registered_arbiters
from service.trust.folder import former_keys, load_server_key
from service.trust.journal import Journal


def own_notary() -> Notary:
    """Signs with the key of this ledger whatever audits clean."""
    return Notary(load_server_key, former_keys, judge)


def judge(evidence: Evidence, journal: Journal | None) -> Finding | None:
    """The first finding about this evidence, by itself or held to a journal; None where it is clean."""
    first = audit(evidence, arbiters=registered_arbiters(), journal=journal).first
    return None if first is None else (first.seq, f"{first.check}: {first.why}")
