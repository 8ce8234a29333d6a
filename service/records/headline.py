"""The check of a record's tags: in a record that a ledger vouches for, they say exactly what the events say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from events.core import Envelope, Seat
from events.match import MatchClosed
from service.limits import quoted, read_number
from service.play.evidence import Evidence
from service.records.grammar import NONE, Part, Sheet, StepLine, Tag, read_sheets
from service.records.header import ROSTER, check_result, write_header
from service.records.seats import label, named, who

_NOT_IN_EVENTS: Final = ("matchledger", "match", "seat", "kind")
"""Tags of the roster that say what no event does."""
_ALWAYS: Final = ("started", "ended", "result", "ruled")
_POINTS_OF: Final = re.compile(r"(?:\A|,)\s*+([0-9]{1,9}):(\S*+)")


def is_vouched_for(sheet: Sheet) -> bool:
    """Whether a record claims to be as a ledger wrote it: it carries the head, or a signature over it."""
    return bool(sheet.value("head") or sheet.tag("signature"))


def headline_contradictions(sheet: Sheet, evidence: Evidence, history: Sequence[Envelope]) -> Iterator[str]:
    """Every tag about the match that says something else than its events.

    What a ledger vouches for must agree to the letter. A record that people wrote or shortened is read tolerantly:
    there `Ann 54, Ben 47` is as good a result as any.
    """
    is_strict = is_vouched_for(sheet)
    written = next(read_sheets("\n".join(write_header(evidence, history))))
    # Where the opening stands in words it was made from these tags; as a raw event, nobody has looked at them yet.
    is_opened_raw = bool(sheet.lines) and not isinstance(sheet.lines[0], StepLine)
    held = [name for name in ROSTER if name in _ALWAYS or (is_strict and is_opened_raw and name not in _NOT_IN_EVENTS)]
    seen: set[tuple[str, int]] = set()
    for tag in sheet.tags:
        name = tag.name.lower()
        right = written.tag(name)
        wrong = _contradiction(tag, right.value if right else NONE, evidence, is_strict) if name in held else ""
        if is_strict and name in ROSTER:
            wrong = wrong or _out_of_place(tag, seen, evidence)
            seen.add((name, tag.number))
        if wrong:
            yield f"line {tag.line}: {wrong}"


def _contradiction(tag: Tag, right: str, evidence: Evidence, is_strict: bool) -> str:
    if tag.value.strip() == right:
        return ""
    if not is_strict and tag.name.lower() in ("result", "ruled"):
        links = reversed(evidence.chain.links)
        closed = next((e.event for link in links if (e := link.envelope) and isinstance(e.event, MatchClosed)), None)
        standings = closed.standings if closed and tag.name.lower() == "result" else ()
        return check_result(tag, standings, evidence.names, right)
    return f"[{tag.name} {quoted(tag.value)}] is not what the match says: {right}."


def _out_of_place(tag: Tag, seen: set[tuple[str, int]], evidence: Evidence) -> str:
    """Why a tag should not be there at all: it stands twice, and people read the first, or it names nobody's seat."""
    name, opened = tag.name.lower(), evidence.chain.opened
    shown = f"[{tag.name}{f' {tag.number}' if tag.number else ''}]"
    if (name, tag.number) in seen:
        return f"{shown} is there twice."
    if opened is not None and name in ("seat", "kind") and not 1 <= tag.number <= opened.seats:
        return f"{shown} is about a seat that is not there: the match has seats 1–{opened.seats}."
    return ""


def misnamed(part: Part, names: Mapping[Seat, str]) -> Iterator[str]:
    """Where a part names somebody else than the one whose seat it is: `2:Ann` where Ben has seat 2.

    Somebody who asked to be forgotten has no name in the tags, and so none that could be contradicted.
    """
    people = [found] if (found := named(part.text)) else []
    people += [(read_number(of[1]), of[2]) for of in _POINTS_OF.finditer(part.points) if of[2]]
    for seat, name in people:
        if names.get(seat) and name != label(names[seat]):
            yield f"{quoted(f'{seat}:{name}')} is not the player of that seat: {quoted(who(seat, names))}."
