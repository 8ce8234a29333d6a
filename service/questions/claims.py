"""Claims compared with the ledger: the first number and the first line that differ, and a mistake that explains it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from events.core import Seat
from projections.core import Projection
from projections.words import count, signed
from service.errors import UsageError
from service.play.history import History, ScoredPoint, points, rounds
from service.questions.paper import END, Paper, PaperRow
from service.records.written import WrittenTotals

Source = Literal["claim", "paper", "record"]
"""Where numbers come from: a claim, a score sheet on paper, or the record of the moves itself."""


class Cause(NamedTuple):
    """A mistake that would make the difference exactly."""

    words: str
    seq: int = 0
    """The event whose line is wrong; 0 when it is no single line."""
    points: int = 0
    """What that line is worth."""
    written: int = 0
    """What was written instead."""
    kind: int = 0
    """How far-fetched it is: of two that fit, the one of the lower kind is likelier."""
    line: str = ""
    """The reason of that line, which tells it from others of the same event."""


class ClaimedLine(Struct, frozen=True):
    """A score line among which the mistake must be."""

    seq: int
    rule: str
    reason: str
    applied: int


class Parting(Struct, frozen=True):
    """A place where paper and ledger differ for one seat."""

    seat: Seat
    round: int
    """The round the number was written for; 0 is the end of the game."""
    paper: int
    ledger: int
    difference: int
    """By how much paper and ledger have drifted apart since the last number that was written for this seat."""
    lines: list[ClaimedLine]
    """Every line of the seat since then."""
    causes: list[Cause]
    """Mistakes that fit exactly, the likeliest first; empty when no single one does."""
    event: int = 0
    """The event the number was written beside; 0 for one that was written for a round or the end."""


class Comparison(Struct, frozen=True):
    """Paper beside ledger."""

    findings: list[Parting]
    """The first round first; empty when they agree."""
    totals: dict[Seat, int]
    """What the ledger adds up to."""
    compared: int
    """How many written numbers were looked at."""
    source: Source = "paper"

    @property
    def agrees(self) -> bool:
        """Whether every written number is what the ledger says."""
        return not self.findings


class _Row(NamedTuple):
    """Numbers that were written at one place of the score sheet."""

    numbers: Mapping[Seat, int]
    until: int
    """How many score lines had been given by then."""
    first: int | None = None
    """For gains: how many score lines come before those they are about; None for running totals."""
    round: int = END
    event: int = 0


def compare_totals(history: History, totals: Mapping[Seat, int]) -> Comparison:
    """Claimed totals beside the ledger's."""
    everything = list(points(history))
    return _compare(history, everything, [_Row(totals, len(everything))], "claim")


def compare(history: History, paper: Paper) -> Comparison:
    """Paper scores, round by round, beside the ledger's."""
    everything = list(points(history))
    check_rounds(history, paper)
    rows = [
        _Row(row.numbers, until, _start(history, everything, row) if paper.is_gains else None, row.round)
        for row, until in _placed(paper, everything)
    ]
    return _compare(history, everything, rows, "paper")


def compare_written(history: History, written: Sequence[WrittenTotals]) -> Comparison:
    """What the table wrote beside its moves and as its result, beside the ledger's."""
    rows = [_Row(totals.numbers, totals.lines, event=totals.seq) for totals in written]
    return _compare(history, list(points(history)), rows, "record")


def _compare(history: History, everything: Sequence[ScoredPoint], rows: Sequence[_Row], source: Source) -> Comparison:
    findings: list[Parting] = []
    seats = range(1, history.opened.seats + 1)
    since: dict[Seat, int] = dict.fromkeys(seats, 0)
    written: dict[Seat, int] = dict.fromkeys(seats, 0)
    ledger: dict[Seat, int] = dict.fromkeys(seats, 0)
    compared = 0
    for row in rows:
        parted: dict[Seat, tuple[list[ScoredPoint], int]] = {}
        for seat, number in row.numbers.items():
            compared += 1
            first = since[seat] if row.first is None else row.first
            scope = [point for point in everything[first : row.until] if point.line.seat == seat]
            gained = number - written[seat] if row.first is None else number
            scored = sum(point.line.applied for point in scope)
            parted[seat] = scope, gained - scored
            since[seat], written[seat] = row.until, number
            ledger[seat] = ledger[seat] + scored if row.first is None else scored
        for seat, (scope, difference) in parted.items():
            if difference:
                findings.append(_parting(row, seat, scope, difference, ledger[seat]))
                findings[-1].causes.extend(_causes(history, findings[-1], scope, parted))
    totals = {seat: _sum(everything, seat) for seat in seats}
    return Comparison(findings, totals, compared, source)


def check_rounds(history: History, paper: Paper) -> None:
    """Refuse a paper with a round that was not played."""
    game, played = history.game, rounds(history)
    for row in paper.rows:
        if row.round > played:
            what = (
                f"the match has {count(played, 'round')}" if game.has_rounds else f"{game.title} has none, only `end`"
            )
            raise UsageError("paper/round", f"The paper has a round {row.round}; {what}.")


def _placed(paper: Paper, everything: Sequence[ScoredPoint]) -> list[tuple[PaperRow, int]]:
    """Each row of the paper with the number of score lines before its end."""
    has_end = any(row.round == END for row in paper.rows)
    last = max((point.sheet.round for point in everything), default=0)
    placed = []
    for row in paper.rows:
        # Without a row of its own, what the end of the game brings belongs to the last round.
        closes = row.round == END or (row.round >= last and not has_end)
        inside = [closes or (point.sheet.round <= row.round and not point.is_end) for point in everything]
        placed.append((row, sum(inside)))
    return placed


def _start(history: History, everything: Sequence[ScoredPoint], row: PaperRow) -> int:
    """How many score lines come before those a row of gains is about."""
    if row.round == END:
        # Without rounds there is no row before the last one, and it is about everything.
        return sum(not point.is_end for point in everything) if history.game.has_rounds else 0
    return sum(point.sheet.round < row.round for point in everything)


def _sum(scope: Sequence[ScoredPoint], seat: Seat) -> int:
    return sum(point.line.applied for point in scope if point.line.seat == seat)


def _parting(row: _Row, seat: Seat, scope: Sequence[ScoredPoint], difference: int, ledger: int) -> Parting:
    lines = [ClaimedLine(point.sheet.seq, point.sheet.rule, point.sheet.reason, point.sheet.applied) for point in scope]
    return Parting(seat, row.round, row.numbers[seat], ledger, difference, lines, [], row.event)


# -------------------------------------------------------------------------------------------------------------- causes


def _causes(
    history: History,
    finding: Parting,
    scope: Sequence[ScoredPoint],
    parted: Mapping[Seat, tuple[list[ScoredPoint], int]],
) -> list[Cause]:
    """Every mistake that makes the difference exactly, the likeliest kind first."""
    projection, difference = history.game.projection, finding.difference
    kinds = [
        _wrong_player(history, finding, scope, parted),
        _fitting(_game_slips(projection, scope), difference),
        _fitting(_line_slips(scope), difference),
        _group_slips(scope, difference),
        _digits(finding),
        _fitting(_odd_slips(scope), difference),
    ]
    unique: dict[tuple[int, str, str], Cause] = {}
    for kind, causes in enumerate(kinds):
        for cause in causes:
            unique.setdefault((cause.seq, cause.line, cause.words), cause._replace(kind=kind))
    return list(unique.values())


def _fitting(causes: Iterator[Cause], difference: int) -> Iterator[Cause]:
    return (cause for cause in causes if cause.written - cause.points == difference)


def _cause(words: str, point: ScoredPoint, written: int) -> Cause:
    return Cause(words, point.sheet.seq, point.line.applied, written, line=point.sheet.reason)


def _game_slips(projection: Projection, scope: Sequence[ScoredPoint]) -> Iterator[Cause]:
    for point in scope:
        slips = projection.slips.get(point.line.reason)
        for slip in slips(point.line, point.before) if slips else ():
            yield _cause(slip.cause, point, slip.points)
        if point.line.requested != point.line.applied:
            words = f"the loss was not stopped: {signed(point.line.requested)} was written"
            yield _cause(words, point, point.line.requested)


def _line_slips(scope: Sequence[ScoredPoint]) -> Iterator[Cause]:
    for point in scope:
        worth = point.line.applied
        yield _cause("the line was left out", point, 0)
        yield _cause("the line was counted twice", point, 2 * worth)
        if worth < 0:
            yield _cause("the loss was added instead of taken off", point, -worth)


def _odd_slips(scope: Sequence[ScoredPoint]) -> Iterator[Cause]:
    for number, point in enumerate(scope):
        if point.line.applied > 0:
            yield _cause("the points were taken off", point, -point.line.applied)
        for other, words in ((number - 1, "before"), (number + 1, "after")):
            if 0 <= other < len(scope):
                words = f"the points of the line {words} were written"
                yield _cause(words, point, scope[other].line.applied)


def _wrong_player(
    history: History,
    finding: Parting,
    scope: Sequence[ScoredPoint],
    parted: Mapping[Seat, tuple[list[ScoredPoint], int]],
) -> Iterator[Cause]:
    """A line written under another name: one seat has exactly what another one lacks."""
    names, seat, difference = history.names, finding.seat, finding.difference
    for other, (theirs, gap) in parted.items():
        if gap != -difference:
            continue
        for point in scope:
            if point.line.applied == gap:
                yield _cause(f"the line was written to {names[other]} instead", point, 0)
        for point in theirs:
            if point.line.applied == difference:
                yield _cause(f"{names[other]}'s line was written to {names[seat]}", point, difference)


def _group_slips(scope: Sequence[ScoredPoint], difference: int) -> Iterator[Cause]:
    """Several lines of one kind forgotten together."""
    ends = [point for point in scope if point.is_end]
    groups = [(ends, "nothing of what the end of the game brings was added")]
    if not any(point.is_end for point in scope):
        groups.append((list(scope), "nothing at all was added"))
    kinds = Counter(point.line.reason for point in scope)
    groups += [
        (
            [point for point in scope if point.line.reason == reason],
            f"all {times} lines for “{_kind(reason)}” are missing",
        )
        for reason, times in kinds.items()
    ]
    for group, words in groups:
        worth = sum(point.line.applied for point in group)
        if len(group) > 1 and -worth == difference:
            yield Cause(f"{words} ({signed(worth)})", 0, worth, 0)


def _kind(reason: str) -> str:
    return reason.replace("-", " ")


def _digits(finding: Parting) -> Iterator[Cause]:
    paper, ledger = str(finding.paper), str(finding.ledger)
    if len(paper) == 2 and paper == ledger[::-1]:
        yield Cause(f"the digits of {ledger} were swapped", 0, finding.ledger, finding.paper)
