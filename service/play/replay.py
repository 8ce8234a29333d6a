"""Reading matches back from a store: one whole and checked, or every match as a stream."""

from collections.abc import Iterator, Sequence

from events.chain import Chain, Row, origin
from events.codec import Fact, Undecodable, decode_facts
from events.core import Event
from events.match import MatchOpened
from projections.fold import Table, fold
from service.errors import Damaged
from service.play.history import Live, pinned_game, said
from service.play.ledger import Ledger
from service.store.shapes import MatchRow
from service.store.store import Store


def load(ledger: Ledger, text: str) -> Live:
    """The match whose id starts with this text, its chain checked link by link; Damaged when one does not hold."""
    store = ledger.store
    with store.snapshot():
        row = store.find(text)
        rows, seats = store.rows(row.id), store.seats(row.id)
    chain = Chain(row.id, rows, start=origin(row.id, row.game, row.ruleset))
    _refuse_broken(row, chain)
    envelopes = said(row.id, chain.links)
    game = pinned_game(row.id, row.ruleset)
    table = fold(game.projection, envelopes)
    return Live(row.id, game, envelopes, chain.hashes, {seat.seat: seat for seat in seats}, folded=table)


def _refuse_broken(row: MatchRow, chain: Chain) -> None:
    """Refuse a history with a gap, a changed event or a head that is not its end."""
    broken, last = chain.broken, len(chain.links)
    if broken is not None:
        message = f"Match {row.id}: {broken.flaw}; the history was changed."
        raise Damaged("ledger/chain", message, row.id, broken.position)
    if (row.head.seq, row.head.hash) != (last, chain.head) or not last:
        message = f"Match {row.id}: the head names event {row.head.seq}, but the history ends with event {last}."
        raise Damaged("ledger/head", message, row.id, last)


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
    except Undecodable as error:
        chain = Chain(match, [Row(seq, row, b"") for seq, row in enumerate(rows, start=1)])
        said(match, chain.links)  # names the event; one decoded alone reads as it does among the others
        raise AssertionError("an event that does not read in bulk reads alone") from error
