"""The audit as the judge of what may be signed."""

from service.audit.engine import audit
from service.play.evidence import Evidence
from service.play.notary import Finding, Notary
from service.trust.arbiters import registered_arbiters
from service.trust.folder import former_keys, load_server_key


def own_notary() -> Notary:
    """Signs with the key of this ledger whatever audits clean."""
    return Notary(load_server_key, former_keys, judge)


def judge(evidence: Evidence) -> Finding | None:
    """The first finding about this evidence, by itself; None where it is clean."""
    first = audit(evidence, arbiters=registered_arbiters()).first
    return None if first is None else (first.seq, f"{first.check}: {first.why}")
