"""Importing walks a match once: every event is decoded once and linked once, however it is written."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest

from events.chain import link, link_all
from events.codec import decode, decode_all
from service.play.evidence import Evidence, from_store
from service.play.ledger import LocalLedger
from service.play.matches import open_match, resign
from service.records import import_evidence, read_evidence, write_jsonl, write_text
from tests.conftest import TWO, finish

WRITERS: dict[str, Callable[[Evidence], bytes]] = {
    "text": lambda evidence: write_text(evidence).encode(),
    "jsonl": write_jsonl,
}
WALKED: dict[str, Callable[[int], dict[str, int]]] = {
    "text": lambda events: {"decode": events, "link": events},
    "jsonl": lambda events: {"decode_all": 1, "link_all": 1},
}
"""A record that is read line by line is walked line by line; a whole match of sound rows is walked in one go."""


@contextmanager
def counted(*functions: Callable[..., object]) -> Iterator[Counter[str]]:
    """How often these functions of ours are called, whoever calls them by whatever name."""
    codes: dict[CodeType, str] = {function.__code__: function.__name__ for function in functions}
    calls = Counter[str]()

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code in codes:
            calls[codes[frame.f_code]] += 1

    sys.setprofile(look)
    try:
        yield calls
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("form", WRITERS)
def test_importing_decodes_and_links_every_event_once(
    ledger: LocalLedger, other: LocalLedger, tmp_path: Path, form: str
) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO))
    path = tmp_path / "record"
    path.write_bytes(WRITERS[form](from_store(ledger.store, live.id)))
    with counted(decode, decode_all, link, link_all) as calls:
        (evidence,) = read_evidence(path)
        imported = import_evidence(other, evidence)
    assert calls == WALKED[form](live.head.seq)
    assert (imported.head, imported.table, imported.envelopes) == (live.head, live.table, live.envelopes)


def test_a_table_record_is_walked_once_as_well(other: LocalLedger, examples: Path) -> None:
    with counted(decode, decode_all, link, link_all) as calls:
        (evidence,) = read_evidence(examples / "azul-table.mlr")
        imported = import_evidence(other, evidence)
    assert calls == WALKED["text"](imported.head.seq)


def test_a_match_that_is_there_already_is_walked_no_further(ledger: LocalLedger, tmp_path: Path) -> None:
    live = open_match(ledger, "azul", 2, players=TWO)
    resign(ledger, live, 1)
    (tmp_path / "record").write_bytes(write_jsonl(from_store(ledger.store, live.id)))
    with counted(decode, decode_all, link, link_all) as calls:
        (evidence,) = read_evidence(tmp_path / "record")
        import_evidence(ledger, evidence)
    assert calls == WALKED["jsonl"](live.head.seq)
