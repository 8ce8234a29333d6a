"""The walk along a chain: every row read, linked and judged, whatever lies there."""

from datetime import UTC, datetime

import pytest

from events.chain import Chain, Row, link, origin
from events.codec import encode
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
        pytest.param([0, 1, 1, 2, 3], "event 2 stands twice", id="doubled"),
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
