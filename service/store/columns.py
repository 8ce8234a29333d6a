"""Columns of the database read as values: a cell that holds anything else is named.

SQLite keeps any type in any column, and PostgreSQL has moments that Python cannot represent. So every cell is
checked. One that cannot be read makes its match `Damaged`, and no other match.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, TypeVar

from events.chain import HASH_BYTES, Chain, Row
from service.errors import Damaged
from service.limits import quoted
from service.store.shapes import LAST, Grant, Head, Hearsay, JournalRow, MatchRow, RemarkRow, SeatRow, Signature

Value = TypeVar("Value")

_LONGEST_WORD: Final = 200
"""Ids, games and their like are a few letters; one that fills the screen would hide the matches beside it."""


_MATCH_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""What any ledger may call its matches: nothing a shell, a folder or a terminal could take for more."""


class IllText(bytes):
    """Text of a file that is not UTF-8, as the bytes it is made of."""


class ColumnKind(NamedTuple):
    """What a cell holds."""

    words: str
    read: Callable[[Any], Any]
    """Raises ValueError, OverflowError or TypeError for anything else."""


def _only(wanted: type) -> Callable[[Any], Any]:
    def read(cell: Any) -> Any:
        if type(cell) is not wanted:
            raise TypeError
        return cell

    return read


def _moment(cell: Any) -> datetime:
    # SQLite keeps text, always with its zone; PostgreSQL answers in the time zone of the session.
    moment = datetime.fromisoformat(cell) if isinstance(cell, str) else cell
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise TypeError
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)


def _word(cell: Any) -> str:
    if type(cell) is not str or len(cell) > _LONGEST_WORD or not cell.isprintable():
        raise TypeError
    return cell


def is_id(match: str) -> bool:
    """Whether a match that comes in may be called so: it becomes the name of a file and a word of commands."""
    return _MATCH_ID.fullmatch(match) is not None and match.lower() != LAST


def _id(cell: Any) -> str:
    # What is stored already may be called as ids were before they had a grammar; never like a way to another folder.
    word = _word(cell)
    if not word or word.startswith(".") or "/" in word or "\\" in word:
        raise ValueError
    return word


def or_nothing(kind: ColumnKind) -> ColumnKind:
    """The same for a cell that may be empty."""
    return ColumnKind(f"{kind.words}, or nothing", lambda cell: None if cell is None else kind.read(cell))


TEXT: Final = ColumnKind("text", _only(str))
ID: Final = ColumnKind("the id of a match", _id)
WORD: Final = ColumnKind("a short word", _word)
NUMBER: Final = ColumnKind("a whole number", _only(int))
BYTES: Final = ColumnKind("bytes", _only(bytes))
MOMENT: Final = ColumnKind("a moment in UTC", _moment)


class Cells:
    """The columns of one table that are read together, each with its kind."""

    def __init__(self, table: str, kinds: Mapping[str, ColumnKind], *, is_secret: bool = False) -> None:
        self.table = table
        self.kinds = kinds
        self.columns: str = ", ".join(kinds)
        """As a SELECT names them."""
        self._is_secret = is_secret
        self._readers = [kind.read for kind in kinds.values()]

    def read(self, match: object, record: Sequence[Any]) -> list[Any]:
        """The values of a record of `columns`. Raises Damaged naming the match and the first column that is none."""
        values: list[Any] = []
        try:
            # One block for all cells, which nearly always read; how far it came tells which of them does not.
            for read, cell in zip(self._readers, record, strict=False):
                values.append(read(cell))
        except (TypeError, ValueError, OverflowError) as error:
            place = len(values)
            raise self.damage(match, list(self.kinds)[place], record[place]) from error
        return values

    def damage(self, match: object, column: str, cell: object, seq: int = 0, *, wanted: str = "") -> Damaged:
        """The refusal for a cell that cannot be read, with as much of it as may be shown."""
        name = match if isinstance(match, str) and match.isprintable() else quoted(match)
        found = "something" if self._is_secret else quoted(cell)
        place = f", event {seq}" if seq else ""
        wanted = wanted or self.kinds[column].words
        message = f"Match {name}{place}: the cell {self.table}.{column} holds {found}, which is not {wanted}."
        return Damaged("store/cell", message, name, seq)

    def as_found(self, record: Sequence[Any]) -> dict[str, object]:
        """The record as it is: values where its cells read, and whatever lies there where they do not."""
        found: dict[str, object] = {}
        for (column, kind), cell in zip(self.kinds.items(), record, strict=False):
            try:
                found[column] = kind.read(cell)
            except (TypeError, ValueError, OverflowError):
                found[column] = cell
        return found

    def flaws(self, match: str, found: Mapping[str, object]) -> list[Damaged]:
        """Every cell of a record as it was found that cannot be read."""
        damages = []
        for column, cell in found.items():
            try:
                self.kinds[column].read(cell)
            except (TypeError, ValueError, OverflowError):
                damages.append(self.damage(match, column, cell))
        return damages


MATCH: Final = Cells(
    "match",
    {
        "id": ID,
        "game": WORD,
        "ruleset": WORD,
        "seats": NUMBER,
        "status": WORD,
        "undo": WORD,
        "chance": WORD,
        "parent": or_nothing(ID),
        "opened_at": MOMENT,
        "moved_at": MOMENT,
        "head_seq": NUMBER,
        "head_step": NUMBER,
        "head_hash": BYTES,
    },
)
HEAD: Final = Cells("match", {column: MATCH.kinds[column] for column in ("head_seq", "head_step", "head_hash")})
EVENT: Final = Cells("event", {"seq": NUMBER, "data": BYTES, "hash": BYTES})
COMMAND: Final = Cells("command", {"fingerprint": BYTES, "first_seq": NUMBER, "last_seq": NUMBER})
SEAT: Final = Cells("seat", {"seat": NUMBER, "name": TEXT, "kind": WORD})
REMARK: Final = Cells("remark", {"step": NUMBER, "kind": TEXT, "name": TEXT, "text": TEXT})
SECRET: Final = Cells("secret", {"secret": BYTES, "seed": TEXT}, is_secret=True)
SIGNATURE: Final = Cells(
    "signature", {"event_count": NUMBER, "public_key": BYTES, "head_hash": BYTES, "signature": BYTES}
)

TOKEN: Final = Cells("token", {"role": WORD, "seat": NUMBER, "hash": BYTES}, is_secret=True)
GRANT: Final = """
INSERT INTO token (match_id, role, seat, hash) VALUES (?, ?, ?, ?)
ON CONFLICT (match_id, role, seat) DO UPDATE SET hash = excluded.hash"""
"""How one token is given in place of another, on both databases; the columns are those of `TOKEN`."""
STATEMENT: Final = Cells("statement", {"data": BYTES, "signature": BYTES})
JOURNAL: Final = Cells("journal", {"place": NUMBER, "match_id": TEXT, "data": BYTES, "signature": BYTES, "hash": BYTES})
SEAL: Final = Cells("seal", {"events": NUMBER, "dictionary": or_nothing(NUMBER), "data": BYTES})
FIND_SEAL: Final = f"SELECT {SEAL.columns} FROM seal WHERE match_id = ?"
DICTIONARY: Final = Cells("dictionary", {"data": BYTES})


def match_row(record: Sequence[Any]) -> MatchRow:
    """The match that a record of `MATCH.columns` describes, or Damaged."""
    id_, game, ruleset, seats, status, undo, chance, parent, opened_at, moved_at, *head = MATCH.read(record[0], record)
    return MatchRow(id_, game, ruleset, seats, status, undo, chance, parent, opened_at, moved_at, Head(*head))


def head_of(match: str, record: Sequence[Any]) -> Head:
    """Where a match stands, from a record of `HEAD.columns`, or Damaged."""
    return Head(*HEAD.read(match, record))


def seat_row(match: str, record: Sequence[Any]) -> SeatRow:
    """Who sits where, from a record of `SEAT.columns`, or Damaged."""
    return SeatRow(*SEAT.read(match, record))


def grant_row(match: str, record: Sequence[Any]) -> Grant:
    """What a token allows, from a record of `TOKEN.columns`, or Damaged."""
    return Grant(*TOKEN.read(match, record))


def remark_row(match: str, record: Sequence[Any]) -> RemarkRow:
    """A remark from a record of `REMARK.columns`, or Damaged."""
    return RemarkRow(*REMARK.read(match, record))


def signature_row(match: str, record: Sequence[Any]) -> Signature:
    """A signature from a record of `SIGNATURE.columns`, or Damaged."""
    count, key, head, signed = SIGNATURE.read(match, record)
    return Signature(match, count, head.hex(), key.hex(), signed.hex())


def hearsay_row(match: str, record: Sequence[Any]) -> Hearsay:
    """A statement of another ledger from a record of `STATEMENT.columns`, or Damaged."""
    return Hearsay(match, *STATEMENT.read(match, record))


def journal_row(record: Sequence[Any]) -> JournalRow:
    """An entry of the journal. One with a cell that cannot be read says nothing, and the walk along it names it."""
    try:
        return JournalRow(*JOURNAL.read("", record))
    except Damaged:
        place, match, *_ = record
        return JournalRow(place if type(place) is int else 0, match if type(match) is str else "", b"", b"", b"")


def flawed_rows(chain: Chain) -> list[Damaged]:
    """The events whose cells are not what the store writes: a number, bytes, and the whole hash after them."""
    if chain.sound is not None:
        return []
    return [
        _row_damage(chain.match, position, row)
        for position, row in enumerate(chain.rows, start=1)
        if type(row.seq) is not int
        or type(row.data) is not bytes
        or type(row.hash) is not bytes
        or len(row.hash) != HASH_BYTES
    ]


def _row_damage(match: str, position: int, row: Row) -> Damaged:
    for (column, kind), cell in zip(EVENT.kinds.items(), row, strict=True):
        try:
            kind.read(cell)
        except TypeError:
            return EVENT.damage(match, column, cell, position)
    return EVENT.damage(match, "hash", row.hash, position, wanted=f"a hash of {HASH_BYTES} bytes")


# ------------------------------------------------------------------------------------------- values among damaged ones


def each(read: Callable[..., Value], *record: Any) -> Value | Damaged:
    """The value a record is read as, or the damage that stands in its place among others that are sound."""
    try:
        return read(*record)
    except Damaged as damage:
        return damage


def sound(found: Iterable[Value | Damaged]) -> list[Value]:
    """The values, if every one of them is sound; otherwise the first damage is raised."""
    values: list[Value] = []
    for value in found:
        if isinstance(value, Damaged):
            raise value
        values.append(value)
    return values
