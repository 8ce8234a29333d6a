"""The checks of signatures: signed heads, statements, and receipts that somebody kept."""

from collections.abc import Sequence

from projections.words import count, numbered
from service.audit.report import Findings
from service.play.evidence import Evidence
from service.trust.journal import Journal
from service.trust.keys import fingerprint
from service.trust.statements import Signed, Statement, is_genuine


def check_signatures(
    evidence: Evidence,
    closing: int,
    trusted: Sequence[str],
    findings: Findings,
) -> None:
    """Everything signed must be genuine and its head in this history; with trusted keys, one must cover the closing."""
    covered = 0
    is_vouched = not trusted
    signers: dict[str, str] = {}
    signatures = sorted([*evidence.signatures, *evidence.stated], key=lambda signature: signature.count)
    for signature in signatures:
        flaw = flaw_of(signature, evidence, covered)
        is_trusted = not trusted or signature.key in trusted
        is_vouched = is_vouched or is_trusted
        if flaw is not None:
            findings.fail("signature", *flaw)
        elif is_trusted and _claim(signature) != "kept":
            covered = signature.count
            signers[fingerprint(signature.key)] = _as_what(signature, evidence)
    strangers = sorted({fingerprint(signature.key) for signature in signatures} - set(signers))
    also = f"; signed by {', '.join(strangers)}, which is not a trusted key" if strangers and trusted else ""
    if trusted and covered < closing and not findings.has_failed("signature"):
        findings.fail("signature", covered + 1, f"From here to the closing no trusted key has signed anything{also}.")
    elif signatures and not is_vouched:
        findings.fail("signature", 0, f"No trusted key has signed{also}.")
    elif not signers:
        when = "no head was signed" if closing else "the match is open; heads are signed on closing and on export"
        findings.skip(["signature"], when)
    events = len(evidence.rows)
    are = "is" if covered + 1 == events else "are"
    rest = f"; {numbered('event', covered + 1, events)} {are} not signed" if covered < events else ""
    whose = "" if trusted or evidence.entries else "; find out yourself whose key this is"
    by = ", ".join(f"{key} ({claim})" if claim else key for key, claim in signers.items())
    findings.passed("signature", f"{count(covered, 'event')} signed by {by}{whose}{rest}")


def _as_what(signature: Signed, evidence: Evidence) -> str:
    """What a signature claims, and whether it is somebody else's in a ledger that has its own word."""
    is_foreign = bool(evidence.entries) and signature.key not in {said.key for said in evidence.stated}
    return ", ".join(filter(None, (_claim(signature), "a key that is not ours" if is_foreign else "")))


def _claim(signature: Signed) -> str:
    return signature.claim if isinstance(signature, Statement) else ""


def check_receipts(
    evidence: Evidence,
    receipts: Sequence[Signed],
    trusted: Sequence[str],
    journal: Journal | None,
    findings: Findings,
) -> None:
    """Every receipt must be genuine, from a key that counts, its head in this history and its entry in the journal."""
    for receipt in sorted(receipts, key=lambda receipt: receipt.count):
        flaw = flaw_of(receipt, evidence, 0)
        if flaw is not None:
            findings.fail("receipt", *flaw)
        elif trusted and receipt.key not in trusted:
            findings.fail("receipt", 0, f"Key {fingerprint(receipt.key)} is not one that is trusted here.")
        elif journal is not None and (why := broken_promise(receipt, journal)):
            findings.fail("receipt", 0, why)
    counts = ", ".join(str(receipt.count) for receipt in receipts)
    whose = "" if trusted or journal is not None else "; find out yourself whose key this is"
    places = [str(receipt.place) for receipt in receipts if isinstance(receipt, Statement)]
    extends = f"; the journal extends its entry {', '.join(places)}" if journal is not None and places else ""
    if receipts:
        those = "the first event is that" if counts == "1" else f"the first {counts} events are those"
        findings.passed("receipt", f"{those} of the receipt{extends}{whose}")


def broken_promise(receipt: Signed, journal: Journal) -> str:
    """Why today's journal is not the one that a receipt was given from, gone on; empty when it is."""
    if not isinstance(receipt, Statement):
        if journal.periods and receipt.key not in {period.key for period in journal.periods}:
            return f"Key {fingerprint(receipt.key)} never signed for this ledger."
        return ""
    if receipt.place > journal.count:
        return f"The journal was cut off: the receipt is entry {receipt.place}, and it ends with entry {journal.count}."
    if journal.hashes.get(receipt.place) == receipt.hash.hex():
        return ""
    before = receipt.place - 1
    if before and journal.hashes.get(before) != receipt.previous:
        return f"The journal was rewritten: entry {before}, or one before it, is not what it was."
    return f"The journal was rewritten: entry {receipt.place} is not the one the receipt was given for."


def flaw_of(signature: Signed, evidence: Evidence, covered: int) -> tuple[int, str] | None:
    """Which event something signed accuses, and of what."""
    who, events = f"key {fingerprint(signature.key)}", len(evidence.rows)
    if signature.match != evidence.match:
        return 0, f"What {who} signed is match {signature.match!r}."
    if signature.count < 1 or not is_genuine(signature):
        return max(0, min(signature.count, events)), f"The signature by {who} is not genuine."
    if signature.count > events:
        return events + 1, f"It was cut off: {who} signed {count(signature.count, 'event')}, {events} are here."
    head = evidence.chain.hashes[signature.count - 1].hex()
    if head != signature.head:
        is_one = covered + 1 == signature.count
        which = (
            f"{numbered('Event', covered + 1, signature.count)} {'is not the one' if is_one else 'are not those'} that"
        )
        return (
            signature.count,
            f"{which} {who} signed: something was rewritten (signed head {signature.head}, here {head}).",
        )
    opened = evidence.chain.opened
    if isinstance(signature, Statement) and opened is not None:
        said, found = (signature.game, signature.ruleset), (opened.game, opened.ruleset)
        if said != found:
            return 1, f"What {who} signed is a match of {' by '.join(said)}, not of {' by '.join(found)}."
    return None
