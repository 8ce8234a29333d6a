"""Every number of every event, made up: no reader and no page takes more than its share, or falls over."""

import json
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from events.chain import Row
from events.codec import decode, event_types
from events.match import MatchOpened
from service.audit import audit
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.records import write_jsonl, write_text
from service.records.files import evidence_in
from service.records.imports import check_evidence
from service.shell.web.audit_file import html_report
from service.shell.web.environment import render
from service.shell.web.uploads import read_upload
from service.shell.web.views.replay import step_view, upload_view
from tests.audit.matches import rehashed

LOGS: Final = Path(__file__).parents[1] / "logs"
GAMES: Final = sorted(folder.name for folder in LOGS.iterdir() if folder.is_dir())
MADE_UP: Final = (0, -1, 7, 999, 1_000, 10**7, 2**31)
MOST: Final = 4 << 20
"""Bytes of anything that is made of a record of some dozen kilobytes; an honest one makes a tenth of it."""

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


def rows_of(log: Path) -> list[bytes]:
    """The events of a golden log; its first line tells what they lead to."""
    return [line for line in log.read_bytes().splitlines() if line.startswith(b'{"match"')]


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where numbers stand in some JSON."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


def with_number(data: bytes, path: tuple[str | int, ...], number: int) -> bytes:
    """The event with another number in one place."""
    envelope = json.loads(data)
    inner = envelope
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = number
    return json.dumps(envelope, separators=(",", ":"), ensure_ascii=False).encode()


def kinds_of_places(game: str) -> dict[tuple[object, ...], tuple[Path, int, tuple[str | int, ...]]]:
    """One place for every field of every kind of event, in the logs of a game."""
    found: dict[tuple[object, ...], tuple[Path, int, tuple[str | int, ...]]] = {}
    for log in sorted((LOGS / game).glob("*.jsonl")):
        for index, data in enumerate(rows_of(log)):
            envelope = json.loads(data)
            for path in places(envelope):
                field = tuple(step if isinstance(step, str) else "[]" for step in path)
                found.setdefault((envelope["event"]["type"], *field), (log, index, path))
    return found


def evidence_of(datas: list[bytes]) -> Evidence:
    """A record of these events, with hashes that fit them."""
    opened = decode(datas[0])
    assert isinstance(opened.event, MatchOpened)
    names = {seat: f"Seat {seat}" for seat in range(1, opened.event.seats + 1)}
    rows = [Row(seq, data, b"") for seq, data in enumerate(datas, start=1)]
    return Evidence("record", opened.match, rows, len(rows), "", names)


READERS: Final[dict[str, Callable[[bytes, Evidence, int], object]]] = {
    "import": lambda data, evidence, seq: check_evidence(evidence),
    "text": lambda data, evidence, seq: write_text(evidence),
    "audit": lambda data, evidence, seq: html_report(audit(evidence), evidence),
    "replay": lambda data, evidence, seq: render("replay.html", page=upload_view(read_upload(data))),
    "step": lambda data, evidence, seq: render("view.html", page=step_view(read_upload(data).sound_history, str(seq))),
}


def attempts(game: str) -> Iterator[tuple[str, bytes, int]]:
    """A record with one made-up number for each field of each kind of event: what it is, its bytes and the event."""
    values = cycle(MADE_UP)
    for field, (log, index, path) in kinds_of_places(game).items():
        datas, number = rows_of(log), next(values)
        changed = with_number(datas[index], path, number)
        forged = rehashed(evidence_of(datas), [*datas[:index], changed, *datas[index + 1 :]])
        yield f"{log.name} with {number} for {field}", write_jsonl(forged), index + 1


@pytest.mark.parametrize("game", GAMES)
def test_made_up_numbers(game: str) -> None:
    readers = cycle(READERS.items())  # every field meets one of them, every kind of value all of them
    for what, data, seq in attempts(game):
        name, read = next(readers)
        try:
            made = read(data, next(evidence_in(data, "record")), seq)
        except LedgerError:
            continue
        except Exception as error:
            raise AssertionError(f"{name} of {what}") from error
        assert not isinstance(made, str) or len(made) < MOST, (name, what)


def test_every_number_of_an_event_has_bounds() -> None:
    infos = {kind: msgspec.inspect.type_info(kind) for kind in event_types()}
    assert [str(kind) for kind, info in infos.items() if list(_unbounded(info))] == []


def _unbounded(info: Any) -> Iterator[str]:
    inspect = msgspec.inspect
    match info:
        case inspect.IntType() if info.ge is None or info.le is None:
            yield "int"
        case inspect.StructType():
            for field in info.fields:
                yield from _unbounded(field.type)
        case inspect.UnionType():
            for member in info.types:
                yield from _unbounded(member)
        case inspect.DictType():
            yield from _unbounded(info.value_type)
        case inspect.VarTupleType() | inspect.ListType():
            yield from _unbounded(info.item_type)
