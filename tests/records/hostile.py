"""Files somebody made to do harm, each by a name: what is asked of every reader is a result or a refusal."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIGNED = f"count=111 head={'0' * 64} key={'0' * 64} signature={'0' * 128}"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
HASHED = (EXAMPLES / "azul.mlr").read_text()
TEXT = re.sub(r" #[0-9a-f]{8}", "", HASHED).split('[Head "')[0] + f'[Signature "{SIGNED}"]\n'
"""Without its hashes, so that what was changed is judged by what it says and not by a hash that no longer fits."""
TABLE = (EXAMPLES / "azul-table.mlr").read_text()
LINES = re.sub(rb'"(hash|head)":"[0-9a-f]{64}"', rb'"\1":""', (EXAMPLES / "azul.jsonl").read_bytes())
MANY = 5_000
BLANKS = " " * 200_000


def _replaced(text: str, old: str, new: str) -> bytes:
    assert old in text
    return text.replace(old, new, 1).encode()


def _header(**changes: Any) -> bytes:
    first, rest = LINES.split(b"\n", 1)
    return json.dumps({**json.loads(first), **changes}).encode() + b"\n" + rest


def _event(number: int, change: Callable[[bytes], bytes]) -> bytes:
    lines = LINES.split(b"\n")
    lines[number] = change(lines[number])
    return b"\n".join(lines)


def _opening(old: bytes, new: bytes) -> bytes:
    def change(line: bytes) -> bytes:
        assert old in line
        return line.replace(old, new)

    return _event(1, change)


DEEP = "[" * MANY + "]" * MANY
DIGITS = "9" * MANY

HOSTILE: dict[str, bytes] = {
    "digits of a step": _replaced(TEXT, "   5.  1:Ann", f"{DIGITS}.  1:Ann"),
    "digits of a seat tag": _replaced(TEXT, '[Seat 2 "', f'[Seat {DIGITS} "'),
    "digits of the seats": _replaced(TEXT, '[Seats "2"]', f'[Seats "{DIGITS}"]'),
    "digits of who": _replaced(TEXT, "1:Ann 5Y1", f"{DIGITS}: 5Y1"),
    "digits of the count": _replaced(TEXT, '[Count "111"]', f'[Count "{DIGITS}"]'),
    "digits of an undo": _replaced(TEXT, "undo 11 ", f"undo {DIGITS} "),
    "digits of points": _replaced(TEXT, "{1:Ann +1", f"{{1:Ann +{DIGITS}"),
    "digits of a total": _replaced(TEXT, "=3, 2:Ben", f"={DIGITS}, 2:Ben"),
    "digits of a raw event": _replaced(TEXT, "   5.  1:Ann 5Y1", f"!{DIGITS} #00 {{}}\n   5.  1:Ann 5Y1"),
    "digits of a time": _replaced(TEXT, "@+34.92793", f"@+{DIGITS}"),
    "digits of a signature": _replaced(TEXT, '[Signature "count=', f'[Signature "count={DIGITS}'),
    "digits of a fork": _replaced(
        TEXT, '[Forked "-"]', f'[Forked "match=x step={DIGITS} hash=00 draws=1 chance=resample"]'
    ),
    "digits of a term": _replaced(TEXT, '[Terms "-"]', f'[Terms "dispute_within={DIGITS}"]'),
    "digits of the result": _replaced(TABLE, "[Result ", f'[Result "1. Ann {DIGITS}"]\n[Was '),
    "digits in an event": _opening(b'"seats":2', b'"seats":' + DIGITS.encode()),
    "digits of a header": _header(seats={DIGITS: "Ann"}),
    "digits of a trailer": LINES.replace(b'"count":111', b'"count":' + DIGITS.encode()),
    "digits of a place": _event(5, lambda line: line.replace(b"{", b'{"seq":' + b"9" * 30 + b",", 1)),
    "no number of seats": _replaced(TEXT, '[Seats "2"]', '[Seats "²"]'),
    "deep term": _replaced(TEXT, '[Terms "-"]', f'[Terms "arbiters={DEEP}"]'),
    "deep raw event": _replaced(TEXT, "   5.  1:Ann 5Y1", f"!5 {DEEP}\n   5.  1:Ann 5Y1"),
    "deep fact": _replaced(TEXT, "   5.  1:Ann 5Y1", f"   5.  1:Ann dispute.opened number={DEEP}"),
    "deep event": _event(5, lambda line: line.replace(b'"event":{', b'"event":{"x":' + DEEP.encode() + b",")),
    "deep header": _header(annotations="@").replace(b'"@"', DEEP.encode()),
    "deep line": b'{"matchledger":' + DEEP.encode() + b"}\n",
    "a milliard seats": _replaced(TEXT, '[Seats "2"]', '[Seats "1000000000"]'),
    "a milliard seats at the table": _replaced(TABLE, "[Date ", '[Seats "1000000000"]\n[Date '),
    "a milliard seats in an event": _opening(b'"seats":2', b'"seats":1000000000'),
    "a milliard seats named": _replaced(TABLE, "[Seat 1 ", "[Seat 1000000000 "),
    "no UTF-8 in text": TEXT.encode().replace(b"Ann", b"\xff\xfe"),
    "no UTF-8 in an event": _event(2, lambda line: line.replace(b'"nonce":"', b'"nonce":"\xff')),
    "no UTF-8 in a header": LINES.replace(b"Ann", b"A\xffn"),
    "no UTF-8 in a key": LINES.replace(b'"head"', b'"he\xffad"'),
    "half a character": _replaced(TEXT, 'nonce "seven blue cups"', 'nonce "\\ud800"'),
    "half a name": _replaced(TEXT, '[Seat 1 "Ann"]', '[Seat 1 "\\ud800"]'),
    "half an id": _replaced(TEXT, '[Match "', '[Match "\\ud800'),
    "half a character in a fact": _replaced(
        TEXT, "   5.  1:Ann 5Y1", '   5.  1:Ann dispute.opened number=1 seat=1 of=1 words="\\ud800"'
    ),
    "year 1 east of Greenwich": _replaced(TEXT, '[Started "', '[Started "0001-01-01T00:00:00+14:00"]\n[Was "'),
    "year 1 in a step": _replaced(TEXT, "@+34.92793", "@0001-01-01T00:00:00+14:00"),
    "year 9999 west of Greenwich": _replaced(TEXT, "@+34.92793", "@9999-12-31T23:59:59-14:00"),
    "year 1 at the table": _replaced(TABLE, "[Date ", '[Date "0001-01-01T00:00:00+14:00"]\n[Was '),
    "year 1 in an event": _event(5, lambda line: line.replace(b'"at":"2026', b'"at":"0001')),
    "year 1 in every event": LINES.replace(b'"at":"2026-01-31', b'"at":"0001-01-01').replace(
        b'Z","actor"', b'+14:00","actor"'
    ),
    "no time zone": LINES.replace(b'Z","actor"', b'","actor"'),
    "unknown option": _replaced(TEXT, '[Options "', '[Options "colour=blue '),
    "unknown option in an event": _opening(b'"options":{', b'"options":{"colour":"blue",'),
    "no options": _replaced(TEXT, "[Options ", '[Options ""]\n[Was '),
    "no options in an event": _opening(b'"options":{', b'"options":{},"was":{'),
    "seat 9 resigns": _replaced(TEXT, "1:Ann 5Y1", "9: resigns & close resigned"),
    "seat 9 plays": _replaced(TEXT, "1:Ann 5Y1", "9: 5Y1"),
    "seat 9 joins": _replaced(TEXT, "2:Ben joins", "9:Ben joins"),
    "seat 9 undoes": _replaced(TEXT, "2:Ben accepts & 2:Ben undo 11", "9: accepts & 9: undo 11"),
    "seat 9 scores": _replaced(TEXT, "{1:Ann +1", "{9: +1"),
    "seat 9 at the table": _replaced(TABLE, "[Date ", '[Seat 9 "Ned"]\n[Date '),
    "seat 9 in an event": _event(2, lambda line: line.replace(b'"seat":1', b'"seat":9')),
    "seat 9 acts in an event": _event(6, lambda line: line.replace(b'"actor":1', b'"actor":9')),
    "seat 0 acts": _replaced(TEXT, "1:Ann 5Y1", "0: resigns & close resigned"),
    "a long name": _replaced(TEXT, '[Seat 1 "Ann"]', f'[Seat 1 "{"Ann" * MANY}"]'),
    "a long name in a header": _header(seats={"1": "A" * MANY, "2": "Ben"}),
    "names for nobody": TEXT.replace(
        "[Undo ", "".join(f'[Seat {n} "x"]\n' for n in range(3, 3_000)) + "[Undo "
    ).encode(),
    "blanks in a tag": _replaced(TEXT, '[Undo "', f'[Undo{BLANKS}x "'),
    "blanks in an unquoted tag": _replaced(TEXT, "[Undo ", f"[Undo a{BLANKS}b]\n[Was "),
    "blanks before a hash": _replaced(TEXT, "1:Ann 5Y1 ", f"1:Ann 5Y1{BLANKS}x "),
    "blanks after a number": _replaced(TEXT, "   5.  1:Ann", f"   5{BLANKS}x 1:Ann"),
    "blanks before points": _replaced(TEXT, "1:Ann 5Y1 ", f"1:Ann{BLANKS}5Y1 }} "),
    "blanks in points": _replaced(TEXT, "{1:Ann +1", f"{{1:Ann{BLANKS}+1"),
    "blanks in a raw event": _replaced(TEXT, "   5.  1:Ann 5Y1", f"!5{BLANKS}#00{BLANKS}x\n   5.  1:Ann 5Y1"),
    "blanks in the result": _replaced(TABLE, "[Result ", f'[Result "Ann{BLANKS}x"]\n[Was '),
    "blanks in a move": _replaced(TEXT, "1:Ann 5Y1", f"1:Ann {BLANKS}5Y"),
    "blanks in an undo": _replaced(TEXT, "undo 11 ", f"undo 11{BLANKS}x "),
    "blanks in a close": _replaced(TEXT, "close finished", f"close{BLANKS}"),
    "blanks and nothing else": BLANKS.encode() * 10,
    "lines and nothing else": b"\n" * 200_000,
    "quotes that never end": _replaced(TEXT, "1:Ann 5Y1", '1:Ann "' + '\\"' * 100_000),
    "a tag that never ends": ("[" + '"x"' * 70_000).encode(),
    "brackets that never end": ("[" * 200_000).encode(),
    "braces that never end": _replaced(TEXT, "1:Ann 5Y1", "1:Ann 5Y1 " + "{" * 200_000 + "}"),
    "ampersands": _replaced(TEXT, "1:Ann 5Y1", "1:Ann 5Y1" + " &" * 100_000),
    "one long deal": _replaced(TEXT, "deal KKYR", "deal " + "K" * 300_000),
    "one long move": _replaced(TEXT, "1:Ann 5Y1", "1:Ann " + "5Y1" * 100_000),
    "fields without end": _replaced(TEXT, "   5.  1:Ann 5Y1", "   5.  1:Ann dispute.opened " + "a=1 " * 60_000),
    "words without end": _replaced(TEXT, '[Options "', '[Options "' + "a=1 " * 60_000),
    "a line without end": _replaced(TEXT, "1:Ann 5Y1", "1:Ann " + "x" * 3_000_000),
    "an id that climbs": _replaced(TEXT, '[Match "', '[Match "../../'),
    "an absolute id": _header(match="/tmp/x"),
    "no id": _header(match=""),
    "the last id": _header(match="last"),
    "an id with a line break": _header(match="a\nb"),
    "annotations of odd kinds": _header(annotations=[{"step": 0, "kind": "odd", "name": "", "text": ""}]),
    "annotations at odd steps": _header(annotations=[{"step": 10**18, "kind": "line", "name": "", "text": ""}]),
    "annotations that break lines": _header(
        annotations=[{"step": 1, "kind": "line", "name": "", "text": 'x\n[Result "y"]'}]
    ),
    "annotations that pose as tags": _header(
        annotations=[{"step": 0, "kind": "tag", "name": "Result", "text": "1. Ben"}]
    ),
    "annotations with odd names": _header(
        annotations=[{"step": 0, "kind": "tag", "name": 'x "y"]\n[Undo', "text": ""}]
    ),
    "annotations without end": _header(annotations=[{"step": 1, "kind": "line", "name": "", "text": "x"}] * 10_000),
    "kinds of odd seats": _header(kinds={"77": "bot:greedy"}),
    "kinds nobody knows": _header(kinds={"1": "x" * MANY}),
    "an envelope that is a number": _event(5, lambda line: line[: line.index(b'"envelope":')] + b'"envelope":5}'),
    "an envelope that is a list": _event(5, lambda line: line[: line.index(b'"envelope":')] + b'"envelope":[1]}'),
    "no envelope": _event(5, lambda line: line[: line.index(b',"envelope":')] + b"}"),
    "a hash that is a number": _event(5, lambda line: b'{"hash":5' + line[line.index(b',"envelope"') :]),
    "a hash of odd length": _event(5, lambda line: b'{"hash":"abc"' + line[line.index(b',"envelope"') :]),
    "an event that is text": _event(5, lambda line: line[: line.index(b'"event":')] + b'"event":"x"}}'),
    "an event of another type": _event(5, lambda line: line.replace(b'"type":"azul', b'"type":"zula')),
    "an actor of odd type": _event(5, lambda line: line.replace(b'"actor":', b'"actor":[],"was":')),
    "a step below nothing": _event(5, lambda line: line.replace(b'"step":', b'"step":-')),
    "a step beyond counting": LINES.replace(b'"step":58', b'"step":9000000000000000000'),
    "nothing": b"",
    "a byte": b"\x00",
    "bytes": bytes(range(256)) * 20,
    "an empty object": b"{}",
    "a list": b"[]",
    "only a header": LINES.split(b"\n", 1)[0],
}
"""Every one of them is read in well under a second, or refused."""


def raw_lines(number: int) -> bytes:
    """A record with so many raw events that say nothing of play."""
    head, _ = TEXT.split("\n   5.", 1)
    event = '{{"match":"{match}","seq":{seq},"step":{step},"at":"2026-01-31T20:00:00Z","actor":1,"event":{event}}}'
    match = head.split('[Match "')[1].split('"')[0]
    first = head.count("\n   ") + 3
    told = '{"type":"dispute.withdrawn","number":1,"seat":1}'
    lines = [
        f"!{seq} " + event.format(match=match, seq=seq, step=seq, event=told) for seq in range(first, first + number)
    ]
    return "\n".join([head, *lines, ""]).encode()


def undos(number: int) -> bytes:
    """A record in which two moves are taken back and played again so many times."""
    head, _ = TEXT.split("\n   7.", 1)
    lines = []
    for step in range(7, 7 + 4 * number, 4):
        lines += [f"{step + n}. 1: {word}" for n, word in enumerate(("undo 6", "undo 5", "redo 5", "redo 6"))]
    return "\n".join([head, *lines, ""]).encode()
