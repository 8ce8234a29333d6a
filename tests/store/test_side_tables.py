"""What is kept beside the events of many matches comes at once, and is what is kept of each, on both databases."""

from pathlib import Path

from msgspec.structs import replace

from service.store import SeatRow, Store, open_store
from service.store.shapes import Grant, Hearsay, RemarkRow, Signature
from tests.store.steps import START, new_match, opened, step_after
from tests.store.test_journal import saying

REMARKS = (RemarkRow(2, "end", "", "later"), RemarkRow(0, "tag", "Event", "Friday"))


def fill(store: Store) -> None:
    """Two matches with something of everything, entered in turns, and one with nothing."""
    for match, secret in (("m2", b"two"), ("m1", b"one")):
        new = replace(new_match(), secret=secret * 8, seed="7", remarks=REMARKS)
        opened(store, match, new=new, seats=(SeatRow(2, f"Bob of {match}", "bot:greedy"), SeatRow(1, "Ann")))
        store.grant(match, Grant("seat", 2, match.encode() * 16))
        store.grant(match, Grant("host", 0, match.encode() * 16))
    opened(store, "m3")
    for said in (b"first", b"second"):
        for match in ("m1", "m2"):
            store.append(replace(step_after(match, store.find(match).head), entries=saying(match, said)))
    signatures = [
        Signature(match, count, "ab" * 32, "cd" * 32, "ef" * 64) for count in (3, 2) for match in ("m1", "m2")
    ]
    store.sign(
        signatures, START, [Hearsay(match, word, word * 32) for word in (b"zz", b"aa") for match in ("m2", "m1")]
    )


def test_what_is_kept_of_many_is_what_is_kept_of_each(store: Store) -> None:
    fill(store)
    together = store.side_tables_of(["m3", "m1", "nowhere", "m2", "last", "m", "\0"])
    assert set(together) == {"m1", "m2", "m3"}, "only ids are asked for: no beginnings of one, and no other names"
    for match, found in together.items():
        assert found == store.side_tables(match)
        assert found.match == found.cells["id"] == match
        assert found.cells["head_seq"] == store.find(match).head.seq
        assert found.flaws == []
        assert found.seats == store.seats(match)
        assert found.signatures == store.signatures(match)
        assert found.remarks == store.remarks(match)
        assert found.hearsay == store.hearsay(match)
        assert found.grants == store.grants(match)
        assert found.entries == store.entries(match)
        assert found.secret == store.secret(match)
    one, none = together["m1"], together["m3"]
    assert [seat.name for seat in one.seats if isinstance(seat, SeatRow)] == ["Ann", "Bob of m1"]
    assert one.remarks == list(REMARKS)
    assert [said.data for said in one.entries] == [b"first", b"second"]
    assert (len(one.signatures), len(one.hearsay), len(one.grants), one.secret) == (2, 2, 2, (b"one" * 8, "7"))
    assert not any((none.seats, none.signatures, none.remarks, none.hearsay, none.grants, none.entries))


def test_one_match_is_found_as_ever(store: Store) -> None:
    fill(store)
    assert store.side_tables("m3").match == "m3"
    assert store.side_tables("last").match == store.find("last").id
    assert store.side_tables_of([]) == {}


def test_a_record_that_names_another_match_belongs_to_the_one_asked_for(sqlite_address: str) -> None:
    """As a flipped byte of an index leaves it: asked for alone or among others, nothing breaks and the same is said."""
    with open_store(sqlite_address) as store:
        store.append(replace(step_after("m1", None), entries=saying("m1", b"opened")))
        store.append(replace(step_after("m2", None), entries=saying("m2", b"opened", b"and more", b"and more")))
    file = Path(sqlite_address)
    whole = file.read_bytes()
    second = b"\x03\x11\x01m2\x03"  # an entry of the index: two kinds of column, the match and the place
    assert whole.count(second) == 1
    file.write_bytes(whole.replace(second, second.replace(b"m2", b"m#")))
    with open_store(sqlite_address, read_only=True) as store:
        together = store.side_tables_of(["m1", "m2"])
        assert together == {match: store.side_tables(match) for match in ("m1", "m2")}
        assert [said.match for said in together["m2"].entries] == ["m2", "m#", "m2"]
        assert together["m2"].entries == store.entries("m2")
