"""The match that `last` means: the one that was opened, moved, disputed or imported last."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC
from typing import Any, Final

from service.errors import Damaged
from service.store.columns import MATCH, match_row

_MOVED: Final = f"SELECT {MATCH.columns} FROM match ORDER BY moved_at DESC, id DESC LIMIT 1"
_THIS: Final = f"SELECT {MATCH.columns} FROM match WHERE id = ?"
_ENTRIES: Final = "SELECT place, match_id, data FROM journal WHERE place < ? ORDER BY place DESC LIMIT ?"
_ENTRIES_PER_QUESTION: Final = 500
_NO_PLACE: Final = 10**9
"""Behind every entry of a journal."""
_SAID: Final = rb"[^\n]*\nkind (?P<kind>[a-z]+)\n(?s:.*)\nat (?P<at>[0-9T:.-]{26}Z)\n"

Fetch = Callable[..., list[tuple[Any, ...]]]


def latest(fetch: Fetch) -> list[tuple[Any, ...]]:
    """The record of that match; none where there is no match.

    A match that comes from elsewhere keeps the time of its last move, by which it is listed. When it came is in the
    journal, and only there: so the entries younger than the last move of all are asked whether one is of an import.
    """
    moved = fetch(_MOVED)
    try:
        since = match_row(moved[0]).moved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if moved else ""
    except Damaged:  # whoever asked for it is told
        return moved
    imported = (found for match in _imports_since(fetch, since.encode()) if (found := fetch(_THIS, (match,))))
    return next(imported, moved) if moved else moved


def _imports_since(fetch: Fetch, moment: bytes) -> Iterator[str]:
    """The matches imported after a moment, the last one first."""
    before = _NO_PLACE
    while entries := fetch(_ENTRIES, (before, _ENTRIES_PER_QUESTION)):
        for _, match, data in entries:
            said = re.match(_SAID, bytes(data)) if isinstance(data, bytes | memoryview) else None
            if said is None or said["at"] <= moment:
                return
            if said["kind"] == b"imported":
                yield match
        before = entries[-1][0]
