"""Records for programs: one JSON object a line, the stored bytes of every event verbatim."""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, Final

import msgspec

from events.chain import Row
from events.match import MatchOpened
from service.limits import EVENTS, LINE_CHARACTERS, excess, quoted
from service.play.evidence import Evidence
from service.play.players import PREFIX as BOT
from service.records.header import check_remarks
from service.records.problems import BadRecord
from service.store.shapes import PERSON, RemarkRow, Signature
from service.trust.statements import Statement
from service.visible import visible_json

VERSION: Final = 1


class _Header(msgspec.Struct, frozen=True):
    """The first line of a match."""

    matchledger: int
    match: str
    game: str = ""
    ruleset: str = ""
    seats: Mapping[int, str] = msgspec.field(default_factory=dict)
    kinds: Mapping[int, str] = msgspec.field(default_factory=dict)
    annotations: tuple[RemarkRow, ...] = ()


class _Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event: its chain hash and its envelope, or its bytes in base64 where they are no JSON on one line to read."""

    hash: str
    envelope: msgspec.Raw = msgspec.Raw(b"")
    bytes: str = ""
    seq: int = 0
    """Said only where it is not the place in the file."""


class _Trailer(msgspec.Struct, frozen=True):
    """The last line of a match."""

    count: int
    head: str
    signatures: tuple[Signature, ...] = ()
    statements: tuple[Statement, ...] = ()


def write_jsonl(evidence: Evidence) -> bytes:
    """Header, one line per event, trailer. Reading it back gives the same evidence, byte for byte."""
    opened = evidence.chain.opened
    seats = {str(seat): name for seat, name in sorted(evidence.names.items())}
    header: dict[str, Any] = {"matchledger": VERSION, "match": evidence.match}
    header |= {"game": opened.game, "ruleset": opened.ruleset} if opened else {}
    header |= {"seats": seats}
    if evidence.kinds:
        header["kinds"] = {str(seat): kind for seat, kind in sorted(evidence.kinds.items())}
    if evidence.annotations:
        header["annotations"] = list(evidence.annotations)
    lines = [_encoded(header)]
    for position, row in enumerate(evidence.rows, start=1):
        data, hash_ = (value if isinstance(value, bytes) else str(value).encode() for value in (row.data, row.hash))
        place = b'"seq":%d,' % row.seq if row.seq != position else b""
        content = b'"envelope":' + data if _is_one_line(data) else b'"bytes":"%s"' % b64encode(data)
        lines.append(b'{"hash":"%s",%s%s}' % (hash_.hex().encode(), place, content))
    bare = [signature for signature in evidence.signatures if isinstance(signature, Signature)]
    statements = [signature for signature in evidence.signatures if isinstance(signature, Statement)]
    trailer: dict[str, Any] = {"count": evidence.count, "head": evidence.head, "signatures": bare}
    if statements:
        trailer["statements"] = statements
    lines.append(_encoded(trailer))
    return b"\n".join(lines) + b"\n"


def _encoded(value: object) -> bytes:
    """A value as JSON in which every character can be seen."""
    return visible_json(msgspec.json.encode(value).decode()).encode()


def _is_one_line(data: bytes) -> bool:
    """Whether these bytes can stand in a line of JSON, be seen there, and be found again exactly."""
    try:
        if excess(data) or b"\n" in data or b"\r" in data:
            return False
        text = data.decode()
        return text == text.strip() == visible_json(text) and bytes(msgspec.json.decode(data, type=msgspec.Raw)) == data
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def read_jsonl(data: bytes, source: str) -> Iterator[Evidence]:
    """The matches of a file. Raises BadRecord naming the first line that cannot be read."""
    match: _Match | None = None
    for number, line in enumerate(BytesIO(data), start=1):
        line = line.removesuffix(b"\n")
        if not line.strip():
            continue
        if len(line) > LINE_CHARACTERS:
            message = f"The line has {len(line):,} bytes; {LINE_CHARACTERS:,} are the most that is read of one."
            raise BadRecord("record/line", number, message)
        if why := excess(line):
            raise BadRecord("record/json", number, f"{_shown(line)} cannot be read: {why}.")
        keys = _read(line, dict[str, msgspec.Raw], number)
        if "matchledger" in keys:
            if match is not None:
                yield match.evidence(source, None)
            header = _read(line, _Header, number)
            if header.matchledger != VERSION:
                message = f"Records of version {header.matchledger} are not known here, only {VERSION}."
                raise BadRecord("record/version", number, message)
            check_remarks(header.annotations, number)
            match = _Match(header, number)
        elif match is None:
            raise BadRecord("record/header", number, 'The first line is not a header {"matchledger":1,"match":…}.')
        elif "count" in keys:
            yield match.evidence(source, _read(line, _Trailer, number))
            match = None
        else:
            match.add(_read(line, _Event, number), number)
    if match is not None:
        yield match.evidence(source, None)


def _read(line: bytes, kind: Any, number: int) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord("record/json", number, f"{_shown(line)} cannot be read: {error}.") from error


def _shown(line: bytes) -> str:
    return repr(line[:60].decode(errors="replace"))


class _Match:
    """The match being read."""

    def __init__(self, header: _Header, line: int) -> None:
        self.header = header
        self.line = line
        self.rows: list[Row] = []
        self.lines: dict[int, int] = {}

    def add(self, event: _Event, line: int) -> None:
        if len(self.rows) >= EVENTS:
            raise BadRecord("record/events", line, f"A match of more than {EVENTS:,} events is not read.")
        try:
            data = b64decode(event.bytes, validate=True) if event.bytes else bytes(event.envelope)
            self.rows.append(Row(event.seq or len(self.rows) + 1, data, bytes.fromhex(event.hash)))
        except (NotBase64, ValueError) as error:
            raise BadRecord("record/json", line, f"A hash or base64 on it cannot be read: {error}.") from error
        self.lines[len(self.rows)] = line

    def evidence(self, source: str, trailer: _Trailer | None) -> Evidence:
        last = self.lines.get(len(self.rows), 0)
        evidence = Evidence(
            source=source,
            match=self.header.match,
            rows=self.rows,
            count=trailer.count if trailer else len(self.rows),
            head=trailer.head if trailer else "",
            names=self.header.seats,
            signatures=(*trailer.signatures, *trailer.statements) if trailer else (),
            lines=self.lines,
            remarks=() if trailer else (f"line {last}: the match ends here without its count and head.",),
            is_whole=trailer is not None,
            kinds=self.header.kinds,
            annotations=self.header.annotations,
        )
        if opened := evidence.chain.opened:
            wrong = [f"line {self.line}: {why}" for why in self._contradictions(opened)]
            evidence = msgspec.structs.replace(evidence, remarks=[*wrong, *evidence.remarks])
        return evidence

    def _contradictions(self, opened: MatchOpened) -> Iterator[str]:
        """What the header says and the opening does not."""
        for name, said, right in (
            ("game", self.header.game, opened.game),
            ("ruleset", self.header.ruleset, opened.ruleset),
        ):
            if said not in ("", right):
                yield f"the header says {name} {quoted(said)}, the match was opened with {quoted(right)}."
        for what, seats in (("seats", self.header.seats), ("kinds", self.header.kinds)):
            for seat in seats:
                if not 1 <= seat <= opened.seats:
                    yield f"the header names seat {seat} among its {what}, the match has seats 1–{opened.seats}."
        for seat, kind in self.header.kinds.items():
            if kind != PERSON and not kind.startswith(BOT):
                yield f"the header says seat {seat} is {quoted(kind)}, which is neither {PERSON!r} nor {BOT}NAME."
