"""Matches kept folded in memory.

What is in memory is never trusted: before it is looked at, its head is held against the store's, and an append says
itself which head it follows. Nothing here knows a game, a rule or a request.
"""

from collections import OrderedDict
from collections.abc import Iterable
from zlib import crc32

import msgspec
from msgspec import Struct, field

from service.errors import Damaged, LedgerError
from service.play.history import Live
from service.play.replay import load
from service.shell.http.store_access import StoreAccess
from service.store.refusals import unknown_match
from service.store.shapes import PERSON, Head, SeatRow

AnswerKey = tuple[object, ...]
"""What tells answers made from one match at one head apart: the kind, and what was asked besides."""


class CachedMatch(Struct):
    """A match in memory as it stood at one head, with the answers already made from it."""

    live: Live
    names: str
    """What the names are known by in the ETag."""
    etag: str
    has_bots: bool
    answers: dict[AnswerKey, bytes] = field(default_factory=dict)
    is_doubtful: bool = False
    """Whether names may have changed: somebody else wrote to the database."""
    is_ours: bool = False
    """Whether its last step was appended here, so that bots who think about the next one do so here."""

    def copy(self) -> Live:
        """A match of one's own to add to."""
        live = self.live
        return Live(live.id, live.game, live.envelopes, live.hashes, dict(live.seats), folded=live.folded)


def etag_of(head: Head, names: str) -> str:
    """What a match is known by at one head, with the names that can change without a step."""
    return f'"{head.seq}-{head.hash.hex()[:16]}-{names}"'


def names_of(seats: Iterable[SeatRow]) -> str:
    """What the names of these seats, in their order, are known by."""
    return f"{crc32(msgspec.json.encode([(row.seat, row.name) for row in seats])):08x}"


class MatchCache:
    """The matches of one ledger that were looked at last."""

    def __init__(self, access: StoreAccess, size: int) -> None:
        self._access = access
        self._size = size
        self._matches: OrderedDict[str, CachedMatch] = OrderedDict()

    @property
    def is_local(self) -> bool:
        """Whether the store is a file, which no other service works on."""
        return self._access.store.is_local

    def known(self, match: str) -> CachedMatch | None:
        """A match as it is in memory, which may be old."""
        return self._matches.get(match)

    async def look(self, match: str) -> CachedMatch:
        """The match as it stands at this moment. Refused when there is none of exactly this id."""
        access = self._access
        head = await access.ask(access.store.head, match)
        if head is None:
            raise unknown_match(match)
        cached = self._matches.get(match)
        if cached is None or cached.live.head != head or (cached.is_doubtful and not await self._has_its_names(cached)):
            is_ours = cached is not None and cached.is_ours and cached.live.head == head
            cached = self.keep(await access.in_thread(load, access.ledger, match), is_ours=is_ours)
        elif match in self._matches:
            self._matches.move_to_end(match)
        return cached

    async def _has_its_names(self, cached: CachedMatch) -> bool:
        """Whether a match in memory about which there is doubt has the names of the store."""
        cached.is_doubtful = False  # before they are read: what is heard meanwhile is another doubt
        try:
            seats = await self._access.ask(self._access.store.seats, cached.live.id)
        except LedgerError:
            cached.is_doubtful = True
            raise
        return {row.seat: row for row in seats} == cached.live.seats

    async def heads_of(self, matches: list[str]) -> dict[str, Head | Damaged]:
        """Where each of these matches stands in the store."""
        return await self._access.ask(self._access.store.heads_of, matches)

    async def etag(self, match: str) -> str:
        """What the match is known by at this moment, without folding anything."""
        access = self._access
        head, cached = await access.ask(access.store.head, match), self._matches.get(match)
        if head is None:
            raise unknown_match(match)
        if cached is not None and not cached.is_doubtful and cached.live.head == head:
            return cached.etag
        return etag_of(head, names_of(await access.ask(access.store.seats, match)))

    def keep(self, live: Live, *, is_ours: bool, like: CachedMatch | None = None) -> CachedMatch:
        """Have a match in memory; what follows from who sits there is known where it is as in another one."""
        if like is not None:
            names, has_bots = like.names, like.has_bots
        else:
            names = names_of(live.seats[seat] for seat in sorted(live.seats))
            has_bots = any(row.kind != PERSON for row in live.seats.values())
        cached = self._matches[live.id] = CachedMatch(live, names, etag_of(live.head, names), has_bots, is_ours=is_ours)
        self._matches.move_to_end(live.id)
        while len(self._matches) > self._size:
            self._matches.popitem(last=False)
        return cached

    def drop(self, match: str) -> None:
        """Read the match anew when it is looked at next."""
        self._matches.pop(match, None)

    def doubt(self, match: str) -> None:
        """The names of a match may be others by now."""
        if (known := self._matches.get(match)) is not None:
            known.is_doubtful = True

    def doubt_all(self) -> None:
        """The names of any match may be others by now."""
        for cached in self._matches.values():
            cached.is_doubtful = True
