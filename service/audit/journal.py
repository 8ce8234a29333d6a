"""The checks of the journal: what it says of a match, its own chain, and the key that must sign it."""

from collections.abc import Sequence

from msgspec.structs import replace

from events.match import SeatTaken
from projections.words import count
from service.audit.report import Findings, Report, Verdict
from service.audit.signatures import flaw_of
from service.play.evidence import Evidence
from service.store.store import Store
from service.trust.folder import known_keys
from service.trust.journal import Journal, walk
from service.trust.keys import fingerprint
from service.trust.statements import OF_ARRIVAL, Claim, Signed, Statement, moment

WORDS: dict[Claim, str] = {
    "hosted": "hosted here: this ledger decided every step",
    "witnessed": "witnessed: it came from elsewhere",
    "kept": "kept: it came from elsewhere or from before the journal, and this ledger does not vouch for it",
}


def check_journal(
    evidence: Evidence,
    closing: int,
    trusted: Sequence[str],
    journal: Journal,
    findings: Findings,
) -> None:
    """What the journal says of a match must be what is here, and all that it must say must be there."""
    fault = fault_of(journal)
    if fault:
        findings.fail("journal", 0, fault)
    if trusted and journal.key not in trusted:
        findings.skip(["journal"], f"it is kept by {_who(journal)}, which is not among the keys to trust")
    statements = evidence.stated
    if len(statements) < len(evidence.entries):
        findings.fail("journal", 0, "An entry about it holds no readable statement.")
    for statement in statements:
        flaw = flaw_of(statement, evidence, 0)
        if flaw is not None:
            findings.fail("journal", flaw[0], f"By entry {statement.place} of the journal: {flaw[1]}")
        elif not journal.answers(statement.key, statement.place):
            why = f"it is signed by key {fingerprint(statement.key)}, which was not the ledger's key then"
            findings.fail("journal", 0, f"Entry {statement.place} of the journal: {why}.")
    if not statements:
        if not journal.count and not fault:
            findings.skip(["journal"], "this ledger keeps no journal, and nobody vouches for what is in it")
        elif not fault:
            findings.fail("journal", 1, "The journal has no entry about this match: matchledger did not add it.")
        return
    first, last = statements[0], statements[-1]
    if first.kind not in OF_ARRIVAL and not (first.kind == "closed" and first.claim == "hosted"):
        findings.fail(
            "journal", 1, f"The journal does not say how it came here; entry {first.place} is {first.kind!r}."
        )
    stated = max(statement.count for statement in statements)
    if closing and stated < len(evidence.rows):
        findings.fail("journal", stated + 1, f"The journal ends with event {stated}: matchledger did not add this one.")
    elif not closing and stated < (joined := _last_joined(evidence)):
        why = f"The journal ends with event {stated}, and a seat was taken in event {joined}: that entry is missing."
        findings.fail("journal", joined, why)
    said = count(len(statements), "entry", "entries")
    whose = "" if journal.is_known or trusted else "; find out yourself whose key this is"
    findings.passed("journal", f"{WORDS[last.claim]}; {said} of {journal.count:,}, kept by {_who(journal)}{whose}")


def _last_joined(evidence: Evidence) -> int:
    """The last event in which somebody sat down, which the journal must cover; 0 where none can be read."""
    links = reversed(evidence.chain.links)
    return next((link.position for link in links if link.envelope and type(link.envelope.event) is SeatTaken), 0)


def examine(store: Store, receipts: Sequence[Signed] = (), *, is_ours: bool = True) -> Journal:
    """The journal of a store, held to itself and, where it is ours, to the key of this ledger."""
    wanted = {n for said in receipts if isinstance(said, Statement) for n in (said.place - 1, said.place)}
    journal = walk(store.journal(), wanted)
    own = known_keys() if is_ours else []
    if journal.flaw is not None or not own:
        return journal
    if not journal.count:
        matches = store.count()
        there = count(matches, "match", "matches")
        why = f"This ledger has {there} and no journal: it was removed, or an older version kept it."
        return replace(journal, flaw=(0, why)) if matches else journal
    kept_by = next((key for key in own if key.public == journal.key), None)
    if kept_by is None:
        why = f"The journal is kept by {_who(journal)}; this ledger's key is {own[0].fingerprint}."
    elif kept_by.until is not None and journal.at > moment(kept_by.until):
        why = f"Entry {journal.count} of the journal is signed by {_who(journal)}, which was retired by then."
    else:
        return replace(journal, is_known=True)
    return replace(journal, flaw=(0, why))


def fault_of(journal: Journal) -> str:
    """What is wrong with the journal as a whole; empty when nothing is."""
    if journal.flaw is None:
        return ""
    place, why = journal.flaw
    return f"The journal is broken at entry {place}: {why}." if place else why


def _who(journal: Journal) -> str:
    return f"key {fingerprint(journal.key)}" if journal.key else "nobody"


def gone_report(match: str, place: int) -> Report:
    """The finding about a match that the journal knows and the ledger has not."""
    why = f"Entry {place} of the journal is about this match, and the match is gone."
    return Report(match, match, 0, [Verdict("journal", "failed", why=why)])


def journal_report(journal: Journal, fault: str) -> Report:
    """The finding about the journal itself."""
    return Report("the journal", "", journal.count, [Verdict("journal", "failed", why=fault)])
