"""Attacks on the SQLite file itself: flipped bytes in it and in its log, and copies made while somebody writes."""

import shutil
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from service.audit.judge import own_notary
from service.errors import LedgerError, NotFound
from service.play.evidence import Evidence, from_store
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.store.connect import open_store
from service.store.shapes import JournalRow
from tests.attack.commands import ask_some
from tests.attack.doors import found_everywhere, found_in
from tests.attack.verdicts import Outcome, by_design, traceback
from tests.attack.victim import Victim
from tests.audit.matches import play

LOG = "-wal"


def flipped(victim: Victim, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """Flipped bytes, by turns in the file and in the log beside it."""
    source = _with_a_log(victim, rng)
    data = {ending: Path(f"{source}{ending}").read_bytes() for ending in ("", LOG)}
    folder = victim.folder / "flipped"
    whole = shown(_laid_out(folder, data), victim.matches.values())
    for number in islice(count(), most):
        ending = LOG if number % 4 == 3 else ""
        places = rng.sample(range(len(data[ending])), rng.choice((1, 1, 1, 3)))
        changed = bytearray(data[ending])
        for place in places:
            changed[place] ^= 1 << rng.randrange(8)
        database = _laid_out(folder, {**data, ending: bytes(changed)})
        kind = "bytes of the log" if ending else "bytes of the file"
        yield judged_copy(kind, f"{kind[9:]} at {places}", database, rng, whole)


def _with_a_log(victim: Victim, rng: Random) -> Path:
    """A copy of the ledger with its last steps in the log."""
    copy = victim.folder / "logged" / "ledger.db"
    source = victim.folder / "with a log" / "ledger.db"
    for path in (copy, source):
        path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(victim.database)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
    with open_store(str(copy)) as store, closing(sqlite3.connect(copy)) as other:
        other.execute("SELECT count(*) FROM match").fetchone()  # while somebody else looks on, the log stays
        ledger = LocalLedger(store, notary=own_notary())
        play(ledger, load(ledger, victim.matches["under way"]), 3, rng)
        for ending in ("", LOG):
            shutil.copy(f"{copy}{ending}", f"{source}{ending}")
    return source


def _laid_out(folder: Path, data: dict[str, bytes]) -> str:
    """A database file of these bytes with its log, nothing else beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for ending, content in data.items():
        (folder / f"ledger.db{ending}").write_bytes(content)
    return str(folder / "ledger.db")


class Shown(NamedTuple):
    """What people are shown of a ledger."""

    matches: dict[str, Evidence]
    journal: list[JournalRow]


def shown(database: str, ids: Collection[str]) -> Shown:
    """These matches as far as they are there, and the journal."""
    matches = {}
    with open_store(database, read_only=True) as store, store.snapshot():
        for match in ids:
            with suppress(NotFound):
                matches[match] = from_store(store, match)
        return Shown(matches, list(store.journal()))


def judged_copy(kind: str, what: str, database: str, rng: Random, whole: Shown) -> Outcome:
    """Ask every door about a database that may be anything; if nobody finds a fault, it must be what it was."""
    ids = list(whole.matches)
    folder = Path(database).parent / "out"
    try:
        found, hidden = found_everywhere(database), ""
        if not found:
            left = shown(database, ids)
            found = [report for match in left.matches for report in found_in(database, match)]
            hidden = difference(whole, left)
        ask_some(database, rng.choice(ids), folder, rng, 2)
    except LedgerError as refusal:
        return Outcome(kind, what, "named", refusal.code)
    except Exception as error:  # whatever it is, nobody should have seen it
        return traceback(kind, what, error)
    if found:
        return Outcome(kind, what, "named", str(found[0].first or found[0].source))
    if hidden in ("names", "rollback"):
        return by_design(kind, what, hidden)
    return Outcome(kind, what, "missed" if hidden else "harmless", hidden)


def difference(whole: Shown, left: Shown) -> str:
    """What somebody is told that was not so: nothing, other names, the ledger as it once was, or worse."""
    is_older = False
    if left.journal != whole.journal:
        is_older = left.journal == whole.journal[: len(left.journal)]
        if not is_older:
            return "the journal is not what it was"
    are_names_other = False
    for match, was in whole.matches.items():
        now = left.matches.get(match)
        if now is None or now.rows != was.rows:
            if now is not None and now.rows != was.rows[: len(now.rows)]:
                return f"match {match} is not what it was"
            is_older = True
        elif (now.names, now.kinds, now.annotations) != (was.names, was.kinds, was.annotations):
            are_names_other = True
    return "rollback" if is_older else "names" if are_names_other else ""
