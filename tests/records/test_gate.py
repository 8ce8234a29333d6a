"""The gate: whatever a file holds, it is read or refused, before anything large is built and in few steps."""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service import limits
from service.audit import audit
from service.errors import FileTrouble, LedgerError
from service.play.evidence import Evidence, from_store
from service.play.ledger import LocalLedger, check_id
from service.records import import_evidence, read_evidence, write_jsonl, write_text
from service.records.grammar import read_fields, read_moment, read_sheets
from service.records.problems import BadRecord
from service.records.validate import validate
from tests.records.hostile import EXAMPLES, HASHED, HOSTILE, LINES, TABLE, TEXT, raw_lines, undos

STEPS = 3_000_000
"""Lines of Python that reading, importing, validating and auditing any one of those files takes at most."""


def read(tmp_path: Path, data: bytes) -> list[Evidence]:
    """What is read of a file with this content."""
    (tmp_path / "file").write_bytes(data)
    return read_evidence(tmp_path / "file")


def steps_of(work: Callable[[], object]) -> int:
    """How many lines of Python were run."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        if count > STEPS:
            raise AssertionError(f"more than {STEPS:,} steps in {frame.f_code.co_qualname}")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_every_file_is_read_or_refused(name: str, tmp_path: Path, ledger: LocalLedger) -> None:
    def everything() -> None:
        try:
            found = read(tmp_path, HOSTILE[name])
        except LedgerError:
            return
        for evidence in found:
            audit(evidence)
            for use in (lambda e: import_evidence(ledger, e), validate):
                with pytest.raises(LedgerError) as refused:
                    use(evidence)
                assert len(refused.value.message) < 2_100

    steps_of(everything)
    assert ledger.store.count() == 0


@pytest.mark.parametrize(
    ("name", "code"),
    {
        "digits of a step": "record/broken",
        "a milliard seats": "record/opening",
        "a milliard seats in an event": "record/chain",
        "deep header": "record/json",
        "no UTF-8 in a header": "record/json",
        "year 1 at the table": "record/time",
        "year 1 in every event": "record/event",
        "no time zone": "record/event",
        "unknown option": "record/broken",
        "unknown option in an event": "match/option",
        "seat 9 in an event": "record/event",
        "a long name": "record/name",
        "a long name in a header": "record/name",
        "a line without end": "record/line",
        "an absolute id": "record/id",
        "the last id": "record/id",
        "annotations that pose as tags": "record/remarks",
        "annotations that break lines": "record/remarks",
        "annotations without end": "record/remarks",
        "kinds of odd seats": "record/seats",
    }.items(),
)
def test_the_refusal_says_what_is_wrong(name: str, code: str, tmp_path: Path, ledger: LocalLedger) -> None:
    def enter() -> None:
        for evidence in read(tmp_path, HOSTILE[name]):
            import_evidence(ledger, evidence)

    with pytest.raises(LedgerError) as refused:
        enter()
    assert refused.value.code == code


def test_the_files_they_were_made_from_are_fine(tmp_path: Path, ledger: LocalLedger) -> None:
    for data in (HASHED.encode(), TABLE.encode(), LINES):
        (evidence,) = read(tmp_path, data)
        import_evidence(ledger, evidence)
        validate(evidence)
    assert ledger.store.count() == 2  # the same match twice, and the table record


# ------------------------------------------------------------------------------------------------------------- linear


@pytest.mark.parametrize(
    "make",
    [
        raw_lines,
        undos,
        lambda number: b"\n" * (20 * number),
        lambda number: HASHED.encode() * (number // 50),
        lambda number: LINES * (number // 50),
        lambda number: TEXT.replace("1:Ann 5Y1", "1:Ann 5Y1" + " & x" * number).encode(),
        lambda number: TEXT.replace("undo 11", "undo 11" + " 11" * number).encode(),
    ],
    ids=["raw lines", "undos", "empty lines", "matches", "lines of JSON", "parts", "undone steps"],
)
def test_twice_as_much_takes_twice_as_long(make: Callable[[int], bytes], tmp_path: Path) -> None:
    def work(number: int) -> Callable[[], None]:
        def everything() -> None:
            for evidence in read(tmp_path, make(number)):
                audit(evidence)
                write_text(evidence)

        def or_refused() -> None:
            try:
                everything()
            except LedgerError:
                return

        return or_refused

    steps_of(work(100))  # whatever is made on first use
    once, twice = steps_of(work(200)), steps_of(work(400))
    assert twice < 2.3 * once + 1_000


@pytest.mark.parametrize(
    "character",
    [" ", "\t", "#", "@", '"', '\\"', "[", "{", "}", "&", ";", "1", "1 ", "=", ",", ":", "x", "a=1 ", "@+ "],
)
@pytest.mark.parametrize(
    "around", ["{}", "[{}", "[Seat {}]", "[Result {}x]", "1{}x", "1. 1:{}x", "1. 1: 5Y1{}x", "!1 {}x", "1. undo 1{}x"]
)
def test_no_line_is_looked_at_again_and_again(character: str, around: str) -> None:
    """Patterns are C and count no steps; a quadratic one would take minutes over this, and hours in all."""
    line = around.format(character * (150_000 // len(character)))
    with suppress(BadRecord):
        list(read_sheets("\n".join([line] * 2)))


# --------------------------------------------------------------------------------------------------------------- sizes


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"; \n" * (limits.RECORD_BYTES // 3 + 1))
    with pytest.raises(FileTrouble, match=r"larger than 67,108,864 bytes, the most that is read of one") as refused:
        read_evidence(tmp_path / "file")
    assert (refused.value.code, refused.value.exit_code) == ("file/too-large", 2)


def test_a_match_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    (evidence,) = read(tmp_path, raw_lines(limits.EVENTS))
    assert not evidence.is_whole
    assert "more than 50,000 events" in evidence.remarks[-1]
    header, event = LINES.split(b"\n")[:2]
    with pytest.raises(BadRecord, match="more than 50,000 events"):
        read(tmp_path, b"\n".join([header, *[event] * (limits.EVENTS + 1)]))


def test_as_many_remarks_as_are_taken_come_back(tmp_path: Path, ledger: LocalLedger) -> None:
    each = limits.REMARK_CHARACTERS // limits.REMARKS - 1
    comments = "\n".join(["; " + "\x01" * each] * (limits.REMARKS - 10))
    (evidence,) = read(tmp_path, HASHED.replace("   5.", comments + "\n   5.").encode())
    import_evidence(ledger, evidence)
    stored = from_store(ledger.store, evidence.match)
    for written in (write_text(stored).encode(), write_jsonl(stored)):
        (again,) = read(tmp_path, written)
        assert [*again.annotations] == [*stored.annotations]
        import_evidence(ledger, again)


@pytest.mark.parametrize("match", ["a", "0", "match00001", "4h7rk2m9ce", "A-b_C", "x" * 64, "lasting"])
def test_ids_of_other_ledgers(match: str) -> None:
    check_id(match)


@pytest.mark.parametrize(
    "match",
    [
        "",
        "last",
        "LAST",
        "../x",
        "/tmp/x",
        "a/b",
        "a\\b",
        "-a",
        "_a",
        ".",
        "..",
        "a.b",
        "é",
        "a b",
        "a\n",
        "x" * 65,
        "C:x",
    ],
)
def test_what_is_no_id(match: str) -> None:
    with pytest.raises(LedgerError, match="is not the id of a match"):
        check_id(match)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1899-12-31", "3000-01-01"])
def test_moments_beyond_the_calendar(text: str) -> None:
    with pytest.raises(ValueError, match="1900 to 2999"):
        read_moment(text)


@pytest.mark.parametrize("zone", ["", "Z", "+14:00", "-14:00"])
@given(st.dates(min_value=date(1901, 1, 1), max_value=date(2998, 1, 1)))
def test_moments_within(zone: str, day: date) -> None:
    assert read_moment(f"{day.isoformat()}T12:00:00{zone}").year in range(1900, 3000)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a=" + "[" * 33 + "]" * 33, "deeper than 32"),
        ("a=" + "1" * 19, "more than 18 digits"),
        ('a="\\ud800"', "surrogates"),
        ("a=1 b", "expected name=value"),
    ],
)
def test_fields_that_are_not_read(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_fields(text)


def test_what_is_deep_or_long_between_quotes_is_only_text() -> None:
    assert not limits.excess(b'{"a":"' + b"[" * 99 + b'\\"' + b"9" * 99 + b'"}')
    assert not limits.is_too_deep(b"[]" * 99)


def test_a_step_that_is_numbered_0_is_named(tmp_path: Path) -> None:
    """What counts as no number at all was taken for the step it stood at."""
    with pytest.raises(LedgerError, match=r"'00\.' is not a step; steps are counted from 1"):
        read(tmp_path, re.sub(r"(?m)^ *4\. ", "00. ", TEXT).encode())


# ---------------------------------------------------------------------------------------------------------------- fuzz

WORDS = st.sampled_from(
    [
        *re.findall(r"\S+", TEXT + TABLE)[:400],
        "\n",
        "\r",
        " ",
        "[",
        "]",
        '"',
        "\\",
        "{",
        "}",
        "&",
        ";",
        "!",
        "#",
        "@",
        ":",
        "x",
        "9" * 20,
        "−",
        "\ud7ff",
        "\u2028",
        "\x00",
    ]
)


@given(st.lists(WORDS, max_size=60), st.integers(0, len(TEXT)), st.integers(0, 40))
@settings(max_examples=150)
def test_any_text_in_the_middle_of_a_record(words: list[str], place: int, lost: int) -> None:
    _is_answered((TEXT[:place] + " ".join(words) + TEXT[place + lost :]).encode())


@given(st.lists(WORDS, max_size=60), st.integers(0, len(TABLE)), st.integers(0, 40))
@settings(max_examples=150)
def test_any_text_in_the_middle_of_a_table_record(words: list[str], place: int, lost: int) -> None:
    _is_answered((TABLE[:place] + " ".join(words) + TABLE[place + lost :]).encode())


@given(st.binary(max_size=30), st.integers(0, len(LINES)), st.integers(0, 40))
@example(b"", 217, 31)  # a tag that lost its name
@settings(max_examples=150)
def test_any_bytes_in_the_middle_of_lines(data: bytes, place: int, lost: int) -> None:
    _is_answered(LINES[:place] + data + LINES[place + lost :])


@given(st.binary(max_size=300))
def test_any_bytes_at_all(data: bytes) -> None:
    _is_answered(data)


def _is_answered(data: bytes) -> None:
    path = Path(_folder) / "file"
    path.write_bytes(data)
    try:
        found = read_evidence(path)
    except LedgerError:
        return
    for evidence in found:
        audit(evidence)
        write_jsonl(evidence)
        write_text(evidence)
        try:
            validate(evidence)
        except LedgerError:
            continue


_folder = ""


@pytest.fixture(autouse=True)
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder for files that are written again and again."""
    global _folder
    _folder = _folder or str(tmp_path_factory.mktemp("fuzz"))


def test_the_document_names_every_limit() -> None:
    told = (EXAMPLES.parent / "notation.md").read_text().partition("## Limits")[2].partition("\n## ")[0]
    for name, value in vars(limits).items():
        if name[0] != "_" and name.isupper() and isinstance(value, int):
            assert f"{value:,}" in told or str(value) in told, name
