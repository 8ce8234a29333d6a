"""The checks of bytes: every event can be read, in order and canonical, and the hash chain is unbroken."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import compress, repeat
from operator import attrgetter, is_, sub
from typing import Any, Final, TypeVar

from msgspec import Struct

from events.chain import Chain, Link
from events.codec import are_canonical, event_of, is_canonical, tag
from events.core import ARBITER, CHANCE, LEDGER, Actor, Envelope, Event
from events.dispute import AppealDecided, DisputeRuled, ResultFinalised
from events.match import MatchClosed, MatchOpened, MoveForfeited, SeatTaken, StepRedone, StepUndone
from projections.fold import MATCH_APPLY
from projections.words import count as in_words
from service.audit.report import Findings
from service.errors import LedgerError
from service.games.game import Game
from service.games.shelf import by_ruleset
from service.play.evidence import Evidence

KindOfEvent = TypeVar("KindOfEvent", bound=Event)

_ACTORS: Final[dict[type[Event], Callable[[Any], Actor | None]]] = {
    **dict.fromkeys(MATCH_APPLY, attrgetter("seat")),
    MatchOpened: lambda event: LEDGER,
    MatchClosed: lambda event: LEDGER,
    MoveForfeited: lambda event: LEDGER,
    StepUndone: lambda event: None,
    StepRedone: lambda event: None,
    DisputeRuled: lambda event: ARBITER,
    AppealDecided: lambda event: ARBITER,
    ResultFinalised: lambda event: ARBITER,
}
"""Who acts in the facts about a match itself; None is any seat, and most facts name theirs."""


class Reading(Struct, frozen=True):
    """What of a match could be read: its events up to the first that does not, and the game they belong to."""

    envelopes: Sequence[Envelope] = ()
    opened: MatchOpened | None = None
    game: Game | None = None
    kinds: Sequence[type[Event]] = ()
    """The kind of each event: what is looked for among them is found without going through them one by one."""

    @property
    def closing(self) -> int:
        """The event that closed the match; 0 while it is on."""
        return self.kinds.index(MatchClosed) + 1 if MatchClosed in self.kinds else 0

    def of_kind(self, kind: type[KindOfEvent]) -> list[KindOfEvent]:
        """Every event of one kind, in order."""
        return list(map(event_of, compress(self.envelopes, map(is_, self.kinds, repeat(kind)))))


def read(evidence: Evidence, findings: Findings) -> Reading:
    """Hold every event to its place; stops at the first that cannot be read."""
    chain = evidence.chain
    if chain.sound is not None and chain.opened is not None:
        game = _game(chain.opened, findings)
        reading = _reading(chain.sound, chain.opened, game)
        if game is not None and _are_in_order(chain, reading, chain.opened.seats, game):
            _pass(len(chain.sound), chain.sound[-1].step, findings)
            return reading
    return _read_one_by_one(evidence, findings)


def _pass(events: int, steps: int, findings: Findings) -> None:
    findings.passed("format", f"{in_words(events, 'event')} in {in_words(steps, 'step')}")


def _reading(envelopes: Sequence[Envelope], opened: MatchOpened | None, game: Game | None) -> Reading:
    return Reading(envelopes, opened, game, list(map(type, map(event_of, envelopes))))


def _are_in_order(chain: Chain, reading: Reading, seats: int, game: Game) -> bool:
    """Whether nothing is wrong with the place of any event, asked of all at once; one by one the first one is named."""
    envelopes, kinds = reading.envelopes, reading.kinds
    steps = [envelope.step for envelope in envelopes]
    moments = [envelope.at for envelope in envelopes]
    return (
        [envelope.seq for envelope in envelopes] == list(range(1, len(envelopes) + 1))
        and {envelope.match for envelope in envelopes} == {chain.match}
        and steps[0] == 1
        and {*map(sub, steps[1:], steps)} <= {0, 1}
        and None not in {moment.tzinfo for moment in moments}
        and moments == sorted(moments)
        and kinds.count(MatchOpened) == 1
        and not {*kinds}.difference(game.projection.apply, MATCH_APPLY)
        and all(
            _is_plausible(envelope.actor, envelope.event, seats)
            # Of play it matters only who acted, so one event stands for all by the same actor.
            for envelope in {
                envelope.actor if kind not in MATCH_APPLY else (envelope.seq,): envelope
                for kind, envelope in zip(kinds, envelopes, strict=True)
            }.values()
        )
        and are_canonical(envelopes, chain.data)
    )


def _read_one_by_one(evidence: Evidence, findings: Findings) -> Reading:
    envelopes: list[Envelope] = []
    opened: MatchOpened | None = None
    game: Game | None = None
    place = _Expected(evidence.match)
    for link in evidence.chain.links:
        position, envelope = link.position, link.envelope
        if envelope is None:
            assert link.trouble is not None
            findings.fail("format", position, f"It cannot be read (tag {link.trouble.tag!r}): {link.trouble.why}")
            break
        event = envelope.event
        if position == 1:
            if not isinstance(event, MatchOpened):
                findings.fail("format", 1, f"The first event is {tag(event)!r}; a match begins with 'match.opened'.")
                break
            opened = event
            game = _game(event, findings)
            if game is None:
                break
        assert opened is not None
        assert game is not None
        envelopes.append(envelope)
        if not findings.has_failed("format"):
            why = place.flaw(link, envelope, opened.seats, game)
            if why or not is_canonical(envelope, link.row.data):
                findings.fail("format", position, why or "Its bytes are not the canonical ones for what they say.")
    if not evidence.rows:
        findings.fail("format", 1, "There is no event at all.")
    _pass(len(envelopes), place.step, findings)
    return _reading(envelopes, opened if envelopes else None, game)


def _game(opened: MatchOpened, findings: Findings) -> Game | None:
    try:
        game = by_ruleset(opened.ruleset)
    except LedgerError as refusal:
        findings.fail("format", 1, refusal.message)
        return None
    if game.key != opened.game:
        findings.fail("format", 1, f"Rules {opened.ruleset!r} belong to {game.key!r}, not to {opened.game!r}.")
        return None
    return game


class _Expected:
    """Where the next event has to be: after the one before, in its step, its time and its match."""

    def __init__(self, match: str) -> None:
        self._match = match
        self.step = 0
        self._at: datetime | None = None
        self._seated = False

    def flaw(self, link: Link, envelope: Envelope, seats: int, game: Game) -> str:
        """What is wrong with the place of an event; empty when nothing is."""
        event, before = envelope.event, self.step
        position, seq = link.position, link.row.seq
        kind = type(event)
        if seq != position or envelope.seq != position:
            return f"It is numbered {envelope.seq if envelope.seq != position else seq}."
        if envelope.match != self._match:
            return f"It is an event of match {envelope.match!r}."
        # Simulations once counted an empty step where nothing was to be set up after the seats were taken.
        gap = 2 if self._seated and kind is not SeatTaken else 1
        if not before <= envelope.step <= before + gap or not envelope.step:
            return f"It belongs to step {envelope.step}, right after step {before}."
        if envelope.at.tzinfo is None or (self._at is not None and envelope.at < self._at):
            return f"Its time {envelope.at.isoformat()} is before the event before it or in no time zone."
        if (kind is MatchOpened) != (position == 1):
            return "A match is opened once, by its first event."
        if kind not in game.projection.apply and kind not in MATCH_APPLY:
            return f"{tag(event)!r} is not a fact of {game.title}."
        if not _is_plausible(envelope.actor, event, seats):
            return f"{envelope.actor!r} cannot be the one who did this."
        self.step, self._at, self._seated = envelope.step, envelope.at, kind is SeatTaken
        return ""


def _is_plausible(actor: Actor, event: Event, seats: int) -> bool:
    is_seat = isinstance(actor, int) and 1 <= actor <= seats
    if type(event) not in MATCH_APPLY:
        return actor == CHANCE or is_seat
    wanted = _ACTORS[type(event)](event)
    if isinstance(wanted, str):
        return actor == wanted
    return is_seat and wanted in (None, actor)


def check_chain(evidence: Evidence, findings: Findings) -> None:
    """Hold every hash to the bytes, and the last one to the head."""
    chain = evidence.chain
    if chain.sound is None and (broken := next((link for link in chain.links if not link.is_linked), None)) is not None:
        findings.fail("chain", broken.position, "Its hash does not follow from its bytes and the hash before it.")
    count, head = len(chain.hashes), chain.head.hex()
    if evidence.count > count:
        findings.fail("chain", count + 1, f"It is missing: {evidence.count} events are promised, {count} are here.")
    elif evidence.count < count:
        findings.fail("chain", max(1, evidence.count + 1), f"It lies beyond the head, which names {evidence.count}.")
    elif evidence.head and count and head != evidence.head:
        findings.fail("chain", count, "The hash after it is not the head that the source names.")
    if not evidence.head and not any(row.hash for row in chain.rows):
        findings.skip(["chain"], "the source carries no hashes")
    findings.passed("chain", f"{count} {'link' if count == 1 else 'links'} to head {head[:16]}…" if count else "")
