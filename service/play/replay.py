"""Loading matches from a store: one whole and checked, or every match as a stream."""

from collections.abc import Iterator, Sequence

from events.chain import Chain
from events.codec import Undecodable, decode_events, decode_joined
from events.core import Envelope, Event
from events.match import MatchOpened
from projections.core import Projection
from projections.fold import Table, fold, fold_straight
from service.errors import Damaged
from service.games.game import Game
from service.limits import quoted
from service.play.history import Live, pinned_game, said
from service.play.ledger import LocalLedger
from service.store.columns import flawed_rows
from service.store.shapes import MatchRow, SeatRow
from service.store.store import Store


def load(ledger: LocalLedger, text: str) -> Live:
    """The match whose id starts with this text, its chain checked link by link; Damaged when one does not hold."""
    store = ledger.store
    with store.snapshot():
        row = store.find(text)
        chain, seats = store.chain(row.id, row.head.hash), store.seats(row.id)
    readable(chain)
    _refuse_broken(row, chain)
    return live_of(chain, seats)


def readable(chain: Chain) -> Chain:
    """The chain of rows of a store, if every cell of them reads; Damaged otherwise."""
    for damage in flawed_rows(chain):
        raise damage
    return chain


def live_of(chain: Chain, seats: Sequence[SeatRow]) -> Live:
    """The match that the rows of a chain tell of; Damaged when one of them was changed or cannot be read."""
    match = chain.match
    if chain.broken is not None:
        message = f"Match {match}: {chain.broken.flaw}; the history was changed."
        raise Damaged("ledger/chain", message, match, chain.broken.position)
    envelopes = said(chain)
    assert chain.opened is not None  # it was said a moment ago
    game = pinned_game(match, chain.opened.ruleset)
    table = folded(match, game, envelopes)
    return Live(match, game, envelopes, chain.hashes, {seat.seat: seat for seat in seats}, folded=table)


def _refuse_broken(row: MatchRow, chain: Chain) -> None:
    """Refuse a history that is not the one of the listing, or whose end is not the head."""
    last, opened = len(chain.data), chain.opened
    if opened is not None and (row.game, row.ruleset) != (opened.game, opened.ruleset):
        column = "game" if row.game != opened.game else "ruleset"
        found, told = quoted(getattr(row, column)), quoted(getattr(opened, column))
        message = f"Match {row.id}: the cell match.{column} holds {found}, but event 1 opened a match of {told}."
        raise Damaged("ledger/row", message, row.id, 1)
    if (chain.broken is None and (row.head.seq, row.head.hash) != (last, chain.head)) or not last:
        message = f"Match {row.id}: the head names event {row.head.seq}, but the history ends with event {last}."
        raise Damaged("ledger/head", message, row.id, last)


def folded(match: str, game: Game, envelopes: Sequence[Envelope]) -> Table:
    """The table the events lead to. A handler that was promised sound facts may fail in any way on others: Damaged."""
    try:
        return fold(game.projection, envelopes)
    except Exception as error:
        message = (
            f"Match {match}: its events cannot be folded into a table: {type(error).__name__}: {quoted(str(error))}."
        )
        raise Damaged("ledger/unfoldable", f"{message} `audit` names the first bad one.", match, 0) from error


def replay_all(store: Store, game: str | None = None) -> Iterator[tuple[str, Table]]:
    """Every match with the table it folds to, one at a time; memory holds one match, not the store."""
    from events.block import events_of, facts_of  # a match that is looked at alone has come as rows

    projections: dict[str, Projection] = {}

    def projection_of(match: str, opened: Event | None) -> Projection:
        if not isinstance(opened, MatchOpened):
            raise Damaged("ledger/opening", f"Match {match}: event 1 does not open a match.", match, 1)
        if opened.ruleset not in projections:
            projections[opened.ruleset] = pinned_game(match, opened.ruleset).projection
        return projections[opened.ruleset]

    # A function, so that the events of a match are gone before those of the next are made in their place.
    def replayed(match: str, block: bytes, behind: bytes) -> Table:
        try:
            events = events_of(match, block) if block else []
            if behind:
                events += decode_events(behind)
        except Undecodable:  # told which, by rows that are read one by one
            envelopes = said(readable(Chain(match, store.rows(match))))
            return fold(projection_of(match, envelopes[0].event), envelopes)
        projection = projection_of(match, events[0] if events else None)
        table = fold_straight(projection, events)
        if table is None:
            under, after = facts_of(match, block) if block else [], decode_joined(behind) if behind else []
            table = fold(projection, [*under, *after])
        return table

    for row, stream in store.streams(game):
        if isinstance(row, Damaged):
            raise row
        yield row.id, replayed(row.id, *stream)
