"""Disputes held to their procedure: every fact in its order, by whom it may come, signed where it must be."""

from collections.abc import Sequence
from typing import Final, get_args

from events.core import Envelope
from events.dispute import DisputeEvent, DisputeOpened
from projections.words import count
from service.audit.report import Findings
from service.disputes.procedure import faults
from service.play.evidence import Evidence

_DISPUTE_TYPES: Final = frozenset(get_args(DisputeEvent))


def check_disputes(
    evidence: Evidence, envelopes: Sequence[Envelope], arbiters: Sequence[str], findings: Findings
) -> None:
    """Hold the disputes of a match to their procedure."""
    opened = sum(isinstance(envelope.event, DisputeOpened) for envelope in envelopes)
    findings.passed("disputes", count(opened, "dispute") if opened else "none")
    if any(type(envelope.event) in _DISPUTE_TYPES for envelope in envelopes):
        for fault in faults(evidence.match, evidence.chain.links[: len(envelopes)], arbiters):
            findings.fail("disputes", fault.seq, fault.why)
