"""The check of disputes: every event in its order, by a party that may do it, signed where it must be."""

from collections.abc import Sequence
from typing import Final, get_args

from events.dispute import DisputeEvent, DisputeOpened
from projections.words import count
from service.audit.format import Reading
from service.audit.report import Findings
from service.disputes.procedure import faults
from service.play.evidence import Evidence

_DISPUTE_TYPES: Final = frozenset(get_args(DisputeEvent))


def check_disputes(evidence: Evidence, reading: Reading, arbiters: Sequence[str], findings: Findings) -> None:
    """Check the disputes of a match against their procedure."""
    opened = reading.kinds.count(DisputeOpened)
    findings.passed("disputes", count(opened, "dispute") if opened else "none")
    if not _DISPUTE_TYPES.isdisjoint(reading.kinds):
        for fault in faults(evidence.match, evidence.chain.links[: len(reading.kinds)], arbiters):
            findings.fail("disputes", fault.seq, fault.why)
