"""What stands above a record that a ledger vouches for is what its events say, or the audit says where it is not."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.audit import audit
from service.errors import Refused
from service.play.ledger import LocalLedger
from service.records import import_evidence, read_evidence, write_text
from service.records.validate import validate
from tests.records.hostile import EXAMPLES, HASHED, TABLE

LINES = (EXAMPLES / "azul.jsonl").read_text()
RESULT = "1. Ann 59 (tie-break 2); 2. Ben 55 (tie-break 2)"
FORGED = {
    "score": (RESULT, RESULT.replace("59", "69")),
    "rank": (RESULT, "1. Ben 55 (tie-break 2); 2. Ann 59 (tie-break 2)"),
    "both first": (RESULT, RESULT.replace("2. Ben", "1. Ben")),
    "tie-break": (RESULT, RESULT.replace("(tie-break 2);", "(tie-break 3);")),
    "no tie-break": (RESULT, "1. Ann 59; 2. Ben 55"),
    "name in the result": (RESULT, RESULT.replace("Ben", "Bea")),
    "loosely": (RESULT, "Ann 59, Ben 55"),
    "no result": (RESULT, "*"),
    "empty": (RESULT, ""),
    "ruled": ('[Ruled "-"]', '[Ruled "1. Ben 60; 2. Ann 59"]'),
    "ended": ('[Ended "2026-01-31T19:47', '[Ended "2026-01-31T19:48'),
    "started": ('[Started "2026-01-31T19:30:41.330650Z"]', '[Started "2026-01-31T19:30:41.330650+00:00"]'),
    "twice": (f'[Result "{RESULT}"]', f'[Result "2. Ann 9"]\n[Result "{RESULT}"]'),
    "the same twice": (f'[Result "{RESULT}"]', f'[Result "{RESULT}"]\n[Result "{RESULT}"]'),
    "a name twice": ('[Seat 2 "Ben"]', '[Seat 2 "Ann"]\n[Seat 2 "Ben"]'),
    "a seat too many": ('[Seat 2 "Ben"]', '[Seat 2 "Ben"]\n[Seat 3 "Cleo"]'),
    "a kind too many": ('[Seat 2 "Ben"]', '[Seat 2 "Ben"]\n[Kind 3 "bot:greedy"]'),
    "name beside a move": ("2:Ben 2R1", "2:Ann 2R1"),
    "name nobody has": ("2:Ben 2R1", "2:Bea 2R1"),
    "name beside an answer": ("2:Ben accepts", "2:Ann accepts"),
    "name beside points": ("=3, 2:Ben +1", "=3, 2:Ann +1"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_headline_that_says_something_else(name: str, tmp_path: Path, ledger: LocalLedger) -> None:
    old, new = FORGED[name]
    assert old in HASHED
    (tmp_path / "file").write_text(HASHED.replace(old, new, 1))
    (evidence,) = read_evidence(tmp_path / "file")
    report = audit(evidence)
    assert [finding.check for finding in report.findings] == ["record"]
    assert report["record"].why.startswith("line ")
    with pytest.raises(Refused, match=r"line \d+"):
        validate(evidence)
    assert import_evidence(ledger, evidence).id == "4h7rk2m9ce"


def test_a_raw_opening_does_not_free_the_tags(tmp_path: Path) -> None:
    opening = json.dumps(json.loads(LINES.splitlines()[1])["envelope"], separators=(",", ":"), ensure_ascii=False)
    first = next(line for line in HASHED.splitlines() if line.startswith("   1.  open"))
    raw = HASHED.replace(first, f"!1 #0c42d7b4 {opening}")
    (tmp_path / "file").write_text(raw)
    (evidence,) = read_evidence(tmp_path / "file")
    assert audit(evidence).is_clean
    for old, new in (('[Undo "consent"]', '[Undo "free"]'), ('[Seats "2"]', '[Seats "3"]'), ("azul/1", "azul/2")):
        (tmp_path / "file").write_text(raw.replace(old, new, 1))
        (evidence,) = read_evidence(tmp_path / "file")
        assert "is not what the match says" in audit(evidence)["record"].why


def test_without_a_head_it_is_read_as_laxly_as_people_write(tmp_path: Path) -> None:
    lax = HASHED.split("[Head")[0].replace(RESULT, "Ann 59, Ben 55").replace("2:Ben 2R1", "2:B. 2R1")
    (tmp_path / "file").write_text(re.sub(r" #[0-9a-f]{8}", "", lax))
    (evidence,) = read_evidence(tmp_path / "file")
    assert evidence.remarks == []
    for result in ("Ann 6, Ben 10", "1. Ben 10 (no tie); 2. Ann: 6", "Ben=10,Ann=6"):
        (tmp_path / "file").write_text(TABLE.replace("Ben 10, Ann 6", result))
        read_evidence(tmp_path / "file")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "coloretto"}, "game 'coloretto', the match was opened with 'azul'"),
        ({"ruleset": "azul/2"}, "ruleset 'azul/2', the match was opened with 'azul/1'"),
        ({"seats": {"1": "Ann", "2": "Ben", "3": "Cleo"}}, "names seat 3 among its seats, the match has seats 1–2"),
        ({"seats": {"0": "Ann"}}, "names seat 0 among its seats"),
        ({"kinds": {"3": "bot:greedy"}}, "names seat 3 among its kinds"),
        ({"kinds": {"1": "ghost"}}, "seat 1 is 'ghost'"),
    ],
)
def test_a_header_of_lines_that_says_something_else(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    header, rest = LINES.split("\n", 1)
    (tmp_path / "file").write_text(json.dumps({**json.loads(header), **change}) + "\n" + rest)
    (evidence,) = read_evidence(tmp_path / "file")
    report = audit(evidence)
    assert [finding.check for finding in report.findings] == ["record"]
    assert said in report["record"].why
    with pytest.raises(Refused):
        validate(evidence)


def test_what_a_ledger_writes_is_never_a_contradiction(tmp_path: Path) -> None:
    for file in sorted(EXAMPLES.iterdir()):
        for evidence in read_evidence(file):
            (tmp_path / "file").write_text(write_text(evidence))
            (again,) = read_evidence(tmp_path / "file")
            assert not again.remarks
