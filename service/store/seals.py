"""Seals: the events of a closed match as one compressed block, and back, byte for byte."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from events.block import pack, unpack
from events.chain import Row, linked
from events.codec import Undecodable
from service.errors import Damaged
from service.limits import RECORD_BYTES
from service.store.cells import DICTIONARY, SEAL

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL: Final = 15
"""Three bytes in a hundred larger than the highest, at a third of its time."""
DICTIONARY_BYTES: Final = 32 << 10
SAMPLES: Final = 100
"""A dictionary that serves fewer matches than this takes more room than it saves."""
MOST_SAMPLES: Final = 1_000
_SETTINGS: Final = {
    zstd.CompressionParameter.compression_level: LEVEL,
    zstd.CompressionParameter.checksum_flag: 0,  # the chain is the check
    zstd.CompressionParameter.dict_id_flag: 0,  # the table says which
}
_IN_JSON: Final = b'"type":'
"""What stands in every event in JSON, and in none in MessagePack."""
_FIND_DICTIONARY: Final = f"SELECT {DICTIONARY.columns} FROM dictionary WHERE number = ?"


class Seal(NamedTuple):
    """The first events of a closed match as one compressed block."""

    events: int
    dictionary: int | None
    """What it was compressed with; None where nothing was trained yet."""
    data: bytes


class Seals:
    """The seals of one database, read through whatever answers its questions; dictionaries are looked up once."""

    def __init__(self, fetch: Callable[[str, Sequence[object]], list[tuple[Any, ...]]]) -> None:
        self._fetch = fetch
        self._dictionaries: dict[int, zstd.ZstdDict] = {}

    def rows(self, match: str, record: Sequence[Any]) -> list[Row]:
        """The events under a seal, a record of `SEAL.columns`, with the hashes they lead to; or Damaged."""
        seal = Seal(*SEAL.read(match, record))
        return linked(match, opened(match, seal, self._unpacked(match, seal)))

    def block(self, match: str, record: Sequence[Any]) -> bytes:
        """What a seal holds, a record of `SEAL.columns`; or Damaged."""
        return self._unpacked(match, Seal(*SEAL.read(match, record)))

    def _unpacked(self, match: str, seal: Seal) -> bytes:
        """The block, which is no larger than any match may be."""
        reader = zstd.ZstdDecompressor(self._dictionary(match, seal.dictionary))
        try:
            block = reader.decompress(seal.data, RECORD_BYTES)
        except zstd.ZstdError as error:
            raise _damage(match, f"it does not unpack: {error}") from error
        if not reader.eof or reader.unused_data:
            raise _damage(match, "it does not end where it should")
        return block

    def make(self, match: str, rows: Sequence[bytes], number: int | None) -> Seal:
        """The seal of these events. `Undecodable` where they are none."""
        options: Any = _SETTINGS
        dictionary = self._dictionary(match, number)
        # Digested once instead of for every match: half the time, and the same bytes.
        digested = None if dictionary is None else dictionary.as_digested_dict
        return Seal(len(rows), number, zstd.compress(pack(match, rows), options=options, zstd_dict=digested))

    def _dictionary(self, match: str, number: int | None) -> zstd.ZstdDict | None:
        if number is None:
            return None
        if number not in self._dictionaries:
            found = self._fetch(_FIND_DICTIONARY, (number,))
            if not found:
                raise _damage(match, f"its dictionary {number} is gone")
            try:
                self._dictionaries[number] = zstd.ZstdDict(*DICTIONARY.read(match, found[0]))
            except (zstd.ZstdError, ValueError) as error:
                raise _damage(match, f"its dictionary {number} is none: {error}") from error
        return self._dictionaries[number]


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
        return zstd.train_dict(blocks, DICTIONARY_BYTES).dict_content
    except zstd.ZstdError:
        return None


def serves(dictionary: object) -> bool:
    """Whether a stored dictionary is of use for the blocks made today; older ones were trained on blocks in JSON."""
    return not isinstance(dictionary, bytes) or _IN_JSON not in dictionary


def _damage(match: str, why: str) -> Damaged:
    return Damaged("store/seal", f"Match {match}: its seal does not read: {why}.", match, 0)
