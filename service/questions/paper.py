"""Paper score sheets: a small CSV file of what players wrote down, read tolerantly."""

import csv
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from events.core import Seat
from projections.core import Names
from service.errors import UsageError
from service.limits import quoted

END: Final = 0
"""Stands for the row of the final totals."""
_END_WORDS: Final = ("end", "final", "total", "totals", "bonus", "result", "sum")
_FIRST_WORDS: Final = {"round": False, "rounds": False, "total": False, "totals": False, "gain": True, "gains": True}


class PaperRow(Struct, frozen=True):
    """The numbers of one round."""

    round: int
    numbers: dict[Seat, int]
    """Only what was written; a blank is no claim."""


class Paper(Struct, frozen=True):
    """A score sheet as it was kept at the table."""

    is_gains: bool
    """Whether the numbers are the points of each round alone, rather than running totals."""
    rows: list[PaperRow]


def read_paper(text: str, seats: int, names: Names) -> Paper:
    """The sheet in a CSV text: `round,Ann,Ben` above running totals, or `gain,Ann,Ben` above the points of each round.

    Columns are named by player or by seat number; a last row named `end` holds the totals with all bonuses; blanks are
    skipped; commas, semicolons and tabs all separate; a line that begins with # is a comment.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(lines) < 2:
        raise UsageError(
            "paper/empty", "The paper has no numbers: it needs a heading such as round,1,2 and rows below."
        )
    table = [(number, _cells(number, line)) for number, line in lines]
    (_, heading), *body = table
    first = heading[0].lower()
    if first not in _FIRST_WORDS:
        raise UsageError(
            "paper/heading", f"The heading begins with {quoted(heading[0])}; write `round` above totals, or `gain`."
        )
    columns = [read_seat(cell, seats, names, "paper/seat") for cell in heading[1:]]
    if len(set(columns)) != len(columns) or not columns:
        raise UsageError("paper/seat", f"The heading {', '.join(heading)!r} does not name every column once.")
    rows: list[PaperRow] = []
    for number, cells in body:
        row = _row(number, cells, columns)
        if any(row.round == other.round for other in rows):
            raise UsageError("paper/round", f"Line {number}: {cells[0]!r} is there twice.")
        rows.append(row)
    return Paper(_FIRST_WORDS[first], sorted(rows, key=lambda row: (row.round == END, row.round)))


def read_claims(words: Sequence[str], seats: int, names: Names) -> dict[Seat, int]:
    """Claimed totals such as `1=54` or `Ann=54`."""
    claims: dict[Seat, int] = {}
    for word in words:
        who, equals, number = word.partition("=")
        if not equals:
            raise UsageError("claim/form", f"{word!r} is not a claim; write SEAT=TOTAL, such as Ann=54 or 1=54.")
        seat = read_seat(who, seats, names, "claim/seat")
        if seat in claims:
            raise UsageError("claim/seat", f"Seat {seat} is claimed twice: {claims[seat]} and {number}.")
        claims[seat] = _number(number, quoted(word), "claim/total")
    return claims


def read_seat(text: str, seats: int, names: Names, code: str) -> Seat:
    """The seat a number or a player's name stands for; any case and an unambiguous beginning of the name will do."""
    wanted = text.strip().casefold()
    number = wanted.removeprefix("seat").strip().lstrip("0")
    called = {seat: names[seat].casefold() for seat in range(1, seats + 1)}
    by_number = [seat for seat in called if str(seat) == number]
    by_name = [seat for seat, name in called.items() if name == wanted]
    by_beginning = [seat for seat, name in called.items() if wanted and name.startswith(wanted)]
    found = by_number or by_name or by_beginning
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{seat} ({names[seat]})" for seat in range(1, seats + 1))
    raise UsageError(code, f"{quoted(text)} is not a seat of this match; choose from: {listed}.")


def _cells(number: int, line: str) -> list[str]:
    separator = next((mark for mark in (",", ";", "\t") if mark in line), ",")
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    except csv.Error as error:
        raise UsageError("paper/line", f"Line {number}: {quoted(line)} cannot be read: {error}.") from error


def _row(number: int, cells: Sequence[str], columns: Sequence[Seat]) -> PaperRow:
    label = cells[0].lower()
    counted = re.fullmatch(r"(?:round|r)?\s*+([0-9]{1,3})", label)
    if label in _END_WORDS:
        round_ = END
    elif counted and int(counted[1]) > 0:
        round_ = int(counted[1])
    else:
        raise UsageError("paper/round", f"Line {number}: {cells[0]!r} is neither a round (1, 2, …) nor `end`.")
    if len(cells) - 1 > len(columns):
        raise UsageError("paper/row", f"Line {number} has {len(cells) - 1} numbers for {len(columns)} columns.")
    numbers = {
        seat: _number(cell, f"Line {number}: {quoted(cell)}", "paper/number")
        for seat, cell in zip(columns, cells[1:], strict=False)
        if cell not in ("", "-", "–")
    }
    return PaperRow(round_, numbers)


def _number(text: str, shown: str, code: str) -> int:
    found = re.fullmatch(r"([+\-−]?)\s*+([0-9]{1,5})", text.strip())
    if found is None:
        raise UsageError(code, f"{shown} is not a number of points.")
    return -int(found[2]) if found[1] in ("-", "−") and found[1] else int(found[2])
