"""Side tables: seats, signatures, remarks and the like, read for many matches at once."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from service.errors import Damaged
from service.store.columns import (
    JOURNAL,
    MATCH,
    REMARK,
    SEAT,
    SECRET,
    SIGNATURE,
    STATEMENT,
    TOKEN,
    each,
    grant_row,
    hearsay_row,
    journal_row,
    remark_row,
    seat_row,
    signature_row,
)
from service.store.shapes import Grant, Hearsay, JournalRow, RemarkRow, SeatRow, Signature

Value = TypeVar("Value")
Fetch = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]
"""Answers a question with `?` for its parameters."""
Kept = dict[str, list[Value | Damaged]]
"""By match, in order; what cannot be read stands there as the Damaged it is."""

_MATCHES_PER_QUESTION: Final = 500


class SideTables(NamedTuple):
    """Everything that is kept of a match beside its events; what cannot be read stands there as the Damaged it is."""

    match: str
    cells: dict[str, object]
    """Its line in the listing, column by column; a cell that cannot be read is given as it was found."""
    flaws: list[Damaged]
    """The cells of that line that cannot be read."""
    seats: list[SeatRow | Damaged]
    signatures: list[Signature | Damaged]
    remarks: list[RemarkRow | Damaged]
    hearsay: list[Hearsay | Damaged]
    grants: list[Grant | Damaged]
    entries: list[JournalRow]
    secret: tuple[bytes, str] | Damaged | None


def _of_each(table: str, columns: str, order: str) -> str:
    """The question for the records of a table about each of some matches.

    Each comes with the match that was asked for: in a damaged file an index may lead to a record that names another.
    """
    return f"""
WITH asked (id) AS (VALUES {{}}) SELECT asked.id, {columns} FROM asked CROSS JOIN {table}
WHERE match_id = asked.id ORDER BY asked.id, {order}"""


# The texts are made of our own constants; every value goes in as a parameter.
_SEATS: Final = _of_each("seat", SEAT.columns, "seat")
_SIGNATURES: Final = _of_each("signature", SIGNATURE.columns, "event_count, signed_at")
_REMARKS: Final = _of_each("remark", REMARK.columns, "position")
_HEARSAY: Final = _of_each("statement", STATEMENT.columns, "signature")
_GRANTS: Final = _of_each("token", TOKEN.columns, "role, seat")
_ENTRIES: Final = _of_each("journal", JOURNAL.columns, "place")
_SECRETS: Final = _of_each("secret", SECRET.columns, "match_id")


def about(fetch: Fetch, matches: Sequence[str], sql: str, mark: str = "?") -> Iterator[tuple[Any, ...]]:
    """The records about these matches, asked for in parts: databases limit the parameters of one statement."""
    ids = list(dict.fromkeys(matches))
    for start in range(0, len(ids), _MATCHES_PER_QUESTION):
        asked = ids[start : start + _MATCHES_PER_QUESTION]
        yield from fetch(sql.format(", ".join([mark] * len(asked))), asked)


def seats_of(fetch: Fetch, matches: Sequence[str]) -> Kept[SeatRow]:
    """Who sits where."""
    return _kept(fetch, matches, _SEATS, seat_row)


def signatures_of(fetch: Fetch, matches: Sequence[str]) -> Kept[Signature]:
    """The signatures over heads, the one over the fewest events first."""
    return _kept(fetch, matches, _SIGNATURES, signature_row)


def remarks_of(fetch: Fetch, matches: Sequence[str]) -> Kept[RemarkRow]:
    """The tags and comments of the records they were imported from."""
    return _kept(fetch, matches, _REMARKS, remark_row)


def hearsay_of(fetch: Fetch, matches: Sequence[str]) -> Kept[Hearsay]:
    """What other ledgers stated about them."""
    return _kept(fetch, matches, _HEARSAY, hearsay_row)


def grants_of(fetch: Fetch, matches: Sequence[str]) -> Kept[Grant]:
    """What tokens allow."""
    return _kept(fetch, matches, _GRANTS, grant_row)


def entries_of(fetch: Fetch, matches: Sequence[str]) -> dict[str, list[JournalRow]]:
    """The entries of the journal about each."""
    found: dict[str, list[JournalRow]] = {match: [] for match in matches}
    for match, *entry in about(fetch, matches, _ENTRIES, "(?)"):
        found[match].append(journal_row(entry))
    return found


def secret_of(match: str, record: Sequence[Any]) -> tuple[bytes, str]:
    """The secret and the seed in a record of `SECRET.columns`, or Damaged."""
    secret, seed = SECRET.read(match, record)
    return secret, seed


def side_tables_of(fetch: Fetch, records: Sequence[tuple[Any, ...]]) -> dict[str, SideTables]:
    """All that is kept beside the events of the matches whose lines in the listing these are, `MATCH.columns` each."""
    lines = {MATCH.read(record[0], record[:1])[0]: record for record in records}
    ids = list(lines)
    seats, signatures, remarks = seats_of(fetch, ids), signatures_of(fetch, ids), remarks_of(fetch, ids)
    hearsay, grants, entries = hearsay_of(fetch, ids), grants_of(fetch, ids), entries_of(fetch, ids)
    secrets = {match: each(secret_of, match, secret) for match, *secret in about(fetch, ids, _SECRETS, "(?)")}
    return {
        match: SideTables(
            match,
            *_line(match, record),
            seats[match],
            signatures[match],
            remarks[match],
            hearsay[match],
            grants[match],
            entries[match],
            secrets.get(match),
        )
        for match, record in lines.items()
    }


def _kept(
    fetch: Fetch, matches: Sequence[str], sql: str, read: Callable[[str, Sequence[Any]], Value]
) -> dict[str, list[Value | Damaged]]:
    found: dict[str, list[Value | Damaged]] = {match: [] for match in matches}
    for match, *record in about(fetch, matches, sql, "(?)"):
        found[match].append(each(read, match, record))
    return found


def _line(match: str, record: Sequence[Any]) -> tuple[dict[str, object], list[Damaged]]:
    """The line of a match in the listing, and the cells of it that cannot be read; nearly always all of them can."""
    values = each(MATCH.read, match, record)
    if not isinstance(values, Damaged):
        return dict(zip(MATCH.kinds, values, strict=True)), []
    found = MATCH.as_found(record)
    return found, MATCH.flaws(match, found)
