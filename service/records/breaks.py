"""Whether the events of a record follow from each other, and the first one that does not."""

from events.chain import link, origin
from events.codec import Undecodable, decode
from events.match import MatchOpened
from service.play.evidence import Evidence


def opening_of(evidence: Evidence) -> MatchOpened | None:
    """The event that opened the match, if the first one did."""
    try:
        event = decode(evidence.rows[0].data).event
    except (Undecodable, IndexError, TypeError):
        return None
    return event if isinstance(event, MatchOpened) else None


def first_break(evidence: Evidence) -> tuple[int, str] | None:
    """The first event that does not follow from the one before, and why; None when the whole chain holds."""
    return broken_row(evidence) or broken_end(evidence)


def broken_row(evidence: Evidence) -> tuple[int, str] | None:
    """The first event that is not what its hash or its place says."""
    hash_ = _origin(evidence)
    if hash_ is None:
        return 1, "it does not open a match"
    for position, row in enumerate(evidence.rows, start=1):
        hash_ = link(hash_, row.data) if isinstance(row.data, bytes) else b""
        if row.seq != position:
            return position, f"event {position} is missing" if row.seq > position else f"event {row.seq} stands twice"
        if row.hash and row.hash != hash_:
            return position, "it does not match its hash"
    return None


def broken_end(evidence: Evidence) -> tuple[int, str] | None:
    """What is wrong with the count or the head of events that follow from each other."""
    last = len(evidence.rows)
    if evidence.count != last:
        return last, f"{evidence.count} events are promised, and {last} are there"
    hash_ = _origin(evidence) or b""
    for row in evidence.rows:
        hash_ = link(hash_, row.data)
    return (last, "the head is not the hash after it") if evidence.head not in ("", hash_.hex()) else None


def _origin(evidence: Evidence) -> bytes | None:
    opened = opening_of(evidence)
    return None if opened is None else origin(evidence.match, opened.game, opened.ruleset)
