"""What only somebody needs who checks the record itself: what was agreed, everything that happened, the rules cited."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from projections.disputes import Docket
from projections.story import sentence
from projections.timeline import undone_steps
from projections.words import count
from service.play.evidence import Evidence
from service.play.history import History
from service.questions.rulebook import plain, rule_text
from service.shell.web.views.attempts import BROKEN


class RecordFacts(NamedTuple):
    """Where a record comes from, what was agreed, how long it took."""

    source: str
    ruleset: str
    options: Mapping[str, str]
    agreed: str
    first: datetime
    last: datetime
    events: int
    head: str


class LogRow(NamedTuple):
    """An event in a sentence."""

    seq: int
    step: int
    at: datetime
    words: str
    """Empty where it cannot be told."""
    is_undone: bool


class CitedRule(NamedTuple):
    """A rule that the record names."""

    id: str
    words: str
    figure: str


def record_facts(history: History, evidence: Evidence, docket: Docket) -> RecordFacts:
    """The facts about a record."""
    opened, envelopes = history.opened, history.envelopes
    limits = [(docket.opened.dispute_within, "to dispute"), (docket.opened.appeal_within, "to appeal")]
    within = "".join(f", {count(minutes, 'minute')} {what}" for minutes, what in limits if minutes)
    return RecordFacts(
        evidence.source,
        opened.ruleset,
        opened.options,
        f"{opened.undo} undo, {opened.chance} chance{within}",
        envelopes[0].at,
        envelopes[-1].at,
        len(envelopes),
        evidence.head or "unknown",
    )


def log_rows(history: History) -> list[LogRow]:
    """Everything that happened."""
    undone = undone_steps(history.envelopes)
    rows = []
    for envelope in history.envelopes:
        try:
            words = sentence(history.game.projection, envelope.event, history.names)
        except BROKEN:
            words = ""
        rows.append(LogRow(envelope.seq, envelope.step, envelope.at, words, envelope.step in undone))
    return rows


def cited_rules(history: History) -> Sequence[CitedRule]:
    """Every rule that made points or that a ruling rests on, in the order of their numbers."""
    cited = {line.rule for envelope in history.envelopes for line in envelope.event.scores}
    cited.update(rule for envelope in history.envelopes for rule in envelope.event.rules)
    found = []
    for rule in sorted(cited, key=_by_number):
        words, _, figure = plain(rule_text(rule)).partition("\n\n")
        found.append(CitedRule(rule, words, figure))
    return found


def _by_number(rule: str) -> tuple[str, int]:
    letters = rule.rstrip("0123456789")
    return letters, int(rule[len(letters) :] or 0)
