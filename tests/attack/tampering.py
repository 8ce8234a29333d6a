"""Attacks on the tables: tampering × re-chaining × re-signing × deleting, journals, rows, secrets and single cells."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from itertools import cycle, pairwise
from random import Random
from typing import Any, Final, NamedTuple

from events.codec import decode, encode
from events.core import Envelope
from service.games.shelf import find_game
from service.play.evidence import Evidence, from_store
from service.play.simulate import as_append, make_plan, playout
from service.store.connect import open_store
from service.store.shapes import JournalRow
from service.trust.journal import walk
from tests.attack.forging import about, entry, journal_of, rows_of, signed_anew, statement_in, with_events, without
from tests.attack.hand import COLUMNS, KEYS, Record, Tables, changed, column
from tests.attack.verdicts import Design
from tests.attack.victim import Victim
from tests.audit.matches import rehashed
from tests.audit.mutations import Mutation, mutations
from tests.signing import STRANGER

OUTSIDE: Final = ("seat", "remark", "command")
"""Tables that no chain covers, by design."""


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


def attacks(scene: Scene, rng: Random) -> Iterator[Attack]:
    """Attacks without end, of all families in turn; those of a family that has no more to give are made anew."""
    running = {family: family(scene, rng) for family in FAMILIES}
    for family in cycle(FAMILIES):
        attack = next(running[family], None)
        if attack is None:
            running[family] = family(scene, rng)
            attack = next(running[family])
        yield attack


# ------------------------------------------------------------------------------------------------------------- events


def _mutations(scene: Scene, rng: Random, *, fits: bool) -> Iterator[Mutation]:
    """Changes of events of all classes, a match at a time."""
    names = [name for name in scene.evidence if name != "waiting"]
    rng.shuffle(names)
    for name in names:
        other = scene.evidence["disputed" if name != "disputed" else "finished"]
        found = [
            mutation
            for mutation in mutations(scene.evidence[name], other, rng, 1)
            if mutation.is_rehashed == fits and mutation.kind != "replace the signature"
        ]
        found += [mutation for mutation in _legal(scene, name, rng) if fits]
        rng.shuffle(found)
        yield from found


def _legal(scene: Scene, name: str, rng: Random) -> Iterator[Mutation]:
    """Changes that follow the rules: another game in the place of one, and an open match with another end."""
    evidence = scene.evidence[name]
    envelopes = [decode(row.data) for row in evidence.rows]
    if name == "between bots":
        seed = rng.randrange(100, 10**6)
        game, plan = find_game("azul"), make_plan("azul", 2, {"maxRounds": "1"}, ["random"], 0)
        played = as_append(game, plan, seed, playout(game, plan, seed), envelopes[0].at)
        others = [decode(row.data) for row in played.rows]
        datas = [encode(Envelope(evidence.match, e.seq, e.step, e.at, e.actor, e.event)) for e in others]
        yield Mutation("another game", f"seed {seed}", 1, True, partial(rehashed, evidence, datas))
    if name == "under way":
        last = envelopes[-1]
        ends = [one.seq for one, two in pairwise(envelopes) if one.step != two.step]
        for end in rng.sample(ends[-3:], 2):
            datas = [row.data for row in evidence.rows[:end]]
            yield Mutation("fewer moves", f"up to {end}", end + 1, True, partial(rehashed, evidence, datas))
        later = Envelope(last.match, last.seq, last.step, last.at + timedelta(1), last.actor, last.event)
        datas = [*(row.data for row in evidence.rows[:-1]), encode(later)]
        yield Mutation("another time", f"of event {last.seq}", last.seq, True, partial(rehashed, evidence, datas))


def _event_left(scene: Scene, rng: Random) -> Iterator[Attack]:
    for mutation in _mutations(scene, rng, fits=False):
        forged = mutation.make()
        tables = with_events(scene.tables, forged, fits=False)
        yield Attack("events changed", _said(forged, mutation), tables, forged.match, mutation.seq)


def _event_rechained(scene: Scene, rng: Random) -> Iterator[Attack]:
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        yield Attack("… and chained anew", _said(forged, mutation), _forged(scene, forged), forged.match)


def _event_and_entries_deleted(scene: Scene, rng: Random) -> Iterator[Attack]:
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        tables = _forged(scene, forged)
        entries = [record for record in tables["journal"] if record[1] != forged.match]
        what = f"{_said(forged, mutation)}; entries about it deleted"
        if rng.random() < 0.5:
            entries = [tuple(row._replace(place=n)) for n, row in enumerate(journal_of({"journal": entries}), 1)]
            what += ", the others numbered anew"
        yield Attack("… and entries deleted", what, {**tables, "journal": entries, "signature": []}, forged.match)


def _event_and_stranger(scene: Scene, rng: Random) -> Iterator[Attack]:
    rows = scene.journal
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        about_it = {forged.match: forged.rows}
        first = next(row.place for row in rows if row.match == forged.match)
        what = _said(forged, mutation)
        planted = b""
        match rng.randrange(4):
            case 0:
                journal = signed_anew(rows, STRANGER, about_it, takeover="began")
                what += "; the journal signed anew by a stranger"
            case 1:
                journal = signed_anew(rows, STRANGER, about_it, keeps=first - 1, takeover="adopted")
                what += f"; the journal adopted by a stranger at entry {first}"
            case 2:
                new = signed_anew(rows, STRANGER, about_it, keeps=first - 1)
                journal = [*new[:first], *rows[first:]]
                what += f"; entry {first} signed anew by a stranger"
            case _:
                journal = signed_anew(rows, STRANGER, about_it, takeover="began")
                planted = _planted(scene.victim, rng)
                what += "; the journal signed anew by a stranger, whose key lies among the retired ones"
        tables = {**_forged(scene, forged), "journal": list(map(tuple, journal))}
        yield Attack("… and signed by a stranger", what, tables, forged.match, planted=planted)


def _planted(victim: Victim, rng: Random) -> bytes:
    """A retired key as its file says it, vouched for by nobody, or by a signature that is none of ours."""
    until = victim.key.since + timedelta(days=1)
    value = {"public": STRANGER.public, "since": victim.former.since.isoformat(), "until": until.isoformat()}
    if rng.random() < 0.7:
        value |= {"by": victim.key.public, "signature": STRANGER.sign(b"anything")}
    return json.dumps(value).encode()


def _event_and_owner(scene: Scene, rng: Random) -> Iterator[Attack]:
    """The owner of the key may say anything that follows the rules; what does not is still named."""
    rows = scene.journal
    rotation = next(row.place for row in rows[1:] if not row.match)
    for mutation in _mutations(scene, rng, fits=True):
        forged = mutation.make()
        about_it = {forged.match: forged.rows}
        design: Design = "owner"
        is_old = forged.match in {row.match for row in rows[: rotation - 1]}
        if not is_old or rng.random() < 0.5:
            journal = signed_anew(rows, scene.victim.key, about_it, takeover="began")
            what = "; the journal signed anew with the ledger's key"
            tables = _forged(scene, forged)
        else:
            # Everything that came after the rotation is gone: the retired key cannot say it.
            journal = signed_anew(rows[: rotation - 1], scene.victim.former, about_it, takeover="began")
            what = "; the journal of its time signed anew with the retired key"
            design = "retired"
            tables = _rolled_back(_forged(scene, forged), rows[: rotation - 1])
        tables = {**tables, "journal": list(map(tuple, journal))}
        yield Attack("… and signed by the owner", _said(forged, mutation) + what, tables, forged.match, design=design)


def _forged(scene: Scene, forged: Evidence) -> Tables:
    return with_events(scene.tables, forged, fits=True)


def _said(forged: Evidence, mutation: Mutation) -> str:
    return f"{forged.match}: {mutation.kind}: {mutation.what}"[:300]


# ------------------------------------------------------------------------------------------------------------ journal


def _rolled_back(tables: Tables, kept: list[JournalRow]) -> Tables:
    """Everything that the kept entries do not speak of is gone, and what was added to matches since."""
    known = {row.match for row in kept}
    for record in tables["match"]:
        if record[0] not in known:
            tables = without(tables, record[0], "journal")
    return {**tables, "journal": list(map(tuple, kept))}


def _journal(scene: Scene, rng: Random) -> Iterator[Attack]:
    rows = scene.journal
    key, stranger = scene.victim.key, STRANGER
    n, m = sorted(rng.sample(range(len(rows)), 2))
    one, two = rows[n], rows[m]
    flipped = bytearray(one.data)
    flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(7)
    forged = entry(stranger, statement_in(one))
    restated = entry(key, statement_in(two))
    middle = rng.randrange(1, len(rows))

    def replaced(*changes: tuple[int, JournalRow]) -> list[JournalRow]:
        return [dict(changes).get(index, row) for index, row in enumerate(rows)]

    for what, journal in (
        (f"entry {n + 1} deleted", [*rows[:n], *rows[n + 1 :]]),
        (f"entry {n + 1} deleted, the others numbered anew", _numbered([*rows[:n], *rows[n + 1 :]])),
        ("all entries deleted", []),
        (f"entry {n + 1} changed", replaced((n, one._replace(data=bytes(flipped))))),
        (f"the signature of entry {n + 1} turned round", replaced((n, one._replace(signature=one.signature[::-1])))),
        (f"the hash of entry {n + 1} turned round", replaced((n, one._replace(hash=one.hash[::-1])))),
        (f"entry {n + 1} listed under another match", replaced((n, one._replace(match=_another(rows, one))))),
        (f"entries {n + 1} and {m + 1} swapped", replaced((n, two._replace(place=n + 1)), (m, one._replace(place=m + 1)))),
        (f"the matches of entries {n + 1} and {m + 1} swapped",
            replaced((n, one._replace(match=two.match)), (m, two._replace(match=one.match)))),
        (f"entry {n + 1} replayed at the end", [*rows, one._replace(place=len(rows) + 1)]),
        (f"entry {n + 1} signed by a stranger", replaced((n, forged))),
        (f"entry {m + 1} signed by the key that came later or before", replaced((m, restated))),
        ("all signed anew by a stranger", signed_anew(rows, stranger, {}, takeover="began")),
        (f"adopted by a stranger after entry {middle}", signed_anew(rows, stranger, {}, keeps=middle, takeover="adopted")),
        (f"a stranger 'follows' after entry {middle}", signed_anew(rows, stranger, {}, keeps=middle, takeover="began")),
        ("a stranger's entry at the end", [*rows, _next(rows, stranger, statement_in(one).match)]),
    ):  # fmt: skip
        tables = {**scene.tables, "journal": list(map(tuple, journal))}
        yield Attack("journal", what, tables)


def _numbered(rows: list[JournalRow]) -> list[JournalRow]:
    return [row._replace(place=place) for place, row in enumerate(rows, start=1)]


def _another(rows: list[JournalRow], row: JournalRow) -> str:
    return next(other.match for other in rows if other.match != row.match)


def _next(rows: list[JournalRow], key: Any, match: str) -> JournalRow:
    """An entry that follows the last one in everything but the key."""
    last = next(statement for row in reversed(rows) if (statement := statement_in(row)).kind not in ("began", "adopted"))
    return signed_anew([*rows, rows[last.place - 1]], key, {}, keeps=len(rows))[-1]


def _journal_cut(scene: Scene, rng: Random) -> Iterator[Attack]:
    rows = scene.journal
    for kept in rng.sample(range(1, len(rows)), min(6, len(rows) - 1)):
        tables = {**scene.tables, "journal": list(map(tuple, rows[:kept]))}
        yield Attack("journal cut off", f"after entry {kept}", tables)
        what = f"after entry {kept}, with every match it does not speak of"
        yield Attack("journal cut off", what, _rolled_back(scene.tables, rows[:kept]))
        (last,) = {row.match for row in rows[kept - 1 : kept]}
        if last:
            stated = statement_in(rows[kept - 1])
            before = rows_of(scene.tables, last)[: stated.count]
            forged = Evidence(last, last, before, stated.count, stated.head)
            tables = with_events(_rolled_back(scene.tables, rows[:kept]), forged, fits=True)
            yield Attack("journal cut off", f"{what}, match {last} as it was then", tables, last)


# ------------------------------------------------------------------------------------------------------------ matches


def _whole_matches(scene: Scene, rng: Random) -> Iterator[Attack]:
    rows = scene.journal
    names = list(scene.evidence)
    rng.shuffle(names)
    for name in names:
        match = scene.evidence[name].match
        left = without(scene.tables, match, "journal")
        yield Attack("match deleted", f"{match}, entries left", left, match)
        gone = [row for row in rows if row.match != match]
        yield Attack("match deleted", f"{match} with its entries", {**left, "journal": list(map(tuple, gone))}, match)
        journal = list(map(tuple, _numbered(gone)))
        yield Attack("match deleted", f"{match} with its entries, numbered anew", {**left, "journal": journal}, match)
        journal = list(map(tuple, signed_anew(rows, STRANGER, {}, takeover="began", gone=match)))
        yield Attack("match deleted", f"{match}, signed anew by a stranger", {**left, "journal": journal}, match)
        yield Attack("match deleted", f"the events of {match}", {**scene.tables, "event": left["event"]}, match)
        yield Attack("match deleted", f"the row of {match}", {**scene.tables, "match": left["match"]}, match)


def _match_rows(scene: Scene, rng: Random) -> Iterator[Attack]:
    for place, name in rng.sample(list(enumerate(COLUMNS["match"])), len(COLUMNS["match"])):
        row = rng.choice(scene.tables["match"])
        others = [record[place] for record in scene.tables["match"] if record[place] != row[place]]
        value = rng.choice(others) if others else _junk(row[place], rng)
        records = [record for record in scene.tables["match"] if record != row]
        if any(record[0] == value for record in records if name == "id"):
            value = "match99999"
        what = f"{row[0]}: {name} from {row[place]!r} to {value!r}"
        tables = {**scene.tables, "match": [*records, changed("match", row, **{name: value})]}
        yield Attack("match row", what, tables, row[0])


def _secrets(scene: Scene, rng: Random) -> Iterator[Attack]:
    for row in rng.sample(scene.tables["secret"], len(scene.tables["secret"])):
        others = [record for record in scene.tables["secret"] if record != row]
        other = rng.choice(others)
        for what, records in (
            ("another's", [*others, changed("secret", row, secret=other[1])]),
            ("one bit", [*others, changed("secret", row, secret=bytes([row[1][0] ^ 1]) + row[1][1:])]),
            ("seed", [*others, changed("secret", row, seed=row[2] + "1")]),
            ("gone", others),
        ):
            yield Attack("secret", f"{row[0]}: {what}", {**scene.tables, "secret": records}, row[0])


def _swapped(scene: Scene, rng: Random) -> Iterator[Attack]:
    """Two matches trade what is theirs."""
    ids = [row[0] for row in scene.tables["match"]]
    for table in ("event", "journal", "secret", "statement"):
        one, two = rng.sample(ids, 2)
        if table == "statement":
            one = scene.evidence["imported"].match
            two = scene.evidence["finished"].match
        place = column(table, "match_id")
        traded = {one: two, two: one}
        records = [
            (*record[:place], traded.get(record[place], record[place]), *record[place + 1 :])
            for record in scene.tables[table]
        ]
        yield Attack("matches swapped", f"{table}: {one} and {two}", {**scene.tables, table: records}, two)


def _outside(scene: Scene, rng: Random) -> Iterator[Attack]:
    """What is outside the chain on purpose: nobody is accused of it."""
    tables = scene.tables
    seat = rng.choice(tables["seat"])
    seats = [record for record in tables["seat"] if record != seat]
    imported = scene.evidence["imported"].match
    remark = (imported, 99, 1, "line", "", "a comment nobody made")
    command = (imported, "again", b"x" * 32, 1, 2)
    for what, changes in (
        (f"a name of {seat[0]}", {"seat": [*seats, changed("seat", seat, name="Mallory")]}),
        (f"a kind of {seat[0]}", {"seat": [*seats, changed("seat", seat, kind="bot:greedy")]}),
        ("a comment", {"remark": [*tables["remark"], remark]}),
        ("a request", {"command": [*tables["command"], command]}),
        ("what a friend signed is gone", {"statement": []}),
    ):
        yield Attack("outside the chain", what, {**tables, **changes}, seat[0] if "seat" in changes else imported)


def _cells(scene: Scene, rng: Random) -> Iterator[Attack]:
    """Any cell of any table with anything in it that the database takes."""
    is_server = scene.victim.database.startswith("postgresql")
    while True:
        table = rng.choice([name for name, records in scene.tables.items() if records])
        row = rng.choice(scene.tables[table])
        place = rng.randrange(len(row))
        value = _junk(row[place], rng) if is_server else rng.choice(_ANYTHING)
        record = (*row[:place], value, *row[place + 1 :])
        others = [record for record in scene.tables[table] if record != row]
        keys = {tuple(record[key] for key in KEYS[table]) for record in others}
        if tuple(record[key] for key in KEYS[table]) in keys or None in [record[key] for key in KEYS[table]]:
            continue  # the database itself refuses that
        match = _owner(table, row)
        what = f"{table}.{COLUMNS[table][place]} of {match or row[0]}: {value!r}"[:200]
        yield Attack("cells", what, {**scene.tables, table: [*others, record]}, match)


_ANYTHING: Final = (
    "garbage", "", b"", b"\xff\xfe", 0, -1, 2**62, 1.5, float("inf"), "9999-99-99 99:99", "\x1b[2J", "x" * 5000, b"{}",
    "2026-01-02 00:00:00", "0001-01-01 00:00:00+14:00", "last", "../../x",
)  # fmt: skip


def _junk(value: Any, rng: Random) -> Any:
    """Another value of the same type, which is all that a strict database takes."""
    if isinstance(value, bytes):
        return bytes(rng.randrange(256) for _ in value)
    if isinstance(value, int):
        return value + rng.choice([1, -1, 7, 10**6])
    if isinstance(value, str) or value is None:
        return rng.choice(["garbage", "last", "../../x", "\x1b[2J", ""])
    return value + timedelta(seconds=rng.choice([1, -1, 10**6]))


def _owner(table: str, row: Record) -> str:
    return str(row[column(table, "id" if table == "match" else "match_id")])


FAMILIES: Final[tuple[Family, ...]] = (
    _event_left,
    _event_rechained,
    _event_and_entries_deleted,
    _event_and_stranger,
    _event_and_owner,
    _journal,
    _journal_cut,
    _whole_matches,
    _match_rows,
    _secrets,
    _swapped,
    _outside,
    _cells,
)


# -------------------------------------------------------------------------------------------------- what cannot be seen


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
