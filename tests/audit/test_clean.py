"""Clean matches always pass: every shape of every game, and everything that can happen in a match besides play."""

from pathlib import Path

import pytest

from events.chain import Row
from events.codec import decode
from events.match import MatchClosed
from service.audit import CHECKS, audit
from service.play.evidence import Evidence
from tests.audit.matches import STORIES, envelopes_of, rehashed, simulated, stories
from tests.golden import LOGS
from tests.shelf import LARGEST, SMALLEST, VARIANTS, Shape, each_shape
from tests.signing import KEY

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@each_shape
def test_simulated_matches_of_every_shape_are_clean(shape: Shape) -> None:
    report = audit(simulated(shape, len(shape.id)), [KEY.public])
    assert report.findings == []
    of_a_ledger_or_a_file = {"record", "receipt", "journal", "row", "parent"}
    assert {verdict.check for verdict in report.verdicts} == set(CHECKS) - of_a_ledger_or_a_file
    assert {verdict.outcome for verdict in report.verdicts} == {"passed"}


@pytest.mark.parametrize("shape", [*SMALLEST, *LARGEST, *VARIANTS], ids=lambda shape: shape.id)
def test_matches_with_undo_consent_forks_and_early_ends_are_clean(shape: Shape) -> None:
    told = set()
    for name, evidence in stories(shape, 1):
        told.add(name.partition("-")[0])
        report = audit(evidence, [KEY.public])
        assert report.findings == [], name
        closed = any(isinstance(envelope.event, MatchClosed) for envelope in envelopes_of(evidence))
        skipped = {verdict.check for verdict in report.verdicts if verdict.outcome == "skipped"}
        assert skipped <= ({"signature", "draws", "result"} if not closed else set()), name
    assert told == {tell.__name__.strip("_") for tell in STORIES}


@pytest.mark.parametrize("log", sorted(LOGS.glob("*/*.jsonl")), ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_golden_logs_are_clean_in_whatever_shape_they_were_written(log: Path) -> None:
    datas = log.read_bytes().splitlines()[1:]
    match = decode(datas[0]).match
    report = audit(rehashed(Evidence(log.name, match, [Row(1, datas[0], b"")], 0, ""), datas))
    assert report.findings == []
