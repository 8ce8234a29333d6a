"""Signed heads: signatures that came with the evidence, and receipts that somebody kept."""

from collections.abc import Sequence

from events.core import Envelope
from events.match import MatchClosed
from service.audit.report import Findings
from service.play.evidence import Evidence, Signature
from service.trust.keys import fingerprint, verify_head


def check_signatures(
    evidence: Evidence,
    envelopes: Sequence[Envelope],
    hashes: Sequence[str],
    trusted: Sequence[str],
    findings: Findings,
    *,
    must_be_signed: bool,
) -> None:
    """Every signature must be genuine and its head in this history; with trusted keys, one of them must have signed."""
    closing = next((n for n, envelope in enumerate(envelopes, 1) if isinstance(envelope.event, MatchClosed)), 0)
    covered = 0
    is_vouched = not trusted
    for signature in sorted(evidence.signatures, key=lambda signature: signature.count):
        flaw = _flaw(signature, evidence, hashes, covered)
        is_ours = not trusted or signature.key in trusted
        is_vouched = is_vouched or is_ours
        if flaw is not None:
            findings.fail("signature", *flaw)
        elif is_ours:
            covered = signature.count
    keys = sorted({fingerprint(signature.key) for signature in evidence.signatures})
    if must_be_signed and covered < closing and not findings.has_failed("signature"):
        findings.fail("signature", covered + 1, "From here to the closing no trusted key has signed anything.")
    elif evidence.signatures and not is_vouched:
        findings.fail(
            "signature", 0, f"No trusted key has signed; signed by {', '.join(keys)}, which nobody here vouches for."
        )
    elif not evidence.signatures:
        when = "no head was signed" if closing else "the match is open; heads are signed on closing and on export"
        findings.skip(["signature"], when)
    rest = f"; events {covered + 1}–{len(hashes)} are not signed" if covered < len(hashes) else ""
    whose = "" if trusted else ", whose key it is you must know yourself"
    findings.passed("signature", f"{covered} events signed by {', '.join(keys)}{whose}{rest}")


def check_receipts(
    evidence: Evidence, hashes: Sequence[str], receipts: Sequence[Signature], trusted: Sequence[str], findings: Findings
) -> None:
    """Every receipt must be genuine, from a trusted key where any is known, and its head in this history."""
    for receipt in sorted(receipts, key=lambda receipt: receipt.count):
        flaw = _flaw(receipt, evidence, hashes, 0)
        if flaw is not None:
            findings.fail("receipt", *flaw)
        elif trusted and receipt.key not in trusted:
            findings.fail("receipt", 0, f"Key {fingerprint(receipt.key)} is not one that is trusted here.")
    counts = ", ".join(str(receipt.count) for receipt in receipts)
    whose = "" if trusted else "; whose key it is you must know yourself"
    if receipts:
        findings.passed("receipt", f"the first {counts} events are those of the receipt{whose}")


def _flaw(signature: Signature, evidence: Evidence, hashes: Sequence[str], covered: int) -> tuple[int, str] | None:
    """Which event a signature accuses, and of what."""
    who = f"key {fingerprint(signature.key)}"
    if signature.match != evidence.match:
        return 0, f"What {who} signed is match {signature.match!r}."
    if signature.count < 1 or not verify_head(signature):
        return max(0, min(signature.count, len(hashes))), f"The signature by {who} is not genuine."
    if signature.count > len(hashes):
        return len(hashes) + 1, f"It was cut off: {who} signed {signature.count} events, {len(hashes)} are here."
    if hashes[signature.count - 1] != signature.head:
        return (
            signature.count,
            f"Events {covered + 1}–{signature.count} are not those that {who} signed: something was rewritten.",
        )
    return None
