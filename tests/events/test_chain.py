"""The walk along a chain: every row read, linked and judged, whatever lies there."""

from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from events.chain import Chain, Row, link, linked, origin
from events.codec import decode, encode
from events.core import LEDGER, Envelope
from events.match import MatchOpened, SeatTaken

AT = datetime(2026, 1, 2, tzinfo=UTC)
OPENED = MatchOpened(game="azul", ruleset="azul/1", seats=3, options={}, undo="free", chance="recorded")
EVENTS = (OPENED, *(SeatTaken(seat=seat) for seat in (1, 2, 3)))
START = origin("m1", "azul", "azul/1")


def honest() -> list[Row]:
    rows, hash_ = [], START
    for seq, event in enumerate(EVENTS, start=1):
        data = encode(Envelope("m1", seq, seq, AT, LEDGER, event))
        hash_ = link(hash_, data)
        rows.append(Row(seq, data, hash_))
    return rows


def flaws(rows: list[Row], start: bytes | None = None) -> list[str]:
    return [found.flaw for found in Chain("m1", rows, start).links]


def test_an_honest_chain() -> None:
    chain = Chain("m1", honest())
    assert chain.broken is None
    assert chain.opened == OPENED
    assert [found.envelope.event for found in chain.links if found.envelope] == list(EVENTS)
    assert chain.hashes == [row.hash for row in honest()]
    assert chain.head == honest()[-1].hash
    assert chain.rows == honest()


def test_no_row_at_all() -> None:
    chain = Chain("m1")
    assert (chain.broken, chain.opened, chain.head, chain.rows) == (None, None, b"", [])


def test_rows_are_linked_where_the_first_opens_a_match() -> None:
    data = [row.data for row in honest()]
    assert linked("m1", data) == honest()
    assert linked("m1", data[1:]) == [Row(seq, row, b"") for seq, row in enumerate(data[1:], start=1)]
    assert linked("m1", [b"{", *data]) == [Row(seq, row, b"") for seq, row in enumerate([b"{", *data], start=1)]
    assert linked("m1", []) == []


def test_hashes_that_nobody_claims_are_not_missed() -> None:
    bare = [row._replace(hash=b"") for row in honest()]
    assert flaws(bare) == ["", "", "", ""]
    assert Chain("m1", bare).head == honest()[-1].hash


def test_a_changed_row_breaks_every_link_after_it_but_only_one_does_not_follow() -> None:
    rows = honest()
    rows[1] = rows[1]._replace(data=rows[1].data.replace(b'"seat":1', b'"seat":9'))
    chain = Chain("m1", rows)
    assert chain.broken is not None
    assert (chain.broken.position, chain.broken.flaw) == (2, "event 2 does not match its hash")
    assert [found.is_linked for found in chain.links] == [True, False, False, False]
    assert [found.follows for found in chain.links] == [True, False, True, True]
    assert chain.head != honest()[-1].hash


@pytest.mark.parametrize(
    "rows, flaw",
    [
        pytest.param([0, 2, 3], "event 2 is missing", id="removed"),
        pytest.param([0, 1, 1, 2, 3], "event 2 is there twice", id="doubled"),
        pytest.param([0, 2, 1, 3], "event 2 is missing", id="swapped"),
    ],
)
def test_rows_out_of_place(rows: list[int], flaw: str) -> None:
    broken = Chain("m1", [honest()[place] for place in rows]).broken
    assert broken is not None
    assert broken.flaw == flaw


@pytest.mark.parametrize("junk", [b"", b"{", b"\xff", "text", None, 7], ids=repr)
def test_what_does_not_read_is_said_and_walked_past(junk: object) -> None:
    rows = honest()
    rows[2] = rows[2]._replace(data=junk)  # type: ignore[arg-type]
    links = Chain("m1", rows).links
    assert [found.envelope is None for found in links] == [False, False, True, False]
    assert links[2].trouble is not None
    assert links[2].trouble.why
    assert [found.is_linked for found in links] == [True, True, False, False]


def test_without_an_opening_the_first_link_is_taken_as_it_is() -> None:
    rows = honest()[1:]
    chain = Chain("m1", rows)
    assert chain.opened is None
    assert [found.is_linked for found in chain.links] == [True, True, True]


def test_whoever_knows_what_the_first_link_hangs_on_can_say_so() -> None:
    assert flaws(honest(), START) == ["", "", "", ""]
    assert flaws(honest(), origin("m1", "azul", "azul/9"))[0] == "event 1 does not match its hash"


def test_the_match_is_part_of_the_chain() -> None:
    broken = Chain("m2", honest()).broken
    assert broken is not None
    assert broken.position == 1


def one_by_one(rows: list[Row]) -> Chain:
    chain = Chain("m1")
    for row in rows:
        chain.add(row)
    return chain


class Likeness(bytes):
    """What a store makes of text that is none: equal to bytes, and not what we wrote."""


class TestAtOnce:
    """Rows that are all as they should be are judged together, and nobody can tell but by the time it takes."""

    def test_sound_rows(self) -> None:
        chain, added = Chain("m1", honest()), one_by_one(honest())
        assert chain.sound == [found.envelope for found in added.links]
        assert (chain.links, chain.rows, chain.hashes) == (added.links, added.rows, added.hashes)
        assert added.sound is None

    def test_a_row_behind_them(self) -> None:
        chain = Chain("m1", honest()[:3])
        assert chain.add(honest()[3]) == one_by_one(honest()).links[3]
        assert (chain.sound, chain.links, chain.rows) == (None, one_by_one(honest()).links, honest())
        assert chain.head == honest()[3].hash

    @pytest.mark.parametrize("place", range(4))
    @pytest.mark.parametrize(
        "changes",
        [
            {"seq": 9},
            {"hash": b""},
            {"hash": b"\0" * 32},
            {"hash": "text"},
            {"data": b""},
            {"data": b"{"},
            {"data": "text"},
            {"data": honest()[0].data},
            {"data": honest()[3].data},
        ],
        ids=repr,
    )
    def test_a_row_that_is_not_as_it_should_be(self, place: int, changes: dict[str, Any]) -> None:
        rows = honest()
        rows[place] = rows[place]._replace(**changes)
        chain, added = Chain("m1", rows), one_by_one(rows)
        told = [(found.flaw, found.hash, found.follows, str(found.trouble), found.envelope) for found in chain.links]
        assert told == [(one.flaw, one.hash, one.follows, str(one.trouble), one.envelope) for one in added.links]
        assert (chain.sound is None) == (rows != honest())
        assert (chain.rows, chain.data) == (rows, [row.data for row in rows])

    @pytest.mark.parametrize("column, cell", [("seq", 2.0), ("data", Likeness), ("hash", Likeness)])
    def test_cells_that_only_look_like_ours(self, column: str, cell: Any) -> None:
        rows = honest()
        rows[1] = rows[1]._replace(**{column: cell if column == "seq" else cell(getattr(rows[1], column))})
        chain = Chain("m1", rows)
        assert (rows, chain.sound, chain.broken) == (honest(), None, None)

    @pytest.mark.parametrize(
        "cut", ["{0}\n{1}|", "|{0}\n{1}", "{0}{1}| ", "{0}\n|{1}", "[{0}|{1}]", "{0}\r|{1}"], ids=repr
    )
    def test_what_each_row_says_it_says_alone(self, cut: str) -> None:
        last = [row.data.decode() for row in honest()[2:]]
        rows, hash_ = honest()[:2], honest()[1].hash
        for seq, text in enumerate(cut.format(*last).split("|"), start=3):
            rows.append(Row(seq, text.encode(), hash_ := link(hash_, text.encode())))
        said = [found.envelope for found in Chain("m1", rows).links]
        assert said == [found.envelope for found in one_by_one(rows).links]
        assert (None in said) == (cut not in ("{0}\n|{1}", "{0}\r|{1}")), "blanks around an event are read over"


class TestWritten:
    """Rows made of what they say: they are those a head was made of, or none."""

    SAID: ClassVar = [decode(row.data) for row in honest()]

    def test_the_same_as_the_rows(self) -> None:
        chain, read = Chain.written("m1", self.SAID, honest()[-1].hash), Chain("m1", honest())
        assert chain is not None
        assert (chain.rows, chain.links, chain.hashes) == (read.rows, read.links, read.hashes)
        assert (chain.opened, chain.sound, chain.broken, chain.head) == (read.opened, read.sound, None, read.head)

    def test_a_row_behind_them(self) -> None:
        chain = Chain.written("m1", self.SAID[:3], honest()[2].hash)
        assert chain is not None
        assert chain.add(honest()[3]).flaw == ""
        assert (chain.rows, chain.head) == (honest(), honest()[3].hash)

    @pytest.mark.parametrize("head", [b"", None, "text", honest()[2].hash])
    def test_another_head(self, head: object) -> None:
        assert Chain.written("m1", self.SAID, head) is None

    @pytest.mark.parametrize("said", [[], SAID[1:]], ids=["nothing", "no opening"])
    def test_no_match(self, said: list[Envelope]) -> None:
        assert Chain.written("m1", said, honest()[-1].hash) is None


class TestShownHashes:
    """A record shows the first digits of a hash."""

    def test_made_whole_where_they_are_right(self) -> None:
        chain = Chain("m1")
        for row in honest():
            chain.add(row._replace(hash=b""), row.hash.hex()[:7])
        assert chain.rows == honest()

    def test_kept_as_they_are_where_they_are_wrong(self) -> None:
        chain = Chain("m1")
        wrong = chain.add(honest()[0]._replace(hash=b""), "00ff0")
        assert (wrong.row.hash, wrong.is_linked, wrong.follows) == (b"\x00\xff", False, False)

    def test_none_shown(self) -> None:
        chain = Chain("m1")
        assert chain.add(honest()[0]._replace(hash=b""), "").row.hash == b""
