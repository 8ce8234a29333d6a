"""Promise 5: a record gives the same bytes back, hashes included, and its second export is the first one."""

import json
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import pytest

from events.chain import Row, link, origin
from events.codec import decode, tag
from events.core import ARBITER, Standing
from events.dispute import DisputeAppealed, DisputeRuled, DisputeWithdrawn, ResultFinalised
from events.match import MatchOpened
from events.retired import UPCASTS
from projections.core import Names
from service.audit import audit
from service.play.appending import compose
from service.play.evidence import Evidence, from_store
from service.play.fork import fork
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.replay import load
from service.play.simulate import as_append, make_plan, playout
from service.records import import_evidence, read_evidence, write_jsonl, write_text
from service.records.validate import validate
from service.store.shapes import Append, Head, RemarkRow, Signature
from tests.conftest import TWO, finish
from tests.golden import LOGS
from tests.records.histories import of_rows, raw_lines, reread, wander
from tests.shapes import each_shape_once
from tests.shelf import SHAPES, Shape

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
GOLDEN = sorted(LOGS.glob("*/*.jsonl"))
RETIRED = {tag(kind) for kind in UPCASTS}


def simulated(shape: Shape, seed: int = 3) -> Evidence:
    """A whole match between bots, as evidence without any ledger."""
    plan = make_plan(shape.game.key, shape.seats, shape.options, ["greedy", "random"], 0)
    append = as_append(shape.game, plan, seed, playout(shape.game, plan, seed), datetime(2026, 1, 2, 3, tzinfo=UTC))
    return in_hand(append)


def in_hand(append: Append) -> Evidence:
    names = {seat.seat: seat.name for seat in append.seats}
    kinds = {seat.seat: seat.kind for seat in append.seats}
    head = append.head
    return Evidence(append.match, append.match, append.rows, head.seq, head.hash.hex(), names=names, kinds=kinds)


@each_shape_once
def test_a_whole_match_of_every_shape(shape: Shape, tmp_path: Path) -> None:
    """Every step stands in words: a game whose `recall` is missing or wrong fails here."""
    evidence = simulated(shape)
    text = write_text(evidence)
    assert raw_lines(text) == []
    read = reread(text, tmp_path)
    assert (read.remarks, read.is_whole) == ([], True)
    assert [row.data for row in read.rows] == [row.data for row in evidence.rows]
    assert write_text(read) == text
    data = write_jsonl(evidence)
    assert reread(data, tmp_path).rows == evidence.rows
    assert write_jsonl(reread(data, tmp_path)) == data
    assert validate(read).events == evidence.count


@each_shape_once
def test_a_match_full_of_detours(shape: Shape, jumpy: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    live = wander(jumpy, shape, seed=crc32(shape.id.encode()), steps=12 if shape.options else 30)
    evidence = from_store(jumpy.store, live.id)
    text = write_text(evidence)
    assert raw_lines(text) == []
    read = reread(text, tmp_path)
    assert read.remarks == []
    copy = import_evidence(other, read)
    assert other.store.rows(live.id) == jumpy.store.rows(live.id)
    assert write_text(from_store(other.store, live.id)) == text
    assert write_jsonl(from_store(other.store, live.id)) == write_jsonl(evidence)
    assert copy.table == load(jumpy, live.id).table
    ours, theirs = jumpy.store.find(live.id), other.store.find(live.id)
    assert (ours.opened_at, ours.status, ours.head) == (theirs.opened_at, theirs.status, theirs.head)


def test_detours_hold_everything_they_should(jumpy: LocalLedger) -> None:
    """The wandering is worth little if it never comes past undo, consent, forks, waiting deals and early ends."""
    shape = next(shape for shape in SHAPES if shape.game.key == "azul")
    words = " ".join(write_text(from_store(jumpy.store, wander(jumpy, shape, seed).id)) for seed in range(16))
    for word in (
        "x. ", "undo ", "redo ", "asks undo", "accepts", "declines", "resigns", "close abandoned", "nonce", "seed ",
        'Forked "match=', "confirm_reveals=true", 'Chance "recorded"', "@+61.5",
    ):  # fmt: skip
        assert word in words, word


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_logs_keep_their_bytes(path: Path, tmp_path: Path) -> None:
    """Old shapes cannot be written in words of today; they stand as raw events and lose nothing."""
    lines = path.read_bytes().splitlines()[1:]
    first = decode(lines[0])
    assert isinstance(first.event, MatchOpened)
    hash_ = origin(first.match, first.event.game, first.event.ruleset)
    rows = []
    for seq, data in enumerate(lines, start=1):
        hash_ = link(hash_, data)
        rows.append(Row(seq, data, hash_))
    evidence = Evidence(str(path), first.match, rows, len(rows), hash_.hex())
    text = write_text(evidence)
    read = reread(text, tmp_path)
    assert [row.data for row in read.rows] == lines
    assert write_text(read) == text
    assert bool(raw_lines(text)) == any(json.loads(line)["event"]["type"] in RETIRED for line in lines)
    assert validate(read).events == len(rows)


def test_how_draws_are_derived_stands_in_the_tags(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    """The derivation among the terms, the match a secret was made for beside the parent; or neither."""
    first = finish(ledger, open_match(ledger, "azul", players=TWO))
    second = finish(ledger, fork(ledger, first, 5, chance_mode="same-draws"))
    third = finish(ledger, fork(ledger, second, 5, chance_mode="same-draws"))
    seeded = finish(ledger, open_match(ledger, "azul", players=TWO, seed=7))
    for live, terms, origin_said in ((first, "derivation=2", ""), (third, "derivation=2", first.id), (seeded, "-", "")):
        evidence = from_store(ledger.store, live.id)
        text = write_text(evidence)
        assert raw_lines(text) == []
        assert f'[Terms "{terms}"]' in text
        assert (f" origin={origin_said}" in text) == bool(origin_said)
        assert [row.data for row in reread(text, tmp_path).rows] == [row.data for row in evidence.rows]
        copy = import_evidence(other, reread(text, tmp_path))
        assert copy.opened == live.opened
        assert audit(from_store(other.store, live.id)).findings == []
        assert other.store.rows(live.id) == ledger.store.rows(live.id)


def disputed(ledger: LocalLedger) -> Evidence:
    """A finished match with a dispute about it, ruled, appealed and final."""
    shape = next(shape for shape in SHAPES if shape.game.key == "azul")
    evidence = simulated(shape)
    last = decode(evidence.rows[-1].data)
    key, signature = "ab" * 32, "cd" * 64
    ruled = DisputeRuled(1, 'Cleo; "arbiter" & {x}', key, signature, ("AZ-46",), "a run of 3 & a column / of 2")
    start = Head(evidence.count, last.step, evidence.rows[-1].hash)
    _, rows, head = compose(
        evidence.match,
        start,
        [
            [(ARBITER, ruled)],
            [(2, DisputeAppealed(1, 2, "no; {never} =3 #abcd @+1"))],
            [(2, DisputeWithdrawn(1, 2))],
            [(ARBITER, ResultFinalised("Cleo", key, signature, (Standing(2, 1, 40, 1), Standing(1, 2, 30))))],
        ],
        last.at,
    )
    return of_rows(evidence, [*evidence.rows, *rows], count=head.seq, head=head.hash.hex())


def test_disputes_and_the_ruled_result(ledger: LocalLedger, tmp_path: Path) -> None:
    evidence = disputed(ledger)
    text = write_text(evidence)
    assert raw_lines(text) == []
    assert '[Ruled "1. random 40 (tie-break 1); 2. greedy 30"]' in text
    assert "arbiter dispute.ruled number=1" in text
    read = reread(text, tmp_path)
    assert read.remarks == []
    assert [row.data for row in read.rows] == [row.data for row in evidence.rows]
    assert write_text(read) == text
    import_evidence(ledger, read)
    assert write_text(from_store(ledger.store, evidence.match)) == text


def test_names_kinds_signatures_tags_and_comments_come_back(tmp_path: Path) -> None:
    shape = SHAPES[0]
    plain = simulated(shape)
    names = {1: 'A "quoted" \\ name\twith\nlines', 2: "Zoë ✗ 漢字 ]["}
    remarks = [
        RemarkRow(0, "tag", "Event", 'The "Open"; round [1]'),
        RemarkRow(0, "line", "", "before everything"),
        RemarkRow(5, "end", "", "a; b & c # d"),
        RemarkRow(5, "line", "", ""),
        RemarkRow(5, "line", "", "  indented"),
        RemarkRow(9999, "line", "", "after everything"),
    ]
    signature = Signature(plain.match, plain.count, plain.head, "ab" * 32, "cd" * 64)
    evidence = of_rows(plain, list(plain.rows), names=names, annotations=remarks, signatures=[signature])
    for written in (write_text(evidence), write_jsonl(evidence)):
        read = reread(written, tmp_path)
        assert (read.names, read.kinds) == (names, plain.kinds)
        assert [r.text for r in read.annotations] == [r.text for r in remarks]
        assert list(read.signatures) == [signature]
        again = write_text(read) if isinstance(written, str) else write_jsonl(read)
        assert again == written


def test_one_file_of_many_matches(tmp_path: Path) -> None:
    each = [simulated(shape) for shape in SHAPES[:3]]
    for joined in ("\n".join(map(write_text, each)).encode(), b"".join(map(write_jsonl, each))):
        path = tmp_path / "many"
        path.write_bytes(joined)
        found = read_evidence(path)
        assert [(e.match, e.head) for e in found] == [(e.match, e.head) for e in each]


def test_a_json_line_is_what_the_interface_says(ledger: LocalLedger) -> None:
    shape = SHAPES[0]
    lines = write_jsonl(simulated(shape)).splitlines()
    header, event, trailer = json.loads(lines[0]), json.loads(lines[1]), json.loads(lines[-1])
    assert header["matchledger"] == 1
    assert header["seats"] == {"1": "greedy", "2": "random"}
    assert set(event) == {"hash", "envelope"}
    assert set(trailer) == {"count", "head", "signatures"}
    assert trailer["count"] == len(lines) - 2


def test_an_open_match_without_a_player(ledger: LocalLedger, other: LocalLedger, tmp_path: Path) -> None:
    live = open_match(ledger, "azul", 3, players=TWO[:1])
    text = write_text(from_store(ledger.store, live.id))
    copy = import_evidence(other, reread(text, tmp_path))
    assert (copy.table.status, copy.names[1], copy.names[2]) == ("open", "Ann", Names()[2])
    assert write_text(from_store(other.store, live.id)) == text
