"""The store: appends steps under the head the caller saw, and gives back what was stored."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, Unpack

from events.chain import Chain, Row, as_row
from service.errors import Damaged, NotFound, Unavailable
from service.limits import quoted
from service.store.columns import (
    COMMAND,
    FIND_SEAL,
    GRANT,
    HEAD,
    JOURNAL,
    MATCH,
    SEAT,
    SECRET,
    IllText,
    each,
    head_of,
    journal_row,
    match_row,
    seat_row,
    sound,
)
from service.store.filters import Filters, counted, listed
from service.store.group_commit import GroupCommit, Lead
from service.store.latest import latest
from service.store.news import RENAMED, Moved, StoreNews
from service.store.refusals import ambiguous_match, check_dense, moved_on, repeated_append, unknown_match
from service.store.shapes import (
    LAST,
    Append,
    Appended,
    CommandKey,
    Entries,
    Grant,
    Head,
    Hearsay,
    JournalRow,
    MatchRow,
    RemarkRow,
    SeatRow,
    Signature,
)
from service.store.side_tables import (
    SideTables,
    about,
    entries_of,
    grants_of,
    hearsay_of,
    remarks_of,
    seats_of,
    secret_of,
    side_tables_of,
    signatures_of,
)

if TYPE_CHECKING:  # nothing is unpacked, and nothing loaded for it, where nothing was sealed
    from service.store.database import Database, Execute, Stream
    from service.store.sealing import Sealing
    from service.store.seals import Seals

_CANDIDATES_SHOWN: Final = 5
_LAST_CHARACTER: Final = "\U0010ffff"

# The texts below are made of our own constants; every value goes in as a parameter.
_FIND: Final = f"SELECT {MATCH.columns} FROM match WHERE id >= ? AND id < ? ORDER BY id LIMIT ?"
_HEAD: Final = f"SELECT {HEAD.columns} FROM match WHERE id = ?"
_HEADS: Final = f"SELECT id, {HEAD.columns} FROM match WHERE id IN ({{}})"
_FIND_COMMAND: Final = f"SELECT {COMMAND.columns} FROM command WHERE match_id = ? AND command_id = ?"
_RECORD_COMMAND: Final = """
INSERT INTO command (match_id, command_id, fingerprint, first_seq, last_seq) VALUES (?, ?, ?, ?, ?)"""
_SEATS_OF_MATCH: Final = f"SELECT {SEAT.columns} FROM seat WHERE match_id = ? ORDER BY seat"
_RENAME: Final = "UPDATE seat SET name = ? WHERE match_id = ? AND seat = ?"
_COUNT: Final = "SELECT count(*) FROM match"
_COUNT_CLOSED: Final = f"{_COUNT} WHERE game = ? AND status = 'closed'"
_IDS: Final = "SELECT id FROM match WHERE (? = '' OR (game = ? AND status = 'closed')) {} ORDER BY id LIMIT ?"
_IDS_AT_ONCE: Final = 1_000
_MATCHES: Final = f"SELECT {MATCH.columns} FROM match WHERE id IN ({{}})"
_JOURNAL: Final = f"SELECT {JOURNAL.columns} FROM journal WHERE place > ? ORDER BY place LIMIT ?"
_ENTRIES_PER_QUESTION: Final = 5_000
_LAST_SAID: Final = f"""
SELECT match.id, {HEAD.columns}, {JOURNAL.columns} FROM match
JOIN journal ON place = (SELECT max(place) FROM journal WHERE journal.match_id = match.id) WHERE match.id IN ({{}})"""
_GONE: Final = """
SELECT match_id, min(place) FROM journal
WHERE match_id <> '' AND NOT EXISTS (SELECT 1 FROM match WHERE match.id = journal.match_id)
GROUP BY match_id ORDER BY match_id"""
_DOUBLED: Final = """
SELECT match_id FROM seal
WHERE EXISTS (SELECT 1 FROM event WHERE event.match_id = seal.match_id AND event.seq <= seal.events)
ORDER BY match_id"""
_SECRET: Final = f"SELECT {SECRET.columns} FROM secret WHERE match_id = ?"


class Store:
    """Every match of one database. Made by `open_store`; may be shared by threads; closed by its owner.

    It promises that a step is stored whole or not at all, that one head has one successor, and that a repeated command
    has one outcome. It does not know the rules: whether a match may still be added to is for the caller to say.
    """

    def __init__(self, database: "Database") -> None:
        self._database = database

    @cached_property
    def _seals(self) -> "Seals":
        from service.store.seals import Seals

        return Seals(self._database.fetch)

    @property
    def where(self) -> str:
        """The database as messages name it, without any password."""
        return self._database.where

    @property
    def is_local(self) -> bool:
        """Whether a question is answered within microseconds, from a file and without a network."""
        return self._database.is_local

    def append(self, append: Append) -> Appended:
        """Store one step. `Conflict` when the head is not the expected one; a repeated command stores nothing."""
        check_dense(append)
        return self._database.append(append)

    def append_all(self, appends: Sequence[Append]) -> None:
        """Store many steps in one transaction: all of them, or none. Repeated commands are skipped."""
        for append in appends:
            check_dense(append)
        self._database.append_all(appends)

    def grouped(
        self, *, on_batch: Callable[[int], object] = lambda size: None, lead: Lead | None = None
    ) -> GroupCommit:
        """One writer for many callers: steps that wait together are durable together. Closed before the store is."""
        return GroupCommit(self._database, on_batch=on_batch, lead=lead)

    def appending_by(self, append: Callable[[Append], Appended]) -> "Store":
        """This store with another way to append, such as one that waits for a group commit; never closed itself."""
        return _Appending(self._database, append)

    def news(self) -> StoreNews:
        """How one thread learns of steps that others append; of those of our own group a file tells none."""
        return StoreNews(self._database.changes)

    def earlier(self, match: str, command: CommandKey) -> Appended | None:
        """The first outcome of a command, if it was carried out. `store/command-reused` if it was another request."""
        earlier = self._database.fetch(_FIND_COMMAND, (match, command.id))
        return repeated_append(match, command, *earlier[0]) if earlier else None

    def find(self, text: str) -> MatchRow:
        """The match with this id, or with the only id that begins so, or the `last` one; or Damaged."""
        return match_row(self._find(text))

    def head(self, match: str) -> Head | None:
        """Where the match with exactly this id stands, or Damaged; None when there is no such match."""
        found = self._database.fetch(_HEAD, (match,)) if match.isprintable() else []
        return head_of(match, found[0]) if found else None

    def heads_of(self, matches: Sequence[str]) -> dict[str, Head | Damaged]:
        """Where each of these matches stands, as far as there are such matches."""
        return {match: each(head_of, match, head) for match, *head in about(self._database.fetch, matches, _HEADS)}

    def _find(self, text: str) -> tuple[Any, ...]:
        if text == LAST:
            found = latest(self._database.fetch)
        elif text and text.isprintable():
            found = self._database.fetch(_FIND, (text, text + _LAST_CHARACTER, _CANDIDATES_SHOWN + 1))
        else:
            found = []
        if not found:
            raise unknown_match(text)
        if len(found) > 1 and found[0][0] != text:  # the id itself sorts before everything it is a prefix of
            candidates = [_called(record[0]) for record in found[:_CANDIDATES_SHOWN]]
            raise ambiguous_match(text, candidates, are_all=len(found) <= _CANDIDATES_SHOWN)
        return found[0]

    def matches(self, **filters: Unpack[Filters]) -> list[MatchRow | Damaged]:
        """Matches that fit every filter, newest move first; one with an unreadable cell is a Damaged among them.

        `before` is (moved_at, id) of the last one seen; of several games, those of any.
        """
        return [each(match_row, record) for record in listed(self._database.fetch, self._database.stamp, filters)]

    def count_matches(self, **filters: Unpack[Filters]) -> int | None:
        """How many matches fit every filter, `limit` and `before` aside; None where there are too many to count."""
        return counted(self._database.fetch, filters)

    def check_ready(self) -> None:
        """Refuse a database that cannot be reached, or was not brought to the revision this program needs.

        One that was brought further while it is open is ready: migrations only add (docs/operations.md).
        """
        try:
            self._database.check_ready()
        except Unavailable as refusal:
            if refusal.code != "store/newer":
                raise

    def snapshot(self) -> AbstractContextManager[None]:
        """Whatever this thread reads inside is of one moment, however busy others are; nothing is written inside."""
        return self._database.snapshot()

    def rows(self, match: str, after: int = 0) -> list[Row]:
        """The events of one match in order, or those behind event `after`; empty when there is no such match.

        Those under a seal are like any others; Damaged where it cannot be read.
        """
        found = self._database.rows(match, after)
        if found and found[0][0] == after + 1:
            return list(map(as_row, found))
        with self.snapshot():  # what lies behind a seal, and the seal, of one moment
            sealed = self._database.fetch(FIND_SEAL, (match,))
            under = self._seals.rows(match, sealed[0])[after:] if sealed else []
            return [*under, *map(as_row, self._database.rows(match, after))]

    def chain(self, match: str, head: object) -> Chain:
        """The same events, walked, for whoever has read the head of the match in the same snapshot; or Damaged."""
        found = self._database.rows(match, 0)
        if found and found[0][0] == 1:
            return Chain(match, found)
        sealed = [] if found else self._database.fetch(FIND_SEAL, (match,))
        read = self._seals.chain(match, sealed[0], head) if sealed else None
        # What does not lead to the head, or not by a seal alone, is looked at row by row.
        return Chain(match, self.rows(match)) if read is None else read

    def streams(self, game: str | None = None) -> "Iterator[tuple[MatchRow | Damaged, Stream]]":
        """Every match with the bytes of its events, by id, read as it is consumed and all from one moment."""
        from service.store.database import Stream

        for row, seal, behind in self._database.streams(game or ""):
            if isinstance(row, Damaged) or seal[0] is None:
                yield row, Stream(b"", behind)
                continue
            block = each(self._seals.block, row.id, seal)
            yield (block, Stream(b"", behind)) if isinstance(block, Damaged) else (row, Stream(block, behind))

    def doubled(self) -> list[str]:
        """The matches of which some event lies under the seal and as a row as well, which no program of ours does."""
        return [_called(match) for (match,) in self._database.fetch(_DOUBLED)]

    def sealing(self) -> "Sealing":
        """Closed matches made smaller, and whole again."""
        from service.store.sealing import Sealing

        return Sealing(self._database, self._seals)

    def side_tables(self, text: str) -> SideTables:
        """What is kept beside the events of the match with this id, or as `find` finds it; best inside a snapshot."""
        (found,) = side_tables_of(self._database.fetch, [self._find(text)]).values()
        return found

    def side_tables_of(self, matches: Sequence[str]) -> dict[str, SideTables]:
        """The same of many at once, for a fraction of the questions; left out are those that only `find` may find."""
        ids = [match for match in matches if match != LAST and match.isprintable()]
        found = list(about(self._database.fetch, ids, _MATCHES))
        is_plain = len({record[0] for record in found}) == len(found)
        return side_tables_of(self._database.fetch, found) if is_plain else {}

    def seats(self, match: str) -> list[SeatRow]:
        """Who sits where in one match, in order of the seats."""
        return [seat_row(match, record) for record in self._database.fetch(_SEATS_OF_MATCH, (match,))]

    def seats_of(self, matches: Sequence[str]) -> dict[str, list[SeatRow | Damaged]]:
        """Who sits where in each of these matches; a cell that cannot be read stands there as the Damaged it is."""
        return seats_of(self._database.fetch, matches)

    def sign(self, signatures: Sequence[Signature], at: datetime, hearsay: Sequence[Hearsay] = ()) -> None:
        """Keep what others signed about matches in this store; what is kept already is skipped."""
        self._database.sign(signatures, at, hearsay)

    def hearsay(self, match: str) -> list[Hearsay | Damaged]:
        """What other ledgers stated about one match; what cannot be read stands there as the Damaged it is."""
        return hearsay_of(self._database.fetch, [match])[match]

    def enter(self, entries: Entries, match: str = "", expected: int = 0) -> list[JournalRow]:
        """Add to the journal and give what was added; about a match, `Conflict` unless its head is the expected one."""
        return self._database.enter(entries, match, expected)

    def journal(self, after: int = 0) -> Iterator[JournalRow]:
        """The entries of the journal behind a place, in order, some in memory at a time; best inside a snapshot."""
        while records := self._database.fetch(_JOURNAL, (after, _ENTRIES_PER_QUESTION)):
            yield from map(journal_row, records)
            after = records[-1][0]

    def entries(self, match: str) -> list[JournalRow]:
        """The entries of the journal about one match, in order."""
        return entries_of(self._database.fetch, [match])[match]

    def last_said(self, matches: Sequence[str]) -> dict[str, tuple[Head | Damaged, JournalRow]]:
        """Where each of these matches stands, with the last entry about it; left out are those without any."""
        width = 1 + len(HEAD.kinds)
        return {
            record[0]: (each(head_of, record[0], record[1:width]), journal_row(record[width:]))
            for record in about(self._database.fetch, matches, _LAST_SAID)
        }

    def gone(self) -> list[tuple[str, int]]:
        """The matches that the journal knows and the ledger has not, each with the first entry about it."""
        return [(_called(match), place) for match, place in self._database.fetch(_GONE)]

    def signatures(self, match: str) -> list[Signature]:
        """The signatures over heads of one match, the one over the fewest events first."""
        return sound(self.signatures_of([match])[match])

    def signatures_of(self, matches: Sequence[str]) -> dict[str, list[Signature | Damaged]]:
        """The signatures over heads of each of these matches; one that cannot be read is the Damaged that names it."""
        return signatures_of(self._database.fetch, matches)

    def count(self, closed_of: str = "") -> int:
        """How many matches there are, or how many closed ones of a game."""
        question = (_COUNT_CLOSED, (closed_of,)) if closed_of else (_COUNT,)
        return int(self._database.fetch(*question)[0][0])

    def ids(self, size: int = _IDS_AT_ONCE, closed_of: str = "") -> Iterator[list[str]]:
        """The ids of all matches, or of the closed ones of a game, in their order and so many at a time.

        One that is no text is written as it lies there.
        """
        found = self._database.fetch(_IDS.format(""), (closed_of, closed_of, size))
        while found:
            yield [_called(id_) for (id_,) in found]
            (last,) = found[-1]
            # The driver cannot say again what is no UTF-8; as bytes it can be asked for, and made text there.
            mark, last = ("CAST(? AS TEXT)", bytes(last)) if isinstance(last, IllText) else ("?", last)
            found = self._database.fetch(_IDS.format(f"AND id > {mark}"), (closed_of, closed_of, last, size))

    def rename(
        self, match: str, seat: int, name: str, *, expected: int | None = None, command: CommandKey | None = None
    ) -> Appended:
        """Change or forget the name of a player; the chain does not contain it. A repeated command does nothing.

        `Conflict` where the head is not the expected one. The answer names the last event, since none was added.
        """

        def write(execute: "Execute") -> Appended:
            if command is not None:
                earlier = execute(_FIND_COMMAND, (match, command.id)).fetchall()
                if earlier:
                    return repeated_append(match, command, *earlier[0])
            found = execute(_HEAD, (match,)).fetchall()
            if not found:
                raise unknown_match(match)
            head = head_of(match, found[0]).seq
            if expected is not None and expected != head:
                raise moved_on(match, expected, head)
            if execute(_RENAME, (name, match, seat)).rowcount == 0:
                taken = ", ".join(str(row.seat) for row in self.seats(match)) or "none"
                raise NotFound(
                    "match/seat-unknown", f"Nobody sits on seat {seat} of match {match!r}; taken seats: {taken}."
                )
            if command is not None:
                execute(_RECORD_COMMAND, (match, command.id, command.fingerprint, head, head))
            return Appended(match, head, head)

        renamed = self._database.alone(write)
        if not renamed.repeated:
            self._database.tell(Moved(match, RENAMED))
        return renamed

    def remarks(self, match: str) -> list[RemarkRow | Damaged]:
        """The tags and comments of the record a match was imported from, in order, or the Damaged in place of one."""
        return remarks_of(self._database.fetch, [match])[match]

    def grants(self, match: str) -> list[Grant | Damaged]:
        """What tokens allow in one match; a cell that cannot be read stands there as the Damaged it is."""
        return grants_of(self._database.fetch, [match])[match]

    def grant(self, match: str, grant: Grant) -> None:
        """Give a token in place of the one for the same role and seat, or with an empty hash only take that one."""
        self._database.change(GRANT, (match, *grant))

    def secret(self, match: str) -> tuple[bytes, str] | None:
        """What the draws of a match are made from: the secret and the seed. Never shown while play is on."""
        found = self._database.fetch(_SECRET, (match,))
        return secret_of(match, found[0]) if found else None

    def close(self) -> None:
        """Close every connection. The store cannot be used afterwards."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


_SECRETS_KEPT: Final = 1_000


class _Appending(Store):
    """A store for a process that stays: steps are handed to somebody else, and secrets are looked up once."""

    def __init__(self, database: "Database", append: Callable[[Append], Appended]) -> None:
        super().__init__(database)
        self._append = append
        self._secrets: dict[str, tuple[bytes, str]] = {}

    def append(self, append: Append) -> Appended:
        """Hand one step over."""
        return self._append(append)

    def secret(self, match: str) -> tuple[bytes, str] | None:
        """The same as ever; it never changes, so it is looked up once."""
        if match not in self._secrets:
            found = super().secret(match)
            if found is None:
                return None
            if len(self._secrets) >= _SECRETS_KEPT:
                del self._secrets[next(iter(self._secrets))]
            self._secrets[match] = found
        return self._secrets[match]


def _called(id_: object) -> str:
    return id_ if isinstance(id_, str) else quoted(id_)
