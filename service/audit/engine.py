"""The audit: every check on one match, trusting nothing but the bytes and the rules."""

from collections.abc import Sequence
from typing import Final

from events.match import MatchOpened
from projections.fold import Table, seat_down
from service.audit.disputes import check_disputes
from service.audit.draws import Draws
from service.audit.format import Reading, check_chain, read
from service.audit.journal import check_journal
from service.audit.parent import check_parent
from service.audit.report import Findings, Report
from service.audit.row import check_row
from service.audit.signatures import check_receipts, check_signatures
from service.audit.sums import check_sums
from service.audit.walk import Lost, Walk
from service.errors import LedgerError
from service.games.game import Game
from service.games.options import read_options
from service.play.evidence import Evidence
from service.records.written import contradictions
from service.trust.journal import Journal
from service.trust.statements import Signed

_OF_PLAY: Final = ("draws", "actions", "facts", "invariants", "undo", "sums", "result")
"""The checks that need the match to be gone through again."""


def audit(
    evidence: Evidence,
    trusted: Sequence[str] = (),
    *,
    receipts: Sequence[Signed] = (),
    arbiters: Sequence[str] = (),
    journal: Journal | None = None,
) -> Report:
    """Every check on one match. Never raises: what cannot be checked is skipped, and the report says why.

    With trusted keys, a signed match must be signed by one of them, and a closed one up to its closing; without them a
    signature is only held to be genuine. `arbiters` are the keys whose rulings count in matches that pin none
    themselves. `journal` is that of the ledger the match lies in, where it lies in one.
    """
    findings = Findings()
    _check_record(evidence, findings)
    reading = Reading()
    try:
        reading = read(evidence, findings)
        check_chain(evidence, findings)
        check_signatures(evidence, reading.closing, trusted, findings)
        if journal is not None:
            check_journal(evidence, reading.closing, trusted, journal, findings)
        check_receipts(evidence, receipts, trusted, journal, findings)
        check_row(evidence, reading, findings)
        check_parent(evidence, reading.envelopes, reading.opened, findings)
        _check_play(evidence, reading, arbiters, findings)
    except Exception as error:  # the last resort: whatever breaks an audit is itself a finding
        findings.fail("format", 0, f"It cannot be audited: {type(error).__name__}: {error}")
    return findings.report(evidence, is_readable=reading.opened is not None)


def _check_record(evidence: Evidence, findings: Findings) -> None:
    try:
        written = contradictions(evidence)
    except Exception:
        # Numbers cannot be held against events that do not fold; what is wrong with those the other checks say.
        written = []
    remarks = list(dict.fromkeys([*evidence.remarks, *written]))
    if remarks:
        more = f" ({len(remarks) - 1} more)" if len(remarks) > 1 else ""
        findings.fail("record", 0, f"{remarks[0]}{more}")


def _check_play(evidence: Evidence, reading: Reading, arbiters: Sequence[str], findings: Findings) -> None:
    opened, game, envelopes, rows = reading.opened, reading.game, reading.envelopes, len(evidence.rows)
    if opened is None or game is None:
        findings.skip([*_OF_PLAY, "disputes"], "there is no opening of a match to replay")
        return
    table = _opening_table(game, opened, findings)
    if table is None:
        findings.skip([*_OF_PLAY, "disputes"], "the match could not have been opened like this")
        return
    check_sums(reading, tuple(game.projection.scores(table.state)), findings)
    draws = Draws(game, opened, reading, findings)
    is_whole = len(envelopes) == rows
    known = envelopes
    if not is_whole:
        # The last step before an event that cannot be read may have lost a part, and is left alone.
        known = [envelope for envelope in envelopes if envelope.step != envelopes[-1].step]
    walk = Walk(game, table, known, draws, findings)
    try:
        walk.go()
    except Lost as lost:
        is_whole = False
        why = f"not checked after event {lost.seq}, where the record leaves the rules"
        findings.skip([check for check in _OF_PLAY if check != "sums"], why)
    draws.judge(walk.table, is_whole=is_whole)
    check_disputes(evidence, reading, arbiters, findings)
    if len(envelopes) < rows:
        findings.skip(
            [*_OF_PLAY, "disputes"], f"event {len(envelopes) + 1} cannot be read; it and what follows were not checked"
        )


def _opening_table(game: Game, opened: MatchOpened, findings: Findings) -> Table | None:
    """The table that was opened; None where none can be opened so."""
    try:
        read_options(game.rules, opened.options, opened.seats)
        return seat_down(game.projection, opened)
    except LedgerError as refusal:
        findings.fail("actions", 1, refusal.message)
    except Exception:
        findings.fail("actions", 1, f"No match of {game.title} opens with these options: {dict(opened.options)}.")
    return None
