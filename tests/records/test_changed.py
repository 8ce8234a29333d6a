"""Records and ledgers that were changed: nothing is lost, nothing is hidden, and the first change is found."""

import re
from pathlib import Path
from random import Random

import pytest

from events.chain import Row, link, origin
from events.codec import decode
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.records import read_evidence, write_jsonl, write_text
from service.records.imports import check_evidence
from service.records.validate import validate
from tests.records.histories import of_rows, raw_lines, reread
from tests.records.test_round_trip import simulated
from tests.shelf import PLAIN, SMALLEST

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
KINDS = 9
"""How many ways of `tampered` there are."""


@pytest.fixture
def text(examples: Path) -> str:
    return (examples / "azul.mlr").read_text(encoding="utf-8")


def refusal(text: str, folder: Path) -> str:
    with pytest.raises(LedgerError) as caught:
        validate(reread(text, folder))
    return caught.value.message


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("2:Ben 5B2 ", "2:Ben 5B4 ", "line 40: match 4h7rk2m9ce: event 28 does not match its hash"),
        ("deal WYYR", "deal YWYR", "line 39: match 4h7rk2m9ce: event 27"),
        ("#187c22be", "#187c22bf", "line 40: match 4h7rk2m9ce: event 28"),
        ("@+33\n", "@+34\n", "line 40: match 4h7rk2m9ce: event 28"),
        ("2:Ben +1 AZ-45 +2 AZ-46 +1 AZ-45 =7", "2:Ben +1 AZ-45 +2 AZ-46 +1 AZ-45 =8", "line 49: {2:Ben"),
        ("1:Ann +1 AZ-45 +2 AZ-46 =3", "1:Ann +1 AZ-45 +3 AZ-46 =4", "line 39: {1:Ann +1 AZ-45 +3 AZ-46 =4"),
        ("+1 AZ-45 +2 AZ-46 =3", "+1 AZ-45 +2 AZ-47 =3", "line 39: "),
        ("  11x.", "  11. ", "line 33: step 11 was undone, but it is marked otherwise"),
        ('[Result "1. Ann 59', '[Result "1. Ann 95', "line 16: [Result"),
        ('[Ruled "-"]', '[Ruled "1. Ben 99"]', "line 17: [Ruled"),
        ('[Ended "2026-01-31', '[Ended "2025-01-31', "line 15: [Ended"),
        ('[Started "2026-01-31', '[Started "2025-01-31', "line 14: [Started"),
        ('[Commitment "', '[Commitment "00', "line 23: match 4h7rk2m9ce: event 1"),
        ("maxRounds=none", "maxRounds=9", "line 23: match 4h7rk2m9ce: event 1"),
        ('nonce "seven', 'nonce "eight', "line 24: match 4h7rk2m9ce: event 2"),
        ('[Match "4h7rk2m9ce"]', '[Match "4h7rk2m9cf"]', "event 1"),
        ('[Count "111"]', '[Count "112"]', "112 events are promised, and 111 are there"),
        ("1:Ann 5Y1", "1:Ann 5Y9", "line 27: '1:Ann 5Y9': "),
        ("1:Ann 5Y1", "1:Ann 5W1", "line 27: '1:Ann 5W1': Display 5 holds no white"),
    ],
)
def test_a_changed_line_is_named(old: str, new: str, said: str, text: str, tmp_path: Path) -> None:
    assert text.count(old) >= 1
    assert said in refusal(text.replace(old, new, 1), tmp_path)


def test_every_dropped_doubled_or_swapped_line_is_noticed(text: str, tmp_path: Path) -> None:
    lines = text.splitlines(keepends=True)
    steps = [n for n, line in enumerate(lines) if re.match(r" *\d+x?\. ", line)]
    assert len(steps) == 58
    for n in steps:
        for changed in (
            lines[:n] + lines[n + 1 :],
            [*lines[:n], lines[n], *lines[n:]],
            [*lines[: n - 1], lines[n], lines[n - 1], *lines[n + 1 :]] if n > steps[0] else lines[:n],
        ):
            with pytest.raises(LedgerError):
                check_evidence(reread("".join(changed), tmp_path))


def test_a_record_cut_off_anywhere_is_noticed(text: str, tmp_path: Path) -> None:
    for size in range(len(text.rstrip()) - 1, 0, -97):
        with pytest.raises(LedgerError):
            check_evidence(reread(text[:size], tmp_path))


@pytest.mark.parametrize("shape", SMALLEST, ids=lambda shape: shape.id)
@pytest.mark.parametrize("kind", range(KINDS))
def test_an_export_of_a_changed_ledger_loses_nothing(shape: object, kind: int, tmp_path: Path) -> None:
    """Whatever a hand did to the rows, once or three times, text and JSON lines give exactly those rows back."""
    rng = Random(kind)
    evidence = simulated(shape, kind)  # type: ignore[arg-type]
    for each in (kind, *rng.choices(range(KINDS), k=rng.choice([0, 0, 2]))):
        evidence = tampered(evidence, rng, each)
    written = write_text(evidence)
    read = reread(written, tmp_path)
    assert [(row.seq, row.data) for row in read.rows] == [(row.seq, row.data) for row in evidence.rows]
    assert write_text(read) == written
    assert (read.count, read.head) == (evidence.count, evidence.head)
    shown = [row.hash for row in read.rows]
    assert all(a == b.hash or not a for a, b in zip(shown, evidence.rows, strict=True))
    assert read.is_broken == evidence.is_broken
    data = write_jsonl(evidence)
    assert reread(data, tmp_path).rows == evidence.rows
    assert write_jsonl(reread(data, tmp_path)) == data


def tampered(evidence: Evidence, rng: Random, kind: int) -> Evidence:
    """One of the nine things somebody with the database in hand could do."""
    rows = list(evidence.rows)
    n = rng.randrange(1, len(rows))
    seq, data, hash_ = rows[n]
    match kind:
        case 0:
            rows[n] = Row(seq, data.replace(b"1", b"2", 1), hash_)
        case 1:
            rows[n] = Row(seq, data, bytes(reversed(hash_)))
        case 2:
            del rows[n]
        case 3:
            rows[n - 1], rows[n] = rows[n], rows[n - 1]
        case 4:
            rows.insert(n, rows[n])
        case 5:
            odd = [b"", b"=", b"\xff\x00", b"{}", b" x ", b"base64 x", b'"a\nb"', b"; no"]
            rows[n] = Row(seq, rng.choice(odd), hash_)
        case 6:
            rows[n] = Row(seq, data + b" ", hash_)
        case 7:
            return of_rows(evidence, rows, head="00" * 32, count=evidence.count + 1)
        case 8:
            rows = rows[:n]
    return of_rows(evidence, rows)


def test_a_rehashed_illegal_step_is_raw_and_invalid(tmp_path: Path) -> None:
    """Somebody gave a seat a point more and made the whole chain anew: words would lie, so raw events stand there."""
    evidence = simulated(PLAIN[0])
    n = next(n for n, row in enumerate(evidence.rows) if b'"applied":1,' in row.data)
    changed = [row.data for row in evidence.rows]
    changed[n] = changed[n].replace(b'"applied":1,', b'"applied":9,')
    again = rechained(evidence, changed)
    assert not again.is_broken
    text = write_text(again)
    assert raw_lines(text)
    with pytest.raises(LedgerError, match=r"is not what the rules azul/2 decide"):
        validate(reread(text, tmp_path))
    with pytest.raises(LedgerError, match=r"is not what the rules azul/2 decide"):
        validate(reread(write_jsonl(again), tmp_path))


def rechained(evidence: Evidence, data: list[bytes]) -> Evidence:
    first = decode(data[0]).event
    hash_ = origin(evidence.match, first.game, first.ruleset)  # type: ignore[attr-defined]
    rows = []
    for seq, one in enumerate(data, start=1):
        hash_ = link(hash_, one)
        rows.append(Row(seq, one, hash_))
    return of_rows(evidence, rows, head=hash_.hex())


@pytest.mark.parametrize(
    "content", [b"", b"\n; only a comment\n", b"\xff\xfe", b"{}", b'{"hash":"00"}', b"[1,2]", b"{"]
)
def test_what_is_no_record_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_bytes(content)
    with pytest.raises(LedgerError) as caught:
        read_evidence(path)
    assert str(path) in caught.value.message


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(LedgerError) as caught:
        read_evidence(tmp_path / "nowhere")
    assert (caught.value.code, caught.value.exit_code) == ("record/file", 2)


def test_json_lines_cut_off(examples: Path, tmp_path: Path) -> None:
    lines = (examples / "azul.jsonl").read_bytes().splitlines(keepends=True)
    for kept in (1, 5, len(lines) - 1):
        evidence = reread(b"".join(lines[:kept]), tmp_path)
        assert not evidence.is_whole
        with pytest.raises(LedgerError, match="without its count and head"):
            check_evidence(evidence)
