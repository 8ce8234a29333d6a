"""Finding, listing and streaming matches."""

import tracemalloc
from datetime import timedelta

import msgspec
import psycopg
import pytest

from service.errors import Damaged, NotFound, Refused
from service.store import Append, MatchRow, SeatRow, Store, open_store
from service.store.columns import sound
from service.store.database import Stream
from tests.store.steps import START, new_match, opened, step_after


def ids(matches: list[MatchRow]) -> list[str]:
    return [match.id for match in matches]


@pytest.mark.parametrize("text, found", [("abc", "abc"), ("abcd", "abcd"), ("abd", "abd-1"), ("B", "Bx"), ("é", "éa")])
def test_a_match_is_found_by_id_or_prefix(store: Store, text: str, found: str) -> None:
    for match in ("abc", "abcd", "abd-1", "Bx", "bx", "éa"):
        opened(store, match)
    assert store.find(text).id == found


@pytest.mark.parametrize("text", ["x", "", "abcd", "ab%", "a_c", "ABC", "\0", "\ud800", "last\n"])
def test_an_unknown_match_is_not_found(store: Store, text: str) -> None:
    opened(store, "abc")
    with pytest.raises(NotFound) as refused:
        store.find(text)
    assert refused.value.code == "match/unknown"
    assert repr(text) in refused.value.message


@pytest.mark.parametrize("count, listed", [(2, "a0, a1."), (5, "a0, a1, a2, a3, a4."), (6, "a0, a1, a2, a3, a4, ….")])
def test_an_ambiguous_prefix_lists_candidates(store: Store, count: int, listed: str) -> None:
    for number in range(count):
        opened(store, f"a{number}")
    with pytest.raises(Refused) as refused:
        store.find("a")
    assert refused.value.code == "match/ambiguous"
    assert f"'a' fits several matches: {listed}" in refused.value.message


def test_last_is_the_match_that_moved_last(store: Store) -> None:
    with pytest.raises(NotFound):
        store.find("last")
    head = opened(store, "m1")
    opened(store, "m2", at=START + timedelta(microseconds=1))
    assert store.find("last").id == "m2"
    store.append(step_after("m1", head))
    assert store.find("last").id == "m1"


@pytest.fixture
def listing(store: Store) -> Store:
    """Four matches, `m4` the newest."""
    ann, bob = SeatRow(1, "Ann"), SeatRow(2, "Bob")
    table = (
        ("m1", "azul", None, "closed", (ann, bob)),
        ("m2", "coloretto", None, "playing", (ann,)),
        ("m3", "azul", "m1", "open", (bob,)),
        ("m4", "azul", "m1", "playing", ()),
    )
    for minutes, (match, game, parent, status, seats) in enumerate(table):
        at = START + timedelta(minutes=minutes)
        opened(store, match, at=at, new=new_match(game, parent=parent), status=status, seats=seats)
    return store


@pytest.mark.parametrize(
    "filters, found",
    [
        ({}, ["m4", "m3", "m2", "m1"]),
        ({"game": "azul"}, ["m4", "m3", "m1"]),
        ({"status": "playing"}, ["m4", "m2"]),
        ({"player": "Ann"}, ["m2", "m1"]),
        ({"parent": "m1"}, ["m4", "m3"]),
        ({"game": "azul", "player": "Bob", "status": "open"}, ["m3"]),
        ({"limit": 2}, ["m4", "m3"]),
        ({"limit": 0}, []),
        ({"player": "Eve"}, []),
    ],
    ids=str,
)
def test_matches_are_filtered_newest_first(listing: Store, filters: dict[str, str], found: list[str]) -> None:
    assert ids(sound(listing.matches(**filters))) == found  # type: ignore[arg-type]
    assert listing.count_matches(**filters) == (4 if "limit" in filters else len(found))  # type: ignore[arg-type]


def test_no_more_matches_are_counted_than_is_quick(listing: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.filters._COUNTED", 3)
    assert listing.count_matches() is None
    assert listing.count_matches(game="azul") == 3
    assert listing.count_matches(player="Ann") == 2
    monkeypatch.setattr("service.store.filters._COUNTED", 2)
    assert listing.count_matches(player="Ann") is None, "its seats are too many to go through"


def test_pages_neither_repeat_nor_skip(store: Store) -> None:
    for number in range(7):  # several share a moment, so the id must decide
        opened(store, f"m{number}", at=START + timedelta(seconds=number // 3))
    pages, before = [], None
    while page := sound(store.matches(limit=2, before=before)):
        pages.append(ids(page))
        before = (page[-1].moved_at, page[-1].id)
    assert pages == [["m6", "m5"], ["m4", "m3"], ["m2", "m1"], ["m0"]]


def test_heads_of_many_matches_come_at_once(listing: Store) -> None:
    heads = listing.heads_of(["m2", "m1", "nowhere"])
    assert heads == {match: listing.head(match) for match in ("m1", "m2")}
    assert listing.heads_of([]) == {}


def test_seats_of_many_matches_come_at_once(listing: Store) -> None:
    assert listing.seats_of(["m2", "m4", "m1", "nowhere"]) == {
        "m2": [SeatRow(1, "Ann")],
        "m4": [],
        "m1": [SeatRow(1, "Ann"), SeatRow(2, "Bob")],
        "nowhere": [],
    }
    assert listing.seats_of([]) == {}
    many = [f"x{number}" for number in range(1200)]
    assert listing.seats_of([*many, "m3"])["m3"] == [SeatRow(2, "Bob")]


def joined(store: Store, match: str) -> bytes:
    """The rows of a match as a stream has them."""
    return b",".join(row.data for row in store.rows(match))


def test_streams_give_every_match_in_order(store: Store) -> None:
    for match in ("b", "a", "B", "c"):  # interleaved, and in no order
        opened(store, match, new=new_match("coloretto" if match == "c" else "azul"))
    for match in ("a", "c", "B"):
        store.append(step_after(match, store.find(match).head))
    expected: list[tuple[MatchRow | Damaged, Stream]] = [
        (store.find(match), Stream(b"", joined(store, match))) for match in ("B", "a", "b", "c")
    ]
    assert list(store.streams()) == expected
    assert list(store.streams("coloretto")) == expected[3:]
    assert list(store.streams("azul")) == expected[:3]
    assert list(store.streams("chess")) == []


def test_a_stream_shows_one_moment_while_the_store_moves_on(store: Store) -> None:
    heads = {match: opened(store, match) for match in ("a", "b")}
    stream = store.streams()
    assert sound([next(stream)[0]]) == [store.find("a")]
    before = joined(store, "b")
    store.append(step_after("b", heads["b"]))
    opened(store, "c")
    told = [(match.head, data.behind) for match, data in stream if not isinstance(match, Damaged)]
    assert told == [(heads["b"], before)]
    assert len(store.rows("b")) == 6


def test_a_stream_left_early_leaves_nothing_behind(store: Store) -> None:
    for match in ("a", "b"):
        opened(store, match)
    stream = store.streams()
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert len(list(store.streams())) == 2


def long_opening(match: str, game: str) -> Append:
    return msgspec.structs.replace(step_after(match, None, size=4, said="x" * 5_000), new=new_match(game))


def test_streaming_takes_the_memory_of_a_few_matches(store: Store) -> None:
    def peak(game: str, matches: int) -> int:
        store.append_all([long_opening(f"{game}{number}", game) for number in range(matches)])
        tracemalloc.start()
        try:
            assert sum(1 for _ in store.streams(game)) == matches
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak("few", 20), peak("many", 200)
    assert many < 2 * few, "ten times the matches took more than twice the memory"


def test_postgres_keeps_the_rest_of_a_stream_on_the_server(postgres_address: str) -> None:
    with open_store(postgres_address) as store, psycopg.connect(postgres_address, autocommit=True) as watcher:
        store.append_all([step_after(f"m{number:02}", None) for number in range(30)])
        stream = store.streams()
        next(stream)
        running = watcher.execute("SELECT query FROM pg_stat_activity WHERE state = 'idle in transaction'").fetchall()
        assert [query for (query,) in running if "FETCH FORWARD" in query], running
        assert sum(1 for _ in stream) == 29
