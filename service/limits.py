"""Limits on input from outside; docs/notation.md tells people the same numbers."""

import re
from datetime import UTC, datetime
from typing import Final

RECORD_BYTES: Final = 64 << 20
"""A file of records, or standard input: some five thousand matches."""
SMALL_FILE_BYTES: Final = 1 << 20
"""Every other file people name: a key, a receipt, a list of arbiters, a paper."""
LINE_CHARACTERS: Final = 1 << 20
"""A line of a record."""
EVENTS: Final = 50_000
"""The events of one match; the longest ever played by bots had some four thousand."""
NESTING: Final = 32
"""Brackets within brackets in JSON."""
DIGITS: Final = 18
"""A number in JSON."""
NUMBER: Final = 999_999_999
"""A number a record counts with: steps, events, seats, points. Every database can hold it."""
SEATS: Final = 20
NAME_CHARACTERS: Final = 200
"""A player's name in a record; at the command line it is shorter."""
REMARKS: Final = 4_000
"""Tags and comments people wrote around one match."""
REMARK_CHARACTERS: Final = 100_000
"""The same, all of them together: the header of an export has room for as many."""
BOT_CHARACTERS: Final = 190
"""The name of a bot from outside, its command included; with `bot:` in front it is kept and exported with the match."""
BOT_LINE_BYTES: Final = 1 << 16
"""A line that a bot from outside answers with."""
MAX_SAID: Final = 200
"""What is kept of the words of a program that forfeited a move, in characters."""
FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2999

_QUOTED_CHARACTERS: Final = 60
_DIGITS_OF_A_NUMBER: Final = len(str(NUMBER))
_MANY_DIGITS: Final = re.compile(rb"[0-9]{%d}" % (DIGITS + 1))
_JSON: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|([\[{\]}])|(%s)' % _MANY_DIGITS.pattern, re.DOTALL)
"""A text between quotes, which ends with the data if nothing else ends it, a bracket, or such a number."""


def read_number(text: str) -> int:
    """The number these digits stand for. Raises ValueError beyond `NUMBER`, before anything long is converted."""
    sign, digits = (text[:1], text[1:]) if text[:1] in ("+", "-", "−") else ("", text)
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{shortened(text, 40)!r} is not a number")
    if len(digits.lstrip("0")) > _DIGITS_OF_A_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits is beyond {NUMBER:,}")
    return int(digits) if sign in ("", "+") else -int(digits)


def bounded(moment: datetime) -> datetime:
    """The moment in UTC; without a time zone it is meant to be. Raises ValueError outside of the years we accept."""
    try:
        utc = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        utc = None
    if utc is None or not FIRST_YEAR <= utc.year <= LAST_YEAR:
        raise ValueError(f"{moment.isoformat()} is not in the years {FIRST_YEAR} to {LAST_YEAR}")
    return utc


def excess(data: bytes) -> str:
    """What is too much in some JSON, looked for without building any of it; empty when nothing is."""
    if is_too_deep(data):
        return f"it is nested deeper than {NESTING} levels"
    if _MANY_DIGITS.search(data) and any(found[2] for found in _JSON.finditer(data)):
        return f"a number in it has more than {DIGITS} digits"
    return ""


def is_too_deep(data: bytes) -> bool:
    """Whether brackets stand within brackets beyond `NESTING`; what stands between quotes does not count."""
    if data.count(b"[") + data.count(b"{") <= NESTING:
        return False
    depth = 0
    for found in _JSON.finditer(data):
        if bracket := found[1]:
            depth += 1 if bracket in b"[{" else -1
            if depth > NESTING:
                return True
    return False


def quoted(value: object) -> str:
    """What somebody wrote, or what lies where a value should, as a refusal repeats it: and not too much of it."""
    if isinstance(value, str):
        return repr(shortened(value, _QUOTED_CHARACTERS))
    return shortened(repr(value), _QUOTED_CHARACTERS)


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and how long it is: what is quoted must not fill a screen."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"
