"""What a forger does to the tables: other events with all that goes with them, and journals written anew."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from events.chain import Row
from events.codec import Undecodable, decode
from events.match import MatchClosed, MatchOpened
from service.play.evidence import Evidence
from service.store.shapes import JournalRow
from service.trust.journal import read_entry
from service.trust.keys import Key
from service.trust.statements import NOBODY, NOTHING, OF_KEYS, Kind, Statement, signed
from tests.attack.hand import Record, Tables, changed, column


def about(table: str, records: Sequence[Record], match: str) -> list[Record]:
    """The records of a table that belong to a match."""
    place = column(table, "id" if table == "match" else "match_id")
    return [record for record in records if record[place] == match]


def without(tables: Tables, match: str, *spared: str) -> Tables:
    """Everything but one match, whose records stay in the tables that are spared."""
    return {
        name: records if name in spared else [record for record in records if record not in about(name, records, match)]
        for name, records in tables.items()
    }


def rows_of(tables: Tables, match: str) -> list[Row]:
    """The events of a match in order."""
    rows = [Row(*record[1:]) for record in about("event", tables["event"], match)]
    return sorted(rows, key=lambda row: _in_order(row.seq))


def _in_order(number: object) -> tuple[bool, object]:
    """Numbers before whatever else a hand put in their column."""
    return (False, number) if isinstance(number, int) else (True, str(number))


def with_events(tables: Tables, evidence: Evidence, *, fits: bool) -> Tables:
    """The events of a match as they are in this evidence; its row made to fit as a careful forger would."""
    match = evidence.match
    events = [record for record in tables["event"] if record[0] != match]
    events += [(match, row.seq, row.data, row.hash) for row in evidence.rows]
    (row,) = about("match", tables["match"], match)
    others = [record for record in tables["match"] if record != row]
    return {**tables, "event": events, "match": [*others, _fitting(row, evidence) if fits else row]}


def _fitting(row: Record, evidence: Evidence) -> Record:
    """A row of the match table that says what the events say, as far as they read."""
    envelopes = []
    for event in evidence.rows:
        try:
            envelopes.append(decode(event.data))
        except Undecodable:
            break
    row = changed("match", row, head_seq=evidence.count, head_hash=bytes.fromhex(evidence.head))
    if not envelopes:
        return row
    is_closed = any(isinstance(envelope.event, MatchClosed) for envelope in envelopes)
    row = changed("match", row, head_step=envelopes[-1].step)
    if is_closed != (row[column("match", "status")] == "closed"):
        row = changed("match", row, status="closed" if is_closed else "playing")
    for name, envelope in (("opened_at", envelopes[0]), ("moved_at", envelopes[-1])):
        is_text = isinstance(row[column("match", name)], str)
        moment = envelope.at.isoformat(" ", "microseconds") if is_text else envelope.at
        row = changed("match", row, **{name: moment})
    if isinstance(opened := envelopes[0].event, MatchOpened):
        parent = opened.parent.match if opened.parent else None
        row = changed("match", row, game=opened.game, ruleset=opened.ruleset, seats=opened.seats, parent=parent)
        row = changed("match", row, undo=opened.undo, chance=opened.chance)
    return row


# ------------------------------------------------------------------------------------------------------------ journal


def journal_of(tables: Tables) -> list[JournalRow]:
    """The entries in order."""
    return sorted(map(JournalRow._make, tables["journal"]), key=lambda row: _in_order(row.place))


def statement_in(row: JournalRow) -> Statement:
    """What an entry says, where it says anything."""
    statement = read_entry(row)
    assert statement is not None
    return statement


def entry(key: Key, statement: Statement) -> JournalRow:
    """A statement signed by whoever's key it is, as an entry."""
    made = signed(key, replace(statement, key=key.public))
    match = "" if made.kind in OF_KEYS else made.match
    return JournalRow(made.place, match, made.text, bytes.fromhex(made.signature), made.hash)


def signed_anew(
    rows: Sequence[JournalRow],
    key: Key,
    forged: Mapping[str, Sequence[Row]],
    *,
    keeps: int = 0,
    takeover: Kind | None = None,
    gone: str = "",
) -> list[JournalRow]:
    """The journal written anew with one key behind the entries that are kept, saying what the forged events say.

    `takeover` is the entry by which the key begins, where it does not sign already; what is said about the match that
    is gone is left out. Times stay as they were.
    """
    made = list(rows[:keeps])
    previous = made[-1].hash.hex() if made else NOBODY
    last_key = statement_in(made[-1]).key if made else NOBODY

    def add(statement: Statement) -> None:
        nonlocal previous
        made.append(entry(key, replace(statement, place=len(made) + 1, previous=previous)))
        previous = made[-1].hash.hex()

    rest = [statement_in(row) for row in rows[keeps:]]
    if takeover is not None:
        at = rest[0].at if rest else statement_in(rows[-1]).at
        add(Statement(takeover, NOTHING, NOTHING, NOTHING, NOTHING, 0, last_key, at, key.public, 1, previous))
    for statement in rest:
        if statement.kind in OF_KEYS or statement.match == gone:
            continue
        if events := forged.get(statement.match):
            # Whatever was said about the end is said about the new end.
            count = min(statement.count, len(events)) if statement.kind != "closed" else len(events)
            statement = replace(statement, count=count, head=events[count - 1].hash.hex())
        add(statement)
    return made


def rolled_back(tables: Tables, kept: list[JournalRow]) -> Tables:
    """Everything that the kept entries do not speak of is gone, and what was added to matches since."""
    known = {row.match for row in kept}
    for record in tables["match"]:
        if record[0] not in known:
            tables = without(tables, record[0], "journal")
    return {**tables, "journal": list(map(tuple, kept))}
