"""Points beside a move: written from the score lines, read tolerantly and compared with what the rules gave."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from events.core import Event, ScoreLine, Seat
from projections.scoresheet import running
from service.limits import read_number, shortened
from service.records.seats import find_seat, who

_NUMBER: Final = re.compile(r"[+\-−][0-9]++")
_TOTAL: Final = re.compile(r"=\s*+([+\-−]?[0-9]++)\Z")
_SHOWN: Final = 200
"""Characters of wrong points that a contradiction repeats."""


class Scored(NamedTuple):
    """A score line with the total it led to."""

    line: ScoreLine
    total: int


class Written(NamedTuple):
    """What a record says about one seat: points, each with what was owed and the rule, and the total after them."""

    seat: Seat
    points: list[tuple[int, int | None, str]]
    total: int | None


class Held(NamedTuple):
    """What was written about one seat, held against what the rules gave it."""

    written: Written
    covered: int
    """How many of the score lines it speaks of, counted from the first one given; all of them where it is wrong."""
    before: int
    """The total of the seat before the points it speaks of."""
    is_right: bool


def scored(events: Sequence[Event], scores: Sequence[int]) -> list[Scored]:
    """The score lines of these events, starting from these scores."""
    lines = (line for event in events for line in event.scores)
    return [Scored(line, total) for line, total in running(lines, dict(enumerate(scores, start=1)))]


def write_points(found: Sequence[Scored], names: Mapping[Seat, str]) -> str:
    """`1:Ann +2 AZ-46 =12, 2:Ben -1 of -2 AZ-50 =0`."""
    groups: list[list[Scored]] = []
    for entry in found:
        if groups and groups[-1][-1].line.seat == entry.line.seat:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return ", ".join(
        f"{who(group[0].line.seat, names)} {' '.join(_write_line(entry.line) for entry in group)} ={group[-1].total}"
        for group in groups
    )


def _write_line(line: ScoreLine) -> str:
    owed = f" of {line.requested:+d}" if line.requested != line.applied else ""
    return f"{line.applied:+d}{owed} {line.rule}"


def check_points(
    text: str, found: Sequence[Scored], scores: Sequence[int], names: Mapping[Seat, str], actor: Seat | None
) -> str:
    """What is wrong with points beside a step that began with these scores; empty when they are right so far."""
    try:
        wrong = next((held for held in hold(text, found, scores, names, actor) if not held.is_right), None)
    except ValueError as error:
        return f"{{{shortened(text, _SHOWN)}}} cannot be read as points: {error}"
    if wrong is None:
        return ""
    right = _right(wrong, found, names)
    return f"{{{shortened(text, _SHOWN)}}} is not what the rules give: {right}."


def hold(
    text: str, found: Sequence[Scored], scores: Sequence[int], names: Mapping[Seat, str], actor: Seat | None
) -> list[Held]:
    """Everything that written points say, seat by seat. Raises ValueError where they cannot be read as points."""
    left: dict[Seat, list[tuple[int, Scored]]] = {}
    for place, entry in enumerate(found, start=1):
        left.setdefault(entry.line.seat, []).append((place, entry))
    totals = dict(enumerate(scores, start=1))
    answers: list[Held] = []
    for claim in read_points(text, names, actor):
        lines, before = left.get(claim.seat, []), totals.get(claim.seat, 0)
        taken = _taken(claim, [entry for _, entry in lines])
        spoken = lines[:taken]
        right = spoken[-1][1].total if spoken else before
        is_known = bool(spoken) or claim.seat in totals
        if taken is None or (is_known and claim.total not in (None, right)):
            answers.append(Held(claim, len(found), before, is_right=False))
        else:
            answers.append(Held(claim, spoken[-1][0] if spoken else 0, before, is_right=True))
        left[claim.seat], totals[claim.seat] = lines[len(spoken) :], right
    return answers


def _taken(claim: Written, lines: Sequence[Scored]) -> int | None:
    """How many of the lines the claim speaks of; None when it speaks of others."""
    if not claim.points:
        return len(lines)
    listed = lines[: len(claim.points)]
    if len(listed) == len(claim.points) and all(
        points == line.applied and owed in (None, line.requested) and rule.upper() in ("", line.rule.upper())
        for (points, owed, rule), (line, _) in zip(claim.points, listed, strict=True)
    ):
        return len(listed)
    summed = sum(points for points, _, _ in claim.points)
    bare = all(owed is None and not rule for _, owed, rule in claim.points)
    return len(lines) if bare and summed == sum(line.applied for line, _ in lines) else None


def _right(wrong: Held, found: Sequence[Scored], names: Mapping[Seat, str]) -> str:
    seat = wrong.written.seat
    own = [entry for entry in found if entry.line.seat == seat]
    return write_points(own, names) if own else f"nothing for {who(seat, names)} here, ={wrong.before}"


def write_written(written: Sequence[Written], names: Mapping[Seat, str]) -> str:
    """What somebody wrote, in the form in which points are written: `1:Ann +2 =12, 2:Ben -1 of -2 AZ-50`."""
    groups = []
    for seat, points, total in written:
        words = [
            f"{worth:+d}{'' if owed is None else f' of {owed:+d}'} {rule}".rstrip() for worth, owed, rule in points
        ]
        groups.append(" ".join([who(seat, names), *words, *([] if total is None else [f"={total}"])]))
    return ", ".join(groups)


def read_points(text: str, names: Mapping[Seat, str], actor: Seat | None) -> Iterator[Written]:
    """What written points say, seat by seat. Raises ValueError where they cannot be read as points."""
    for group in re.sub(r"=\s+", "=", text).split(","):
        words = group.split()
        first = next((n for n, word in enumerate(words) if _NUMBER.fullmatch(word) or _TOTAL.match(word)), len(words))
        name = " ".join(words[:first])
        seat = find_seat(name, names) if name else actor
        if seat is None:
            raise ValueError(
                f"{name!r} is not a player of this match" if name else "it does not say whose points they are"
            )
        claim = Written(seat, [], None)
        rest = iter(words[first:])
        for word in rest:
            if _NUMBER.fullmatch(word):
                claim.points.append((_number(word), None, ""))
            elif total := _TOTAL.match(word):
                claim = claim._replace(total=_number(total[1]))
            elif word.lower() == "of" and claim.points:
                points, _, rule = claim.points[-1]
                claim.points[-1] = (points, _number(next(rest, "?")), rule)
            elif claim.points and not claim.points[-1][2]:
                points, owed, _ = claim.points[-1]
                claim.points[-1] = (points, owed, word)
            else:
                raise ValueError(f"expected +3, a rule or =12, but found {word!r}")
        yield claim


def _number(word: str) -> int:
    return read_number(word)
