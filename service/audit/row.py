"""The check of side tables: the row a listing shows, the seats and the secret say what the events say."""

from collections.abc import Sequence

from events.core import Envelope, Seat
from events.match import MatchOpened, SeatTaken
from projections.words import count
from service.audit.format import Reading
from service.audit.report import Findings
from service.limits import quoted
from service.play.evidence import Evidence


def check_row(evidence: Evidence, reading: Reading, findings: Findings) -> None:
    """Compare what is kept beside the events with the events; a file keeps nothing beside them."""
    stored, envelopes, opened = evidence.stored, reading.envelopes, reading.opened
    if stored is None:
        return
    for seq, why in stored.flaws:
        findings.fail("row", seq, why)
    if stored.secret_flaw:
        findings.fail("draws", 1, f"In the ledger, {stored.secret_flaw}.")
    if opened is None:
        findings.skip(["row"], "there is no opening of a match to compare it with")
        return
    taken = frozenset(event.seat for event in reading.of_kind(SeatTaken))
    told = _told_by(opened, envelopes)
    if len(envelopes) == len(evidence.rows):
        told |= _told_by_the_end(evidence, reading, is_full=len(taken) == opened.seats)
    unlike = [
        f"{column} is {_quoted(stored.cells[column])}, the events say {_quoted(value)}"
        for column, value in told.items()
        if stored.cells[column] != value
    ]
    if len(envelopes) == len(evidence.rows) and stored.seats != taken:
        unlike.append(f"names are kept for seats {_listed(stored.seats)}, the events say {_listed(taken)}")
    if unlike:
        findings.fail("row", 0, f"{'; '.join(unlike)}.")
    findings.passed("row", f"{len(told)} columns and {count(len(taken), 'seat')} are what the events say")


def _told_by(opened: MatchOpened, envelopes: Sequence[Envelope]) -> dict[str, object]:
    """The columns that were settled when the match was opened."""
    return {
        "game": opened.game,
        "ruleset": opened.ruleset,
        "seats": opened.seats,
        "undo": opened.undo,
        "chance": opened.chance,
        "parent": opened.parent.match if opened.parent is not None else None,
        "opened_at": envelopes[0].at,
    }


def _told_by_the_end(evidence: Evidence, reading: Reading, *, is_full: bool) -> dict[str, object]:
    """The columns that every step moves on."""
    envelopes = reading.envelopes
    return {
        "status": "closed" if reading.closing else "playing" if is_full else "open",
        "moved_at": envelopes[-1].at,
        "head_seq": len(envelopes),
        "head_step": envelopes[-1].step,
        "head_hash": evidence.chain.head,
    }


def _quoted(value: object) -> str:
    if isinstance(value, bytes):
        return quoted(value.hex())
    return quoted(value.isoformat() if hasattr(value, "isoformat") else value)


def _listed(seats: frozenset[Seat]) -> str:
    return ", ".join(map(str, sorted(seats))) or "none"
