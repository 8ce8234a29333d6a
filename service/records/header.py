"""The head of a record: the fixed roster of tags, and the opening of a match made from it again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from events.core import Envelope, Event, Seat, Standing, type_field
from events.dispute import ResultFinalised
from events.match import MatchClosed, MatchOpened
from projections.core import Names
from service.errors import UsageError
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import by_ruleset, find_game
from service.play.evidence import Evidence
from service.records.grammar import NONE, Sheet, Tag, read_fields, read_moment, write_fields, write_moment, write_tag
from service.records.problems import BadRecord
from service.store.shapes import RemarkRow, Signature
from service.trust.statements import Signed, Statement

VERSION: Final = "1"
ROSTER: Final = (
    "matchledger", "match", "game", "ruleset", "options", "seats", "seat", "kind", "undo", "chance", "commitment",
    "forked", "terms", "started", "ended", "result", "ruled",
)  # fmt: skip
ONGOING: Final = "*"
ABANDONED: Final = "abandoned"

_IN_THE_ROSTER: Final = (
    type_field, "game", "ruleset", "seats", "options", "undo", "chance", "commitment", "parent",
)  # fmt: skip
"""Fields of the opening that have a tag of their own; all others stand among the terms."""
_PLACE: Final = re.compile(r"(?:\d+\s*[.)]\s*)?(.*?\S)\s*[:=]?\s*\b(-?\d+)(?:\s*\(.*\))?")


# ------------------------------------------------------------------------------------------------------------- writing


def write_header(evidence: Evidence, history: Sequence[Envelope]) -> Iterator[str]:
    """The roster in its order, then the tags that people added."""
    first = history[0].event if history else None
    opened = first if isinstance(first, MatchOpened) else None
    fields: dict[str, Any] = msgspec.to_builtins(opened) if opened else {}
    yield write_tag("Matchledger", VERSION)
    yield write_tag("Match", evidence.match)
    yield write_tag("Game", fields.get("game", NONE))
    yield write_tag("Ruleset", fields.get("ruleset", NONE))
    yield write_tag("Options", _words(fields.get("options", {})))
    yield write_tag("Seats", str(fields.get("seats", NONE)))
    seats = range(1, opened.seats + 1) if opened else sorted(evidence.names)
    for seat in seats:
        yield write_tag("Seat", evidence.names.get(seat, ""), seat)
    for seat, kind in sorted(evidence.kinds.items()):
        yield write_tag("Kind", kind, seat)
    yield write_tag("Undo", fields.get("undo", NONE))
    yield write_tag("Chance", fields.get("chance", NONE))
    yield write_tag("Commitment", fields.get("commitment", NONE))
    yield write_tag("Forked", _words(fields.get("parent") or {}))
    terms = {name: value for name, value in fields.items() if name not in _IN_THE_ROSTER}
    yield write_tag("Terms", write_fields(terms) or NONE)
    yield write_tag("Started", write_moment(history[0].at) if history else NONE)
    yield write_tag("Ended", _ended(history))
    yield write_tag("Result", result(history, evidence.names))
    yield write_tag("Ruled", ruled(history, evidence.names))
    for remark in evidence.annotations:
        if remark.kind == "tag":
            yield write_tag(remark.name, remark.text)


def _words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items()) or NONE


def _ended(history: Sequence[Envelope]) -> str:
    return next((write_moment(e.at) for e in history if isinstance(e.event, MatchClosed)), NONE)


def result(history: Sequence[Envelope], names: Mapping[Seat, str]) -> str:
    """The computed result in words: `1. Ann 54 (tie-break 2); 2. Ben 47`."""
    closed = _last(history, MatchClosed)
    if closed is None:
        return ONGOING
    return write_standings(closed.standings, names) or ABANDONED


def ruled(history: Sequence[Envelope], names: Mapping[Seat, str]) -> str:
    """The result that stands after every dispute, once it was declared final."""
    final = _last(history, ResultFinalised)
    return write_standings(final.standings, names) if final else NONE


def _last(history: Sequence[Envelope], kind: type[Any]) -> Any:
    found: Event | None = next((e.event for e in reversed(history) if isinstance(e.event, kind)), None)
    return found


def write_standings(standings: Sequence[Standing], names: Mapping[Seat, str]) -> str:
    """A result on one line, best first."""
    called = Names(names)
    return "; ".join(
        f"{place.rank}. {called[place.seat]} {place.score}"
        + (f" (tie-break {place.tiebreak})" if place.tiebreak else "")
        for place in standings
    )


# ------------------------------------------------------------------------------------------------------------- reading


def check_version(sheet: Sheet) -> None:
    """Refuse a record of a version this program does not know."""
    tag = sheet.tag("matchledger")
    if tag is not None and tag.value.strip() != VERSION:
        raise BadRecord(
            "record/version", tag.line, f"Records of version {tag.value!r} are not known here, only {VERSION!r}."
        )


def read_names(sheet: Sheet) -> dict[Seat, str]:
    """What the seats are called."""
    return {tag.number: tag.value for tag in sheet.tags if tag.name.lower() == "seat" and tag.number}


def read_kinds(sheet: Sheet) -> dict[Seat, str]:
    """Seats that are not a person."""
    return {tag.number: tag.value for tag in sheet.tags if tag.name.lower() == "kind" and tag.number}


def read_annotations(sheet: Sheet) -> list[RemarkRow]:
    """Tags that are not of the roster."""
    own = [tag for tag in sheet.tags if tag.name.lower() not in ROSTER]
    return [RemarkRow(0, "tag", tag.name, tag.value) for tag in own]


def read_game(sheet: Sheet) -> Game:
    """The game of the record, by its pinned rules where they are named."""
    ruleset, game = sheet.tag("ruleset"), sheet.tag("game")
    try:
        if ruleset is not None and ruleset.value != NONE:
            return by_ruleset(ruleset.value.strip().lower())
        if game is None:
            raise BadRecord("record/game", sheet.line, 'The record names no game; write [Game "azul"] in front.')
        return find_game(game.value.strip().lower().replace(" ", "-"))
    except UsageError as refusal:
        where = ruleset or game
        raise BadRecord(refusal.code, where.line if where else 0, refusal.message) from refusal


def read_opening(sheet: Sheet, game: Game) -> MatchOpened:
    """The opening exactly as the tags say it; for records of a ledger."""
    try:
        seats = _read_seats(sheet)
        values: dict[str, Any] = {
            type_field: "match.opened",
            "game": sheet.value("game").strip().lower() or game.key,
            "ruleset": game.rules.ruleset,
            "seats": seats,
            "options": _read_words(sheet.value("options")),
            "undo": sheet.value("undo").strip().lower() or "strict",
            "chance": sheet.value("chance").strip().lower(),
            "commitment": sheet.value("commitment").strip().lower(),
            **read_fields(sheet.value("terms")),
        }
        if forked := _read_words(sheet.value("forked")):
            values["parent"] = {**forked, "step": int(forked["step"]), "draws": int(forked["draws"])}
        return msgspec.convert(values, MatchOpened)
    except (ValueError, KeyError, msgspec.ValidationError) as error:
        raise BadRecord("record/opening", sheet.line, f"The tags do not open a match: {error}") from error


def read_table_opening(sheet: Sheet, game: Game) -> MatchOpened:
    """The opening of a match played at a real table: what is not said is as usual."""
    tag = sheet.tag("options") or sheet.tag("seats") or sheet.tag("game")
    try:
        seats = _read_seats(sheet)
        names = {option.name.lower(): option.name for option in game.rules.options}
        given = {
            names.get(name.lower(), name): value
            for name, value in _read_words(sheet.value("options").replace(",", " ")).items()
        }
        options = read_options(game.rules, given, seats)
    except UsageError as refusal:
        raise BadRecord(refusal.code, tag.line if tag else sheet.line, refusal.message) from refusal
    except ValueError as error:
        raise BadRecord("record/options", tag.line if tag else sheet.line, f"{error}") from error
    return MatchOpened(
        game=game.key, ruleset=game.rules.ruleset, seats=seats, options=options, undo="free", chance="recorded"
    )


def _read_seats(sheet: Sheet) -> int:
    tag = sheet.tag("seats")
    if tag is None:
        return max(read_names(sheet), default=0)
    if not tag.value.strip().isdigit():
        raise ValueError(f"{tag.value!r} is not a number of seats")
    return int(tag.value)


def _read_words(text: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in text.split()]
    for name, equals, _ in pairs:
        if not equals:
            raise ValueError(f"{name!r} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}


def read_started(sheet: Sheet) -> datetime | None:
    """When the match began, as far as the tags say."""
    tag = next((sheet.tag(name) for name in ("started", "date") if sheet.value(name)), None)
    if tag is None:
        return None
    try:
        return read_moment(tag.value)
    except ValueError as error:
        raise BadRecord("record/time", tag.line, f"{tag.value!r} is not a date; write 2026-01-31 19:30.") from error


def write_signature(signature: Signed) -> str:
    """A line of the trailer: what somebody signed about a head of this match."""
    name = "Statement" if isinstance(signature, Statement) else "Signature"
    fields = msgspec.structs.asdict(signature)
    del fields["match"]
    return write_tag(name, _words(fields))


def read_signatures(sheet: Sheet, match: str) -> list[Signed]:
    """The signatures and statements in the trailer."""
    kinds: dict[str, type[Signed]] = {"signature": Signature, "statement": Statement}
    signatures: list[Signed] = []
    for tag in sheet.trailer:
        if kind := kinds.get(tag.name.lower()):
            try:
                values: Signed = msgspec.convert({**_read_words(tag.value), "match": match}, kind, strict=False)
                signatures.append(values)
            except ValueError as error:
                wanted = " ".join(f"{name}=…" for name in kind.__struct_fields__ if name != "match")
                message = f"{tag.value[:60]!r} is not a {tag.name.lower()}; write {wanted}."
                raise BadRecord("record/signature", tag.line, message) from error
    return signatures


def check_result(tag: Tag, standings: Sequence[Standing], names: Mapping[Seat, str], right: str) -> str:
    """What is wrong with a written result; empty when nothing is. Read laxly: `Ann 54, Ben 47` will do."""
    if tag.value.strip() == right or not tag.value.strip():
        return ""
    seats = {Names(names)[place.seat].casefold(): place for place in standings}
    for written in re.split(r"[;,]", tag.value):
        found = _PLACE.fullmatch(written.strip())
        place = seats.get(found[1].strip().casefold()) if found else None
        if found is None or place is None or int(found[2]) != place.score:
            return f"[{tag.name} {tag.value!r}] is not what the match says: {right!r}."
    return ""
