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
from service.limits import (
    FIRST_YEAR,
    LAST_YEAR,
    NAME_CHARACTERS,
    NUMBER,
    REMARK_CHARACTERS,
    REMARKS,
    SEATS,
    quoted,
    read_number,
)
from service.play.evidence import Evidence
from service.records.grammar import (
    NONE,
    TRAILER,
    Sheet,
    Tag,
    read_fields,
    read_moment,
    write_fields,
    write_moment,
    write_tag,
)
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
_OWN_TAG: Final = re.compile(r"[A-Za-z][\w-]{0,63}")
_BETWEEN_OPTIONS: Final = re.compile(r"(?<![,\s])[,\s]++(?=\w++=|\Z)")
"""A comma inside a value, such as that of `removedColours`, is none of these."""
_RANK: Final = re.compile(r"[0-9]{1,9}\s*+[.)]\s*+")
_SCORE: Final = re.compile(r"[0-9]{1,9}\Z")


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
    seats = range(1, opened.seats + 1) if opened and 0 < opened.seats <= SEATS else sorted(evidence.names)
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
    names = {tag.number: tag.value for tag in sheet.tags if tag.name.lower() == "seat" and tag.number}
    for tag in sheet.tags:
        if tag.name.lower() in ("seat", "kind"):
            check_name(tag.number, tag.value, tag.line)
    return names


def check_name(seat: Seat, text: str, line: int) -> None:
    """Refuse a seat no table has, and a name or a kind of player that is too long to be one."""
    if seat > SEATS or seat < 0:
        raise BadRecord("record/seats", line, f"Seat {seat} is at no table; no table has more than {SEATS}.")
    if len(text) > NAME_CHARACTERS:
        message = f"{quoted(text)} is too long; {NAME_CHARACTERS} characters are the most."
        raise BadRecord("record/name", line, message)


def read_kinds(sheet: Sheet) -> dict[Seat, str]:
    """Seats that are not a person."""
    return {tag.number: tag.value for tag in sheet.tags if tag.name.lower() == "kind" and tag.number}


def read_annotations(sheet: Sheet) -> list[RemarkRow]:
    """Tags that are not of the roster."""
    own = [tag for tag in sheet.tags if is_own(tag.name)]
    return [RemarkRow(0, "tag", tag.name, tag.value) for tag in own]


def is_own(tag: str) -> bool:
    """Whether a tag belongs to the people who wrote a record, and says nothing about the match itself."""
    return tag.lower() not in (*ROSTER, *TRAILER)


def check_remarks(remarks: Sequence[RemarkRow], line: int) -> None:
    """Refuse tags and comments that are too many, or that a text record could not hold as what they are."""
    size = sum(len(remark.name) + len(remark.text) for remark in remarks)
    if len(remarks) > REMARKS or size > REMARK_CHARACTERS:
        message = (
            f"{len(remarks):,} tags and comments with {size:,} characters are too many; {REMARKS:,} with"
            f" {REMARK_CHARACTERS:,} are the most."
        )
        raise BadRecord("record/remarks", line, message)
    for remark in remarks:
        is_tag = remark.kind == "tag"
        is_sound = (_OWN_TAG.fullmatch(remark.name) and is_own(remark.name)) if is_tag else not remark.name
        is_known = is_tag or (remark.kind in ("line", "end") and not set("\r\n") & set(remark.text))
        if not is_sound or not is_known or not 0 <= remark.step <= NUMBER:
            what = quoted(remark.name or remark.text)
            raise BadRecord(
                "record/remarks", line, f"{what} ({quoted(remark.kind)}) is not a tag or comment of a record."
            )


def read_game(sheet: Sheet) -> Game:
    """The game of the record, by its pinned rules where they are named."""
    ruleset, game = sheet.tag("ruleset"), sheet.tag("game")
    try:
        if ruleset is not None and ruleset.value != NONE:
            return by_ruleset(ruleset.value.strip().lower())
        if game is None:
            raise BadRecord("record/game", sheet.line, 'The record names no game; write [Game "azul"] in front.')
        return find_game(game.value)
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
            values["parent"] = {**forked, "step": read_number(forked["step"]), "draws": read_number(forked["draws"])}
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
            for name, value in _read_words(_BETWEEN_OPTIONS.sub(" ", sheet.value("options"))).items()
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
    try:
        seats = read_number(tag.value.strip())
    except ValueError as error:
        raise ValueError(f"{quoted(tag.value)} is not a number of seats") from error
    if not 0 < seats <= SEATS:
        raise ValueError(f"{seats} is not a number of seats; no table has more than {SEATS}")
    return seats


def _read_words(text: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in text.split()]
    for name, equals, _ in pairs:
        if not equals:
            raise ValueError(f"{quoted(name)} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}


def read_started(sheet: Sheet) -> datetime | None:
    """When the match began, as far as the tags say."""
    tag = next((sheet.tag(name) for name in ("started", "date") if sheet.value(name)), None)
    if tag is None:
        return None
    try:
        return read_moment(tag.value)
    except ValueError as error:
        message = f"{quoted(tag.value)} is not a date between {FIRST_YEAR} and {LAST_YEAR}; write 2026-01-31 19:30."
        raise BadRecord("record/time", tag.line, message) from error


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
    for name, score in read_places(tag.value):
        place = seats.get(name.casefold())
        if place is None or score != place.score:
            return f"[{tag.name} {quoted(tag.value)}] is not what the match says: {right!r}."
    return ""


def read_places(text: str) -> list[tuple[str, int | None]]:
    """Everybody a written result names, with their points; None where it gives none."""
    return [_read_place(written.strip()) for written in re.split(r"[;,]", text)]


def _read_place(text: str) -> tuple[str, int | None]:
    """Who and how many points in `1. Ann 54 (tie-break 2)`, of which only the name and the points are needed."""
    if text.endswith(")"):
        text = text[: max(text.rfind("("), 0)].rstrip()
    score = _SCORE.search(text)
    if score is None:
        return text, None
    name = text[: score.start()].rstrip()
    is_negative = name.endswith(("-", "−"))
    name = name[:-1].rstrip() if is_negative else name
    name = name[:-1].rstrip() if name.endswith((":", "=")) else name
    if rank := _RANK.match(name):
        name = name[rank.end() :]
    return name, -read_number(score[0]) if is_negative else read_number(score[0])
