"""The history of a match, from a ledger, a record file or an export; and a live match that can be added to."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from events.chain import Chain, origin
from events.core import Actor, Envelope, Event, ScoreLine, Seat
from events.match import MatchOpened
from projections.core import Names, State
from projections.fold import Table, fold
from projections.scoresheet import SheetLine, scoresheet
from projections.timeline import Timeline, effective, is_play, resolve
from service.errors import Damaged, NotFound, Unavailable, UsageError
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import by_ruleset, rulesets
from service.limits import quoted, read_number
from service.store.shapes import PERSON, Head, SeatRow

if TYPE_CHECKING:  # only loaded where something is signed
    from service.play.evidence import Evidence
    from service.trust.receipts import Receipt
    from service.trust.statements import Statement


class History(Struct):
    """The events of a match and the table they fold to. Whether they are true is for the audit to say."""

    id: str
    game: Game
    """With the rules the match has pinned."""
    envelopes: list[Envelope]
    hashes: list[bytes]
    """The chain hash after each event."""
    seats: dict[Seat, SeatRow]
    file: str = ""
    """The file it was read from; empty for a match of a ledger."""
    folded: Table | None = None
    """The table, as far as anybody has looked at it."""

    @property
    def table(self) -> Table:
        """What the events fold to. Events that nobody has checked may fail to fold in any way."""
        if self.folded is None:
            self.folded = fold(self.game.projection, self.envelopes)
        return self.folded

    @property
    def source(self) -> str:
        """What people call it: its id, or its file."""
        return self.file or self.id

    @property
    def opened(self) -> MatchOpened:
        """What was agreed before the first move."""
        event = self.envelopes[0].event
        assert isinstance(event, MatchOpened)
        return event

    @property
    def names(self) -> Names:
        """What the seats are called."""
        return Names({seat: row.name for seat, row in self.seats.items()})

    @property
    def players(self) -> list[str]:
        """The same in the order of the seats."""
        return [self.names[seat] for seat in range(1, self.opened.seats + 1)]

    @property
    def timeline(self) -> Timeline:
        """Which steps of play are in effect, and which a redo would bring back."""
        return resolve(self.envelopes)

    @property
    def scoresheet(self) -> list[SheetLine]:
        """Every point in effect with its rule, its reason and the running total."""
        return scoresheet(self.game.projection, self.envelopes)

    def step_entries(self, step: int) -> list[Envelope]:
        """The events appended together as this step."""
        return [envelope for envelope in self.envelopes if envelope.step == step]

    def actor_of(self, step: int) -> Actor:
        """Who took the step."""
        return self.step_entries(step)[0].actor

    def envelope(self, seq: int) -> Envelope:
        """The event of that number, or a refusal."""
        if not 1 <= seq <= len(self.envelopes):
            raise NotFound("replay/event", f"There is no event {seq}; choose 1–{len(self.envelopes)}.")
        return self.envelopes[seq - 1]

    def table_after(self, seq: int) -> Table:
        """The table after an event; before the first one it is as the opening left it."""
        return fold(self.game.projection, self.envelopes[: max(seq, 1)])

    def at(self, place: str) -> "History":
        """The match as it stood after an event (`57`) or a step (`s12`)."""
        number = place[1:] if place[:1] in ("s", "S") else place
        try:
            wanted = read_number(number if number.isdigit() else "?")
        except ValueError as error:
            message = f"{quoted(place)} is not a place in a match; give an event (57) or a step (s12)."
            raise UsageError("replay/place", message) from error
        last = self.envelopes[-1]
        if place == number:
            length = self.envelope(wanted).seq
        elif 1 <= wanted <= last.step:
            length = sum(envelope.step <= wanted for envelope in self.envelopes)
        else:
            raise NotFound("replay/step", f"There is no step {number}; choose s1–s{last.step}.")
        return History(self.id, self.game, self.envelopes[:length], self.hashes[:length], self.seats, self.file)


class Live(History):
    """A match in hand that can be added to: its history has a head, and the next append goes right after it.

    It is a snapshot. When somebody else appends, the next append from here is a Conflict and the match is to be loaded
    again; nothing in it is wrong before that, only old.
    """

    stated: "Statement | None" = None
    """What the ledger stated about it when this process last opened, joined, closed or added to it."""

    @property
    def receipt(self) -> "Receipt | None":
        """What whoever sat down with the last append may keep; None where the ledger stated nothing."""
        from service.trust.receipts import make_receipt

        return None if self.stated is None else make_receipt(self.stated, self.opened.commitment)

    @property
    def head(self) -> Head:
        """Its last event, its last step and the hash after them."""
        if not self.envelopes:
            return first_head(self.id, self.game)
        last = self.envelopes[-1]
        return Head(seq=last.seq, step=last.step, hash=self.hashes[-1])


def first_head(match: str, game: Game) -> Head:
    """Where a match stands before its first event."""
    return Head(seq=0, step=0, hash=origin(match, game.key, game.rules.ruleset))


def pinned_game(match: str, ruleset: str) -> Game:
    """The game with the rules a stored match has pinned; one this program lacks is not a typing error."""
    try:
        return by_ruleset(ruleset)
    except UsageError as error:
        known = f"this program has {', '.join(rulesets())}"
        raise Unavailable(
            "game/ruleset", f"Match {match} is played by {ruleset!r}; {known}. Use a newer version of matchledger."
        ) from error


def said(chain: Chain) -> list[Envelope]:
    """What the rows of a chain say. Raises Damaged naming match, event and tag of the first that cannot be read."""
    match = chain.match
    if chain.sound is not None:
        return _numbered(match, chain.sound)
    for link in chain.links:
        if link.trouble is not None:
            raise Damaged(
                "ledger/unreadable",
                f"Match {match}: event {link.position} (tag {link.trouble.tag!r}) cannot be read: {link.trouble.why}",
                match,
                link.position,
                link.trouble.tag,
            ) from link.trouble
    envelopes = [link.envelope for link in chain.links if link.envelope is not None]
    if not envelopes or not isinstance(envelopes[0].event, MatchOpened):
        raise Damaged("ledger/opening", f"Match {match}: event 1 does not open a match.", match, 1)
    return _numbered(match, envelopes)


def _numbered(match: str, envelopes: list[Envelope]) -> list[Envelope]:
    """The same envelopes, if they cannot make anybody go through more steps than there are events."""
    last = envelopes[-1]
    if last.step > len(envelopes):
        message = f"Match {match}: event {last.seq} says that it is in step {last.step}; there are fewer events."
        raise Damaged("ledger/step", message, match, last.seq)
    return envelopes


def of_evidence(evidence: "Evidence") -> History:
    """A match as evidence. Raises Damaged for what cannot be read."""
    if not evidence.rows:
        raise Damaged("ledger/empty", f"{evidence.source} holds no events.", evidence.match, 0)
    envelopes = said(evidence.chain)
    opened = evidence.chain.opened
    assert opened is not None
    game = by_ruleset(opened.ruleset)
    try:
        read_options(game.rules, opened.options, opened.seats)
    except UsageError as refusal:
        raise Damaged(
            "ledger/opening", f"{evidence.source}: event 1: {refusal.message}", evidence.match, 1
        ) from refusal
    seats = {seat: SeatRow(seat, name, evidence.kinds.get(seat, PERSON)) for seat, name in evidence.names.items()}
    file = evidence.source if evidence.source != evidence.match else ""
    return History(evidence.match, game, envelopes, evidence.chain.hashes, seats, file)


# ------------------------------------------------------------------------------------------------- points of a match


class ScoredPoint(Struct, frozen=True):
    """A line of the score sheet, and what the table looked like right before it."""

    sheet: SheetLine
    line: ScoreLine
    """The points as they were recorded."""
    event: Event
    """The event that carries them."""
    is_end: bool
    """Whether it came with the end of the game, such as a bonus."""
    before: State


def points(history: History) -> Iterator[ScoredPoint]:
    """Every line of the score sheet with the state it was scored on."""
    projection = history.game.projection
    state = projection.initial(history.opened.seats, history.opened.options)
    sheet = iter(history.scoresheet)
    for fact in effective(history.envelopes):
        if not is_play(fact):
            continue
        event = fact.event
        before = projection.copy(state) if event.scores else None
        projection.apply[type(event)](state, event)
        is_end = bool(projection.standings(state))
        yield from (ScoredPoint(next(sheet), line, event, is_end, before) for line in event.scores)


def chapters(history: History) -> Iterator[tuple[str, list[ScoredPoint]]]:
    """The score sheet in the parts people read it in: the rounds, and what the end of the game brought."""
    before = "Before the first round" if history.game.has_rounds else "Play"
    for (round_, is_end), group in groupby(points(history), key=lambda point: (point.sheet.round, point.is_end)):
        yield "End of the game" if is_end else f"Round {round_}" if round_ else before, list(group)


def rounds(history: History) -> int:
    """How many rounds were begun; none in a game without rounds."""
    return max((fact.event.round for fact in effective(history.envelopes)), default=0)
