"""Example records: every file is imported, audited and, where it came from a ledger, written again byte for byte."""

from pathlib import Path

import pytest

from service.audit import audit
from service.play.evidence import from_store
from service.play.ledger import LocalLedger
from service.records import import_evidence, read_evidence, write_jsonl, write_text
from tests.shelf import EVERY_GAME, EXAMPLES

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "docs" / "examples", *(ROOT / "tests" / game.key / "records" for game in EXAMPLES))
RECORDS = sorted(path for folder in FOLDERS for path in folder.iterdir())


def test_every_game_has_a_record_and_a_table_record() -> None:
    names = {path.name for path in RECORDS}
    assert {f"{game.key}{kind}.mlr" for game in EVERY_GAME for kind in ("", "-table")} <= names


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_examples_are_imported_and_clean(ledger: LocalLedger, path: Path) -> None:
    [evidence] = read_evidence(path)
    live = import_evidence(ledger, evidence)
    stored = from_store(ledger.store, live.id)
    report = audit(stored)
    assert report.is_clean, report
    if path.stem.endswith("-table"):
        assert live.table.opened.chance == "recorded"
        assert live.table.closed is not None
    else:
        assert live.id == evidence.match
        write = write_jsonl if path.suffix == ".jsonl" else write_text
        again = write(stored)
        assert (again if isinstance(again, bytes) else again.encode()) == path.read_bytes()
