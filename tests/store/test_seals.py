"""One seal by itself: it unpacks to what went in, or is named, and never takes more room than a match may."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import zstandard

from events.block import pack
from service.errors import Damaged
from service.limits import RECORD_BYTES
from service.store.seals import Seals
from tests.store.sealed import azul_dictionary, simulated

MATCH, ROWS = simulated(0)
DATA = [row.data for row in ROWS]
DICTIONARY = 1
READERS = 4
READINGS = 2_000
"""Of each reader: with one decompressor for all of them, a few of so many go wrong."""


@pytest.fixture
def seals() -> Seals:
    """Those of a ledger that has one dictionary."""
    return Seals(lambda sql, parameters: [(azul_dictionary(),)] if list(parameters) == [DICTIONARY] else [])


@pytest.mark.parametrize("number", [None, DICTIONARY])
def test_a_seal_holds_what_went_in(seals: Seals, number: int | None) -> None:
    seal = seals.make(MATCH, DATA, number)
    assert seals.block(MATCH, seal) == pack(MATCH, DATA)
    assert seals.rows(MATCH, seal) == ROWS


def test_a_seal_is_walked_where_it_leads_to_the_head(seals: Seals) -> None:
    seal, head = seals.make(MATCH, DATA, DICTIONARY), ROWS[-1].hash
    chain = seals.chain(MATCH, seal, head)
    assert chain is not None
    assert (chain.rows, chain.head, chain.broken) == (ROWS, head, None)
    assert seals.chain(MATCH, seal, ROWS[-2].hash) is None
    assert seals.chain(MATCH, seal._replace(events=len(DATA) - 1), head) is None
    assert seals.chain("another", seal, head) is None


def test_a_seal_that_does_not_tell_its_size_reads(seals: Seals) -> None:
    data = zstandard.ZstdCompressor(write_content_size=False).compress(pack(MATCH, DATA))
    assert zstandard.frame_content_size(data) == -1
    assert seals.rows(MATCH, (len(DATA), None, data)) == ROWS


def test_a_seal_that_is_cut_or_longer_is_named(seals: Seals) -> None:
    seal = seals.make(MATCH, DATA, DICTIONARY)
    for data in (*(seal.data[:length] for length in range(len(seal.data))), seal.data + b"\0", seal.data * 2):
        with pytest.raises(Damaged, match=f"Match {MATCH}: its seal cannot be read: it does not unpack: ") as told:
            seals.block(MATCH, seal._replace(data=data))
        assert (told.value.code, told.value.match, told.value.seq) == ("store/seal", MATCH, 0)
    assert seals.block(MATCH, seal) == pack(MATCH, DATA)  # whatever the reader met before


@pytest.mark.parametrize("says", [True, False])
def test_a_seal_of_more_than_any_match_is_refused(seals: Seals, says: bool) -> None:
    data = zstandard.ZstdCompressor(write_content_size=says).compress(bytes(RECORD_BYTES + 1))
    with pytest.raises(Damaged, match="it says that it holds more than" if says else "it does not unpack"):
        seals.block(MATCH, (1, None, data))


def test_a_dictionary_that_is_none_is_named() -> None:
    # It begins like a dictionary, so it is not taken for plain bytes, and goes on like none.
    spoiled = Seals(lambda sql, parameters: [(azul_dictionary()[:4] + b"spoiled",)])
    with pytest.raises(Damaged, match="its dictionary 1 is none: "):
        spoiled.block(MATCH, (1, 1, zstandard.compress(b"anything")))


def test_threads_read_side_by_side(seals: Seals) -> None:
    seal, block = seals.make(MATCH, DATA, DICTIONARY), pack(MATCH, DATA)
    together = Barrier(READERS)

    def read() -> bool:
        together.wait()
        return all(seals.block(MATCH, seal) == block for _ in range(READINGS))

    with ThreadPoolExecutor(READERS) as threads:
        assert all(future.result() for future in [threads.submit(read) for _ in range(READERS)])
