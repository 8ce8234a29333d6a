"""Import of a match from elsewhere: whole or not at all, and never over another history."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from events.chain import Row
from events.core import Envelope, Seat
from events.match import MatchClosed, Provenance
from projections.fold import Table, fold
from service.errors import Refused, UsageError
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import by_ruleset
from service.limits import NUMBER, bounded
from service.play.appending import new_match
from service.play.evidence import Evidence
from service.play.history import Live
from service.play.ledger import LocalLedger, check_id
from service.play.notary import claim_for, draft
from service.records.header import check_name, check_remarks
from service.records.problems import BadRecord
from service.records.signatures import check_signatures, said_by_others
from service.store.shapes import PERSON, Append, Entries, Grant, Head, SeatRow
from service.trust.journal import read_entry

_TIME: Final = re.compile(rb'"at":"[^"]*"')
"""In the bytes of an event, which begin with match, place, step and time."""


class Checked(NamedTuple):
    """Evidence that holds together: the events, the table they fold to and the rows to store."""

    game: Game
    envelopes: list[Envelope]
    table: Table
    rows: list[Row]


def check_evidence(evidence: Evidence) -> Checked:
    """Refuse evidence that is not whole, does not chain, cannot be read or does not fold."""
    _check_bounds(evidence)
    # A changed line comes before whatever it made unreadable further down.
    if (evidence.rows or evidence.is_whole) and (broken := evidence.broken_row):
        raise _changed(evidence, *broken)
    if not evidence.is_whole:
        raise Refused("record/broken", _in_file(evidence, evidence.remarks[-1]))
    if broken := evidence.broken_end:
        raise _changed(evidence, *broken)
    envelopes = _envelopes(evidence)
    opened = evidence.chain.opened
    assert opened is not None  # broken_row has looked
    if opened.parent is not None:
        _check_parent(evidence, opened.parent)
    game = by_ruleset(opened.ruleset)
    try:
        read_options(game.rules, opened.options, opened.seats)
    except UsageError as refusal:
        raise BadRecord(refusal.code, evidence.lines.get(1, 0), refusal.message, source=_source(evidence)) from refusal
    for envelope in envelopes:
        _check_event(evidence, opened.seats, envelope)
    try:
        table = fold(game.projection, envelopes)
    except Exception as error:
        # Raw events may say anything; a handler that was promised sound facts may fail in any way on others.
        message = f"match {evidence.match} does not fold: {type(error).__name__}: {error}"
        raise Refused("record/unfoldable", _in_file(evidence, message)) from error
    rows = [Row(link.row.seq, link.row.data, link.hash) for link in evidence.chain.links]
    check_signatures(evidence, rows)
    return Checked(game, envelopes, table, rows)


def _check_bounds(evidence: Evidence) -> None:
    """Refuse what could do harm by its name, its size or its place before anything is made of it."""
    try:
        check_id(evidence.match)
        check_remarks(evidence.annotations, 0)
        for seat, text in (*evidence.names.items(), *evidence.kinds.items()):
            check_name(seat, text, 0)
    except BadRecord as problem:
        raise problem.in_file(_source(evidence)) from problem
    except UsageError as refusal:
        raise BadRecord("record/id", 0, refusal.message, source=_source(evidence)) from refusal


def _check_parent(evidence: Evidence, parent: Provenance) -> None:
    try:
        check_id(parent.match)
    except UsageError as refusal:
        raise BadRecord("record/id", evidence.lines.get(1, 0), refusal.message, source=_source(evidence)) from refusal


def _check_event(evidence: Evidence, seats: int, envelope: Envelope) -> None:
    """Refuse an event of somebody who is not there, or of no time there was."""
    try:
        bounded(envelope.at)
        if envelope.at.tzinfo is None:
            raise ValueError(f"{envelope.at.isoformat()} is in no time zone")
        for seat in (envelope.actor, getattr(envelope.event, "seat", 1)):
            if isinstance(seat, int) and not 1 <= seat <= seats:
                raise ValueError(f"seat {seat} is not at this table of {seats}")
    except ValueError as error:
        why = f"event {envelope.seq} of match {evidence.match}: {error}"
        raise BadRecord("record/event", evidence.lines.get(envelope.seq, 0), why, source=_source(evidence)) from error


def _changed(evidence: Evidence, position: int, why: str) -> BadRecord:
    return BadRecord(
        "record/chain",
        evidence.lines.get(position, 0),
        f"match {evidence.match}: {why}; the record was changed.",
        source=_source(evidence),
    )


def _envelopes(evidence: Evidence) -> list[Envelope]:
    envelopes: list[Envelope] = []
    step = 0
    for link in evidence.chain.links:
        position, envelope = link.position, link.envelope
        if envelope is None:
            assert link.trouble is not None
            why = f"event {position} (tag {link.trouble.tag!r}) cannot be read: {link.trouble.why}"
            raise BadRecord("record/event", evidence.lines.get(position, 0), why, source=_source(evidence))
        if (envelope.match, envelope.seq) != (evidence.match, position) or not step <= envelope.step <= NUMBER:
            why = (
                f"event {position} of match {evidence.match} says it is event {envelope.seq}, step {envelope.step}"
                f" of match {envelope.match}"
            )
            raise BadRecord("record/event", evidence.lines.get(position, 0), why, source=_source(evidence))
        step = envelope.step
        envelopes.append(envelope)
    return envelopes


def import_evidence(ledger: LocalLedger, evidence: Evidence, grants: Sequence[Grant] = ()) -> Live:
    """Store the match as it is, hashes included; harmless when the same is there already, refused when another is.

    What others signed about it comes with it; of a match that was there, what was not known yet is added. The grants
    are for a match that was not.
    """
    evidence = _at_its_time(ledger, evidence)
    checked = check_evidence(evidence)
    signatures, hearsay = said_by_others(ledger, evidence)
    if not is_stored(ledger, evidence, checked):
        ledger.store.append(
            replace(
                as_append(evidence, checked),
                signatures=signatures,
                hearsay=hearsay,
                entries=_entries(ledger, evidence, checked),
                grants=grants,
            )
        )
    elif signatures or hearsay:
        ledger.store.sign(signatures, ledger.clock(), hearsay)
    seats = {seat.seat: seat for seat in ledger.store.seats(evidence.match)}
    hashes = [row.hash for row in checked.rows]
    return Live(evidence.match, checked.game, checked.envelopes, hashes, seats, folded=checked.table)


def _at_its_time(ledger: LocalLedger, evidence: Evidence) -> Evidence:
    """A record without hashes need not say when it was played; then it was when the ledger first took it in."""
    if evidence.head:
        return evidence
    rows = list(evidence.rows)
    for place, (row, stored) in enumerate(zip(evidence.rows, ledger.store.rows(evidence.match), strict=False)):
        if _timeless(row) != _timeless(stored):
            break
        rows[place] = row._replace(data=stored.data)
    return replace(evidence, rows=rows)


def _timeless(row: Row) -> bytes:
    return _TIME.sub(b"", row.data, count=1) if isinstance(row.data, bytes) else b""


def _entries(ledger: LocalLedger, evidence: Evidence, checked: Checked) -> Entries | None:
    """What the journal says of it. The ledger is no witness of what does not audit clean; it only keeps it."""
    if ledger.notary is None:
        return None
    as_stored = replace(evidence, count=len(checked.rows), head=checked.rows[-1].hash.hex())
    for statement in map(read_entry, ledger.store.entries(evidence.match)):
        if statement is not None and (
            statement.count > len(checked.rows) or statement.head != checked.rows[statement.count - 1].hash.hex()
        ):
            raise Refused(
                "trust/contradiction",
                _in_file(
                    evidence,
                    f"match {evidence.match} had head {statement.head} after event {statement.count} by entry"
                    f" {statement.place} of the journal; this is another history, with head {as_stored.head}.",
                ),
            )
    claim = claim_for(ledger.notary, "witnessed", as_stored)
    return ledger.notary.entries([draft("imported", claim, as_stored)], ledger.clock())


def is_stored(ledger: LocalLedger, evidence: Evidence, checked: Checked) -> bool:
    """Whether the ledger has this very match already; refused when it has another history under the same id."""
    stored = ledger.store.rows(evidence.match)
    if not stored:
        return False
    if stored == checked.rows:
        return True
    same = next((n for n, (a, b) in enumerate(zip(stored, checked.rows, strict=False)) if a != b), None)
    if same is not None:
        how = f"they part at event {same + 1}"
    elif len(stored) > len(checked.rows):
        how = f"the ledger goes on from where the record stops, to event {len(stored)}"
    else:
        how = f"the record goes on from where the ledger stops at event {len(stored)}, to event {len(checked.rows)}"
    raise Refused(
        "record/other-history",
        _in_file(evidence, f"match {evidence.match} is in the ledger with another history: {how}. Nothing changed."),
    )


def as_append(evidence: Evidence, checked: Checked) -> Append:
    """The match as the store takes it, names and remarks included."""
    _, envelopes, table, rows = checked
    closed = table.closed
    new = new_match(table.opened, _secret(closed), closed.seed if closed else "")
    return Append(
        match=evidence.match,
        expected=0,
        rows=rows,
        head=Head(seq=len(rows), step=envelopes[-1].step, hash=rows[-1].hash),
        status=table.status,
        at=envelopes[-1].at,
        new=replace(new, opened_at=envelopes[0].at, remarks=evidence.annotations),
        seats=_seats(table.nonces, evidence),
    )


def _secret(closed: MatchClosed | None) -> bytes | None:
    try:
        return bytes.fromhex(closed.secret) if closed and closed.secret else None
    except ValueError:
        return None


def _seats(taken: Mapping[Seat, str], evidence: Evidence) -> Sequence[SeatRow]:
    return [
        SeatRow(seat=seat, name=evidence.names.get(seat, ""), kind=evidence.kinds.get(seat, PERSON))
        for seat in sorted(taken)
    ]


def _source(evidence: Evidence) -> str:
    return evidence.source if evidence.source != evidence.match else ""


def _in_file(evidence: Evidence, message: str) -> str:
    source = _source(evidence)
    return f"{source}, {message}" if source else message
