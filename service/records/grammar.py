"""The lines of a text record, taken apart and put together without knowing any game (docs/notation.md, Records)."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any, Final

from msgspec import Struct

from service.limits import LINE_CHARACTERS, bounded, excess, quoted, read_number
from service.records.problems import BadRecord
from service.visible import visible_json

TRAILER: Final = ("count", "head", "signature", "statement")
"""Tags that follow the last step; every other tag there begins the next match."""
NONE: Final = "-"
"""The value of a tag of the roster that does not apply."""
SHOWN_HASH: Final = 4
"""Bytes of the chain hash that a step shows: enough to find the first changed step; the head is shown whole."""
_TEXT_WIDTH: Final = 40

# Every pattern is linear in the line it is held to: what may repeat gives nothing back (++ and *+), and a search begins
# at a mark of its own, never at blanks.
_QUOTED: Final = r'"(?:\\.|[^"\\])*+"'
_QUOTED_OR_NOT: Final = re.compile(r'"(?:\\.|[^"\\])*+("?)|[;&]')
_TAG: Final = re.compile(rf"\s*+\[((?:{_QUOTED}|[^\]\"])*+)\]")
_TAG_NAME: Final = re.compile(r"[A-Za-z][\w-]*+")
_TAG_NUMBER: Final = re.compile(r"[0-9]++")
_NUMBER: Final = re.compile(r"([0-9]{1,9})\s*+(x?)\s*+\.(?!\d)\s*+", re.IGNORECASE)
_HASH: Final = re.compile(r"#([0-9a-f]{4,64})\Z", re.IGNORECASE)
_TIME: Final = re.compile(r"(?:\A|(?<=\s))@([+\-−]\s*+[0-9]{1,12}(?:\.[0-9]{1,6})?|\d{4}[-.]\d\d[-.]\d\d[^\s@#]*+)\Z")
_RAW: Final = re.compile(r"!\s*+([0-9]{1,9})\s++(?:#([0-9a-f]*+)\s++)?(base64\s++)?(\S.*+)", re.IGNORECASE)
_FIELD: Final = re.compile(r"\s*+([^\W\d]\w*+)=\s*+")
_BREAKS: Final = re.compile(r"[\r\n]+")
_EVENT: Final = re.compile(r"(?:\S+\s+)?(?:dispute|match)\.[a-z_]+(\s|$)")


class Tag(Struct, frozen=True):
    """`[Name "value"]`, or `[Seat 1 "Ann"]` with a number."""

    line: int
    name: str
    value: str
    number: int = 0


class Part(Struct, frozen=True):
    """Something that happened within a step: a move, a deal, an undo, …, and the points written beside it."""

    text: str
    points: str = ""


class StepLine(Struct, frozen=True):
    """One step in words."""

    line: int
    parts: tuple[Part, ...]
    number: int = 0
    is_undone: bool = False
    time: str = ""
    hash: str = ""


class RawLine(Struct, frozen=True):
    """One event as it is stored, because words would not give the same bytes back."""

    line: int
    seq: int
    hash: str
    data: str
    is_base64: bool


class Comment(Struct, frozen=True):
    """A remark after a semicolon; `place` counts the lines of steps and raw events in front of it."""

    place: int
    text: str
    at_end: bool


class Sheet(Struct):
    """One match of a file, line by line."""

    line: int
    tags: list[Tag]
    lines: list[StepLine | RawLine]
    trailer: list[Tag]
    comments: list[Comment]

    def tag(self, name: str) -> Tag | None:
        """The last tag of that name."""
        return next((tag for tag in reversed(self.tags + self.trailer) if tag.name.lower() == name), None)

    def value(self, name: str) -> str:
        """What the tag says; empty where it is missing or does not apply."""
        tag = self.tag(name)
        return "" if tag is None or tag.value == NONE else tag.value


# ------------------------------------------------------------------------------------------------------------- reading


def read_sheets(text: str) -> Iterator[Sheet]:
    """The matches of a file, one after the other."""
    sheet = Sheet(1, [], [], [], [])
    for number, line in enumerate(StringIO(text.removeprefix("\ufeff"), newline=None), start=1):
        if len(line) > LINE_CHARACTERS:
            message = f"The line has {len(line):,} characters; {LINE_CHARACTERS:,} are the most that is read of one."
            raise BadRecord("record/line", number, message)
        if not (line := line.strip()):
            continue
        if line.startswith("!"):
            sheet.lines.append(_read_raw(number, line))
            continue
        content, comment = split_comment(line)
        if content.startswith("["):
            for tag in _read_tags(number, content):
                is_trailer = tag.name.lower() in TRAILER
                if (sheet.lines or sheet.trailer) and not is_trailer:
                    yield sheet
                    sheet = Sheet(number, [], [], [], [])
                (sheet.trailer if is_trailer else sheet.tags).append(tag)
        elif content:
            if sheet.trailer:
                raise BadRecord("record/after-end", number, f"{quoted(content)} comes after the end of the match.")
            sheet.lines.append(_read_step(number, content))
        if comment is not None:
            is_step = bool(content) and not content.startswith("[")
            sheet.comments.append(Comment(len(sheet.lines), comment, is_step))
    if sheet.tags or sheet.lines or sheet.trailer:
        yield sheet


def split_comment(line: str) -> tuple[str, str | None]:
    """The line in front of its semicolon, and what follows; a semicolon between quotes is none."""
    place = next(_outside_quotes(line, ";"), None)
    return (line, None) if place is None else (line[:place].strip(), line[place + 1 :].removeprefix(" "))


def _outside_quotes(text: str, mark: str) -> Iterator[int]:
    """Where the mark stands and no quotes are around it; quotes that are never closed are none."""
    position = 0
    for found in _QUOTED_OR_NOT.finditer(text):
        position = found.start()
        if found[0][0] == '"' and not found[1]:
            break  # and neither is any quote after it, because each of them was escaped
        if found[0] == mark:
            yield position
    else:
        return
    while (position := text.find(mark, position + 1)) >= 0:
        yield position


def _read_tags(line: int, content: str) -> Iterator[Tag]:
    position = 0
    while position < len(content):
        found = _TAG.match(content, position)
        inner = found[1].strip() if found else ""
        name = _TAG_NAME.match(inner)
        if not found or not name:
            what = quoted(content[position:])
            raise BadRecord("record/tag", line, f'{what} is not a tag; write [Name "value"].')
        rest = _after_sign(inner[name.end() :])
        number = _TAG_NUMBER.match(rest) if name[0].lower() in ("seat", "kind") else None
        try:
            if number:
                yield Tag(line, name[0], unquote(_after_sign(rest[number.end() :])), read_number(number[0]))
            else:
                yield Tag(line, name[0], unquote(rest))
        except ValueError as error:
            raise BadRecord("record/tag", line, f"[{name[0]}] cannot be read: {error}.") from error
        position = found.end()


def _after_sign(text: str) -> str:
    """What follows a colon or an equals sign, if there is one, and blanks."""
    text = text.lstrip()
    return text[1:].lstrip() if text[:1] in (":", "=") else text


def unquote(text: str) -> str:
    """The text between quotes, or the text itself where there are none. Raises ValueError for half a character."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    try:
        value = str(json.loads(text, strict=False))
    except ValueError:
        return text[1:-1]
    value.encode()
    return value


def _read_raw(line: int, content: str) -> RawLine:
    found = _RAW.fullmatch(content)
    if not found:
        raise BadRecord("record/raw", line, f"{quoted(content)} is not a raw event; write !SEQ #HASH JSON.")
    return RawLine(line, read_number(found[1]), (found[2] or "").lower(), found[4], bool(found[3]))


def _read_step(line: int, content: str) -> StepLine:
    time = hash_ = ""
    while True:
        if not hash_ and (found := _HASH.search(content)):
            hash_ = found[1].lower()
        elif not time and (found := _TIME.search(content)):
            time = found[1]
        else:
            break
        content = content[: found.start()].rstrip()
    number, is_undone = 0, False
    if found := _NUMBER.match(content):
        number, is_undone = read_number(found[1]), bool(found[2])
        if not number:
            raise BadRecord("record/step", line, f"{quoted(found[1] + '.')} is not a step; steps are counted from 1.")
        content = content[found.end() :]
    return StepLine(line, tuple(read_parts(content.strip())), number, is_undone, time, hash_)


def read_parts(content: str) -> Iterator[Part]:
    """What stands between the `&` of a line, each with the points that were written behind it."""
    start = 0
    for end in (*_outside_quotes(content, "&"), len(content)):
        text = content[start:end].strip()
        opening = text.rfind("{") if text.endswith("}") and not _EVENT.match(text) else -1
        if opening >= 0 and "}" not in text[opening:-1]:
            yield Part(text[:opening].strip(), text[opening + 1 : -1].strip())
        else:
            yield Part(text)
        start = end + 1


def read_fields(text: str) -> dict[str, Any]:
    """The values of `name=JSON name=JSON …`. Raises ValueError where that is not what stands there."""
    if too_much := excess(text.encode()):
        raise ValueError(too_much)
    values: dict[str, Any] = {}
    decoder = json.JSONDecoder()
    position = 0
    while found := _FIELD.match(text, position):
        values[found[1]], position = decoder.raw_decode(text, found.end())
    if rest := text[position:].strip():
        raise ValueError(f"expected name=value, but found {rest[:40]!r}")
    json.dumps(values, ensure_ascii=False).encode()  # half a character cannot be stored
    return values


def read_moment(text: str) -> datetime:
    """A date, with or without a time of day; UTC unless it says otherwise. Raises ValueError."""
    moment = datetime.fromisoformat(re.sub(r"^(\d{4})\.(\d\d)\.(\d\d)", r"\1-\2-\3", text.strip()))
    return bounded(moment)


def read_time(text: str, before: datetime | None) -> datetime:
    """When a step happened: a moment, or seconds since the step before. Raises ValueError."""
    if text[0] not in "+-−":
        return read_moment(text)
    if before is None:
        raise ValueError("the first step needs a date, not a number of seconds")
    seconds = Decimal("".join(text.replace("−", "-").split()))
    try:
        return bounded(before + timedelta(microseconds=int(seconds * 1_000_000)))
    except OverflowError as error:
        raise ValueError("that is beyond the calendar") from error


# ------------------------------------------------------------------------------------------------------------- writing


def write_tag(name: str, value: str, number: int = 0) -> str:
    """A tag on its line."""
    return f"[{name}{f' {number}' if number else ''} {quote(value)}]"


def quote(text: str) -> str:
    """The text between quotes, with whatever would break the line or the quotes, or could not be seen, escaped."""
    return visible_json(json.dumps(text, ensure_ascii=False))


def write_step(step: StepLine, who_width: int = 0, comment: str | None = None) -> str:
    """A step on its line; times and hashes stand below each other where the words leave room."""
    words = " & ".join(part.text + (f" {{{part.points}}}" if part.points else "") for part in step.parts)
    text = f"{step.number:>4}{'x.' if step.is_undone else '. '} {_aligned(words, who_width)}"
    marks = f" #{step.hash}" * bool(step.hash) + f" @{step.time}" * bool(step.time)
    line = f"{text:<{_TEXT_WIDTH}}{marks}" if marks else text
    return line if comment is None else f"{line} {write_comment(comment)}"


def _aligned(words: str, who_width: int) -> str:
    who, blank, rest = words.partition(" ")
    return f"{who:<{who_width}}{blank}{rest}" if ":" in who else words


def write_comment(text: str) -> str:
    """A comment as it stands at the end of a line, or alone."""
    # A line of a file cannot break; one that an older version took from elsewhere might.
    return "; " + _BREAKS.sub(" ", text).rstrip() if text.strip() else ";"


def write_fields(values: Mapping[str, Any]) -> str:
    """Values as `read_fields` reads them."""
    return " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for name, value in values.items()
    )


def write_moment(at: datetime) -> str:
    """A moment in UTC, with microseconds where there are some."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def write_time(at: datetime, before: datetime | None) -> str:
    """When a step happened: the moment for the first, then seconds since the step before, nothing where it is none."""
    if before is None:
        return write_moment(at)
    microseconds = (at - before) // timedelta(microseconds=1)
    if not microseconds:
        return ""
    whole, rest = divmod(abs(microseconds), 1_000_000)
    sign = "+" if microseconds > 0 else "-"
    return f"{sign}{whole}.{rest:06}".rstrip("0").rstrip(".")
