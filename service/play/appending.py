"""The append pipeline, which every command goes through: identify, refuse, decide, complete, append."""

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from events.chain import Row, link
from events.codec import encode
from events.core import Actor, Envelope, Event, Seat
from events.match import MatchOpened, StepRedone, StepUndone
from projections.fold import Table, after, fold
from service.errors import Conflict, LedgerError, NotFound, Refused
from service.play.history import History, Live
from service.play.ledger import LocalLedger
from service.play.notary import about_step
from service.store.shapes import (
    Append,
    Appended,
    CommandKey,
    Grant,
    Head,
    NewMatchRow,
    SeatRow,
)
from service.trust.journal import read_entry
from service.trust.statements import Kind

if TYPE_CHECKING:  # keys are for those who sign
    from service.trust.arbiters import Arbiter

Entry = tuple[Actor, Event]
"""Who did what."""
Step = Sequence[Entry]
"""What is appended together, with the chance that answers it."""


class Call(Struct, frozen=True):
    """How a command is guarded, and who sends it; all of it comes from the door, nothing from the command itself."""

    expected: int | None = None
    """The head the caller looked at: another one is a Conflict."""
    command: str | None = None
    """An id that makes a repetition harmless."""
    seat: Seat | None = None
    """Whose token it came with, or who was named; None where that follows from the match."""
    arbiter: "Arbiter | None" = None
    """Who signs it, where it is a ruling."""
    grants: Sequence[Grant] = ()
    """What the tokens of a new match allow; a ledger that gives no tokens has no private matches."""
    token_hash: bytes | None = None
    """The hash of the token that acts for a seat from now on, for whoever sits down."""


ANY_HEAD = Call()


class Decided(Struct, frozen=True):
    """What a request leads to."""

    steps: Sequence[Step]
    seats: Sequence[SeatRow] = ()
    """Who sat down on the way."""
    grants: Sequence[Grant] = ()
    """What tokens given on the way allow."""
    table: Table | None = None
    """The table it leads to, where deciding has come that far."""


Refuse = Callable[[History], None]
"""Raises a refusal where a match is not in a state for the request."""
Decide = Callable[[datetime], Decided]
"""What a request leads to if it is carried out at that moment, or a refusal."""


def carry_out(
    ledger: LocalLedger, live: Live, call: Call, request: Sequence[object], refuse: Refuse, decide: Decide
) -> Appended:
    """Carry out what the caller sent as `request`, once.

    A repeated command gives its first outcome, whatever the same words would mean by now; a stale look is a Conflict,
    which explains every refusal that would follow. Nothing is appended unless everything is decided.
    """
    command = identify(call, request)
    try:
        check_head(live, call)
        refuse(live)
        # A clock may be set back, and another process may be ahead of ours; the times of a history never go back.
        at = max(ledger.clock(), live.envelopes[-1].at)
        return append(ledger, live, decide(at), at, command=command)
    except LedgerError:
        # What is asked for again is mostly refused by now. If it is not, the append finds the command; so nobody has
        # to look for it who asks for the first time.
        if command is not None and (earlier := ledger.store.earlier(live.id, command)):
            return earlier
        raise


def check_head(live: Live, call: Call) -> None:
    """Refuse a caller who looked at another head than the present one."""
    if call.expected is not None and call.expected != live.head.seq:
        raise Conflict(
            "store/stale-head",
            f"You looked at event {call.expected}; match {live.id} is at event {live.head.seq} now.",
        )


def identify(call: Call, request: Sequence[object]) -> CommandKey | None:
    """The caller's command id bound to what was sent, so that the id cannot be reused for something else."""
    if call.command is None:
        return None
    return CommandKey(id=call.command, fingerprint=sha256(msgspec.json.encode(request)).digest())


def append(
    ledger: LocalLedger,
    live: Live,
    decided: Decided,
    at: datetime,
    *,
    command: CommandKey | None = None,
    new: NewMatchRow | None = None,
) -> Appended:
    """Append the steps, and only then let the match in hand move on; what the journal says of them goes with them."""
    before = live.head
    envelopes, rows, head = compose(live.id, before, decided.steps, at)
    history = [*live.envelopes, *envelopes]
    table = decided.table
    if table is None:
        events = [envelope.event for envelope in envelopes]
        if any(
            isinstance(event, StepUndone | StepRedone) for event in events
        ):  # undo and redo change the past: fold again
            table = fold(live.game.projection, history)
        else:
            table = after(live.game.projection, live.table, events)
    entries = None
    if (kind := _stated_as(live, decided, table)) is not None and ledger.notary is not None:
        # Signed with the append: a key that cannot be used, or a match that does not hold, refuses the step as a whole.
        origin = new.parent if new is not None else None
        said = about_step(ledger.notary, ledger.store, kind, live.id, rows, head, origin)
        entries = ledger.notary.entries([said], at)
    appended = ledger.store.append(
        Append(
            match=live.id,
            expected=before.seq,
            rows=rows,
            head=head,
            status=table.status,
            at=at,
            new=new,
            seats=decided.seats,
            command=command,
            entries=entries,
            grants=decided.grants,
        )
    )
    if not appended.repeated:
        live.stated = read_entry(appended.entries[-1]) if appended.entries else None
        live.envelopes, live.folded = history, table
        live.hashes = [*live.hashes, *[row.hash for row in rows]]
        if decided.seats:
            live.seats.update({row.seat: row for row in decided.seats})
    return appended


def _stated_as(live: Live, decided: Decided, table: Table) -> Kind | None:
    """As what a step goes into the journal; None for one that does not."""
    if not live.envelopes:
        return "opened"
    if table.closed is not None:
        return "closed" if live.table.closed is None else "added"
    return "joined" if decided.seats else None


def compose(match: str, head: Head, steps: Sequence[Step], at: datetime) -> tuple[list[Envelope], list[Row], Head]:
    """Envelopes and rows that continue a match, one step after the other, and the head they lead to."""
    seq, step, hash_ = head.seq, head.step, head.hash
    envelopes: list[Envelope] = []
    rows: list[Row] = []
    for entries in steps:
        step += 1
        for actor, event in entries:
            seq += 1
            envelope = Envelope(match, seq, step, at, actor, event)
            data = encode(envelope)
            hash_ = link(hash_, data)
            envelopes.append(envelope)
            rows.append(Row(seq, data, hash_))
    return envelopes, rows, Head(seq=seq, step=step, hash=hash_)


def new_match(opened: MatchOpened, secret: bytes | None = None, seed: str = "") -> NewMatchRow:
    """What the store keeps about a match from its opening on."""
    return NewMatchRow(
        game=opened.game,
        ruleset=opened.ruleset,
        seats=opened.seats,
        undo=opened.undo,
        chance=opened.chance,
        parent=opened.parent.match if opened.parent else None,
        secret=secret,
        seed=seed,
    )


# --------------------------------------------------------------------------------------------------------- refusing


def refuse_nothing(live: History) -> None:
    """The request has its own conditions."""


def refuse_closed(live: History) -> None:
    """Refuse a match that is over."""
    if live.table.closed is not None:
        raise Refused("match/closed", f"Match {live.id} is closed ({live.table.closed.reason}); fork it to play on.")


def refuse_unplayable(live: History) -> None:
    """Refuse a match that has not begun or is over."""
    refuse_closed(live)
    if not live.table.is_full:
        free = [seat for seat in range(1, live.opened.seats + 1) if seat not in live.table.nonces]
        raise Refused("match/not-started", f"Seat {free[0]} is still free; `join` it first.")


def check_seat(opened: MatchOpened, seat: Seat) -> None:
    """Refuse a seat that is not at the table."""
    if not 1 <= seat <= opened.seats:
        raise NotFound("match/seat", f"There is no seat {seat}; choose 1–{opened.seats}.")
