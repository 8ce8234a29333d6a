"""Reading matches, wherever their ledger is: it changes nothing, and takes little to load."""

from typing import Protocol

from msgspec import Struct

from service.errors import Damaged
from service.limits import NUMBER
from service.play import replay
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.listing import Listed, listing
from service.store.filters import Filters
from service.store.shapes import MatchRow


class MatchFilter(Struct, frozen=True):
    """Which matches to list."""

    game: str | None = None
    status: str | None = None
    player: str | None = None
    parent: str | None = None
    """Forks of this match, which may be named by its first letters."""
    limit: int = 20


class MatchReader(Protocol):
    """What commands that only look ask of a ledger."""

    def read(self, text: str) -> Live:
        """The match whose id begins so, or the `last` one; its chain is checked link by link."""
        ...

    def matches(self, wanted: MatchFilter) -> list[Listed | Damaged]:
        """Matches, the one moved last first."""
        ...

    def ids(self, wanted: MatchFilter) -> list[str]:
        """The ids of the same matches."""
        ...

    def count(self, wanted: MatchFilter) -> int | None:
        """How many there are without the limit; None where there are too many to count."""
        ...


class LocalReader:
    """The matches of a ledger on this machine."""

    def __init__(self, ledger: LocalLedger) -> None:
        self.ledger = ledger

    def read(self, text: str) -> Live:
        return replay.load(self.ledger, text)

    def matches(self, wanted: MatchFilter) -> list[Listed | Damaged]:
        return listing(self.ledger.store, self._rows(wanted))

    def ids(self, wanted: MatchFilter) -> list[str]:
        return [row.match if isinstance(row, Damaged) else row.id for row in self._rows(wanted)]

    def count(self, wanted: MatchFilter) -> int | None:
        return self.ledger.store.count_matches(**self._filters(wanted))

    def _rows(self, wanted: MatchFilter) -> list[MatchRow | Damaged]:
        return self.ledger.store.matches(**self._filters(wanted))

    def _filters(self, wanted: MatchFilter) -> Filters:
        return Filters(
            game=wanted.game,
            status=wanted.status,
            player=wanted.player,
            parent=self.ledger.store.find(wanted.parent).id if wanted.parent is not None else None,
            limit=min(wanted.limit, NUMBER),
        )
