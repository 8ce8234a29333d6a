"""Seals: the events of a closed match as one compressed block, and back, byte for byte."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import zstandard

from events.block import envelopes_of, pack, unpack
from events.chain import Chain, Row, linked
from events.codec import Undecodable
from service.errors import Damaged
from service.limits import RECORD_BYTES
from service.store.columns import DICTIONARY, SEAL

LEVEL: Final = 15
"""Three bytes in a hundred larger than the highest, at a third of its time."""
DICTIONARY_BYTES: Final = 32 << 10
SAMPLES: Final = 100
"""A dictionary that serves fewer matches than this takes more room than it saves."""
MOST_SAMPLES: Final = 1_000
_IN_JSON: Final = b'"type":'
"""What stands in every event in JSON, and in none in MessagePack."""
_FIND_DICTIONARY: Final = f"SELECT {DICTIONARY.columns} FROM dictionary WHERE number = ?"


class Seal(NamedTuple):
    """The first events of a closed match as one compressed block."""

    events: int
    dictionary: int | None
    """What it was compressed with; None where nothing was trained yet."""
    data: bytes


class _Own(threading.local):
    """What one thread reads and writes seals with, by dictionary; no two threads may share a reader or a writer."""

    def __init__(self) -> None:
        self.readers: dict[int | None, zstandard.ZstdDecompressor] = {}
        self.writers: dict[int | None, zstandard.ZstdCompressor] = {}


class Seals:
    """The seals of one database, read through whatever answers its questions; dictionaries are looked up once."""

    def __init__(self, fetch: Callable[[str, Sequence[object]], list[tuple[Any, ...]]]) -> None:
        self._fetch = fetch
        self._dictionaries: dict[int, zstandard.ZstdCompressionDict] = {}
        self._own = _Own()

    def rows(self, match: str, record: Sequence[Any]) -> list[Row]:
        """The events under a seal, a record of `SEAL.columns`, with the hashes they lead to; or Damaged."""
        seal = Seal(*SEAL.read(match, record))
        return linked(match, opened(match, seal, self._unpacked(match, seal.dictionary, seal.data)))

    def chain(self, match: str, record: Sequence[Any], head: object) -> Chain | None:
        """The same events, walked, in less than half the time; None where they do not lead to the head. Or Damaged."""
        seal = Seal(*SEAL.read(match, record))
        envelopes = envelopes_of(match, self._unpacked(match, seal.dictionary, seal.data))
        if envelopes is None or len(envelopes) != seal.events:
            return None
        return Chain.written(match, envelopes, head)

    def block(self, match: str, record: Sequence[Any]) -> bytes:
        """What a seal holds, a record of `SEAL.columns`; or Damaged."""
        _, dictionary, data = SEAL.read(match, record)
        return self._unpacked(match, dictionary, data)

    def _unpacked(self, match: str, dictionary: int | None, data: bytes) -> bytes:
        """The block, which is no larger than any match may be."""
        try:
            if zstandard.frame_content_size(data) > RECORD_BYTES:
                raise _damage(match, f"it says that it holds more than {RECORD_BYTES:,} bytes")
            reader = self._reader(match, dictionary)
            return reader.decompress(data, max_output_size=RECORD_BYTES, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise _damage(match, f"it does not unpack: {error}") from error

    def make(self, match: str, rows: Sequence[bytes], number: int | None) -> Seal:
        """The seal of these events. `Undecodable` where they are none."""
        return Seal(len(rows), number, self._writer(match, number).compress(pack(match, rows)))

    # Both are kept: a reader takes twice as long to make as a match to unpack, and a writer digests its dictionary.

    def _reader(self, match: str, number: int | None) -> zstandard.ZstdDecompressor:
        reader = self._own.readers.get(number)
        if reader is None:
            with _dictionary_of(match, number):
                reader = zstandard.ZstdDecompressor(dict_data=self._dictionary(match, number))
            self._own.readers[number] = reader
        return reader

    def _writer(self, match: str, number: int | None) -> zstandard.ZstdCompressor:
        writer = self._own.writers.get(number)
        if writer is None:
            with _dictionary_of(match, number):
                dictionary = self._dictionary(match, number)
                if dictionary is not None:
                    dictionary.precompute_compress(level=LEVEL)  # otherwise every match digests it again
                writer = zstandard.ZstdCompressor(
                    level=LEVEL,
                    dict_data=dictionary,
                    write_checksum=False,  # the chain is the check
                    write_dict_id=False,  # the table says which
                )
            self._own.writers[number] = writer
        return writer

    def _dictionary(self, match: str, number: int | None) -> zstandard.ZstdCompressionDict | None:
        if number is None:
            return None
        if number not in self._dictionaries:
            found = self._fetch(_FIND_DICTIONARY, (number,))
            if not found:
                raise _damage(match, f"its dictionary {number} is gone")
            self._dictionaries[number] = zstandard.ZstdCompressionDict(*DICTIONARY.read(match, found[0]))
        return self._dictionaries[number]


@contextmanager
def _dictionary_of(match: str, number: int | None) -> Iterator[None]:
    """Say which dictionary it is that nothing can be made with."""
    try:
        yield
    except zstandard.ZstdError as error:
        raise _damage(match, f"its dictionary {number} is none: {error}") from error


def opened(match: str, seal: Seal, block: bytes) -> list[bytes]:
    """The events of a block, as many as the seal says; or Damaged."""
    try:
        rows = unpack(match, block)
    except Undecodable as error:
        raise _damage(match, error.why) from error
    if len(rows) != seal.events:
        raise _damage(match, f"it says {seal.events} events, and holds {len(rows)}")
    return rows


def trained(blocks: Sequence[bytes]) -> bytes | None:
    """A dictionary of what these blocks have in common; None where that is too little to be worth one."""
    if len(blocks) < SAMPLES:
        return None
    try:
        return zstandard.train_dictionary(DICTIONARY_BYTES, list(blocks)).as_bytes()
    except zstandard.ZstdError:
        return None


def serves(dictionary: object) -> bool:
    """Whether a stored dictionary is of use for the blocks made today; older ones were trained on blocks in JSON."""
    return not isinstance(dictionary, bytes) or _IN_JSON not in dictionary


def _damage(match: str, why: str) -> Damaged:
    return Damaged("store/seal", f"Match {match}: its seal cannot be read: {why}.", match, 0)
