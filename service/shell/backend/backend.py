"""What commands ask of a house, wherever its ledger is."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from events.core import Seat
from service.audit.report import Report
from service.disputes.cases import Adjust
from service.errors import UsageError
from service.play.appending import ANY_HEAD, Call
from service.play.evidence import Evidence
from service.play.history import Live
from service.shell.backend.reader import Reader
from service.shell.requests import NewMatch
from service.store.shapes import Appended
from service.trust.arbiters import Arbiter
from service.trust.receipts import Receipt
from service.trust.statements import Signed


class Exported(Struct, frozen=True):
    """A match as a record."""

    match: str
    count: int
    head: str
    data: bytes
    unsigned: str = ""
    """Why the ledger does not vouch for it, if it does not."""


class ImportedMatch(NamedTuple):
    """A match from a record, as the ledger has it now."""

    live: Live
    was_there: bool


def say_who() -> Seat:
    """Refuse to guess which seat is meant."""
    raise UsageError("match/which-seat", "Say who: --seat and a name or the number of a seat.")


class StepNews(Protocol):
    """What others do in a match, as it happens."""

    def fileno(self) -> int:
        """Can be read from when there may be news."""
        ...

    def close(self) -> None:
        """Hear nothing any more."""
        ...

    def reaches_beyond(self, seq: int) -> bool:
        """Whether something happened behind that event. Raises whatever ended the news."""
        ...


class Backend(Reader, Protocol):
    """Everything people do with matches. A match in hand (`Live`) moves on with whatever is done to it."""

    def open_match(self, wish: NewMatch) -> Live:
        """Open a match."""
        ...

    def join(self, live: Live, name: str, seat: Seat | None, nonce: str) -> Appended:
        """Seat somebody, or a bot."""
        ...

    def rename(self, text: str, seat: Seat, name: str) -> Live:
        """Give a seat another name; an empty one is forgotten."""
        ...

    def move(self, live: Live, seat: Seat | None, text: str, call: Call = ANY_HEAD) -> Appended:
        """Make the move a text stands for."""
        ...

    def deal(self, live: Live, text: str | None, call: Call = ANY_HEAD) -> Appended:
        """Let chance answer."""
        ...

    def take_back(self, live: Live, seat: Seat | None, steps: int | None, call: Call = ANY_HEAD) -> Appended:
        """Undo steps, or ask for it."""
        ...

    def play_again(self, live: Live, seat: Seat | None, steps: int | None, call: Call = ANY_HEAD) -> Appended:
        """Redo steps."""
        ...

    def answer_undo(self, live: Live, seat: Seat | None, accepts: bool, call: Call = ANY_HEAD) -> Appended:
        """Accept or decline the open request."""
        ...

    def resign(self, live: Live, seat: Seat | None) -> Appended:
        """Give up."""
        ...

    def abandon(self, live: Live) -> Appended:
        """Close a match without a result."""
        ...

    def replied(self, live: Live, appended: Appended | None = None) -> Live:
        """The match after the bots have replied."""
        ...

    def fork(self, live: Live, step: int, chance: str, undo: str) -> Live:
        """A new match that goes on from a step of this one."""
        ...

    def export(self, text: str, kind: str) -> Exported:
        """A match as a record, `text` or `jsonl`."""
        ...

    def bring_in(self, evidence: Evidence) -> ImportedMatch:
        """Take a match from a record into the ledger."""
        ...

    def audit(
        self, text: str, keys: Sequence[str], arbiters: Sequence[str], receipts: Sequence[Signed]
    ) -> tuple[Evidence, Report]:
        """A match with a verdict for each check."""
        ...

    def receipt(self, text: str) -> Receipt:
        """A signed receipt of a match as it stands."""
        ...

    def open_dispute(
        self, live: Live, seat: Seat | None, words: str, about: int, of: Seat | None, claim: int | None, call: Call
    ) -> Appended:
        """Dispute an event, or with `about` 0 a total."""
        ...

    def appeal(self, live: Live, number: int, seat: Seat | None, words: str, call: Call) -> Appended:
        """Appeal against a ruling."""
        ...

    def withdraw(self, live: Live, number: int, seat: Seat | None, call: Call) -> Appended:
        """Take a dispute back."""
        ...

    def rule(
        self, live: Live, number: int, by: Arbiter, rules: Sequence[str], reason: str, adjust: Adjust, call: Call
    ) -> Appended:
        """Rule on a dispute."""
        ...

    def decide(
        self,
        live: Live,
        number: int,
        by: Arbiter,
        upholds: bool,
        rules: Sequence[str],
        reason: str,
        adjust: Adjust,
        call: Call,
    ) -> Appended:
        """Decide an appeal."""
        ...

    def finalise(self, live: Live, by: Arbiter, call: Call) -> Appended:
        """Declare the ruled result final."""
        ...

    def own_seats(self, live: Live) -> Collection[Seat] | None:
        """The seats that act from this keyboard; None where everybody shares it."""
        ...

    def news(self, live: Live) -> StepNews | None:
        """What others do in a match from now on; None where nobody else is listened to."""
        ...
