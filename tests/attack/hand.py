"""The adversary's hand in the database: every table as a value, read and put back past triggers and foreign keys."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final, Protocol

import psycopg

from service.store.tables import METADATA

Record = tuple[Any, ...]
Tables = dict[str, list[Record]]
"""The records of every table, each with all its columns in their order."""

COLUMNS: Final = {name: [column.name for column in table.columns] for name, table in METADATA.tables.items()}
KEYS: Final = {
    name: [COLUMNS[name].index(column.name) for column in table.primary_key] for name, table in METADATA.tables.items()
}


def column(table: str, name: str) -> int:
    """Where a column stands in the records of its table."""
    return COLUMNS[table].index(name)


def changed(table: str, record: Record, **values: object) -> Record:
    """A record with other values in some columns."""
    cells = list(record)
    for name, value in values.items():
        cells[column(table, name)] = value
    return tuple(cells)


class _Driver(Protocol):
    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any: ...


class Hand:
    """Reads and writes one database, whatever guards it has; they stand again afterwards, as if nothing had been."""

    def __init__(self, database: str) -> None:
        self.is_server = database.startswith("postgresql")
        self.database = database
        self._mark = "%s" if self.is_server else "?"

    def read(self) -> Tables:
        """Everything that is there."""
        with self._driver() as driver:
            return {
                name: list(driver.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall())
                for name, columns in COLUMNS.items()
            }

    def write(self, tables: Tables) -> None:
        """Make the database hold exactly this, touching only what differs."""
        before = self.read()
        with self._driver() as driver, self._unguarded(driver):
            for name, records in tables.items():
                old = set(before[name])
                gone, new = old - set(records), [record for record in records if record not in old]
                columns = [COLUMNS[name][place] for place in KEYS[name]]
                where = " AND ".join(f"{key} = {self._mark}" for key in columns)
                for record in gone:
                    driver.execute(f"DELETE FROM {name} WHERE {where}", [record[place] for place in KEYS[name]])
                marks = ", ".join([self._mark] * len(COLUMNS[name]))
                for record in new:
                    driver.execute(f"INSERT INTO {name} ({', '.join(COLUMNS[name])}) VALUES ({marks})", record)

    @contextmanager
    def _driver(self) -> Iterator[_Driver]:
        if self.is_server:
            with psycopg.connect(self.database) as server:
                yield server
        else:
            with closing(sqlite3.connect(self.database, isolation_level=None)) as file:
                yield file

    @contextmanager
    def _unguarded(self, driver: _Driver) -> Iterator[None]:
        if self.is_server:
            driver.execute("SET session_replication_role = replica")  # no triggers, and so no foreign keys
            yield
            return
        driver.execute("PRAGMA synchronous = OFF")
        driver.execute("PRAGMA ignore_check_constraints = ON")
        driver.execute("BEGIN IMMEDIATE")
        triggers = driver.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            driver.execute(f"DROP TRIGGER {name}")
        yield
        for _, sql in triggers:
            driver.execute(sql)
        driver.execute("COMMIT")
