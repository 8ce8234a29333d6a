"""Promise 7: whatever is done to a stored match, the audit finds it and names the event. `tests.audit.count` counts."""

from random import Random

import pytest

from service.audit import audit
from service.play.evidence import Evidence
from tests.audit.matches import envelopes_of, rehashed, simulated, stories
from tests.audit.mutations import Judged, judge, mutations
from tests.shelf import SMALLEST, VARIANTS, Shape
from tests.signing import KEY

pytestmark = pytest.mark.usefixtures("pebbles_on_the_shelf")
KINDS = {
    "change", "drop", "insert", "duplicate", "swap", "truncate", "reorder seats", "alter a deal", "alter a score line",
    "alter the result", "replace the signature", "splice",
}  # fmt: skip
ALWAYS_SEEN = {"insert", "duplicate", "alter a deal", "alter a score line", "alter the result"}
"""What no forger gets past the rules in a finished match whose draws can be derived, signature or none."""


def out_of_place(evidence: Evidence) -> set[str]:
    """The classes of tampering that a match gives no occasion for."""
    events = [envelope.event for envelope in envelopes_of(evidence)]
    occasions = {
        "alter a deal": any(event.by_chance for event in events),
        "alter a score line": any(event.scores for event in events),
    }
    return {kind for kind, has_any in occasions.items() if not has_any}


def each(evidence: Evidence, other: Evidence, per_kind: int, seed: int) -> list[Judged]:
    """Tampering of every class, judged, with what must hold of all of it."""
    judged = [judge(mutation) for mutation in mutations(evidence, other, Random(seed), per_kind)]
    for found in judged:
        kind, what, seq, is_rehashed, _ = found.mutation
        told = f"{kind}: {what}: {found.report.findings}"
        assert found.is_caught, f"missed: {told}"
        first = found.report.first
        assert first is not None
        if not is_rehashed:
            assert first.seq == seq, f"the first bad event is {seq}: {told}"
        else:
            assert found.named != "earlier", f"an event before {seq} was accused: {told}"
            # What is added after the signed head does not touch it; the rules say that nothing follows a closing.
            assert (found.report["signature"].outcome == "failed") == (seq <= evidence.count), told
    return judged


@pytest.mark.parametrize("shape", [*SMALLEST, *VARIANTS], ids=lambda shape: shape.id)
def test_every_class_of_tampering_with_a_finished_match_is_named(shape: Shape) -> None:
    evidence = simulated(shape, 1)
    judged = each(evidence, simulated(shape, 2), 8, seed=shape.seats)
    kinds = {"change" if found.mutation.kind.startswith("change") else found.mutation.kind for found in judged}
    assert KINDS - kinds == out_of_place(evidence)
    for found in judged:
        if found.mutation.is_rehashed and found.mutation.kind in ALWAYS_SEEN:
            assert found.named != "unseen", f"{found.mutation.what}: {found.report.findings}"
        if found.mutation.is_rehashed and found.mutation.kind.startswith("alter"):
            assert found.named == "exactly", f"{found.mutation.what}: {found.report.findings}"


@pytest.mark.parametrize("shape", SMALLEST, ids=lambda shape: shape.id)
def test_tampering_with_undo_consent_forks_and_early_ends_is_named(shape: Shape) -> None:
    other = simulated(shape, 2)
    for name, evidence in stories(shape, 2):
        if any(statement.count == evidence.count for statement in evidence.signatures):
            assert each(evidence, other, 2, seed=len(name))


@pytest.mark.parametrize("shape", SMALLEST, ids=lambda shape: shape.id)
def test_a_signed_match_cut_off_anywhere_is_caught(shape: Shape) -> None:
    whole = simulated(shape, 3)
    for length in range(1, whole.count, 5):
        report = audit(rehashed(whole, [row.data for row in whole.rows[:length]]), [KEY.public])
        assert report["signature"].seq == length + 1
        assert "cut off" in report["signature"].why
