"""Steps to append: real chains over made-up bytes, since the store looks into no event."""

from datetime import UTC, datetime, timedelta

from events.chain import link, origin
from service.store import Append, CommandKey, Head, NewMatchRow, Row, SeatRow, Store

GAME, RULESET = "azul", "azul/1"
START = datetime(2025, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)


def step_after(
    match: str,
    head: Head | None,
    *,
    size: int = 3,
    said: str = "",
    status: str = "playing",
    command: CommandKey | None = None,
) -> Append:
    """The next step of a match, chained to its head; opens the match when there is no head yet."""
    before = head or Head(0, 0, origin(match, GAME, RULESET))
    rows, hash_ = [], before.hash
    for position in range(1, size + 1):
        data = f'{{"match":"{match}","step":{before.step + 1},"of":{size},"at":{position},"said":"{said}"}}'.encode()
        hash_ = link(hash_, data)
        rows.append(Row(before.seq + position, data, hash_))
    return Append(
        match=match,
        expected=before.seq,
        rows=rows,
        head=Head(before.seq + size, before.step + 1, hash_),
        status=status,
        at=START + timedelta(seconds=before.step),
        new=new_match() if head is None else None,
        command=command,
    )


def new_match(
    game: str = GAME, *, parent: str | None = None, secret: bytes | None = None, seed: str = ""
) -> NewMatchRow:
    """A match of two seats under the loosest policies."""
    return NewMatchRow(game, f"{game}/1", 2, "free", "fair", parent, secret, seed)


def opened(
    store: Store,
    match: str,
    *,
    at: datetime = START,
    new: NewMatchRow | None = None,
    status: str = "open",
    seats: tuple[SeatRow, ...] = (),
) -> Head:
    """Open a match in the store; gives its head."""
    first = step_after(match, None)
    append = Append(match, 0, first.rows, first.head, status, at, new or new_match(), seats)
    store.append(append)
    return append.head


def assert_whole(match: str, rows: list[Row], size: int = 3) -> None:
    """Every step is there with all its events, in order, and every hash follows from the one before."""
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) % size == 0, f"half a step: {len(rows)} events in steps of {size}"
    hash_ = origin(match, GAME, RULESET)
    for row in rows:
        hash_ = link(hash_, row.data)
        assert hash_ == row.hash, f"the chain breaks at event {row.seq}"
