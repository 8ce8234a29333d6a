"""Records that somebody uploaded to look at: read, audited, stored nowhere, and kept while one steps through them."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from threading import Lock
from typing import Final

from msgspec import Struct

from projections.words import joined
from service.audit import Report, audit
from service.errors import Damaged, LedgerError, NotFound, Refused
from service.games.shelf import by_ruleset
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.records.files import evidence_in
from service.trust.arbiters import registered_arbiters

OFFERED: Final = 20
"""Matches of a file that are read: each is decided anew, move by move."""
KEPT: Final = 16
"""Matches in memory."""
KEPT_BYTES: Final = 16 << 20
"""The bytes of their files, all of them together; one is kept however large it is."""
SOURCE: Final = "record"
"""What refusals call a file: its name stays where it is."""


class Upload(Struct, frozen=True):
    """A match of a file, and what else is in that file."""

    number: int
    """Which of the matches of the file it is, from 1."""
    titles: Sequence[str]
    """What the matches of the file are called."""
    is_cut: bool
    """Whether the file holds more than these."""
    trouble: str
    """What is wrong behind the last of them; empty where nothing is."""
    report: Report
    history: History | LedgerError
    """The match, or why it cannot be replayed."""

    @property
    def sound_history(self) -> History:
        """The match, or a refusal. What was sent does not read: nothing of ours is damaged."""
        if isinstance(self.history, Damaged):
            raise Refused(self.history.code, self.history.message)
        if isinstance(self.history, LedgerError):
            raise self.history
        return self.history


class UploadCache:
    """The latest matches that were uploaded to this process, by the hash of their file."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[bytes, int], tuple[int, Upload]] = OrderedDict()
        self._lock = Lock()

    def find(self, data: bytes, number: int = 1) -> Upload:
        """A match of a file; read and audited unless it was a moment ago."""
        key = (sha256(data).digest(), number)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][1]
        upload = read_upload(data, number)
        with self._lock:
            self._kept[key] = (len(data), upload)
            while len(self._kept) > 1 and (
                len(self._kept) > KEPT or sum(size for size, _ in self._kept.values()) > KEPT_BYTES
            ):
                self._kept.popitem(last=False)
        return upload


def read_upload(data: bytes, number: int = 1) -> Upload:
    """A match of a file. Raises what is wrong with a file in whose place no match is had."""
    found = evidence_in(data, SOURCE)
    read: list[Evidence] = []
    trouble = ""
    try:
        for evidence in islice(found, OFFERED):
            read.append(evidence)  # noqa: PERF402 - what was read stays when the next one is refused
        is_cut = next(found, None) is not None
    except LedgerError as refusal:
        if len(read) < number:
            raise
        is_cut, trouble = False, refusal.message
    if not 1 <= number <= len(read):
        raise NotFound("record/match", f"There is no match {number} in this file; choose 1–{len(read)}.")
    evidence = read[number - 1]
    history: History | LedgerError
    try:
        history = of_evidence(evidence)
    except LedgerError as refusal:
        history = refusal
    titles = list(map(_title, read))
    report = audit(evidence, arbiters=registered_arbiters())
    return Upload(number, titles, is_cut, trouble, report, history)


def _title(evidence: Evidence) -> str:
    opened = evidence.chain.opened
    try:
        game = by_ruleset(opened.ruleset).title if opened is not None else evidence.match
    except LedgerError:
        game = evidence.match
    return f"{game}: {joined(list(evidence.names.values()))}" if evidence.names else game
