"""Where a ledger is, here or at a server, as everything that works with matches sees it."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from events.core import Seat
from service.audit.report import Report
from service.errors import LedgerError
from service.play.appending import ANY_HEAD, Call
from service.play.commands import Command, Fork, OpenMatch
from service.play.evidence import Evidence
from service.play.history import Live
from service.shell.backend.reader import MatchReader
from service.store.shapes import Append, Appended
from service.trust.receipts import Receipt
from service.trust.statements import Signed

if TYPE_CHECKING:  # only loaded where a server is listened to
    from service.shell.backend.step_stream import StepStream


class Exported(Struct, frozen=True):
    """A match as a record."""

    match: str
    count: int
    head: str
    data: bytes
    unsigned: str = ""
    """Why the ledger does not vouch for it, if it does not."""
    refusal: LedgerError | None = None
    """The same as it was refused; None for a damaged match, which is exported as it is."""


class ImportedMatch(NamedTuple):
    """A match from a record, as the ledger has it now."""

    live: Live
    was_there: bool


class Backend(MatchReader, Protocol):
    """Reads matches and sends commands. A match in hand (`Live`) moves on with whatever is done to it."""

    def send(self, live: Live, command: Command, call: Call = ANY_HEAD) -> Appended:
        """Have a command carried out in a match."""
        ...

    def open_match(self, command: OpenMatch, call: Call = ANY_HEAD) -> Live:
        """Have a match opened."""
        ...

    def fork(self, live: Live, command: Fork, call: Call = ANY_HEAD) -> Live:
        """Have a match opened that goes on from a step of this one."""
        ...

    def replied(self, live: Live, appended: Appended | None = None) -> Live:
        """The match after the bots have replied."""
        ...

    def export(self, text: str, kind: str) -> Exported:
        """A match as a record, `text` or `jsonl`."""
        ...

    def import_record(self, evidence: Evidence) -> ImportedMatch:
        """Take a match from a record into the ledger."""
        ...

    def keep(self, append: Append) -> Live:
        """Take a match that was played in memory into the ledger."""
        ...

    def audit(
        self, text: str, keys: Sequence[str], arbiters: Sequence[str], receipts: Sequence[Signed]
    ) -> tuple[Evidence, Report]:
        """A match with a verdict for each check."""
        ...

    def receipt(self, text: str) -> Receipt:
        """A signed receipt of a match as it stands."""
        ...

    def own_seats(self, live: Live) -> Collection[Seat] | None:
        """The seats that act from this keyboard; None where everybody shares it."""
        ...

    def news(self, live: Live) -> "StepStream | None":
        """What others do in a match from now on; None where nobody else is listened to."""
        ...
