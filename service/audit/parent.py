"""The check of a fork against the match it was forked from, where that one is in the same ledger."""

from collections.abc import Sequence
from typing import Final

from events.chain import Chain, Link
from events.core import Actor, Envelope, Event
from events.match import MatchOpened, Provenance, SeatTaken
from projections.timeline import effective, is_play
from projections.words import count
from service.audit.report import Findings
from service.audit.words import difference, in_json
from service.limits import quoted
from service.play.evidence import Evidence

_TAKEN_OVER: Final = ("game", "ruleset", "seats", "options")
"""What a fork cannot change about the match it continues."""

Taken = tuple[int, Actor, Event]
"""An event as a fork takes it over: which of the steps in effect it belongs to, who acted, and what happened."""


def check_parent(
    evidence: Evidence, envelopes: Sequence[Envelope], opened: MatchOpened | None, findings: Findings
) -> None:
    """Check a fork against its parent: the place it names, what was agreed, and every event it took over.

    Whether the parent itself is sound is for an audit of the parent to say.
    """
    if evidence.stored is None or opened is None or opened.parent is None:
        return
    provenance, rows = opened.parent, evidence.stored.parent
    if rows is None:
        findings.skip(["parent"], f"match {provenance.match}, which it was forked from, is not in this ledger")
        return
    links = Chain(provenance.match, rows).links
    last = max((link.envelope.step for link in links if link.envelope is not None), default=0)
    before = _up_to(links, provenance.step)
    if last < provenance.step:
        findings.skip(["parent"], f"match {provenance.match} ends with step {last} here, before step {provenance.step}")
        return
    if before is None:
        findings.skip(["parent"], f"match {provenance.match} cannot be read up to step {provenance.step}; audit it")
        return
    _check_place(opened, provenance, before, findings)
    inherited = _check_events(envelopes, [envelope for _, envelope in before], findings)
    where = f"step {provenance.step} of match {provenance.match}"
    findings.passed("parent", f"{count(inherited, 'event')} taken over, as they stand in effect after {where}")


def _up_to(links: Sequence[Link], step: int) -> list[tuple[Link, Envelope]] | None:
    """The parent as far as it was forked; None where one of these events cannot be read."""
    found = []
    for link in links:
        if link.envelope is None:
            return None
        if link.envelope.step > step:
            break
        found.append((link, link.envelope))
    return found


def _check_place(
    opened: MatchOpened, provenance: Provenance, before: Sequence[tuple[Link, Envelope]], findings: Findings
) -> None:
    first = before[0][1].event
    if not isinstance(first, MatchOpened):
        findings.fail("parent", 1, f"Match {provenance.match}, which it was forked from, is not opened by its event 1.")
        return
    for name in _TAKEN_OVER:
        ours, theirs = getattr(opened, name), getattr(first, name)
        if ours != theirs:
            what = f"{name} {in_json(ours)}, the match it was forked from has {in_json(theirs)}"
            findings.fail("parent", 1, f"It was opened with {what}.")
    hash_ = before[-1][0].hash.hex()
    if provenance.hash != hash_:
        why = f"step {provenance.step} of match {provenance.match} ends with hash {hash_[:16]}…"
        findings.fail("parent", 1, f"It names hash {quoted(provenance.hash)}; {why}")
    draws = sum(envelope.event.by_chance for envelope in effective([envelope for _, envelope in before]))
    if provenance.draws != draws:
        findings.fail("parent", 1, f"It says that {provenance.draws} draws were taken over; there are {draws}.")


def _check_events(envelopes: Sequence[Envelope], before: Sequence[Envelope], findings: Findings) -> int:
    """Compare the seats and the play taken over, event by event; the number there is to take over."""
    nonces = {event.seat: event.nonce for envelope in before if isinstance(event := envelope.event, SeatTaken)}
    for position, envelope in enumerate(envelopes, start=1):
        event = envelope.event
        if isinstance(event, SeatTaken) and nonces.get(event.seat) != event.nonce:
            told = "no such seat" if event.seat not in nonces else f"nonce {quoted(nonces[event.seat])}"
            why = f"nonce {quoted(event.nonce)}, the match it was forked from has {told}"
            findings.fail("parent", position, f"Seat {event.seat} has {why}.")
    expected = _numbered([envelope for envelope in effective(before) if is_play(envelope)])
    played = [(position, envelope) for position, envelope in enumerate(envelopes, start=1) if is_play(envelope)]
    found = _numbered([envelope for _, envelope in played])
    for place, (due, taken) in enumerate(zip(expected, found, strict=False)):
        if due != taken:
            why = (
                difference(due[2], taken[2])
                if due[:2] == taken[:2]
                else f"{in_json(due)} was due, not {in_json(taken)}"
            )
            findings.fail("parent", played[place][0], f"It is not what was taken over: {why}.")
            break
    else:
        if len(found) < len(expected):
            why = f"{len(expected)} events of play were to be taken over, {len(found)} are here."
            taken_over = (MatchOpened, SeatTaken)
            others = (
                position
                for position, envelope in enumerate(envelopes, start=1)
                if not isinstance(envelope.event, taken_over) and not is_play(envelope)
            )
            findings.fail("parent", next(others, len(envelopes) + 1), why)
    return len(expected)


def _numbered(envelopes: Sequence[Envelope]) -> list[Taken]:
    """Events with the number of their step among those given: a fork counts its steps anew."""
    numbers: dict[int, int] = {}
    return [(numbers.setdefault(envelope.step, len(numbers)), envelope.actor, envelope.event) for envelope in envelopes]
