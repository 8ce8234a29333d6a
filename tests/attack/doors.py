"""The doors of the audit, asked about a database that somebody had his hands in."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import psycopg

from service.audit.bulk import AuditTerms, audit_all, audit_stored
from service.audit.judge import own_notary
from service.audit.report import Report
from service.errors import LedgerError
from service.play.evidence import from_store
from service.play.notary import given
from service.store.connect import open_store
from service.trust.folder import RETIRED_FOLDER
from service.trust.statements import Statement
from tests.attack.commands import ask_some, exit_code
from tests.attack.forging import journal_of, rows_of
from tests.attack.hand import Hand
from tests.attack.scene import Attack, Scene, hidden_by, scene_of
from tests.attack.tampering import attacks
from tests.attack.verdicts import Outcome, by_design, traceback
from tests.attack.victim import Victim

EVERY: Final = 7
"""One attack in so many is tried at the terminal too."""


def tampered(victim: Victim, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """What becomes of one attack on the tables after the other; the ledger is whole again after each."""
    hand = Hand(victim.database)
    scene = scene_of(victim, hand.read())
    where = "PostgreSQL" if hand.is_server else "SQLite"
    for number, attack in enumerate(islice(attacks(scene, rng), most)):
        outcome = judged(scene, hand, attack, rng if number % EVERY == 0 else None)
        yield outcome._replace(kind=f"{outcome.kind}, {where}")


def judged(scene: Scene, hand: Hand, attack: Attack, rng: Random | None = None) -> Outcome:
    """Carry out one attack, ask every door, and put everything back; with a lot to draw, ask at the terminal too."""
    if all(set(records) == set(scene.tables[name]) for name, records in attack.tables.items()) and not attack.planted:
        return Outcome(attack.kind, attack.what, "harmless")
    try:
        hand.write(attack.tables)
    except psycopg.errors.CheckViolation:  # PostgreSQL takes no such value from any hand, and has rolled back
        return Outcome(attack.kind, attack.what, "harmless")
    try:
        with _planted(scene.victim.keys, attack.planted):
            return _asked(scene, attack, rng)
    finally:
        hand.write(scene.tables)


def _asked(scene: Scene, attack: Attack, rng: Random | None) -> Outcome:
    kind, what = attack.kind, attack.what
    told = ""
    try:
        everywhere = found_everywhere(scene.victim.database)
        alone = found_in(scene.victim.database, attack.match) if attack.match else everywhere
        unproven = [name for name in scene.victim.receipts if _is_touched(scene, attack, name)]
        unnoticed = [name for name in unproven if not _refuted(scene, name)]
        is_signed = bool(alone and attack.match) and _is_signed(scene.victim.database, attack.match)
        if rng is not None:  # last, for some commands write where they are let
            told = _asked_at_the_terminal(scene.victim, attack, rng, bool(everywhere))
    except Exception as error:  # whatever it is, nobody should have seen it
        return traceback(kind, what, error)
    if told:
        return Outcome(kind, what, "missed", told)
    if unnoticed:
        return Outcome(kind, what, "missed", f"receipt {unnoticed[0]!r} is contradicted, and the audit does not say so")
    if is_signed:
        return Outcome(kind, what, "missed", f"a receipt was signed for {attack.match}, which audits: {alone[0].first}")
    if bool(everywhere) != bool(alone):
        said = [report.match for report in everywhere] or "nothing"
        return Outcome(kind, what, "missed", f"audit --all says {said}, audit MATCH says {alone or 'nothing'}")
    if not everywhere:
        design = hidden_by(scene, attack)
        return by_design(kind, what, design) if design else Outcome(kind, what, "missed")
    first = next((report.first.seq for report in alone if report.match == attack.match and report.first), 0)
    if attack.seq and 0 < first < attack.seq:
        return Outcome(kind, what, "missed", f"event {first} is accused, and event {attack.seq} was changed")
    return Outcome(kind, what, "named", str(everywhere[0].first))


def _asked_at_the_terminal(victim: Victim, attack: Attack, rng: Random, is_found: bool) -> str:
    """Whether the commands say the same as the functions behind them; what they say instead, where they do not."""
    folder = victim.folder / "asked"
    for command in ("audit --all -j1", "audit {match}") if attack.match else ("audit --all -j1",):
        code = exit_code(victim.database, attack.match, command, folder)
        if (code == 0) == is_found:
            return f"{command} ends with exit code {code}"
    ask_some(victim.database, attack.match or "last", folder, rng, 2)
    return ""


def found_everywhere(database: str) -> list[Report]:
    """What `audit --all` finds; a refusal is a finding."""
    try:
        return [report for batch in audit_all(database, AuditTerms()) for report in batch.findings]
    except LedgerError as refusal:
        return [_refusal(refusal)]


def found_in(database: str, match: str, terms: AuditTerms = AuditTerms()) -> list[Report]:  # noqa: B008 (frozen)
    """What `audit MATCH` finds; a refusal is a finding."""
    try:
        with open_store(database, read_only=True) as store:
            _, report = audit_stored(store, match, terms)
    except LedgerError as refusal:
        return [_refusal(refusal)]
    return [] if report.is_clean else [report]


def _refusal(refusal: LedgerError) -> Report:
    return Report(refusal.code, "", 0, (), is_readable=False)


def _is_touched(scene: Scene, attack: Attack, name: str) -> bool:
    """Whether what a receipt says is no longer so."""
    receipt: Statement = scene.victim.receipt(name)
    journal, rows = journal_of(attack.tables), rows_of(attack.tables, receipt.match)
    is_entered = len(journal) >= receipt.place and journal[receipt.place - 1].hash == receipt.hash
    seen = rows_of(scene.tables, receipt.match)[: receipt.count]
    is_there = rows[: receipt.count] == seen
    return not is_entered or not is_there


def _refuted(scene: Scene, name: str) -> bool:
    receipt = scene.victim.receipt(name)
    return bool(found_in(scene.victim.database, receipt.match, AuditTerms(receipts=[receipt])))


def _is_signed(database: str, match: str) -> bool:
    """Whether the ledger gives a receipt of a match as it lies there now."""
    notary = own_notary()
    try:
        with open_store(database, create=False) as store:
            given(notary, store, from_store(store, match), datetime.now(UTC))
    except LedgerError:
        return False
    return True


@contextmanager
def _planted(keys: Path, content: bytes) -> Iterator[None]:
    if not content:
        with nullcontext():
            yield
        return
    path = keys / RETIRED_FOLDER / "stranger.json"
    path.write_bytes(content)
    try:
        yield
    finally:
        path.unlink()
