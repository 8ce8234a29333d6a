"""CSV import of a score pad: a line for each round and seat, read into entries."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final, NamedTuple

from events.core import Seat
from projections.core import State
from projections.words import count
from service.errors import LedgerError, UsageError
from service.games.core import Action
from service.games.game import Game
from service.limits import quoted
from service.records.seats import find_seat

COLUMNS: Final = ("round", "seat", "entry")


class SheetRow(NamedTuple):
    """One line of the file."""

    line: int
    """Counted from 1, as editors count."""
    round: str
    """Empty where nobody said, and in a game without rounds."""
    who: str
    """A name, or the number of a seat."""
    entry: str


def read_sheet(text: str) -> list[SheetRow]:
    """The lines of a file; a heading and empty lines are skipped."""
    first = text.partition("\n")[0]
    reader = csv.reader(StringIO(text), delimiter=";" if ";" in first and "," not in first else ",")
    rows: list[SheetRow] = []
    try:
        for cells in reader:
            words = [cell.strip() for cell in cells]
            if not any(words) or (not rows and words[0].lower() == COLUMNS[0]):
                continue
            if len(words) != len(COLUMNS):
                raise UsageError(
                    "pad/cells",
                    f"Line {reader.line_num} has {count(len(words), 'cell')}, {quoted(','.join(words))}; it takes 3:"
                    ' round, seat or name, and the entry, such as 1,Ann,"1B 2R floor 2".',
                )
            rows.append(SheetRow(reader.line_num, *words))
    except csv.Error as error:
        raise UsageError("pad/csv", f"Line {reader.line_num} cannot be read as CSV: {error}.") from error
    return rows


def names_in(rows: Sequence[SheetRow]) -> list[str]:
    """The people a file names, in the order in which they first appear; numbers name nobody."""
    return list(dict.fromkeys(row.who for row in rows if not row.who.isdigit()))


def entries_in(
    game: Game, state: State, round_: int, names: Mapping[Seat, str], rows: Sequence[SheetRow]
) -> Iterator[tuple[Seat, Action]]:
    """Who entered what, tried on the state, which moves along. Raises the first refusal, with its line."""
    for row in rows:
        try:
            for seat, action in _actions(game, names, row):
                for event in game.rules.decide(state, seat, action):
                    game.projection.apply[type(event)](state, event)
                    round_ = event.round or round_
                if game.has_rounds and row.round and row.round != str(round_):
                    raise UsageError(
                        "pad/round", f"{quoted(row.round)} cannot be the round: this entry belongs to round {round_}."
                    )
                yield seat, action
        except LedgerError as refusal:
            refusal.hint = f"Line {row.line}: {quoted(row.entry)} by {quoted(row.who)}. Nothing was entered."
            raise


def _actions(game: Game, names: Mapping[Seat, str], row: SheetRow) -> Iterator[tuple[Seat, Action]]:
    try:
        seat = find_seat(row.who, names)
    except ValueError:
        seat = None
    if seat is None or seat not in names:
        listed = ", ".join(f"{number} {name}" for number, name in names.items())
        raise UsageError("pad/seat", f"{quoted(row.who)} does not sit at this table; choose from: {listed}.")
    assert game.notation.read_line is not None
    for action in game.notation.read_line(row.entry):
        yield seat, action
