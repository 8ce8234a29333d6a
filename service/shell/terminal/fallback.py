"""What is written instead of a character that the encoding of a terminal or a pipe does not have."""

import codecs
from typing import Final

ERRORS: Final = "matchledger-fallback"
"""The name of the handler, for `errors=` of a stream."""
_INSTEAD: Final = {
    "−": "-", "–": "-", "—": "-", "±": "+", "×": "x", "·": ".", "…": ".", "→": ">", "←": "<", "↑": "^", "↓": "v",
    "▶": ">", "▸": ">", "▏": "|", "✓": "+", "✗": "x", "“": '"', "”": '"', "‘": "'", "’": "'", "²": "2", "°": "o",
    "─": "-", "│": "|", "├": "+", "└": "+",
}  # fmt: skip
"""One character for one: tables and boards stay aligned."""


def _instead(error: UnicodeError) -> tuple[str, int]:
    """A character that means the same or looks alike, a letter without its accent, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from unicodedata import normalize  # most terminals have every character

    found = ""
    for character in error.object[error.start : error.end]:
        plain = _INSTEAD.get(character) or normalize("NFKD", character)[0]
        found += plain if plain.isascii() else "?"
    return found, error.end


codecs.register_error(ERRORS, _instead)
