"""Table records whose numbers contradict the rules: taken in with remarks, kept with the match, held to the rules."""

from pathlib import Path

import pytest

from service.audit import audit
from service.errors import Refused
from service.play.evidence import Evidence, from_store
from service.play.history import of_evidence
from service.play.ledger import LocalLedger
from service.questions.claims import Comparison
from service.questions.findings import verdict
from service.questions.inquiry import Inquiry, answers
from service.records import import_evidence, write_jsonl, write_text
from service.records.validate import validate
from service.records.written import has_written
from tests.records.histories import reread
from tests.records.test_table import DEALT

RIGHT = "{Ann +4 =4, Ben +4 -1 =3}"


@pytest.fixture
def table(examples: Path) -> str:
    """Two rounds of Azul as they were written down: Ann 6, Ben 10."""
    text = (examples / "azul-table.mlr").read_text(encoding="utf-8")
    return text.replace("{ Ann +4 =4, Ben +4 -1 = 3 }", RIGHT)


def parted(evidence: Evidence) -> Comparison:
    (comparison,) = answers(evidence, Inquiry())
    assert comparison.source == "record"
    return comparison


def test_numbers_that_are_right_leave_no_trace(table: str, tmp_path: Path) -> None:
    evidence = reread(table, tmp_path)
    assert not evidence.remarks
    assert not has_written(evidence)
    assert answers(evidence, Inquiry()) == []
    assert audit(evidence).is_clean


def test_a_wrong_running_total_is_taken_in_and_located(table: str, tmp_path: Path) -> None:
    """Two points too many in round 1 are carried on to the end; only the first round went wrong."""
    text = table.replace(RIGHT, "{Ann +6 =6, Ben +4 -1 =3}").replace("{Ben =10, Ann =6}", "{Ben =10, Ann =8}")
    evidence = reread(text.replace("Ben 10, Ann 6", "Ben 10, Ann 8"), tmp_path)
    line = text.splitlines().index(next(line for line in text.splitlines() if "+6 =6" in line)) + 1
    assert evidence.remarks[0].startswith(f"line {line}: {{1:Ann +6 =6, 2:Ben +4 -1 =3}} is not what the rules give: ")
    assert evidence.remarks[-1] == "[Result 'Ben 10; Ann 8'] is not what the match says: '1. Ben 10; 2. Ann 6'."
    assert len(evidence.remarks) == 3
    assert [check.check for check in audit(evidence).findings] == ["record"]
    (finding,) = parted(evidence).findings
    assert (finding.seat, finding.paper, finding.ledger, finding.difference, finding.event) == (1, 6, 4, 2, 23)
    assert [line.seq for line in finding.lines] == [15, 16, 17]
    said = "event 16, yellow at row 2, column 3: a column of 2 (+2 written as +4): the line was counted twice"
    assert f"Likely cause: {said}." in verdict(finding)


@pytest.mark.parametrize("written", ["{Ann +6, Ben +3}", "{Ann =6}", "{1: +1 +2 +3 =6}"])
def test_however_it_was_written(written: str, table: str, tmp_path: Path) -> None:
    text = table.replace(RIGHT, written).replace("{Ben =10, Ann =6}", "{Ann =8}").replace("Ann 6", "Ann 8")
    (finding,) = parted(reread(text, tmp_path)).findings
    assert (finding.seat, finding.paper, finding.ledger, finding.event) == (1, 6, 4, 23)


def test_right_numbers_before_a_wrong_one_narrow_it_down(table: str, tmp_path: Path) -> None:
    (finding,) = parted(reread(table.replace("Ben =10", "Ben =12").replace("Ben 10", "Ben 12"), tmp_path)).findings
    sheet = of_evidence(reread(table, tmp_path)).scoresheet
    assert [line.seq for line in finding.lines] == [line.seq for line in sheet if line.seat == 2 and line.round == 2]


def test_a_wrong_result_alone(table: str, tmp_path: Path) -> None:
    bare = table.replace(RIGHT, "").replace("{Ben =10, Ann =6}", "").replace("Ann 6", "Ann 60")
    evidence = reread(bare, tmp_path)
    assert evidence.remarks == ["[Result 'Ben 10; Ann 60'] is not what the match says: '1. Ben 10; 2. Ann 6'."]
    (finding,) = parted(evidence).findings
    assert (finding.paper, finding.ledger, finding.round, finding.event) == (60, 6, 0, 0)


def test_a_total_beside_a_move_that_scores_nothing(tmp_path: Path) -> None:
    evidence = reread(DEALT + "1B1 {Ann +1}\n2Y2 {Ann =1}\n", tmp_path)
    assert evidence.remarks == [
        "line 6: {1:Ann +1} is not what the rules give: nothing for 1:Ann here, =0.",
        "line 7: {1:Ann =1} is not what the rules give: nothing for 1:Ann here, =0.",
    ]
    (finding,) = parted(evidence).findings
    assert (finding.paper, finding.ledger, finding.event, finding.lines) == (1, 0, 6, [])


def test_a_result_of_a_match_that_is_not_over(tmp_path: Path) -> None:
    evidence = reread('[Result "Ann 3, Ben 0"]\n' + DEALT + "1B1", tmp_path)
    assert evidence.remarks == ["[Result 'Ann 3; Ben 0'] is written, but the match is not over yet."]
    assert not audit(evidence).is_clean
    assert answers(evidence, Inquiry()) == [], "there is no end yet that it could be held against"


def test_what_was_written_stays_with_the_match(table: str, ledger: LocalLedger, tmp_path: Path) -> None:
    """In the ledger, in both exports and under another name the same numbers part at the same place."""
    evidence = reread(table.replace(RIGHT, "{Ann +6 =6}").replace("Ann =6", "Ann =8"), tmp_path)
    live = import_evidence(ledger, evidence)
    ledger.store.rename(live.id, 1, "Anna Maria")
    stored = from_store(ledger.store, live.id)
    again = [reread(write_text(stored), tmp_path), reread(write_jsonl(stored), tmp_path)]
    for one in (stored, *again):
        assert parted(one).findings == parted(evidence).findings
        (record,) = audit(one).findings
        assert (record.check, record.seq) == ("record", 0)
        assert "{1:Anna_Maria +6 =6} is not what the rules give" in record.why
    assert write_text(again[0]) == write_text(stored)


def test_validating_still_names_the_first_contradiction(table: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"is not what the rules give") as refusal:
        validate(reread(table.replace("Ann =6", "Ann =7"), tmp_path))
    assert refusal.value.code == "record/contradiction"


def test_comments_that_only_look_like_numbers_are_comments(table: str, tmp_path: Path) -> None:
    evidence = reread('[PaperResult "a draw"]\n' + table + "\n; paper {Zoe +3}\n; paper {3: =9}\n", tmp_path)
    assert answers(evidence, Inquiry()) == []
    assert audit(evidence).is_clean
