"""Files of records: text or JSON lines, one match or many, read into evidence."""

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from service.errors import FileTrouble
from service.files import naming, read_large, read_stream
from service.limits import RECORD_BYTES
from service.play.evidence import Evidence
from service.records.grammar import read_sheets
from service.records.header import check_version
from service.records.jsonl import read_jsonl
from service.records.ledger_record import read_ledger_record
from service.records.problems import BadRecord, Unreadable
from service.records.table_record import read_table_record

STDIN: Final = "-"


def _now() -> datetime:
    return datetime.now(UTC)


def read_evidence(
    path: str | Path, *, clock: Callable[[], datetime] = _now, new_id: Callable[[], str] | None = None
) -> list[Evidence]:
    """Every match of a file. Table records have no id, and maybe no date: the clock says when they are read, and their
    ids follow from what is written in them, unless somebody makes others.

    A ledger's own record is read as far as it goes: what contradicts it is among the remarks of its evidence. A table
    record that breaks the rules, and a line that is no record at all, raise BadRecord naming the line.
    """
    return list(each_evidence(path, clock=clock, new_id=new_id))


def each_evidence(
    path: str | Path, *, clock: Callable[[], datetime] = _now, new_id: Callable[[], str] | None = None
) -> Iterator[Evidence]:
    """The same one by one, so that the matches in front of a bad one are had."""
    source = str(path)
    return evidence_in(_content(source), source, clock=clock, new_id=new_id)


def evidence_in(
    data: bytes, source: str, *, clock: Callable[[], datetime] = _now, new_id: Callable[[], str] | None = None
) -> Iterator[Evidence]:
    """The matches in the content of a file, one by one; `source` is what refusals call it."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        found = read_jsonl(data.removeprefix(b"\xef\xbb\xbf"), source)
    else:
        found = _read_text(data, source, clock, new_id)
    is_empty = True
    while True:
        try:
            evidence = next(found)
        except StopIteration:
            break
        except BadRecord as problem:
            raise problem.in_file(source) from problem
        is_empty = False
        yield evidence
    if is_empty:
        raise Unreadable("record/empty", 0, "there is no match in it", source=source)


def _read_text(
    data: bytes, source: str, clock: Callable[[], datetime], new_id: Callable[[], str] | None
) -> Iterator[Evidence]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable("record/encoding", line, "this is not UTF-8 text, so it is not a record") from error
    for sheet in read_sheets(text):
        check_version(sheet)
        if sheet.value("match"):
            yield read_ledger_record(sheet, source)
        else:
            yield read_table_record(sheet, source, clock, new_id)


def _content(source: str) -> bytes:
    if source != STDIN:
        return read_large(Path(source), "record", "record/file", "", RECORD_BYTES)
    if sys.stdin is None:  # closed by whoever started this process
        raise FileTrouble("record/file", "The standard input '-' cannot be read: it is closed.")
    with naming(Path(STDIN), "standard input", "record/file", "read"):
        return read_stream(sys.stdin.buffer, Path(STDIN), "standard input", RECORD_BYTES)
