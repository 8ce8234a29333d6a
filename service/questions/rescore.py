"""Rescoring: stored matches decided again under another ruleset, and what that would change. Changes nothing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from events.core import CHANCE, Actor, Envelope, Event, ScoreLine, Seat, Standing
from events.match import SeatResigned
from projections.core import State
from projections.scoresheet import wording
from projections.story import sentence
from projections.timeline import effective, is_play
from service.errors import IllegalAction, Refused, UsageError
from service.games.core import Action
from service.games.game import Game
from service.games.shelf import by_ruleset
from service.play.history import History
from service.play.matches import resigned_standings


class RescoredDecision(NamedTuple):
    """Something somebody chose, or chance drew, and the events it led to."""

    actor: Actor
    action: Action
    envelopes: list[Envelope]
    """Its events as they are stored, at least one."""

    @property
    def events(self) -> list[Event]:
        """What happened."""
        return [envelope.event for envelope in self.envelopes]


class LineDifference(Struct, frozen=True):
    """A score line that is not the same under both rulesets."""

    seq: int
    """The stored event it comes from."""
    seat: Seat
    reason: str
    was: ScoreLine | None
    """None when only the other ruleset scores it."""
    would_be: ScoreLine | None
    """None when the other ruleset does not score it."""


class EarlierEnd(Struct, frozen=True):
    """Where the game would have been over under the other ruleset, while the stored match went on."""

    seq: int
    """The last stored event of the move that would have ended it."""
    round: int
    sentence: str
    """The end in words, as the other ruleset decides it."""


class Rescored(Struct, frozen=True):
    """A match under its own and under another ruleset."""

    match: str
    ruleset: str
    lines: list[LineDifference]
    scores: list[int]
    """As stored, by seat."""
    scores_would_be: list[int]
    standings: Sequence[Standing]
    standings_would_be: Sequence[Standing]
    stopped: str = ""
    """Why the match could not be played to its end under the other ruleset; empty if it could."""
    earlier_end: EarlierEnd | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the match has a result, and under the other ruleset would have to be played on for one."""
        return bool(self.standings) and not self.standings_would_be and not self.stopped

    @property
    def is_changed(self) -> bool:
        """Whether the other ruleset makes any difference."""
        has_same_result = list(self.standings) == list(self.standings_would_be)
        return bool(self.lines or self.stopped or self.earlier_end) or not has_same_result

    @property
    def is_other_result(self) -> bool:
        """Whether anybody would have another place."""
        return _places(self.standings) != _places(self.standings_would_be)


def rescore(history: History, ruleset: str) -> Rescored:
    """The match decided again, choice by choice and draw by draw, under another ruleset of its game."""
    other = by_ruleset(ruleset)
    if other.key != history.game.key:
        raise UsageError(
            "rescore/game", f"{ruleset!r} is a ruleset of {other.key}; match {history.id} is {history.game.key}."
        )
    opened, projection = history.opened, history.game.projection
    state = other.projection.initial(opened.seats, opened.options)
    own = projection.initial(opened.seats, opened.options)
    lines: list[LineDifference] = []
    stopped, earlier_end = "", None
    played = list(decisions(history))
    for number, decision in enumerate(played):
        try:
            events = other.rules.decide(state, decision.actor, decision.action)
        except IllegalAction as refusal:
            where = f"event {decision.envelopes[0].seq}"
            stopped = f"{where} would not be legal ({refusal.code}, {refusal.rule}): {refusal.message}"
            break
        for event in decision.events:
            projection.apply[type(event)](own, event)
        for event in events:
            other.projection.apply[type(event)](state, event)
        stored, last = decision.envelopes, decision.envelopes[-1].seq
        if other.projection.standings(state) and not projection.standings(own):
            told = sentence(other.projection, events[-1], history.names)
            earlier_end = EarlierEnd(last, _round(played[: number + 1]), told)
            # All that was stored afterwards stands against this end: a bonus that came later is the same line.
            rest = [envelope for later in played[number + 1 :] for envelope in later.envelopes]
            for envelope in rest:
                projection.apply[type(envelope.event)](own, envelope.event)
            lines += _differences(history.game, [*stored, *rest], last, events)
            break
        lines += _differences(history.game, stored, last, events)
    return Rescored(
        match=history.id,
        ruleset=ruleset,
        lines=lines,
        scores=list(projection.scores(own)),
        scores_would_be=list(other.projection.scores(state)),
        standings=_result(history, history.game, own),
        standings_would_be=_result(history, other, state),
        stopped=stopped,
        earlier_end=earlier_end,
    )


def _round(played: Sequence[RescoredDecision]) -> int:
    return max((event.round for decision in played for event in decision.events), default=0)


def decisions(history: History) -> Iterator[RescoredDecision]:
    """What was chosen and drawn along the steps in effect, recalled from the events it led to."""
    game = history.game
    projection = game.projection
    state = projection.initial(history.opened.seats, history.opened.options)
    play = [e for e in effective(history.envelopes) if is_play(e) and isinstance(e, Envelope)]
    position = 0
    while position < len(play):
        first = play[position]
        action = _recalled(game, state, first, [envelope.event for envelope in play[position:]])
        expected = game.rules.decide(state, first.actor, action)
        decision = RescoredDecision(first.actor, action, play[position : position + len(expected)])
        if decision.events != expected:
            raise Refused(
                "rescore/unsound",
                f"Match {history.id}: event {first.seq} is not what its own rules {game.rules.ruleset} lead to;"
                " audit it first.",
            )
        yield decision
        for event in expected:
            projection.apply[type(event)](state, event)
        position += len(expected)


def _recalled(game: Game, state: State, first: Envelope, events: Sequence[Event]) -> Action:
    try:
        if first.actor == CHANCE:
            return game.notation.recall_outcome(first.event)
        return game.notation.recall(state, events)
    except TypeError as error:
        raise Refused("rescore/unsound", f"Event {first.seq} follows from nothing {first.actor!r} can do.") from error


def _differences(
    game: Game, stored: Sequence[Envelope], last: int, events: Sequence[Event]
) -> Iterator[LineDifference]:
    """Score lines matched by seat, reason and operands; what has no partner stands alone, a new one at event `last`."""
    was = _lines((envelope.seq, envelope.event) for envelope in stored)
    would_be = _lines((last, event) for event in events)
    for key in dict.fromkeys([*was, *would_be]):
        old, new = was.get(key), would_be.get(key)
        if old is None or new is None or old[1] != new[1]:
            known = old or new
            assert known is not None
            seq, line, event = known
            yield LineDifference(
                seq,
                line.seat,
                wording(game.projection, event, line),
                old[1] if old else None,
                new[1] if new else None,
            )


def _lines(events: Iterable[tuple[int, Event]]) -> dict[tuple[object, ...], tuple[int, ScoreLine, Event]]:
    """Every score line with the event that carries it and the number of that event."""
    found: dict[tuple[object, ...], tuple[int, ScoreLine, Event]] = {}
    for seq, event in events:
        for line in event.scores:
            key = (line.seat, line.reason, *sorted(line.operands.items()))
            times = sum(known[:-1] == key for known in found)
            found[(*key, times)] = (seq, line, event)
    return found


def _result(history: History, game: Game, state: State) -> Sequence[Standing]:
    standings = tuple(game.projection.standings(state))
    resigned = next((e.event.seat for e in history.envelopes if isinstance(e.event, SeatResigned)), None)
    if resigned is None or standings:  # nobody could have resigned once the game was over
        return standings
    return resigned_standings(game.rules.rank(state), resigned)


def _places(standings: Sequence[Standing]) -> dict[Seat, int]:
    return {place.seat: place.rank for place in standings}
