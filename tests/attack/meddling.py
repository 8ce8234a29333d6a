"""Everything beside the events meddled with: the journal, whole matches, their rows, secrets, single cells."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any, Final

from service.play.evidence import Evidence
from service.store.shapes import JournalRow
from service.trust.keys import Key
from service.trust.statements import OF_KEYS
from tests.attack.forging import entry, rolled_back, rows_of, signed_anew, statement_in, with_events, without
from tests.attack.hand import COLUMNS, KEYS, Record, changed, column
from tests.attack.scene import Attack, Scene
from tests.signing import STRANGER


def journal_meddled_with(scene: Scene, rng: Random) -> Iterator[Attack]:
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
        (f"entries {n + 1} and {m + 1} swapped",
            replaced((n, two._replace(place=n + 1)), (m, one._replace(place=m + 1)))),
        (f"the matches of entries {n + 1} and {m + 1} swapped",
            replaced((n, one._replace(match=two.match)), (m, two._replace(match=one.match)))),
        (f"entry {n + 1} replayed at the end", [*rows, one._replace(place=len(rows) + 1)]),
        (f"entry {n + 1} signed by a stranger", replaced((n, forged))),
        (f"entry {m + 1} signed by the key that came later or before", replaced((m, restated))),
        ("all signed anew by a stranger", signed_anew(rows, stranger, {}, takeover="began")),
        (f"adopted by a stranger after entry {middle}",
            signed_anew(rows, stranger, {}, keeps=middle, takeover="adopted")),
        (f"a stranger 'follows' after entry {middle}",
            signed_anew(rows, stranger, {}, keeps=middle, takeover="began")),
        ("a stranger's entry at the end", [*rows, _next(rows, stranger)]),
    ):  # fmt: skip
        tables = {**scene.tables, "journal": list(map(tuple, journal))}
        yield Attack("journal", what, tables)


def _numbered(rows: list[JournalRow]) -> list[JournalRow]:
    return [row._replace(place=place) for place, row in enumerate(rows, start=1)]


def _another(rows: list[JournalRow], row: JournalRow) -> str:
    return next(other.match for other in rows if other.match != row.match)


def _next(rows: list[JournalRow], key: Key) -> JournalRow:
    """An entry that follows the last one in everything but the key."""
    last = next(row for row in reversed(rows) if statement_in(row).kind not in OF_KEYS)
    return signed_anew([*rows, last], key, {}, keeps=len(rows))[-1]


def journal_cut(scene: Scene, rng: Random) -> Iterator[Attack]:
    rows = scene.journal
    for kept in rng.sample(range(1, len(rows)), min(6, len(rows) - 1)):
        tables = {**scene.tables, "journal": list(map(tuple, rows[:kept]))}
        yield Attack("journal cut off", f"after entry {kept}", tables)
        what = f"after entry {kept}, with every match it does not speak of"
        yield Attack("journal cut off", what, rolled_back(scene.tables, rows[:kept]))
        (last,) = {row.match for row in rows[kept - 1 : kept]}
        if last:
            stated = statement_in(rows[kept - 1])
            before = rows_of(scene.tables, last)[: stated.count]
            forged = Evidence(last, last, before, stated.count, stated.head)
            tables = with_events(rolled_back(scene.tables, rows[:kept]), forged, fits=True)
            yield Attack("journal cut off", f"{what}, match {last} as it was then", tables, last)


# ------------------------------------------------------------------------------------------------------------ matches


def whole_matches(scene: Scene, rng: Random) -> Iterator[Attack]:
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


def match_rows(scene: Scene, rng: Random) -> Iterator[Attack]:
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


def secrets(scene: Scene, rng: Random) -> Iterator[Attack]:
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


def matches_swapped(scene: Scene, rng: Random) -> Iterator[Attack]:
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


def outside_the_chain(scene: Scene, rng: Random) -> Iterator[Attack]:
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


def cells(scene: Scene, rng: Random) -> Iterator[Attack]:
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
