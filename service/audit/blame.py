"""Crash diagnosis: an unforeseen failure is blamed on a match that does not audit clean, or is our own."""

from service.audit.engine import audit
from service.errors import Damaged
from service.play.evidence import Evidence


def unsound(evidence: Evidence, error: Exception) -> Damaged | None:
    """What a failure over this match is answered with, if the match is to blame for it; None where it is sound."""
    first = audit(evidence).first
    if first is None:
        return None
    about = f"{evidence.source} cannot be replayed ({type(error).__name__})"
    where = f"event {first.seq}: " if first.seq else ""
    message = f"{about}: {where}{first.why} See: matchledger audit."
    return Damaged("ledger/unsound", message, evidence.match, first.seq)
