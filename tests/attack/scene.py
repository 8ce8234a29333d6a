"""What attacks on the tables are made from, what one leaves behind, and what of it nobody could have seen."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final, NamedTuple

from service.play.evidence import Evidence, from_store
from service.store.connect import open_store
from service.store.shapes import JournalRow
from service.trust.journal import walk
from tests.attack.forging import about, journal_of, rows_of, statement_in
from tests.attack.hand import Tables, column
from tests.attack.verdicts import Design
from tests.attack.victim import Victim


class Attack(NamedTuple):
    """A database as an adversary leaves it."""

    kind: str
    what: str
    tables: Tables
    match: str = ""
    """The match that was tampered with; empty where it is the journal."""
    seq: int = 0
    """Where nothing else was made to fit: the first event that is not as it was."""
    design: Design | None = None
    """Why it cannot be seen without a receipt, where it follows the rules."""
    planted: bytes = b""
    """A file put among the retired keys."""


class Scene(NamedTuple):
    """What attacks are made from."""

    victim: Victim
    tables: Tables
    evidence: Mapping[str, Evidence]
    """The matches by what they are."""

    @property
    def journal(self) -> list[JournalRow]:
        return journal_of(self.tables)


def scene_of(victim: Victim, tables: Tables) -> Scene:
    """The ledger as it was before anybody touched it."""
    with open_store(victim.database, read_only=True) as store:
        evidence = {name: from_store(store, match) for name, match in victim.matches.items()}
    return Scene(victim, tables, evidence)


Family = Callable[[Scene, Random], Iterator[Attack]]
"""Makes attacks of one family, as many as it can think of or without end."""


_TAKEN_AWAY: Final[dict[str, Design]] = {"statement": "witnesses", "secret": "secrets"}


def hidden_by(scene: Scene, attack: Attack) -> Design | None:
    """Why nobody could have seen this without a receipt; None where somebody should have."""
    differing = [name for name, records in attack.tables.items() if set(records) != set(scene.tables[name])]
    if set(differing) <= {"seat", "remark"}:
        return "names"
    if differing == ["command"]:
        return "requests"
    for table, design in _TAKEN_AWAY.items():
        known = {row[0] for row in attack.tables["match"]}
        left = {record for record in attack.tables[table] if record[0] in known}
        if differing == [table] and left < set(scene.tables[table]):
            return design
    if attack.design is not None:
        return attack.design
    before, after = scene.journal, journal_of(attack.tables)
    if len(after) < len(before) and after == before[: len(after)] and walk(after).flaw is None:
        return "rollback"
    if after == before and _is_after_the_last_word(scene, attack):
        return "open"
    return None


def _is_after_the_last_word(scene: Scene, attack: Attack) -> bool:
    """Whether an open match was changed only behind the last event that anything was stated about."""
    old, new = rows_of(scene.tables, attack.match), rows_of(attack.tables, attack.match)
    if old == new:
        return False
    stated = max(statement_in(row).count for row in scene.journal if row.match == attack.match)
    (row,) = about("match", scene.tables["match"], attack.match)
    return row[column("match", "status")] != "closed" and old[:stated] == new[:stated]
