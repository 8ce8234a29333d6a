"""Disputes as use cases: open, rule, appeal, decide, withdraw, finalise. Each appends one signed or seated fact."""

from collections.abc import Collection, Sequence
from datetime import datetime

from events.core import ScoreLine, Seat
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    ResultFinalised,
    SignedEvent,
)
from projections.disputes import RULING, Docket, docket_of
from service.disputes.procedure import actor_of, arbiters_of, judge
from service.errors import Refused
from service.play.appending import ANY_HEAD, Call, Decided, carry_out, refuse_nothing
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.questions.rulebook import check_citation
from service.store.shapes import Appended
from service.trust.arbiters import Arbiter, signed

Adjust = Sequence[tuple[Seat, int, str]]
"""Adjustments as an arbiter gives them: seat, points, and the rule they rest on."""


def docket(live: Live) -> Docket:
    """The disputes of a match in hand."""
    return docket_of(live.envelopes)


def open_dispute(
    ledger: LocalLedger,
    live: Live,
    seat: Seat,
    words: str,
    *,
    about: int = 0,
    of: Seat | None = None,
    claim: int | None = None,
    call: Call = ANY_HEAD,
) -> Appended:
    """Dispute an event, or with `about` 0 a total: any time in play, and as long as agreed after the closing."""
    number = len(docket(live).disputes) + 1
    whose = seat if of is None else of
    event = DisputeOpened(number=number, seat=seat, of=whose, words=words.strip(), about=about, claim=claim)
    return _append(ledger, live, event, call, ("dispute-open", seat, words, about, of, claim))


def appeal(ledger: LocalLedger, live: Live, number: int, seat: Seat, words: str, call: Call = ANY_HEAD) -> Appended:
    """Appeal against a ruling, once; any seat may, for a ruling touches all of them."""
    event = DisputeAppealed(number=number, seat=seat, words=words.strip())
    return _append(ledger, live, event, call, ("dispute-appeal", number, seat, words))


def withdraw(ledger: LocalLedger, live: Live, number: int, seat: Seat, call: Call = ANY_HEAD) -> Appended:
    """Take a dispute back before it is ruled; only the seat that opened it may."""
    return _append(ledger, live, DisputeWithdrawn(number=number, seat=seat), call, ("dispute-withdraw", number, seat))


def rule(
    ledger: LocalLedger,
    live: Live,
    number: int,
    by: Arbiter,
    *,
    rules: Sequence[str],
    reason: str,
    adjust: Adjust = (),
    registered: Collection[str] = (),
    call: Call = ANY_HEAD,
) -> Appended:
    """Rule on a dispute: the rules it rests on, the reason, and adjustments or none."""
    event = ruling(by, number, rules, reason, adjust)
    return _append_signed(ledger, live, event, by, registered, call, ("dispute-rule", number, rules, reason, adjust))


def decide(
    ledger: LocalLedger,
    live: Live,
    number: int,
    by: Arbiter,
    *,
    upholds: bool,
    rules: Sequence[str],
    reason: str,
    adjust: Adjust = (),
    registered: Collection[str] = (),
    call: Call = ANY_HEAD,
) -> Appended:
    """Decide an appeal: uphold the ruling, or overturn it and put these adjustments, or none, in its place."""
    event = decision(by, number, upholds, rules, reason, adjust)
    request = ("dispute-decide", number, upholds, rules, reason, adjust)
    return _append_signed(ledger, live, event, by, registered, call, request)


def finalise(
    ledger: LocalLedger, live: Live, by: Arbiter, *, registered: Collection[str] = (), call: Call = ANY_HEAD
) -> Appended:
    """Declare the ruled result final; nothing can be disputed afterwards."""
    event = final_result(by, live)
    return _append_signed(ledger, live, event, by, registered, call, ("dispute-final",))


# -------------------------------------------------------------------------------- what an arbiter signs, still unsigned


def ruling(by: Arbiter, number: int, rules: Sequence[str], reason: str, adjust: Adjust) -> DisputeRuled:
    """A ruling on a dispute."""
    return DisputeRuled(
        number=number,
        arbiter=by.name,
        key=by.key.public,
        signature="",
        rules=_cited(rules, adjust),
        reason=reason.strip(),
        scores=_lines(number, adjust),
    )


def decision(
    by: Arbiter, number: int, upholds: bool, rules: Sequence[str], reason: str, adjust: Adjust
) -> AppealDecided:
    """A decision on an appeal."""
    return AppealDecided(
        number=number,
        arbiter=by.name,
        key=by.key.public,
        signature="",
        upheld=upholds,
        rules=_cited(rules, adjust),
        reason=reason.strip(),
        scores=_lines(number, adjust),
    )


def final_result(by: Arbiter, live: Live) -> ResultFinalised:
    """That the ruled result of a match as it stands is final."""
    return ResultFinalised(arbiter=by.name, key=by.key.public, signature="", standings=docket(live).ruled)


def _append_signed(
    ledger: LocalLedger,
    live: Live,
    event: SignedEvent,
    by: Arbiter,
    registered: Collection[str],
    call: Call,
    request: tuple[object, ...],
) -> Appended:
    arbiters = arbiters_of(live.table.opened, registered)
    if not arbiters:
        raise Refused(
            "dispute/no-arbiter",
            f"Match {live.id} pins no arbiter and the ledger has none registered, so nobody can rule.",
        )
    return _append(ledger, live, event, call, request, arbiters, by)


def _append(
    ledger: LocalLedger,
    live: Live,
    event: DisputeEvent,
    call: Call,
    request: tuple[object, ...],
    arbiters: Collection[str] = (),
    by: Arbiter | None = None,
) -> Appended:
    def decide(at: datetime) -> Decided:
        # Judged by the moment it is recorded with: an audit comes to the same conclusion.
        judge(docket(live), event, at, arbiters)
        if not isinstance(event, SignedEvent):
            return Decided([[(actor_of(event), event)]])
        assert by is not None
        head = live.head
        return Decided([[(actor_of(event), signed(by, live.id, head.seq, head.hash, event))]])

    return carry_out(ledger, live, call, request, refuse_nothing, decide)


def _cited(rules: Sequence[str], adjust: Adjust) -> tuple[str, ...]:
    """The rules of a ruling, those of its adjustments included."""
    return tuple(dict.fromkeys(check_citation(text) for text in (*rules, *(rule for _, _, rule in adjust))))


def _lines(number: int, adjust: Adjust) -> tuple[ScoreLine, ...]:
    return tuple(
        ScoreLine(seat, check_citation(rule), RULING, points, points, {"dispute": number})
        for seat, points, rule in adjust
    )
