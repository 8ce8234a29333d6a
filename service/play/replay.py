"""Reading matches back: one whole and checked, a prefix of it, or every match of a store as a stream."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from events.chain import link, origin
from events.codec import Fact, Undecodable, decode, decode_facts
from events.core import Actor, Envelope, Event, Seat
from events.match import MatchOpened
from projections.core import Names
from projections.fold import Table, fold
from projections.timeline import Timeline, resolve
from service.errors import Damaged, NotFound, Unavailable, UsageError
from service.games.game import Game
from service.games.shelf import by_ruleset, rulesets
from service.play.ledger import Ledger
from service.store.shapes import Head, MatchRow, Row, SeatRow
from service.store.store import Store


class Live(Struct):
    """A match in hand: its history, the table it folds to and the head to append to.

    It is a snapshot. When somebody else appends, the next append from here is a Conflict and the match is to be loaded
    again; nothing in it is wrong before that, only old.
    """

    id: str
    game: Game
    envelopes: list[Envelope]
    table: Table
    head: Head
    seats: dict[Seat, SeatRow]

    @property
    def names(self) -> Names:
        """What the seats are called."""
        return Names({seat: row.name for seat, row in self.seats.items()})

    @property
    def timeline(self) -> Timeline:
        """Which steps of play are in effect, and which a redo would bring back."""
        return resolve(self.envelopes)

    def step_entries(self, step: int) -> list[Envelope]:
        """The events appended together as this step."""
        return [envelope for envelope in self.envelopes if envelope.step == step]

    def actor_of(self, step: int) -> Actor:
        """Who took the step."""
        return self.step_entries(step)[0].actor


def load(ledger: Ledger, text: str) -> Live:
    """The match whose id starts with this text, its chain checked link by link; Damaged when one does not hold."""
    row = ledger.store.find(text)
    rows = ledger.store.rows(row.id)
    check_chain(row, rows)
    envelopes = read(row.id, rows)
    game = pinned_game(row.id, row.ruleset)
    return Live(
        id=row.id,
        game=game,
        envelopes=envelopes,
        table=fold(game.projection, envelopes),
        head=row.head,
        seats={seat.seat: seat for seat in ledger.store.seats(row.id)},
    )


def pinned_game(match: str, ruleset: str) -> Game:
    """The game with the rules a stored match has pinned; one this program lacks is not a typing error."""
    try:
        return by_ruleset(ruleset)
    except UsageError as error:
        known = f"this program has {', '.join(rulesets())}"
        raise Unavailable(
            "game/ruleset", f"Match {match} is played by {ruleset!r}; {known}. Use a newer one."
        ) from error


def check_chain(row: MatchRow, rows: Sequence[Row]) -> None:
    """Refuse a history with a gap, a changed event or a head that is not its end."""
    hash_ = origin(row.id, row.game, row.ruleset)
    for seq, stored in enumerate(rows, start=1):
        # SQLite keeps whatever type a hand put there; only bytes were ever stored by us.
        hash_ = link(hash_, stored.data) if isinstance(stored.data, bytes) else b""
        if stored.seq != seq or stored.hash != hash_:
            what = f"event {seq} is missing" if stored.seq != seq else f"event {seq} does not match its hash"
            raise Damaged("ledger/chain", f"Match {row.id}: {what}; the history was changed.", row.id, seq)
    if (row.head.seq, row.head.hash) != (len(rows), hash_) or not rows:
        raise Damaged(
            "ledger/head",
            f"Match {row.id}: the head names event {row.head.seq}, but the history ends with event {len(rows)}.",
            row.id,
            len(rows),
        )


def read(match: str, rows: Sequence[Row]) -> list[Envelope]:
    """The envelopes of these rows. Raises Damaged naming match, event and tag of the first that does not read."""
    envelopes = []
    for row in rows:
        try:
            envelopes.append(decode(row.data))
        except Undecodable as error:
            raise _unreadable(match, row.seq, error) from error
    if not isinstance(envelopes[0].event, MatchOpened):
        raise Damaged("ledger/opening", f"Match {match}: event 1 does not open a match.", match, 1)
    return envelopes


def _unreadable(match: str, seq: int, error: Undecodable) -> Damaged:
    return Damaged(
        "ledger/unreadable",
        f"Match {match}: event {seq} (tag {error.tag!r}) does not read: {error.why}",
        match,
        seq,
        error.tag,
    )


def at(live: Live, place: str) -> Live:
    """The match as it stood after an event (`57`) or a step (`s12`)."""
    number = place[1:] if place[:1] in ("s", "S") else place
    if not (number.isascii() and number.isdigit()):
        raise UsageError("replay/place", f"{place!r} is no place in a match; give an event (57) or a step (s12).")
    last = live.envelopes[-1]
    if place == number:
        if not 1 <= int(number) <= last.seq:
            raise NotFound("replay/event", f"There is no event {number}; choose 1–{last.seq}.")
        prefix = live.envelopes[: int(number)]
    else:
        if not 1 <= int(number) <= last.step:
            raise NotFound("replay/step", f"There is no step {number}; choose s1–s{last.step}.")
        prefix = [envelope for envelope in live.envelopes if envelope.step <= int(number)]
    return Live(
        id=live.id,
        game=live.game,
        envelopes=prefix,
        table=fold(live.game.projection, prefix),
        head=live.head,
        seats=live.seats,
    )


def replay_all(store: Store, game: str | None = None) -> Iterator[tuple[str, Table]]:
    """Every match with the table it folds to, one at a time; memory holds one match, not the store."""
    for row, rows in store.streams(game):
        match = row.id
        facts = _facts(match, rows)
        opened = facts[0].event
        if not isinstance(opened, MatchOpened):
            raise Damaged("ledger/opening", f"Match {match}: event 1 does not open a match.", match, 1)
        yield match, fold(pinned_game(match, opened.ruleset).projection, facts)


def _facts(match: str, rows: Sequence[bytes]) -> list[Fact[Event]]:
    try:
        return decode_facts(rows)
    except Undecodable:
        for seq, row in enumerate(rows, start=1):
            try:
                decode(row)
            except Undecodable as error:
                raise _unreadable(match, seq, error) from error
        raise
