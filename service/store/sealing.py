"""Sealing: closed matches become one compressed row each, and whole again, with nothing lost in between."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

from events.block import pack
from events.chain import Chain, as_row
from events.codec import Undecodable
from service.errors import Damaged, Refused
from service.store.columns import FIND_SEAL, HEAD, SEAL, each, flawed_rows, head_of
from service.store.database import Database, Execute, Record
from service.store.refusals import unknown_match
from service.store.seals import MOST_SAMPLES, SAMPLES, Seal, Seals, serves, trained
from service.store.shapes import Head

_AT_ONCE: Final = 50
"""Matches of one transaction: others who write wait for as long as it takes."""

_CLOSED: Final = """
FROM match WHERE status = 'closed' {} AND NOT EXISTS (SELECT 1 FROM seal WHERE seal.match_id = match.id)"""
_BEFORE: Final = "AND moved_at < ?"
_OPEN_TO_SEALING: Final = f"SELECT game, count(*) {_CLOSED} GROUP BY game ORDER BY game"
# A game as it is compared here is looked up by no index: matches are gone through by id, some at a time.
_NEXT: Final = f"SELECT id {_CLOSED} AND game || '' = ? AND id > ? ORDER BY id LIMIT ?"
_HEAD: Final = f"SELECT {HEAD.columns} FROM match WHERE id = ?"
# Whoever appends to the match meanwhile is waited for, and then it is another head.
_CLAIM: Final = "UPDATE match SET status = status WHERE id = ? AND head_seq = ? AND head_hash = ? AND status = 'closed'"
_ROWS: Final = "SELECT seq, data, hash FROM event WHERE match_id = ? ORDER BY seq"
_SEAL: Final = f"INSERT INTO seal (match_id, {SEAL.columns}) VALUES (?, ?, ?, ?)"
_LET_GO: Final = "DELETE FROM event WHERE match_id = ? AND seq <= ?"
_BRING_BACK: Final = "INSERT INTO event (match_id, seq, data, hash) VALUES (?, ?, ?, ?)"
_BREAK: Final = "DELETE FROM seal WHERE match_id = ?"
_NEWEST_DICTIONARY: Final = "SELECT number, data FROM dictionary WHERE game = ? ORDER BY number DESC LIMIT 1"
_KEEP_DICTIONARY: Final = """
INSERT INTO dictionary (number, game, data) SELECT coalesce(max(number), 0) + 1, ?, ? FROM dictionary"""


class Sealed(NamedTuple):
    """A match that was sealed, and how many bytes its events took before and after."""

    match: str
    events: int
    before: int
    after: int


class _Ready(NamedTuple):
    match: str
    head: Head
    before: int
    seal: Seal


class Sealing:
    """Closed matches made smaller, and whole again. Nothing is deleted that was not read back and compared before."""

    def __init__(self, database: Database, seals: Seals) -> None:
        self._database = database
        self._seals = seals

    def candidates(self, before: datetime | None = None) -> dict[str, int]:
        """How many closed matches of each game have no seal yet; only those last moved before that, if one is given."""
        return dict(self._ask(_OPEN_TO_SEALING, before))

    def seal(self, before: datetime | None = None) -> Iterator[Sealed | Damaged]:
        """Seal them, some in one transaction; one whose events do not hold together is left and told as it is."""
        for game, matches in self.candidates(before).items():
            number = self._dictionary(game, matches, before)
            for ids in self._ids(game, before):
                ready = [each(self._made, match, number) for match in ids]
                yield from [damage for damage in ready if isinstance(damage, Damaged)]
                yield from self._database.alone(partial(self._put, ready))

    def unseal(self, match: str) -> int:
        """Bring the events of a match back as rows; gives how many."""
        return self._database.alone(lambda execute: self._brought_back(execute, match))

    def compact(self) -> None:
        """Give back the disk space that sealing freed, as far as the database can."""
        self._database.compact()

    def _ask(self, sql: str, before: datetime | None, *more: object) -> list[tuple[Any, ...]]:
        stamps = [] if before is None else [self._database.stamp(before)]
        return self._database.fetch(sql.format("" if before is None else _BEFORE), [*stamps, *more])

    def _ids(self, game: str, before: datetime | None, size: int = _AT_ONCE) -> Iterator[list[str]]:
        last = ""
        while found := [id_ for (id_,) in self._ask(_NEXT, before, game, last, size)]:
            yield found
            last = found[-1]

    def _dictionary(self, game: str, matches: int, before: datetime | None) -> int | None:
        """The dictionary of a game; trained now if it has none of use and enough of its matches are to be sealed."""
        found = self._database.fetch(_NEWEST_DICTIONARY, (game,))
        if matches >= SAMPLES and not any(serves(content) for _, content in found):
            blocks = [block for match in next(self._ids(game, before, MOST_SAMPLES)) if (block := self._sample(match))]
            if content := trained(blocks):
                self._database.alone(lambda execute: execute(_KEEP_DICTIONARY, (game, content)))
                found = self._database.fetch(_NEWEST_DICTIONARY, (game,))
        return int(found[0][0]) if found else None

    def _sample(self, match: str) -> bytes:
        try:
            return pack(match, [data for _, data, _ in self._database.rows(match, 0)])
        except (Undecodable, TypeError):  # it will be told when it is its turn
            return b""

    def _made(self, match: str, number: int | None) -> _Ready:
        """The seal of a match whose events lead to its head, or Damaged."""
        head = head_of(match, self._database.fetch(_HEAD, (match,))[0])
        chain = _unbroken(match, self._database.rows(match, 0), head)
        seal = self._seals.make(match, chain.data, number)
        return _Ready(match, head, sum(map(len, [*chain.data, *chain.hashes])), seal)

    def _put(self, ready: Sequence[_Ready | Damaged], execute: Execute) -> list[Sealed]:
        """Store the seals, and let the events go that come out of them as they went in."""
        done = []
        for one in ready:
            if isinstance(one, Damaged):
                continue
            match, head, before, seal = one
            if execute(_CLAIM, (match, head.seq, head.hash)).rowcount == 0:
                continue  # it has moved meanwhile, or somebody else has sealed it: another time
            stored = list(map(as_row, execute(_ROWS, (match,)).fetchall()))
            if len(stored) != seal.events:
                continue
            execute(_SEAL, (match, *seal))
            if self._seals.rows(match, execute(FIND_SEAL, (match,)).fetchall()[0]) != stored:
                raise Damaged(
                    "store/seal",
                    f"Match {match}: what its seal gives back is not what is stored; nothing was sealed in this batch.",
                    match,
                    0,
                )
            execute(_LET_GO, (match, seal.events))
            done.append(Sealed(match, seal.events, before, len(seal.data)))
        return done

    def _brought_back(self, execute: Execute, match: str) -> int:
        found = execute(FIND_SEAL, (match,)).fetchall()
        if not found:
            raise Refused("seal/none", f"Match {match} is not sealed.")
        rows = self._seals.rows(match, found[0])
        records = execute(_HEAD, (match,)).fetchall()
        if not records:
            raise unknown_match(match)
        _unbroken(match, [*rows, *execute(_ROWS, (match,)).fetchall()], head_of(match, records[0]))
        for row in rows:
            execute(_BRING_BACK, (match, *row))
        execute(_BREAK, (match,))
        return len(rows)


def _unbroken(match: str, rows: Sequence[Record], head: Head) -> Chain:
    """Events that follow from each other to the head; others are refused: as they are they are evidence."""
    chain = Chain(match, rows)
    for damage in flawed_rows(chain):
        raise damage
    if chain.broken is not None:
        flaw, seq = chain.broken.flaw, chain.broken.position
    elif chain.opened is None:
        flaw, seq = "event 1 does not open a match", 1
    elif (head.seq, head.hash) != (len(rows), chain.head):
        flaw, seq = f"the head names event {head.seq}, but the history ends with event {len(rows)}", len(rows)
    else:
        return chain
    raise Damaged("ledger/chain", f"Match {match}: {flaw}; it is left as it is.", match, seq)
