"""Promise 7: whatever is done to a stored match, the audit finds it and names the event. `tests.audit.count` counts."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from msgspec.structs import replace

from events.chain import Chain
from events.codec import encode
from events.core import Envelope
from service.audit import audit
from service.play.evidence import Evidence
from tests.audit.matches import envelopes_of, rehashed, simulated, stories
from tests.audit.mutations import Judged, judge, mutations
from tests.shelf import SMALLEST, VARIANTS, Shape
from tests.signing import KEY

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
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
def test_judged_at_once_or_one_by_one_the_report_is_the_same(shape: Shape) -> None:
    evidence = simulated(shape, 1)
    forged = [mutation.make() for mutation in mutations(evidence, simulated(shape, 2), Random(7), 12)]
    at_once = [found for found in [evidence, *forged] if found.chain.sound is not None]
    assert len(at_once) > len(forged) / 4
    for found in at_once:
        assert audit(found) == audit(one_by_one(found))


@pytest.mark.parametrize(
    "forge, seq",
    [
        pytest.param(lambda one: replace(one, step=one.step + 1), 1, id="no-first-step"),
        pytest.param(lambda one: replace(one, at=one.at - timedelta(seconds=one.seq)), 2, id="back-in-time"),
        pytest.param(lambda one: replace(one, at=one.at.replace(tzinfo=None)), 1, id="no-time-zone"),
    ],
)
def test_what_is_wrong_with_every_event_is_named_at_the_first(forge: Callable[[Envelope], Envelope], seq: int) -> None:
    evidence = simulated(SMALLEST[0], 1)
    forged = rehashed(evidence, [encode(forge(envelope)) for envelope in envelopes_of(evidence)])
    assert forged.chain.sound is not None
    assert (audit(forged)["format"].outcome, audit(forged)["format"].seq) == ("failed", seq)
    assert audit(forged) == audit(one_by_one(forged))


def test_bytes_that_say_the_same_in_other_words_are_named() -> None:
    evidence = simulated(SMALLEST[0], 1)
    datas = [row.data for row in evidence.rows]
    forged = rehashed(evidence, [*datas[:4], datas[4].replace(b'"seq":', b'"seq": '), *datas[5:]])
    assert forged.chain.sound is not None
    assert (audit(forged)["format"].seq, audit(forged)) == (5, audit(one_by_one(forged)))


def one_by_one(evidence: Evidence) -> Evidence:
    """The same with its rows walked one after the other, so that every check looks at each."""
    chain = Chain(evidence.match)
    for row in evidence.rows:
        chain.add(row)
    return replace(evidence, chain=chain)


@pytest.mark.parametrize("shape", SMALLEST, ids=lambda shape: shape.id)
def test_a_signed_match_cut_off_anywhere_is_caught(shape: Shape) -> None:
    whole = simulated(shape, 3)
    for length in range(1, whole.count, 5):
        report = audit(rehashed(whole, [row.data for row in whole.rows[:length]]), [KEY.public])
        assert report["signature"].seq == length + 1
        assert "cut off" in report["signature"].why
