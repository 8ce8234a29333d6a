"""Other people's text made safe to show: control characters and invisible characters are escaped."""

import re
from typing import Final
from unicodedata import category

_HIDDEN: Final = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
"""Controls (escape sequences begin with one), line and paragraph separators, marks that turn the direction of writing
around, and what takes no room at all. Letters, combining marks, emoji and blanks of any width are none of them."""
_JOINERS: Final = "\u200c\u200d"
"""They make one emoji of several and are part of words in some scripts; beside anything else they only hide."""
_JOINED: Final = ("L", "M", "S")
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """The text on one line, every character in it to be seen: an escape is shown as `\\x1b`, a line break as `\\n`."""
    return text if _is_plain(text) else re.sub(_HIDDEN, _written_out, text)


def visible_lines(text: str) -> str:
    """The same for a text that has lines of its own."""
    return "\n".join(map(visible, text.split("\n")))


def visible_json(text: str) -> str:
    """JSON in which every such character is written as JSON escapes it; its value stays the same."""
    lines = text.split("\n")
    return "\n".join(line if _is_plain(line) else re.sub(_HIDDEN, _escaped, line) for line in lines)


def _is_plain(text: str) -> bool:
    """Whether nothing in it can hide, as nearly everywhere: then nothing has to be looked for."""
    return text.isascii() and text.isprintable()


def _written_out(found: re.Match[str]) -> str:
    character = found[0]
    if character in _JOINERS and _is_joined(found.string, found.start()):
        return character
    number = ord(character)
    return _SHORT.get(character) or (
        f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
    )


def _is_joined(text: str, place: int) -> bool:
    beside = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return len(beside) == 2 and all(not one.isascii() and category(one)[0] in _JOINED for one in beside)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
