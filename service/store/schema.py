"""The schema as Alembic sees it: bring a database up to date, and hold it against the declared tables."""

from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

import service.store.migrations
from service.store.guards import unguarded
from service.store.refusals import REVISIONS, check_revision, not_a_ledger
from service.store.tables import METADATA

_one_at_a_time = Lock()  # Alembic keeps the running migration in module globals, which threads would share
_UPGRADE_LOCK = 0x6D6C6564
"""Any fixed number will do: upgrades of one PostgreSQL database queue behind it."""


def migrations_config() -> Config:
    """Alembic's settings made from where the package lies, so that an installed wheel can migrate."""
    config = Config()
    folder = Path(str(service.store.migrations.__file__)).parent
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def upgrade(engine: Engine) -> None:
    """Bring the database to the newest revision, all or nothing; safe when several processes do it at once."""
    config = migrations_config()
    with _one_at_a_time, engine.connect().execution_options(is_upgrade=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _UPGRADE_LOCK})
        stored = _stored_revision(connection)
        if stored is None and connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
            raise not_a_ledger(_where(engine), "it has tables of another application")
        if stored is not None and stored not in REVISIONS:
            check_revision(stored, _where(engine))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def revision(engine: Engine) -> str | None:
    """The revision the database is at; None when it was never migrated."""
    with engine.connect() as connection:
        return _stored_revision(connection)


def check_ready(engine: Engine) -> None:
    """Refuse with `store/unmigrated` or `store/newer` unless the database is at the newest revision."""
    check_revision(revision(engine), _where(engine))


def compare(engine: Engine) -> list[str]:
    """How the database differs from the declared tables and their guards, in words; empty when it does not."""
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        differences = [words for difference in compare_metadata(context, METADATA) for words in _in_words(difference)]
        return [*differences, *unguarded(connection, ScriptDirectory.from_config(migrations_config()))]


def _stored_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _where(engine: Engine) -> str:
    return f"the {engine.dialect.name} database"


def _in_words(difference: Any) -> list[str]:
    if isinstance(difference, list):  # Alembic groups what changed about one column
        return [words for part in difference for words in _in_words(part)]
    what, *about = difference
    verb, _, noun = what.partition("_")
    match what:
        case "add_table" | "remove_table":
            subject = about[0].name
        case "add_column" | "remove_column":
            subject = f"{about[1]}.{about[2].name}"
        case "modify_type" | "modify_nullable" | "modify_default" | "modify_comment":
            return [f"{noun} of {about[1]}.{about[2]} is {about[4]!r}, declared {about[5]!r}"]
        case _:
            subject = f"{about[0].name} on {about[0].table.name}"
    return [f"{noun} {subject} is {'missing' if verb == 'add' else 'not declared'}"]
