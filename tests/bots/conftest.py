"""A ledger whose owner sits at this machine, in a folder of programs, with nothing seated before."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from service.bots.programs import Programs
from service.play.ledger import LocalLedger
from tests.bots.scripts import sitting_in


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the programs are, and somebody sits."""
    with sitting_in(tmp_path, monkeypatch) as place:
        yield place


@pytest.fixture
def home(ledger: LocalLedger) -> Iterator[LocalLedger]:
    """A ledger that may run programs."""
    with closing(Programs()) as programs:
        yield replace(ledger, programs=programs)


def heard(folder: Path) -> list[dict[str, Any]]:
    """What a program wrote down that it was told."""
    return [json.loads(line) for line in (folder / "heard.jsonl").read_text().splitlines()]
