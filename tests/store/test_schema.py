"""Migrations and declared tables agree, on both databases."""

import sqlite3
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import psycopg
import pytest
from alembic import command, op
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect
from sqlalchemy.schema import CreateColumn, CreateTable
from sqlmodel import Session, SQLModel, select

from service.errors import Unavailable
from service.store import Signature, Store, differences, open_store, schema, upgrade_store
from service.store.connect import open_engine
from service.store.guards import unguarded
from service.store.refusals import REVISIONS, check_revision
from service.store.tables import METADATA, EventTable, MatchTable
from tests.postgres import PostgresServer
from tests.store.steps import START, opened, step_after

SQLITE_TRIGGERS = import_module("service.store.migrations.versions.0006_seals").SQLITE_TRIGGERS


@pytest.fixture
def postgres_address(own_postgres_address: str) -> str:
    return own_postgres_address


@pytest.fixture
def engine(store: Store, address: str) -> Iterator[Engine]:
    engine = open_engine(address)
    yield engine
    engine.dispose()


def test_migrations_make_the_declared_tables(engine: Engine, address: str) -> None:
    assert schema.compare(engine) == []
    assert differences(address) == []


@pytest.mark.parametrize(
    "stored, code, said",
    [
        (None, "store/unmigrated", "it has no ledger tables yet"),
        *((older, "store/unmigrated", f"revision {older!r} and this program needs") for older in REVISIONS[:-1]),
        ("9999", "store/newer", "revision '9999', which this program does not know"),
    ],
)
def test_only_the_newest_revision_is_used(stored: str | None, code: str, said: str) -> None:
    with pytest.raises(Unavailable, match=said) as refused:
        check_revision(stored, "it")
    assert refused.value.code == code
    check_revision(REVISIONS[-1], "it")


def test_what_alembic_does_not_compare(engine: Engine) -> None:
    """Keys, and what may be left out."""
    found = inspect(engine)
    for table in METADATA.sorted_tables:
        keys = found.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], table.name
        foreign = {(*key["constrained_columns"], key["referred_table"]) for key in found.get_foreign_keys(table.name)}
        assert foreign == {(key.parent.name, key.column.table.name) for key in table.foreign_keys}, table.name
        for column in found.get_columns(table.name):
            declared = table.columns[column["name"]]
            assert (column["nullable"], bool(column.get("autoincrement"))) == (declared.nullable, False), declared


@pytest.mark.parametrize(
    "statement, difference",
    [
        ("DROP TABLE secret", "table secret is missing"),
        ("DROP INDEX ix_seat_name", "index ix_seat_name on seat is missing"),
        ("DROP INDEX ix_match_unfinished", "index ix_match_unfinished on match is missing"),
        ("CREATE TABLE stray (id INTEGER)", "table stray is not declared"),
        ("ALTER TABLE seat ADD COLUMN email TEXT", "column seat.email is not declared"),
        ("ALTER TABLE seat DROP COLUMN kind", "column seat.kind is missing"),
    ],
)
def test_every_difference_is_told(
    engine: Engine, execute: Callable[[str], None], statement: str, difference: str
) -> None:
    execute(statement)
    assert schema.compare(engine) == [difference]


GUARDS = {
    "sqlite": [
        ("DROP TRIGGER event_never_updated", "trigger event_never_updated on event is missing"),
        ("DROP TRIGGER signature_never_replaced", "trigger signature_never_replaced on signature is missing"),
        ("CREATE TRIGGER stray AFTER INSERT ON event BEGIN SELECT 1; END", "trigger stray on event is not declared"),
    ],
    "postgres": [
        ("DROP TRIGGER event_never_changed ON event", "trigger event_never_changed on event is missing"),
        (
            "ALTER TABLE event DISABLE TRIGGER event_never_changed",
            "trigger event_never_changed on event is disabled, which is as good as missing",
        ),
        (
            "ALTER TABLE signature ENABLE REPLICA TRIGGER signature_never_changed",
            "trigger signature_never_changed on signature is disabled, which is as good as missing",
        ),
        (
            "CREATE OR REPLACE TRIGGER event_never_changed BEFORE UPDATE ON event"
            " FOR EACH STATEMENT EXECUTE FUNCTION event_stays_as_it_is()",
            "trigger event_never_changed on event is changed",
        ),
        (
            "CREATE OR REPLACE FUNCTION event_stays_as_it_is() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN RETURN NULL; END'",
            "function event_stays_as_it_is of trigger event_never_changed on event is changed",
        ),
        ("ALTER TABLE match DROP CONSTRAINT ck_match_status", "check ck_match_status on match is missing"),
    ],
}


@pytest.mark.parametrize(
    "address, statement, difference",
    [(database, *guard) for database, guards in GUARDS.items() for guard in guards],
    indirect=["address"],
)
def test_a_guard_that_is_gone_is_told(
    store: Store, address: str, execute: Callable[[str], None], statement: str, difference: str
) -> None:
    execute(statement)
    assert differences(address) == [difference]


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_guard_that_lets_everybody_pass_is_told(address: str, execute: Callable[[str], None]) -> None:
    """The same names, and other words: a trigger that does nothing, a table made again without its conditions."""
    execute("DROP TRIGGER event_never_deleted")
    execute("CREATE TRIGGER event_never_deleted BEFORE DELETE ON event WHEN 0 BEGIN SELECT 1; END")
    assert differences(address) == ["trigger event_never_deleted on event is changed"]
    execute("DROP TRIGGER event_never_deleted")
    execute(SQLITE_TRIGGERS[0])
    assert differences(address) == []
    file = sqlite3.connect(address)
    (sql,) = file.execute("SELECT sql FROM sqlite_schema WHERE name = 'match'").fetchone()
    indexes = file.execute(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = 'match' AND type = 'index' AND sql IS NOT NULL"
    ).fetchall()
    file.execute("PRAGMA foreign_keys = OFF")
    file.execute("DROP TABLE match")
    weaker = sql.replace("length(head_hash) = 32", "length(head_hash) >= 0")
    file.execute(weaker.replace("CONSTRAINT ck_match_status CHECK (status IN ('open', 'playing', 'closed')),", ""))
    for (index,) in indexes:
        file.execute(index)
    file.close()
    assert differences(address) == [
        "check ck_match_head_hash on match is changed",
        "check ck_match_status on match is missing",
    ]


def test_every_guard_is_one_that_a_migration_names(engine: Engine) -> None:
    """A migration that makes triggers lists them in TRIGGERS, or `db check` would call them strange."""
    scripts = ScriptDirectory.from_config(schema.migrations_config())
    named = " ".join(
        statement
        for script in scripts.walk_revisions()
        for statement in getattr(script.module, "TRIGGERS", {}).get(engine.dialect.name, ())
    )
    with engine.connect() as connection:
        assert unguarded(connection, scripts) == []
        asked = {
            "sqlite": "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
            "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
        }
        found = list(connection.exec_driver_sql(asked[engine.dialect.name]).scalars())
    assert found
    assert all(f"CREATE TRIGGER {name} " in named for name in found)


@pytest.mark.parametrize("address", ["postgres"], indirect=True)
def test_a_changed_type_is_told(engine: Engine, execute: Callable[[str], None]) -> None:
    execute("ALTER TABLE command ALTER first_seq TYPE bigint")
    execute("ALTER TABLE seat ALTER name DROP NOT NULL")
    assert schema.compare(engine) == [
        "type of command.first_seq is BIGINT(), declared Integer()",
        "nullable of seat.name is True, declared False",
    ]


def test_the_declared_tables_read_what_the_driver_wrote(engine: Engine, store: Store) -> None:
    opened(store, "m1")
    with Session(engine) as session:
        match = session.exec(select(MatchTable)).one()
        assert (match.id, match.opened_at, match.head_hash) == ("m1", START, store.find("m1").head.hash)
        assert [event.seq for event in session.exec(select(EventTable))] == [1, 2, 3]


def test_the_tables_are_nobody_elses() -> None:
    assert METADATA is not SQLModel.metadata
    assert not set(SQLModel.metadata.tables) & set(METADATA.tables)
    names = {"match", "event", "command", "seat", "secret", "signature", "remark", "journal", "statement", "token"}
    assert set(METADATA.tables) == names | {"seal", "dictionary"}


def test_the_known_revisions_are_those_of_the_scripts() -> None:
    scripts = ScriptDirectory.from_config(schema.migrations_config())
    assert tuple(script.revision for script in scripts.walk_revisions())[::-1] == REVISIONS
    assert scripts.get_current_head() == REVISIONS[-1]


def test_upgrading_twice_changes_nothing(store: Store, engine: Engine, address: str) -> None:
    opened(store, "m1")
    schema.upgrade(engine)
    schema.check_ready(engine)
    assert schema.revision(engine) == REVISIONS[-1]
    assert upgrade_store(address) == (REVISIONS[-1], REVISIONS[-1])
    assert len(store.rows("m1")) == 3


def test_a_server_is_upgraded_only_when_asked(postgres: PostgresServer) -> None:
    address = postgres.empty_database()
    engine = open_engine(address)
    assert schema.revision(engine) is None
    with pytest.raises(Unavailable, match="run `matchledger db upgrade`"):
        schema.check_ready(engine)
    with pytest.raises(Unavailable) as refused:
        open_store(address)
    assert refused.value.code == "store/unmigrated"
    assert schema.revision(engine) is None

    assert upgrade_store(address) == (None, REVISIONS[-1])
    open_store(address).close()
    engine.dispose()
    postgres.drop(address)


def test_a_ledger_of_the_first_revision_is_brought_up_to_date(new_address: str) -> None:
    """What was stored before signatures were stays as it is, and can be signed."""
    engine = create_engine(f"sqlite:///{new_address}")
    config = schema.migrations_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001_ledger")
    engine.dispose()
    Path(new_address).chmod(0o600)
    file = sqlite3.connect(new_address)
    first = step_after("m1", None)
    columns = "id, game, ruleset, seats, status, undo, chance, opened_at, moved_at, head_seq, head_step, head_hash"
    at = START.isoformat(" ")
    known = ("m1", "azul", "azul/1", 2, "closed", "free", "fair", at, at, 3, 1, first.head.hash)
    file.execute(f"INSERT INTO match ({columns}) VALUES ({', '.join('?' * 12)})", known)
    file.executemany("INSERT INTO event VALUES ('m1', ?, ?, ?)", first.rows)
    file.commit()
    file.close()
    with open_store(new_address) as store:
        assert store.rows("m1") == first.rows
        assert store.signatures("m1") == []
        signature = Signature("m1", 3, first.head.hash.hex(), "cd" * 32, "ef" * 64)
        store.sign([signature], START)
        assert store.signatures("m1") == [signature]
    assert differences(new_address) == []


def test_an_upgrade_that_fails_half_way_leaves_nothing(new_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    create_index = op.create_index

    def fail_late(name: str, *arguments: object) -> None:
        if name == "ix_seat_name":
            op.execute("SELECT * FROM nowhere")
        create_index(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(op, "create_index", fail_late)
    with pytest.raises(Unavailable, match="no such table: nowhere"):
        open_store(new_address)
    file = sqlite3.connect(new_address)
    assert file.execute("SELECT name FROM sqlite_schema").fetchall() == []
    file.close()
    monkeypatch.undo()
    open_store(new_address).close()


def test_rows_are_clustered_as_declared(sqlite_address: str) -> None:
    """Alembic compares no options of a table."""
    file = sqlite3.connect(sqlite_address)
    made = dict(file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"))
    file.close()
    for table in METADATA.sorted_tables:
        is_clustered = table.name not in ("seal", "dictionary")  # which have rows of a kilobyte and more
        assert ("WITHOUT ROWID" in made[table.name]) == is_clustered
        assert ("WITHOUT ROWID" in str(CreateTable(table).compile(create_engine("sqlite://")))) == is_clustered


def test_texts_are_collated_and_numbers_given_as_declared(postgres_address: str) -> None:
    """Nor does it compare collations, or who counts up."""
    with psycopg.connect(postgres_address) as server:
        made = server.execute(
            "SELECT table_name, column_name, collation_name = 'C', column_default IS NOT NULL"
            " FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
        ).fetchall()
    server_engine = create_engine("postgresql+psycopg://")
    declared = [
        (table.name, column.name, 'COLLATE "C"' in words, "SERIAL" in words)
        for table in METADATA.sorted_tables
        for column in table.columns
        for words in [str(CreateColumn(column).compile(server_engine))]
    ]
    assert sorted((*names, bool(is_c), counts) for *names, is_c, counts in made) == sorted(declared)
