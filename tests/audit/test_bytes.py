"""Whatever bytes a match is made of, an audit ends with a report, and nothing but the match itself is clean."""

import tracemalloc

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.chain import Row
from service.audit import CHECKS, Report, audit
from service.play.evidence import Evidence
from service.store.shapes import Signature
from tests.audit.matches import rehashed, simulated
from tests.shelf import PLAIN
from tests.signing import KEY

AZUL = next(shape for shape in PLAIN if shape.game.key == "azul")
WHOLE = simulated(AZUL, 5)
DATAS = [row.data for row in WHOLE.rows]
at_any_event = st.integers(0, len(DATAS) - 1)
quick = settings(max_examples=80, suppress_health_check=list(HealthCheck))


def reported(evidence: Evidence) -> Report:
    """The report, held to what every report keeps."""
    report = audit(evidence, [KEY.public], receipts=evidence.signatures)
    checks = [verdict.check for verdict in report.verdicts]
    assert checks == [check for check in CHECKS if check in checks], "each check once, in order"
    assert set(checks) >= set(CHECKS) - {"record", "receipt", "journal", "row", "parent"}
    assert all(verdict.why for verdict in report.verdicts if verdict.outcome != "passed")
    return report


@quick
@given(index=at_any_event, place=st.integers(0, 400), byte=st.integers(0, 255), rehashes=st.booleans())
def test_one_byte_changed(index: int, place: int, byte: int, rehashes: bool) -> None:
    data = bytearray(DATAS[index])
    data[place % len(data)] = byte
    datas = [*DATAS[:index], bytes(data), *DATAS[index + 1 :]]
    rows = [row._replace(data=new) for row, new in zip(WHOLE.rows, datas, strict=True)]
    report = reported(rehashed(WHOLE, datas) if rehashes else msgspec.structs.replace(WHOLE, rows=rows))
    assert report.is_clean == (datas == DATAS)
    if not rehashes and not report.is_clean:
        assert report.first is not None
        assert report.first.seq == index + 1


@quick
@given(index=at_any_event, junk=st.binary(max_size=80), cut=st.integers(0, 200))
def test_junk_in_place_of_an_event(index: int, junk: bytes, cut: int) -> None:
    datas = [*DATAS[:index], DATAS[index][:cut] + junk, *DATAS[index + 1 :]]
    assert reported(rehashed(WHOLE, datas)).is_clean == (datas == DATAS)


@quick
@given(rows=st.lists(st.tuples(st.integers(-2, 9), st.binary(max_size=40), st.binary(max_size=33)), max_size=5))
def test_rows_that_were_never_a_match(rows: list[tuple[int, bytes, bytes]]) -> None:
    report = reported(Evidence("junk", "junk", [Row(*row) for row in rows], len(rows), ""))
    assert not report.is_clean
    assert not report.is_readable


@quick
@given(order=st.permutations(range(12)), count=st.integers(-1, 14), head=st.text("0123456789abcdefg", max_size=64))
def test_rows_in_any_order_under_any_head(order: list[int], count: int, head: str) -> None:
    rows = [WHOLE.rows[place] for place in order]
    assert not reported(Evidence("x", WHOLE.match, rows, count, head, signatures=WHOLE.signatures)).is_clean


@quick
@given(
    st.builds(
        Signature,
        match=st.sampled_from([WHOLE.match, "another", "", "\ud800", "a\nb"]),
        count=st.sampled_from([WHOLE.count, 1, 0, -1, 10**30]),
        head=st.sampled_from([WHOLE.head, "", "zz", WHOLE.head.upper()]),
        key=st.sampled_from([KEY.public, "", "00" * 32, "zz", "ff" * 32]),
        signature=st.sampled_from([WHOLE.signatures[0].signature, "", "00" * 64, "zz"]),
    )
)
def test_signatures_of_any_kind(signature: Signature) -> None:
    report = reported(msgspec.structs.replace(WHOLE, signatures=[signature]))
    assert report.is_clean == (signature == WHOLE.signatures[0])


def test_what_a_hand_can_put_into_a_database() -> None:
    """SQLite keeps text and numbers in a column of bytes."""
    for place, row in (
        (3, Row(4, "text", WHOLE.rows[3].hash)),  # type: ignore[arg-type]
        (3, Row(4, WHOLE.rows[3].data, "text")),  # type: ignore[arg-type]
        (0, Row(1, 7, b"")),  # type: ignore[arg-type]
        (5, Row(None, WHOLE.rows[5].data, WHOLE.rows[5].hash)),  # type: ignore[arg-type]
    ):
        rows = [*WHOLE.rows[:place], row, *WHOLE.rows[place + 1 :]]
        report = reported(msgspec.structs.replace(WHOLE, rows=rows))
        assert report.first is not None
        assert report.first.seq == place + 1


def test_numbers_made_up_to_exhaust_memory() -> None:
    for field in (b'"fallen":1', b'"taken":2', b'"seat":1', b'"line":3', b'"next":2', b'"round":1', b'"seats":2'):
        for index, data in enumerate(DATAS):
            if field in data:
                huge = data.replace(field, field + b"000000000000")
                report = reported(rehashed(WHOLE, [*DATAS[:index], huge, *DATAS[index + 1 :]]))
                assert report.first is not None
                assert report.first.seq == index + 1
                break


def test_numbers_made_up_to_exhaust_memory_slowly() -> None:
    """Ten million tiles on a floor would fit into this machine; no audit should try them on."""
    index = next(index for index, data in enumerate(DATAS) if b'"fallen":1' in data)
    huge = rehashed(
        WHOLE, [*DATAS[:index], DATAS[index].replace(b'"fallen":1', b'"fallen":10000000'), *DATAS[index + 1 :]]
    )
    tracemalloc.start()
    try:
        report = reported(huge)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (report["format"].outcome, report["format"].seq) == ("failed", index + 1)
    assert peak < 10_000_000


def test_the_same_key_written_twice_is_not_canonical() -> None:
    twice = DATAS[4].replace(b'"seq":5,', b'"seq":9,"seq":5,')
    assert twice != DATAS[4]
    report = reported(rehashed(WHOLE, [*DATAS[:4], twice, *DATAS[5:]]))
    assert (report["format"].outcome, report["format"].seq) == ("failed", 5)
