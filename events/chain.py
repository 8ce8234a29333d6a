"""The hash chain of a match, which makes a rewritten history visible, and the one walk along it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import sha256
from itertools import count, repeat
from typing import Any, Final, NamedTuple

from msgspec import Struct

from events.codec import Undecodable, decode, decode_all, encode_all
from events.core import Envelope
from events.match import MatchOpened

GENESIS: Final = "matchledger/1"
"""Names the chain format; it is part of the first hash of every match."""
HASH_BYTES: Final = 32


def origin(match: str, game: str, ruleset: str) -> bytes:
    """The hash before the first event, binding the match, its game and its rules."""
    return sha256("\n".join((GENESIS, match, game, ruleset)).encode()).digest()


def link(previous: bytes, data: bytes) -> bytes:
    """The hash after an event with these canonical bytes: SHA-256 of the hash before it and the bytes."""
    return sha256(previous + data).digest()


def link_all(previous: bytes, rows: Iterable[bytes]) -> list[bytes]:
    """The hash after each of these rows; without a call of `link` for every one of them, a fifth quicker."""
    return [previous := sha256(previous + data).digest() for data in rows]


def linked(match: str, data: Sequence[bytes]) -> "list[Row]":
    """The rows these bytes make, with the hashes they lead to; without any where the first opens no match."""
    opened = _read(data[0])[0] if data else None
    if opened is None or not isinstance(opened.event, MatchOpened):
        return [Row(seq, row, b"") for seq, row in enumerate(data, start=1)]
    hashes = link_all(origin(match, opened.event.game, opened.event.ruleset), data)
    return list(map(Row, count(1), data, hashes))


class Row(NamedTuple):
    """One stored event: canonical envelope bytes and the chain hash after them."""

    seq: int
    data: bytes
    hash: bytes
    """Empty where the source carries none."""


as_row: Final[Callable[[Iterable[Any]], Row]] = partial(tuple.__new__, Row)
"""The row that a record of its three columns is; reading a match takes a quarter less than with `Row._make`."""


class Link(Struct, frozen=True, gc=False):
    """A row in its place: what it says, the hash it leads to, and whether it is what it claims to be."""

    position: int
    """Where it stands, counted from 1."""
    row: Row
    envelope: Envelope | None
    """What it says; None where it cannot be read, and `trouble` says why."""
    trouble: Undecodable | None
    hash: bytes
    """What the bytes of all rows up to this one lead to, whatever hashes they claim."""
    is_placed: bool
    """Whether it is numbered by its place."""
    is_linked: bool
    """Whether the hash it claims is the one its bytes lead to; so it is where it claims none."""
    follows: bool
    """Whether it follows from the row before as that one stands, changed or not."""

    @property
    def flaw(self) -> str:
        """What is wrong with its place or its hash, in words; empty when nothing is."""
        if not self.is_placed:
            is_gap = self.row.seq > self.position
            return f"event {self.position} is missing" if is_gap else f"event {self.row.seq} is there twice"
        return "" if self.is_linked else f"event {self.position} does not match its hash"


class Chain:
    """The rows of one match, walked once: each one read, linked and judged; everybody else looks at the links."""

    def __init__(self, match: str, rows: Iterable[tuple[int, bytes, bytes]] = (), start: bytes | None = None) -> None:
        """The rows may be the bare records of a database."""
        self.match = match
        self.data: list[bytes] = []
        """The bytes of each row."""
        self.hashes: list[bytes] = []
        """The hash after each row that the bytes lead to."""
        self.opened: MatchOpened | None = None
        """What the first row opened; None where it opens nothing that reads."""
        self.sound: list[Envelope] | None = None
        """What the rows say, where all of them are what they claim to be in every cell; None where the links tell."""
        self._rows: list[Row] | None = []
        """None until somebody looks at those of a sound match."""
        self._links: list[Link] = []
        self._hash = start
        """The hash the bytes lead to so far; None where the start of the chain is unknown."""
        self._claimed = start
        """The same, but going on from every hash that is claimed, right or wrong."""
        found = list(rows)
        if not self._add_sound(found):
            for row in found:
                self.add(as_row(row))

    @classmethod
    def written(cls, match: str, envelopes: list[Envelope], head: object) -> "Chain | None":
        """The chain of rows that say this, if their bytes lead to the head; then they are the bytes it was made of."""
        opened = envelopes[0].event if envelopes else None
        if not isinstance(opened, MatchOpened):
            return None
        chain, data = cls(match), encode_all(envelopes)
        hashes = link_all(origin(match, opened.game, opened.ruleset), data)
        if hashes[-1] != head:
            return None
        chain._hold(data, hashes, opened, envelopes)
        return chain

    @property
    def rows(self) -> list[Row]:
        """The rows as they were found, with hashes made whole where only their beginning was shown."""
        if self._rows is None:
            self._rows = list(map(Row, count(1), self.data, self.hashes))
        return self._rows

    @property
    def links(self) -> list[Link]:
        """Every row in its place; those of sound rows are made when somebody looks, which few do."""
        if self.sound is not None and not self._links:
            so = repeat(True)
            self._links = list(map(Link, count(1), self.rows, self.sound, repeat(None), self.hashes, so, so, so))
        return self._links

    @property
    def head(self) -> bytes:
        """The hash after the last row."""
        return self.hashes[-1] if self.hashes else b""

    @property
    def broken(self) -> Link | None:
        """The first link with a flaw."""
        if self.sound is not None:
            return None
        return next((link for link in self.links if not (link.is_placed and link.is_linked)), None)

    def _add_sound(self, rows: list[tuple[int, bytes, bytes]]) -> bool:
        """Walk a whole match at once, in two thirds of the time; False, and nothing done, where a row needs judging."""
        if not rows:
            return False
        seqs, data, claimed = zip(*rows, strict=True)
        is_plain = {*map(type, seqs)} == {int} and {*map(type, data), *map(type, claimed)} == {bytes}
        # Rows of a source without hashes are known by that, and not decoded twice.
        envelopes = decode_all(data) if is_plain and claimed[0] else None
        if envelopes is None or not isinstance(opened := envelopes[0].event, MatchOpened):
            return False
        start = origin(self.match, opened.game, opened.ruleset) if self._hash is None else self._hash
        hashes = link_all(start, data)
        if claimed != tuple(hashes) or seqs != tuple(range(1, len(rows) + 1)):
            return False
        self._hold(list(data), hashes, opened, envelopes)
        return True

    def _hold(self, data: list[bytes], hashes: list[bytes], opened: MatchOpened, envelopes: list[Envelope]) -> None:
        """Take in a whole match of which nothing is to be judged any more."""
        self.data, self.hashes, self.opened, self.sound = data, hashes, opened, envelopes
        self._rows = None
        self._hash = self._claimed = hashes[-1]

    def add(self, row: Row, shown: str | None = None) -> Link:
        """Walk on to one more row. Where only the first digits of its hash are shown, they are made whole if right."""
        links, self.sound = self.links, None
        position = len(links) + 1
        envelope, trouble = _read(row.data)
        # Databases keep whatever type a hand put there; only bytes were ever stored by us.
        data = row.data if isinstance(row.data, bytes) else b""
        if position == 1 and envelope is not None and isinstance(envelope.event, MatchOpened):
            self.opened = envelope.event
            if self._hash is None:
                self._hash = self._claimed = origin(self.match, envelope.event.game, envelope.event.ruleset)
        expected = None if self._claimed is None else link(self._claimed, data)
        if expected is not None and self._hash is self._claimed and row.hash == expected and row.seq == position:
            # Nearly all rows are what they claim to be, and need no judging.
            self._hash = self._claimed = expected
            return self._put(Link(position, row, envelope, trouble, expected, True, True, True))
        hash_ = expected if self._hash == self._claimed else None if self._hash is None else link(self._hash, data)
        if shown is not None:
            row = row._replace(hash=_whole(shown, expected))
        if hash_ is None:  # the start of the chain is unknown: the first hash is taken as it is claimed
            hash_ = row.hash if isinstance(row.hash, bytes) else b""
        found = Link(
            position,
            row,
            envelope,
            trouble,
            hash_,
            row.seq == position,
            not row.hash or row.hash == hash_,
            not row.hash or row.hash == expected,
        )
        self._hash = hash_
        is_claim = isinstance(row.hash, bytes) and len(row.hash) == HASH_BYTES
        self._claimed = row.hash if is_claim else expected
        return self._put(found)

    def _put(self, found: Link) -> Link:
        self._links.append(found)
        self.rows.append(found.row)
        self.data.append(found.row.data)
        self.hashes.append(found.hash)
        return found


def _read(data: bytes) -> tuple[Envelope | None, Undecodable | None]:
    if not isinstance(data, bytes):
        return None, Undecodable("?", f"it is stored as {type(data).__name__}, not as bytes")
    try:
        return decode(data), None
    except Undecodable as error:
        return None, error


def _whole(shown: str, expected: bytes | None) -> bytes:
    if expected is not None and shown and expected.hex().startswith(shown):
        return expected
    return bytes.fromhex(shown[: len(shown) // 2 * 2])
